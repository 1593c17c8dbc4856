"""One option against the words of a mail: which of them it explains, and at what cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pbem.orders.lattice import Edge, Lattice
from pbem.orders.lexicon import SHORT, Mention, Phrase
from pbem.orders.words import SENTENCE_MARKS, key
from pbem.protocol import Decision, Option

#: What it costs when the verb is not said (again), a name is not said (but was just before), a role is only near.
NO_VERB, SAME_VERB, NOUN_ONLY, MISSING, REMEMBERED, NEAR_ROLE = 1.0, 0.5, 0.25, 3.0, 2.0, 0.25
#: For a mark or another option's word amid an option's words, and for words left behind.
MARK, COMMA, STRANGER, LEFT_BEHIND = 1.0, 0.25, 1.0, 1.25
#: For declining a gain that goes by itself.
NO_GAIN = 0.25
#: Ways to read one option that are kept, places where one word is looked for, options of which only the verb is said,
#: and ways that are looked at in one mail: whatever is typed, a reading takes no longer.
MOST_WAYS, MOST_EDGES, MOST_VERB_ONLY, MOST_LOOKED_AT = 6, 4, 13, 6000
#: Ways that are looked at when one option is taken apart.
WORK = 2
#: Roles that a name by itself has only where the option says so.
AWAY = ("from", "instead")
#: Roles that mean nearly the same: what was said, and what the option says.
NEARLY = frozenset(["from in", "in from", "in to", "to in", "to with", "in instead", "with in"])

YES, NO, END = "yes", "no", "end"
#: The option that ends a sequence in which several things are picked.
DONE = "done"
#: The symbol of a card, as decisions name it in their facts, that does what the card's deeds say.
SCROLL = "scroll"


class Memory(NamedTuple):
    """What the orders before spoke of, for pronouns."""

    #: The last name of each kind.
    names: tuple[tuple[str, str], ...] = ()
    verb: str = ""

    def after(self, phrase: Phrase) -> Memory:
        """What is remembered after an option."""
        names = dict(self.names) | {mention.kind: mention.name for mention in phrase.mentions}
        return Memory(tuple(names.items()), phrase.verb)


class Way(NamedTuple):
    """One way in which words say an option, whatever else they may say."""

    mask: int
    cost: float
    #: Whether only slips of the pen speak for it.
    weak: bool = True
    #: Names that are left out.
    missing: tuple[Mention, ...] = ()
    #: Names for which a pronoun stands.
    pronouns: tuple[Mention, ...] = ()
    #: Where each name stands, in the order of the option.
    places: tuple[tuple[Mention, Edge], ...] = ()
    verb: bool = False


class Reading(NamedTuple):
    """An option, and the words that say it."""

    option: Option
    mask: int
    cost: float
    #: Whether a slip was corrected or a gap filled.
    corrected: bool = False


class Explainer:
    """Explains the options of one decision after another by the words of one mail."""

    def __init__(self, lattice: Lattice, clauses: Sequence[int] = ()) -> None:
        self.lattice = lattice
        self.clauses = clauses
        self._ways: dict[tuple[str, str, frozenset[str], int], list[Way]] = {}
        self._relevant: dict[tuple[str, str, frozenset[str]], int] = {}
        self._looked_at = 0

    def readings(self, decision: Decision, used: int, meant: int, memory: Memory) -> list[Reading]:
        """The ways in which unused words say an option of a decision, the cheapest first."""
        readings = []
        owner = str(decision.facts.get("card", "")) if decision.facts.get("symbol", SCROLL) == SCROLL else ""
        verbs = self._verbs(decision)
        things = self._things(decision)
        verb_only = 0
        recalled = frozenset(name for _, name in memory.names)
        for option in decision.options:
            if option.text == END or self._looked_at > MOST_LOOKED_AT:
                continue
            declines = option is decision.decline or option.text == DONE
            for way in self._of(option, "" if declines else owner, used, recalled):
                self._looked_at += 1
                verb_only += bool(way.missing and not way.places)
                if way.missing and not way.places and verb_only > MOST_VERB_ONLY:
                    continue
                reading = self._fitted(
                    option, way, used, meant, memory, verbs if declines else None, things, decision
                )
                if reading:
                    readings.append(reading)
        readings += self._said_no(decision, used, meant, verbs)
        readings += self._said_yes(decision, used, meant)
        cheapest: dict[tuple[str, int], Reading] = {}
        for reading in sorted(self._only_itself(readings), key=lambda reading: reading.cost):
            cheapest.setdefault((reading.option.text, reading.mask), reading)
        return list(cheapest.values())

    def _only_itself(self, readings: list[Reading]) -> list[Reading]:
        """The readings, without those of words that are another option's own text."""
        own = {
            reading.mask: reading.option.text
            for reading in readings
            if tuple(self.lattice.words(reading.mask)) == key(reading.option.text)
        }
        return [
            reading
            for reading in readings
            if own.get(reading.mask, reading.option.text) == reading.option.text
        ]

    # -- an option by its own words ----------------------------------------------------------------------------

    def _of(self, option: Option, owner: str, used: int, recalled: frozenset[str]) -> list[Way]:
        phrase = self.lattice.lexicon.phrase(option.text)
        recalled = (
            recalled.intersection(mention.name for mention in phrase.mentions) if recalled else recalled
        )
        relevant = self._relevant.get((option.text, owner, recalled))
        if relevant is None:
            relevant = self._relevant[option.text, owner, recalled] = self._about(option, owner, recalled)
        if not relevant & ~used:
            return []
        key = (option.text, owner, recalled, relevant & used)
        if key not in self._ways:
            self._looked_at += WORK
            self._ways[key] = self._ways_of(option, owner, used, recalled)
        return self._ways[key]

    def _about(self, option: Option, owner: str, recalled: frozenset[str]) -> int:
        """All words that may be part of a way to say an option."""
        lattice, phrase = self.lattice, self.lattice.lexicon.phrase(option.text)
        mask = lattice.nouns.get(phrase.verb, 0)
        edges = [
            *lattice.verbs.get(phrase.verb, ()),
            *lattice.deeds.get(owner, ()),
            *lattice.menu.get(option.text, ()),
        ]
        for mention in phrase.mentions:
            edges += lattice.names.get(mention.name, ()) if mention.kind else self._literal(mention.name)
        if recalled:
            edges += [*lattice.said["person"], *lattice.said["place"]]
        if any(mention.name == lattice.me for mention in phrase.mentions):
            edges += lattice.said["mine"]
        for edge in edges:
            mask |= edge.mask
        return mask

    def _ways_of(self, option: Option, owner: str, used: int, recalled: frozenset[str]) -> list[Way]:
        phrase = self.lattice.lexicon.phrase(option.text)
        verbs = _unused((*self.lattice.verbs.get(phrase.verb, ()), *self.lattice.deeds.get(owner, ())), used)
        menu = _unused(self.lattice.menu.get(option.text, ()), used)
        ways = [Way(edge.mask, 0.0, False) for edge in menu]
        ways += [
            Way(edge.mask | verb.mask, 0.0, False, verb=True)
            for edge in menu
            for verb in verbs
            if verb.end <= edge.start and edge.start - verb.end <= 1
        ]
        named = list(self._names(phrase, used, recalled))
        ways += [way for way in named if way.places or way.pronouns]
        nouns = _edges(self.lattice.nouns.get(phrase.verb, 0) & ~used)
        for verb, cost in (*((edge, 0.0) for edge in verbs), *((edge, NOUN_ONLY) for edge in nouns)):
            for way in named:
                if not verb.mask & way.mask:
                    weak = way.weak and verb.cost >= SHORT and not (way.places and verb.cost >= SHORT)
                    ways.append(
                        way._replace(
                            mask=way.mask | verb.mask, cost=way.cost + cost + verb.cost, weak=weak, verb=True
                        )
                    )
        best: dict[int, Way] = {}
        for way in ways:
            if way.mask and (way.mask not in best or way.cost < best[way.mask].cost):
                best[way.mask] = way
        return sorted(best.values(), key=lambda way: way.cost)[: 4 * MOST_WAYS]

    def _names(self, phrase: Phrase, used: int, recalled: frozenset[str]) -> Iterator[Way]:
        """The ways in which the names of an option may be said, left out ones included."""
        for turned, mentions in _orders(phrase.mentions):
            ways = [Way(0, NEAR_ROLE * turned)]
            for mention in mentions:
                ways = [
                    longer for way in ways for longer in self._with(way, mention, mentions, used, recalled)
                ]
                ways = sorted(ways, key=lambda way: way.cost)[:MOST_WAYS]
            yield from ways

    def _with(
        self, way: Way, mention: Mention, mentions: Sequence[Mention], used: int, recalled: frozenset[str]
    ) -> Iterator[Way]:
        edges = self.lattice.names.get(mention.name, []) if mention.kind else self._literal(mention.name)
        mine = self.lattice.said["mine"] if mention.name == self.lattice.me else []
        for edge in (*_unused(edges, used), *_unused(mine, used)):
            fit = None if way.mask & edge.mask else _role_cost(edge.role, mention, mentions)
            if fit is None or not _in_order(way, mention, edge):
                continue
            if mention.role and not edge.role and any(other.kind == mention.kind for other in way.missing):
                continue  # what stands first is meant first
            yield way._replace(
                mask=way.mask | edge.mask,
                cost=way.cost + edge.cost + fit,
                weak=way.weak and edge.cost >= SHORT,
                places=(*way.places, (mention, edge)),
            )
        pronoun = "person" if mention.kind == "colour" else "place"
        for edge in _unused(self.lattice.said[pronoun], used) if mention.name in recalled else ():
            if not way.mask & edge.mask:
                yield way._replace(
                    mask=way.mask | edge.mask, cost=way.cost + edge.cost, pronouns=(*way.pronouns, mention)
                )
        yield way._replace(cost=way.cost + MISSING, missing=(*way.missing, mention))

    def _literal(self, text: str) -> list[Edge]:
        return [
            Edge(1 << place, place, place + 1, 0.0)
            for place, token in enumerate(self.lattice.tokens)
            if token.text == text or (text[0] == "$" and token.text == text[1:])
        ]

    def _fitted(
        self,
        option: Option,
        way: Way,
        used: int,
        meant: int,
        memory: Memory,
        verbs: frozenset[str] | None,
        things: int,
        decision: Decision,
    ) -> Reading | None:
        """A way to say an option, where it stands and with what was said before."""
        phrase = self.lattice.lexicon.phrase(option.text)
        cost = way.cost
        remembered = dict(memory.names)
        for mention in way.pronouns:
            if remembered.get(mention.kind) != mention.name:
                return None
        for mention in way.missing:
            if way.places and remembered.get(mention.kind) == mention.name and mention.kind == "colour":
                cost += REMEMBERED - MISSING
            elif not way.verb and len(decision.options) - (decision.decline is not None) > 1:
                return None  # a name by itself must say everything
        if way.missing and self._cut_off(way, used):
            return None
        if not way.verb and any(
            (edge.role in AWAY and not mention.role) or self._only_counted(mention, edge)
            for mention, edge in way.places
        ):
            return None
        if not way.verb and (way.places or way.pronouns):
            exact = len(phrase.mentions) == 1 and phrase.mentions[0].name.isdigit()
            cost += 0.0 if exact else SAME_VERB if memory.verb == phrase.verb else NO_VERB
        if not way.mask & meant or (way.weak and not way.pronouns and not self._in_company(way.mask)):
            return None
        placed = tuple(mention for mention, _ in way.places)
        mask = self._absorbed(
            way.mask, used, phrase._replace(mentions=placed), option, verbs, things, decision
        )
        cost += self._spread(mask, used, meant)
        if verbs is not None and decision.auto not in (None, option):
            cost += NO_GAIN
        return Reading(option, mask, cost, bool(way.missing) or way.cost >= SHORT + 2)

    def _cut_off(self, way: Way, used: int) -> bool:
        """Whether a name like one that is left out stands right beside the words of an option."""
        wanted = 0
        for mention in way.missing:
            wanted |= self.lattice.kinds[mention.kind] & ~used & ~way.mask
        for step, place in ((-1, (way.mask & -way.mask).bit_length() - 2), (1, way.mask.bit_length())):
            while 0 <= place < len(self.lattice.tokens):
                if self.lattice.tokens[place].is_mark or self.lattice.texts[place] in ("and", "then"):
                    break
                if wanted >> place & 1:
                    return True
                place += step
        return False

    def _in_company(self, mask: int) -> bool:
        """Whether something sure stands in the clause of a slip of the pen, which is no evidence by itself."""
        return any(clause & mask and clause & self.lattice.game for clause in self.clauses)

    def _only_counted(self, mention: Mention, edge: Edge) -> bool:
        """Whether a number stands for what is only numbered by it: by itself it would be one of the menu."""
        return (
            edge.end - edge.start == 1
            and self.lattice.tokens[edge.start].is_number
            and not mention.name.isdigit()
        )

    # -- yes and no --------------------------------------------------------------------------------------------

    def _said_no(self, decision: Decision, used: int, meant: int, verbs: frozenset[str]) -> Iterator[Reading]:
        """`no`, alone or with what is declined: `no minion`, `not paying`, `discard nothing`."""
        declining = decision.option(DONE) or decision.decline
        if declining is None or declining.text == END:
            return
        for edge in self.lattice.said[NO]:
            if edge.mask & used:
                continue
            mask = self._absorbed(edge.mask, used, Phrase("", ()), declining, verbs, 0, decision)
            if not self._goes_on(mask, meant, edge.end):
                cost = NO_GAIN if decision.auto not in (None, declining) else 0.0
                yield Reading(declining, mask, cost + 0.25 + self._spread(mask, used, meant))

    def _goes_on(self, mask: int, meant: int, place: int) -> bool:
        """Whether something else follows at once, so that it is that which is not to be: `not 3`."""
        while place < len(self.lattice.tokens) and not self.lattice.tokens[place].is_mark:
            if self.lattice.texts[place] in ("and", "then", "but"):
                return False
            if (meant & ~mask) >> place & 1:
                return True
            place += 1
        return False

    def _said_yes(self, decision: Decision, used: int, meant: int) -> Iterator[Reading]:
        """`yes` to a question with two answers."""
        declining = decision.decline
        if declining is None or declining.text == END or len(decision.options) != 2:
            return
        accepting = next(option for option in decision.options if option is not declining)
        phrase = self.lattice.lexicon.phrase(accepting.text)
        for edge in (*self.lattice.said[YES], *self._amounts(decision)):
            if not edge.mask & used and not meant & used >> edge.end << edge.end:
                mask = self._absorbed(
                    edge.mask, used, phrase, accepting, frozenset((phrase.verb,)), 0, decision
                )
                yield Reading(accepting, mask, 0.25 + self._spread(mask, used, meant))

    def _amounts(self, decision: Decision) -> list[Edge]:
        """The amount of money that a question is about: `here's 5 bucks`."""
        amounts = {f"${fact}" for fact in decision.facts.values() if isinstance(fact, int)}
        return [
            edge
            for amount in amounts
            for edge in self._literal(amount)
            if self.lattice.texts[edge.start][0] == "$"
        ]

    # -- what stands beside --------------------------------------------------------------------------------------

    def _verbs(self, decision: Decision) -> frozenset[str]:
        """The verbs of a decision's options."""
        kinds = {
            spelling.value
            for _, spelling in self.lattice.lexicon.at((decision.kind,), 0)
            if spelling.sort != "name"
        }
        return frozenset(
            self.lattice.lexicon.phrase(option.text).verb for option in decision.options
        ) | kinds - {""}

    def _things(self, decision: Decision) -> int:
        """Nouns that some options have themselves in place of a name: `protect building` is not `protect Red`."""
        mask = 0
        for option in decision.options:
            for mention in self.lattice.lexicon.phrase(option.text).mentions:
                if not mention.kind:
                    for edge in self._literal(mention.name):
                        mask |= edge.mask
        return mask

    def _absorbed(
        self,
        mask: int,
        used: int,
        phrase: Phrase,
        option: Option,
        verbs: frozenset[str] | None,
        things: int,
        decision: Decision,
    ) -> int:
        """The words of an option with the nouns, pronouns, parts of its names and amounts beside them."""
        lattice = self.lattice
        beside = (lattice.nouns.get(phrase.verb, 0) | lattice.nouns.get("", 0)) & ~things
        names = 0
        for mention in phrase.mentions:
            for edge in lattice.names.get(mention.name, ()):
                if edge.cost:  # a part of a name just used, and not the name once more
                    names |= edge.mask
        for edge in lattice.menu.get(option.text, ()):
            beside |= edge.mask
        for edge in (*lattice.said["mine"], *lattice.said["person"]):
            beside |= edge.mask
        for fact in decision.facts.values():
            if isinstance(fact, int):
                for edge in self._literal(f"${fact}"):
                    beside |= edge.mask
        symbol = str(decision.facts.get("symbol", ""))
        for edge in lattice.verbs.get(symbol, ()):
            beside |= edge.mask
        for verb in verbs or ():
            beside |= lattice.nouns.get(verb, 0)
            for edge in (
                *lattice.verbs.get(verb, ()),
                *lattice.deeds.get(str(decision.facts.get("card", "")), ()),
            ):
                beside |= edge.mask
        if verbs is not None:
            for edge in (*lattice.said[NO], *lattice.said[YES]):
                beside |= edge.mask
        light = lattice.speech["function"] | lattice.speech["social"]
        for step, place in ((-1, mask.bit_length() - 1), (1, (mask & -mask).bit_length() - 1)):
            crossed = False
            place += step
            while 0 <= place < len(lattice.tokens):
                bit = 1 << place
                text = lattice.texts[place]
                if mask & bit:
                    pass
                elif used & bit or text in SENTENCE_MARKS:
                    break
                elif names & bit or (beside & bit and not crossed):
                    mask |= bit
                elif lattice.tokens[place].is_mark or text in ("and", "then"):
                    crossed = True
                elif not (light & bit or lattice.tokens[place].spelt or (text == "1" and not lattice.menu)):
                    break
                place += step
        return mask

    def _spread(self, mask: int, used: int, meant: int) -> float:
        """What it costs that words stand apart, or behind others that are still unused."""
        low, high = (mask & -mask).bit_length() - 1, mask.bit_length()
        between = ((1 << high) - 1) & ~((1 << low) - 1) & ~mask
        cost = (
            STRANGER * (between & meant & ~used).bit_count()
            + STRANGER / 2 * (between & meant & used).bit_count()
        )
        for place in range(low, high):
            if between >> place & 1 and self.lattice.tokens[place].is_mark:
                cost += MARK if self.lattice.texts[place] in SENTENCE_MARKS else COMMA
        if meant & ~used & ((1 << low) - 1):
            cost += LEFT_BEHIND
        return cost


