"""Text to lines: line ends, flowed text, invisible characters, and how deep each line is quoted."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote

#: Lines of a text that are read, and characters of each.
MOST_LINES = 10_000
LONGEST_LINE = 4_000
LINE_END = re.compile("\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")
#: What is not seen: format characters, fillers and NUL. Tabs and no-break spaces become spaces elsewhere.
INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
)
#: QQ Mail and others leave these in the text part.
ENTITY = re.compile(r"&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});", re.IGNORECASE)
QUOTE_MARKS = re.compile(r"\s{0,4}((?:[>＞]\s{0,2}){1,60})")
#: `TC> `, `Clacks>`, `Ilse Brandt > `; or a sign that some programs put there. Both are quote marks only where several
#: lines begin with the same one.
OTHER_MARK = re.compile(r"\s{0,3}([^\W\d_][\w.'’ -]{0,24}[>＞]|[|¦│┃:}%»](?=\s|$))")
FEWEST_NAMES, FEWEST_SIGNS = 2, 8
#: GroupWise puts marks round the name and the time, and none before what it quotes.
GROUPWISE = re.compile(r">>> ?([^>\s][^<>]{2,100}(?:<[^<>]{3,100}>[^<>]{0,60})?) ?>>>\s*")
#: Struck out, in Markdown; the HTML reader writes it so as well.
STRUCK = re.compile(r"(?<!~)~~(?!~)\s*(\S.*?)~~")
STRIKE = "~~"
#: Letters with a stroke through each, which is how phones strike out plain text.
OVERSTRUCK = re.compile("(?:[^\u0335\u0336][\u0335\u0336])+")
#: What is put into a text and is no text: a file (uuencoded as POSIX says, or by yEnc), a card or an appointment, armour
#: (RFC 4880, 6.2), of which only what is signed in clear is to be read. The last line of a file may be `end`.
BEGINS_FILE = re.compile(r"begin(?:-base64)? [0-7]{3,4} \S|=ybegin |BEGIN:V(?:CARD|CALENDAR)\b|-----BEGIN [A-Z ]+-----")
ENDS_FILE = re.compile(r"(?:end|====|=yend\b.*|END:V(?:CARD|CALENDAR)|-----END [A-Z ]+-----)\s*")
BLANK = re.compile(r"\s*")
SIGNED_IN_CLEAR = "-----BEGIN PGP SIGNED MESSAGE-----"
#: A line that a mailto link was to fill in, which nobody decoded: `play%20Groat%3B%20end`, `&body=play%20Groat`.
LINK_BODY = re.compile(r"\S*[?&]body=([^&\s]*)\S*")
PERCENT = re.compile(r"%(?:20|3B|2C|0D|0A)", re.IGNORECASE)


@dataclass(slots=True)
class Line:
    """One line of a mail."""

    #: Without quote marks and invisible characters; blanks as they were.
    text: str
    #: How many quote marks or quoting containers it stands in.
    depth: int = 0


def lines_of(text: str, parameters: Mapping[str, str]) -> list[Line]:
    """The lines of a text part, whose parameters say whether it is flowed (RFC 3676)."""
    raw = without_files(LINE_END.split(text, MOST_LINES)[:MOST_LINES])
    if parameters.get("format", "").lower() == "flowed":
        raw = joined_flowed(raw, delsp=parameters.get("delsp", "").lower() == "yes")
    return with_depths(piece for line in raw for piece in link_decoded(visible(line[:LONGEST_LINE])))


def without_files(lines: list[str]) -> list[str]:
    """The lines without files, cards and armour that were put between them."""
    kept: list[str] = []
    end: re.Pattern[str] | None = None
    for line in lines:
        if end:
            end = None if end.fullmatch(line) else end
        elif BEGINS_FILE.match(line):
            end = BLANK if line.startswith(SIGNED_IN_CLEAR) else ENDS_FILE
        else:
            kept.append(line)
    return kept


def link_decoded(line: str) -> Iterator[str]:
    """What a link of ours was to write, where a program shows it as it stands in the link."""
    if not PERCENT.search(line) or "://" in line:
        yield line
        return
    body = LINK_BODY.search(line)
    text = unquote(body[1] if body else line)
    yield from (text if " " in text else text.replace("+", " ")).splitlines()


def visible(line: str) -> str:
    """The line without what nobody sees; every blank is a space."""
    if not line.isascii():
        line = INVISIBLE.sub("", line)
        line = line.replace("\xa0", " ").replace("\u3000", "  ").replace("\u2007", " ").replace("\u202f", " ")
        line = OVERSTRUCK.sub(lambda match: f"{STRIKE}{match[0][::2]}{STRIKE}", line)
    elif not line.isprintable():
        line = INVISIBLE.sub("", line).replace("\t", "    ")
    if "&" in line:
        line = ENTITY.sub(lambda match: unescape(match[0]).replace("\xa0", " "), line)
    return line.rstrip()


def with_depths(texts: Iterable[str]) -> list[Line]:
    """Lines with their quote marks counted and taken off."""
    texts = list(texts)
    others = other_marks(texts)
    lines = []
    for text in texts:
        depth = 0
        if text.startswith(">>>") and (match := GROUPWISE.fullmatch(text)):
            text = f"---- {match[1]} ----"
        if others and (match := OTHER_MARK.match(text)) and match[1] in others:
            depth, text = 1, text[match.end() :]
        if text.lstrip()[:1] in (">", "＞") and (match := QUOTE_MARKS.match(text)):
            depth += match[1].count(">") + match[1].count("＞")
            text = text[match.end() :]
        lines.append(Line(text, depth))
    return lines


def other_marks(texts: list[str]) -> set[str]:
    """The names, initials or signs that begin line after line."""
    # A table drawn with bars has them at the end as well.
    marks = Counter(match[1] for text in texts if text[-1:] != "|" and (match := OTHER_MARK.match(text)))
    return {mark for mark, count in marks.items() if count >= (FEWEST_NAMES if mark[-1] in ">＞" else FEWEST_SIGNS)}


def joined_flowed(lines: list[str], delsp: bool) -> list[str]:
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
