"""The interrupts: one function each, named as in `cards.toml`, which says what threats its card answers (R-INT-6).

What the card then does is one of three things: the minion `stays`, it goes `elsewhere`, or the scroll `ends`. Whether a
seat holds the card is nobody's business here. The facts of a threat are those of `log.threatened`.
"""

from collections.abc import Callable
from typing import Literal

from games.ankh_morpork.data.cards import CARD, CARDS
from games.ankh_morpork.position.options import COLOURS
from games.ankh_morpork.text.log import Facts

Rule = Callable[[Facts], bool]
#: The rule of each interrupt by number, in the order in which they are offered; and what comes of playing it.
INTERRUPTS: dict[int, Rule] = {}
OUTCOME: dict[int, Literal["stays", "elsewhere", "ends"]] = {}


def interrupt(outcome: Literal["stays", "elsewhere", "ends"]) -> Callable[[Rule], Rule]:
    """Register what the cards of this effect answer, and what comes of them."""

    def register(answers: Rule) -> Rule:
        for card in CARDS:
            if card.effect == answers.__name__:
                INTERRUPTS[card.index] = answers
                OUTCOME[card.index] = outcome
        return answers

    return register


def by_another(threat: Facts) -> bool:
    """Whether another player does it."""
    return threat["by"] in COLOURS and threat["by"] != threat["piece"]


def ignore_event(threat: Facts) -> bool:
    """Small Gods: an event is about to hit your minion or building, or brings a demon; $3 keeps each out of it."""
    return threat["threat"] in ("event", "demon")


@interrupt("ends")
def block_scroll(threat: Facts) -> bool:
    """Wallace Sonky: another player's scroll is about to affect you; it does nothing to you."""
    return threat["symbol"] == "scroll" and by_another(threat) and not threat["again"]


@interrupt("stays")
def stop_move_or_removal(threat: Facts) -> bool:
    """Gaspode: another player is about to move or remove your minion; it stays."""
    return threat["threat"] in ("remove", "move", "swap") and by_another(threat)


@interrupt("stays")
def stop_removal(threat: Facts) -> bool:
    """Susan: your minion is about to be removed, by anything; it stays."""
    return bool(threat["threat"] == "remove")


@interrupt("elsewhere")
def relocate_removed(threat: Facts) -> bool:
    """Fresh Start Club and Igor: your minion is about to be removed; it comes back in another area."""
    return bool(threat["threat"] == "remove")


#: What a policy can be about, in the order in which they are tried: one card a threat, the first that fires.
SUBJECTS = {"Small Gods": ignore_event} | {CARD[card]: rule for card, rule in INTERRUPTS.items()}
#: Those that let the minion come back elsewhere.
RELOCATING = tuple(CARD[card] for card, outcome in OUTCOME.items() if outcome == "elsewhere")


def answering(threat: Facts) -> tuple[str, ...]:
    """The cards that could answer this threat, whatever the seat holds."""
    return tuple(subject for subject, answers in SUBJECTS.items() if answers(threat))
