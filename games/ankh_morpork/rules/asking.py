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

from games.ankh_morpork.data.cards import AREAS
from games.ankh_morpork.position.options import SKIP, mask_of
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


#: Kinds of power, as in `areas.toml`, by what they may make possible.
FOR_MONEY = ("take_money", "discard_for_money")
FOR_CARDS = ("draw_then_discard",)
FOR_MINIONS = ("place_minion_near",)
FOR_TROUBLE = ("place_trouble_near", "place_minion_near")
AGAINST_TROUBLE = ("remove_trouble",)


def areas_with(*powers: str) -> int:
    """The areas that have a power of these kinds."""
    return mask_of([area.index for area in AREAS if area.power_kind in powers])


@dataclass(frozen=True, slots=True)
class Scroll:
    """How a scroll opens, and the function that carries it out."""

    function: Callable[..., Any]
    opens: Literal["choice", "commitment", "gain"]
    #: Whether the function is a generator.
    asks: bool
    #: The areas whose power may make it possible when it is not (R-TRN-5).
    helped_by: int


EFFECTS: dict[str, Scroll] = {}
F = TypeVar("F", bound=Callable[..., Any])


def _register(opens: Literal["choice", "commitment", "gain"], helped_by: Sequence[str]) -> Callable[[F], F]:
    def register(function: F) -> F:
        asks = isgeneratorfunction(function)
        EFFECTS[function.__name__] = Scroll(function, opens, asks, areas_with(*helped_by))
        return function

    return register


def choice(*, helped_by: Sequence[str]) -> Callable[[F], F]:
    """Register a scroll that begins with a choice, and the kinds of power that may bring one about."""
    return _register("choice", helped_by)


#: Register a scroll that begins without a choice, and one that is a gain.
commitment, gain = _register("commitment", ()), _register("gain", ())


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
    decision = Decision(Seat(seat), kind, options, default or decline or options[0], decline=decline, facts=facts)
    if len(options) == 1:
        match.forced.append(decision)
        return options[0].value
    option = yield decision
    return option.value
