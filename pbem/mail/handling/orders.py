"""What a trusted mail can change at once: orders, undo, policies. Each act ends in a `Verdict`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.errors import OrderError
from pbem.mail.handling.context import Case, Verdict
from pbem.mail.handling.identify import Trusted, Why
from pbem.mail.handling.questions import pending
from pbem.orders import commands, referee
from pbem.play import advance as conduct
from pbem.play import queued as leftover
from pbem.play.advance import Writer
from pbem.play.letters import Letters, lines
from pbem.play.undo import last_reveal
from pbem.protocol import Event
from pbem.reports import contexts
from pbem.reports.contexts import Happening, Line, Problem
from pbem.store import Ask


def order(case: Case) -> Verdict:
    """Carry orders out, all of them or none up to the first reveal, and answer."""
    trusted, table = proven(case), case.table
    seat = case.holder.seat
    decision = table.match.decision
    if decision is None:
        return stale(case, "over")
    if decision.seat != seat == table.match.actor and trusted.why in (None, "commands"):
        asks = case.office.tx.open_asks(table.game.id)
        kept = trusted.why is None and leftover.keep(case.office, table, asks, case.lines.orders)
        return stale(case, "kept" if kept else "reactions")
    if trusted.why or decision.seat != seat:
        return stale(case, trusted.why or "past")
    outcome = conduct.orders_for(table, seat, case.lines.orders, menu_of(case))
    if not outcome.changed:
        return refuse(case, outcome)
    answering = case.answering
    assert answering is not None, "a trusted mail came from a registered address"
    writer = Writer(seat, answering, case.chat, case.retired)
    case.table = conduct.advance(
        case.office,
        table,
        outcome,
        cause="mail",
        writer=writer,
        inbound_id=case.approved or case.inbound_id,
    )
    return Verdict("applied", version=case.table.game.version)


def menu_of(case: Case) -> tuple[str, ...]:
    """The numbered options that a mail answers; the numbers of an older menu mean something else by now."""
    ask = proven(case).ask
    return ask.menu if ask.version == case.table.game.version else ()


def refuse(case: Case, outcome: referee.Outcome) -> Verdict:
    """Nothing of the mail was done: say which line was wrong, or that there was none."""
    error = outcome.refused.error if outcome.refused else None
    verdict = Verdict("refused", error.reason) if error else Verdict("answered", "no order")
    if not case.may_answer:
        return verdict
    letters = Letters(case.office, case.table)
    ask = pending(letters, case.holder.seat)
    board = letters.board(case.holder.seat, ask=ask)
    told = lines(outcome.lines, case.chat)
    context: contexts.Board
    if outcome.refused:
        context = contexts.Refusal(**board, lines=told, token_retired=case.retired)
    else:
        context = contexts.Nothing(**board, what="chat", lines=told)
    letters.post(case.holder.seat, context, ask=ask, answering=case.answering)
    return verdict


def retire(case: Case) -> None:
    """A mail that went to third parties too: its tokens are worth nothing any more, and what is asked is asked under
    a new one, with the same deadline. The answer to its orders brings that, else the report once more."""
    tx, seat = case.office.tx, case.holder.seat
    letters = Letters(case.office, case.table)
    asked = pending(letters, seat)
    again = asked_again(case, letters)
    if asked and again:
        tx.move_deadline(again.number, asked.due_at, asked.remind_at if asked.reminded_at is None else None)
        again = tx.ask(again.number)
        letters.opened(again)
    for token in case.mail.tokens:
        ask = tx.ask_for(token)
        if ask and (ask.game_id, ask.seat) == (case.holder.game_id, seat):
            tx.set_terms(ask.number, {**ask.terms, "retired": True})
            if ask.kind in conduct.MOVING:
                tx.move_deadline(ask.number, None)
            else:
                tx.close_ask(ask.number, "retired", case.office.now)
    case.retired = True
    if again and (not case.lines.orders or commands.Preview() in case.lines.commands):
        context = contexts.Report(**letters.board(seat, ask=again), occasion="again", token_retired=True)
        letters.post(seat, context, ask=again, answering=case.answering, kind="again")


def asked_again(case: Case, letters: Letters) -> Ask | None:
    """The pending question under a new token, with the deadline it had."""
    decision = case.table.match.decision
    if decision is None or decision.seat != case.holder.seat:
        return None
    before = case.office.tx.open_asks(case.holder.game_id)
    return conduct.ask_next(case.office, case.table, letters, before)


def stale(case: Case, why: Why) -> Verdict:
    """The token is past: say so, with how things stand now."""
    if case.may_answer:
        seat = case.holder.seat
        letters = Letters.seen_by(case.office, case.table, seat)
        ask = pending(letters, seat)
        context = contexts.Stale(**letters.board(seat, ask=ask), why=why, orders=case.lines.orders)
        letters.post(seat, context, ask=ask, answering=case.answering)
    return Verdict("answered", f"stale: {why}")


def undo(case: Case) -> Verdict:
    """Take back what the actor did since the last reveal."""
    table, seat = case.table, case.holder.seat
    decision = table.match.decision
    trusted = proven(case)
    if decision is None:
        return stale(case, "over")
    if trusted.why or not decision.seat == seat == table.match.actor:
        return stale(case, trusted.why or "past")
    revealed = last_reveal(case.office, table)
    if revealed.since:
        case.table = conduct.take_back(case.office, table, revealed, case.inbound_id)
    letters = Letters(case.office, case.table)
    ask = asked_again(case, letters) if revealed.since else pending(letters, seat)
    left_out = () if revealed.since or nothing_done(case) else case.lines.orders
    if revealed.since or case.may_answer:
        context = contexts.Undone(
            **letters.board(seat, ask=ask), choices=revealed.since, lines=set_aside(left_out)
        )
        letters.post(seat, context, ask=ask, answering=case.answering)
    if not revealed.since:
        return Verdict("answered", "nothing to undo")
    return Verdict("applied", "undo", case.table.game.version)


def nothing_done(case: Case) -> bool:
    """Whether nothing at all was done yet in this turn, so that orders behind an `undo` can mean nothing else."""
    match = case.table.match
    moving = [
        ask
        for ask in case.office.tx.open_asks(case.table.game.id, match.actor)
        if ask.kind in conduct.MOVING and ask.turn == match.turn and not ask.terms.get("retired")
    ]
    return len(moving) <= 1


def set_aside(texts: Iterable[str]) -> tuple[Line, ...]:
    return tuple(Line(text=one, verdict="set_aside") for one in texts)


def preview(case: Case) -> Verdict:
    """Say what the orders would do; do nothing."""
    table, seat = case.table, case.holder.seat
    decision = table.match.decision
    if decision is None or decision.seat != seat:
        return stale(case, "past" if decision else "over")
    if case.may_answer:
        outcome = referee.preview(
            table.rules, table.match, seat, case.lines.orders, table.said, menu=menu_of(case)
        )
        ahead = outcome.ahead or table.match
        letters = Letters(case.office, table)
        board = letters.board(seat, ask=pending(letters, seat))
        rest = [line.text for line in outcome.lines if line.verdict == "set_aside"]
        then = ahead.decision if not outcome.refused and ahead is not table.match else None
        if outcome.stopped and not rest and then and then.auto:
            rest = [then.auto.text]
        context = contexts.Preview(
            **{**board, "view": ahead.view(seat), "events": would_happen(case, outcome.events)},
            lines=lines(outcome.lines, case.chat) + set_aside(policies_in(case)),
            stops_at=rest[0] if outcome.stopped and rest else None,
            next=letters.wording(then) if then and not outcome.stopped and then.seat == seat else None,
        )
        letters.post(seat, context, answering=case.answering)
    return Verdict("answered", "preview")


def policies_in(case: Case) -> list[str]:
    """The policies of a mail, as they were written."""
    found = [one.text for one in case.lines.commands if isinstance(one, commands.Standing) and one.text]
    return [written(one) for one in found]


def written(policy: str) -> str:
    return f"standing {policy}"


def would_happen(case: Case, events: Sequence[Event]) -> tuple[Happening, ...]:
    match = case.table.match
    actor = case.table.colour(match.actor)
    seat = case.holder.seat
    return tuple(
        Happening(turn=match.turn, actor=actor, kind=one.kind, data=one.seen_by(seat)) for one in events
    )


def standing(case: Case) -> Verdict:
    """Set policies; without any words, list those in force."""
    table, seat = case.table, case.holder.seat
    told = []
    for one in case.lines.commands:
        if isinstance(one, commands.Standing) and one.text:
            told.append(set_policy(case, one.text))
    case.reload()
    if case.may_answer:
        letters = Letters.seen_by(case.office, case.table, seat)
        in_force = table.rules.policies(letters.table.match, seat, case.table.said[seat])
        ask = pending(letters, seat)  # orders may well be sent as an answer to this
        common = letters.addressed(seat, ask.token if ask else None)
        context = contexts.Standing(**common, lines=tuple(told), policies=tuple(in_force))
        letters.post(seat, context, answering=case.answering)
    done = any(line.verdict == "done" for line in told)
    return Verdict("applied" if done else "answered", "standing")


def set_policy(case: Case, text: str) -> Line:
    """One policy, and how its line is told."""
    try:
        subject, terms = case.table.rules.policy(text)
    except OrderError as error:
        return Line(text=written(text), verdict="refused", problem=Problem.of(error))
    case.office.tx.set_policy(case.table.game.id, case.holder.seat, subject, terms, case.office.now)
    return Line(text=written(text), verdict="done", option=subject)


def changing(wanted: Sequence[commands.Command]) -> bool:
    """Whether one of these commands changes something, so that it needs a token."""
    kinds = (commands.Standing, commands.Undo, commands.Resign, commands.Preview, commands.Address)
    return any(isinstance(one, kinds) for one in wanted)


def welcome_back(case: Case) -> None:
    """Their address works, and whatever bot kept the seat gives it back."""
    office, seat = case.office, case.table.seats[case.holder.seat]
    if any(one.bouncing_at for one in case.holder.player.addresses):
        office.tx.clear_bouncing(case.mail.sender)
    if not seat.nmr_count and not seat.stand_in:
        return
    office.tx.set_nmr(seat.game_id, seat.seat, 0, stand_in=False)
    case.reload()
    if seat.stand_in:
        conduct.notify(office, seat.game_id, "back", about=seat.colour, name=seat.name)


def proven(case: Case) -> Trusted:
    assert case.trusted is not None, "only a trusted mail may change something"
    return case.trusted
