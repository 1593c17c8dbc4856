"""One received mail, from bytes to what became of it. The order of the steps is a table.

Everything a mail does is committed in one transaction: its own record, the new version, the deadlines and every
mail that goes out. So it is done once or not at all, whatever happens in between. No mail raises out of here; what
cannot be handled is kept for the moderator, and the next one is handled.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache

from pbem.conduct import tell_moderator
from pbem.config import Mail as MailSettings
from pbem.config import Settings
from pbem.errors import ReplayMismatch, StoreError
from pbem.letters import Letters
from pbem.mail import acts, consent, returned
from pbem.mail.answers import answer, pending
from pbem.mail.case import Case, Verdict, told_apart
from pbem.mail.identify import Newcomer, Stranger, Untrusted, identify
from pbem.mail.imap import Fetched
from pbem.mail.understand import understand
from pbem.mail.values import MACHINE_KINDS, Limits, Reading, Understood
from pbem.office import Office
from pbem.orders import commands
from pbem.orders.commands import all_order_words
from pbem.reports import contexts
from pbem.store import Disposition, Inbound, InboundId, NewInbound, Store
from pbem.trace import trace

log = logging.getLogger(__name__)

#: A typed line longer than this which also stands in the report was not typed; so many of its tokens are tried.
LONG_LINE = 24
MOST_REPORTS = 3

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
        return consent.confirm(case, lambda kept: understood(case.office, kept))
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


def handle(store: Store, settings: Settings, fetched: Fetched, now: datetime) -> Disposition:
    """Handle one fetched mail for good, once.

    Raises StoreError when the database cannot be used; nothing has happened then, and the mail is to stay where
    it is.
    """
    mail = None
    try:
        mail = read(settings, fetched)
        return received(store, settings, fetched, mail, now)
    except Exception as error:
        if database_trouble(error):
            raise
        return quarantine(store, settings, fetched, mail, error, now)


def database_trouble(error: Exception) -> bool:
    """Whether the database itself failed, as against something that was looked for and is not there."""
    return isinstance(error, StoreError) and error.__cause__ is not None


def read(settings: Settings, fetched: Fetched) -> Understood:
    """What the mail says."""
    mail = understand(fetched.raw or b"", reading(settings.mail))
    if fetched.oversize and mail.kind not in MACHINE_KINDS:
        return replace(mail, kind="oversize", orders=(), chat=(), typed=())
    return mail


@lru_cache(maxsize=4)
def reading(mail: MailSettings) -> Reading:
    """What is known of any mail beforehand; the order words are those of every installed game."""
    words = all_order_words()
    return Reading(
        own_addresses=(mail.address, *mail.aliases),
        words=words.words,
        alone=words.alone,
        free=words.free,
        begin_marker=mail.begin_marker,
        end_marker=mail.end_marker,
        trusted_authserv_id=mail.authserv_id or None,
        limits=Limits(max_bytes=mail.max_bytes),
    )


def received(
    store: Store, settings: Settings, fetched: Fetched, mail: Understood, now: datetime
) -> Disposition:
    """Record the mail and do what it says, in one transaction; a mail seen before does nothing."""
    with store.transaction() as tx:
        earlier = tx.seen_uid(fetched.uidvalidity, fetched.uid)
        if earlier is not None and earlier.disposition is not None:
            return earlier.disposition
        again = tx.seen_message(storable(mail.message_id), mail.digest)
        inbound_id = tx.record_inbound(new_inbound(fetched, mail, now), again.id if again else None)
        if again is not None:
            tx.settle_inbound(inbound_id, "duplicate", reason=f"the same as mail {again.id}")
            note(mail, None, Verdict("duplicate"))
            return "duplicate"
        office = Office(tx, settings, now)
        return settle(Case(office, inbound_id, compared(office, fetched.raw or b"", mail)))


def settle(case: Case) -> Disposition:
    """Take a recorded mail through the steps, and note what became of it."""
    verdict = next(found for step in STEPS if (found := step(case)) is not None)
    known = not isinstance(case.identity, Stranger)
    case.office.tx.settle_inbound(
        case.inbound_id,
        verdict.disposition,
        kind="rejected" if isinstance(case.identity, Untrusted) and verdict.disposition == "parked" else None,
        reason=verdict.reason,
        game_id=case.holder.game_id if known else None,
        seat=case.holder.seat if known else None,
        version=verdict.version,
    )
    if case.approved is not None:
        consent.settle_approved(case, verdict)
    note(case.mail, case if known else None, verdict)
    return verdict.disposition


def note(mail: Understood, case: Case | None, verdict: Verdict) -> None:
    """One line of log a mail: never a body, a token or an address."""
    message_id = re.sub(r"[^\x21-\x7e]", "?", mail.message_id)[:120] or "-"
    for token in mail.tokens:
        message_id = re.sub(re.escape(token), "********", message_id, flags=re.IGNORECASE)
    game, seat = (case.table.game.code, case.table.colour(case.holder.seat)) if case else ("-", "-")
    log.info("%s %s %s %s (%s)", message_id, game, seat, verdict.disposition, verdict.reason or mail.kind)


def new_inbound(fetched: Fetched, mail: Understood, now: datetime) -> NewInbound:
    return NewInbound(
        raw=fetched.raw or b"",
        received_at=now,
        uidvalidity=fetched.uidvalidity,
        uid=fetched.uid,
        message_id=storable(mail.message_id),
        digest=mail.digest,
        sender=storable(mail.sender),
        subject=storable(mail.subject),
        kind=mail.kind,
    )


def storable(text: str) -> str:
    """The text without what a database may refuse: NUL, and halves of surrogate pairs."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def quarantine(
    store: Store,
    settings: Settings,
    fetched: Fetched,
    mail: Understood | None,
    error: Exception,
    now: datetime,
) -> Disposition:
    """Keep a mail that made a step fail, in a transaction of its own, and tell the moderator. It is known again like
    any other when it comes a second time, so that it is not done twice once it has been tried again."""
    log.error("a mail could not be handled and is kept for the moderator\n%s", trace(error))
    with store.transaction() as tx:
        if (earlier := tx.seen_uid(fetched.uidvalidity, fetched.uid)) and earlier.disposition:
            return earlier.disposition
        unread = NewInbound(
            raw=fetched.raw or b"", received_at=now, uidvalidity=fetched.uidvalidity, uid=fetched.uid
        )
        again = tx.seen_message(storable(mail.message_id), mail.digest) if mail else None
        inbound_id = tx.record_inbound(
            new_inbound(fetched, mail, now) if mail else unread, again.id if again else None
        )
        put_aside(Office(tx, settings, now), inbound_id, error)
    return "quarantined"


