"""Making stored choices again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.errors import ReplayMismatch
from pbem.protocol import Event, Match, Seat, decision_of


def repeat(match: Match, choice: Sequence[Any]) -> list[Event]:
    """Make a choice as it is stored, [seat, text, outcomes], once more.

    Raises ReplayMismatch when it is not legal any more; its words tell nothing secret.
    """
    seat, text = Seat(int(choice[0])), str(choice[1])
    decision = decision_of(match, seat)
    option = decision.option(text) if decision else None
    if option is None:
        raise ReplayMismatch(f"a choice of seat {seat + 1} is not legal there")
    return match.choose(seat, option)


def in_turns(events: Sequence[Event], turn: int, actor: str) -> Iterator[tuple[int, str, Event]]:
    """Each event with its turn and the colour of whose turn it is: a new one begins at `TurnBegan`."""
    for event in events:
        if event.kind == "TurnBegan":
            turn, actor = int(event.data["turn"]), event.data["colour"] or ""
        yield turn, actor, event
