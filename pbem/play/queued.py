"""Queued orders: what the actor wrote that must wait for somebody else's answer, and is carried out behind it.

They lie with the newest ask of the actor's turn. When the turn comes back they are done as if they had just been
written, all of them or none up to the first reveal: what stands before it is done even when the rest is wrong, or kept
orders were a free look behind it. Whatever the actor writes meanwhile takes their place.
"""

from collections.abc import Sequence
from dataclasses import replace

from pbem.orders import referee
from pbem.orders.outcome import Line, Outcome
from pbem.orders.readings import END
from pbem.orders.speech import answers
from pbem.orders.words import key
from pbem.play.asks import ask_of_turn
from pbem.play.table import Table, UnitOfWork
from pbem.protocol import Decision, Seat, decision_of
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


def drop(work: UnitOfWork, table: Table) -> tuple[str, ...]:
    """Keep no orders any more; those that were kept."""
    ask = ask_of_turn(table, table.match.actor, work.tx.open_asks(table.game.id))
    if ask is None or not ask.queued:
        return ()
    work.tx.change_ask(ask.number, queued=())
    return ask.queued


def go_on(work: UnitOfWork, table: Table, asks: Sequence[Ask]) -> Outcome | None:
    """What comes of the orders that were kept, now that the turn has come back; None when there are none, or when it
    has not. Nothing comes of orders that are wrong before anything is revealed, or could not know of what is asked now."""
    actor = table.match.actor
    decision, ask = decision_of(table.match, actor), ask_of_turn(table, actor, asks)
    if actor is None or decision is None or ask is None or not ask.queued:
        return None
    outcome = referee.carry_out(table.rules, table.match, actor, ask.queued, table.presets(), names=table.names)
    if not table.in_own_turn(decision) or foreign(work, table, decision):
        lines = tuple(Line(text, "set_aside") for text in ask.queued)
        return replace(outcome, match=table.match, events=(), lines=lines, changed=False, answer=None)
    return outcome


def foreign(work: UnitOfWork, table: Table, decision: Decision) -> bool:
    """Whether a decision comes from something that the actor did not begin in this turn, such as an event."""
    causes = [str(decision.facts[fact]) for fact in referee.CAUSES if decision.facts.get(fact)]
    version = work.tx.version(table.game.id, table.game.version)
    while causes and version.turn == table.match.turn:
        own = [str(choice[1]) for choice in version.added if choice[0] == table.match.actor]
        causes = [cause for cause in causes if not any(text.endswith(cause) for text in own)]
        if version.parent is None:
            break
        version = work.tx.version(table.game.id, version.parent)
    return bool(causes)


def lost(asks: Sequence[Ask]) -> tuple[Seat | None, tuple[Line, ...]]:
    """Whose orders were kept for the rest of a turn that has ended without them, and what they were."""
    moves = [ask for ask in asks if ask.kind == "turn"]
    if not moves:
        return None, ()
    return moves[-1].seat, tuple(Line(text, "set_aside") for text in moves[-1].queued if not declines(text))


def declines(text: str) -> bool:
    """Whether an order only leaves something out, or ends the turn."""
    words = key(text)
    spoken = [answers(kind).at(words, 0) for kind in ("no", "end") if words]
    return any(phrase and phrase.length == len(words) for phrase in spoken)
