"""One received mail, from bytes to what became of it.

Everything a mail does is committed in one transaction: its own record, the new version, the deadlines and every
mail that goes out. So it is done once or not at all, whatever happens in between. No mail raises out of here; what
cannot be handled is kept for the moderator, and the next one is handled.
"""

from __future__ import annotations

import logging
import re
from datetime import datetime, timedelta

from pbem.config import Settings
from pbem.errors import ReplayMismatch, StoreError, trace
from pbem.mail.handling.comparing import compared, read, understood
from pbem.mail.handling.confirm import settle_approved
from pbem.mail.handling.context import Handled, Incoming
from pbem.mail.handling.identify import Stranger, Untrusted
from pbem.mail.handling.steps import STEPS
from pbem.mail.reading.values import Fetched, Understood
from pbem.play.advance import tell_moderator
from pbem.play.table import UnitOfWork
from pbem.store import Disposition, InboundId, NewInbound, Store

log = logging.getLogger(__name__)


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


def received(store: Store, settings: Settings, fetched: Fetched, mail: Understood, now: datetime) -> Disposition:
    """Record the mail and do what it says, in one transaction; a mail seen before does nothing."""
    with store.transaction() as tx:
        earlier = tx.seen_uid(fetched.uidvalidity, fetched.uid)
        if earlier is not None and earlier.disposition is not None:
            return earlier.disposition
        again = tx.seen_message(storable(mail.message_id), mail.digest)
        inbound_id = tx.record_inbound(new_inbound(fetched, mail, now), again.id if again else None)
        if again is not None:
            tx.settle_inbound(inbound_id, "duplicate", reason=f"the same as mail {again.id}")
            note(mail, None, Handled("duplicate"))
            return "duplicate"
        work = UnitOfWork(tx, settings, now)
        return settle(Incoming(work, inbound_id, compared(work, fetched.raw or b"", mail)))


def settle(incoming: Incoming) -> Disposition:
    """Take a recorded mail through the steps, and note what became of it."""
    handled = next(found for step in STEPS if (found := step(incoming)) is not None)
    known = not isinstance(incoming.identity, Stranger)
    incoming.work.tx.settle_inbound(
        incoming.inbound_id,
        handled.disposition,
        kind="rejected" if isinstance(incoming.identity, Untrusted) and handled.disposition == "parked" else None,
        reason=handled.reason,
        game_id=incoming.holder.game_id if known else None,
        seat=incoming.holder.seat if known else None,
        version=handled.version,
    )
    if incoming.approved is not None:
        settle_approved(incoming, handled)
    note(incoming.mail, incoming if known else None, handled)
    return handled.disposition


def note(mail: Understood, incoming: Incoming | None, handled: Handled) -> None:
    """One line of log a mail: never a body, a token or an address."""
    message_id = re.sub(r"[^\x21-\x7e]", "?", mail.message_id)[:120] or "-"
    for token in mail.tokens:
        message_id = re.sub(re.escape(token), "********", message_id, flags=re.IGNORECASE)
    game, seat = (incoming.table.game.code, incoming.table.colour(incoming.holder.seat)) if incoming else ("-", "-")
    log.info("%s %s %s %s (%s)", message_id, game, seat, handled.disposition, handled.reason or mail.kind)


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
    store: Store, settings: Settings, fetched: Fetched, mail: Understood | None, error: Exception, now: datetime
) -> Disposition:
    """Keep a mail that made a step fail, in a transaction of its own, and tell the moderator. It is known again like
    any other when it comes a second time, so that it is not done twice once it has been tried again."""
    log.error("a mail could not be handled and is kept for the moderator\n%s", trace(error))
    with store.transaction() as tx:
        if (earlier := tx.seen_uid(fetched.uidvalidity, fetched.uid)) and earlier.disposition:
            return earlier.disposition
        unread = NewInbound(raw=fetched.raw or b"", received_at=now, uidvalidity=fetched.uidvalidity, uid=fetched.uid)
        again = tx.seen_message(storable(mail.message_id), mail.digest) if mail else None
        inbound_id = tx.record_inbound(new_inbound(fetched, mail, now) if mail else unread, again.id if again else None)
        put_aside(UnitOfWork(tx, settings, now), inbound_id, error)
    return "quarantined"


def put_aside(work: UnitOfWork, inbound_id: InboundId, error: Exception) -> None:
    work.tx.settle_inbound(inbound_id, "quarantined", reason=type(error).__name__, error=trace(error))
    mail = work.settings.mail
    told = work.tx.count_queued(mail.moderator, work.now - timedelta(hours=1), "moderator")
    if told < mail.answers_per_hour:  # somebody may send a thousand such mails
        what = "mismatch" if isinstance(error, ReplayMismatch) else "quarantined"
        tell_moderator(work, what, {"mail": inbound_id, "error": type(error).__name__})


def retry(store: Store, settings: Settings, inbound_id: InboundId, now: datetime) -> Disposition:
    """Handle a mail from the quarantine once more.

    Raises StoreError when there is no such mail, or when it is not in the quarantine.
    """
    try:
        with store.transaction() as tx:
            kept = tx.inbound(inbound_id)
            if kept.disposition != "quarantined":
                raise StoreError(f"mail {inbound_id} is not in the quarantine: it is {kept.disposition}")
            work = UnitOfWork(tx, settings, now)
            return settle(Incoming(work, inbound_id, understood(work, kept)))
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - it may well fail as it did before
        log.error("mail %s still cannot be handled\n%s", inbound_id, trace(error))
        with store.transaction() as tx:
            put_aside(UnitOfWork(tx, settings, now), inbound_id, error)
        return "quarantined"
