"""Carrying out what players write, by the rules of play by mail: pure, and it never touches the match it is given.

Lines answer decisions in sequence. Nothing of a mail happens when a line is wrong and nothing has been revealed;
after a reveal what came before stands. Windows are answered from the policies of their seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pbem.errors import OrderError
from pbem.protocol import Event, Match, Seat

#: The policies of each seat: seat -> subject (a card) -> terms.
Policies: TypeAlias = Mapping[Seat, Mapping[str, Mapping[str, Any]]]

#: What became of a line: `done`; `corrected` (done, but read otherwise than written); `automatic` (done without
#: a line); `refused` (wrong, see its error); `set_aside` (not carried out; it may be well); `chat` (not an order).
Verdict: TypeAlias = Literal["done", "corrected", "automatic", "refused", "set_aside", "chat"]


@dataclass(frozen=True, slots=True)
class Bots:
    """The seats that a simple computer player plays, and where its randomness comes from."""

    seats: frozenset[Seat] = frozenset()
    #: Bytes from the operating system (or a test), stretched for each choice.
    randomness: bytes = b""


@dataclass(frozen=True, slots=True)
class LineResult:
    """What became of one order, which is a line or a part of one."""

    #: The player's own words; empty for `automatic`.
    text: str
    verdict: Verdict
    #: The text of the option it means, when that is known.
    option: str | None = None
    #: Why it was refused.
    error: OrderError | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a mail, a deadline or a settling."""

    #: The match as it now is; the one that was given when nothing changed.
    match: Match
    #: What happened, oldest first.
    events: tuple[Event, ...]
    lines: tuple[LineResult, ...]
    #: Whether anything was chosen at all.
    changed: bool
    #: Whether something was revealed, so that others must be told and nothing before it can be taken back.
    revealed: bool
    #: The seats to ask now, in order; empty when the match is over.
    waiting: tuple[Seat, ...]
    #: Whether the turn that was being played is over.
    turn_over: bool
    #: For a preview: whether it stopped because the next order could reveal something.
    stopped: bool = False

    @property
    def refused(self) -> LineResult | None:
        """The line that was wrong, if one was."""
        return next((line for line in self.lines if line.verdict == "refused"), None)
