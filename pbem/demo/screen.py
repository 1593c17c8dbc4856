"""A mail as one screen of the terminal: what matters for a decision, and the map in the colours of its HTML part."""

import re
from collections.abc import Iterable, Mapping

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from pbem.demo.client import Received

#: A map beside the rest needs so many columns.
WIDE = 118
#: Lines of what happened that are shown; all of it is in the mail.
MOST_LINES = 9
#: The sections of a mail that are shown, in their order, where it has them.
STORY, OWN = ("yours", "story"), ("hand", "table")


def screen(mail: Received, console: Console) -> RenderableType:
    """A mail that asks for a decision in somebody's turn: whose move, what happened, the map, the hand, the table."""
    board = coloured(mail.map, mail.inks)
    beside = bool(board) and console.width >= WIDE
    room = console.width - (max(map(len, mail.map), default=0) + 2 if beside else 0)
    head = section(mail.head, mail.inks)
    story = cut(section(lines_of(mail, STORY), mail.inks), console, room)
    own = section(lines_of(mail, OWN), mail.inks)
    if not beside:
        return Group(*(part for part in (head, story, board, own) if part))
    columns = Table.grid(padding=(0, 1), expand=True)
    columns.add_column(no_wrap=True)
    columns.add_column(ratio=1)
    columns.add_row(board, Group(*(part for part in (head, story, own) if part)))
    return columns


def short(mail: Received, console: Console) -> RenderableType:
    """A mail of which only the news matter: how it begins, and what happened."""
    head = section(mail.head, mail.inks)
    story = cut(section(lines_of(mail, STORY), mail.inks), console, console.width)
    return Group(*(part for part in (head, story) if part))


def lines_of(mail: Received, marks: Iterable[str]) -> list[str]:
    return [line for mark in marks for line in mail.sections.get(mark, ())]


def section(lines: Iterable[str], inks: Mapping[str, str]) -> Text:
    """Lines with the names of colours in their colours."""
    text = Text("\n".join(lines))
    for name, style in inks.items():
        if len(name) > 2 and name.isalpha():  # `R2` and `!` mean a piece on the map alone
            text.highlight_regex(rf"\b{re.escape(name)}\b", style)
    return text


def coloured(lines: Iterable[str], inks: Mapping[str, str]) -> Text:
    """A map with its pieces in their colours."""
    text = Text("\n".join(lines), no_wrap=True)
    for mark, style in inks.items():
        text.highlight_regex(rf"(?<![^\s|]){re.escape(mark)}(?![^\s|])", style)
    return text


def cut(text: Text, console: Console, width: int) -> Text:
    """A text of at most `MOST_LINES` lines of this width."""
    lines = text.wrap(console, width)
    if len(lines) <= MOST_LINES:
        return text
    return Text("\n").join([*lines[: MOST_LINES - 1], Text("...")])
