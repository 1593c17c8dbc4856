"""Mail that needs the moderator: what waits, what is in it, and trying it again."""

from dataclasses import replace

from pbem.errors import StoreError
from pbem.moderator.inspect import may_see_secrets
from pbem.moderator.moderator import Moderator, record
from pbem.store import Disposition, Inbound, InboundId, Outbound, OutboundId


def mails(
    moderator: Moderator, code: str | None = None, limit: int = 100, *, everything: bool = False
) -> tuple[tuple[Inbound, ...], tuple[Outbound, ...]]:
    """The mails received and sent, newest first and without their bytes, of one game or of all: those that could not be
    handled, whose sender has to say `yes`, or that no server took so far; or `everything` that came in and went out."""
    received: tuple[Disposition, ...] = () if everything else ("quarantined", "parked")
    with moderator.store.reading() as tx:
        game_id = tx.find_game(code).id if code else None
        sent = tx.sent if everything else tx.not_taken
        return (tx.received(*received, game_id=game_id, limit=limit), sent(game_id=game_id, limit=limit))


def mail(moderator: Moderator, number: int, reveal: str = "", *, out: bool = False) -> Inbound | Outbound:
    """A received mail, or with `out` one of ours; its bytes, which may show a hand of cards, only for a reason. Those of
    a mail that belongs to no game may not be secret, but nobody can know that."""
    with moderator.working() as work:
        mail = work.tx.outbound(OutboundId(number)) if out else work.tx.inbound(InboundId(number))
        if mail.game_id is not None:
            shown = may_see_secrets(work, work.tx.game(mail.game_id), reveal, "mail", mail=mail.id)
        elif shown := bool(reveal.strip()):
            record(work, "mail", reveal, mail=mail.id, revealed=True)
        return mail if shown else replace(mail, raw=b"")


def retry(moderator: Moderator, number: int) -> Disposition:
    """Handle a mail from the quarantine once more; what became of it."""
    from pbem.mail.handling import pipeline  # it takes long to load, and a list of mails needs none

    with moderator.working() as work:
        work.tx.inbound(InboundId(number))
        record(work, "mail retry", "", mail=number)
    return pipeline.retry_quarantined(moderator.store, moderator.settings, InboundId(number), work.now)


def resend(moderator: Moderator, number: int) -> Outbound:
    """Send a mail of ours again, with the same Message-ID."""
    with moderator.working() as work:
        mail = work.tx.outbound(OutboundId(number))
        if not mail.raw:
            raise StoreError(f"mail {number} is older than what is kept (retention_days); it cannot be sent again")
        if mail.game_id is not None and mail.seat is not None:
            player_id = work.tx.seat(mail.game_id, mail.seat).player_id
            if player_id is None or not work.tx.player(player_id).owns(mail.recipient):
                raise StoreError(f"{mail.recipient} is no address of that seat any more; pbem admin resend writes anew")
        work.tx.resend(mail.id, work.now)
        record(work, "mail resend", "", mail=number)
        return replace(work.tx.outbound(mail.id), raw=b"")
