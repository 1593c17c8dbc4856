"""A decision at the terminal: one compact screen, with the map in colour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from pbem.demo.client import Question, Received
from pbem.demo.screen import MOST_LINES, WIDE, screen, short

MAP = ("  R2 two Red minions   ! trouble", "+-------+-------+", "|! R2 B |  [B]  |", "+-------+-------+")
MAIL = Received(
    subject="[G001] your move",
    text="\n".join(("Ann, it is your move.", *MAP, "", "An end.")),
    message_id="<1@play.test>",
    reply_to="orders@play.test",
    question=Question("Which card?", ("play Groat",), buried=False),
    kind="report",
    head=("Ann, it is your move. You are Red.",),
    sections={
        "story": ("Blue built in Dimwell.",),
        "hand": ("Groat: minion",),
        "table": ("Red $10",),
        "else": ("No.",),
    },
    inks={
        "Red": "#ffffff on #c62828",
        "R2": "#ffffff on #c62828",
        "[B]": "#ffffff on #1565c0",
        "!": "#000000 on #ef6c00",
    },
)


def shown(mail: Received, width: int, what: Callable[..., object] = screen, colour: str | None = None) -> list[str]:
    """The lines of a screen so wide."""
    console = Console(width=width, file=StringIO(), force_terminal=True, color_system=colour, no_color=colour is None)  # type: ignore[arg-type]
    with console.capture() as captured:
        console.print(what(mail, console))
    return [line.rstrip() for line in captured.get().splitlines()]


def test_a_narrow_screen_has_the_parts_below_each_other() -> None:
    head, story, *board, hand, table = shown(MAIL, WIDE - 1)
    assert (head, story, hand, table) == (MAIL.head[0], "Blue built in Dimwell.", "Groat: minion", "Red $10")
    assert tuple(board) == MAP


def test_a_wide_screen_has_the_map_beside_the_rest() -> None:
    lines = shown(MAIL, WIDE)
    assert len(lines) == len(MAP)
    assert lines[0].startswith(MAP[0])
    assert lines[0].endswith(MAIL.head[0])


def test_a_mail_without_a_map_is_no_wider_for_it() -> None:
    assert shown(replace(MAIL, text="Ann, it is your move."), WIDE)[0] == MAIL.head[0]


def test_pieces_and_names_have_the_colours_of_the_mail_and_other_words_none() -> None:
    lines = shown(MAIL, 80, colour="truecolor")
    red, blue = "\x1b[38;2;255;255;255;48;2;198;40;40m", "\x1b[38;2;255;255;255;48;2;21;101;192m"
    assert f"{red}Red\x1b[0m." in lines[0]
    assert any(f"{red}R2\x1b[0m B" in line and f"{blue}[B]\x1b[0m" in line for line in lines)
    mail = replace(MAIL, head=("R2 and ! are no pieces here.",))
    assert shown(mail, 80, colour="truecolor")[0] == mail.head[0]


@pytest.mark.parametrize(("lines", "seen"), [(MOST_LINES, MOST_LINES), (MOST_LINES + 1, MOST_LINES)])
def test_a_long_story_is_cut(lines: int, seen: int) -> None:
    story = tuple(f"Turn {number}." for number in range(lines))
    told = shown(replace(MAIL, sections={"story": story}), 80, short)
    assert len(told) == 1 + seen
    assert (told[-1] == "...") == (lines > MOST_LINES)


def test_news_that_ask_nothing_are_shown_without_map_hand_and_table() -> None:
    assert shown(MAIL, 80, short) == [MAIL.head[0], "Blue built in Dimwell."]