def put_aside(office: Office, inbound_id: InboundId, error: Exception) -> None:
    office.tx.settle_inbound(inbound_id, "quarantined", reason=type(error).__name__, error=trace(error))
    mail = office.settings.mail
    told = office.tx.count_queued(mail.moderator, office.now - timedelta(hours=1), "moderator")
    if told < mail.answers_per_hour:  # somebody may send a thousand such mails
        what = "mismatch" if isinstance(error, ReplayMismatch) else "quarantined"
        tell_moderator(office, what, {"mail": inbound_id, "error": type(error).__name__})


def retry(store: Store, settings: Settings, inbound_id: InboundId, now: datetime) -> Disposition:
    """Handle a mail from the quarantine once more.

    Raises StoreError when there is no such mail, or when it is not in the quarantine.
    """
    try:
        with store.transaction() as tx:
            kept = tx.inbound(inbound_id)
            if kept.disposition != "quarantined":
                raise StoreError(f"mail {inbound_id} is not in the quarantine: it is {kept.disposition}")
            office = Office(tx, settings, now)
            return settle(Case(office, inbound_id, understood(office, kept)))
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - it may well fail as it did before
        log.error("mail %s still cannot be handled\n%s", inbound_id, trace(error))
        with store.transaction() as tx:
            put_aside(Office(tx, settings, now), inbound_id, error)
        return "quarantined"


def understood(office: Office, kept: Inbound) -> Understood:
    """What a mail that was kept says."""
    return compared(office, kept.raw, understand(kept.raw, reading(office.settings.mail)))


def compared(office: Office, raw: bytes, mail: Understood) -> Understood:
    """What a mail says, read once more beside the report it answers when lines of that seem to be typed in it."""
    if not any(len(line) > LONG_LINE for line in mail.chat):
        return mail
    sent = next((text for token in mail.tokens[:MOST_REPORTS] if (text := office.tx.sent_text(token))), "")
    words = " ".join(sent.split())
    if not any(len(line) > LONG_LINE and line in words for line in mail.chat):
        return mail
    return understand(raw, replace(reading(office.settings.mail), sent=sent))
