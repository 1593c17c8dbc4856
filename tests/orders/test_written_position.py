"""Orders tried out in a written position."""

from __future__ import annotations

import pytest

from games.ankh_morpork.game import GAME
from games.goofspiel.game import GAME as GOOFSPIEL
from pbem.errors import ConfigError
from pbem.mail.handling.check import typed_in
from pbem.play.written import in_position

POSITION = "red* $10 holds groat, mr-boggis | green $5 holds 4 | The Shades R G !"


@pytest.mark.parametrize(
    ("typed", "outcome", "choices"),
    [
        (["play groat", "minion shades", "thanks"], "done", ["play Groat", "minion The Shades"]),
        (["play groat", "minion narnia"], "refused", []),
        (["play groat or boggis"], "asked", []),
        (["help"], "answered", []),
        (["Good evening!"], "nothing", []),
        (["~~play groat~~", "play boggis"], "done", ["play Mr Boggis", "scroll"]),
        (["play groat", "-- ", "Red B. | Librarian"], "done", ["play Groat"]),
    ],
)
def test_it_says_what_a_mail_comes_to(typed: list[str], outcome: str, choices: list[str]) -> None:
    result = in_position(GAME, POSITION, typed_in("\n".join(typed)))
    assert (result["outcome"], result["choices"]) == (outcome, choices)


def test_it_gives_each_part_of_the_text_and_the_mail_that_would_go_back() -> None:
    result = in_position(GAME, POSITION, typed_in("play groat, minion in bob's shades"), names={"Bob": "Green"})
    assert result["outcome"] == "refused"
    result = in_position(
        GAME, POSITION, typed_in("play groat; put a guy in the shades"), names={"Ann": "Red", "Bob": "Green"}
    )
    assert result["lines"] == [
        {"line": "play groat", "verdict": "done", "read_as": "play Groat"},
        {"line": "put a guy in the shades", "verdict": "done", "read_as": "minion The Shades"},
    ]
    assert "Green (Bob)" in result["answer"]


@pytest.mark.parametrize(("position", "colour"), [("red* $10 | Narnia R", None), (POSITION, "Purple")])
def test_what_is_not_in_the_notation_is_said(position: str, colour: str | None) -> None:
    with pytest.raises(ConfigError):
        in_position(GAME, position, typed_in("end"), colour=colour)


def test_a_game_without_a_notation_says_so() -> None:
    with pytest.raises(ConfigError):
        in_position(GOOFSPIEL, "", typed_in("bid 7"))


def test_an_order_given_for_several_stands_once_with_all_that_it_was_read_as() -> None:
    position = "red* $10 holds dwarves | green $5 holds 4 | The Shades R"
    result = in_position(GAME, position, typed_in("dwarves, both in the shades"))
    assert result["choices"] == ["play Dwarves", "minion The Shades", "minion The Shades"]
    assert "\n  >\n" not in result["answer"]


@pytest.mark.parametrize("name", ["Green", "green", "Green Al"])
def test_a_player_who_is_called_like_a_colour_is_not_meant_by_it(name: str) -> None:
    names = {"Ann": "Red", "Bob": "Green", name: "Blue"}
    position = "red* holds inigo-skimmer | green | blue | Dimwell G B !"
    result = in_position(GAME, position, typed_in("play Inigo Skimmer\nassassinate Green in Dimwell"), names=names)
    assert result["choices"][:2] == ["play Inigo Skimmer", "assassinate Green in Dimwell"]
