"""Text of at most 72 columns: wrapping, tables in words, and boxes. Knows no words and no game."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

#: Where a sentence ends.
SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z(\"])")
#: The widest line of a text part.
WIDTH = 72

#: Stands for a blank that no line is broken at.
GLUE = "\x01"
#: Alone on a line: a blank line that stays. All other blank lines of a template's output are dropped.
BLANK = "\x02"


def columns(text: str) -> int:
    """How many columns a text takes in a fixed-width font."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def cut(text: str, room: int) -> str:
    """The text, or its beginning and three dots, in at most `room` columns."""
    if columns(text) <= room:
        return text
    while columns(text) > max(room - 3, 0):
        text = text[:-1]
    return (text.rstrip() + "...")[:room]


def sentences(text: str, room: int) -> str:
    """The first sentences of a text that fit into `room` columns; of a longer first one its beginning."""
    whole = SENTENCE.split(text)
    kept = whole[0]
    for sentence in whole[1:]:
        if columns(kept) + 1 + columns(sentence) > room:
            break
        kept += f" {sentence}"
    return cut(kept, room)


def pieces(word: str, room: int) -> list[str]:
    """A word cut into pieces that fit."""
    fitting = []
    while columns(word) > room:
        size = room
        while columns(word[:size]) > room:
            size -= 1
        fitting.append(word[:size])
        word = word[size:]
    return [*fitting, word]


def wrapped(text: str, first: str = "", rest: str = "", width: int = WIDTH) -> list[str]:
    """The words of `text` in lines no wider than `width`; `first` and `rest` begin the lines."""
    if text.isascii() and columns(first) + len(text) <= width:
        return [first + " ".join(text.split())]
    lines, line, bare = [], first, True
    narrowest = width - max(columns(first), columns(rest))
    for word in text.split():
        for part in pieces(word, narrowest):
            if not bare and columns(line) + 1 + columns(part) > width:
                lines.append(line)
                line, bare = rest, True
            line += part if bare else " " + part
            bare = False
    return [*lines, line]


def wrap(text: object, indent: int = 0, hang: int | None = None, label: str = "") -> str:
    """A paragraph: `label` in the first line, `hang` columns before the others."""
    rest = " " * (indent if hang is None else hang)
    first = " " * indent + label
    if label:
        first = first.rstrip() + " "
        first += " " * (len(rest) - columns(first))
    return "\n" + "\n".join(wrapped(str(text), first, rest)) + "\n"


def glue(text: object) -> str:
    """The text kept on one line, if it is short enough."""
    words = str(text)
    return words.replace(" ", GLUE) if len(words) <= 48 else words


def records(rows: Sequence[Sequence[object]], indent: int = 2) -> str:
    """A table in words, for any font: each row begins with its first cell, and says the others behind their heads, which
    are the first row. Cells that are empty are left out."""
    heads, *rest = [[str(cell).strip() for cell in row] for row in rows]
    lines = ""
    for first, *cells in rest:
        said = [f"{head} {cell}".strip() for head, cell in zip(heads[1:], cells, strict=True) if cell]
        words = cells[0] if len(cells) == 1 else "; ".join(said)
        lines += wrap(f"{first}: {words}", indent, indent + 2)
    return lines


def brickwork(rows: Sequence[Sequence[tuple[int, Sequence[str]]]]) -> str:
    """Boxes laid like bricks: each row is a list of (column of the right-hand edge, lines inside).

    A line that is one character, such as `~`, fills the box from edge to edge.
    """
    width = max(edge for row in rows for edge, _ in row) + 1
    drawn: list[str] = []
    above: set[int] = set()
    for row in rows:
        below = {0, *(edge for edge, _ in row)}
        drawn.append(border(width, above | below))
        above = below
        height = max(len(lines) for _, lines in row)
        for at in range(height):
            line = "|"
            for edge, lines in row:
                room = edge - len(line)
                inside = lines[at] if at < len(lines) else ""
                if len(inside) == 1 and not inside.isalnum():
                    inside *= room
                line += cut(inside, room).ljust(room) + "|"
            drawn.append(line)
    drawn.append(border(width, above))
    return "\n" + "\n".join(drawn) + "\n"


def border(width: int, corners: Iterable[int]) -> str:
    marks = set(corners)
    return "".join("+" if at in marks else "-" for at in range(width))


def finish(output: str) -> str:
    """A template's output as a text part: blank lines only where they were asked for."""
    lines: list[str] = []
    for line in output.split("\n"):
        line = line.rstrip()
        if line.strip() == BLANK:
            if lines and lines[-1]:
                lines.append("")
        elif line:
            lines.append(line)
    return "\n".join(lines).replace(GLUE, " ").strip("\n") + "\n"
