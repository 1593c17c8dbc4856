"""Several seats asked at once: their answers are secret, come in any order, and are carried out in turn order."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ankh_morpork import GAME
from games.ankh_morpork.match import Match
from pbem.protocol import Seat, decision_of

Answer = tuple[int, str]

#: What is played: a position, dice, orders of the actor up to the group, and each seat's answers in turn order.
SWAP = (
    "3 players | red* holds the-bursar, groat | green holds gaspode, groat | blue holds wallace-sonky, groat"
    " | Dimwell G | Longwall B | events riots",
    (),
    ("play The Bursar", "swap Green in Dimwell with Blue in Longwall"),
)
DRAGON = (
    "3 players | red* holds doctor-hix, groat | green holds igor, susan, groat | blue holds fresh-start-club, groat"
    " | Dimwell R G3 B2 | events the-dragon",
    (8,),
    ("play Doctor Hix",),
)
SUBSIDENCE = (
    "3 players | red* $2 holds doctor-hix, groat | green $5 holds groat | blue holds groat"
    " | Dimwell [R] | Longwall [R] | Nap Hill [R] | The Hippo [G] | The Scours [G] | Seven Sleepers [G]"
    " | Isle of Gods [B] | events subsidence",
    (),
    ("play Doctor Hix",),
)
BURLEIGH = (
    "3 players | red* $5 holds burleigh-and-stronginthearm, groat | green holds wallace-sonky, groat"
    " | blue holds igor, groat | Dimwell R B ! | Longwall B",
    (),
    ("play Burleigh & Stronginthearm", "target Green"),
)
ALL = (
    "3 players | red* holds mr-boggis, groat | green $5 holds wallace-sonky, groat | blue $5 holds groat",
    (),
    ("play Mr Boggis", "scroll"),
)

SITUATIONS: list[tuple[tuple[str, Sequence[int], Sequence[str]], list[Answer]]] = [
    (SWAP, [(1, "interrupt Gaspode"), (2, "interrupt Wallace Sonky")]),
    (SWAP, [(1, "pass"), (2, "interrupt Wallace Sonky")]),
    (SWAP, [(1, "pass"), (2, "pass")]),
    (DRAGON, [(0, "pass"), (1, "interrupt Susan"), (1, "interrupt Igor"), (1, "pass"), (2, "pass")]),
    (DRAGON, [(0, "pass"), (1, "pass"), (2, "interrupt Fresh Start Club"), (2, "pass")]),
    (SUBSIDENCE, [(0, "burn Dimwell"), (0, "burn Nap Hill"), (1, "burn The Scours")]),
    (BURLEIGH, [(1, "interrupt Wallace Sonky"), (2, "interrupt Igor")]),
    (BURLEIGH, [(1, "pass"), (2, "interrupt Igor")]),
    (ALL, [(1, "interrupt Wallace Sonky"), (2, "pass")]),
]
IDS = [f"{orders[0]}: {answers[-1][1]}" for (_, _, orders), answers in SITUATIONS]


def opened(situation: tuple[str, Sequence[int], Sequence[str]]) -> Match:
    """The match in which the group of a situation is open."""
    line, dice, orders = situation
    match = Match.from_position(line, dice=dice)
    for order in orders:
        say(match, 0, order)
    return match


def say(match: Match, seat: int, text: str) -> list[str]:
    """Answer for a seat: the kinds of event that follow."""
    decision = decision_of(match, Seat(seat))
    assert decision is not None, match.position()
    option = decision.option(text)
    assert option is not None, [o.text for o in decision.options]
    return [event.kind for event in match.choose(Seat(seat), option)]


def state(match: Match) -> tuple[str, list[object], int]:
    return match.digest(), [match.choices(), match.snapshot()["choices"]], match.reveals


def orders_of(answers: Sequence[Answer]) -> list[list[Answer]]:
    """Every order in which the answers can arrive: each seat's own come one after the other."""
    seats = sorted({tuple(order) for order in itertools.permutations([seat for seat, _ in answers])})
    arrivals = []
    for order in seats:
        left = {seat: [answer for answer in answers if answer[0] == seat] for seat in order}
        arrivals.append([left[seat].pop(0) for seat in order])
    return arrivals


@pytest.mark.parametrize(("situation", "answers"), SITUATIONS, ids=IDS)
def test_the_order_in_which_answers_arrive_changes_nothing(
    situation: tuple[str, Sequence[int], Sequence[str]], answers: list[Answer]
) -> None:
    states = []
    for arrival in orders_of(answers):
        match = opened(situation)
        for seat, text in arrival:
            say(match, seat, text)
        states.append(state(match))
        assert match.choices()[-len(answers) :][0][:2] == list(answers[0])
    assert all(other == states[0] for other in states)


