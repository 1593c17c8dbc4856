"""A line and the pending decision's options give the one option meant, or an OrderError that says why not.

Only options and the game's vocabulary are looked at, so this works for any game. It never guesses between two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pbem.errors import NotUnderstood
from pbem.orders.words import plain
from pbem.protocol import Decision, Option, Vocabulary

How: TypeAlias = Literal["exact", "synonym", "corrected"]


@dataclass(frozen=True, slots=True)
class Matched:
    """The option a line means."""

    option: Option
    #: `exact`: its own words; `synonym`: other words or an abbreviation; `corrected`: a typo or a gap was filled.
    how: How
    #: What stands behind it on the same line, to be matched against the next decision; None when nothing does.
    rest: str | None = None
    #: The part of the line that was read as this option.
    read: str = ""


def match_line(
    line: str, decision: Decision, vocabulary: Vocabulary, *, menu: Sequence[str] = (), me: str = ""
) -> Matched:
    """The option that a line means.

    `menu` holds the texts of the numbered options of the newest ask, `me` the colour of who writes.

    Raises NotUnderstood, Ambiguous or NotPossible.
    """
    for option in decision.options:
        if plain(option.text) == plain(line):
            return Matched(option, "exact", None, line)
    raise NotUnderstood(line, "unknown", suggestions=[option.text for option in decision.options])
