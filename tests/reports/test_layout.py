"""Lines of at most 72 columns, whatever people call themselves."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ankh_morpork.text import log
from pbem.orders.outcome import Line
from pbem.reports import layout
from pbem.reports.contexts import Acknowledgement, GameMail, Mail, Place, Question
from pbem.reports.render import Renderer

LONG = "Sir Reginald Featherstonehaugh-Cholmondeley of the Ramtops, Keeper of the Sacred Flame and the Other One"
UNBROKEN = "Wolfeschlegelsteinhausenbergerdorff" * 4
WIDE = "国王" * 40


def longest(text: str) -> int:
    return max(layout.columns(line) for line in text.splitlines())


def renamed(mail: Mail, name: str) -> Mail:
    """The same mail in a game of people with that name."""
    mail = replace(mail, player=name, game=name)
    if isinstance(mail, GameMail):
        mail = replace(mail, seats=tuple(Place(colour=place.colour, player=name) for place in mail.seats))
    return mail


@pytest.mark.parametrize("person", ["Rosie", LONG, UNBROKEN, WIDE])
def test_no_line_is_wider_than_72_columns(name: str, sample: Mail, person: str, renderer: Renderer) -> None:
    assert longest(renderer.render(renamed(sample, person)).text) <= layout.WIDTH


@given(words=st.text(max_size=300), indent=st.integers(0, 8), hang=st.integers(0, 12))
def test_a_paragraph_never_sticks_out(words: str, indent: int, hang: int) -> None:
    assert longest(layout.wrap(words, indent, hang) + ".") <= layout.WIDTH


@given(words=st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1, max_size=200))
def test_wrapping_loses_no_character(words: str) -> None:
    assert "".join(layout.wrap(words, 2).split()) == words


@given(st.lists(st.text(alphabet="abc d", max_size=40), min_size=1, max_size=6))
def test_boxes_fit_what_is_put_into_them(lines: list[str]) -> None:
    drawn = layout.brickwork([[(20, lines), (71, lines)], [(71, ["~"])]]).strip("\n").splitlines()
    assert {len(line) for line in drawn} == {72}


def test_a_long_line_of_a_player_is_wrapped_too(board: dict[str, object], renderer: Renderer) -> None:
    lines = (Line(text="x" * 900, verdict="refused"), Line(text="y " * 400, verdict="chat"))
    mail = renderer.render(Acknowledgement(**board, lines=lines, complete=False))  # type: ignore[arg-type]
    assert longest(mail.text) <= layout.WIDTH


def listed(board: dict[str, object], renderer: Renderer, options: tuple[str, ...]) -> list[str]:
    """What a short mail says may be done next."""
    question = Question(kind="target", options=options, facts=log.asked("Groat", "scroll"))
    mail = Acknowledgement(**board | {"question": question, "events": ()}, lines=(), complete=False)  # type: ignore[arg-type]
    text = renderer.render(mail).text
    return text[text.index("target ") :].splitlines()


@pytest.mark.parametrize(("count", "lines"), [(4, 4), (5, 1)])
def test_a_short_mail_lists_more_than_four_options_by_their_verb(
    count: int, lines: int, board: dict[str, object], renderer: Renderer
) -> None:
    options = tuple(f"target {letter}" for letter in "ABCDE"[:count])
    assert sum("A" in line or "target" in line for line in listed(board, renderer, options)) == lines


@pytest.mark.parametrize(("length", "shown"), [(40, True), (41, False)])
def test_a_short_mail_gives_an_example_of_what_there_is_no_room_for(
    length: int, shown: bool, board: dict[str, object], renderer: Renderer
) -> None:
    options = tuple(f"target {letter * length}" for letter in "ABCDEF")
    text = " ".join(" ".join(listed(board, renderer, options)).split())
    assert ("6 F" in text) == shown
    assert ('and 5 more: "report" lists them' in text) != shown
