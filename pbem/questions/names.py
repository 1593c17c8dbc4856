"""The names in a question: everything of a game that has one, by its name, a part of it, an alias, or a slip of the pen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence, Set
from typing import NamedTuple

from pbem.orders.lexicon import FULL, SLIP, Lexicon, Spelling
from pbem.protocol import Entry, Vocabulary
from pbem.questions.speech import is_everyday

#: How many things a part of a name may stand for before it says nothing.
MOST_MEANT = 3
#: The shortest word that may be a slip of the pen for a name.
SHORTEST_SLIP = 5
#: The shortest word that may be two slips of the pen away from a name.
LONG_SLIP = 8


class Named(NamedTuple):
    """Some words of a question that name something."""

    #: What they may stand for.
    entries: tuple[Entry, ...]
    #: Whether they can hardly be anything else: a name in full, several words of it, or a word of no other meaning.
    sure: bool
    #: Where they stand.
    start: int
    end: int

    def moved(self, places: int) -> Named:
        """The same, so many words further on."""
        return self._replace(start=self.start + places, end=self.end + places)


class Names:
    """The names of a game's entries."""

    def __init__(
        self, entries: Sequence[Entry], common: Callable[[str, Set[str]], bool], known: Callable[[str], bool]
    ) -> None:
        """`common` says whether a word is said of other things than those with some ids, `known` whether anywhere."""
        self._common = common
        self._known = known
        self._entries: defaultdict[str, list[Entry]] = defaultdict(list)
        names: defaultdict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
        for entry in entries:
            if not entry.answers and entry.kind not in ("rule", "procedure"):
                names[entry.kind][entry.title] = entry.titles
                self._entries[entry.title].append(entry)
        #: The kinds of things that have names.
        self.kinds = frozenset(names)
        self._lexicon = Lexicon(Vocabulary(verbs={}, names=names))

    def within(self, words: Sequence[str]) -> list[Named]:
        """The names in some words, in the order said; of those that overlap the longest."""
        named: list[Named] = []
        place = 0
        while place < len(words):
            found = self._at(words, place)
            if found:
                named.append(found)
            place = found.end if found else place + 1
        return named

    def all_called(self, words: Sequence[str]) -> tuple[Entry, ...]:
        """Everything that some words may be the whole name of, a part of it, or a slip of the pen for."""
        spelled = [spelling for end, spelling in self._lexicon.at(words, 0) if end == len(words)] if words else []
        if not spelled and len(words) == 1 and not self._known(words[0]):
            spelled = self._lexicon.near(words[0])
        return self._meant(spelled)

    def _at(self, words: Sequence[str], place: int) -> Named | None:
        spelled = [
            (end, spelling)
            for end, spelling in self._lexicon.at(words, place)
            if end > place + 1 or not words[place].isdigit()
        ]
        if not spelled:
            return self._mistyped(words, place)
        longest = max(end for end, _ in spelled)
        there = [spelling for end, spelling in spelled if end == longest]
        least = min(spelling.cost for spelling in there)
        entries = self._meant([spelling for spelling in there if spelling.cost == least])
        alone = longest == place + 1
        if alone and least > FULL and is_everyday(words[place]):
            return None
        ids = {entry.id for entry in entries}
        sure = not alone or not (is_everyday(words[place]) or self._common(words[place], ids))
        if len(entries) > MOST_MEANT or not (sure or least == FULL):
            return None
        return Named(entries, sure, place, longest)

    def _mistyped(self, words: Sequence[str], place: int) -> Named | None:
        word = words[place]
        if len(word) < SHORTEST_SLIP or self._known(word):
            return None
        near = self._lexicon.near(word)
        if len(word) < LONG_SLIP:
            near = [spelling for spelling in near if spelling.cost <= SLIP + 1]
        entries = self._meant(near)
        return Named(entries, True, place, place + 1) if 0 < len(entries) <= MOST_MEANT else None

    def _meant(self, spellings: Sequence[Spelling]) -> tuple[Entry, ...]:
        return tuple(entry for value in dict.fromkeys(s.value for s in spellings) for entry in self._entries[value])
