"""The ways in which words say one option: its verb, its names, and what may stand for them, whatever else they may say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pbem.orders.lattice import Edge, Lattice
from pbem.orders.lexicon import SHORT, SLIP, Mention, Phrase
from pbem.protocol import Option

#: What it costs when a noun stands for the verb, a name is not said, a role is only near.
NOUN_ONLY, MISSING, NEAR_ROLE = 0.25, 3.0, 0.25
#: Ways to read one option that are kept, and places where one word is looked for.
MOST_WAYS, MOST_EDGES = 6, 4
#: Roles that a name without one in an option's text may have.
TOWARDS = ("to", "in")
#: Roles that say nothing by themselves.
BARE_ROLES = ("", "and")
#: Roles that mean nearly the same: what was said, and what the option says.
NEARLY = frozenset(("from in", "in from", "in to", "to in", "to with", "in instead", "with in"))
#: Words on which an order may end.
JOINTS = ("and", "then", "but")


class Way(NamedTuple):
    """One way in which words say an option, whatever else they may say."""

    mask: int
    cost: float
    #: Whether only slips of the pen speak for it.
    weak: bool = True
    #: Names that are left out, and names where they stand.
    missing: tuple[Mention, ...] = ()
    places: tuple[tuple[Mention, Edge], ...] = ()
    #: Whether pronouns stand for names, and whether the verb is said.
    pronouns: bool = False
    verb: bool = False


class Ways:
    """The ways in which the words of a mail say options, wherever they stand; each is found once."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        #: How often an option was taken apart.
        self.work = 0
        self._known: dict[tuple[str, str, frozenset[str], int], list[Way]] = {}
        self._relevant: dict[tuple[str, str, frozenset[str]], int] = {}
        self._literals: dict[str, list[Edge]] = {}

    def of(self, option: Option, owner: str, used: int, meant: int, recalled: frozenset[str]) -> list[Way]:
        """The ways to say an option with unused words; `recalled` are the names that pronouns may stand for."""
        phrase = self.lattice.lexicon.phrase(option.text)
        recalled = recalled.intersection(mention.name for mention in phrase.mentions) if recalled else recalled
        about = (option.text, owner, recalled)
        relevant = self._relevant.get(about)
        if relevant is None:
            relevant = self._relevant[about] = self.about(option, phrase, owner, recalled)
        if not relevant & ~used & meant:
            return []
        ways = self._known.get((*about, relevant & used))
        if ways is None:
            self.work += 1
            ways = self._known[(*about, relevant & used)] = self._ways_of(option, phrase, owner, used, recalled)
        return ways

    def about(self, option: Option, phrase: Phrase, owner: str, recalled: frozenset[str]) -> int:
        """All words that may be part of a way to say an option."""
        lattice = self.lattice
        mask = lattice.nouns.get(phrase.verb, 0) | covered(lattice.verbs.get(phrase.verb, ()))
        mask |= covered(self._deeds(option, owner)) | covered(lattice.menu.get(option.text, ()))
        for mention in phrase.mentions:
            mask |= covered(lattice.names.get(mention.name, ()) if mention.kind else self.literal(mention.name))
            mask |= lattice.union("mine") if mention.name == lattice.me else 0
        return mask | (lattice.union("person") | lattice.union("place") if recalled else 0)

    def _deeds(self, option: Option, owner: str) -> list[Edge]:
        """The words for what an option does: the deeds of the card that asks, and its own power."""
        return [*self.lattice.deeds.get(owner, ()), *self.lattice.powers.get(option.text, ())]

    def _ways_of(self, option: Option, phrase: Phrase, owner: str, used: int, recalled: frozenset[str]) -> list[Way]:
        lattice = self.lattice
        verbs = _unused((*lattice.verbs.get(phrase.verb, ()), *self._deeds(option, owner)), used)
        ways = []
        for number in _unused(lattice.menu.get(option.text, ()), used):
            ways.append(Way(number.mask, 0.0, False))
            before = [verb for verb in verbs if verb.end <= number.start <= verb.end + 1]
            ways += [Way(number.mask | verb.mask, 0.0, False, verb=True) for verb in before]
        named = [way for turned in _orders(phrase.mentions) for way in self._named(turned, used, recalled)]
        ways += [way for way in named if way.places or way.pronouns]
        nouns = lattice.nouns.get(phrase.verb, 0) & ~used & ~covered(verbs)
        slips = nouns & lattice.weak
        for verb in (*verbs, *_edges(nouns & ~slips, NOUN_ONLY), *_edges(slips, NOUN_ONLY + SLIP)):
            for way in named:
                apart = verb.cost in (NOUN_ONLY, NOUN_ONLY + SLIP) and self._joint(verb.mask | way.mask)
                if not verb.mask & way.mask and not apart:
                    weak = way.weak and verb.cost >= SHORT and not way.places
                    mask, cost = way.mask | verb.mask, way.cost + verb.cost
                    ways.append(way._replace(mask=mask, cost=cost, weak=weak, verb=True))
        best: dict[int, Way] = {}
        for way in sorted(ways, key=lambda way: way.cost):
            if way.mask:
                best.setdefault(way.mask, way)
        return list(best.values())[: 2 * MOST_WAYS]

    def _joint(self, mask: int) -> bool:
        """Whether an `and` stands between words: `my guys and the building` are two things."""
        places = range((mask & -mask).bit_length(), mask.bit_length() - 1)
        return any(self.lattice.texts[place] in JOINTS and not mask >> place & 1 for place in places)

    def _named(self, turned: tuple[float, tuple[Mention, ...]], used: int, recalled: frozenset[str]) -> list[Way]:
        """The ways in which the names of an option may be said, left out ones included."""
        cost, mentions = turned
        ways = [Way(0, cost)]
        for mention in mentions:
            edges = _unused(
                self.lattice.names.get(mention.name, ()) if mention.kind else self.literal(mention.name), used
            )
            if mention.name == self.lattice.me:
                edges += _unused(self.lattice.said["mine"], used)
            pronoun = "person" if mention.kind == "colour" else "place"
            pronouns = _unused(self.lattice.said[pronoun], used) if mention.name in recalled else []
            ways = [longer for way in ways for longer in _with(way, mention, mentions, edges, pronouns)]
            ways = sorted(ways, key=lambda way: way.cost)[:MOST_WAYS]
        return ways

    def literal(self, text: str) -> list[Edge]:
        """Where a word stands that an option has itself, or an amount."""
        if text not in self._literals:
            words = self.lattice.lexicon.alike.get(text) or {text, text.removeprefix("$")}
            self._literals[text] = [
                Edge(1 << place, place, place + 1, 0.0)
                for place, word in enumerate(self.lattice.texts)
                if word in words
            ]
        return self._literals[text]


