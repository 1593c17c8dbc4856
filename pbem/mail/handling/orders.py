"""What a trusted mail can change at once: orders, undo, policies. Each act ends in a `Handled`."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from pbem.errors import NotPossible, OrderError
from pbem.mail.handling.context import CONFIRMING, Handled, Incoming
from pbem.mail.handling.identify import Trusted
from pbem.mail.handling.questions import answer_alone
from pbem.orders import commands, referee
from pbem.orders.marks import mark
from pbem.orders.outcome import Line, Outcome, Problem
from pbem.play import advance, queued
from pbem.play.asks import ask_again
from pbem.play.letters import chat_lines, happening
from pbem.play.reveal import last_mail
from pbem.play.table import Table, UnitOfWork
from pbem.protocol import HasPolicies, Seat, decision_of
from pbem.reports import contexts


def order(incoming: Incoming) -> Handled:
    """Carry orders out, all of them or none up to the first reveal, and answer."""
    work, table, seat, why = incoming.work, incoming.table, incoming.seat, incoming.proof.why
    if table.over:
        return stale(incoming, "over")
    asked = table.decision(seat) is not None
    if incoming.mail.mark and not shown(incoming):
        return stale(incoming, why or "past")
    if not asked and seat == table.match.actor and why in (None, "commands"):
        asks = work.tx.open_asks(table.game.id)
        kept = why is None and queued.keep(work, table, asks, incoming.lines.orders)
        return stale(incoming, "kept" if kept else "reactions")
    if why or not asked:
        return stale(incoming, why or "past")
    outcome = carried_out(incoming, referee.carry_out)
    if not outcome.accepted:
        only_asks = incoming.asking.alone and not outcome.proposal
        return answer_alone(incoming) if only_asks else refuse(incoming, outcome)
    source, answering = incoming.approved or incoming.inbound_id, incoming.answering
    assert answering is not None, "a trusted mail came from a registered address"
    incoming.table = advance.advance(
        work, table, outcome, cause="mail", seat=seat, answering=answering, inbound_id=source
    )
    return Handled("applied", version=incoming.table.game.version)


def shown(incoming: Incoming) -> bool:
    """Whether what is asked is what the tapped link stood beside: the same decision in the same state of the game."""
    table, ask = incoming.table, incoming.proof.ask
    decision = table.decision(incoming.seat)
    if decision is None:
        return False
    options = (option.text for option in decision.options)
    answer = () if ask.answered else table.answers.get(incoming.seat, ())
    then = ask.version == table.game.version or (
        incoming.work.tx.version(table.game.id, ask.version).digest == table.match.digest()
    )
    return then and mark(options, answer) == incoming.mail.mark


def carried_out(incoming: Incoming, how: Callable[..., Outcome]) -> Outcome:
    """What comes of the orders. A bare number answers the menu of the mail's ask, unless that is of an older version:
    its numbers mean something else by now."""
    table, ask = incoming.table, incoming.proof.ask
    menu = ask.menu if ask.version == table.game.version else ()
    return how(
        table.rules, table.match, incoming.seat, incoming.lines.orders, table.presets(), menu=menu, names=table.names
    )


def refuse(incoming: Incoming, outcome: Outcome) -> Handled:
    """Nothing of the mail was done: say which line was wrong, or that there was none."""
    problem = outcome.refused.problem if outcome.refused else None
    lines = outcome.lines + chat_lines(incoming.chat)
    if problem and incoming.may_refuse:  # the limit is a robot's: these are orders with a token that counts
        # A new token, whose `yes` does what a doubt keeps from being done.
        doubted = outcome.proposal and problem.kind == "ambiguous"
        ask = ask_again(incoming.work, incoming.table, incoming.seat) if doubted else None
        proposal = outcome.proposal if ask else ()
        if ask:
            incoming.work.tx.change_ask(ask.number, proposal=proposal)
        incoming.answer(contexts.Refusal, ask=ask, lines=lines, token_retired=incoming.retired, proposal=proposal)
    elif not problem and incoming.may_answer:
        incoming.answer(contexts.Nothing, what="chat", lines=lines)
    return Handled("refused", problem.reason) if problem else Handled("answered", "no order")


def leaked(incoming: Incoming) -> None:
    """The tokens of a mail that went to others too are worth nothing any more, and what is asked is asked under a new
    one, with the same deadline. The answer to its orders brings that, else the report once more."""
    work, tx = incoming.work, incoming.work.tx
    asks = [ask for token in incoming.mail.tokens if incoming.mail.third_parties and (ask := tx.ask_for(token))]
    given = [ask for ask in asks if (ask.game_id, ask.seat) == (incoming.table.game.id, incoming.seat)]
    if all(ask.retired for ask in given):
        return
    asked = incoming.letters().pending(incoming.seat)
    again = ask_again(work, incoming.table, incoming.seat)
    if asked and again:
        tx.move_deadline(again.number, asked.due_at, asked.remind_at if asked.reminded_at is None else None)
        tx.change_ask(again.number, report_accepted_at=asked.report_accepted_at)
    for ask in given:
        tx.change_ask(ask.number, retired=True)
        if ask.moves:
            tx.move_deadline(ask.number, None)
        else:
            tx.close_asks("retired", work.now, number=ask.number)
    incoming.retired = True
    acknowledged = isinstance(incoming.identity, Trusted) and incoming.lines.orders
    if again and incoming.may_answer and (not acknowledged or commands.Preview() in incoming.lines.commands):
        incoming.answer(contexts.Report, occasion="again", token_retired=True, kind="again")


def stale(incoming: Incoming, why: contexts.Past) -> Handled:
    """The token is past: say so, with how things stand now."""
    if incoming.may_answer or (why in ("kept", "reactions") and incoming.may_refuse):
        incoming.answer(contexts.Stale, why=why, orders=incoming.lines.orders)
    return Handled("answered", f"stale: {why}")


def undo(incoming: Incoming) -> Handled:
    """Take back what the actor's last mail did since the last reveal, what is kept until others have answered, or what
    the seat has answered to a group that is open."""
    work, table, seat, why = incoming.work, incoming.table, incoming.seat, incoming.proof.why
    if table.over:
        return stale(incoming, "over")
    asked = table.decision(seat) is not None
    if incoming.mail.mark and not shown(incoming):
        return stale(incoming, why or "past")
    if why and (asked or why not in ("past", "commands")):
        return stale(incoming, why)
    taken_back: Sequence[str] = ()
    late: contexts.TooLate = "past"
    if asked and seat in table.answers:
        taken_back = table.answers[seat]
        incoming.table = without_answers(work, table, seat)
    elif asked and seat == table.match.actor:
        late = "nothing" if nothing_done(incoming) else "revealed"
        revealed = last_mail(work, table)
        taken_back = revealed.since
        if taken_back:
            incoming.table = advance.take_back(work, table, revealed, incoming.inbound_id)
    elif asked:
        late = "nothing"
    elif seat == table.match.actor:
        late = "others"
        taken_back = queued.drop(work, table) if recent(incoming) else ()
    if taken_back:
        ask_again(work, incoming.table, seat)
        incoming.answer(contexts.Undone, choices=taken_back)
        return Handled("applied", "undo", incoming.table.game.version)
    if incoming.may_answer:
        left_out = () if nothing_done(incoming) else incoming.lines.orders
        incoming.answer(contexts.Undone, choices=(), late=late, lines=set_aside(left_out))
    return Handled("answered", "nothing to undo")


def without_answers(work: UnitOfWork, table: Table, seat: Seat) -> Table:
    """The table without what a seat has answered to a group that is still open."""
    for ask in work.tx.open_asks(table.game.id, seat):
        if ask.answer is not None:
            work.tx.change_ask(ask.number, answer=None, answered=False)
    return replace(table, answers={other: texts for other, texts in table.answers.items() if other != seat})


def nothing_done(incoming: Incoming) -> bool:
    """Whether the seat's turn is at its beginning, so that orders behind an `undo` can mean nothing else."""
    table = incoming.table
    return incoming.seat == table.match.actor and incoming.letters().at_start_of_turn


