"""What a trusted mail can change at once: orders, undo, policies. Each act ends in a `Handled`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.errors import NotPossible, OrderError
from pbem.mail.handling.context import Handled, Incoming
from pbem.mail.handling.identify import Trusted, Why
from pbem.orders import commands, referee
from pbem.orders.outcome import Outcome
from pbem.play import advance, queued
from pbem.play.advance import Writer
from pbem.play.asks import ask_again
from pbem.play.letters import Letters, lines
from pbem.play.undo import last_reveal
from pbem.protocol import Event, HasPolicies, decision_of
from pbem.reports import contexts
from pbem.reports.contexts import Happening, Line, Problem
from pbem.store import Ask


def order(incoming: Incoming) -> Handled:
    """Carry orders out, all of them or none up to the first reveal, and answer."""
    trusted, table = proven(incoming), incoming.table
    seat = incoming.holder.seat
    if table.over:
        return stale(incoming, "over")
    asked = table.decision(seat) is not None
    if not asked and seat == table.match.actor and trusted.why in (None, "commands"):
        asks = incoming.work.tx.open_asks(table.game.id)
        kept = trusted.why is None and queued.keep(incoming.work, table, asks, incoming.lines.orders)
        return stale(incoming, "kept" if kept else "reactions")
    if trusted.why or not asked:
        return stale(incoming, trusted.why or "past")
    outcome = referee.carry_out(
        table.rules, table.match, seat, incoming.lines.orders, table.presets(), menu=menu_of(incoming)
    )
    if not outcome.accepted:
        return refuse(incoming, outcome)
    answering = incoming.answering
    assert answering is not None, "a trusted mail came from a registered address"
    writer = Writer(answering, incoming.chat, incoming.retired)
    incoming.table = advance.advance(
        incoming.work,
        table,
        outcome,
        cause="mail",
        seat=seat,
        writer=writer,
        inbound_id=incoming.approved or incoming.inbound_id,
    )
    return Handled("applied", version=incoming.table.game.version)


def menu_of(incoming: Incoming) -> tuple[str, ...]:
    """The numbered options that a mail answers; the numbers of an older menu mean something else by now."""
    ask = proven(incoming).ask
    return ask.menu if ask.version == incoming.table.game.version else ()


def refuse(incoming: Incoming, outcome: Outcome) -> Handled:
    """Nothing of the mail was done: say which line was wrong, or that there was none."""
    error = outcome.refused.error if outcome.refused else None
    handled = Handled("refused", error.reason) if error else Handled("answered", "no order")
    if not incoming.may_answer:
        return handled
    letters = Letters(incoming.work, incoming.table)
    ask = letters.pending(incoming.holder.seat)
    board = letters.board(incoming.holder.seat, ask=ask)
    told = lines(outcome.lines, incoming.chat)
    context: contexts.Board
    if outcome.refused:
        context = contexts.Refusal(**board, lines=told, token_retired=incoming.retired)
    else:
        context = contexts.Nothing(**board, what="chat", lines=told)
    letters.post(incoming.holder.seat, context, ask=ask, answering=incoming.answering)
    return handled


def retire(incoming: Incoming) -> None:
    """A mail that went to third parties too: its tokens are worth nothing any more, and what is asked is asked under
    a new one, with the same deadline. The answer to its orders brings that, else the report once more."""
    tx, seat = incoming.work.tx, incoming.holder.seat
    letters = Letters(incoming.work, incoming.table)
    asked = letters.pending(seat)
    again = asked_again(incoming, letters)
    if asked and again:
        tx.move_deadline(again.number, asked.due_at, asked.remind_at if asked.reminded_at is None else None)
        again = tx.ask(again.number)
        letters.opened(again)
    for token in incoming.mail.tokens:
        ask = tx.ask_for(token)
        if ask and (ask.game_id, ask.seat) == (incoming.holder.game_id, seat):
            tx.retire_ask(ask.number)
            if ask.moves:
                tx.move_deadline(ask.number, None)
            else:
                tx.close_ask(ask.number, "retired", incoming.work.now)
    incoming.retired = True
    if again and (not incoming.lines.orders or commands.Preview() in incoming.lines.commands):
        context = contexts.Report(**letters.board(seat, ask=again), occasion="again", token_retired=True)
        letters.post(seat, context, ask=again, answering=incoming.answering, kind="again")


def asked_again(incoming: Incoming, letters: Letters) -> Ask | None:
    """The pending question under a new token, with the deadline it had."""
    ask = ask_again(incoming.work, incoming.table, incoming.holder.seat)
    if ask:
        letters.opened(ask)
    return ask


def stale(incoming: Incoming, why: Why) -> Handled:
    """The token is past: say so, with how things stand now."""
    if incoming.may_answer:
        seat = incoming.holder.seat
        letters = Letters.seen_by(incoming.work, incoming.table, seat)
        ask = letters.pending(seat)
        context = contexts.Stale(**letters.board(seat, ask=ask), why=why, orders=incoming.lines.orders)
        letters.post(seat, context, ask=ask, answering=incoming.answering)
    return Handled("answered", f"stale: {why}")


def undo(incoming: Incoming) -> Handled:
    """Take back what the actor did since the last reveal."""
    table, seat = incoming.table, incoming.holder.seat
    trusted = proven(incoming)
    if table.over:
        return stale(incoming, "over")
    asked = table.decision(seat) is not None
    if not trusted.why and asked and seat in table.answers:
        return withdraw(incoming)
    if trusted.why or not asked or seat != table.match.actor:
        return stale(incoming, trusted.why or "past")
    revealed = last_reveal(incoming.work, table)
    if revealed.since:
        incoming.table = advance.take_back(incoming.work, table, revealed, incoming.inbound_id)
    letters = Letters(incoming.work, incoming.table)
    ask = asked_again(incoming, letters) if revealed.since else letters.pending(seat)
    left_out = () if revealed.since or nothing_done(incoming) else incoming.lines.orders
    if revealed.since or incoming.may_answer:
        context = contexts.Undone(**letters.board(seat, ask=ask), choices=revealed.since, lines=set_aside(left_out))
        letters.post(seat, context, ask=ask, answering=incoming.answering)
    if not revealed.since:
        return Handled("answered", "nothing to undo")
    return Handled("applied", "undo", incoming.table.game.version)


def withdraw(incoming: Incoming) -> Handled:
    """Take back what the seat has answered to a group that is still open."""
    work, table, seat = incoming.work, incoming.table, incoming.holder.seat
    answers = dict(table.answers)
    taken_back = answers.pop(seat)
    for ask in work.tx.open_asks(table.game.id, seat):
        if ask.answer is not None:
            work.tx.set_answer(ask.number, None, False)
    incoming.table = replace(table, answers=answers)
    letters = Letters(work, incoming.table)
    ask_now = asked_again(incoming, letters)
    context = contexts.Undone(**letters.board(seat, ask=ask_now), choices=taken_back)
    letters.post(seat, context, ask=ask_now, answering=incoming.answering)
    return Handled("applied", "undo", table.game.version)


def nothing_done(incoming: Incoming) -> bool:
    """Whether nothing at all was done yet in this turn, so that orders behind an `undo` can mean nothing else."""
    table = incoming.table
    moving = [
        ask
        for ask in incoming.work.tx.open_asks(table.game.id, incoming.holder.seat)
        if ask.moves and ask.turn == table.match.turn and not ask.retired
    ]
    return len(moving) <= 1


def set_aside(texts: Iterable[str]) -> tuple[Line, ...]:
    return tuple(Line(text=one, verdict="set_aside") for one in texts)


def preview(incoming: Incoming) -> Handled:
    """Say what the orders would do; do nothing."""
    table, seat = incoming.table, incoming.holder.seat
    if table.decision(seat) is None:
        return stale(incoming, "over" if table.over else "past")
    if incoming.may_answer:
        outcome = referee.preview(
            table.rules, table.match, seat, incoming.lines.orders, table.presets(), menu=menu_of(incoming)
        )
        ahead = outcome.ahead or table.match
        letters = Letters(incoming.work, table)
        board = letters.board(seat, ask=letters.pending(seat))
        rest = [line.text for line in outcome.lines if line.verdict == "set_aside"]
        then = decision_of(ahead, seat) if not outcome.refused and ahead is not table.match else None
        if outcome.stopped and not rest and then and then.auto:
            rest = [then.auto.text]
        context = contexts.Preview(
            **{**board, "view": ahead.view(seat), "events": would_happen(incoming, outcome.events)},
            lines=lines(outcome.lines, incoming.chat) + set_aside(policies_in(incoming)),
            stops_at=rest[0] if outcome.stopped and rest else None,
            next=letters.wording(then) if then and not outcome.stopped else None,
        )
        letters.post(seat, context, answering=incoming.answering)
    return Handled("answered", "preview")


def policies_in(incoming: Incoming) -> list[str]:
    """The policies of a mail, as they were written."""
    found = [one.text for one in incoming.lines.commands if isinstance(one, commands.Standing) and one.text]
    return [written(one) for one in found]


def written(policy: str) -> str:
    return f"standing {policy}"


def would_happen(incoming: Incoming, events: Sequence[Event]) -> tuple[Happening, ...]:
    table, seat = incoming.table, incoming.holder.seat
    return tuple(
        Happening(turn=table.match.turn, actor=table.actor, kind=event.kind, data=event.seen_by(seat))
        for event in events
    )


def standing(incoming: Incoming) -> Handled:
    """Set policies; without any words, list those in force."""
    seat = incoming.holder.seat
    told = []
    for one in incoming.lines.commands:
        if isinstance(one, commands.Standing) and one.text:
            told.append(set_policy(incoming, one.text))
    incoming.reload()
    if incoming.may_answer:
        letters = Letters.seen_by(incoming.work, incoming.table, seat)
        ask = letters.pending(seat)  # orders may well be sent as an answer to this
        common = letters.addressed(seat, ask)
        context = contexts.Standing(**common, lines=tuple(told), policies=letters.policies(seat))
        letters.post(seat, context, answering=incoming.answering)
    done = any(line.verdict == "done" for line in told)
    return Handled("applied" if done else "answered", "standing")


def set_policy(incoming: Incoming, text: str) -> Line:
    """One policy, and how its line is told."""
    rules = incoming.table.rules
    try:
        if not isinstance(rules, HasPolicies):
            raise NotPossible(text, "no_policies")
        subject, terms = rules.policy(text)
    except OrderError as error:
        return Line(text=written(text), verdict="refused", problem=Problem.of(error))
    incoming.work.tx.set_policy(incoming.table.game.id, incoming.holder.seat, subject, terms, incoming.work.now)
    return Line(text=written(text), verdict="done", option=subject)


def changing(wanted: Sequence[commands.Command]) -> bool:
    """Whether one of these commands changes something, so that it needs a token."""
    kinds = (commands.Standing, commands.Undo, commands.Resign, commands.Preview, commands.Address)
    return any(isinstance(one, kinds) for one in wanted)


def welcome_back(incoming: Incoming) -> None:
    """Their address works, and whatever bot kept the seat gives it back."""
    work, seat = incoming.work, incoming.table.seats[incoming.holder.seat]
    if any(one.bouncing_at for one in incoming.holder.player.addresses):
        work.tx.clear_bouncing(incoming.mail.sender)
    if not seat.nmr_count and not seat.stand_in:
        return
    work.tx.set_nmr(seat.game_id, seat.seat, 0, stand_in=False)
    incoming.reload()
    if seat.stand_in:
        advance.notify(work, seat.game_id, "back", about=seat.colour, name=seat.name)


def proven(incoming: Incoming) -> Trusted:
    assert incoming.trusted is not None, "only a trusted mail may change something"
    return incoming.trusted
