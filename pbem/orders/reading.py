"""One order, taken apart into a verb and names, and compared with the options: which of them it fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from pbem.orders.vocabulary import ROLES, SHORTEST_ABBREVIATION, Lexicon, Mention, Parts
from pbem.orders.words import BREAKS, CURRENCY, bag, key
from pbem.protocol import Decision, Option

#: What each way to read a word costs; the cheapest way to read the whole line is taken.
EXACT, FILLER, SHORT, SLIP, UNKNOWN = 1, 3, 10, 30, 1000

#: Words for the colour of who writes; they may also say nothing.
MINE = bag("my me mine own myself")

#: Left out in the middle of an order and behind it as well.
PLEASANTRIES = bag("please pls plz plse thanks thank you thx ty cheers ok okay just also now there")


class Said(NamedTuple):
    """Something that a line names."""

    #: What it may stand for.
    names: frozenset[str]
    #: What the small word before it says.
    role: str
    cost: int
    #: Whether some of what it may stand for is not on offer, so that the rest is no safe guess.
    doubtful: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """What a line was found to say."""

    #: The options it fits: one when it is clear, several when it is ambiguous.
    options: tuple[Option, ...] = ()
    how: Literal["exact", "synonym", "corrected"] = "synonym"
    #: Whether the option has parts that the line leaves out.
    missing: bool = False
    #: Whether it may as well mean something that is not on offer.
    doubtful: bool = False
    #: The canonical verbs it may begin with.
    verbs: tuple[str, ...] = ()
    #: Whether one of the verbs is on offer.
    offered: bool = False
    #: What it names, in the game's words.
    names: tuple[str, ...] = ()
    #: Whether one of them is written in full.
    full: bool = False
    #: The words that say nothing to the game.
    unknown: tuple[str, ...] = ()

    @property
    def understood(self) -> bool:
        """Whether every word is known, so that only the rules stand against it."""
        return not self.unknown and bool(self.verbs or self.names)


class Scope:
    """The options that a verb leaves to choose from."""

    def __init__(self, options: Iterable[Option], lexicon: Lexicon, amounts: frozenset[str]) -> None:
        self.lexicon = lexicon
        #: The figures that the decision is about: `pay $5` says no more than `pay`.
        self.amounts = amounts
        self.entries = [(option, lexicon.parts(option.text)) for option in options]

    @cached_property
    def names(self) -> frozenset[str]:
        """The names in these options, and their words that are no names."""
        return frozenset(mention.name for _, parts in self.entries for mention in parts.mentions)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of the names in these options."""
        return frozenset(kind for name in self.names for kind in self.lexicon.kinds.get(name, ()))

    def alike(self, names: Iterable[str]) -> frozenset[str]:
        """Those names that are of a kind with the names here; all of them where nothing is on offer."""
        if not self.entries:
            return frozenset(names)
        return frozenset(name for name in names if self.lexicon.kinds[name] & self.kinds)

    def named(self, words: tuple[str, ...]) -> Said | None:
        """What the words name, the likeliest way to read them."""
        if len(words) == 1 and words[0] in self.names:
            return Said(frozenset(words), "", EXACT, False)
        exact = self.lexicon.exact(words)
        legal = self.names.intersection(exact)
        if legal or self.alike(exact):
            return Said(legal or self.alike(exact), "", EXACT, False)
        short = self.alike(self.lexicon.abbreviated(words))
        legal = short & self.names
        if legal:
            hasty = len("".join(words)) < SHORTEST_ABBREVIATION and legal != short
            return Said(legal, "", SHORT if legal == short else SLIP, hasty)
        if exact:
            return Said(frozenset(exact), "", EXACT, False)
        if short:
            return Said(short, "", SHORT, False)
        near = self.lexicon.misspelt(words)
        alike = self.alike(near)
        if not alike:
            return None
        least = min(near[name] for name in alike)
        nearest = frozenset(name for name in alike if near[name] == least)
        legal = nearest & self.names
        return Said(legal or nearest, "", SLIP + least, bool(legal) and legal != nearest)


