"""Asking: an effect yields a `Decision` and is sent the option that was chosen, or a `Group` and is sent its answers.

`EFFECTS` holds the function of every scroll by its name in `cards.toml`. Scrolls open in one of three ways:
with a choice (offered together with `skip`), as a commitment (`scroll` or `skip`), or as a gain, which is a
commitment that asks nothing of the actor, costs nothing, rolls nothing, and so is taken by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from inspect import isgeneratorfunction
from typing import Any, Literal, TypeAlias, TypeVar

from games.ankh_morpork.position.options import SKIP
from games.ankh_morpork.position.table import Table
from pbem.protocol import Decision, Option, Seat

#: A sequence of decisions, and what it came to.
Questions: TypeAlias = Generator[Decision, Any, Any]


class Group(dict[int, Questions]):
    """Sequences that are asked at the same time, by seat, in the order in which they are carried out.

    A sequence changes nothing. What each came to, by seat, is sent back when all have ended.
    """


#: What asks on the way, decisions or groups, and returns what came of it.
Asking: TypeAlias = Generator[Decision | Group, Any, Any]
#: What carries something out.
Effect: TypeAlias = Generator[Decision | Group, Any, None]


def together(sequences: dict[int, Questions]) -> Asking:
    """Ask several seats at once: what the sequence of each came to, by seat. A sequence changes nothing."""
    if len(sequences) > 1:
        return (yield Group(sequences))
    answers = {}
    for seat, sequence in sequences.items():
        answers[seat] = yield from sequence
    return answers


@dataclass(frozen=True, slots=True)
class Scroll:
    """How a scroll opens, and the function that carries it out."""

    function: Callable[..., Any]
    opens: Literal["choice", "commitment", "gain"]
    #: Whether the function is a generator.
    asks: bool


EFFECTS: dict[str, Scroll] = {}
F = TypeVar("F", bound=Callable[..., Any])


def choice(function: F) -> F:
    """Register a scroll that begins with a choice."""
    EFFECTS[function.__name__] = Scroll(function, "choice", True)
    return function


def commitment(function: F) -> F:
    """Register a scroll that begins without a choice."""
    EFFECTS[function.__name__] = Scroll(function, "commitment", isgeneratorfunction(function))
    return function


def gain(function: F) -> F:
    """Register a scroll that is a gain."""
    EFFECTS[function.__name__] = Scroll(function, "gain", isgeneratorfunction(function))
    return function


def begin(me: int, kind: str, options: Sequence[Option], facts: Mapping[str, Any]) -> Questions:
    """The choice a scroll begins with; the symbol adds `skip`. Without an option the scroll cannot be done."""
    option = yield Decision(Seat(me), kind, options, SKIP, decline=SKIP, facts=facts)
    return option.value


def choose(
    match: Table,
    seat: int,
    kind: str,
    options: Sequence[Option],
    facts: Mapping[str, Any],
    *,
    default: Option | None = None,
    decline: Option | None = None,
) -> Questions:
    """Ask a seat, unless the rules leave it one option; the value of the option chosen.

    The default is the option that declines, else the first. A scroll may ask another player only what it has aimed at
    them: they had a window.
    """
    assert seat == match.actor or match.aimed >> seat & 1, f"{kind} put to {seat}, who had no window"
    decision = Decision(
        Seat(seat), kind, options, default or decline or options[0], decline=decline, facts=facts
    )
    if len(options) == 1:
        match.forced.append(decision)
        return options[0].value
    option = yield decision
    return option.value
