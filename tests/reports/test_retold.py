"""What the course of a game tells: when each seat was nearest to its goal, and which turns changed that."""

from __future__ import annotations

import pytest

from pbem.protocol import Goal
from pbem.reports.contexts import Moment
from pbem.reports.retold import SMALLEST_CHANGE, TURNING_POINTS, Change, nearest, share, turning_points


def moments(*figures: int | None, need: int = 10) -> list[Moment]:
    """The turns of a game of one seat, by how much it had of its goal after each."""
    return [
        Moment(
            turn=turn,
            actor="",
            view={},
            drawing=None,
            goals=(None if have is None else Goal("It", have, need),),
            events=(),
        )
        for turn, have in enumerate(figures)
    ]


def test_a_seat_was_nearest_after_the_first_turn_of_its_best() -> None:
    (near,) = nearest(moments(3, 8, 5, 8, None), ["Red"])
    assert (near.turn, near.goal.have, near.end) == (1, 8, None)


def test_a_seat_that_never_had_a_goal_was_never_near() -> None:
    assert nearest(moments(None, None), ["Red"]) == ()


@pytest.mark.parametrize(("have", "reached"), [(-3, 0.0), (5, 0.5), (10, 1.0), (14, 1.0)])
def test_a_goal_is_reached_by_a_share_from_nothing_to_all(have: int, reached: float) -> None:
    assert share(Goal("It", have, 10)) == reached


def test_a_step_near_the_goal_counts_for_more_than_one_at_the_beginning() -> None:
    early, late = (Change(colour="Red", before=Goal("It", at, 10), after=Goal("It", at + 2, 10)) for at in (1, 8))
    assert early.size < SMALLEST_CHANGE < late.size


def test_turning_points_are_the_turns_that_changed_most_in_their_order() -> None:
    told = turning_points(moments(0, 10, 0, 9, 0, 8, 0, 7), ["Red"])
    assert [point.moment.turn for point in told] == [1, 2, 3, 4, 5]
    assert len(told) == TURNING_POINTS


@pytest.mark.parametrize(("after", "turns"), [(32, [1]), (31, [])])
def test_a_small_change_is_no_turning_point(after: int, turns: list[int]) -> None:
    assert [point.moment.turn for point in turning_points(moments(0, after, need=100), ["Red"])] == turns


def test_another_goal_is_no_step_towards_it() -> None:
    before, after = moments(0, 10)
    swapped = Moment(turn=1, actor="", view={}, drawing=None, goals=(Goal("Another", 10, 10),), events=after.events)
    assert turning_points([before, swapped], ["Red"]) == ()
