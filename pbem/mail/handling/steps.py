"""The way of a mail, step by step. The order of the steps is a table; the first that gives a `Handled` ends it."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from pbem.mail.handling.bounced import bounced
from pbem.mail.handling.comparing import compared
from pbem.mail.handling.confirm import ask_address, ask_resign, confirmed, introduced, park
from pbem.mail.handling.context import Handled, Incoming, sorted_lines
from pbem.mail.handling.identify import Newcomer, Stranger, Trusted, Untrusted, identify
from pbem.mail.handling.orders import (
    leaked,
    nothing_done,
    order,
    preview,
    recent,
    standing,
    too_old,
    undo,
    welcomed_back,
)
from pbem.mail.handling.questions import answer_alone, answer_questions
from pbem.mail.reading.values import MACHINE_KINDS
from pbem.orders import commands
from pbem.play.letters import Answering, chat_lines, queue
from pbem.questions.mails import asking
from pbem.reports import contexts

Step = Callable[[Incoming], Handled | None]

#: Commands that change something, so that they need a token.
CHANGING = (commands.Standing, commands.Undo, commands.Resign, commands.Preview, commands.Address)


def ignored(incoming: Incoming) -> Handled | None:
    """Machine mail is never answered, and never holds orders."""
    return Handled("ignored", incoming.mail.kind) if incoming.mail.kind in MACHINE_KINDS else None


def identified(incoming: Incoming) -> Handled | None:
    """Who wrote it; whoever cannot be told has no answer."""
    incoming.identity = identify(incoming.work, incoming.mail)
    if isinstance(incoming.identity, Stranger):
        return seatless(incoming) or Handled("ignored", incoming.identity.why)
    looked_into(incoming)
    return None


def seatless(incoming: Incoming) -> Handled | None:
    """A player without a seat in any game is told so, once a day."""
    work, mail = incoming.work, incoming.mail
    players = work.tx.players_at(mail.sender)
    if not players or any(work.tx.seats_of(player.id) for player in players):
        return None
    if work.tx.count_queued(mail.sender, work.now - timedelta(days=1), "no_seat"):
        return None
    context = contexts.NoSeat(player=players[0].name, now=work.now, timezone=work.settings.defaults.timezone)
    queue(work, mail.sender, context, "base", answering=Answering(incoming.inbound_id, mail.sender, mail.message_id))
    return Handled("answered", "no seat")


def looked_into(incoming: Incoming) -> None:
    """What a mail says to the seat that it is about."""
    incoming.table = incoming.holder.table
    incoming.mail = compared(incoming.work, incoming.mail, incoming.holder)
    who = incoming.identity
    offered = isinstance(who, Newcomer) or (isinstance(who, Trusted) and bool(who.confirms or who.offer))
    asked = incoming.table.decision(incoming.seat)
    incoming.lines = sorted_lines(incoming.mail, incoming.table, asked, offered=offered)
    table, lines = incoming.table, incoming.lines
    incoming.asking = asking(table.rules, lines.orders or lines.chat, table.names)
    if incoming.asking.only:  # whatever words it begins with: a question moves nothing
        incoming.lines = incoming.lines._replace(orders=(), chat=(*incoming.lines.orders, *incoming.lines.chat))
    elif incoming.asking.orders and incoming.lines.orders:
        incoming.lines = incoming.lines._replace(orders=incoming.asking.orders)
    incoming.chat = incoming.lines.chat


def unproven(incoming: Incoming) -> Handled | None:
    """Orders without proof are kept for the seat's player; questions are answered at a registered address."""
    if not isinstance(incoming.identity, Untrusted):
        return None
    why = incoming.identity.why
    changing = incoming.lines.orders or incoming.wanted(*CHANGING, *(commands.Yes,) * incoming.own_address)
    if not incoming.own_address:
        return park(incoming, why) if changing else Handled("ignored", f"untrusted: {why}", silence="address")
    return with_answers(incoming, park(incoming, why)) if changing else answered(incoming) or nothing_found(incoming)


