"""Text to lines: line ends, flowed text, invisible characters, and how deep each line is quoted."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

LINE_END = re.compile("\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")
#: What is not seen: format characters, fillers and NUL. Tabs and no-break spaces become spaces elsewhere.
INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
)
#: QQ Mail and others leave these in the text part.
ENTITY = re.compile(r"&(nbsp|amp|lt|gt|quot|apos|#39|#34|#38|#160|#x27|rsquo|lsquo);", re.IGNORECASE)
ENTITIES = {
    "nbsp": " ", "amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "#39": "'", "#34": '"', "#38": "&",
    "#160": " ", "#x27": "'", "rsquo": "’", "lsquo": "‘",
}  # fmt: skip
BLANKS = " \t\xa0>"
QUOTE_MARKS = re.compile(r"\s{0,4}((?:[>＞]\s{0,2}){1,60})")
#: `TC> `, `Clacks>`, `Ilse Brandt > `
NAMED_MARK = re.compile(r"\s{0,3}([^\W\d_][\w.'’ -]{0,24})[>＞]")
#: GroupWise puts marks round the name and the time, and none before what it quotes.
GROUPWISE = re.compile(r">>> ?([^>\s][^<>]{2,100}(?:<[^<>]{3,100}>[^<>]{0,60})?) ?>>>\s*")
#: Marks of older programs; they are quote marks only where many lines begin with the same one.
ODD_MARK = re.compile(r"\s{0,2}([|¦│┃:}%»])(?=\s|$)")


@dataclass(slots=True)
class Line:
    """One line of a mail."""

    #: Without quote marks and invisible characters; blanks as they were.
    text: str
    #: How many quote marks or quoting containers it stands in.
    depth: int = 0
    #: Set by the HTML reader: the line is a signature, or a quoted message begins here whatever the text says.
    signature: bool = False
    begins_quote: bool = False


def lines_of(text: str, *, flowed: bool, delsp: bool, max_lines: int, max_length: int = 4_000) -> list[Line]:
    """The lines of a text part."""
    raw = LINE_END.split(text, max_lines)[:max_lines]
    if flowed:
        raw = _joined(raw, delsp)
    else:
        raw = _single_spaced(raw)
    return with_depths(visible(line[:max_length]) for line in raw)


def _single_spaced(lines: list[str]) -> list[str]:
    """Lines without the blank one that a converter put behind each of them; those that were blank stay.

    Paragraphs of one line each look alike, but nothing between them is wider than one blank line.
    """
    if len(lines) < 30 or (lines[0].strip(BLANKS) and lines[1].strip(BLANKS)):
        return lines
    out: list[str] = []
    blanks, widest = 1, 0
    for line in lines:
        if not line.strip(BLANKS):
            blanks += 1
            continue
        if not blanks:
            return lines
        if out:
            widest = max(widest, blanks)
            out += [""] * ((blanks - 1) // 2)
        out.append(line)
        blanks = 0
    return out if widest > 2 else lines


def visible(line: str) -> str:
    """The line without what nobody sees; every blank is a space."""
    if not line.isascii():
        line = INVISIBLE.sub("", line)
        line = line.replace("\xa0", " ").replace("\u3000", "  ").replace("\u2007", " ").replace("\u202f", " ")
    elif not line.isprintable():
        line = INVISIBLE.sub("", line).replace("\t", "    ")
    if "&" in line:
        line = ENTITY.sub(lambda match: ENTITIES[match[1].lower()], line)
    return line.rstrip()


def with_depths(texts: Iterable[str]) -> list[Line]:
    """Lines with their quote marks counted and taken off."""
    texts = list(texts)
    named = _named_marks(texts)
    odd = _odd_mark(texts)
    lines = []
    for text in texts:
        depth = 0
        if text.startswith(">>>") and (match := GROUPWISE.fullmatch(text)):
            text = f"---- {match[1]} ----"
        if (named and (match := NAMED_MARK.match(text)) and match[1] in named) or (
            odd and (match := ODD_MARK.match(text)) and match[1] == odd
        ):
            depth, text = 1, text[match.end() :]
        if text.lstrip()[:1] in (">", "＞") and (match := QUOTE_MARKS.match(text)):
            depth += match[1].count(">") + match[1].count("＞")
            text = text[match.end() :]
        lines.append(Line(text, depth))
    return lines


def _named_marks(texts: list[str]) -> set[str]:
    """The names or initials that stand before `>` again and again."""
    found: Counter[str] = Counter()
    for text in texts:
        if ">" in text[:30] or "＞" in text[:30]:
            match = NAMED_MARK.match(text)
            if match:
                found[match[1]] += 1
    return {name for name, count in found.items() if count > 1}


def _odd_mark(texts: list[str]) -> str:
    """A mark other than `>` that begins many lines, in a mail where `>` begins none."""
    found: Counter[str] = Counter()
    for text in texts:
        if text.lstrip()[:1] in ">＞" and text.strip():
            return ""
        match = ODD_MARK.match(text)
        if match and not text.rstrip().endswith("|"):  # a table drawn with bars has them at the end as well
            found[match[1]] += 1
    for mark, count in found.most_common(1):
        return mark if count >= 8 else ""
    return ""


def _joined(lines: list[str], delsp: bool) -> list[str]:
    """Flowed text (RFC 3676) with its soft line ends joined."""
    out: list[str] = []
    open_depth = -1
    for line in lines:
        depth = len(line) - len(line.lstrip(">"))
        text = line[depth:].removeprefix(" ")
        soft = text.endswith(" ") and text != "-- "
        if soft and delsp:
            text = text[:-1]
        if open_depth == depth and text != "-- " and len(out[-1]) < 20_000:
            out[-1] += text
        else:
            out.append((">" * depth + " " if depth else "") + text)
        open_depth = depth if soft else -1
    return out


def squeezed(text: str) -> str:
    """Compatibility forms, such as full-width letters, made plain and blanks collapsed."""
    if not text.isascii():
        # An accent typed for an apostrophe would become a blank and a mark that combines.
        text = unicodedata.normalize("NFKC", text.replace("\xb4", "'"))
    return " ".join(text.split())
