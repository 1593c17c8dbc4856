"""HTML to lines: what a person sees, with quotes and signatures told apart.

A scanner over tags, not a tree: it costs linear time on anything, and it knows the containers in which mail
programs put what they quote.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html import unescape

from pbem.mail.reading.lines import STRIKE, Line, visible, with_depths

TAG = re.compile(r"<(/?)([a-zA-Z][\w:-]{0,40})([^<>]*)>")
ATTRIBUTE = re.compile(r"([a-zA-Z_:][\w:.-]*)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+)")
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
#: Elements whose content is no text at all, and elements whose text nobody sees.
CODE = frozenset(("script", "style"))
UNSEEN = elements("head title template noscript object svg math select textarea")
#: Elements whose text was struck out; `ins` is what came instead.
STRUCK = frozenset(("s", "strike", "del"))
TABLES = frozenset(("table", "tr", "td", "th"))
CELLS = frozenset(("td", "th"))

MAX_LENGTH = 4_000
MAX_OPEN = 400
MAX_ROWS = 30
#: An end tag ends nothing that was opened further above.
DEEPEST = 80

SIGNATURES = re.compile(r"signature|(?:^|\s)sig(?:\s|$)|cloudmagic|bloop_sign", re.IGNORECASE)
HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?:px|pt|em|rem|%)?\s*(?:;|!|$)|"
    r"max-height\s*:\s*0(?:px)?\s*(?:;|!|$)|opacity\s*:\s*0\s*(?:;|!|$)",
    re.IGNORECASE,
)
HIDDEN_ATTRIBUTE = re.compile(r"(?:^|\s)hidden(?:\s|=|/|$)", re.IGNORECASE)
#: What Gmail writes for an indented paragraph.
NO_QUOTE = re.compile(r"border\s*:\s*(?:none|0)", re.IGNORECASE)
LINE_THROUGH = re.compile(r"text-decoration[\w-]*\s*:[^;]*line-through", re.IGNORECASE)
KEEPS_LINES = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)


@dataclass(slots=True)
class Row:
    """A table row being read: each cell is a list of lines; `before` are the lines above the row."""

    before: list[Line]
    cells: list[list[Line]] = field(default_factory=list)


class Reader:
    """Reads one HTML text."""

    def __init__(self, max_lines: int) -> None:
        self.max_lines = max_lines
        self.count = 0
        self.lines: list[Line] = []
        self.rows: list[Row] = []
        #: The elements that are open, each with what it makes of the text in it; and how many of them do so.
        self.open: list[tuple[str, frozenset[str]]] = []
        self.inside: Counter[str] = Counter()
        self.text: list[str] = []
        self.striking = False

    def read(self, html: str) -> list[Line]:
        """The lines of the text."""
        position = 0
        while self.count < self.max_lines:
            start = html.find("<", position)
            if start < 0:
                self.words(html[position:])
                break
            if start > position:
                self.words(html[position:start])
            match = TAG.match(html, start)
            if match is None:
                position = self.oddity(html, start)
                continue
            position = match.end()
            name = match[2].lower()
            if match[1]:
                self.end(name)
            elif name in CODE:
                over = re.compile(f"</{name}", re.IGNORECASE).search(html, position)
                position = over.end() if over else len(html)
            else:
                self.begin(name, match[3])
        self.line()
        while self.rows:
            self.end_row()
        return self.lines

    def oddity(self, html: str, start: int) -> int:
        """Comments, declarations and stray `<`; where to go on."""
        if html.startswith("<!--", start):
            stop = html.find("-->", start + 4)
            return stop + 3 if stop >= 0 else len(html)
        if html[start + 1 : start + 2] in ("!", "?"):
            stop = html.find(">", start)
            return stop + 1 if stop >= 0 else len(html)
        self.text.append("<")
        return start + 1

    def words(self, text: str) -> None:
        """Text between tags."""
        if self.inside["hidden"]:
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
        text = visible("".join(self.text)[:MAX_LENGTH])
        self.text.clear()
        if not self.inside["keeps lines"]:
            text = text.removeprefix(" ")
        blank = not text.strip()
        if blank and not even_when_empty:
            return
        self.count += 1
        self.lines.append(Line(text, self.inside["quote"], self.inside["signature"] > 0))

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
        style, marks, cite = marks_of(attributes)
        if name in BLOCKS or name in TABLES:
            self.line()
        if name == "tr":
            self.begin_row()
        elif name in CELLS and self.rows:
            self.end_cell()
        if len(self.open) < MAX_OPEN:
            traits = {
                "row": name == "tr",
                "quote": name == "blockquote" and (cite or not NO_QUOTE.search(style)),
                "signature": SIGNATURES.search(marks),
                "hidden": name in UNSEEN or HIDDEN.search(style) or has_hidden(attributes),
                "keeps lines": name == "pre" or KEEPS_LINES.search(style),
                "struck": name in STRUCK or LINE_THROUGH.search(style),
            }
            self.open.append((name, frozenset(trait for trait, is_so in traits.items() if is_so)))
            self.inside.update(self.open[-1][1])

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

    def begin_row(self) -> None:
        """A table row begins; the one before it may have no end tag."""
        last = next((name for name, _ in reversed(self.open[-DEEPEST:]) if name in ("table", "tr")), "table")
        if last == "tr":
            self.end("tr")
        if len(self.rows) < MAX_ROWS:
            self.rows.append(Row(self.lines))
            self.lines = []

    def end_cell(self) -> None:
        """The lines so far are a cell."""
        row = self.rows[-1]
        if self.lines:
            row.cells.append(self.lines)
            self.lines = []

    def end_row(self) -> None:
        """One line a row, or the cells one below the other when one has several lines."""
        self.end_cell()
        row = self.rows.pop()
        self.lines = row.before
        cells = [[line for line in cell if line.text.strip()] for cell in row.cells]
        cells = [cell for cell in cells if cell]
        if len(cells) > 1 and all(len(cell) == 1 for cell in cells):
            first = cells[0][0]
            text = "  ".join(cell[0].text.strip() for cell in cells)
            self.lines.append(Line(text, first.depth, first.signature))
            return
        numbered = len(cells) > 1
        for cell in row.cells:
            if not (numbered and len(cell) == 1 and cell[0].text.strip(" .)").isdigit()):  # the row's number
                self.lines.extend(cell)


def has_hidden(attributes: str) -> bool:
    """Whether the attribute `hidden` is there."""
    return "hidden" in attributes and bool(HIDDEN_ATTRIBUTE.search(ATTRIBUTE.sub("", attributes)))


def marks_of(attributes: str) -> tuple[str, str, bool]:
    """The style, everything that names the element, and whether it says that it cites."""
    if "=" not in attributes:
        return "", "", False
    style, names, cite = "", [], False
    for name, value in ATTRIBUTE.findall(attributes):
        name = name.lower()
        value = value.strip("\"'")
        if name == "style":
            style = value
        elif name in ("id", "class", "name", "data-marker", "data-smartmail", "type"):
            names.append(value)
            cite = cite or value.lower() == "cite" or "quote" in value.lower()
    return style, " ".join(names), cite


def lines_of_html(html: str, max_lines: int) -> list[Line]:
    """What a person sees of this HTML, in lines."""
    lines = Reader(max_lines).read(html)
    marked = with_depths(line.text for line in lines)
    for line, mark in zip(lines, marked, strict=True):
        line.text = mark.text
        line.depth += mark.depth
    return lines
