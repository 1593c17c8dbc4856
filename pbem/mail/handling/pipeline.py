"""One received mail, from bytes to what became of it.

Everything a mail does is committed in one transaction: its own record, the new version, the deadlines and every
mail that goes out. So it is done once or not at all, whatever happens in between. No mail raises out of here; what
cannot be handled is kept for the moderator, and the next one is handled.
"""

import hashlib
import logging
import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem.config import Settings
from pbem.errors import ReplayMismatch, StoreError, trace
from pbem.mail.handling.comparing import read
from pbem.mail.handling.confirm import park
from pbem.mail.handling.context import Handled, Incoming
from pbem.mail.handling.identify import MOST_TOKENS, Holder, Stranger, Untrusted
from pbem.mail.handling.steps import STEPS, looked_into
from pbem.mail.reading.values import MACHINE_KINDS, Fetched, ParsedMail
from pbem.play.advance import may_tell_moderator, tell_moderator
from pbem.play.table import UnitOfWork, load
from pbem.reports.contexts import Silence
from pbem.store import Disposition, Inbound, InboundId, NewInbound, Store, Tx

log = logging.getLogger(__name__)


def handle(store: Store, settings: Settings, fetched: Fetched, now: datetime) -> Disposition:
    """Handle one fetched mail for good, once.

    Raises StoreError when the database cannot be used; nothing has happened then, and the mail is to stay where it is.
    """
    mail = None
    try:
        mail = read(settings, fetched.raw or b"", oversize=fetched.oversize)
        return received(store, settings, fetched, mail, now, None)
    except Exception as error:
        if isinstance(error, StoreError) and error.__cause__ is not None:
            raise  # the database itself failed, as against something that was looked for and is not there
        return received(store, settings, fetched, mail, now, error)


def received(
    store: Store, settings: Settings, fetched: Fetched, mail: ParsedMail | None, now: datetime, error: Exception | None
) -> Disposition:
    """Record the mail and do what it says, in one transaction; a mail seen before does nothing. One that made a step fail
    is recorded like any other, so that it is not done twice once it has been tried again."""
    with store.transaction() as tx:
        message_id = message_id_of(fetched, mail)
        if earlier := tx.seen_uid(fetched.uidvalidity, fetched.uid):
            if earlier.disposition and earlier.message_id == message_id:
                return earlier.disposition
            tx.forget_uid(earlier.id)
        work = UnitOfWork(tx, settings, now)
        inbound_id, same = record_mail(tx, fetched, mail, now)
        if error is not None:
            return put_aside(work, inbound_id, mail, error)
        assert mail is not None, "reading it has failed"
        incoming = Incoming(work, inbound_id, mail)
        if same is None:
            return take_steps(incoming)
        tx.settle_inbound(inbound_id, "duplicate", reason=f"the same as mail {same.id}")
        log_mail(incoming, Handled("duplicate"))
        return "duplicate"


def message_id_of(fetched: Fetched, mail: ParsedMail | None) -> str:
    """The Message-ID by which a mail is recognised; of one without, or that cannot be read, its bytes."""
    if mail is not None and mail.message_id:
        return mail.message_id
    return hashlib.sha256(fetched.raw or b"").hexdigest()


def record_mail(tx: Tx, fetched: Fetched, mail: ParsedMail | None, now: datetime) -> tuple[InboundId, Inbound | None]:
    """Keep a mail, or one that could not be read at all (None); and the mail received before that says the same, to the
    same asks and by the same sender: whoever knows a Message-ID must not have the real mail thrown away."""
    raw, message_id = fetched.raw or b"", message_id_of(fetched, mail)
    kept = NewInbound(raw=raw, received_at=now, message_id=message_id, uidvalidity=fetched.uidvalidity, uid=fetched.uid)
    if mail is None:
        return tx.record_inbound(kept), None
    tokens = sorted(token for token in mail.tokens[:MOST_TOKENS] if tx.ask_for(token))
    digest = hashlib.sha256(" ".join((mail.digest, mail.sender, *tokens)).encode("utf-8", "replace")).hexdigest()
    kept = replace(kept, digest=digest, sender=mail.sender, subject=mail.subject, kind=mail.kind)
    same = tx.seen_message(message_id, digest)
    return tx.record_inbound(kept, same.id if same else None), same


