"""The bot sees a View and a Decision, plays to its goal, and brings every game to an end."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.ankh_morpork import GAME
from games.ankh_morpork.bot.choose import bot
from games.ankh_morpork.data.cards import AREAS, CARDS, EVENTS, PERSONALITIES
from games.ankh_morpork.match import Match
from pbem.protocol import Decision, Option, View

Sit = Callable[..., Any]
Answer = Callable[[View, Decision], Option]
CHANCE = bytes(32)
#: Every kind of decision there is.
KINDS = (
    "area assassinate building burn buy calm close dibbler discard flood give keep minion money move pay payment play "
    "react relocate remove scroll subsidence swap target tribute trouble turn"
)


def answered(match: Any, answer: Answer) -> Iterator[Decision]:
    """Each decision of a match to its end, after it was answered."""
    while match.pending:
        decision = match.pending[0]
        match.choose(decision.seat, answer(match.view(decision.seat), decision))
        yield decision


def taken(table: Any, chance: bytes = CHANCE) -> str:
    """What the bot of the seat that is asked takes."""
    return bot(table.match.view(table.decision.seat), table.decision, chance).text


def played_by_bots(seats: int, name: str) -> Any:
    """A whole game between bots."""
    match = GAME.new(seats, hashlib.sha256(name.encode()).digest(), {})
    steps = iter(range(2000))

    def answer(view: View, decision: Decision) -> Option:
        return bot(view, decision, hashlib.sha256(f"{name} {next(steps)}".encode()).digest())

    assert list(answered(match, answer))
    return match


def somewhere(chance: Random) -> str:
    """A legal position by chance, in the notation: any hands, any goals or none, any pieces anywhere."""
    seats = chance.randint(2, 4)
    cards = [card.id for card in CARDS if card.two_players or seats > 2]
    people = [person.id for person in PERSONALITIES if person.min_players <= seats]
    chance.shuffle(cards)
    chance.shuffle(people)
    events = ",".join(chance.sample([event.id for event in EVENTS], len(EVENTS)))
    parts = [f"{seats} players", f"events {events}", f"discards {','.join(cards.pop() for _ in range(4))}"]
    for colour in ("red", "green", "blue", "yellow")[:seats]:
        goal = f"is {people.pop()}" if chance.random() < 0.9 else ""
        hand = ",".join(cards.pop() for _ in range(chance.randint(0, 14)))
        parts.append(f"{colour} {goal} holds {hand} ${chance.choice((0, 3, 9, 40))}")
    for area in AREAS:
        pieces = [letter for letter in "RGBY"[:seats] if chance.random() < 0.5]
        pieces += chance.choices(("T", "D", "!", "gone", ""), (1, 1, 4, 1, 4))
        building = f"[{chance.choice('RGBY'[:seats])}]" if chance.random() < 0.5 else ""
        parts.append(f"{area.name} {building} {' '.join(pieces)}")
    return " | ".join(parts)


def asked_about(chance: Random, most: int) -> Iterator[Decision]:
    """The decisions of a match that begins anywhere, while the bot says what it would take and chance decides."""

    def answer(view: View, decision: Decision) -> Option:
        assert bot(view, decision, chance.randbytes(32)) in decision.options
        return chance.choice(decision.options)

    for _, decision in zip(range(most), answered(Match.from_position(somewhere(chance)), answer), strict=False):
        yield decision


def calls_of(function: Callable[[], object]) -> int:
    """How many Python functions are called by a call."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(None)
    return calls


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**64))
def test_from_anywhere_the_bot_takes_one_of_the_options(seed: int) -> None:
    list(asked_about(Random(seed), 12))


def test_the_bot_answers_every_kind_of_decision() -> None:
    asked = {decision.kind for seed in range(60) for decision in asked_about(Random(seed), 40)}
    assert " ".join(sorted(asked)) == KINDS


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**64))
def test_a_decision_costs_no_more_than_a_look_at_each_thing_that_can_be_done(seed: int) -> None:
    match = Match.from_position(somewhere(Random(seed)))
    assume(match.result is None)
    decision = next(answered(match.fork(), lambda view, decision: decision.options[0]))
    view = match.view(decision.seat)
    symbols = [today for card in view["private"]["hand"] for today in card["today"]]
    things = len(decision.options) + sum(1 + len(symbol["targets"]) for symbol in symbols)
    assert calls_of(lambda: bot(view, decision, CHANCE)) < 300 + 30 * things


def test_two_cards_that_bring_each_other_are_not_looked_into_for_ever(table: Sit) -> None:
    given = "red* $9 is lord-vetinari holds drumknott,ponder-stibbons | green $9 is lord-rust holds groat"
    assert taken(table(f"2 players | {given}")).startswith("play ")


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
    sat = table("red* is lord-vetinari holds groat, modo | Dimwell R | Longwall R | The Shades R | The Scours D")
    assert taken(sat.write("Red: play Groat")) in ("minion Isle of Gods", "minion Seven Sleepers", "minion The Hippo")


