"""The board and its questions."""

from __future__ import annotations

from collections import Counter

from games.ankh_morpork.data.cards import AREA, AREA_NUMBER, CARDS, EVENTS
from games.ankh_morpork.position import notation as position
from games.ankh_morpork.position.board import AROUND, NEIGHBOURS, REACH, Position
from games.ankh_morpork.position.options import ALL_AREAS, BITS, mask_of
from games.ankh_morpork.rules.legal import builds, moves, placements

DIMWELL = AREA_NUMBER["dimwell"]


def controllers(line: str) -> dict[str, int]:
    """Area name -> who controls it, where somebody does."""
    board = position.read(line)
    return {AREA[area]: board.controller(area) for area in range(12) if board.controller(area) >= 0}


def texts(options: tuple[object, ...]) -> list[str]:
    return [getattr(option, "text", "") for option in options]


def test_there_are_the_cards_and_events_of_the_box() -> None:
    assert Counter(card.deck for card in CARDS) == {"green": 48, "brown": 53}
    assert len({card.id for card in CARDS}) == len({card.name for card in CARDS}) == 101
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
    owners = [text.split()[1] for text in texts(moves(board, board.victims(0)))]
    assert list(dict.fromkeys(owners)) == ["demon", "troll", "Green", "Blue"]


def test_bare_changes_keep_the_sums_in_step() -> None:
    board = Position(2)
    assert not board.put(0, DIMWELL)
    assert board.put(1, DIMWELL)
    assert board.lift(0, DIMWELL)
    assert (board.crowd[DIMWELL], board.out[:2], board.presence[:2]) == (1, [0, 1], [0, 1 << DIMWELL])
