"""HTML to lines: what a person sees, with what is quoted told apart.

A scanner over tags, not a tree: it costs linear time on anything, and it knows the containers in which mail
programs put what they quote.
"""

import re
from collections import Counter
from html import unescape
from itertools import pairwise

from pbem.mail.reading.lines import LONGEST_LINE, MOST_LINES, STRIKE, Line, visible, with_depths

#: Comments and declarations; elements that hold no text, whole; tags; text.
TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<[!?][^>]*>?|<(script|style)\b.*?(?:</\1[^>]*>?|\Z)|"
    r"<(?P<end>/?)(?P<name>[a-z][\w:-]{0,40})(?P<attributes>[^<>]*)>|(?P<text>[^<]+|<)",
    re.IGNORECASE | re.DOTALL,
)
BLANKS = re.compile(r"[ \t\r\n\f]+")


def elements(names: str) -> frozenset[str]:
    """Names of elements."""
    return frozenset(names.split())


#: Elements that begin and end a line.
BLOCKS = elements(
    "p div ul ol li dl dt dd h1 h2 h3 h4 h5 h6 pre blockquote section article header footer main aside center "
    "address fieldset form figure figcaption caption includetail"
)
#: Elements without an end.
VOID = elements("br hr img input meta link area base col embed source track wbr")
TABLES = elements("table tr td th")
CELLS = elements("td th")
#: What becomes of the text in an element: by its name, or by what is in its attributes.
TRAITS = {
    "hidden": (
        elements("head title template noscript object svg math select textarea"),
        re.compile(
            r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|mso-list\s*:\s*ignore|"
            r"(?:opacity|font-size|max-height)\s*:\s*0(?:px|pt|em|rem|%)?\s*(?:[;!\"']|$)|"
            r"(?:^|\s)hidden(?:=\S*|\s+[\w-]+=|\s*/?$)",
            re.IGNORECASE,
        ),
    ),
    "signature": (
        frozenset(),
        re.compile(r"\b(?:id|class|name|data-smartmail)\s*=[^=]*(?:signature|bloop_sign)", re.IGNORECASE),
    ),
    "keeps lines": (elements("pre"), re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)),
    "struck": (elements("s strike del"), re.compile(r"text-decoration[\w-]*\s*:[^;]*line-through", re.IGNORECASE)),
}
#: What Gmail writes for an indented paragraph, which is no quote.
NO_QUOTE = re.compile(r"border\s*:\s*(?:none|0)", re.IGNORECASE)
CITES = re.compile(r"cite|quote", re.IGNORECASE)

MAX_OPEN = 400
MAX_ROWS = 30
#: An end tag ends nothing that was opened further above.
DEEPEST = 80


class Reader:
    """Reads one HTML text."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        #: The table rows that are open: where each and its cells begin.
        self.rows: list[list[int]] = []
        #: The elements that are open, each with what it makes of the text in it; and how many of them do so.
        self.open: list[tuple[str, frozenset[str]]] = []
        self.inside: Counter[str] = Counter()
        self.text: list[str] = []
        self.striking = False

    def words(self, text: str) -> None:
        """Text between tags."""
        if self.inside["hidden"] or self.inside["signature"]:
            return
        text = unescape(text)
        if bool(self.inside["struck"]) != self.striking and text.strip():
            self.text.append(STRIKE)
            self.striking = not self.striking
        if self.inside["keeps lines"]:
            first, *rest = text.replace("\r\n", "\n").split("\n")
            self.text.append(first)
            for line in rest:
                self.line(even_when_empty=True)
                self.text.append(line)
        else:
            self.text.append(BLANKS.sub(" ", text))

    def line(self, *, even_when_empty: bool = False) -> None:
        """End the line."""
        if self.striking:
            self.text.append(STRIKE)
            self.striking = False
        text = visible("".join(self.text)[:LONGEST_LINE])
        self.text.clear()
        if not self.inside["keeps lines"]:
            text = text.removeprefix(" ")
        if even_when_empty or text.strip():
            self.lines.append(Line(text, self.inside["quote"]))

    def begin(self, name: str, attributes: str) -> None:
        """An element begins."""
        if name == "br":
            self.line(even_when_empty=True)
        elif name == "hr":
            self.line()
            self.text.append("_" * 32)
            self.line()
        elif name == "input" and "checkbox" in attributes.lower():
            self.text.append("[x] " if "checked" in attributes.lower() else "[ ] ")
        if name in VOID or attributes.endswith("/"):
            return
        if name == "body":
            self.end("head")
        if name in BLOCKS or name in TABLES:
            self.line()
        if name == "tr":
            last = next((name for name, _ in reversed(self.open[-DEEPEST:]) if name in ("table", "tr")), "")
            if last == "tr":  # its end tag was left out
                self.end("tr")
            if len(self.rows) < MAX_ROWS:
                self.rows.append([len(self.lines)])
        elif name in CELLS and self.rows:
            self.rows[-1].append(len(self.lines))
        if len(self.open) < MAX_OPEN:
            traits = {trait for trait, (names, marks) in TRAITS.items() if name in names or marks.search(attributes)}
            if name == "tr":
                traits.add("row")
            elif name == "blockquote" and (CITES.search(attributes) or not NO_QUOTE.search(attributes)):
                traits.add("quote")
            self.open.append((name, frozenset(traits)))
            self.inside.update(traits)

    def end(self, name: str) -> None:
        """An element ends, and with it whatever was left open inside."""
        if name in BLOCKS:
            self.line(even_when_empty=name == "p")
        elif name in TABLES:
            self.line()
        for index in range(len(self.open) - 1, max(-1, len(self.open) - DEEPEST), -1):
            if self.open[index][0] == name:
                for _, traits in self.open[index:]:
                    self.inside.subtract(traits)
                del self.open[index:]
                break
        if name in ("tr", "table"):
            while len(self.rows) > self.inside["row"]:
                self.end_row()

    def end_row(self) -> None:
        """One line a row, or the cells one below the other when one has several lines."""
        begins = self.rows.pop()
        cells = [self.lines[begin:end] for begin, end in pairwise([*begins, len(self.lines)])]
        shown = [lines for cell in cells if (lines := [line for line in cell if line.text.strip()])]
        if len(shown) > 1 and all(len(cell) == 1 for cell in shown):
            text = "  ".join(cell[0].text.strip() for cell in shown)
            self.lines[begins[0] :] = [Line(text, shown[0][0].depth)]


def lines_of_html(html: str) -> list[Line]:
    """What a person sees of this HTML, in lines."""
    reader = Reader()
    for token in TOKEN.finditer(html):
        if len(reader.lines) >= MOST_LINES:
            break
        if token["text"]:
            reader.words(token["text"])
        elif token["end"]:
            reader.end(token["name"].lower())
        elif token["name"]:
            reader.begin(token["name"].lower(), token["attributes"])
    reader.line()
    while reader.rows:
        reader.end_row()
    marked = with_depths(line.text for line in reader.lines)
    return [Line(mark.text, line.depth + mark.depth) for line, mark in zip(reader.lines, marked, strict=True)]
