"""What the actor wrote for later: orders that must wait for somebody else's answer, and are carried out behind it.

They lie with the newest ask of the actor's turn. When the turn comes back they are done as if they had just been
written, all of them or none; whatever the actor writes meanwhile takes their place.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.orders import referee
from pbem.orders.match import END
from pbem.orders.referee import Bots, Outcome
from pbem.play.table import Table, UnitOfWork
from pbem.store import Ask

#: Where an ask's terms hold them.
KEPT = "kept"


def waits_for_others(table: Table) -> bool:
    """Whether the actor's turn goes on only behind somebody else's answer."""
    decision = table.match.decision
    return decision is not None and decision.seat != table.match.actor


def left(outcome: Outcome) -> list[str]:
    """The orders that were not reached because somebody else has to answer first."""
    if outcome.refused:
        return []
    behind = [line.text for line in outcome.lines if line.verdict == "set_aside"]
    ended = any(line.verdict == "done" and line.option == END for line in outcome.lines)
    return [*behind, END] if ended else behind


def keep(work: UnitOfWork, table: Table, asks: Sequence[Ask], orders: Sequence[str]) -> bool:
    """Keep orders until the turn comes back, in the place of any kept before; whether there is where to."""
    mine = asks_of_turn(table, asks)
    if not mine:
        return False
    ask = work.tx.ask(mine[-1].number)
    work.tx.set_terms(ask.number, {**ask.terms, KEPT: list(orders)})
    return True


def go_on(table: Table, asks: Sequence[Ask], bots: Bots) -> Outcome | None:
    """What comes of the orders that were kept, now that the turn has come back; None when there are none, or when
    they are not possible as they stand: the actor is asked then."""
    match = table.match
    decision = match.decision
    mine = asks_of_turn(table, asks)
    orders = mine[-1].terms.get(KEPT) if mine else None
    if not orders or decision is None or decision.seat != match.actor or decision.window:
        return None
    outcome = referee.carry_out(table.rules, match, match.actor, orders, table.said, bots=bots)
    return outcome if outcome.changed and not outcome.refused else None


def asks_of_turn(table: Table, asks: Sequence[Ask]) -> list[Ask]:
    """The asks of the turn being played, oldest first."""
    match = table.match
    return [one for one in asks if one.seat == match.actor and one.kind == "turn" and one.turn == match.turn]
