"""Normalising what people write: case, accents, punctuation, articles, list marks, polite words, numbers.

Names and order texts pass through the same door, so that both sides of a comparison look alike.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache


def bag(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Left out wherever they stand; they never tell two options apart.
ARTICLES = bag("the a an of")

#: Said to be polite or to begin a sentence; left out at the beginning of a line.
POLITE = bag(
    "please pls plz plse thanks thx ty cheers ok okay hi hello well so now then next first firstly second "
    "secondly finally lastly also and i we id ill im lets let me us will would like want wanna shall may "
    "could can you just going gonna try to"
)
#: Words that begin or fill a sentence, and no order: a line of unknown words with one of these is chat.
SMALL_TALK = bag(
    "i im ive you your youre he she they we us our it its is are was were be been do does did have has had this "
    "that these those there here what when where who why how any every everyone everybody anyone nice nicely "
    "well fair good great bad luck lucky fun soon later again more today tomorrow yesterday next last week weekend "
    "time day days on up down about after before because but if not never always very really much many some so too "
    "than as game games turn away back them him her hope sorry hi hello"
)

#: One spelling for words that people write in several ways.
SPELLINGS = {
    "mister": "mr",
    "missus": "mrs",
    "misses": "mrs",
    "doctor": "dr",
    "doc": "dr",
    "sgt": "sergeant",
    "sarge": "sergeant",
    "sergant": "sergeant",
    "sargent": "sergeant",
    "sarjeant": "sergeant",
    "capt": "captain",
    "cpt": "captain",
    "prof": "professor",
    "saint": "st",
    "isld": "isle",
    "thru": "through",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "eleven": "11",
    "twelve": "12",
}

#: Words after an amount that say what the figure already says.
CURRENCY = bag("dollar dollars buck bucks usd")

#: What may stand between two orders on one line, or between two things picked.
BREAKS = frozenset((";", ",", ".", ":", "and", "then", "/"))

APOSTROPHES = dict.fromkeys(map(ord, "'\u2018\u2019\u201a\u201b\u2032\u00b4`\u02bc\uff07"))
LIST_MARK = re.compile(
    r"^\s*(?:(?:[-*+>|~=#\u2022\u00b7\u2023\u25e6\u25aa\u2013\u2014\u2192\u21d2]+|->|=>|\[[ xX]?\])\s*)+"
    r"|^\s*[\(\[]?(?:\d{1,2}|[a-z])[\)\]]\s*(?=\S)"
    r"|^\s*(?:\d{1,2}|[a-z])[.:]\s+(?=\S)"
)
WORD = re.compile(r"\$\s*\d+|\d+|[^\W\d_]+|&|[;,.:/]")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a line, or one mark that may end an order."""

    #: The word as it is compared.
    text: str
    #: Where it stands in the cleaned line.
    start: int
    end: int


def clean(line: str) -> str:
    """The line in one Unicode form, without accents, invisible and decorative characters."""
    text = unicodedata.normalize("NFKC", line)
    if text.isascii():
        return text
    kept = []
    for char in unicodedata.normalize("NFD", text):
        category = unicodedata.category(char)
        if category in ("Mn", "Cf", "So", "Sk") and char not in "`\u00b4":
            continue
        kept.append(" " if category[0] in "ZC" else char)
    return unicodedata.normalize("NFC", "".join(kept))


def unmarked(text: str) -> str:
    """The text without the list mark it begins with."""
    return LIST_MARK.sub("", text, count=1)


def words(text: str) -> list[Word]:
    """The words of a cleaned line that matter to a comparison, with the marks between them."""
    found: list[Word] = []
    bare = text.translate(APOSTROPHES)
    offsets = None if len(bare) == len(text) else [i for i, c in enumerate(text) if ord(c) not in APOSTROPHES]
    lowered = bare.casefold() if len(bare.casefold()) == len(bare) else bare.lower()
    for match in WORD.finditer(lowered):
        word = match.group()
        if word == "&":
            word = "and"
        elif word[0] == "$":
            word = word[1:].strip()
        word = SPELLINGS.get(word, word)
        if word in ARTICLES or (word in CURRENCY and found and found[-1].text.isdigit()):
            continue
        start, end = match.span()
        if offsets is not None:
            start, end = offsets[start], offsets[end - 1] + 1
        found.append(Word(word, start, end))
    return found


@lru_cache(maxsize=8192)
def key(text: str) -> tuple[str, ...]:
    """The words of a name or an order text, as they are compared: without marks and articles."""
    return tuple(word.text for word in words(clean(text)) if word.text not in BREAKS)


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """The same as one string: for dictionaries, and for comparing words run together."""
    return " ".join(key(text))
