"""Full-text search over what may be looked up: SQLite's FTS5 in memory, which stems the words; how well a text fits is
judged by how much of the question it explains, and how much of itself is asked for."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from math import log
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.orders.lexicon import slips
from pbem.protocol import Entry
from pbem.questions.words import Synonyms, data, spoken

#: What a word counts that says little, such as `does`, beside one that says something.
LITTLE = 0.2
#: What the best of an entry's titles counts, all of its titles, and its text.
ONE_TITLE, ALL_TITLES, TEXT = 1.0, 0.3, 0.3
#: What a title counts besides that is asked for word by word, and little else.
EXACT = 0.5
#: How much the words that are asked for weigh against those of the title that are not.
ASKED, UNASKED = 0.7, 0.6
#: What a word counts of a sentence that asks nothing, beside one that asks.
ASIDE = 0.5
#: What a rule or a thing counts beside an answer to a question.
NO_ANSWER = 0.85
#: How many answers about something else have a word in their titles that is common.
COMMON = 3
#: The shortest word without its ending.
SHORTEST_STEM = 3
#: The shortest word that is put right.
SHORTEST_TYPO = 5


class Hit(NamedTuple):
    """An entry that has words of a question."""

    entry: Entry
    #: How well it fits; about 1.8 for one that is asked for word by word.
    score: float


def stem(word: str) -> str:
    """A word without the commonest endings of English, for telling names from other words."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            return word.removesuffix(ending)
    return word


class Index:
    """Entries, searched by the words of a question."""

    def __init__(self, entries: Sequence[Entry], synonyms: Synonyms) -> None:
        self.entries = entries
        self._synonyms = synonyms
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute("CREATE VIRTUAL TABLE texts USING fts5(words, tokenize='porter')")
        self._db.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(texts, instance)")
        #: The entry of each text, and whether it is a title.
        self._of: list[tuple[int, bool]] = []
        #: Words as they are written, for putting others right, with how often.
        self._written: defaultdict[str, int] = defaultdict(int)
        self._little = {word for words in data("stop").values() for word in words}
        for number, entry in enumerate(entries):
            for title in (entry.title, *entry.titles):
                self._add(number, title, True)
            self._add(number, entry.text, False)
        #: Words that titles of answers write small, so that they are no names there -> those answers.
        self._small: defaultdict[str, set[int]] = defaultdict(set)
        for number, entry in enumerate(entries):
            for title in (entry.title, *entry.titles) if entry.answers else ():
                for word in spoken(" ".join(word for word in title.split() if word[0].islower())):
                    self._small[stem(word)].add(number)
        self._all = list(self._written)
        self._mass = [0.0] * len(self._of)
        self._weights: dict[str, tuple[float, list[int]]] = {}
        self._weigh()

    def _add(self, entry: int, text: str, title: bool) -> None:
        words = self._synonyms.of(spoken(text))
        for word in words:
            self._written[word] += 1
        self._db.execute("INSERT INTO texts(rowid, words) VALUES (?, ?)", (len(self._of), " ".join(words)))
        self._of.append((entry, title))

    def _weigh(self) -> None:
        """How much each word says, and how much each text holds."""
        for word in self._written:
            weight, places = self._looked_up(word)
            self._weights[word] = (weight, places)
        for text, (words,) in enumerate(self._db.execute("SELECT words FROM texts ORDER BY rowid")):
            self._mass[text] = sum(self._weights[word][0] for word in dict.fromkeys(words.split()))

    def _looked_up(self, word: str) -> tuple[float, list[int]]:
        """The weight of a word, and the texts that have it in any form."""
        rows = self._db.execute("SELECT rowid FROM texts WHERE texts MATCH ?", (f'"{word}"',))
        places = [text for (text,) in rows]
        known = len({self._of[text][0] for text in places})
        light = LITTLE if word in self._little or not places else 1.0
        return log(1 + len(self.entries) / (known + 0.5)) * light, places

    def is_written(self, word: str) -> bool:
        """Whether a word stands in an entry, in any form, or says little, or means one that does."""
        return word in self._little or self._synonyms.knows(word) or bool(self._weight(word)[1])

    def knows(self, word: str) -> bool:
        """Whether any entry has a word, and it says something."""
        return word not in self._little and bool(self._weight(word)[1])

    def is_common(self, word: str, ids: Set[str]) -> bool:
        """Whether a word is said in questions about other things than those with these ids."""
        if word in self._little or self._synonyms.knows(word):
            return True
        others = self._small.get(stem(word), ())
        return sum(ids.isdisjoint((self.entries[n].id, *self.entries[n].rests_on)) for n in others) >= COMMON

    def is_rare(self, word: str) -> bool:
        """Whether hardly any entry has a word."""
        return len({self._of[text][0] for text in self._weight(word)[1]}) <= COMMON

    def _weight(self, word: str) -> tuple[float, list[int]]:
        return self._weights[word] if word in self._weights else self._looked_up(word)

    def put_right(self, word: str) -> str:
        """A word that no entry has, as one that is written almost like it; itself when there is none."""
        if len(word) < SHORTEST_TYPO or not word.isalpha() or word in self._little or self._weight(word)[1]:
            return word
        near = process.extract(word, self._all, scorer=OSA.distance, score_cutoff=slips(len(word)) - 1 or 1)
        alike = [(distance, -self._written[other], other) for other, distance, _ in near if other[0] == word[0]]
        return min(alike)[2] if alike else word

    def search(self, words: Sequence[str], aside: Sequence[str] = ()) -> Iterator[Hit]:
        """The entries that have some of the words, the best first; those said aside count less."""
        asked = {word: self._weight(word) for word in dict.fromkeys(words)}
        for word in aside:
            weight, places = self._weight(word)
            asked.setdefault(word, (ASIDE * weight, places))
        whole = sum(weight for weight, _ in asked.values()) or 1.0
        fits: defaultdict[int, float] = defaultdict(float)
        titles: defaultdict[int, float] = defaultdict(float)
        for weight, places in asked.values():
            for text in places:
                fits[text] += weight
            for entry in {self._of[text][0] for text in places if self._of[text][1]}:
                titles[entry] += weight
        best: defaultdict[int, float] = defaultdict(float)
        scores = {entry: ALL_TITLES * weight / whole for entry, weight in titles.items()}
        for text, weight in fits.items():
            entry, title = self._of[text]
            if title:
                best[entry] = max(best[entry], (weight / whole) ** ASKED * (weight / self._mass[text]) ** UNASKED)
            else:
                scores[entry] = scores.get(entry, 0.0) + TEXT * weight / whole
        for entry, fit in best.items():
            scores[entry] += ONE_TITLE * fit + EXACT * fit**4
        hits = [
            Hit(self.entries[entry], score * (1 if self.entries[entry].answers else NO_ANSWER))
            for entry, score in scores.items()
        ]
        return iter(sorted(hits, key=lambda hit: -hit.score))
