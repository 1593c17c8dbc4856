"""The way of a mail, step by step. The order of the steps is a table; the first that gives a handled ends the way."""

from __future__ import annotations

from collections.abc import Callable

from pbem.mail.handling.bounced import note_bounce
from pbem.mail.handling.comparing import understood
from pbem.mail.handling.confirm import ask_address, confirm, newcomer, park, resign
from pbem.mail.handling.context import Handled, Incoming, told_apart
from pbem.mail.handling.identify import Newcomer, Stranger, Untrusted, identify
from pbem.mail.handling.orders import changing, nothing_done, order, preview, retire, standing, undo, welcome_back
from pbem.mail.handling.questions import answer
from pbem.mail.reading.values import MACHINE_KINDS
from pbem.orders import commands
from pbem.play.letters import Letters
from pbem.reports import contexts

Step = Callable[[Incoming], Handled | None]


def ignored(incoming: Incoming) -> Handled | None:
    """Machine mail is never answered, and never holds orders."""
    if incoming.mail.kind in MACHINE_KINDS:
        return Handled("ignored", incoming.mail.kind)
    return None


def bounced(incoming: Incoming) -> Handled | None:
    """Mail of ours came back: a hard bounce marks the address, and the moderator hears of it."""
    if incoming.mail.kind == "bounce":
        return note_bounce(incoming)
    return None


def identified(incoming: Incoming) -> Handled | None:
    """Who wrote it; whoever cannot be told has no answer."""
    incoming.identity = identify(incoming.work, incoming.mail)
    if isinstance(incoming.identity, Stranger):
        return Handled("ignored", incoming.identity.why)
    lines = told_apart(incoming.mail, incoming.table.rules.vocabulary)
    incoming.lines = lines if incoming.asked else lines.without_doubts()
    incoming.chat = incoming.lines.chat
    return None


def introduced(incoming: Incoming) -> Handled | None:
    """A `yes` from an address that a player wants to add."""
    return newcomer(incoming, incoming.identity) if isinstance(incoming.identity, Newcomer) else None


def welcomed_back(incoming: Incoming) -> Handled | None:
    """A trusted mail shows that its address works and its player is there: a bot that kept the seat lets go."""
    if incoming.trusted:
        welcome_back(incoming)
    return None


def parked(incoming: Incoming) -> Handled | None:
    """Orders without proof are kept for the seat's player; questions are answered at a registered address."""
    if not isinstance(incoming.identity, Untrusted):
        return None
    wants = [one for one in incoming.lines.commands if not isinstance(one, commands.Help)]
    if incoming.lines.orders or changing(wants):
        handled = park(incoming, incoming.identity)
        if incoming.own_address:
            answer(incoming)
        return handled
    if not incoming.own_address:
        return Handled("ignored", f"untrusted: {incoming.identity.why}")
    return None


def given_away(incoming: Incoming) -> Handled | None:
    """The codes in a mail that went to others too are void after it; new ones go out."""
    if incoming.trusted and incoming.mail.third_parties and incoming.may_answer:
        retire(incoming)
    return None


def confirmed(incoming: Incoming) -> Handled | None:
    """A typed `yes` with its one-time token does what was asked about."""
    if incoming.trusted and any(isinstance(one, commands.Yes) for one in incoming.lines.commands):
        return confirm(incoming, lambda kept: understood(incoming.work, kept))
    return None


def resigned(incoming: Incoming) -> Handled | None:
    """Leaving the game, which takes a typed `yes` as well; until that comes the rest of the mail counts."""
    wants = [one for one in incoming.lines.commands if isinstance(one, commands.Resign)]
    if not incoming.trusted or not wants:
        return None
    handled = resign(incoming, confirmed=wants[-1].confirmed)
    rest = incoming.lines.orders or len(incoming.lines.commands) > len(wants)
    return None if rest and handled.disposition == "answered" else handled


def readdressed(incoming: Incoming) -> Handled | None:
    """Another address for the reports; the rest of the mail counts."""
    wants = [one for one in incoming.lines.commands if isinstance(one, commands.Address)]
    if not incoming.trusted or not wants:
        return None
    handled = ask_address(incoming, wants[-1].address)
    return None if incoming.lines.orders or len(incoming.lines.commands) > len(wants) else handled


def previewed(incoming: Incoming) -> Handled | None:
    """`preview` anywhere in a mail: nothing in it is done."""
    if incoming.trusted and commands.Preview() in incoming.lines.commands:
        handled = preview(incoming)
        answer(incoming)
        return handled
    return None


def said_in_advance(incoming: Incoming) -> Handled | None:
    """Policies are set before the orders of the same mail, which may already need them."""
    if incoming.trusted and any(isinstance(one, commands.Standing) for one in incoming.lines.commands):
        handled = standing(incoming)
        if incoming.lines.orders or commands.Undo() in incoming.lines.commands:
            return None
        answer(incoming)
        return handled
    return None


def undone(incoming: Incoming) -> Handled | None:
    """`undo` comes before the orders of the same mail, which are to take the place of the old ones."""
    if incoming.trusted and commands.Undo() in incoming.lines.commands:
        handled = undo(incoming)
        if incoming.lines.orders and (handled.disposition == "applied" or nothing_done(incoming)):
            return None
        answer(incoming)
        return handled
    return None


def ordered(incoming: Incoming) -> Handled | None:
    """What the game is about."""
    if incoming.trusted and incoming.lines.orders:
        handled = order(incoming)
        answer(incoming)
        return handled
    return None


def answered(incoming: Incoming) -> Handled | None:
    """Questions alone."""
    return Handled("answered", "question") if incoming.lines.commands and answer(incoming) else None


def nothing_found(incoming: Incoming) -> Handled | None:
    """A person wrote, but nothing that can be carried out: say so, and how to write it."""
    if incoming.own_address and not incoming.lines.commands and incoming.may_answer:
        letters = Letters.seen_by(incoming.work, incoming.table, incoming.holder.seat)
        kind = incoming.mail.kind
        board = letters.board(incoming.holder.seat, ask=letters.pending(incoming.holder.seat))
        context = contexts.Nothing(
            **board,
            what="unsupported" if kind in ("unsupported", "oversize") else "chat" if incoming.chat else "empty",
            lines=tuple(contexts.Line(text=one, verdict="chat") for one in incoming.chat),
        )
        letters.post(incoming.holder.seat, context, answering=incoming.answering)
        return Handled("answered", kind)
    return None


def nothing_said(incoming: Incoming) -> Handled:
    return Handled("ignored", "no answer is due")


#: The way of a mail: the first step that gives a handled ends it.
STEPS: tuple[Step, ...] = (
    bounced,  # before machine mail, of which it is one
    ignored,  # before anybody is looked up: nothing a machine writes costs a query
    identified,
    introduced,
    welcomed_back,
    parked,  # after this step a changing mail is a trusted one
    given_away,
    confirmed,
    resigned,
    readdressed,
    previewed,  # before everything that it keeps from being done
    said_in_advance,
    undone,
    ordered,
    answered,
    nothing_found,
    nothing_said,
)
