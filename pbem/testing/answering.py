"""One decision by itself as a match, to see how it is answered in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from pbem.orders.reader import Reader
from pbem.protocol import Decision, Match, Option, Vocabulary


class Question:
    """A match that asks one thing, and then nothing more."""

    def __init__(self, *pending: Decision) -> None:
        self.pending = pending
        self.reveals = 0
        self.turn = 1
        self.forced: tuple[Decision, ...] = ()

    def fork(self) -> Question:
        return Question(*self.pending)

    def choose(self, seat: int, option: Option) -> None:
        self.pending = ()


def answered(
    line: str,
    decision: Decision,
    vocabulary: Vocabulary,
    *,
    menu: Sequence[str] = (),
    me: str = "",
    names: Mapping[str, str] | None = None,
) -> str:
    """The text of the option that a line means as the answer to a decision; empty when it says nothing to it.

    Raises OrderError when that is not clear.
    """
    reader = Reader(vocabulary, [line], menu=menu, me=me, names=names)
    match = cast(Match, Question(decision))
    reader.correct(match, decision.seat)
    sought = reader.read(match, decision.seat)
    problem = reader.problem(sought)
    if problem:
        raise problem[1]
    assert sought.best is not None, "what is not read is a problem"
    reader.used = sought.best.used
    if reader.left:
        raise reader.unexplained(sought)[1]
    return next(iter(sought.best.texts), "")