def read(words: Sequence[str], decision: Decision, lexicon: Lexicon, me: str = "") -> Reading:
    """Which options a line fits, or how far it was understood."""
    said = tuple(word for word in words if word not in BREAKS)
    for option in decision.options:
        if key(option.text) == said:
            parts = lexicon.parts(option.text)
            names = tuple(mention.name for mention in parts.mentions)
            return Reading((option,), "exact", verbs=(parts.verb,), offered=True, names=names)
    amounts = frozenset(str(fact) for fact in decision.facts.values() if isinstance(fact, int))
    best: Reading | None = None
    for verbs, rest, sure in _openings(words, decision, lexicon):
        scope = Scope(_with_verbs(decision, verbs, lexicon), lexicon, amounts)
        for mine in ([me], []) if me and not MINE.isdisjoint(rest) else ([],):
            reading = _compared(rest, verbs, sure, scope, frozenset(mine))
            if reading.options:
                return reading
        if best is None or _clearer(reading) > _clearer(best):
            best = reading
    return best or Reading(unknown=said)


def _clearer(reading: Reading) -> tuple[bool, bool, int]:
    return reading.understood, reading.offered, -len(reading.unknown)


def _openings(
    words: Sequence[str], decision: Decision, lexicon: Lexicon
) -> Iterator[tuple[tuple[str, ...], Sequence[str], bool]]:
    """The verbs that a line may have, the likeliest first: each with the other words, and whether it is sure."""
    words = tuple(words)
    found = lexicon.verb_at(words, 0)
    for end, verbs in found:
        own = lexicon.canonical_verbs.get(words[:end])
        yield (own,) if own and end == len(words) else verbs, words[end:], True
    for place in range(1, len(words)):
        for end, verbs in lexicon.verb_at(words, place):
            if not lexicon.infix.isdisjoint(verbs):
                yield verbs, words[:place] + words[end:], True
    if found or not words:
        return
    yield (), words, True
    offered = frozenset(lexicon.parts(option.text).verb for option in decision.options)
    begun = frozenset(v for v in offered if len(words[0]) >= SHORTEST_ABBREVIATION and v.startswith(words[0]))
    if len(begun) == 1:
        yield tuple(begun), words[1:], True
    meant = lexicon.misspelt_verb(words[0])
    if meant:
        yield meant, words[1:], False
    if words[0] == decision.kind:
        yield (), words[1:], True


def _with_verbs(decision: Decision, verbs: tuple[str, ...], lexicon: Lexicon) -> Sequence[Option]:
    if not verbs:
        return decision.options
    return [option for option in decision.options if lexicon.parts(option.text).verb in verbs]


def _compared(
    words: Sequence[str], verbs: tuple[str, ...], sure: bool, scope: Scope, mine: frozenset[str]
) -> Reading:
    """The options in scope that the words fit best."""
    said, unknown = _named(words, scope, mine)
    names = tuple(name for part in said if len(part.names) == 1 for name in part.names)
    offered = bool(scope.entries)
    if unknown:
        full = any(part.cost == EXACT for part in said)
        return Reading(verbs=verbs, offered=offered, names=names, full=full, unknown=unknown)
    fits: dict[tuple[bool, int], list[Option]] = {}
    for option, parts in scope.entries:
        penalty = _fit(said, parts, scope.lexicon)
        if penalty is not None:
            fits.setdefault((len(parts.mentions) > len(said), penalty), []).append(option)
    if not fits:
        return Reading(verbs=verbs, offered=offered, names=names)
    missing, _ = least = min(fits)
    options = [option for (m, _), some in fits.items() if m for option in some] if missing else fits[least]
    if missing and not (verbs and sure and (scope.lexicon.things - scope.names).isdisjoint(words)):
        options = []  # a name by itself must say everything; `protect building` is not `protect Red`
    corrected = missing or not sure or any(part.cost >= SLIP for part in said)
    return Reading(
        options=tuple(options),
        how="corrected" if corrected else "synonym",
        missing=missing,
        doubtful=any(part.doubtful for part in said),
        verbs=verbs,
        offered=offered,
        names=names,
    )


