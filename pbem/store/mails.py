"""Received mails and the outbox."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, bindparam, literal, or_, select, update

from pbem.address import address_key
from pbem.protocol import Seat
from pbem.store.asks import ASKS, Asks
from pbem.store.rows import one_of
from pbem.store.tables import SILENT, asks, columns, inbound, outbound
from pbem.store.values import (
    Ask,
    Disposition,
    GameId,
    Inbound,
    InboundId,
    NewInbound,
    NewOutbound,
    Outbound,
    OutboundId,
    OutboundStatus,
)

INBOUND, OUTBOUND = select(*columns(inbound, Inbound)), select(*columns(outbound, Outbound))
#: What lists leave out of a mail.
NO_BYTES = literal(b"").label("raw")
RECEIVED = select(NO_BYTES, *columns(inbound, Inbound, "raw")).order_by(inbound.c.id.desc())
WRITTEN = select(NO_BYTES, *columns(outbound, Outbound, "raw")).order_by(outbound.c.id.desc())
# With the conditions of the partial indexes.
FROM_MAILBOX = INBOUND.where(inbound.c.uid > 0)
ORIGINALS = INBOUND.where(inbound.c.duplicate_of.is_(None), inbound.c.message_id != "")
UNANSWERED = RECEIVED.where(SILENT).order_by(None).order_by(inbound.c.id)
WITH_BYTES = OUTBOUND.order_by(outbound.c.id)


def has(*statuses: OutboundStatus) -> ColumnElement[bool]:
    """Whether a mail has one of these statuses. They are written into the statement, not bound: so the planner sees
    that a partial index serves."""
    return or_(*(outbound.c.status == bindparam(None, status, literal_execute=True) for status in statuses))


QUEUED, LEASED = has("queued"), has("leased")
#: When mails are due, and which.
DUE = ((outbound.c.next_at, QUEUED), (outbound.c.lease_until, LEASED))
#: A report that is taken so much later than it was asked for was late.
LATE = timedelta(minutes=5)
#: Into the queue again.
BACK: dict[str, Any] = {"status": "queued", "lease_until": None}


#: So many of the last mails to a seat count as its last ones.
LAST_MAILS = 3


class Mails(Asks):
    """Part of a transaction: mail that came in and mail that is to go out."""

    def seen_uid(self, uidvalidity: int, uid: int) -> Inbound | None:
        """The record of this mail of the mailbox, when it was received before."""
        return self._first(Inbound, FROM_MAILBOX, uidvalidity=uidvalidity, uid=uid)

    def forget_uid(self, inbound_id: InboundId) -> None:
        """Note that a received mail is not what lies in the mailbox under its UID: another mailbox may count alike."""
        self._change(inbound, {"id": inbound_id}, uid=0)

    def seen_message(self, message_id: str, digest: str) -> Inbound | None:
        """The first record of a mail with this Message-ID and content, wherever it lay."""
        return self._first(Inbound, ORIGINALS, message_id=message_id, digest=digest)

    def record_inbound(self, mail: NewInbound, duplicate_of: InboundId | None = None) -> InboundId:
        """Keep a received mail; what becomes of it follows with `settle_inbound`."""
        more = {"size": len(mail.raw), "sender_key": address_key(mail.sender), "duplicate_of": duplicate_of}
        return InboundId(self._add(inbound, **asdict(mail), **more))

    def settle_inbound(self, inbound_id: InboundId, disposition: Disposition, **fields: Any) -> None:
        """Note what became of a received mail, in the place of what was noted before; `fields` are those of an
        `Inbound` that say more about it."""
        unsaid = {"reason": "", "game_id": None, "seat": None, "version": None, "error": "", "unanswered": ""}
        self._change(inbound, {"id": inbound_id}, disposition=disposition, **unsaid | fields)

    def inbound(self, inbound_id: InboundId) -> Inbound:
        """A received mail with its bytes.

        Raises StoreError when there is none with this id.
        """
        missing = f"no received mail {inbound_id}; pbem admin mail lists them"
        return self._wanted(Inbound, INBOUND, missing, id=inbound_id)

    def received(
        self, *dispositions: Disposition, game_id: GameId | None = None, limit: int = 100
    ) -> tuple[Inbound, ...]:
        """Received mails, newest first, without their bytes; all, or those that became one of these."""
        which = one_of(inbound.c.disposition, *dispositions), one_of(inbound.c.game_id, game_id)
        return self._all(Inbound, RECEIVED.where(*which).limit(limit))

    def count_received(self, sender: str, since: datetime, *dispositions: Disposition) -> int:
        """How many mails came from an address since then, or how many of them became one of these."""
        sent = inbound.c.sender_key == address_key(sender), inbound.c.received_at >= since
        return self._count(*sent, one_of(inbound.c.disposition, *dispositions))

    def take_unanswered(self, game_id: GameId, seat: Seat) -> tuple[Inbound, ...]:
        """The mails of a seat that got no answer, oldest first, without their bytes; they are not given again."""
        mails = self._all(Inbound, UNANSWERED, game_id=game_id, seat=seat)
        for mail in mails:
            self._change(inbound, {"id": mail.id}, unanswered="")
        return mails

    def queue(self, mail: NewOutbound, now: datetime) -> OutboundId:
        """Put a finished mail into the outbox; it is sent once this transaction is committed."""
        more = {"recipient_key": address_key(mail.recipient), "created_at": now, "next_at": now}
        return OutboundId(self._add(outbound, **asdict(mail), **more))

    def lease(self, now: datetime, limit: int = 20, seconds: float = 300) -> tuple[Outbound, ...]:
        """Take mails that are due, oldest first, for so many seconds. Nobody else gets them meanwhile; a sender
        that dies loses its lease and the mails are due again. Each lease counts as an attempt."""
        ids: list[int] = []
        for at, which in DUE:
            due = select(outbound.c.id).where(which, at <= now).order_by(at, outbound.c.id).limit(limit - len(ids))
            ids += self.connection.scalars(due.with_for_update(skip_locked=True))
        if not ids:
            return ()
        taken, until = outbound.c.id.in_(ids), now + timedelta(seconds=seconds)
        lease = update(outbound).where(taken).values(status="leased", lease_until=until)
        self.connection.execute(lease.values(attempts=outbound.c.attempts + 1))
        return self._all(Outbound, WITH_BYTES.where(taken))

    def mark_sent(self, outbound_ids: Iterable[OutboundId], now: datetime) -> None:
        """The mail server took these mails; the clocks of asks whose reports are among them may run out from now on. One
        whose report was long on its way has the whole time that it was to have."""
        sent = outbound.c.id.in_(list(outbound_ids))
        state = {"status": "sent", "sent_at": now, "lease_until": None, "last_error": ""}
        self.connection.execute(update(outbound).where(sent).values(state))
        reported = asks.c.number.in_(select(outbound.c.ask).where(sent)), asks.c.report_accepted_at.is_(None)
        late = *reported, asks.c.due_at.is_not(None), asks.c.opened_at < now - LATE
        for ask in self._all(Ask, ASKS.where(*late)):
            self.give_time(ask, now - ask.opened_at, opened_at=now)
        self.connection.execute(update(asks).where(*reported).values(report_accepted_at=now))

    def mark_retry(self, outbound_id: OutboundId, error: str, next_at: datetime) -> None:
        """Sending failed for now; try again at that time."""
        self._change(outbound, {"id": outbound_id}, **BACK, last_error=error, next_at=next_at)

    def mark_failed(self, outbound_id: OutboundId, error: str) -> None:
        """Sending failed for good."""
        self._change(outbound, {"id": outbound_id}, status="failed", lease_until=None, last_error=error)

    def release(self, outbound_ids: Iterable[OutboundId]) -> None:
        """Give leased mails back that were not tried; they are due at once, and it was no attempt."""
        back = update(outbound).where(outbound.c.id.in_(list(outbound_ids)), LEASED)
        self.connection.execute(back.values(**BACK, attempts=outbound.c.attempts - 1))

    def make_due(self, outbound_ids: Iterable[OutboundId], now: datetime) -> None:
        """Bring forward mails that wait to be sent again; they are due now, as if they had not been tried."""
        waiting = update(outbound).where(outbound.c.id.in_(list(outbound_ids)), QUEUED)
        self.connection.execute(waiting.values(next_at=now, attempts=0))

    def bring_forward(self, now: datetime, latest: datetime) -> None:
        """Let what is to be sent later than `latest`, by a clock that was ahead, be due now."""
        for at, which in DUE:
            self.connection.execute(update(outbound).where(which, at > latest).values(BACK | {"next_at": now}))

    def end_leases(self) -> None:
        """End every lease: nobody is left who could be sending. Those mails may have been sent; it was an attempt."""
        self.connection.execute(update(outbound).where(LEASED).values(BACK))

    def next_sending(self) -> datetime | None:
        """When the outbox has something to do next; None when nothing waits."""
        return self._earliest(*DUE)

    def outbound(self, outbound_id: OutboundId) -> Outbound:
        """A mail of ours with its bytes.

        Raises StoreError when there is none with this id.
        """
        missing = f"no sent mail {outbound_id}; pbem admin mail --all lists them"
        return self._wanted(Outbound, OUTBOUND, missing, id=outbound_id)

    def sent_message(self, message_id: str) -> Outbound | None:
        """The mail of ours with this Message-ID (with angle brackets), such as one that bounced."""
        return self._first(Outbound, OUTBOUND, message_id=message_id)

    def sent(self, *statuses: OutboundStatus, game_id: GameId | None = None, limit: int = 100) -> tuple[Outbound, ...]:
        """Mails of ours, newest first, without their bytes; all, or those with one of these statuses."""
        query = WRITTEN.where(has(*statuses)) if statuses else WRITTEN
        return self._all(Outbound, query.where(one_of(outbound.c.game_id, game_id)).limit(limit))

    def not_taken(self, game_id: GameId | None = None, limit: int = 100) -> tuple[Outbound, ...]:
        """Mails of ours that no server took so far, newest first, without their bytes: given up, or tried again."""
        which = has("failed", "queued", "leased"), outbound.c.last_error != "", one_of(outbound.c.game_id, game_id)
        return self._all(Outbound, WRITTEN.where(*which).limit(limit))

    def sent_text(self, ask: int) -> str | None:
        """The text of the report that went out with the ask of this number; None when there is none."""
        report = self._first(Outbound, WITH_BYTES, ask=ask)
        return None if report is None else report.text

    def last_message_ids(self, game_id: GameId, seat: Seat, address: str, *, but: tuple[str, ...]) -> tuple[str, ...]:
        """The Message-IDs of the last mails to a seat that went to an address, `but` for some kinds."""
        mails = select(outbound.c.message_id).where(
            outbound.c.game_id == game_id,
            outbound.c.seat == seat,
            outbound.c.recipient_key == address_key(address),
            outbound.c.kind.not_in(but),
        )
        return tuple(self.connection.scalars(mails.order_by(outbound.c.id.desc()).limit(LAST_MAILS)))

    def count_queued(self, recipient: str, since: datetime, *kinds: str) -> int:
        """How many mails to an address were written since then, or how many of these kinds."""
        written = outbound.c.recipient_key == address_key(recipient), outbound.c.created_at >= since
        return self._count(*written, one_of(outbound.c.kind, *kinds))

    def resend(self, outbound_id: OutboundId, now: datetime) -> None:
        """Send a mail again, whatever became of it; it keeps its Message-ID."""
        self._change(outbound, {"id": outbound_id}, **BACK, attempts=0, next_at=now, last_error="")

    def forget_mails(self, before: datetime) -> int:
        """Drop the bytes of mails older than that which wait for nobody; the number of mails."""
        waits = inbound.c.disposition.in_(("quarantined", "parked"))
        settled = or_(inbound.c.disposition.is_(None), ~waits)
        received = update(inbound).where(inbound.c.received_at < before, inbound.c.size > 0, settled)
        sent = outbound.c.status.in_(("sent", "failed")), outbound.c.subject != ""
        written = update(outbound).where(outbound.c.created_at < before, *sent)
        changes = received.values(raw=b"", size=0), written.values(raw=b"", subject="")
        return sum(self.connection.execute(change).rowcount for change in changes)
