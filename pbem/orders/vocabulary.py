"""A game's vocabulary, prepared for looking up what people write: exact names, abbreviations, likely typos."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.orders.words import key
from pbem.protocol import Vocabulary

K = TypeVar("K")
V = TypeVar("V")

#: What a small word before a name says about it.
ROLES = {
    "in": "in",
    "at": "in",
    "on": "in",
    "inside": "in",
    "near": "in",
    "by": "in",
    "from": "from",
    "off": "from",
    "out": "from",
    "to": "to",
    "into": "to",
    "onto": "to",
    "towards": "to",
    "toward": "to",
    "with": "with",
    "for": "with",
    "against": "with",
    "and": "with",
    "instead": "instead",
    "replacing": "instead",
}

#: The shortest text that is compared for typos, and the shortest abbreviation that needs no second thought.
SHORTEST_TYPO = 4
SHORTEST_ABBREVIATION = 3

#: How many look-ups are remembered before the memory is emptied.
REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in an order text, with what the small word before it says."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Parts:
    """An option's text, taken apart."""

    verb: str
    mentions: tuple[Mention, ...]


def slips(length: int) -> int:
    """How many slips of the pen a text of this length may hold and still be recognised."""
    if length < SHORTEST_TYPO:
        return 0
    return 1 if length <= 5 else 2 if length <= 9 else 3


