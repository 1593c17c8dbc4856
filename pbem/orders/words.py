"""Typed lines as words: one form for what is written in many ways.

Names, order texts and typed lines pass through the same door, so that both sides of a comparison look alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

#: Left out wherever they stand; they never tell two options apart.
ARTICLES = frozenset(("the", "a", "an", "of"))

#: One spelling for words that people write in several ways.
SPELLINGS = dict(
    pair.split("=")
    for pair in [
        "mister=mr",
        "missus=mrs",
        "misses=mrs",
        "doctor=dr",
        "doc=dr",
        "sgt=sergeant",
        "sarge=sergeant",
        "sergant=sergeant",
        "sargent=sergeant",
        "capt=captain",
        "cpt=captain",
        "prof=professor",
        "saint=st",
        "isld=isle",
        "thru=through",
        "w=with",
        "w/=with",
        "w/o=without",
        "b/c=because",
        "cos=because",
        "cuz=because",
        "coz=because",
        "p.s.=ps",
        "p.s=ps",
        "e.g.=eg",
        "e.g=eg",
        "i.e.=ie",
        "i.e=ie",
        "teh=the",
        "hte=the",
        "n=and",
        "und=and",
        "et=and",
        "x2=twice",
        "2x=twice",
        "x3=3",
        "3x=3",
        "1st=first",
        "2nd=second",
        "3rd=third",
        "4th=fourth",
        "5th=fifth",
    ]
)
NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"],
        start=1,
    )
}
#: Words behind an amount of money, which make it one.
CURRENCY = frozenset(["dollar", "dollars", "buck", "bucks", "usd", "dollarz"])
#: Words that are an amount by themselves.
COINS = {"dollar": "$1", "buck": "$1", "fiver": "$5", "tenner": "$10"}
#: A dot behind one of these ends nothing.
TITLES = frozenset(["mr", "mrs", "dr", "st", "sergeant", "captain", "professor", "nr"])

APOSTROPHES = dict.fromkeys(map(ord, "'\u2018\u2019\u201a\u201b\u2032\u00b4`\u02bc\uff07"))
LIST_MARK = re.compile(
    r"^\s*(?:(?:[-*+>|=#\u2022\u00b7\u2023\u25e6\u25aa\u2013\u2014\u2192\u21d2]+|->|=>|\[[xX]?\])\s*)+"
    r"|^\s*[\(\[]?(?:\d{1,2}|[a-z])[\)\]]\s*(?=\S)"
    r"|^\s*(?:\d{1,2}|[a-z])[.:]\s+(?=\S)"
)
#: Says yes, where other pictures say nothing.
THUMB_UP = "\U0001f44d"
#: Faces are no marks.
FACE = re.compile(r"(?<!\w)[:;=8][-o^']?[)(\]\[dpo/|*]+(?!\w)|\^_?\^|<3")
WORD = re.compile(
    r"\b(?:b/c|w/o?|[pei]\.[sge]\b\.?|x\d|\dx)(?!\w)|\$\s*\d+|\d+\s*\$|\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+|[&+]|->|=>|\u2192|[;,.:/?!()]|(?<=\s)[-\u2013\u2014]+(?=\s)|\s[-\u2013\u2014]{2,}"
)
#: What may stand between two orders or two remarks. The second kind also stands within one order.
SENTENCE_MARKS = frozenset(["\n", ";", ".", "?", "!", "(", ")", "-"]) | {"\n"}
MARKS = SENTENCE_MARKS | frozenset(",:/")


class Token(NamedTuple):
    """One word of a mail, or one mark between words."""

    #: The word as it is compared; money as `$5`.
    text: str
    #: The number of its line, and where it stands in that line as `shown` gives it.
    line: int
    start: int
    end: int
    #: Whether it is a number written as a word.
    spelt: bool = False

    @property
    def is_mark(self) -> bool:
        return self.text in MARKS

    @property
    def is_number(self) -> bool:
        return self.text.isdigit()

    @property
    def is_money(self) -> bool:
        return self.text[0] == "$"


@lru_cache(maxsize=4096)
def shown(line: str) -> str:
    """The line in one Unicode form, without accents, decoration and the list mark it begins with."""
    text = unicodedata.normalize("NFKC", line.replace(THUMB_UP, " ok "))
    if not text.isascii():
        kept = []
        for char in unicodedata.normalize("NFD", text):
            category = unicodedata.category(char)
            if category in ("Mn", "Cf", "So", "Sk") and char not in "`\u00b4":
                continue
            kept.append(" " if category[0] in "ZC" else "ss" if char == "\u00df" else char)
        text = unicodedata.normalize("NFC", "".join(kept))
    return LIST_MARK.sub("", text, count=1).strip()


def tokens(lines: Sequence[str]) -> list[Token]:
    """The words of some lines, without articles, and the marks between them; a line ends with a mark."""
    read: list[Token] = []
    for number, line in enumerate(lines):
        text = shown(line)
        for word, start, end in _words(text):
            last = read[-1] if read else None
            if word in COINS and not (last and last.is_number and last.line == number):
                word = COINS[word]  # `a dollar`
            if word in ARTICLES or (word == "." and last and last.text in TITLES):
                continue
            if last and word in CURRENCY and last.is_number and last.line == number:
                read[-1] = last._replace(text=f"${last.text}", end=end)
                continue
            read.append(Token(NUMBERS.get(word, word), number, start, end, word in NUMBERS))
        read.append(Token("\n", number, len(text), len(text)))
    return read


def _words(text: str) -> list[tuple[str, int, int]]:
    bare = text.translate(APOSTROPHES)
    places = None if len(bare) == len(text) else [i for i, c in enumerate(text) if ord(c) not in APOSTROPHES]
    lowered = bare.casefold() if len(bare.casefold()) == len(bare) else bare.lower()
    words = []
    lowered = FACE.sub(lambda face: " " * len(face.group()), lowered)
    for match in WORD.finditer(lowered):
        word = match.group().strip()
        if word in ("&", "+"):
            word = "and"
        elif word in ("->", "=>", "\u2192"):
            word = "to"
        elif "$" in word:
            word = "$" + word.strip("$ ")
        elif word[0] in "-\u2013\u2014":
            word = "-"
        start, end = match.span()
        if places is not None:
            start, end = places[start], places[end - 1] + 1
        words.append((SPELLINGS.get(word, word), start, end))
    return words


@lru_cache(maxsize=16384)
def key(text: str) -> tuple[str, ...]:
    """The words of a name or an order text, as they are compared: without marks and articles."""
    return tuple(token.text for token in tokens([text]) if not token.is_mark)


def plain(text: str) -> str:
    """The same as one string."""
    return " ".join(key(text))