def set_aside(texts: Iterable[str]) -> tuple[Line, ...]:
    return tuple(Line(text=text, verdict="set_aside") for text in texts)


def preview(incoming: Incoming) -> Handled:
    """Say what the orders would do; do nothing."""
    table, seat = incoming.table, incoming.seat
    if table.decision(seat) is None:
        return stale(incoming, "over" if table.over else incoming.proof.why or "past")
    if incoming.may_answer:
        outcome = carried_out(incoming, referee.preview)
        ahead, letters = outcome.ahead or table.match, incoming.letters()
        rest = [line.text for line in outcome.lines if line.verdict == "set_aside"]
        then = decision_of(ahead, seat) if not outcome.refused and ahead is not table.match else None
        if outcome.stopped and not rest and then and then.auto:
            rest = [then.auto.text]
        policies = [f"standing {policy.text}" for policy in incoming.wanted(commands.Standing) if policy.text]
        incoming.answer(
            contexts.Preview,
            letters,
            view=ahead.view(seat),
            events=tuple(happening(event, table.match.turn, table.actor, seat) for event in outcome.events),
            lines=outcome.lines + chat_lines(incoming.chat) + set_aside(policies),
            stops_at=rest[0] if outcome.stopped and rest else None,
            next=None if outcome.stopped else letters.question(then),
        )
    return Handled("answered", "preview")


