"""The one-line notation of a position."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.ankh_morpork.data.cards import AREA_NUMBER, CARDS
from games.ankh_morpork.match import Match
from games.ankh_morpork.position import notation as position

DIMWELL = AREA_NUMBER["dimwell"]


def test_the_notation_of_the_style_guide_is_read() -> None:
    board = position.read("red* $8 | Dimwell R2 ! | The Hippo B[B] | blue holds gaspode")
    assert (board.seats, board.actor, board.money) == (3, 0, [8, 0, 0])
    assert board.pieces[0][DIMWELL] == 2
    assert board.trouble == 1 << DIMWELL
    assert board.owner_of[AREA_NUMBER["the-hippo"]] == 2
    assert [CARDS[card].id for card in board.hands[2]] == ["gaspode"]


def test_cards_that_are_not_named_lie_in_the_draw_pile() -> None:
    board = position.read("2 players | red* holds groat, 4 | discards modo, 2")
    assert len(board.hands[0]) == 5
    assert len(board.discards) == 3
    assert len(board.draw) == sum(card.two_players for card in CARDS) - 8
    assert CARDS[board.draw[-1]].deck == "green"


@pytest.mark.parametrize(
    "line",
    [
        "red* | Dimwel R",
        "red* | Dimwell R2 X",
        "red* holds no-such-card",
        "red* is nobody | Dimwell R",
        "red* is lord-rust, lord-vetinari",
    ],
)
def test_what_is_not_notation_is_refused(line: str) -> None:
    with pytest.raises(ValueError):
        position.read(line)


@settings(max_examples=15, deadline=None)
@given(seats=st.integers(2, 4), seed=st.binary(min_size=32, max_size=32), steps=st.integers(0, 80))
def test_a_position_is_read_as_it_was_written(seats: int, seed: bytes, steps: int) -> None:
    match = Match.new(seats, seed)
    for step in range(steps):
        if not match.pending:
            break
        match.choose(match.pending[0].seat, match.pending[0].options[seed[step % 32] % len(match.pending[0].options)])
    again = position.read(match.position())
    assert position.write(again) == match.position()
    assert again.crowd == match.crowd
    assert again.draw == match.draw