class Lexicon:
    """Every verb and name of a game, and the ways people write them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.canonical_verbs = {key(verb): verb for verb in vocabulary.verbs}
        self.infix = frozenset(vocabulary.infix)
        self.alone = vocabulary.alone
        self.fillers = frozenset(word for filler in vocabulary.fillers for word in key(filler))
        self.things = vocabulary.things
        self.verbs = _gathered(
            (key(phrase), verb)
            for verb, others in vocabulary.verbs.items()
            for phrase in (verb, *others)
            if key(phrase)
        )
        self.longest_verb = max(map(len, self.verbs), default=1)
        spellings = [
            (key(spelling), name, kind)
            for kind, names in vocabulary.names.items()
            for name, aliases in names.items()
            for spelling in (name, *aliases)
        ]
        self.kinds = {
            name: frozenset(kinds) for name, kinds in _gathered((n, k) for _, n, k in spellings).items()
        }
        self.names = _gathered((words, name) for words, name, _ in spellings)
        self.longest_name = max(map(len, self.names), default=1) + 1
        self.squeezed = _gathered(("".join(words), name) for words, name, _ in spellings)
        for words, name, _ in spellings:
            if len(words) == 1:  # Red's, the Reds
                self.squeezed.setdefault(words[0] + "s", (name,))
        self._spelled = _gathered(
            (text, name)
            for words, name, _ in spellings
            for text in ("".join(words), *words)
            if len(text) >= SHORTEST_TYPO
        )
        #: The same for what is written in several words.
        self._spelled_apart = _gathered(
            ("".join(words), name) for words, name, _ in spellings if len(words) > 1
        )
        self._words = {name: [w for w, n, _ in spellings if n == name] for name in self.kinds}
        starts: defaultdict[str, set[str]] = defaultdict(set)
        for words, name, _ in spellings:
            for word in words:
                for length in range(1, len(word) + 1):
                    starts[word[:length]].add(name)
        self._starts = dict(starts)
        self._parts: dict[str, Parts] = {}
        self._short: dict[tuple[str, ...], frozenset[str]] = {}
        self._typos: dict[tuple[str, ...], Mapping[str, int]] = {}

    def is_noun(self, word: str) -> bool:
        """Whether a word says what an order is about, without a name: a filler, or a verb that takes a name."""
        verbs = self.verbs.get((word,), ())
        return word in self.fillers or (bool(verbs) and self.alone.isdisjoint(verbs))

    def verb_at(self, words: tuple[str, ...], start: int) -> list[tuple[int, tuple[str, ...]]]:
        """The verbs that begin at a word: where each ends and what it may mean, the longest first."""
        found = []
        for length in range(min(self.longest_verb, len(words) - start), 0, -1):
            verbs = self.verbs.get(words[start : start + length])
            if verbs:
                found.append((start + length, verbs))
        return found

    def misspelt_verb(self, word: str) -> tuple[str, ...]:
        """The verbs that a word may be a slip for; several only when they share a spelling."""
        near = self.near_verbs(word)
        return near[0] if len(near) == 1 else ()

    def near_verbs(self, word: str) -> list[tuple[str, ...]]:
        """The verbs that a word is nearest to, within a slip or two, by the spellings that they share."""
        near: dict[tuple[str, ...], int] = {}
        allowed = 1 if len(word) == SHORTEST_TYPO - 1 else min(2, slips(len(word)))
        for spelled, verbs in self.verbs.items():
            if len(spelled) == 1 and allowed:
                distance = OSA.distance(word, spelled[0], score_cutoff=2)
                if distance <= min(allowed, slips(len(spelled[0]))):
                    near[verbs] = min(near.get(verbs, 2), distance)
        return [verbs for verbs, distance in near.items() if distance == min(near.values())]

    def exact(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The names written so, run together or apart."""
        return self.names.get(words) or self.squeezed.get("".join(words), ())

    def abbreviated(self, words: tuple[str, ...]) -> frozenset[str]:
        """The names of which these words, each perhaps cut short, are a part, in their order."""
        if words in self._short:
            return self._short[words]
        _trim(self._short)
        candidates = [self._starts.get(word, set()) for word in words]
        names = set.intersection(*candidates) if candidates else set()
        if len(words) > 1:
            names = {name for name in names if any(_runs_in(words, full) for full in self._words[name])}
        self._short[words] = frozenset(names)
        return self._short[words]

    def misspelt(self, words: tuple[str, ...]) -> Mapping[str, int]:
        """The names that these words may be a slip for, with the number of slips."""
        text = "".join(words)
        if words in self._typos:
            return self._typos[words]
        _trim(self._typos)
        spellings = self._spelled if len(words) == 1 else self._spelled_apart
        near: dict[str, int] = {}
        allowed = slips(len(text)) if text.isalpha() else 0
        if allowed:
            for spelled, distance, _ in process.extract(
                text, spellings.keys(), scorer=OSA.distance, score_cutoff=allowed, limit=None
            ):
                if distance <= slips(len(spelled)):
                    for name in spellings[spelled]:
                        near[name] = min(near.get(name, allowed), int(distance))
        self._typos[words] = near
        return near

    def parts(self, text: str) -> Parts:
        """An option's text, taken apart."""
        parts = self._parts.get(text)
        if parts is None:
            _trim(self._parts)
            parts = self._parts[text] = self._take_apart(key(text))
        return parts

    def _take_apart(self, words: tuple[str, ...]) -> Parts:
        for length in range(min(self.longest_verb, len(words)), 0, -1):
            if words[:length] in self.canonical_verbs:
                return Parts(self.canonical_verbs[words[:length]], tuple(self._mentions(words[length:])))
        for place, word in enumerate(words):
            verb = self.canonical_verbs.get((word,))
            if verb in self.infix:
                around = [*self._mentions(words[:place]), *self._mentions(words[place + 1 :])]
                return Parts(verb, tuple(around))
        return Parts("", tuple(self._mentions(words)))

    def _mentions(self, words: tuple[str, ...]) -> Iterable[Mention]:
        role = ""
        place = 0
        while place < len(words):
            for end in range(len(words), place, -1):
                if words[place:end] in self.names:
                    yield Mention(self.names[words[place:end]][0], role)
                    break
            else:
                end = place + 1
                if words[place] in ROLES:
                    role = ROLES[words[place]]
                    place = end
                    continue
                yield Mention(words[place], role)
            role = ""
            place = end


def lexicon(vocabulary: Vocabulary) -> Lexicon:
    """The lexicon of a vocabulary, made once."""
    known = _LEXICONS.get(id(vocabulary))
    if known is None or known[0] is not vocabulary:
        if len(_LEXICONS) >= 16:
            _LEXICONS.clear()
        known = _LEXICONS[id(vocabulary)] = (vocabulary, Lexicon(vocabulary))
    return known[1]


#: By the identity of the vocabulary, which is kept beside it so that the identity stays its own.
_LEXICONS: dict[int, tuple[Vocabulary, Lexicon]] = {}


def _gathered(pairs: Iterable[tuple[K, str]]) -> dict[K, tuple[str, ...]]:
    found: dict[K, dict[str, None]] = {}
    for left, right in pairs:
        found.setdefault(left, {})[right] = None
    return {left: tuple(rights) for left, rights in found.items()}


def _runs_in(words: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Whether each word begins one of the full words, in the same order."""
    rest = iter(full)
    return all(any(candidate.startswith(word) for candidate in rest) for word in words)


def _trim(memory: dict[K, V]) -> None:
    if len(memory) >= REMEMBERED:
        memory.clear()
