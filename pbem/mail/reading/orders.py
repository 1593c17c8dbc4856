"""A typed line to the order lines in it: list marks and emphasis off, several orders on one line apart."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pbem.mail.reading.lines import squeezed
from pbem.mail.reading.values import Reading

NUMBERS = re.compile(r"\d{1,2}(?:\s*,\s*\d{1,2}){0,20}\s*[.,!;]?")
#: What may stand before an order: `1.`, `(2)`, `c)`, `iv.`, `Step 3:`; a bare number or `2 -` in front of a word.
ENUMERATION = re.compile(
    r"(?:[(\[]?\d{1,3}[.):\]]{1,2}|\(?[a-z][.)]|\(?[ivx]{1,4}[.)]|\[[ x]?\]|#\d{1,3}[.:)]?|"
    r"\d{1,2}(?:⃣|\s*[|│])|(?:step|order|no|nr)\.? ?\d{1,2} ?[.:)-]+)\s*|"
    r"\d{1,2}\s+(?:[-–—=→>]{1,2}\s+)?(?=[^\W\d])",
    re.IGNORECASE,
)
ENUMERATOR = re.compile(r"\d{1,2}|[a-z]")
#: Ends an order when an order word follows. Chinese and Japanese marks need no blank behind them.
SEPARATOR = re.compile(r";\s*|[.,]\s+|[。、]\s*")
#: What may close an order without belonging to it.
CLOSING = " ;,.。、"
EMPHASIS = re.compile(r"\*+|`+|~~|(?<!\w)_+|_+(?!\w)")
#: An accent for an apostrophe: `Dragon`s`.
GRAVE_INSIDE = re.compile(r"(?<=\w)`(?=\w)")
LINK = re.compile(r"https?://|www\.\w|\b[\w.-]+@[\w-]+\.\w", re.IGNORECASE)
#: A whole word: not the beginning of `play-by-mail`, of `player's` or of `play.example.org`.
FIRST_WORD = re.compile(r"[^\W\d_]+(?![\w'’-]|[-‐‑]\w|\.[\w-]+\.\w)")
APOSTROPHE = re.compile("['\u2018\u2019\u02bc`\u00b4]")
#: No phrase that counts by itself has so many characters.
LONGEST_ALONE = 60
QUOTED = re.compile(r"^[\"“”„«‹'‘]+|[\"“”«»›'’]+$")


@lru_cache(maxsize=4096)
def _is_mark(character: str) -> bool:
    """Symbols, dashes, bullets and blanks: what lists and people put before a line."""
    return character in "•·*#‣⁃»›◦∙|>.…" or unicodedata.category(character) in (
        "So", "Sm", "Sk", "Pd", "Mn", "Me", "Zs", "Cf", "Co", "Cn"
    )  # fmt: skip


def bare(line: str) -> str:
    """The line without list marks, emphasis and what stands round it."""
    if not line.isascii():
        line = line.replace("；", "; ").replace("，", ", ").replace("．", ". ")
    text = EMPHASIS.sub("", GRAVE_INSIDE.sub("'", squeezed(line)))
    if text.count("|") > 1:  # a row of a table drawn with bars
        text = squeezed(text.replace("|", " "))
    for _ in range(4):
        start = 0
        while start < len(text) and _is_mark(text[start]):
            start += 1
        rest = text[start:]
        match = ENUMERATION.match(rest)
        if match and match.end() < len(rest):
            rest = rest[match.end() :]
        if rest == text:
            break
        text = rest
    if text[:1] in "\"“”„«‹'‘":
        text = QUOTED.sub("", text)
    return text


def first_word(text: str) -> str:
    """The whole word a text begins with, folded; empty when it begins with something else."""
    match = FIRST_WORD.match(text)
    return match[0].casefold() if match else ""


def orders_of(line: str, reading: Reading) -> list[str]:
    """The order lines in one typed line; none when it is something else."""
    text = bare(line)
    if not text:
        return []
    if not text[0].isalpha() or not line.lstrip()[:1].isalpha():
        plain = _without_symbols(squeezed(line))
        if NUMBERS.fullmatch(plain):
            return [plain.rstrip(" .,!;")]
        head, semicolon, _ = plain.partition(";")
        if semicolon and NUMBERS.fullmatch(head.strip()):
            orders = _apart(plain, reading)
            return orders if len(orders) > 1 else []
    if stands_alone(text, reading):
        return [text.rstrip(CLOSING)]
    word = first_word(text)
    if word not in reading.words:
        return []
    if word in reading.free:
        return [text]
    if LINK.search(text):  # an advert or a footer: no order holds an address
        return []
    return _apart(text, reading)


def _apart(text: str, reading: Reading) -> list[str]:
    """The orders of one line, which begins like one. A word that takes nothing ends an order only when alone."""
    pieces: list[str] = []
    start = 0
    for separator in SEPARATOR.finditer(text):
        if separator[0][0] == "." and ENUMERATOR.fullmatch(text[start : separator.start()].strip()):
            continue
        rest = bare(text[separator.end() : separator.end() + 200])
        if first_word(rest) in reading.words or (
            separator[0][0] == ";" and NUMBERS.fullmatch(rest.partition(";")[0].strip())
        ):
            pieces += text[start : separator.start()], separator[0]
            start = separator.end()
    pieces.append(text[start:])
    orders: list[str] = []
    chat = ""
    for index in range(len(pieces) - 1, -1, -2):
        piece = bare(pieces[index]) if index else pieces[index]
        if (not chat and _counts(piece, reading)) or (chat and first_word(piece) not in reading.alone):
            orders.append((piece + chat).rstrip(CLOSING))
            chat = ""
        elif index:
            chat = pieces[index - 1] + pieces[index] + chat
        else:
            return []
    return orders[::-1]


def stands_alone(text: str, reading: Reading) -> bool:
    """Whether a text is nothing but a word or phrase that counts only by itself: `end turn`, `That's all!`"""
    if len(text) > LONGEST_ALONE:
        return False
    return " ".join(APOSTROPHE.sub("", text).casefold().strip(" .,;!").split()) in reading.alone


def _counts(order: str, reading: Reading) -> bool:
    """Whether a piece of a line is an order line by itself."""
    if stands_alone(order, reading):
        return True
    word = first_word(order)
    if not word:
        return bool(NUMBERS.fullmatch(order))
    return word not in reading.alone or not any(character.isalnum() for character in order[len(word) :])


def _without_symbols(text: str) -> str:
    """The text without emoji and other symbols round it."""
    kept = "".join(c for c in text if c.isalnum() or unicodedata.category(c) not in ("So", "Sk", "Me", "Mn"))
    return kept.strip(" *_`-•·>").strip()