def standing(incoming: Incoming) -> Handled:
    """Set policies; without any words, list those in force."""
    lines = tuple(set_policy(incoming, policy.text) for policy in incoming.wanted(commands.Standing) if policy.text)
    incoming.reload()
    done = any(line.verdict == "done" for line in lines)
    if done or incoming.may_answer:
        letters = incoming.letters()
        incoming.answer(contexts.Standing, letters, lines=lines, policies=letters.policies(incoming.seat))
    return Handled("applied" if done else "answered", "standing")


def recent(incoming: Incoming) -> bool:
    """Whether it carries a token that moves, or one from the last mails to where reports go now."""
    proof, present = incoming.proof, incoming.holder.player.address
    if proof.why is None or present is None:
        return proof.why is None
    tx, table = incoming.work.tx, incoming.table
    mails = tx.last_message_ids(table.game.id, incoming.seat, present.address, but=("parked", *CONFIRMING))
    return any(token.lower() in mail for token in proof.thread for mail in mails)


def too_old(incoming: Incoming) -> Handled:
    """The token serves for questions only: send one that serves for more where reports go now."""
    if incoming.may_answer:
        typed = tuple(line.text for line in incoming.mail.typed if line.kind == "order")
        letters = incoming.letters()
        ask = letters.pending(incoming.seat)
        incoming.ask_present(contexts.Stale, ask, why="old", orders=typed)
    return Handled("answered", "stale: old")


def set_policy(incoming: Incoming, text: str) -> Line:
    """One policy, and how its line is told."""
    rules, typed = incoming.table.rules, f"standing {text}"
    try:
        if not isinstance(rules, HasPolicies):
            raise NotPossible(text, "no_policies")
        subject, terms = rules.policy(text)
    except OrderError as error:
        return Line(text=typed, verdict="refused", problem=Problem.of(error))
    incoming.work.tx.set_policy(incoming.table.game.id, incoming.seat, subject, terms, incoming.work.now)
    return Line(text=typed, verdict="done", option=subject)


def welcomed_back(incoming: Incoming) -> None:
    """A trusted mail shows that its address works and its player is there: a bot that kept the seat lets go."""
    work, seat = incoming.work, incoming.table.seats[incoming.seat]
    if any(address.bouncing_at for address in incoming.holder.player.addresses):
        advance.works_again(work, incoming.mail.sender)
        incoming.reload()
    if seat.nmr_count or seat.stand_in:
        work.tx.change_seat(seat.game_id, seat.seat, nmr_count=0, stand_in=False)
        incoming.reload()
    if seat.stand_in:
        advance.notify(work, seat.game_id, "back", about=seat.colour, name=seat.name)
