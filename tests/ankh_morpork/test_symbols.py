"""Symbols: what is asked, what goes by itself, and what waits for the powers (R-TRN-5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

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
    sat = table("red* holds groat, modo | green holds the-peeled-nuts, gaspode, susan, igor, wallace-sonky | Dimwell R")
    sat.write("Red: play Groat", "Red: skip")
    assert (sat.decision.seat, sat.decision.kind, sat.offered()) == (1, "turn", ["play The Peeled Nuts"])
    assert sat.decision.auto is sat.decision.default is sat.decision.options[0]
    assert not [event for event in sat.happened("CardPlayed") if event.data["colour"] == "Green"]


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
def test_a_symbol_that_no_power_makes_possible_goes_by_itself(table: Sit, what: str, seat: str, board: str) -> None:
    """R-TRN-5"""
    sat = table(f"2 players | red* {seat} | {board}")
    sat.write(sat_first(sat))
    if "nothing to play" in what:
        sat.write("Red: money")
    assert sat.offered()[0] == "skip"
    assert sat.decision.auto is sat.decision.options[0]
