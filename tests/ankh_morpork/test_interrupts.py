"""R-INT-6: which interrupts answer what. Green holds every interrupt, and money for the Small Gods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.ankh_morpork.data.cards import CARDS
from games.ankh_morpork.rules.interrupts import answering

NAMES = {card.id: card.name for card in CARDS}
ALL = "gaspode, susan, fresh-start-club, igor, wallace-sonky, doctor-mossy-lawn"
REMOVED = ["Fresh Start Club", "Gaspode", "Igor", "Susan"]
BY_EVENT = ["Fresh Start Club", "Igor", "Susan"]
HIT = "| Small Gods [G] | Dimwell R G [G] ! | events {}"

THREATS: list[tuple[str, str, tuple[int, ...], tuple[str, ...], list[str]]] = [
    ("an assassination", "mr-gryle | Dimwell R G !", (), ("assassinate Green in Dimwell",), REMOVED),
    (
        "a scroll that removes a minion",
        "the-dean | Unreal Estate G | events riots",
        (),
        ("remove Green in Unreal Estate",),
        [*REMOVED, "Wallace Sonky"],
    ),
    (
        "a scroll that moves a minion",
        "the-duckman | Dimwell G",
        (),
        ("move Green from Dimwell to Longwall",),
        ["Gaspode", "Wallace Sonky"],
    ),
    (
        "a scroll that swaps minions",
        "the-bursar | Dimwell G | Longwall R | events riots",
        (),
        ("swap Green in Dimwell with Red in Longwall",),
        ["Gaspode", "Wallace Sonky"],
    ),
    ("a scroll that takes money", "nobby-nobbs", (), ("target Green",), ["Wallace Sonky"]),
    ("a scroll that takes money of all", "mr-boggis", (), ("scroll",), ["Wallace Sonky"]),
    ("a scroll that takes cards", "the-beggars-guild", (), ("target Green",), ["Wallace Sonky"]),
    ("a scroll that looks at cards", "cable-street-particulars", (), ("target Green",), ["Wallace Sonky"]),
    ("a scroll that steals cards", "stanley", (), ("target Green",), ["Wallace Sonky"]),
    (
        "a scroll that swaps hands",
        "the-chair-of-indefinite-studies | events riots",
        (),
        ("target Green",),
        ["Wallace Sonky"],
    ),
    ("a scroll that burns", "the-fire-brigade | Dimwell [G]", (), ("target Green",), ["Wallace Sonky"]),
    ("a scroll that buys", "reacher-gilt | Dimwell [G] !", (), ("buy Dimwell",), ["Wallace Sonky"]),
    ("a scroll that sticks", "dr-whiteface", (), ("target Green",), ["Wallace Sonky"]),
    (
        "a scroll that pays",
        "hobsons-livery-stable | Dimwell R",
        (),
        ("target Green", "move Red from Dimwell to Longwall"),
        ["Wallace Sonky"],
    ),
    ("a scroll that sells", "rosie-palm", (), ("skip", "target Green", "give Groat"), ["Wallace Sonky"]),
    ("the Dragon", "doctor-hix | Dimwell G ! | events the-dragon", (8,), (), BY_EVENT),
    ("Mysterious Murders", "doctor-hix | Dimwell G | events mysterious-murders", (8,), (), BY_EVENT),
    ("Bloody Stupid Johnson", "doctor-hix | Dimwell G [G] | events bloody-stupid-johnson", (8,), (), BY_EVENT),
]


@pytest.mark.parametrize(("what", "given", "dice", "orders", "answers"), THREATS, ids=lambda row: str(row)[:40])
def test_a_threat_is_answered_by_these_cards_alone(
    table: Callable[..., Any], what: str, given: str, dice: tuple[int, ...], orders: tuple[str, ...], answers: list[str]
) -> None:
    card, _, board = given.partition(" ")
    sat = table(f"3 players | red* $9 holds {card}, groat, modo | green $9 holds {ALL} {board}", dice)
    sat.write(f"Red: play {NAMES[card]}", *(f"Red: {order}" for order in orders))
    assert sat.decision.window
    assert sat.decision.seat == 1
    assert sorted(sat.offered()) == sorted([*(f"interrupt {name}" for name in answers), "pass"])
    assert sorted(answering(sat.decision.facts)) == sorted(answers)


@pytest.mark.parametrize("die", [1])
def test_ones_own_card_is_answered_by_susan_fresh_start_club_and_igor(table: Callable[..., Any], die: int) -> None:
    sat = table(f"red* holds errol, groat, {ALL} | Dimwell R | green holds 2", (die,))
    sat.write("Red: play Errol", "Red: scroll")
    assert sorted(sat.offered()) == sorted([*(f"interrupt {name}" for name in BY_EVENT), "pass"])
    assert sorted(answering(sat.decision.facts)) == sorted(BY_EVENT)


@pytest.mark.parametrize(
    ("event", "dice", "protected"),
    [
        ("the-dragon", (8,), ["protect Green in Dimwell", "protect building in Dimwell"]),
        ("flood", (8, 3), ["protect Green in Dimwell"]),
        ("explosion", (8,), ["protect building in Dimwell"]),
        ("earthquake", (8, 4), ["protect building in Dimwell", "protect building in Small Gods"]),
        ("bloody-stupid-johnson", (8,), ["protect Green in Dimwell", "protect card in Dimwell"]),
        ("demons-from-the-dungeon-dimensions", (8, 9, 9, 9), ["protect Dimwell"]),
        ("fire", (8, 1), ["protect building in Dimwell"]),
    ],
)
def test_small_gods_answers_events(
    table: Callable[..., Any], event: str, dice: tuple[int, ...], protected: list[str]
) -> None:
    sat = table(f"red* holds doctor-hix, groat | green $9 holds {ALL} {HIT.format(event)}", dice)
    sat.write("Red: play Doctor Hix")
    assert sat.decision.seat == 1
    assert sorted(sat.offered()) == sorted([*protected, "pass"])
    assert answering(sat.decision.facts) == ("Small Gods",)


@pytest.mark.parametrize("event", ["trolls", "subsidence", "fog", "riots"])
def test_small_gods_is_not_offered_against_what_hits_no_piece(table: Callable[..., Any], event: str) -> None:
    sat = table(f"red* holds doctor-hix, groat | green $9 holds {ALL} {HIT.format(event)}", (8, 8, 8))
    sat.write("Red: play Doctor Hix")
    assert not sat.decision.window


#: Every seat that a window's public trigger concerns, whatever it holds.
CONCERNED: list[tuple[str, str, tuple[int, ...], tuple[str, ...], tuple[int, ...]]] = [
    ("the Dragon asks everybody who stands there", "holds doctor-hix | Dimwell R G B | events the-dragon", (8,), (), (0, 1, 2)),
    ("Hubert asks the payer and the payee", "holds hubert | blue $3", (), ("Blue pays Green",), (1, 2)),
    ("Burleigh asks the payee, then the victim", "$4 holds burleigh-and-stronginthearm | Dimwell B G !", (), ("target Blue", "assassinate Green in Dimwell"), (2, 1)),
    ("The Bursar asks both owners", "holds the-bursar | Dimwell B | Longwall G | events riots", (), ("swap Blue in Dimwell with Green in Longwall",), (1, 2)),
    ("Mr Boggis asks all who have money", "holds mr-boggis | green $1 | blue $1", (), ("scroll",), (1, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("what", "given", "dice", "orders", "seats"), CONCERNED, ids=[row[0] for row in CONCERNED])
def test_a_window_names_everybody_it_concerns(
    table: Callable[..., Any],
    what: str,
    given: str,
    dice: tuple[int, ...],
    orders: tuple[str, ...],
    seats: tuple[int, ...],
) -> None:
    """R-INT-2, R-HID-2"""
    sat = table(f"3 players | red* {given} | green holds 2 | blue holds 2", dice)
    sat.write("Red: play *", *(f"Red: {order}" for order in orders))
    asked = []
    while sat.decision.window:
        asked.append((sat.decision.seat, sat.decision.seats))
        sat.events += sat.match.choose(sat.decision.seat, sat.decision.default)
    assert asked == [(seat, seats) for seat in seats]


def test_in_subsidence_nobody_chooses_when_every_building_goes(table: Callable[..., Any]) -> None:
    """R-EVT-SUB: the owner chooses only where some can be paid for."""
    sat = table(
        "red* $1 holds doctor-hix, groat | green $9 holds 2 | Dimwell R[R] | Nap Hill [R] | Longwall [R] | The Hippo [G]"
        " | events subsidence"
    )
    sat.write("Red: play Doctor Hix")
    assert (sat.decision.seat, sat.decision.kind) == (0, "trouble")
    assert [event.data["area"] for event in sat.happened("BuildingRemoved")] == ["Dimwell", "Longwall", "Nap Hill"]
    assert sat.seat("Red")["money"] == 1
    assert sat.seat("Green")["money"] == 7
