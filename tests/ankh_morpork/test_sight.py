"""What an area, a rival, a dollar and a marker are worth to a seat, on either side of where that changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.ankh_morpork.bot.sight import DREAD, Sight
from games.ankh_morpork.data.cards import AREA

Sit = Callable[..., Any]


def seen(table: Sit, position: str, goal: str = "lord-rust") -> Sight:
    """A position as Red sees it, who has this goal."""
    return Sight(table(f"red is {goal} | {position}").view("Red"))


def at(count: int, what: str) -> str:
    """So many areas with this in each."""
    return " | ".join(["turn 1", *(f"{area} {what}" for area in AREA[:count])])


@pytest.mark.parametrize(("last", "need"), [("green", 11), ("blue", 10), ("yellow", 9)])
def test_a_rival_is_feared_from_two_areas_before_the_spread_that_wins(table: Sit, last: str, need: int) -> None:
    none, calm, near, nearer = (
        seen(table, f"{last} | {at(count, 'G')}").spread["Green"] for count in (0, need - 3, need - 2, need - 1)
    )
    assert none == calm < near < nearer


@pytest.mark.parametrize(("last", "need"), [("green", 7), ("blue", 5), ("yellow", 4)])
def test_a_rival_is_feared_from_one_area_before_the_control_that_wins(table: Sit, last: str, need: int) -> None:
    none, calm, near, nearer = (
        seen(table, f"{last} | {at(count, 'G')}").control["Green"] for count in (0, need - 2, need - 1, need)
    )
    assert none == calm < near < nearer


def test_a_demon_hides_who_stands_in_an_area(table: Sit) -> None:
    assert seen(table, at(10, "G D")).spread == seen(table, "green").spread


def test_a_rival_is_feared_from_thirty_dollars_where_somebody_collects_them(table: Sit) -> None:
    none, calm, near = (seen(table, f"blue | green ${money}").danger("Green") for money in (0, 30, 31))
    assert none == calm < near
    assert seen(table, "green $31").danger("Green") == seen(table, "green").danger("Green")
    assert seen(table, "blue | green $30 | Dimwell [G]").danger("Green") > calm


def test_dollars_beyond_fifteen_are_worth_less_but_to_their_collector(table: Sit) -> None:
    few, some, more = (seen(table, f"red ${money}").aims.money for money in (0, 15, 16))
    assert few == some > more
    collected = [seen(table, f"blue | red ${money}", "chrysoprase").aims.money for money in (0, 40)]
    assert collected[0] == collected[1]


def test_the_marker_before_the_eighth_is_dreaded_most_but_by_their_collector(table: Sit) -> None:
    six, seven, eight = (-seen(table, at(count, "!")).aims.trouble for count in (6, 7, 8))
    assert six < DREAD < seven == eight
    wanted = [seen(table, at(count, "!"), "dragon-king-of-arms").aims.trouble for count in (0, 7)]
    assert wanted[0] == wanted[1] > 0


def test_a_lead_counts_up_to_two_pieces(table: Sit) -> None:
    sight = seen(table, "green")
    areas = [sight.areas["Dimwell"].put("Red")]
    for _ in range(3):
        areas.append(areas[-1].put("Red", quietly=True))
    quiet = [sight.worth(area) for area in areas]
    assert quiet[1] - quiet[0] == pytest.approx(sight.aims.minion + sight.aims.lead)
    assert quiet[2] - quiet[1] == pytest.approx(sight.aims.minion)


def test_an_area_is_worth_what_stands_in_it(table: Sit) -> None:
    sight = seen(table, "green")
    empty = sight.areas["Dimwell"]
    assert sight.worth(empty) == 0
    assert sight.worth(empty.build("Green")) < 0 < sight.worth(empty.build("Red"))
    assert sight.worth(empty.put("Green")) < 0 < sight.worth(empty.put("Red"))


def test_under_a_demon_only_what_a_rival_has_built_counts(table: Sit) -> None:
    area = (sight := seen(table, "green | Dimwell D")).areas["Dimwell"]
    assert sight.worth(area.build("Green")) < sight.worth(area.build("Red")) == 0


@pytest.mark.parametrize(
    ("pieces", "holder"),
    [
        ("R", ("Red", 1)),
        ("R2 G", ("Red", 1)),
        ("R G", (None, 0)),
        ("R T", (None, 0)),
        ("T", (None, 0)),
        ("R2 D", (None, 0)),
        ("G [R]", (None, 0)),
        ("R [R]", ("Red", 2)),
        ("", (None, 0)),
    ],
)
def test_an_area_is_held_by_who_has_more_than_each_other(table: Sit, pieces: str, holder: object) -> None:
    assert seen(table, f"green | Dimwell {pieces}").areas["Dimwell"].holder() == holder


def test_a_piece_brings_trouble_to_others_and_takes_it_away(table: Sit) -> None:
    sight = seen(table, "green | Dimwell G")
    taken = sight.areas["Dimwell"]
    assert taken.put("Red").trouble
    assert not taken.put("Red", quietly=True).trouble
    assert not sight.areas["Longwall"].put("Red").trouble
    assert not taken.put("Red").lift("Green").trouble


def test_a_seat_without_a_personality_can_be_played(table: Sit) -> None:
    assert Sight(table("red").view("Red")).aims.money > 0