def resigned(incoming: Incoming) -> Handled | None:
    """Leaving the game is asked about; the rest of the mail counts."""
    wants = incoming.wanted(commands.Resign)
    if not wants:
        return None
    handled = ask_resign(incoming)
    return None if says_more_than(incoming, wants) else handled


def readdressed(incoming: Incoming) -> Handled | None:
    """Another address for the reports; the rest of the mail counts."""
    wants = incoming.wanted(commands.Address)
    if not wants:
        return None
    handled = ask_address(incoming, wants[-1].address)
    return None if says_more_than(incoming, wants) else handled


def says_more_than(incoming: Incoming, wants: Sequence[commands.Command]) -> bool:
    """Whether there are orders or commands besides these."""
    others = [command for command in incoming.lines.commands if not isinstance(command, commands.Yes)]
    return bool(incoming.lines.orders) or len(others) > len(wants)


def previewed(incoming: Incoming) -> Handled | None:
    """`preview` anywhere in a mail: nothing in it is done."""
    wanted = commands.Preview() in incoming.lines.commands
    return with_answers(incoming, preview(incoming)) if wanted else None


def policies_set(incoming: Incoming) -> Handled | None:
    """Policies are set before the orders of the same mail, which may already need them."""
    wants = incoming.wanted(commands.Standing)
    if not wants:
        return None
    handled = standing(incoming) if recent(incoming) or not any(want.text for want in wants) else too_old(incoming)
    goes_on = incoming.lines.orders or commands.Undo() in incoming.lines.commands
    return None if goes_on else with_answers(incoming, handled)


def undone(incoming: Incoming) -> Handled | None:
    """`undo` comes before the orders of the same mail, which are to take the place of the old ones."""
    if commands.Undo() not in incoming.lines.commands:
        return None
    handled = undo(incoming)
    goes_on = incoming.lines.orders and (handled.disposition == "applied" or nothing_done(incoming))
    return None if goes_on else with_answers(incoming, handled)


def ordered(incoming: Incoming) -> Handled | None:
    """What the game is about. What was written before the database was restored may mean something else by now."""
    if not incoming.lines.orders:
        return None
    if incoming.asking.alone and (incoming.proof.why or incoming.table.decision(incoming.seat) is None):
        return answer_alone(incoming)
    if incoming.proof.why == "restored" and incoming.table.decision(incoming.seat):
        return with_answers(incoming, park(incoming, "lost"))
    return with_answers(incoming, order(incoming))


def with_answers(incoming: Incoming, handled: Handled) -> Handled:
    """What became of a mail, whose questions are answered as well."""
    answer_questions(incoming)
    return handled


def answered(incoming: Incoming) -> Handled | None:
    """Questions alone."""
    given = answer_questions(incoming) if incoming.lines.commands else 0
    if incoming.asking.questions:
        return answer_alone(incoming)
    return Handled("answered", "question") if given else None


def nothing_found(incoming: Incoming) -> Handled:
    """A person wrote, but nothing that can be carried out: say so, and how to write it."""
    if not incoming.own_address:
        return Handled("ignored", "no answer is due", silence="address")
    if not incoming.may_answer:
        return Handled("ignored", "no more answers in this hour")
    kind, what = incoming.mail.kind, "chat" if incoming.chat else "empty"
    if kind in ("unsupported", "oversize"):
        what = kind
    elif incoming.wanted(commands.Yes):
        what = "yes"
    incoming.answer(contexts.Nothing, what=what, lines=chat_lines(incoming.chat))
    return Handled("answered", kind)


#: The way of a mail: the first step that gives a `Handled` ends it.
STEPS: tuple[Step, ...] = (
    bounced,  # before machine mail, of which it is one
    ignored,  # before anybody is looked up: nothing a machine writes costs a query
    identified,
    introduced,
    leaked,  # before it is asked whose mail it is: whoever wrote it, others know its tokens
    unproven,  # after this step a mail is a trusted one
    welcomed_back,
    confirmed,
    resigned,
    readdressed,
    previewed,  # before everything that it keeps from being done
    policies_set,
    undone,
    ordered,
    answered,
    nothing_found,
)
