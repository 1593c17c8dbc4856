"""The city as it is drawn: what it says of neighbours, of the river and of what stands where."""

from __future__ import annotations

from itertools import combinations

from games.ankh_morpork.data.cards import AREA, AREAS
from games.ankh_morpork.drawing import BORDERS, DATA, PLOTS, POINTS, RIVER, drawing
from games.ankh_morpork.match import Match
from pbem.protocol import Goal, Piece


def test_areas_share_an_edge_where_they_are_neighbours_and_nowhere_else() -> None:
    drawn = {frozenset(pair) for pair in combinations(BORDERS, 2) if BORDERS[pair[0]] & BORDERS[pair[1]]}
    assert drawn == {frozenset((area.name, AREA[other])) for area in AREAS for other in area.neighbours}


def test_the_river_runs_along_the_areas_that_can_be_flooded_and_no_others() -> None:
    wet = {name for name, edges in BORDERS.items() if any(frozenset(edge) in edges for edge in RIVER)}
    assert wet == {area.name for area in AREAS if area.river}


def test_every_area_is_drawn_once_and_within_the_page() -> None:
    assert sorted(plot.name for plot in PLOTS) == sorted(AREA)
    assert all(0 <= x <= DATA["width"] and 0 <= y <= DATA["height"] for x, y in POINTS.values())


def test_each_kind_of_piece_is_drawn_in_a_shape_of_its_own_with_a_mark() -> None:
    match = Match.from_position("red* $8 | blue $5 | Dimwell R2 B t3 d [B] !")
    here = [piece for piece in drawing(match.view(None)).pieces if piece.area == "Dimwell"]
    assert here == [
        Piece("Dimwell", "trouble", "trouble", "triangle", "!"),
        Piece("Dimwell", "building", "Blue", "house", "B"),
        Piece("Dimwell", "minion", "Red", "disc", "R", 2),
        Piece("Dimwell", "minion", "Blue", "disc", "B", 1),
        Piece("Dimwell", "troll", "troll", "square", "t", 3),
        Piece("Dimwell", "demon", "demon", "diamond", "d", 1),
    ]
    assert len({piece.shape for piece in here}) == len({piece.kind for piece in here})


def test_a_goal_is_that_of_the_personality_and_the_number_of_players() -> None:
    match = Match.from_position(
        "3 players | red* $8 is lord-rust holds groat | green $30 is chrysoprase | blue is commander-vimes"
        " | Dimwell R2 | Small Gods [G] | Nap Hill R D | draw 20"
    )
    assert match.goals() == (Goal("Lord Rust", 1, 5), Goal("Chrysoprase", 48, 50), Goal("Commander Vimes", 66, 86))
    assert Match.new(2, bytes(32)).goals()[0] is not None
    assert Match.from_position("red* $8 | green $5").goals() == (None, None)


def test_the_goal_of_vimes_is_nowhere_near_when_a_match_begins() -> None:
    goals = [goal for seed in range(9) for seats in (2, 3, 4) for goal in Match.new(seats, bytes([seed]) * 32).goals()]
    assert {goal.have for goal in goals if goal and goal.name == "Commander Vimes"} == {0}
