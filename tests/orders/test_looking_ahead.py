"""What is read of a mail, refused or shown in a preview never depends on what lies behind a reveal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.ankh_morpork import GAME
from games.ankh_morpork.match import Match
from pbem.orders import referee
from pbem.orders.outcome import Outcome
from pbem.protocol import Seat

RED = Seat(0)
CITY = "Dimwell R B ! | The Hippo B | Small Gods R[R]"
#: A position with what is hidden left open, what may be hidden there, and mails that reach past a reveal.
HIDDEN: dict[str, tuple[str, list[dict[str, str]], list[list[str]]]] = {
    "the cards that are drawn next": (
        f"red* $2 holds moist-von-lipwig | blue $3 holds 4 | {CITY} | draw {{}}, 30",
        [{"": cards} for cards in ("groat, modo", "gaspode, susan", "hex, rincewind", "doctor-mossy-lawn, groat")],
        [
            ["play Moist von Lipwig", "minion Dimwell", "play Groat"],
            ["play Moist von Lipwig", "minion Dimwell", "play Groat?"],
            ["play Moist von Lipwig", "minion Dimwell", "Grot", "end"],
            ["play Moist von Lipwig", "minion Dimwell", "interrupt Doctor Mossy Lawn"],
            ["Moist, Dimwell, xyzzy"],
        ],
    ),
    "whether the doctor is drawn, so that the turn goes on": (
        f"red* $2 holds leonard-of-quirm, groat | blue $3 holds 4 | {CITY} | draw {{}}, 30",
        [{"": cards} for cards in ("hex, rincewind, modo, susan", "hex, modo, doctor-mossy-lawn, susan")],
        [
            ["play Leonard of Quirm", "assassinate Blue in Dimwell"],
            ["play Leonard of Quirm", "scroll", "end", "minion Dimwell"],
            ["play Leonard of Quirm", "scroll", "play Groat"],
        ],
    ),
    "the die": (
        f"red* $2 holds errol, gaspode | blue $3 holds groat | {CITY}",
        [{"dice": dice} for dice in ("1", "2", "7")],
        [
            ["play Errol", "scroll", "remove Blue in Dimwell"],
            ["play Errol", "scroll", "remove Blue in Dimwell", "end"],
            ["play Errol", "scroll", "remove Red in Dimwell", "remove Blue in The Hippo"],
            ["play Errol", "scroll", "minion Dimwell"],
        ],
    ),
    "the die that may end a turn": (
        f"red* $2 holds cmot-dibbler | blue $3 holds groat | {CITY}",
        [{"dice": dice} for dice in ("1", "2", "7")],
        [["play CMOT Dibbler", "scroll", "pay"], ["play CMOT Dibbler", "pay", "end"]],
    ),
    "the hand that is taken over": (
        f"red* $2 holds the-chair-of-indefinite-studies | blue $3 holds {{}} | {CITY} | events subsidence",
        [{"": cards} for cards in ("groat", "gaspode", "hex")],
        [
            ["play The Chair of Indefinite Studies", "target Blue", "play Groat"],
            ["play The Chair of Indefinite Studies", "target Blue", "play Groat?", "end"],
        ],
    ),
    "the event": (
        f"red* $6 holds the-chair-of-indefinite-studies, groat | blue $3 holds 4 | {CITY} | events {{}}",
        [{"": event} for event in ("fire", "fog", "riots", "demons-from-the-dungeon-dimensions", "subsidence")],
        [
            ["play The Chair of Indefinite Studies", "protect Red in Dimwell", "end"],
            ["play The Chair of Indefinite Studies", "skip", "play Groat", "minion Dimwell"],
            ["play The Chair of Indefinite Studies", "minion Dimwell"],
        ],
    ),
    "who holds an interrupt": (
        f"red* $2 holds dr-cruces, groat | blue $3 holds {{}}, 3 | {CITY} | Longwall B !",
        [{"": card} for card in ("gaspode", "fresh-start-club", "modo")],
        [
            ["play Dr Cruces", "assassinate Blue in Dimwell", "assassinate Blue in Dimwell"],
            ["play Dr Cruces", "assassinate Blue in Dimwell", "skip", "end"],
            ["play Dr Cruces", "assassinate Blue in Dimwell", "Longwall too?"],
        ],
    ),
    "the refilled hand": (
        f"red* $2 holds groat | blue $3 holds 4 | {CITY} | draw {{}}, 30",
        [{"": cards} for cards in ("modo, hex", "gaspode, susan")],
        [
            ["play Groat", "minion Dimwell", "play Modo"],
            ["play Groat", "minion Dimwell", "end", "play Hex"],
            ["play Groat", "minion Dimwell", "modo?"],
        ],
    ),
}
CASES = [
    pytest.param(position, others, lines, id=f"{what}: {' / '.join(lines)}")
    for what, (position, others, mails) in HIDDEN.items()
    for lines in mails
]


def match_of(position: str, hidden: dict[str, str]) -> Match:
    return Match.from_position(position.format(hidden.get("")), [int(hidden["dice"])] if "dice" in hidden else ())


def told(outcome: Outcome) -> Any:
    """What a person is told of it; of orders that revealed something, that they did."""
    if outcome.revealed:
        return "revealed"
    return replace(outcome, match=None, ahead=None)  # type: ignore[arg-type]


@pytest.mark.parametrize(("position", "others", "lines"), CASES)
def test_whether_a_mail_is_carried_out_depends_on_nothing_hidden(
    position: str, others: list[dict[str, str]], lines: list[str]
) -> None:
    outcomes = [told(referee.carry_out(GAME, match_of(position, hidden), RED, lines)) for hidden in others]
    assert all(outcome == outcomes[0] for outcome in outcomes)


@pytest.mark.parametrize(("position", "others", "lines"), CASES)
def test_a_preview_depends_on_nothing_hidden(position: str, others: list[dict[str, str]], lines: list[str]) -> None:
    outcomes = [told(referee.preview(GAME, match_of(position, hidden), RED, lines)) for hidden in others]
    assert all(str(outcome) == str(outcomes[0]) for outcome in outcomes)


def test_orders_for_which_the_turn_has_no_room_are_refused_where_its_end_can_be_foreseen() -> None:
    match = Match.from_position(f"red* $2 holds groat, modo | blue $3 holds 4 | {CITY}")
    assert not referee.carry_out(GAME, match, RED, ["play Groat", "minion Dimwell", "minion The Hippo"]).changed