def _named(
    words: Sequence[str], scope: Scope, mine: frozenset[str]
) -> tuple[tuple[Said, ...], tuple[str, ...]]:
    """What the words name, by the cheapest way to divide them, and the words that say nothing."""
    items = [word for word in words if word not in BREAKS or word == "and"]
    fillers = scope.lexicon.fillers
    #: For each place: the cost so far, what was said, what was unknown, and the role for the next name.
    ways: list[tuple[int, tuple[Said, ...], tuple[str, ...], str] | None] = [(0, (), (), "")]
    ways += [None] * len(items)

    def reach(place: int, cost: int, said: tuple[Said, ...], unknown: tuple[str, ...], role: str) -> None:
        known = ways[place]
        if known is None or cost < known[0]:
            ways[place] = (cost, said, unknown, role)

    for place, word in enumerate(items):
        way = ways[place]
        if way is None:
            continue
        cost, said, unknown, role = way
        if word in ROLES:
            reach(place + 1, cost, said, unknown, ROLES[word])
        if word in MINE and mine:
            reach(place + 1, cost + EXACT, (*said, Said(mine, role, EXACT, False)), unknown, "")
            continue
        following = items[place + 1] if place + 1 < len(items) else ""
        if (
            word in fillers
            or word in CURRENCY
            or word in PLEASANTRIES
            or word in MINE
            or (word == "1" and following in fillers)
            or word in scope.amounts
        ):
            reach(place + 1, cost + FILLER, said, unknown, role)
        if word != "and":
            for end in range(place + 1, min(len(items), place + scope.lexicon.longest_name) + 1):
                if items[end - 1] == "and":
                    continue
                named = scope.named(tuple(item for item in items[place:end] if item != "and"))
                if named is not None:
                    part = Said(named.names, role, named.cost, named.doubtful)
                    again = said and named.cost == SHORT and said[-1].names == named.names  # Pin and Tulip
                    reach(end, cost + named.cost, said if again else (*said, part), unknown, "")
            reach(place + 1, cost + UNKNOWN, said, (*unknown, word), role)
    last = ways[-1]
    return (last[1], last[2]) if last is not None else ((), tuple(words))


def _fit(said: Sequence[Said], parts: Parts, lexicon: Lexicon) -> int | None:
    """How badly what was said fits an option, or None when it does not; what is left out costs nothing here."""
    if len(said) > len(parts.mentions):
        return None
    best: int | None = None
    for penalty, mentions in _orders(parts.mentions):
        cost = _assigned(said, mentions, lexicon, 0, ())
        if cost is not None and (best is None or cost + penalty < best):
            best = cost + penalty
    return best


def _orders(mentions: tuple[Mention, ...]) -> Iterator[tuple[int, tuple[Mention, ...]]]:
    """An option's names as they stand, and exchanged about a `with`: a swap reads the same both ways."""
    yield 0, mentions
    for place, mention in enumerate(mentions):
        if mention.role == "with" and 2 * place == len(mentions):
            first, second = mentions[:place], mentions[place:]
            yield (
                1,
                (
                    Mention(second[0].name, first[0].role),
                    *second[1:],
                    Mention(first[0].name, mention.role),
                    *first[1:],
                ),
            )


def _assigned(
    said: Sequence[Said], mentions: tuple[Mention, ...], lexicon: Lexicon, number: int, taken: tuple[int, ...]
) -> int | None:
    """The least penalty of giving each thing said one of the option's names."""
    if number == len(said):
        return 0
    part = said[number]
    best: int | None = None
    for place, mention in enumerate(mentions):
        if place in taken or mention.name not in part.names:
            continue
        penalty = _role_penalty(part.role, mention, mentions)
        if not part.role and any(
            not other.role and index not in taken and _alike(mention, other, lexicon)
            for index, other in enumerate(mentions[:place])
        ):
            continue  # what stands first is meant first
        if penalty is None:
            continue
        for earlier, other in enumerate(taken):
            if other > place:  # turned about: only where it cannot be misread
                if part.role == said[earlier].role and _alike(mention, mentions[other], lexicon):
                    penalty = None
                    break
                penalty += 1
        if penalty is None:
            continue
        rest = _assigned(said, mentions, lexicon, number + 1, (*taken, place))
        if rest is not None and (best is None or penalty + rest < best):
            best = penalty + rest
    return best


def _alike(one: Mention, other: Mention, lexicon: Lexicon) -> bool:
    """Whether two names are of the same kind, so that they can be taken for one another."""
    return lexicon.kinds.get(one.name) == lexicon.kinds.get(other.name)


#: Roles that mean nearly the same: what was said, and what the option says.
NEARLY = frozenset(
    (("from", "in"), ("in", "from"), ("in", "to"), ("to", "in"), ("to", "with"), ("in", "instead"))
)


def _role_penalty(role: str, mention: Mention, mentions: Sequence[Mention]) -> int | None:
    if not role or role == mention.role:
        return 0
    if (role, mention.role) in NEARLY:
        return 1
    if not mention.role:
        taken = any(other.role == role for other in mentions)
        return None if taken or role == "instead" else 1
    return None
