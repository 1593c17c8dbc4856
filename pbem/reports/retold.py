"""What the course of a game that is over tells: how near everybody was to winning, and which turns changed that."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pbem.protocol import Goal
from pbem.reports.contexts import Moment

#: So many turning points are told ...
TURNING_POINTS = 5
#: ... and no change smaller than this: a player who wins has gone from 0 to 1.
SMALLEST_CHANGE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """How near a seat was to its goal when it was nearest, and at the end."""

    colour: str
    goal: Goal
    #: The first turn after which it was that near.
    turn: int
    #: None when it had no goal any more.
    end: Goal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """How a turn brought a seat nearer to its goal, or farther from it."""

    colour: str
    before: Goal
    after: Goal

    @property
    def size(self) -> float:
        """From 0 to 1; a step counts for more, the nearer it is to the goal."""
        return abs(share(self.after) ** 2 - share(self.before) ** 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningPoint:
    """A turn that changed who was near to winning."""

    moment: Moment
    changes: tuple[Change, ...]


def share(goal: Goal) -> float:
    """How much of a goal is reached, from 0 to 1."""
    return min(max(goal.have / goal.need, 0), 1)


def nearest(moments: Sequence[Moment], colours: Sequence[str]) -> tuple[Nearness, ...]:
    """When each seat was nearest to its goal; nothing of a seat that never had one."""
    told = []
    for seat, colour in enumerate(colours):
        turns = [(moment.turn, goal) for moment in moments if (goal := moment.goals[seat]) is not None]
        if turns:
            turn, goal = max(turns, key=lambda entry: share(entry[1]))
            told.append(Nearness(colour=colour, goal=goal, turn=turn, end=moments[-1].goals[seat]))
    return tuple(told)


def turning_points(moments: Sequence[Moment], colours: Sequence[str]) -> tuple[TurningPoint, ...]:
    """The turns that changed most, oldest first."""
    points = []
    for before, after in pairwise(moments):
        changes = [
            Change(colour=colour, before=old, after=new)
            for colour, old, new in zip(colours, before.goals, after.goals, strict=True)
            if old and new and old.name == new.name
        ]
        if large := tuple(change for change in changes if change.size >= SMALLEST_CHANGE):
            points.append(TurningPoint(moment=after, changes=large))
    most = sorted(points, key=lambda point: -max(change.size for change in point.changes))[:TURNING_POINTS]
    return tuple(sorted(most, key=lambda point: point.moment.turn))
