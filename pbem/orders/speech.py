"""What words of everyday speech say about an order, by language: `data/*.txt`, a line for each language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.orders.words import key

#: Kinds of speech. Where a phrase is of several, the first counts.
KINDS = ("please", "closing", "social", "doubt", "function", "time", "neutral", "topics")


#: The shortest word that may be mistyped.
SHORTEST = 4


class Spoken(NamedTuple):
    """A phrase of everyday speech in a mail."""

    kind: str
    #: How many words it has.
    length: int


class Phrases:
    """Phrases by their first word, the longest first."""

    def __init__(self) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}

    def add(self, phrase: tuple[str, ...], meaning: str) -> None:
        """Take a phrase in; of two that are alike the earlier stays."""
        if phrase:
            listed = self._by_first.setdefault(phrase[0], [])
            if all(other != phrase for other, _ in listed):
                listed.append((phrase, meaning))
                listed.sort(key=lambda entry: -len(entry[0]))

    def at(self, texts: Sequence[str], place: int) -> Spoken | None:
        """The longest phrase that begins at a word."""
        for phrase, meaning in self._by_first.get(texts[place], ()):
            if tuple(texts[place : place + len(phrase)]) == phrase:
                return Spoken(meaning, len(phrase))
        return None


def lines(name: str) -> list[tuple[list[str], list[str]]]:
    """Of each line of a data file, the words before the colon and the phrases behind it."""
    text = (files("pbem.orders") / "data" / f"{name}.txt").read_text(encoding="utf-8")
    rows = [line.partition(":") for line in text.splitlines() if line and line[0] != "#"]
    return [(head.split(), phrases.split(",")) for head, _, phrases in rows]


@lru_cache(maxsize=1)
def everyday() -> Phrases:
    """All of everyday speech; a line of doubt is of the kind that it names."""
    phrases = Phrases()
    for kind in KINDS:
        for head, listed in lines(kind):
            for phrase in listed:
                phrases.add(key(phrase), head[0] if kind == "doubt" else kind)
    return phrases


@lru_cache(maxsize=1)
def _light() -> list[str]:
    words = {
        key(phrase)
        for kind in ("please", "function")
        for head, listed in lines(kind)
        for phrase in listed
        if head == ["en"]
    }
    return sorted(word[0] for word in words if len(word) == 1 and len(word[0]) >= SHORTEST)


@lru_cache(maxsize=4096)
def is_light_slip(text: str) -> bool:
    """Whether a word is one slip of the pen away from one that says nothing by itself: `wuld`."""
    return len(text) >= SHORTEST and bool(process.extractOne(text, _light(), scorer=OSA.distance, score_cutoff=1))


@lru_cache(maxsize=4)
def answers(kind: str) -> Phrases:
    """The phrases for `yes`, `no` or `end`."""
    phrases = Phrases()
    for _, listed in lines(kind):
        for phrase in listed:
            phrases.add(key(phrase), kind)
    return phrases
