"""Threats, and what answers them: one function an interrupt, named as in `cards.toml` (R-INT-6).

A function says which threats its card answers; what the card then does is one of three things: the minion `stays`, it
goes `elsewhere`, or the scroll `ends`. Whether a seat holds the card is nobody's business here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from games.ankh_morpork.data.cards import CARD, CARDS
from games.ankh_morpork.position.options import COLOURS

EVENT = "event"
Outcome = Literal["stays", "elsewhere", "ends"]


class Threat(NamedTuple):
    """What is about to happen to a seat: the facts of its window, ready to print."""

    #: What happens: a key of `log.THREATS`.
    threat: str
    #: The card or the event that does it, and whose doing it is: a colour, or `event`.
    card: str
    by: str = EVENT
    #: What of the card does it: `scroll`, `assassinate` or `event`.
    symbol: str = "scroll"
    #: The colour of the minion, the area it stands in, and where it is bound for.
    piece: str | None = None
    area: str | None = None
    to: str | None = None
    #: Dollars or cards.
    amount: int | None = None
    #: The areas that an event hits.
    areas: tuple[str, ...] = ()
    #: Whether the seat could end this scroll before.
    again: bool = False

    @property
    def by_another(self) -> bool:
        """Whether another player does it."""
        return self.by in COLOURS and self.by != self.piece


Rule = Callable[[Threat], bool]
#: The rule of each interrupt by number, in the order in which they are offered; and what comes of playing it.
INTERRUPTS: dict[int, Rule] = {}
OUTCOME: dict[int, Outcome] = {}


def interrupt(outcome: Outcome) -> Callable[[Rule], Rule]:
    """Register what the cards of this effect answer, and what comes of them."""

    def register(answers: Rule) -> Rule:
        for card in CARDS:
            if card.effect == answers.__name__:
                INTERRUPTS[card.index] = answers
                OUTCOME[card.index] = outcome
        return answers

    return register


def ignore_event(threat: Threat) -> bool:
    """Small Gods: an event is about to hit your minion or building, or brings a demon; $3 keeps each out of it."""
    return threat.threat in ("event", "demon")


@interrupt("ends")
def block_scroll(threat: Threat) -> bool:
    """Wallace Sonky: another player's scroll is about to affect you; it does nothing to you."""
    return threat.symbol == "scroll" and threat.by_another and not threat.again


@interrupt("stays")
def stop_move_or_removal(threat: Threat) -> bool:
    """Gaspode: another player is about to move or remove your minion; it stays."""
    return threat.threat in ("remove", "move", "swap") and threat.by_another


@interrupt("stays")
def stop_removal(threat: Threat) -> bool:
    """Susan: your minion is about to be removed, by anything; it stays."""
    return threat.threat == "remove"


@interrupt("elsewhere")
def relocate_removed(threat: Threat) -> bool:
    """Fresh Start Club and Igor: your minion is about to be removed; it comes back in another area."""
    return threat.threat == "remove"


#: What a policy can be about, in the order in which they are tried: one card a threat, the first that fires.
SUBJECTS = {"Small Gods": ignore_event} | {CARD[card]: rule for card, rule in INTERRUPTS.items()}
#: Those that let the minion come back elsewhere.
RELOCATING = tuple(CARD[card] for card, outcome in OUTCOME.items() if outcome == "elsewhere")


def answering(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """The cards that could answer the window with these facts, whatever the seat holds."""
    threat = Threat(**facts)
    return tuple(subject for subject, answers in SUBJECTS.items() if answers(threat))
