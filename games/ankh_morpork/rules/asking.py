"""Asking a seat: an effect yields a `Decision` and is sent the option that was chosen.

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

#: What carries something out: it yields decisions and is sent options.
Effect: TypeAlias = Generator[Decision, Option, None]
#: Asks, and returns what was chosen.
Asking: TypeAlias = Generator[Decision, Option, Any]


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


def begin(me: int, kind: str, options: Sequence[Option], facts: Mapping[str, Any]) -> Asking:
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
) -> Asking:
    """Ask a seat, unless the rules leave it one option; the value of the option chosen.

    The default is the option that declines, else the first.
    """
    decision = Decision(
        Seat(seat), kind, options, default or decline or options[0], decline=decline, facts=facts
    )
    if len(options) == 1:
        match.forced.append(decision)
        return options[0].value
    option = yield decision
    return option.value