def test_the_dragon_king_makes_trouble_and_does_not_calm_it(table: Sit) -> None:
    sat = table("red* is dragon-king-of-arms holds dwarves, buggy-swires | Dimwell R | Longwall R !")
    assert taken(sat) == "play Dwarves"
    assert taken(sat.write("Red: play Dwarves")) == "minion Dimwell"


def test_a_lord_takes_another_area_before_strengthening_one(table: Sit) -> None:
    sat = table("red* is lord-rust holds groat, modo | Dimwell R2 | green holds 2")
    assert taken(sat.write("Red: play Groat")) != "minion Dimwell"


def test_the_eighth_trouble_is_feared(table: Sit) -> None:
    markers = "Dimwell ! | Nap Hill ! | Isle of Gods ! | Small Gods ! | The Hippo ! | The Shades ! | The Scours !"
    sat = table(f"red* is lord-rust holds buggy-swires, gimlets-dwarf-delicatessen | {markers}")
    assert taken(sat.write("Red: play Buggy Swires")).startswith("calm ")


def test_a_minion_is_saved_with_an_interrupt(table: Sit) -> None:
    sat = table("red* holds mr-gryle, groat | green is lord-rust holds gaspode | Dimwell R G !")
    sat.write("Red: play Mr Gryle", "Red: assassinate Green in Dimwell")
    assert taken(sat) == "interrupt Gaspode"


def test_small_gods_is_paid_for_a_dear_building(table: Sit) -> None:
    given = "red* holds doctor-hix, groat | green $9 is chrysoprase | Small Gods [G] | Nap Hill [G] | events explosion"
    assert taken(table(f"3 players | {given}", (12,)).write("Red: play Doctor Hix")) == "protect building in Nap Hill"


def test_nothing_is_thrown_away_for_nothing(table: Sit) -> None:
    sat = table("red* is lord-rust holds modo, groat, susan | Dimwell R")
    assert taken(sat.write("Red: play Modo")) == "skip"


def test_chance_decides_between_options_of_like_worth(table: Sit) -> None:
    sat = table("red* is lord-rust holds groat | Dimwell R").write("Red: play Groat")
    assert len({taken(sat, bytes([number])) for number in range(20)}) > 1


def test_a_card_that_brings_another_is_played_before_one_that_ends_the_turn(table: Sit) -> None:
    assert taken(table("red* is lord-rust holds deep-dwarves, mr-shine | Dimwell R")) == "play Deep Dwarves"


def test_a_loan_is_for_the_poor(table: Sit) -> None:
    poor, rich = (table(f"red* ${money} is lord-rust holds mr-bent, groat") for money in (7, 8))
    assert taken(poor.write("Red: play Mr Bent")) == "scroll"
    assert taken(rich.write("Red: play Mr Bent")) == "skip"


def test_who_is_threatened_pays_when_five_dollars_are_left(table: Sit) -> None:
    given = "red* holds the-fools-guild, groat | green ${} is lord-rust holds groat"
    orders = ("Red: play The Fools' Guild", "Red: target Green")
    assert taken(table(given.format(10)).write(*orders).settle()) == "pay"
    assert taken(table(given.format(9)).write(*orders).settle()) == "refuse"


def test_a_power_is_used_when_it_brings_more_than_it_costs(table: Sit) -> None:
    given = "red* $9 is lord-rust holds groat | Isle of Gods [R] | "
    markers = [f"{area} !" for area in ("Dimwell", "Nap Hill", "Longwall", "Small Gods", "The Hippo", "The Shades")]
    assert taken(table(given + " | ".join(markers[:3]))) == "play Groat"
    assert taken(table(given + " | ".join(markers))) == "use Isle of Gods"


def test_a_minion_is_kept_where_it_is_when_that_is_worth_the_card(table: Sit) -> None:
    given = "red* holds the-duckman, groat | green is chrysoprase holds gaspode | blue | "
    orders = ("Red: play The Duckman", "Red: move Green from Dimwell to The Shades")
    assert taken(table(given + "Dimwell G | The Shades G").write(*orders)) == "interrupt Gaspode"
    assert taken(table(given + "Dimwell G R | The Shades R").write(*orders)) == "pass"


def test_a_card_that_can_do_something_today_is_played_before_one_that_cannot(table: Sit) -> None:
    sat = table("red* is lord-rust holds groat, the-peeled-nuts, sergeant-detritus | Dimwell R")
    assert {taken(sat, bytes([number])) for number in range(20)} == {"play Groat"}