@pytest.mark.parametrize(("situation", "answers"), SITUATIONS, ids=IDS)
def test_nothing_shows_while_a_group_is_open(
    situation: tuple[str, Sequence[int], Sequence[str]], answers: list[Answer]
) -> None:
    match = opened(situation)
    shown = [match.view(seat) for seat in (None, Seat(0), Seat(1), Seat(2))]
    before = (match.digest(), match.position(), match.reveals)
    for seat, text in answers[:0:-1]:
        if decision_of(match, Seat(seat)) is not None and decision_of(match, Seat(seat)).option(text):  # type: ignore[union-attr]
            assert say(match, seat, text) == []
            assert [match.view(s) for s in (None, Seat(0), Seat(1), Seat(2))] == shown
            assert (match.digest(), match.position(), match.reveals) == before


@pytest.mark.parametrize(("situation", "answers"), SITUATIONS, ids=IDS)
def test_an_open_group_is_kept_with_its_answers(
    situation: tuple[str, Sequence[int], Sequence[str]], answers: list[Answer]
) -> None:
    match = opened(situation)
    for place, (seat, text) in enumerate(answers):
        data = json.loads(json.dumps(match.snapshot()))
        for twin in (GAME.restore(data), match.fork()):
            assert twin.snapshot() == data
            assert [(d.seat, d.kind) for d in twin.pending] == [(d.seat, d.kind) for d in match.pending]
            for later, order in answers[place:]:
                say(twin, later, order)
            assert [choice[:2] for choice in twin.choices()] == [list(answer) for answer in answers[place:]]
        say(match, seat, text)
    assert twin.digest() == match.digest()
    assert GAME.restore(match.snapshot()).digest() == match.digest()


def test_closing_a_group_counts_as_one_reveal() -> None:
    match = opened(SWAP)
    before = match.reveals
    say(match, 2, "pass")
    assert match.reveals == before
    say(match, 1, "pass")
    assert match.reveals == before + 1


def test_a_window_that_an_earlier_answer_made_moot_plays_and_shows_nothing() -> None:
    match = opened(SWAP)
    say(match, 2, "interrupt Wallace Sonky")
    kinds = say(match, 1, "interrupt Gaspode")
    assert kinds[:2] == ["InterruptPlayed", "PieceProtected"]
    assert "ScrollBlocked" not in kinds
    assert "wallace-sonky" in match.position().split("blue")[1].split("|")[0]


def test_no_money_moves_when_the_payee_ends_the_scroll() -> None:
    """R-SCR-8: the payee comes before the owner of the piece, who keeps the card."""
    match = opened(BURLEIGH)
    say(match, 2, "interrupt Igor")
    kinds = say(match, 1, "interrupt Wallace Sonky")
    assert (match.money[0], "MoneyPaid" in kinds, "MinionRemoved" in kinds) == (5, False, False)


def test_everybody_in_the_dragons_area_is_asked_at_once_and_for_each_minion() -> None:
    """R-EVT-DRG, R-EVT-2"""
    match = opened(DRAGON)
    assert [(d.seat, d.seats) for d in match.pending] == [(s, (0, 1, 2)) for s in range(3)]
    say(match, 1, "interrupt Igor")
    decision = decision_of(match, Seat(1))
    assert decision is not None
    assert [option.text for option in decision.options] == ["interrupt Susan", "pass"]


def test_buildings_lost_to_subsidence_are_chosen_by_all_at_once() -> None:
    """R-EVT-SUB: Red can pay for one of three, Green for two of three, Blue for none."""
    match = opened(SUBSIDENCE)
    assert [(d.seat, d.facts["left"]) for d in match.pending] == [(0, 2), (1, 1)]
    for order in ("burn Dimwell", "burn Nap Hill"):
        say(match, 0, order)
    say(match, 1, "burn The Scours")
    assert (match.money, match.built) == ([0, 1, 0], match.buildings[0] | match.buildings[1])


def test_a_seat_that_is_not_asked_cannot_answer() -> None:
    match = opened(SWAP)
    with pytest.raises(ValueError, match="seat 0 is not asked"):
        match.choose(Seat(0), match.pending[0].options[0])
    say(match, 1, "pass")
    with pytest.raises(ValueError, match="seat 1 is not asked"):
        match.choose(Seat(1), match.pending[0].options[0])


@given(seed=st.binary(min_size=32, max_size=32), seats=st.integers(3, 4), data=st.data())
def test_random_games_do_not_depend_on_the_order_of_arrival(seed: bytes, seats: int, data: st.DataObject) -> None:
    """A whole game, in which each group is answered in group order and, in a twin, in a random order."""
    match, twin = GAME.new(seats, seed, {}), GAME.new(seats, seed, {})
    for step in range(150):
        if not match.pending:
            break
        if len(match.pending) == 1:
            decision = match.pending[0]
            text = decision.options[seed[step % 32] % len(decision.options)].text
            say(match, decision.seat, text)
            say(twin, decision.seat, text)
            continue
        said: dict[int, list[str]] = {}
        reveals = match.reveals
        while match.reveals == reveals:
            decision = match.pending[0]
            said.setdefault(decision.seat, []).append(decision.options[0].text)
            say(match, decision.seat, decision.options[0].text)
        while any(said.values()):
            seat = data.draw(st.sampled_from([seat for seat, texts in said.items() if texts]))
            say(twin, seat, said[seat].pop(0))
        assert state(twin) == state(match)
    assert (twin.digest(), twin.choices()) == (match.digest(), match.choices())
