"""How many choice sequences of a length there are from some positions, as perft counts chess moves.

A change here means that what is legal somewhere has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

COUNTS: list[tuple[str, tuple[int, ...]]] = [
    ("red* holds groat, modo, dwarves | green holds groat | Dimwell R G !", (3, 13, 51, 71)),
    (
        "red* $20 holds ruby, adora-belle-dearheart, the-luggage | green holds igor, 2 | Longwall R G ! | The Hippo R [R]",
        (4, 40, 309, 1322),
    ),
    (
        "3 players | red* holds the-bursar, the-dean | green holds gaspode | blue holds susan | Dimwell R G B T ! | Unreal Estate R G | events riots",
        (2, 12, 22, 64),
    ),
    (
        "red* holds doctor-hix, carcer | green holds igor, susan, gaspode | Dimwell R2 G2 | Longwall R11 G | events the-dragon",
        (2, 3, 9, 33),
    ),
]


def sequences(match: Any, length: int) -> int:
    """The number of ways to choose `length` times."""
    if not match.pending:
        return 0
    if length == 1:
        return len(match.pending[0].options)
    found = 0
    for option in match.pending[0].options:
        twin = match.fork()
        twin.choose(twin.pending[0].seat, twin.pending[0].option(option.text))
        found += sequences(twin, length - 1)
    return found


@pytest.mark.parametrize(("position", "counts"), COUNTS)
def test_as_many_choices_are_legal_as_ever(position: str, counts: tuple[int, ...], table: Callable[..., Any]) -> None:
    match = table(position, (8, 9, 8, 9, 8, 9, 8, 9)).match
    assert tuple(sequences(match, length) for length in range(1, len(counts) + 1)) == counts
