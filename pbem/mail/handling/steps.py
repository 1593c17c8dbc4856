"""The way of a mail, step by step. The order of the steps is a table; the first that gives a verdict ends the way."""

from __future__ import annotations

from collections.abc import Callable

from pbem.mail.handling import bounced as returned
from pbem.mail.handling import confirm as consent
from pbem.mail.handling import orders as acts
from pbem.mail.handling.comparing import compared, understood
from pbem.mail.handling.context import Case, Verdict, told_apart
from pbem.mail.handling.identify import Newcomer, Stranger, Untrusted, identify
from pbem.mail.handling.questions import answer, pending
from pbem.mail.reading.values import MACHINE_KINDS
from pbem.orders import commands
from pbem.play.letters import Letters
from pbem.reports import contexts

Step = Callable[[Case], Verdict | None]


def ignored(case: Case) -> Verdict | None:
    """Machine mail is never answered, and never holds orders."""
    if case.mail.kind in MACHINE_KINDS:
        return Verdict("ignored", case.mail.kind)
    return None


def bounced(case: Case) -> Verdict | None:
    """Mail of ours came back: a hard bounce marks the address, and the moderator hears of it."""
    if case.mail.kind == "bounce":
        return returned.note(case)
    return None


def identified(case: Case) -> Verdict | None:
    """Who wrote it; whoever cannot be told has no answer."""
    case.identity = identify(case.office, case.mail)
    if isinstance(case.identity, Stranger):
        return Verdict("ignored", case.identity.why)
    case.mail = compared(case.office, case.mail, case.holder)
    lines = told_apart(case.mail, case.table.rules.vocabulary)
    case.lines = lines if case.asked else lines.without_doubts()
    case.chat = case.lines.chat
    return None


def introduced(case: Case) -> Verdict | None:
    """A `yes` from an address that a player wants to add."""
    return consent.newcomer(case, case.identity) if isinstance(case.identity, Newcomer) else None


def welcomed_back(case: Case) -> Verdict | None:
    """A trusted mail shows that its address works and its player is there: a bot that kept the seat lets go."""
    if case.trusted:
        acts.welcome_back(case)
    return None


def parked(case: Case) -> Verdict | None:
    """Orders without proof are kept for the seat's player; questions are answered at a registered address."""
    if not isinstance(case.identity, Untrusted):
        return None
    wants = [one for one in case.lines.commands if not isinstance(one, commands.Help)]
    if case.lines.orders or acts.changing(wants):
        verdict = consent.park(case, case.identity)
        if case.own_address:
            answer(case)
        return verdict
    if not case.own_address:
        return Verdict("ignored", f"untrusted: {case.identity.why}")
    return None


def given_away(case: Case) -> Verdict | None:
    """The codes in a mail that went to others too are void after it; new ones go out."""
    if case.trusted and case.mail.third_parties and case.may_answer:
        acts.retire(case)
    return None


def confirmed(case: Case) -> Verdict | None:
    """A typed `yes` with its one-time token does what was asked about."""
    if case.trusted and any(isinstance(one, commands.Yes) for one in case.lines.commands):
        return consent.confirm(case, lambda kept: understood(case.office, kept, case.holder))
    return None


def resigned(case: Case) -> Verdict | None:
    """Leaving the game, which takes a typed `yes` as well; until that comes the rest of the mail counts."""
    wants = [one for one in case.lines.commands if isinstance(one, commands.Resign)]
    if not case.trusted or not wants:
        return None
    verdict = consent.resign(case, confirmed=wants[-1].confirmed)
    rest = case.lines.orders or len(case.lines.commands) > len(wants)
    return None if rest and verdict.disposition == "answered" else verdict


def readdressed(case: Case) -> Verdict | None:
    """Another address for the reports; the rest of the mail counts."""
    wants = [one for one in case.lines.commands if isinstance(one, commands.Address)]
    if not case.trusted or not wants:
        return None
    verdict = consent.ask_address(case, wants[-1].address)
    return None if case.lines.orders or len(case.lines.commands) > len(wants) else verdict


def previewed(case: Case) -> Verdict | None:
    """`preview` anywhere in a mail: nothing in it is done."""
    if case.trusted and commands.Preview() in case.lines.commands:
        verdict = acts.preview(case)
        answer(case)
        return verdict
    return None


def said_in_advance(case: Case) -> Verdict | None:
    """Policies are set before the orders of the same mail, which may already need them."""
    if case.trusted and any(isinstance(one, commands.Standing) for one in case.lines.commands):
        verdict = acts.standing(case)
        if case.lines.orders or commands.Undo() in case.lines.commands:
            return None
        answer(case)
        return verdict
    return None


def undone(case: Case) -> Verdict | None:
    """`undo` comes before the orders of the same mail, which are to take the place of the old ones."""
    if case.trusted and commands.Undo() in case.lines.commands:
        verdict = acts.undo(case)
        if case.lines.orders and (verdict.disposition == "applied" or acts.nothing_done(case)):
            return None
        answer(case)
        return verdict
    return None


def ordered(case: Case) -> Verdict | None:
    """What the game is about."""
    if case.trusted and case.lines.orders:
        verdict = acts.order(case)
        answer(case)
        return verdict
    return None


def answered(case: Case) -> Verdict | None:
    """Questions alone."""
    return Verdict("answered", "question") if case.lines.commands and answer(case) else None


def nothing_found(case: Case) -> Verdict | None:
    """A person wrote, but nothing that can be carried out: say so, and how to write it."""
    if case.own_address and not case.lines.commands and case.may_answer:
        letters = Letters.seen_by(case.office, case.table, case.holder.seat)
        kind = case.mail.kind
        board = letters.board(case.holder.seat, ask=pending(letters, case.holder.seat))
        context = contexts.Nothing(
            **board,
            what="unsupported" if kind in ("unsupported", "oversize") else "chat" if case.chat else "empty",
            lines=tuple(contexts.Line(text=one, verdict="chat") for one in case.chat),
        )
        letters.post(case.holder.seat, context, answering=case.answering)
        return Verdict("answered", kind)
    return None


def nothing_said(case: Case) -> Verdict:
    return Verdict("ignored", "no answer is due")


#: The way of a mail: the first step that gives a verdict ends it.
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
