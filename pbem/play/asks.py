"""Asking: an ask for each seat that must decide, with a token and a deadline, and closing what is answered."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.orders.outcome import GroupAnswer
from pbem.play.table import Table, UnitOfWork
from pbem.protocol import Decision, Seat
from pbem.store import Ask, Game

#: Whoever has just written part of a turn has at least so long for the rest.
GRACE = timedelta(hours=2)
#: So often in one turn: whoever writes and takes back again and again must not hold a game for ever.
MOST_GRACES = 12


def ask_seats(work: UnitOfWork, table: Table, seats: Sequence[Seat], before: Sequence[Ask]) -> dict[Seat, Ask]:
    """An ask with a new token for each of these seats; those of a group have the same deadline."""
    return {seat: ask_seat(work, table, seat, before) for seat in seats}


def ask_seat(work: UnitOfWork, table: Table, seat: Seat, before: Sequence[Ask]) -> Ask:
    """An ask with a new token for what is asked of a seat."""
    decision = table.decision(seat)
    assert decision is not None, "only a seat with a pending decision is asked"
    due_at = deadline(work, table, decision, before)
    return work.tx.open_ask(
        table.game.id,
        decision.seat,
        version=table.game.version,
        turn=table.match.turn,
        kind="turn" if table.in_own_turn(decision) else "window",
        now=work.now,
        menu=[option.text for option in decision.options],
        due_at=due_at,
        remind_at=reminder(work, table.game, due_at),
    )


def ask_again(work: UnitOfWork, table: Table, seat: Seat) -> Ask | None:
    """What a seat is asked, under a new token, which takes over the deadline; None when it is not asked. One whose report
    never arrived has used up no time. What the seat has answered to an open group stays, as long as the same player has it."""
    if table.decision(seat) is None:
        return None
    before = work.tx.open_asks(table.game.id)
    mine = [ask for ask in before if ask.seat == seat and ask.moves]
    ask = ask_seat(work, table, seat, before)
    for old in mine:
        work.tx.move_deadline(old.number, None)
    last = mine[-1] if mine and mine[-1].tenure == table.seats[seat].tenure else None
    if last and last.answer is not None:
        work.tx.change_ask(ask.number, answer=last.answer, answered=last.answered)
    if last and last.due_at and ask.due_at and last.report_accepted_at is None:
        work.tx.give_time(ask, last.due_at + (work.now - last.opened_at) - ask.due_at)
    return work.tx.ask(ask.number)


def deadline(work: UnitOfWork, table: Table, decision: Decision, before: Sequence[Ask]) -> datetime:
    """When an answer is due. A turn goes on with the time it had; others' reactions in between do not use it up."""
    settings, now = table.game.settings, work.now
    if not table.in_own_turn(decision):
        group = [ask for ask in before if ask.kind == "window" and ask.version == table.game.version]
        return next((ask.due_at for ask in group if ask.due_at), now + timedelta(hours=settings.reaction_hours))
    last, left = ask_of_turn(table, decision.seat, before), timedelta(hours=settings.turn_hours)
    if last is None:
        return now + left
    if last.left_seconds is not None:
        left = timedelta(seconds=last.left_seconds)
    asked = sum(ask.seat == decision.seat and ask.kind == "turn" and ask.turn == table.match.turn for ask in before)
    return max(last.due_at or now + left, now + GRACE if asked <= MOST_GRACES else now)


def reminder(work: UnitOfWork, game: Game, due_at: datetime) -> datetime | None:
    """When to remind of a deadline; None when it is too near, or when nobody is to be reminded."""
    hours = game.settings.reminder_hours
    remind_at = due_at - timedelta(hours=hours)
    return remind_at if hours and remind_at > work.now else None


def ask_of_turn(table: Table, seat: Seat | None, asks: Sequence[Ask]) -> Ask | None:
    """The newest ask of a seat for its moves in the turn being played."""
    turn = table.match.turn
    mine = [ask for ask in asks if ask.seat == seat and ask.kind == "turn" and ask.turn == turn]
    return mine[-1] if mine else None


def close_answered(work: UnitOfWork, table: Table, turn_over: bool, before: Sequence[Ask]) -> list[Ask]:
    """Close the asks whose turn or window is over; those that stay open.

    A window is over when the game goes on, so that a late answer is not applied to the next one. The actor's own asks
    outlive windows in their turn, but without a deadline: the newest has it.
    """
    kept = []
    for ask in before:
        if not ask.moves:
            kept.append(ask)
        elif table.over or turn_over or ask.kind == "window":
            work.tx.close_asks("over" if table.over else "answered", work.now, number=ask.number)
        else:
            kept.append(ask)
            if ask.due_at is not None:
                left = max(0.0, (ask.due_at - work.now).total_seconds())
                work.tx.change_ask(ask.number, due_at=None, reminded_at=work.now, left_seconds=left)
    return [work.tx.ask(ask.number) if ask.moves else ask for ask in kept]


def keep_answer(work: UnitOfWork, table: Table, ask: Ask, answer: GroupAnswer) -> tuple[Table, Ask]:
    """Note what a seat has answered to a group that stays open; the table and the ask as they are then. When another
    question of its sequence comes next it is asked under a new token, with the same deadline."""
    table = replace(table, answers={**table.answers, ask.seat: answer.texts})
    decision = table.decision(ask.seat)
    menu = tuple(option.text for option in decision.options) if decision else ()
    if menu != ask.menu:
        old, remind_at = ask, None if ask.reminded_at else ask.remind_at
        ask = work.tx.open_ask(
            table.game.id,
            old.seat,
            version=old.version,
            turn=old.turn,
            kind=old.kind,
            now=work.now,
            menu=menu,
            due_at=old.due_at,
            remind_at=remind_at,
        )
        work.tx.close_asks("answered", work.now, number=old.number)
    work.tx.change_ask(ask.number, answer=answer.texts, answered=answer.complete)
    return table, work.tx.ask(ask.number)
