"""Mail of ours that came back.

Only a bounce that names a mail we really sent to that address is believed: its Message-ID cannot be guessed.
"""

from __future__ import annotations

from pbem.conduct import tell_moderator
from pbem.mail.case import Case, Verdict
from pbem.store import address_key


def note(case: Case) -> Verdict:
    """Mark the address of a hard bounce; deadlines of its seats are held while none of its player's work."""
    bounce, tx = case.mail.bounce, case.office.tx
    if bounce is None or not bounce.hard:
        return Verdict("ignored", "bounce: not final" if bounce else "bounce: unreadable")
    ours = tx.sent_message(bounce.original_message_id) if bounce.original_message_id else None
    if ours is None or (bounce.address and address_key(bounce.address) != address_key(ours.recipient)):
        return Verdict("ignored", "bounce: of no mail of ours")
    tx.mark_bouncing(ours.recipient, case.mail.reason, case.office.now)
    game = tx.game(ours.game_id) if ours.game_id is not None else None
    facts: dict[str, object] = {"address": ours.recipient}
    if ours.game_id is not None and ours.seat is not None:
        seat = tx.seat(ours.game_id, ours.seat)
        facts |= {"seat": seat.colour, "name": seat.name}
    if address_key(ours.recipient) != address_key(case.office.settings.mail.moderator):
        tell_moderator(case.office, "undeliverable", facts, game)
    return Verdict("answered", "bounce: address marked")
