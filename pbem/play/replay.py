"""Making a stored choice again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.errors import ReplayMismatch
from pbem.protocol import Event, Match


def repeat(match: Match, choice: Sequence[Any]) -> list[Event]:
    """Make a choice as it is stored, [seat, text, outcomes], once more.

    Raises ReplayMismatch when it is not legal any more; its words tell nothing secret.
    """
    seat, text = choice[:2]
    decision = match.decision
    option = decision.option(str(text)) if decision and decision.seat == seat else None
    if option is None:
        raise ReplayMismatch(f"a choice of seat {seat + 1} is not legal there")
    return match.choose(option)
