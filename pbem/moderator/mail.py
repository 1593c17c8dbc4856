"""Mail that needs the moderator: what waits, what is in it, and trying it again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pbem.errors import StoreError
from pbem.moderator.inspect import may_see_secrets
from pbem.moderator.moderator import Moderator, record
from pbem.play.table import UnitOfWork
from pbem.store import Disposition, Inbound, InboundId, Outbound, OutboundId


@dataclass(frozen=True, slots=True)
class Mails:
    """Received and sent mails, newest first, without their bytes."""

    received: tuple[Inbound, ...]
    sent: tuple[Outbound, ...]


def mails(moderator: Moderator, code: str | None = None, limit: int = 100, *, everything: bool = False) -> Mails:
    """The mails of one game or of all: those that could not be handled, whose sender has to say `yes`, or that no
    server took; or everything that came in and went out."""
    with moderator.store.reading() as tx:
        game_id = tx.find_game(code).id if code else None
        if everything:
            return Mails(tx.received(game_id=game_id, limit=limit), tx.sent(game_id=game_id, limit=limit))
        return Mails(
            tx.received("quarantined", "parked", game_id=game_id, limit=limit),
            tx.sent("failed", game_id=game_id, limit=limit),
        )


def received(moderator: Moderator, number: int, reveal: str = "") -> Inbound:
    """A received mail; its bytes, which may quote a hand of cards, only for a reason."""
    with moderator.working() as work:
        mail = work.tx.inbound(InboundId(number))
        return mail if may_read(work, mail, reveal) else replace(mail, raw=b"")


def sent(moderator: Moderator, number: int, reveal: str = "") -> Outbound:
    """A mail of ours; its bytes, which may show a hand of cards, only for a reason."""
    with moderator.working() as work:
        mail = work.tx.outbound(OutboundId(number))
        return mail if may_read(work, mail, reveal) else replace(mail, raw=b"")


def may_read(work: UnitOfWork, mail: Inbound | Outbound, reveal: str) -> bool:
    """Whether the bytes of a mail may be shown; of a mail that belongs to no game they may not be secret, but
    nobody can know that."""
    if mail.game_id is not None:
        return may_see_secrets(work, work.tx.game(mail.game_id), reveal, "mail", mail=mail.id)
    if reveal.strip():
        record(work, "mail", reveal, mail=mail.id, revealed=True)
    return bool(reveal.strip())


def retry(moderator: Moderator, number: int) -> Disposition:
    """Handle a mail from the quarantine once more; what became of it."""
    from pbem.mail.handling import pipeline  # the way of a mail takes long to load, and a list of mails needs none

    with moderator.working() as work:
        work.tx.inbound(InboundId(number))
        record(work, "mail retry", "", mail=number)
    return pipeline.retry(moderator.store, moderator.settings, InboundId(number), work.now)


def resend(moderator: Moderator, number: int) -> Outbound:
    """Send a mail of ours again, with the same Message-ID."""
    with moderator.working() as work:
        mail = work.tx.outbound(OutboundId(number))
        if not mail.raw:
            raise StoreError(f"mail {number} is older than what is kept (retention_days); it cannot be sent again")
        work.tx.resend(mail.id, work.now)
        record(work, "mail resend", "", mail=number)
        return replace(work.tx.outbound(mail.id), raw=b"")
