"""The board, its questions, and the dice."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.ankh_morpork.data.cards import AREA, AREA_NUMBER, CARDS, EVENTS
from games.ankh_morpork.match import Match
from games.ankh_morpork.position import notation as position
from games.ankh_morpork.position.board import AROUND, NEIGHBOURS, REACH, Position
from games.ankh_morpork.position.dice import DECK, DICE, PICKS, Dice
from games.ankh_morpork.position.options import ALL_AREAS, BITS, mask_of
from games.ankh_morpork.rules.legal import builds, moves_of_others, placements

DIMWELL = AREA_NUMBER["dimwell"]


def controllers(line: str) -> dict[str, int]:
    """Area name -> who controls it, where somebody does."""
    board = position.read(line)
    return {AREA[area]: board.controller(area) for area in range(12) if board.controller(area) >= 0}


def texts(options: tuple[object, ...]) -> list[str]:
    return [getattr(option, "text", "") for option in options]


def test_there_are_the_cards_and_events_of_the_box() -> None:
    assert Counter(card.deck for card in CARDS) == {"green": 48, "brown": 53}
    assert (len(EVENTS), len(AREA)) == (12, 12)


def test_play_is_always_the_last_symbol() -> None:
    assert all("play" not in card.symbols[:-1] for card in CARDS)


def test_event_is_always_the_first_symbol() -> None:
    assert all("event" not in card.symbols[1:] for card in CARDS)


def test_neighbours_are_mutual() -> None:
    assert all(NEIGHBOURS[other] >> area & 1 for area in range(12) for other in BITS[NEIGHBOURS[area]])


def test_reach_is_the_areas_and_their_neighbours() -> None:
    assert REACH[1 << DIMWELL] == AROUND[DIMWELL] == mask_of([DIMWELL, *BITS[NEIGHBOURS[DIMWELL]]])
    assert REACH[ALL_AREAS] == ALL_AREAS


def test_a_building_counts_for_control() -> None:
    assert controllers("red* | Longwall R [R] G B") == {"Longwall": 0}


def test_equal_strength_controls_nothing() -> None:
    assert controllers("red* | Longwall R2 G2 B") == {}


def test_trolls_must_be_outnumbered() -> None:
    assert controllers("red* | Longwall R2 T2 | Dimwell R3 T2") == {"Dimwell": 0}


def test_nobody_controls_an_area_with_a_demon() -> None:
    assert controllers("red* | Longwall R5 D") == {}


def test_a_minion_goes_next_to_ones_own() -> None:
    board = position.read("red* | Dimwell R")
    assert texts(placements(board, 0)) == [
        "minion The Scours",
        "minion The Shades",
        "minion Dimwell",
        "minion Longwall",
    ]


def test_with_twelve_out_the_reach_is_judged_after_one_is_taken_off() -> None:
    board = position.read("red* | The Hippo R | Longwall R11")
    offered = texts(placements(board, 0))
    assert "minion Isle of Gods from The Hippo" in offered
    assert "minion Small Gods from The Hippo" not in offered
    assert "minion The Hippo from The Hippo" not in offered


def test_with_six_buildings_out_one_goes_first() -> None:
    six = "The Scours [R] | Small Gods [R] | Nap Hill [R] | The Hippo [R] | The Shades [R] | Dimwell [R]"
    board = position.read(f"red* $12 | Longwall R | {six}")
    assert len(builds(board, 0)) == 6
    assert "build Longwall instead of Dimwell" in texts(builds(board, 0))


def test_pieces_of_others_are_offered_in_the_order_of_the_defaults() -> None:
    board = position.read("3 players | red* | Dimwell G B T D")
    owners = [text.split()[1] for text in texts(moves_of_others(board, 0))]
    assert list(dict.fromkeys(owners)) == ["demon", "troll", "Green", "Blue"]


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
    assert len(board.draw) == 99 - 8
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
        match.choose(
            match.pending[0].seat, match.pending[0].options[seed[step % 32] % len(match.pending[0].options)]
        )
    again = position.read(match.position())
    assert position.write(again) == match.position()
    assert again.crowd == match.crowd
    assert again.draw == match.draw


def test_bare_changes_keep_the_sums_in_step() -> None:
    board = Position(2)
    assert not board.put(0, DIMWELL)
    assert board.put(1, DIMWELL)
    assert board.lift(0, DIMWELL)
    assert (board.crowd[DIMWELL], board.out[:2], board.presence[:2]) == (1, [0, 1], [0, 1 << DIMWELL])


def test_streams_do_not_disturb_one_another() -> None:
    undisturbed = Dice(bytes(32))
    numbers = [undisturbed.die() for _ in range(20)]
    disturbed = Dice(bytes(32))
    disturbed.shuffle(DECK, list(range(50)))
    assert [disturbed.die() for _ in range(20)] == numbers


def test_dice_go_on_where_they_were() -> None:
    dice = Dice(bytes(32))
    for _ in range(13):
        dice.die()
    twin = Dice(dice.seed, dice.used)
    assert [dice.below(DICE, 7) for _ in range(9)] == [twin.below(DICE, 7) for _ in range(9)]


def test_dice_are_fair() -> None:
    dice = Dice(bytes(range(32)))
    rolls = Counter(dice.die() for _ in range(6000))
    assert sorted(rolls) == list(range(1, 13))
    assert all(400 < count < 600 for count in rolls.values())


def test_a_shuffle_keeps_every_card() -> None:
    cards = list(range(53))
    Dice(bytes(32)).shuffle(PICKS, cards)
    assert sorted(cards) == list(range(53)) != cards


def test_scripted_dice_are_rolled_first() -> None:
    dice = Dice(bytes(32), scripted=[8, 3])
    assert [dice.die(), dice.die()] == [8, 3]
    assert 1 <= dice.die() <= 12
