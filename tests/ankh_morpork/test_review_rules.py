"""Rulings found by reading RULES.md against the engine, line by line: a sentence of the rules, and a position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.ankh_morpork.match import Match

Sit = Callable[..., Any]


def test_what_is_forced_is_remembered_until_the_next_choice(table: Sit) -> None:
    sat = table(
        "3 players | red* $4 holds burleigh-and-stronginthearm, groat | green holds 2 | blue holds 2 | Longwall G !"
    )
    sat.write("Red: play Burleigh & Stronginthearm")
    assert list(sat.match.forced) == []
    sat.write("Red: target Blue")
    assert [(d.seat, d.kind, d.options[0].text) for d in sat.match.forced] == [
        (0, "assassinate", "assassinate Green in Longwall")
    ]
    sat.settle()
    assert next((d.kind, d.options[0].text) for d in sat.match.forced if d.seat == 0) == ("building", "skip")


def test_a_symbol_that_cannot_be_done_is_remembered_as_skipped(table: Sit) -> None:
    sat = table("red* holds dr-cruces, groat | green holds 2 | Dimwell R").write("Red: play Dr Cruces")
    assert [(d.seat, d.kind, d.options[0].text) for d in sat.match.forced] == [(0, "assassinate", "skip")]


def test_the_only_card_is_asked_for_so_that_nobody_learns_that_the_rest_are_interrupts(table: Sit) -> None:
    """R-HID-1: who else is told at the end of a turn must not be told a card of the next hand."""
    sat = table(
        "red* holds groat, modo | green holds the-peeled-nuts, gaspode, susan, igor, wallace-sonky | Dimwell R"
    )
    sat.write("Red: play Groat", "Red: skip")
    assert (sat.decision.seat, sat.decision.kind, sat.offered()) == (1, "turn", ["play The Peeled Nuts"])
    assert sat.decision.auto is sat.decision.default is sat.decision.options[0]
    assert not [event for event in sat.happened("CardPlayed") if event.data["colour"] == "Green"]


def test_in_subsidence_nobody_chooses_when_every_building_goes(table: Sit) -> None:
    """R-EVT-SUB: the owner chooses only where some can be paid for."""
    sat = table(
        "red* $1 holds doctor-hix, groat | green $9 holds 2 | Dimwell R[R] | Nap Hill [R] | Longwall [R] | The Hippo [G]"
        " | events subsidence"
    )
    sat.write("Red: play Doctor Hix")
    assert (sat.decision.seat, sat.decision.kind) == (0, "trouble")
    assert [event.data["area"] for event in sat.happened("BuildingRemoved")] == [
        "Dimwell",
        "Longwall",
        "Nap Hill",
    ]
    assert sat.seat("Red")["money"] == 1
    assert sat.seat("Green")["money"] == 7


#: A symbol that cannot be done now, but could after the powers that are offered there: it does not go by itself.
HELPED: list[tuple[str, str, str]] = [
    ("a place in trouble, after a minion makes some", "$3 holds the-smoking-gnu, groat", "Dimwell R[R]"),
    ("a victim, when $2 more pay for a minion", "$2 holds dr-cruces, groat", "Dimwell G[R] | The Hippo [R]"),
    ("a marker to calm, when $1 more pays", "$2 holds buggy-swires, groat", "Dimwell R[R] | Nap Hill [R]"),
    ("a site, when money pays for calm", "$11 holds the-watch, groat", "Longwall R G ! | Isle of Gods [R] | Nap Hill [R] | The Hippo [R]"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "seat", "board"), HELPED, ids=[row[0] for row in HELPED])
def test_a_symbol_waits_for_the_powers_that_could_make_it_possible(
    table: Sit, what: str, seat: str, board: str
) -> None:
    """R-TRN-5"""
    sat = table(f"red* {seat} | green holds 2 | {board}")
    sat.write(sat_first(sat))
    assert sat.offered()[0] == "skip"
    assert sat.decision.auto is None


def sat_first(sat: Any) -> str:
    """The order that plays the first card that is not Groat."""
    return "Red: " + next(text for text in sat.offered() if text.startswith("play ") and text != "play Groat")


#: A symbol that no power offered can make possible: it goes by itself.
HELPLESS: list[tuple[str, str, str]] = [
    ("nothing to discard, and a drawn card must go again", "holds modo", "Unreal Estate [R]"),
    ("nothing to play, and a drawn card must go again", "holds pink-pussycat-club", "Unreal Estate [R]"),
    ("no building to burn, and money brings none", "holds the-fire-brigade, groat", "The Hippo [R]"),
    ("no hand to look at", "holds cable-street-particulars, groat", "The Hippo [R] "),
    ("no victim, and money alone brings none", "holds dr-cruces, groat", "Dimwell R | The Hippo [R]"),
]


@pytest.mark.parametrize(("what", "seat", "board"), HELPLESS, ids=[row[0] for row in HELPLESS])
def test_a_symbol_that_no_power_makes_possible_goes_by_itself(
    table: Sit, what: str, seat: str, board: str
) -> None:
    """R-TRN-5"""
    sat = table(f"2 players | red* {seat} | {board}")
    sat.write(sat_first(sat))
    if "nothing to play" in what:
        sat.write("Red: money")
    assert sat.offered()[0] == "skip"
    assert sat.decision.auto is sat.decision.options[0]


#: Every seat that a window's public trigger concerns, whatever it holds.
CONCERNED: list[tuple[str, str, tuple[int, ...], tuple[str, ...], tuple[int, ...]]] = [
    ("the Dragon asks everybody who stands there", "holds doctor-hix, groat | Dimwell R G B | events the-dragon", (8,), (), (0, 1, 2)),
    ("Hubert asks the payer and the payee", "holds hubert, groat | blue $3", (), ("Blue pays Green",), (1, 2)),
    ("Burleigh asks the payee, then the victim", "$4 holds burleigh-and-stronginthearm, groat | Dimwell B G !", (), ("target Blue", "assassinate Green in Dimwell"), (2, 1)),
    ("The Bursar asks both owners", "holds the-bursar, groat | Dimwell B | Longwall G | events riots", (), ("swap Blue in Dimwell with Green in Longwall",), (1, 2)),
    ("Mr Boggis asks all who have money", "holds mr-boggis, groat | green $1 | blue $1", (), ("scroll",), (1, 2)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "given", "dice", "orders", "seats"), CONCERNED, ids=[row[0] for row in CONCERNED]
)
def test_a_window_names_everybody_it_concerns(
    table: Sit,
    what: str,
    given: str,
    dice: tuple[int, ...],
    orders: tuple[str, ...],
    seats: tuple[int, ...],
) -> None:
    """R-INT-2, R-HID-2"""
    sat = table(f"3 players | red* {given} | green holds 2 | blue holds 2", dice)
    sat.write(sat_first(sat), *(f"Red: {order}" for order in orders))
    asked = []
    while sat.decision.window:
        asked.append((sat.decision.seat, sat.decision.seats))
        sat.events += sat.match.choose(sat.decision.seat, sat.decision.default)
    assert asked == [(seat, seats) for seat in seats]


def test_the_start_of_a_turn_is_found_without_its_choices(table: Sit) -> None:
    match = Match.from_position("red* holds errol, groat | green holds 2 | Dimwell R", dice=(7,))
    start = match.snapshot()
    match.choose(match.pending[0].seat, match.pending[0].option("play Errol"))
    match.choose(match.pending[0].seat, match.pending[0].option("scroll"))
    broken = match.snapshot() | {"digest": "", "choices": [[0, "play Death", []]]}
    assert Match.turn_start(broken).snapshot() == start
