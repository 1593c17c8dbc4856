"""Asking: an effect yields a `Decision` and is sent the option that was chosen, or a `Group` and is sent its answers.

`EFFECTS` holds the function of every scroll by its name in `cards.toml`. Scrolls open in one of three ways:
with a choice (offered together with `skip`), as a commitment (`scroll` or `skip`), or as a gain, which is a
commitment that asks nothing of the actor, costs nothing, rolls nothing, and so is taken by itself.

The words of `@choice("trouble", "calm")` are what the scroll may lack, keys of `HELP`: an area with trouble, one without.
While a power may bring it the scroll is not skipped by itself.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

from games.ankh_morpork.data.cards import AREAS, CARD
from games.ankh_morpork.position.options import COLOURS, SKIP, TARGET, mask_of
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.text import log
from games.ankh_morpork.text.log import Facts
from pbem.protocol import Decision, Option, Seat

#: A sequence of decisions, and what it came to.
Questions: TypeAlias = Generator[Decision, Any, Any]


class Group(dict[Seat, Questions]):
    """Sequences that are asked at the same time, by seat, in the order in which they are carried out.

    A sequence changes nothing. What each came to, by seat, is sent back when all have ended.
    """


#: What asks on the way, decisions or groups, and returns what came of it.
Asking: TypeAlias = Generator[Decision | Group, Any, Any]
#: What carries something out. A function that never asks has no need of one: it returns None, and who calls what may be
#: either writes `yield from function(...) or ()`.
Effect: TypeAlias = Generator[Decision | Group, Any, None]


def together(sequences: dict[Seat, Questions]) -> Asking:
    """Ask several seats at once: what the sequence of each came to, by seat. A sequence changes nothing."""
    if len(sequences) > 1:
        return (yield Group(sequences))
    for seat, sequence in sequences.items():
        return {seat: (yield from sequence)}
    return {}


def put(decision: Decision) -> Questions:
    """A sequence of one decision: the value of the option chosen."""
    option = yield decision
    return option.value


#: What a symbol or a scroll may lack, and the kinds of power, as in `areas.toml`, that may help it out (R-TRN-5).
HELP: dict[str, tuple[str, ...]] = {
    "money": ("take_money", "discard_for_money"),
    "cards": ("draw_then_discard",),
    "minions": ("place_minion_near",),
    "trouble": ("place_trouble_near", "place_minion_near"),
    "calm": ("remove_trouble",),
}


def helping(*lacks: str) -> int:
    """The areas that have a power which may bring one of these."""
    return mask_of([area.index for area in AREAS if any(area.power_kind in HELP[lack] for lack in lacks)])


@dataclass(frozen=True, slots=True)
class Scroll:
    """How a scroll opens, and the function that carries it out."""

    function: Callable[..., Any]
    opens: Literal["choice", "commitment", "gain"]
    #: The areas whose power may make it possible when it is not.
    helped_by: int


EFFECTS: dict[str, Scroll] = {}
F = TypeVar("F", bound=Callable[..., Any])


def _register(opens: Literal["choice", "commitment", "gain"], *lacks: str) -> Callable[[F], F]:
    def register(function: F) -> F:
        EFFECTS[function.__name__] = Scroll(function, opens, helping(*lacks))
        return function

    return register


def choice(*lacks: str) -> Callable[[F], F]:
    """Register a scroll that begins with a choice, and what it may lack that powers could bring."""
    return _register("choice", *lacks)


#: Register a scroll that begins without a choice, and one that is a gain.
commitment, gain = _register("commitment"), _register("gain")

#: By card: the facts of a decision of its scroll, but for what the scroll adds.
_OF_SCROLL = tuple(log.asked(card, "scroll") for card in CARD)


def about(match: Table, more: dict[str, Any]) -> Facts:
    """The facts of a decision of the scroll that is being carried out: what it adds are arguments of `log.asked`."""
    if "from_" in more:
        more["from"] = more.pop("from_")
    return _OF_SCROLL[match.card] | more if more else _OF_SCROLL[match.card]


def begin(match: Table, kind: str, options: Sequence[Option], **facts: Any) -> Questions:
    """The choice a scroll begins with; the symbol adds `skip`. Without an option the scroll cannot be done."""
    option = yield Decision(match.actor, kind, options, SKIP, decline=SKIP, facts=about(match, facts))
    return option.value


def name_player(match: Table, those: Sequence[Seat] | None = None, **facts: Any) -> Questions:
    """A scroll begins by naming one of these players; of all others, the next first (D-NAME), when nothing is said."""
    others = match.others(match.actor) if those is None else those
    options = tuple([TARGET[other] for other in others])
    option = yield Decision(match.actor, "target", options, SKIP, decline=SKIP, facts=about(match, facts))
    named(match, option.value)
    return option.value


def named(match: Table, victim: Seat) -> None:
    """Log whom a scroll names."""
    match.tell(log.TargetNamed(COLOURS[match.actor], COLOURS[victim], match.cause))


def choose(
    match: Table,
    seat: Seat,
    kind: str,
    options: Sequence[Option],
    facts: Facts | None = None,
    *,
    default: Option | None = None,
    decline: Option | None = None,
    **more: Any,
) -> Questions:
    """Ask a seat, unless the rules leave it one option; the value of the option chosen.

    The default is the option that declines, else the first. The facts are those of the scroll that is being
    carried out with `more`, if no other are given. A scroll may ask another player only what it has aimed at
    them: they had a window.
    """
    assert seat == match.actor or match.aimed >> seat & 1, f"{kind} put to {seat}, who had no window"
    facts = facts or about(match, more)
    decision = Decision(seat, kind, options, default or decline or options[0], decline=decline, facts=facts)
    if len(options) == 1:
        match.forced.append(decision)
        return options[0].value
    option = yield decision
    return option.value