def take_steps(incoming: Incoming) -> Disposition:
    """Take a recorded mail through the steps, and note what became of it, and of a parked mail that it approved."""
    handled = next(handled for step in STEPS if (handled := step(incoming)) is not None)
    facts: dict[str, Any] = {"disposition": handled.disposition, "version": handled.version}
    if not isinstance(incoming.identity, Stranger):
        place = (incoming.table.game.id, incoming.seat)
        answered = place in incoming.work.written
        silence = ("part" if incoming.answered_in_part else "") if answered else handled.silence
        facts |= {"game_id": place[0], "seat": place[1], "unanswered": silence}
    else:
        facts |= untold(incoming.work.tx, incoming.mail, "begun")
    unproven = isinstance(incoming.identity, Untrusted) and handled.disposition == "parked"
    kind = "rejected" if unproven else incoming.mail.kind
    settle = incoming.work.tx.settle_inbound
    settle(incoming.inbound_id, reason=handled.reason, kind=kind, **facts)
    if incoming.approved is not None:
        settle(incoming.approved, reason="approved", **facts)
    log_mail(incoming, handled)
    return handled.disposition


def untold(tx: Tx, mail: ParsedMail | None, why: Silence) -> dict[str, Any]:
    """What is noted of a player's mail that could not be brought to its game: the next mail to a seat of theirs, at best
    the one whose token it carries, says that it got no answer. What a machine wrote is not spoken of; but orders may
    be in what is only marked as spam, and answers a mail of ours."""
    if mail is None or not mail.sender or (mail.kind in MACHINE_KINDS and not mail.marked_spam):
        return {}
    asks = {(ask.game_id, ask.seat) for token in mail.tokens[:MOST_TOKENS] if (ask := tx.ask_for(token))}
    seats = [(seat.game_id, seat.seat) for player in tx.players_at(mail.sender) for seat in tx.seats_of(player.id)]
    if not seats or (mail.marked_spam and asks.isdisjoint(seats)):
        return {}
    game_id, seat = max(seats, key=lambda place: (place in asks, place))
    return {"game_id": game_id, "seat": seat, "unanswered": "spam" if mail.marked_spam else why}


def log_mail(incoming: Incoming, handled: Handled) -> None:
    """One line of log a mail: never a body, a token or an address."""
    mail, known = incoming.mail, not isinstance(incoming.identity, Stranger)
    message_id = re.sub(r"[^\x21-\x7e]", "?", mail.message_id)[:120] or "-"
    for token in mail.tokens:
        message_id = re.sub(re.escape(token), "********", message_id, flags=re.IGNORECASE)
    game, seat = (incoming.table.game.code, incoming.table.colour(incoming.seat)) if known else ("-", "-")
    log.info("%s %s %s %s (%s)", message_id, game, seat, handled.disposition, handled.reason or mail.kind)


def put_aside(work: UnitOfWork, inbound_id: InboundId, mail: ParsedMail | None, error: Exception) -> Disposition:
    """Keep a mail that made a step fail, and tell the moderator."""
    log.error("mail %s cannot be handled and is kept for the moderator\n%s", inbound_id, trace(error))
    facts = untold(work.tx, mail, "failed")
    work.tx.settle_inbound(inbound_id, "quarantined", reason=type(error).__name__, error=trace(error), **facts)
    if may_tell_moderator(work):
        what = "mismatch" if isinstance(error, ReplayMismatch) else "quarantined"
        tell_moderator(work, what, {"mail": inbound_id, "error": type(error).__name__})
    return "quarantined"


def offer_again(work: UnitOfWork, kept: Inbound) -> bool:
    """Offer the orders of a mail that had been carried out, which is lost, to the player of its seat; whether there is
    one, and there is a mail to offer."""
    if kept.game_id is None or kept.seat is None:
        return False
    holder = Holder(load(work, kept.game_id), kept.seat)
    if kept.seat not in holder.table.players or not kept.raw:
        return False
    incoming = Incoming(work, kept.id, read(work.settings, kept.raw), Untrusted(holder, "lost"))
    looked_into(incoming)
    handled = park(incoming, "lost")
    work.tx.settle_inbound(
        kept.id, handled.disposition, reason=handled.reason, game_id=kept.game_id, seat=kept.seat, kind="rejected"
    )
    return True


def retry_quarantined(store: Store, settings: Settings, inbound_id: InboundId, now: datetime) -> Disposition:
    """Handle a mail from the quarantine once more. Raises StoreError when there is none of that number."""
    mail = None
    try:
        with store.transaction() as tx:
            kept = tx.inbound(inbound_id)
            if kept.disposition != "quarantined":
                raise StoreError(f"mail {inbound_id} is not in the quarantine: it is {kept.disposition}")
            mail = read(settings, kept.raw)
            return take_steps(Incoming(UnitOfWork(tx, settings, now), inbound_id, mail))
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - it may well fail as it did before
        with store.transaction() as tx:
            return put_aside(UnitOfWork(tx, settings, now), inbound_id, mail, error)