def covered(edges: Iterable[Edge]) -> int:
    """All words of some edges."""
    mask = 0
    for edge in edges:
        mask |= edge.mask
    return mask


def _unused(edges: Iterable[Edge], used: int) -> list[Edge]:
    """The first of some words that are not used yet."""
    return [edge for edge in edges if not edge.mask & used][:MOST_EDGES]


def _edges(mask: int, cost: float) -> list[Edge]:
    """The first of some words, each by itself."""
    places = [place for place in range(mask.bit_length()) if mask >> place & 1]
    return [Edge(1 << place, place, place + 1, cost) for place in places[:MOST_EDGES]]


def _orders(mentions: tuple[Mention, ...]) -> Iterator[tuple[float, tuple[Mention, ...]]]:
    """An option's names as they stand, and exchanged about a `with`: a swap reads the same both ways."""
    yield 0.0, mentions
    half = len(mentions) // 2
    if half and mentions[half].role == "with" and 2 * half == len(mentions):
        first, second = mentions[:half], mentions[half:]
        turned = (second[0]._replace(role=first[0].role), *second[1:], first[0]._replace(role="with"), *first[1:])
        yield NEAR_ROLE, turned


def _with(
    way: Way, mention: Mention, mentions: Sequence[Mention], edges: Sequence[Edge], pronouns: Sequence[Edge]
) -> Iterator[Way]:
    """A way with one more name: said, meant by a pronoun, or left out."""
    for edge in edges:
        fit = None if way.mask & edge.mask else _role_cost(edge.role, mention, mentions)
        if fit is None or not _in_order(way, mention, edge):
            continue
        yield Way(
            way.mask | edge.mask,
            way.cost + edge.cost + fit,
            way.weak and edge.cost >= SHORT,
            way.missing,
            (*way.places, (mention, edge)),
            way.pronouns,
        )
    for edge in pronouns:
        if not way.mask & edge.mask:
            yield way._replace(mask=way.mask | edge.mask, cost=way.cost + edge.cost, pronouns=True)
    yield way._replace(cost=way.cost + MISSING, missing=(*way.missing, mention))


def _role_cost(role: str, mention: Mention, mentions: Sequence[Mention]) -> float | None:
    """How badly what a small word says fits a name of an option; None when it does not."""
    if role in BARE_ROLES or role == mention.role:
        return 0.0
    if f"{role} {mention.role}" in NEARLY:
        return NEAR_ROLE
    if not mention.role and role != "instead":
        taken = any(other.role == role and other.kind == mention.kind for other in mentions)
        return None if taken else NEAR_ROLE
    return None


def _in_order(way: Way, mention: Mention, edge: Edge) -> bool:
    """Whether a name may stand where it does: of two of a kind the first is meant first, unless their roles tell."""
    for other, before in way.places:
        if other.kind == mention.kind and before.start > edge.start:
            told = edge.role and edge.role == mention.role != other.role
            aimed = before.role in TOWARDS and not other.role and mention.role == "from"  # `Longwall to Dimwell`
            if not (told or aimed) and not (before.role and before.role == other.role != mention.role):
                return False
    return True
