"""A typed line to the order lines in it: list marks and emphasis off, several orders on one line apart."""

import re
import unicodedata
from functools import lru_cache

from pbem.mail.reading.lines import squeezed
from pbem.mail.reading.values import ParseSettings

NUMBERS = re.compile(r"\d{1,2}(?:\s*,\s*\d{1,2}){0,20}\s*[.,!;]?")
#: What may stand before an order: `1.`, `(2)`, `c)`, `iv.`, `Step 3:`; a bare number or `2 -` in front of a word.
ENUMERATION = re.compile(
    r"(?:[(\[]?\d{1,3}[.):\]]{1,2}|\(?[a-z][.)]|\(?[ivx]{1,4}[.)]|[\[(][ _x✓✔]?[\])]|#\d{1,3}[.:)]?|"
    r"\d{1,2}(?:⃣|\s*[|│])|(?:step|order|no|nr)\.? ?\d{1,2} ?[.:)-]+)\s*|"
    r"\d{1,2}\s+(?:[-–—=→>]{1,2}\s+)?(?=[^\W\d])",
    re.IGNORECASE,
)
ENUMERATOR = re.compile(r"\d{1,2}|[a-z]")
#: Ends an order when an order word follows. Punctuation of other scripts needs no blank behind it.
SEPARATOR = re.compile(r";\s*|[.,]\s+|[^\x00-\x7f\w\s]\s*")
#: Marks of other scripts that are a semicolon or a comma, and what NFKC would leave without a blank.
FOREIGN_MARKS = str.maketrans({"؛": "; ", "；": "; ", "፤": "; ", "，": ", ", "،": ", ", "．": ". "})
#: What may close an order without belonging to it.
CLOSING = " ;,.。、।։۔።"
EMPHASIS = re.compile(r"\*+|`+|~~|(?<!\w)_+|_+(?!\w)")
LINK = re.compile(r"https?://|www\.\w|\b[\w.-]+@[\w-]+\.\w", re.IGNORECASE)
#: A whole word: not the beginning of `play-by-mail`, of `player's` or of `play.example.org`.
FIRST_WORD = re.compile(r"[^\W\d_]+(?![\w'’-]|[-‐‑]\w|\.[\w-]+\.\w)")
APOSTROPHE = re.compile("['\u2018\u2019\u02bc`\u00b4]")
#: List marks that stand one behind the other.
MOST_MARKS = 4
QUOTATION_MARKS = "\"“”„«‹'‘"
QUOTED = re.compile(rf"^[{QUOTATION_MARKS}]+|[\"“”«»›'’]+$")


@lru_cache(maxsize=4096)
def is_mark(character: str) -> bool:
    """Symbols, dashes, bullets and blanks: what lists and people put before a line."""
    return character in "•·*#‣⁃»›◦∙|>.…" or unicodedata.category(character) in (
        "So", "Sm", "Sk", "Pd", "Mn", "Me", "Zs", "Cf", "Co", "Cn"
    )  # fmt: skip


def bare(line: str) -> str:
    """The line without list marks, emphasis and what stands round it."""
    if not line.isascii():
        line = line.translate(FOREIGN_MARKS)
    text = EMPHASIS.sub("", squeezed(line))
    if text.count("|") > 1:  # a row of a table drawn with bars
        text = squeezed(text.replace("|", " "))
    for _ in range(MOST_MARKS):
        start = next((at for at, character in enumerate(text) if not is_mark(character)), len(text))
        match = ENUMERATION.match(text, start)
        if match and match.end() < len(text):
            start = match.end()
        if not start:
            break
        text = text[start:]
    closes_another = text[-1:] in "”»" and not any(mark in text for mark in "“„«")
    if text[:1] in QUOTATION_MARKS or closes_another:
        text = QUOTED.sub("", text)
    return text


def first_word(text: str) -> str:
    """The whole word a text begins with, folded; empty when it begins with something else."""
    match = FIRST_WORD.match(text)
    return match[0].casefold() if match else ""


def orders_of(line: str, settings: ParseSettings) -> list[str]:
    """The order lines in one typed line; none when it is something else."""
    text = bare(line)
    if not text:
        return []
    plain = squeezed(line.translate(FOREIGN_MARKS)).strip(" *_`-•·>")
    if NUMBERS.fullmatch(plain.partition(";")[0].strip()):
        return apart(plain.rstrip("!"), settings)
    if stands_alone(text, settings):
        return [text.rstrip(CLOSING)]
    word = first_word(text)
    if word not in settings.words:
        return []
    if word in settings.free:
        return [text]
    if LINK.search(text):  # an advert or a footer: no order holds an address
        return []
    return apart(text, settings)


def apart(text: str, settings: ParseSettings) -> list[str]:
    """The orders of one line, which begins like one. A word that takes nothing ends an order only when alone."""
    pieces: list[str] = []
    start = 0
    for separator in SEPARATOR.finditer(text):
        if separator[0][0] == "." and ENUMERATOR.fullmatch(text[start : separator.start()].strip()):
            continue
        if not separator[0].isascii() and unicodedata.category(separator[0][0]) != "Po":
            continue
        rest = bare(text[separator.end() : separator.end() + 200])
        if first_word(rest) in settings.words or (
            separator[0][0] == ";" and NUMBERS.fullmatch(rest.partition(";")[0].strip())
        ):
            pieces += text[start : separator.start()], separator[0]
            start = separator.end()
    pieces.append(text[start:])
    orders: list[str] = []
    rest = ""
    for index in range(len(pieces) - 1, -1, -2):
        order = (bare(pieces[index]) if index else pieces[index]) + rest
        if counts(order, settings):
            orders.append(order.rstrip(CLOSING))
            rest = ""
        elif index:
            rest = pieces[index - 1] + pieces[index] + rest
        else:
            return []
    return orders[::-1]


def stands_alone(text: str, settings: ParseSettings) -> bool:
    """Whether a text is nothing but a word or phrase that counts only by itself: `end turn`, `That's all!`"""
    return " ".join(APOSTROPHE.sub("", text).casefold().strip(" .,;!").split()) in settings.alone


def counts(order: str, settings: ParseSettings) -> bool:
    """Whether a piece of a line is an order line by itself."""
    word = first_word(order)
    if word not in settings.alone:
        return bool(word or NUMBERS.fullmatch(order))
    return stands_alone(order, settings) or not any(character.isalnum() for character in order[len(word) :])
