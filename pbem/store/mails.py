"""Received mails and the outbox."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, bindparam, func, insert, literal, or_, select, update

from pbem.protocol import Seat
from pbem.store.rows import Rows
from pbem.store.tables import asks, columns, inbound, outbound
from pbem.store.values import (
    Disposition,
    GameId,
    Inbound,
    InboundId,
    NewInbound,
    NewOutbound,
    Outbound,
    OutboundId,
    OutboundStatus,
    address_key,
)

INBOUND, OUTBOUND = select(*columns(inbound, Inbound)), select(*columns(outbound, Outbound))
#: What lists leave out of a mail.
NO_BYTES = literal(b"").label("raw")
RECEIVED = select(NO_BYTES, *columns(inbound, Inbound, "raw")).order_by(inbound.c.id.desc())
WRITTEN = select(NO_BYTES, *columns(outbound, Outbound, "raw")).order_by(outbound.c.id.desc())


def has(status: OutboundStatus) -> ColumnElement[bool]:
    """Written into the statement, not bound: so the planner sees that a partial index serves."""
    return outbound.c.status == bindparam(None, status, literal_execute=True)


QUEUED, LEASED = has("queued"), has("leased")
#: Into the queue again.
BACK: dict[str, Any] = {"status": "queued", "lease_until": None}

# What every mail needs is made once: building a statement takes three times as long as carrying it out.
NEW_INBOUND = insert(inbound).returning(inbound.c.id)
NEW_OUTBOUND = insert(outbound).returning(outbound.c.id)
BY_UID = INBOUND.where(
    inbound.c.uidvalidity == bindparam("validity"), inbound.c.uid == bindparam("wanted"), inbound.c.uid > 0
)
BY_MESSAGE = INBOUND.where(
    inbound.c.message_id == bindparam("wanted"),
    inbound.c.digest == bindparam("content"),
    inbound.c.duplicate_of.is_(None),
    inbound.c.message_id != "",
)
SETTLE = update(inbound).where(inbound.c.id == bindparam("mail"))
SENT = (
    update(outbound)
    .where(outbound.c.id.in_(bindparam("mails", expanding=True)))
    .values(status="sent", sent_at=bindparam("now"), lease_until=None, last_error="")
)
ACCEPTED = (
    update(asks)
    .where(
        asks.c.number.in_(
            select(outbound.c.ask).where(
                outbound.c.id.in_(bindparam("mails", expanding=True)), outbound.c.ask.is_not(None)
            )
        ),
        asks.c.report_accepted_at.is_(None),
    )
    .values(report_accepted_at=bindparam("now"))
)
DUE = [
    select(outbound.c.id)
    .where(condition, at <= bindparam("now", type_=at.type))
    .order_by(at, outbound.c.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
    for condition, at in ((QUEUED, outbound.c.next_at), (LEASED, outbound.c.lease_until))
]
TAKE = (
    update(outbound)
    .where(outbound.c.id.in_(bindparam("mails", expanding=True)))
    .values(status="leased", attempts=outbound.c.attempts + 1, lease_until=bindparam("until"))
)
TAKEN = OUTBOUND.where(outbound.c.id.in_(bindparam("mails", expanding=True))).order_by(outbound.c.id)
REPORT = (
    OUTBOUND.join(asks, asks.c.number == outbound.c.ask)
    .where(asks.c.token == bindparam("wanted"))
    .order_by(outbound.c.id)
    .limit(1)
)
NEXT_QUEUED = select(func.min(outbound.c.next_at)).where(QUEUED)
NEXT_LEASED = select(func.min(outbound.c.lease_until)).where(LEASED)


class Mails(Rows):
    """Part of a transaction: mail that came in and mail that is to go out."""

    def seen_uid(self, uidvalidity: int, uid: int) -> Inbound | None:
        """The record of this mail of the mailbox, when it was received before."""
        return self._first(Inbound, BY_UID, validity=uidvalidity, wanted=uid)

    def seen_message(self, message_id: str, digest: str) -> Inbound | None:
        """The first record of a mail with this Message-ID and content, wherever it lay."""
        if not message_id:
            return None
        return self._first(Inbound, BY_MESSAGE, wanted=message_id, content=digest)

    def record_inbound(self, mail: NewInbound, duplicate_of: InboundId | None = None) -> InboundId:
        """Keep a received mail; what becomes of it follows with `settle_inbound`."""
        values = {
            **content(mail, NewInbound),
            "size": len(mail.raw),
            "sender_key": address_key(mail.sender),
            "duplicate_of": duplicate_of,
        }
        return InboundId(self.connection.execute(NEW_INBOUND, values).scalar_one())

    def settle_inbound(
        self,
        inbound_id: InboundId,
        disposition: Disposition,
        *,
        kind: str | None = None,
        reason: str = "",
        game_id: GameId | None = None,
        seat: Seat | None = None,
        version: int | None = None,
        error: str = "",
    ) -> None:
        """Note what became of a received mail."""
        values = {
            "disposition": disposition,
            "reason": reason,
            "game_id": game_id,
            "seat": seat,
            "version": version,
            "error": error,
            **({} if kind is None else {"kind": kind}),
        }
        self.connection.execute(SETTLE, {"mail": inbound_id, **values})

    def inbound(self, inbound_id: InboundId) -> Inbound:
        """A received mail with its bytes.

        Raises StoreError when there is none with this id.
        """
        missing = f"no received mail {inbound_id}; pbem admin mail lists them"
        return self._wanted(Inbound, INBOUND.where(inbound.c.id == inbound_id), missing)

    def received(
        self, *dispositions: Disposition, game_id: GameId | None = None, limit: int = 100
    ) -> tuple[Inbound, ...]:
        """Received mails, newest first, without their bytes; all, or those that became one of these."""
        query = RECEIVED.limit(limit)
        if dispositions:
            query = query.where(inbound.c.disposition.in_(dispositions))
        if game_id is not None:
            query = query.where(inbound.c.game_id == game_id)
        return self._all(Inbound, query)

    def count_received(self, sender: str, since: datetime, *dispositions: Disposition) -> int:
        """How many mails came from an address since then, or how many of them became one of these."""
        query = select(func.count()).where(inbound.c.sender_key == address_key(sender), inbound.c.received_at >= since)
        if dispositions:
            query = query.where(inbound.c.disposition.in_(dispositions))
        return int(self.connection.execute(query).scalar_one())

    def queue(self, mail: NewOutbound, now: datetime) -> OutboundId:
        """Put a finished mail into the outbox; it is sent once this transaction is committed."""
        values = {
            **content(mail, NewOutbound),
            "recipient_key": address_key(mail.recipient),
            "created_at": now,
            "next_at": now,
        }
        return OutboundId(self.connection.execute(NEW_OUTBOUND, values).scalar_one())

    def lease(self, now: datetime, limit: int = 20, seconds: float = 300) -> tuple[Outbound, ...]:
        """Take mails that are due, oldest first, for so many seconds. Nobody else gets them meanwhile; a sender
        that dies loses its lease and the mails are due again. Each lease counts as an attempt."""
        due = {"now": now, "most": limit}
        ids = [mail for query in DUE for mail in self.connection.execute(query, due).scalars()][:limit]
        if not ids:
            return ()
        until = now + timedelta(seconds=seconds)
        self.connection.execute(TAKE, {"mails": ids, "until": until})
        return self._all(Outbound, TAKEN, mails=ids)

    def mark_sent(self, outbound_ids: Iterable[OutboundId], now: datetime) -> None:
        """The mail server took these mails; the clocks of asks whose reports are among them may run out from now on."""
        sent = {"mails": list(outbound_ids), "now": now}
        self.connection.execute(SENT, sent)
        self.connection.execute(ACCEPTED, sent)

    def mark_retry(self, outbound_id: OutboundId, error: str, next_at: datetime) -> None:
        """Sending failed for now; try again at that time."""
        self._change(outbound, outbound.c.id == outbound_id, **BACK, last_error=error, next_at=next_at)

    def mark_failed(self, outbound_id: OutboundId, error: str) -> None:
        """Sending failed for good."""
        failed = {"status": "failed", "lease_until": None, "last_error": error}
        self._change(outbound, outbound.c.id == outbound_id, **failed)

    def release(self, outbound_ids: Iterable[OutboundId]) -> None:
        """Give leased mails back that were not tried; they are due at once, and it was no attempt."""
        which = outbound.c.id.in_(list(outbound_ids))
        self._change(outbound, which, LEASED, **BACK, attempts=outbound.c.attempts - 1)

    def make_due(self, outbound_ids: Iterable[OutboundId], now: datetime) -> None:
        """Bring forward mails that wait to be sent again; they are due now."""
        self._change(outbound, outbound.c.id.in_(list(outbound_ids)), QUEUED, next_at=now)

    def end_leases(self) -> None:
        """End every lease: nobody is left who could be sending. Those mails may have been sent; it was an attempt."""
        self._change(outbound, LEASED, **BACK)

    def next_sending(self) -> datetime | None:
        """When the outbox has something to do next; None when nothing waits."""
        times = [self.connection.execute(first).scalar_one() for first in (NEXT_QUEUED, NEXT_LEASED)]
        return min((at for at in times if at is not None), default=None)

    def outbound(self, outbound_id: OutboundId) -> Outbound:
        """A mail of ours with its bytes.

        Raises StoreError when there is none with this id.
        """
        missing = f"no sent mail {outbound_id}; pbem admin mail --all lists them"
        return self._wanted(Outbound, OUTBOUND.where(outbound.c.id == outbound_id), missing)

    def sent_message(self, message_id: str) -> Outbound | None:
        """The mail of ours with this Message-ID (with angle brackets), such as one that bounced."""
        return self._first(Outbound, OUTBOUND.where(outbound.c.message_id == message_id))

    def sent(self, *statuses: OutboundStatus, game_id: GameId | None = None, limit: int = 100) -> tuple[Outbound, ...]:
        """Mails of ours, newest first, without their bytes; all, or those with one of these statuses."""
        query = WRITTEN.limit(limit)
        if statuses:
            query = query.where(or_(*map(has, statuses)))
        if game_id is not None:
            query = query.where(outbound.c.game_id == game_id)
        return self._all(Outbound, query)

    def sent_text(self, token: str) -> str | None:
        """The text of the report that carried this token; None when there is none."""
        report = self._first(Outbound, REPORT, wanted=token.upper())
        return None if report is None else report.text

    def count_queued(self, recipient: str, since: datetime, *kinds: str) -> int:
        """How many mails to an address were written since then, or how many of these kinds."""
        query = select(func.count()).where(
            outbound.c.recipient_key == address_key(recipient), outbound.c.created_at >= since
        )
        if kinds:
            query = query.where(outbound.c.kind.in_(kinds))
        return int(self.connection.execute(query).scalar_one())

    def resend(self, outbound_id: OutboundId, now: datetime) -> None:
        """Send a mail again, whatever became of it; it keeps its Message-ID."""
        anew = {"attempts": 0, "next_at": now, "last_error": ""}
        self._change(outbound, outbound.c.id == outbound_id, **BACK, **anew)

    def forget_mails(self, before: datetime) -> int:
        """Drop the bytes of mails older than that which wait for nobody; the number of mails."""
        received = self.connection.execute(
            update(inbound)
            .where(
                inbound.c.received_at < before,
                inbound.c.size > 0,
                or_(inbound.c.disposition.is_(None), inbound.c.disposition.not_in(("quarantined", "parked"))),
            )
            .values(raw=b"", size=0)
        )
        written = self.connection.execute(
            update(outbound)
            .where(outbound.c.created_at < before, outbound.c.status.in_(("sent", "failed")), outbound.c.subject != "")
            .values(raw=b"", subject="")
        )
        return received.rowcount + written.rowcount


def content(mail: NewInbound | NewOutbound, of: type) -> dict[str, Any]:
    """What is to be kept of a new mail, by column."""
    return {field.name: getattr(mail, field.name) for field in fields(of)}
