"""The words of a question: one word for what people call by many, in several languages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from pbem.orders.words import key

#: French words that lean on the next one: `l'agent`, `qu'un`.
ELISION = re.compile(r"(?<!\w)(qu|[cdjlmnst])['\u2019](?=[aeiouyh\u00e0-\u00ff])", re.IGNORECASE)
#: Where one sentence of a mail ends and the next begins.
SENTENCE = re.compile(r"(?<=[.!?])[\s)\"']+|\n+|(?<=[?!])(?=\w)")

#: A line so long that it was broken there, in the middle of a sentence.
WRAPPED = re.compile(r"^(.{50,}[^\s.!?:;])[ \t]*\n(?=[^\s>*\-\d])", re.MULTILINE)

#: Words whose stems are remembered.
MOST_REMEMBERED = 8192


def spoken(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared: no case, accents, marks and articles; numbers as digits, money as
    `dollar` and a number."""
    words: list[str] = []
    for word in key(ELISION.sub(r"\1 ", text)):
        words += ("dollar", word[1:]) if word[0] == "$" else (word,)
    return tuple(words)


def sentences(text: str) -> list[str]:
    """The sentences of a text, up to a signature (RFC 3676, 4.3)."""
    body = WRAPPED.sub(r"\1 ", re.split(r"^--\s*$", text, maxsplit=1, flags=re.MULTILINE)[0])
    return [sentence.strip() for sentence in SENTENCE.split(body) if sentence and key(sentence)]


def rows(text: str) -> Iterator[tuple[str, list[str]]]:
    """Of each line `word = phrase, phrase` of a data file, the word and its phrases."""
    for line in text.splitlines():
        word, equals, phrases = line.partition("=")
        if equals and not line.startswith("#"):
            yield word.strip(), [phrase.strip() for phrase in phrases.split(",") if phrase.strip()]


@lru_cache(maxsize=16)
def data(name: str) -> dict[str, tuple[str, ...]]:
    """A data file of this package: word -> phrases."""
    text = (files("pbem.questions") / "data" / f"{name}.txt").read_text(encoding="utf-8")
    return {word: tuple(phrases) for word, phrases in rows(text)}


class Synonyms:
    """Words and phrases, with the word that is put in their place. A phrase that ends in `*` stands for all words that
    begin like it."""

    def __init__(self, *tables: Mapping[str, Iterable[str]]) -> None:
        self._phrases: defaultdict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = defaultdict(list)
        self._stems: list[tuple[str, tuple[str, ...]]] = []
        #: Words that were looked at, with what their stem means.
        self._stemmed: dict[str, tuple[str, ...] | None] = {}
        for table in tables:
            for word, phrases in table.items():
                for phrase in phrases:
                    self._add(phrase, spoken(word))
        for listed in self._phrases.values():
            listed.sort(key=lambda entry: -len(entry[0]))
        self._stems.sort(key=lambda entry: -len(entry[0]))

    def _add(self, phrase: str, word: tuple[str, ...]) -> None:
        said = spoken(phrase.removesuffix("*"))
        if phrase.endswith("*"):
            self._stems.append((said[0], word))
        elif said and said != word:
            self._phrases[said[0]].append((said, word))

    def knows(self, word: str) -> bool:
        """Whether a word is one of those that another takes the place of."""
        return any(said == (word,) for said, _ in self._phrases.get(word, ())) or self._stem(word) is not None

    def _stem(self, word: str) -> tuple[str, ...] | None:
        if word not in self._stemmed:
            if len(self._stemmed) >= MOST_REMEMBERED:
                self._stemmed.clear()
            self._stemmed[word] = next((meant for stem, meant in self._stems if word.startswith(stem)), None)
        return self._stemmed[word]

    def of(self, words: Sequence[str]) -> tuple[str, ...]:
        """The words, with each phrase that is known replaced; the longest first."""
        meant: list[str] = []
        place = 0
        while place < len(words):
            for said, word in self._phrases.get(words[place], ()):
                if tuple(words[place : place + len(said)]) == said:
                    meant += word
                    place += len(said)
                    break
            else:
                meant += self._stem(words[place]) or (words[place],)
                place += 1
        return tuple(meant)