def _unused(edges: Iterable[Edge], used: int) -> list[Edge]:
    """The first of some words that are not used yet."""
    return [edge for edge in edges if not edge.mask & used][:MOST_EDGES]


def _edges(mask: int) -> list[Edge]:
    """The first of some words, each by itself."""
    places = [place for place in range(mask.bit_length()) if mask >> place & 1]
    return [Edge(1 << place, place, place + 1, 0.0) for place in places[:MOST_EDGES]]


def _orders(mentions: tuple[Mention, ...]) -> Iterator[tuple[int, tuple[Mention, ...]]]:
    """An option's names as they stand, and exchanged about a `with`: a swap reads the same both ways."""
    yield 0, mentions
    for place, mention in enumerate(mentions):
        if mention.role == "with" and 2 * place == len(mentions):
            first, second = mentions[:place], mentions[place:]
            first, second = (
                (second[0]._replace(role=first[0].role), *second[1:]),
                (first[0]._replace(role="with"), *first[1:]),
            )
            yield 1, (*first, *second)


def _role_cost(role: str, mention: Mention, mentions: Sequence[Mention]) -> float | None:
    """How badly what a small word says fits a name of an option; None when it does not."""
    if not role or role == mention.role:
        return 0.0
    if f"{role} {mention.role}" in NEARLY:
        return NEAR_ROLE
    if not mention.role:
        taken = any(other.role == role and other.kind == mention.kind for other in mentions)
        return None if taken or role == "instead" else NEAR_ROLE
    return None


def _in_order(way: Way, mention: Mention, edge: Edge) -> bool:
    """Whether a name may stand where it does: of two of a kind the first is meant first, unless their roles tell."""
    for other, before in way.places:
        if other.kind != mention.kind or before.start < edge.start:
            continue
        told = (edge.role and edge.role == mention.role and edge.role != other.role) or (
            before.role and before.role == other.role and before.role != mention.role
        )
        if not told:
            return False
    return True
