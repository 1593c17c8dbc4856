"""Mail that needs the moderator: what waits, what is in it, and trying it again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from pbem.config import Settings
from pbem.errors import StoreError
from pbem.mail.handling import pipeline
from pbem.moderator.actions import at_desk, note
from pbem.moderator.sight import may_see_secrets
from pbem.play.table import UnitOfWork
from pbem.store import Disposition, Inbound, InboundId, Outbound, OutboundId, Store


@dataclass(frozen=True, slots=True)
class Waiting:
    """Mails that wait for somebody."""

    #: Kept because they could not be handled, or because their sender has to say `yes`; newest first.
    received: tuple[Inbound, ...]
    #: Mails of ours that no server took; newest first.
    failed: tuple[Outbound, ...]


def waiting(store: Store, text: str | None = None, limit: int = 100) -> Waiting:
    """What waits, for one game or for all."""
    with store.reading() as tx:
        game_id = tx.find_game(text).id if text else None
        return Waiting(
            tx.received("quarantined", "parked", game_id=game_id, limit=limit),
            tx.sent("failed", game_id=game_id, limit=limit),
        )


def traffic(store: Store, text: str | None = None, limit: int = 100) -> Waiting:
    """Everything that came in and went out, whatever became of it."""
    with store.reading() as tx:
        game_id = tx.find_game(text).id if text else None
        return Waiting(tx.received(game_id=game_id, limit=limit), tx.sent(game_id=game_id, limit=limit))


def received(
    store: Store, settings: Settings, number: int, reveal: str = "", now: datetime | None = None
) -> Inbound:
    """A received mail; its bytes, which may quote a hand of cards, only for a reason."""
    with at_desk(store, settings, now) as work:
        mail = work.tx.inbound(InboundId(number))
        return mail if may_read(work, mail, reveal) else replace(mail, raw=b"")


def sent(
    store: Store, settings: Settings, number: int, reveal: str = "", now: datetime | None = None
) -> Outbound:
    """A mail of ours; its bytes, which may show a hand of cards, only for a reason."""
    with at_desk(store, settings, now) as work:
        mail = work.tx.outbound(OutboundId(number))
        return mail if may_read(work, mail, reveal) else replace(mail, raw=b"")


def may_read(work: UnitOfWork, mail: Inbound | Outbound, reveal: str) -> bool:
    """Whether the bytes of a mail may be shown; of a mail that belongs to no game they may not be secret, but
    nobody can know that."""
    if mail.game_id is not None:
        return may_see_secrets(work, work.tx.game(mail.game_id), reveal, "mail", mail=mail.id)
    if reveal.strip():
        note(work, "mail", reveal, mail=mail.id, revealed=True)
    return bool(reveal.strip())


def retry(store: Store, settings: Settings, number: int, now: datetime | None = None) -> Disposition:
    """Handle a mail from the quarantine once more; what became of it."""
    with at_desk(store, settings, now) as work:
        work.tx.inbound(InboundId(number))
        note(work, "mail retry", "", mail=number)
        at = work.now
    return pipeline.retry(store, settings, InboundId(number), at)


def resend(store: Store, settings: Settings, number: int, now: datetime | None = None) -> Outbound:
    """Send a mail of ours again, with the same Message-ID."""
    with at_desk(store, settings, now) as work:
        mail = work.tx.outbound(OutboundId(number))
        if not mail.raw:
            raise StoreError(
                f"mail {number} is older than what is kept (retention_days); it cannot be sent again"
            )
        work.tx.resend(mail.id, work.now)
        note(work, "mail resend", "", mail=number)
        return replace(work.tx.outbound(mail.id), raw=b"")
