"""What must hold in every game, whoever plays it: random legal play from random seeds."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.ankh_morpork import GAME
from games.ankh_morpork.data.cards import CARDS
from games.ankh_morpork.match import Match
from games.ankh_morpork.policies import answer
from games.ankh_morpork.rules.interrupts import SUBJECTS, answering
from pbem.protocol import Option, Seat

SEEDS = st.binary(min_size=32, max_size=32)
TABLES = st.integers(2, 4)
#: More than any game has needed by far.
MANY = 4000
SCRIPT = """
import hashlib, json, sys
from games.ankh_morpork import GAME
match = GAME.new(int(sys.argv[1]), bytes.fromhex(sys.argv[2]), {})
for text in json.load(sys.stdin):
    match.choose(match.pending[0].seat, match.pending[0].option(text))
print(match.digest(), hashlib.sha256(json.dumps(match.snapshot(), sort_keys=True).encode()).hexdigest())
"""


def picked(match: Any, seed: bytes, step: int) -> Option:
    """A legal option by chance: the same for the same seed, step and options."""
    number = int.from_bytes(hashlib.blake2b(seed + step.to_bytes(4, "big"), digest_size=4).digest(), "big")
    options: list[Option] = match.pending[0].options
    return options[number % len(options)]


def played(seats: int, seed: bytes, limit: int = MANY) -> Iterator[tuple[Match, list[Any]]]:
    """A match after each random choice, with the events of that choice; the same object grows."""
    match = GAME.new(seats, seed, {})
    yield match, []
    for step in range(limit):
        if not match.pending:
            return
        yield match, match.choose(match.pending[0].seat, picked(match, seed, step))


def after(seats: int, seed: bytes, limit: int = MANY) -> Match:
    """The match after so many random choices, or at its end."""
    *_, (match, _) = played(seats, seed, limit)
    return match


def asked_of(match: Match) -> list[Any]:
    return [[d.seat, d.kind, [option.text for option in d.options], d.facts] for d in match.pending]


def digest_of(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


@settings(max_examples=25)
@given(seats=TABLES, seed=SEEDS)
def test_random_play_reaches_an_end(seats: int, seed: bytes) -> None:
    """R-END-1"""
    for match, _ in played(seats, seed):
        last = match
    assert not last.pending
    assert last.result is not None
    assert last.result.winners
    assert last.result.reason in ("goal", "vimes", "pile", "riots")


@settings(max_examples=8)
@given(seats=TABLES, seed=SEEDS)
def test_pieces_and_cards_are_conserved(seats: int, seed: bytes) -> None:
    """R-CMP-1, R-CMP-2, R-TRB-2"""
    for match, _ in played(seats, seed):
        view = match.view(None)
        cards = view["draw_pile"] + len(view["discards"]) + (view["in_play"] is not None)
        for seat in view["seats"]:
            cards += seat["hand_size"] + len(seat["loans"]) + len(seat["stuck"])
            on_the_map = sum(area["minions"].get(seat["colour"], 0) for area in view["areas"])
            assert seat["minions"] == on_the_map
            assert seat["minions"] + seat["minions_left"] == 12
            assert len(seat["buildings"]) + seat["buildings_left"] == 6
            assert seat["money"] >= 0
            kept = [a["name"] for a in view["areas"] if a["building"] == seat["colour"] and not a["card_gone"]]
            assert sorted(seat["city_cards"]) == sorted(kept)
        assert cards == sum(card.two_players or seats > 2 for card in CARDS)
        assert sum(area["trouble"] for area in view["areas"]) == view["trouble_count"] <= 12
        assert sum(area["trolls"] for area in view["areas"]) <= 3
        assert sum(area["demons"] for area in view["areas"]) <= 4


@settings(max_examples=6)
@given(seats=TABLES, seed=SEEDS)
def test_money_changes_only_as_the_log_says(seats: int, seed: bytes) -> None:
    """R-CMP-3"""
    colours = GAME.colours
    purse = dict.fromkeys(colours[:seats], 10)
    for match, events in played(seats, seed):
        for event in events:
            if event.kind in ("MoneyTaken", "LoanTaken"):
                purse[event.data["colour"]] += event.data["amount"]
            elif event.kind == "BuildingBuilt":
                purse[event.data["colour"]] -= event.data["cost"]
            elif event.kind == "MoneyPaid":
                purse[event.data["colour"]] -= event.data["amount"]
                if event.data["to"] != "bank":
                    purse[event.data["to"]] += event.data["amount"]
        assert {seat["colour"]: seat["money"] for seat in match.view(None)["seats"]} == purse


@settings(max_examples=4)
@given(seats=TABLES, seed=SEEDS)
def test_a_restored_snapshot_is_the_same_match(seats: int, seed: bytes) -> None:
    for step, (match, _) in enumerate(played(seats, seed)):
        if step % 5:
            continue
        twin = GAME.restore(json.loads(json.dumps(match.snapshot())))
        assert twin.snapshot() == match.snapshot()
        assert twin.digest() == match.digest()
        assert asked_of(twin) == asked_of(match)
        assert twin.view(Seat(0)) == match.view(Seat(0))


@settings(max_examples=6)
@given(seats=TABLES, seed=SEEDS)
def test_a_fork_goes_its_own_way(seats: int, seed: bytes) -> None:
    match = after(seats, seed, 60)
    if not match.pending:
        return
    before = digest_of(match.snapshot())
    twin = match.fork()
    for step in range(40):
        if not twin.pending:
            break
        twin.choose(twin.pending[0].seat, picked(twin, seed, step))
    assert digest_of(match.snapshot()) == before


@settings(max_examples=4)
@given(seats=TABLES, seed=SEEDS)
def test_options_are_distinct_and_defaults_are_among_them(seats: int, seed: bytes) -> None:
    """R-PBM-1, R-PBM-2"""
    for decision in (decision for match, _ in played(seats, seed) for decision in match.pending):
        texts = [option.text for option in decision.options]
        assert len(set(texts)) == len(texts) > 0
        assert decision.default in decision.options
        assert decision.decline is None or decision.decline in decision.options
        assert decision.auto is None or decision.auto in decision.options
        assert not decision.default.text.startswith("interrupt")
        assert not decision.window or decision.seat in decision.seats
        json.dumps(decision.facts)


@settings(max_examples=6)
@given(seats=TABLES, seed=SEEDS)
def test_policies_know_every_answer_a_window_offers(seats: int, seed: bytes) -> None:
    never = {subject: {"act": "never"} for subject in SUBJECTS}
    windows = ((match, d) for match, _ in played(seats, seed) for d in match.pending if d.window)
    for match, decision in windows:
        offered = [o.text.removeprefix("interrupt ") for o in decision.options if o is not decision.default]
        names = {"Small Gods" if text.startswith("protect") else text for text in offered}
        assert names <= set(answering(decision.facts))
        assert answer(match, decision, never, "standing").option is decision.default


@settings(max_examples=10)
@given(seats=TABLES, seed=SEEDS)
def test_a_choice_that_is_not_offered_changes_nothing(seats: int, seed: bytes) -> None:
    match = after(seats, seed, 30)
    if not match.pending:
        return
    before = digest_of(match.snapshot())
    with pytest.raises(ValueError):
        match.choose(match.pending[0].seat, Option("win"))
    assert digest_of(match.snapshot()) == before


@settings(max_examples=6)
@given(seats=TABLES, seed=SEEDS, entropy=SEEDS)
def test_what_a_seat_cannot_see_changes_nothing_it_is_shown(seats: int, seed: bytes, entropy: bytes) -> None:
    """R-HID-1"""
    match = after(seats, seed, 80)
    if not match.pending:
        return
    other = match.fork()
    other.rollback_entropy(entropy)
    assert [digest_of(other.view(Seat(s))) for s in range(seats)] == [
        digest_of(match.view(Seat(s))) for s in range(seats)
    ]
    assert digest_of(other.view(None)) == digest_of(match.view(None))


@settings(max_examples=6)
@given(seats=TABLES, seed=SEEDS)
def test_the_public_view_names_no_hidden_card(seats: int, seed: bytes) -> None:
    """R-HID-1"""
    match = after(seats, seed, 50)
    public = copy.deepcopy(dict(match.view(None)))
    assert public["private"] is None
    for seat in range(seats):
        seen = dict(match.view(Seat(seat)))
        assert {key for key in seen if seen[key] != public[key]} <= {"private", "seat"}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_another_process_plays_the_same_game_byte_for_byte(seats: int) -> None:
    """R-HID-3"""
    seed = bytes(range(32))
    match = after(seats, seed)
    texts = []
    again = GAME.new(seats, seed, {})
    for step in range(MANY):
        if not again.pending:
            break
        texts.append(picked(again, seed, step).text)
        again.choose(again.pending[0].seat, picked(again, seed, step))
    told = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(seats), seed.hex()],
        input=json.dumps(texts),
        env=os.environ | {"PYTHONHASHSEED": "12345"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert told == [match.digest(), digest_of(match.snapshot())]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_defaults_alone_play_a_whole_game(seats: int) -> None:
    """R-PBM-3: a player who drops out is played by D-TURN every turn; thresholds do not change."""
    match = GAME.new(seats, bytes(31) + b"x", {})
    for _ in range(MANY):
        if not match.pending:
            break
        match.choose(match.pending[0].seat, match.pending[0].default)
    assert match.result is not None


def test_the_first_player_is_drawn_by_lot() -> None:
    """R-SET-7, R-SET-5"""
    first = {GAME.new(4, bytes([number]) * 32, {}).actor for number in range(40)}
    assert first == {0, 1, 2, 3}
    view = GAME.new(4, bytes(32), {}).view(None)
    assert (view["events_left"], view["events_used"]) == (12, [])


def test_all_secrets_are_shown_at_the_end() -> None:
    """R-END-8"""
    match = after(3, bytes(32))
    assert match.result is not None
    shown = json.dumps(match.result.details)
    personalities = [match.view(Seat(seat))["private"]["personality"]["name"] for seat in range(3)]
    assert all(name in shown for name in personalities)
