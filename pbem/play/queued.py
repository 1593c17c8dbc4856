"""Queued orders: what the actor wrote that must wait for somebody else's answer, and is carried out behind it.

They lie with the newest ask of the actor's turn. When the turn comes back they are done as if they had just been
written, all of them or none; whatever the actor writes meanwhile takes their place.
"""

from collections.abc import Sequence

from pbem.orders import referee
from pbem.orders.outcome import Outcome
from pbem.orders.readings import END
from pbem.play.asks import ask_of_turn
from pbem.play.table import Table, UnitOfWork
from pbem.protocol import decision_of
from pbem.store import Ask


def waits_for_others(table: Table) -> bool:
    """Whether the actor's turn goes on only behind somebody else's answer."""
    match = table.match
    return match.actor is not None and not table.over and decision_of(match, match.actor) is None


def left(outcome: Outcome) -> list[str]:
    """The orders that were not reached because somebody else has to answer first."""
    if outcome.refused:
        return []
    behind = [line.text for line in outcome.lines if line.verdict == "set_aside"]
    ended = any(line.verdict == "done" and line.option == END for line in outcome.lines)
    return [*behind, END] if ended else behind


def keep(work: UnitOfWork, table: Table, asks: Sequence[Ask], orders: Sequence[str]) -> bool:
    """Keep orders until the turn comes back, in the place of any kept before; whether there is where to."""
    ask = ask_of_turn(table, table.match.actor, asks)
    if ask:
        work.tx.change_ask(ask.number, queued=orders)
    return ask is not None


def go_on(table: Table, asks: Sequence[Ask]) -> Outcome | None:
    """What comes of the orders that were kept, now that the turn has come back; None when there are none, or when
    they are not possible as they stand: the actor is asked then."""
    actor = table.match.actor
    decision, ask = decision_of(table.match, actor), ask_of_turn(table, actor, asks)
    if actor is None or decision is None or ask is None or not ask.queued or not table.in_own_turn(decision):
        return None
    outcome = referee.carry_out(table.rules, table.match, actor, ask.queued, table.presets(), names=table.names)
    return outcome if outcome.changed and not outcome.refused else None
