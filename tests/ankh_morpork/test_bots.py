"""The bots: they see a View and a Decision, play to their goal, and bring every game to an end."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from games.ankh_morpork import GAME
from games.ankh_morpork.bot.bots import bot

Sit = Callable[..., Any]
CHANCE = bytes(32)


def taken(table: Any) -> str:
    """What the bot of the seat that is asked takes."""
    return bot(table.match.view(table.decision.seat), table.decision, CHANCE).text


def played_by_bots(seats: int, name: str) -> Any:
    """A whole game between bots."""
    match = GAME.new(seats, hashlib.sha256(name.encode()).digest(), {})
    for step in range(2000):
        if not match.pending:
            break
        chance = hashlib.sha256(f"{name} {step}".encode()).digest()
        match.choose(match.pending[0].seat, bot(match.view(match.pending[0].seat), match.pending[0], chance))
    return match


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", ["ankh", "morpork", "quirm", "lancre"])
def test_a_game_between_bots_ends(seats: int, name: str) -> None:
    assert played_by_bots(seats, name).result is not None


def test_the_same_chance_gives_the_same_game() -> None:
    assert played_by_bots(3, "sto lat").digest() == played_by_bots(3, "sto lat").digest()


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_personality_wins_sometimes(seats: int) -> None:
    won: set[str] = set()
    there_are = 6 if seats == 2 else 7
    number = 0
    while len(won) < there_are and number < 80:
        number += 1
        match = played_by_bots(seats, f"balance {number}")
        dealt = match.result.details["seats"]
        won |= {dealt[winner]["personality"] for winner in match.result.winners}
    assert len(won) == there_are


def test_free_money_is_taken_before_anything_else(table: Sit) -> None:
    assert taken(table("red* is lord-rust holds groat, modo | The Hippo [R]")) == "use The Hippo"


def test_vetinari_spreads_out(table: Sit) -> None:
    sat = table(
        "red* is lord-vetinari holds groat, modo | Dimwell R | Longwall R | The Shades R | The Scours D"
    )
    assert taken(sat.write("Red: play Groat")) in (
        "minion Isle of Gods",
        "minion Seven Sleepers",
        "minion The Hippo",
    )


def test_the_dragon_king_makes_trouble_and_does_not_calm_it(table: Sit) -> None:
    sat = table("red* is dragon-king-of-arms holds dwarves, buggy-swires | Dimwell R | Longwall R !")
    assert taken(sat) == "play Dwarves"
    assert taken(sat.write("Red: play Dwarves")) == "minion Dimwell"


def test_a_lord_takes_another_area_before_strengthening_one(table: Sit) -> None:
    sat = table("red* is lord-rust holds groat, modo | Dimwell R2 | green holds 2")
    assert taken(sat.write("Red: play Groat")) != "minion Dimwell"


def test_the_eighth_trouble_is_feared(table: Sit) -> None:
    markers = (
        "Dimwell ! | Nap Hill ! | Isle of Gods ! | Small Gods ! | The Hippo ! | The Shades ! | The Scours !"
    )
    sat = table(f"red* is lord-rust holds buggy-swires, gimlets-dwarf-delicatessen | {markers}")
    assert taken(sat.write("Red: play Buggy Swires")).startswith("calm ")


def test_a_minion_is_saved_with_an_interrupt(table: Sit) -> None:
    sat = table("red* holds mr-gryle, groat | green is lord-rust holds gaspode | Dimwell R G !")
    sat.write("Red: play Mr Gryle", "Red: assassinate Green in Dimwell")
    assert taken(sat) == "interrupt Gaspode"


def test_small_gods_is_paid_for_a_dear_building(table: Sit) -> None:
    given = "red* holds doctor-hix, groat | green $9 is chrysoprase | Small Gods [G] | Nap Hill [G] | events explosion"
    assert (
        taken(table(f"3 players | {given}", (12,)).write("Red: play Doctor Hix"))
        == "protect building in Nap Hill"
    )


def test_nothing_is_thrown_away_for_nothing(table: Sit) -> None:
    sat = table("red* is lord-rust holds modo, groat, susan | Dimwell R")
    assert taken(sat.write("Red: play Modo")) == "skip"
