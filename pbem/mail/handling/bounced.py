"""Mail of ours that came back.

Only a bounce that a mail system sent, and that names a mail we really sent to that address, is believed: its Message-ID
cannot be guessed. One that
says that there is no such recipient marks the address; any other whose server has given up has the mail sent again.
"""

from datetime import timedelta

from pbem.address import address_key
from pbem.mail.handling.context import Handled, Incoming
from pbem.play.advance import tell_moderator
from pbem.store import Outbound

#: When a mail that came back for now is sent again; and how often it is tried in all before it counts as undeliverable.
AGAIN_AFTER = timedelta(hours=4)
MOST_ATTEMPTS = 5


def bounced(incoming: Incoming) -> Handled | None:
    """Mark the address of a hard bounce; deadlines of its seats are held while none of its player's work, and that of what
    it asked until the report arrives."""
    if incoming.mail.kind != "bounce":
        return None
    bounce, tx = incoming.mail.bounce, incoming.work.tx
    if bounce is None or not bounce.given_up:
        return Handled("ignored", "bounce: not final" if bounce else "bounce: unreadable")
    ours = tx.sent_message(bounce.original_message_id) if bounce.original_message_id else None
    if ours is None or (bounce.address and address_key(bounce.address) != address_key(ours.recipient)):
        return Handled("ignored", "bounce: of no mail of ours")
    if not bounce.from_daemon:
        return Handled("ignored", "bounce: sent by no mail system")
    if ours.status == "failed" or not first_of_turn(incoming, ours):
        return Handled("ignored", "bounce: another one in this turn")
    if not bounce.hard and ours.attempts < MOST_ATTEMPTS:
        return again(incoming, ours)
    key = address_key(ours.recipient)
    addresses = [address for player in tx.players_at(ours.recipient) for address in player.addresses]
    known = any(address.bouncing_at for address in addresses if address_key(address.address) == key)
    tx.mark_failed(ours.id, "came back: " + incoming.mail.reason[:200])
    if bounce.hard:
        tx.mark_bouncing(ours.recipient, incoming.mail.reason, incoming.work.now)
    if ours.ask is not None and tx.ask(ours.ask).open:
        tx.change_ask(ours.ask, report_accepted_at=None)
    game, facts = None, {"address": ours.recipient}
    if ours.game_id is not None and ours.seat is not None:
        game, seat = tx.game(ours.game_id), tx.seat(ours.game_id, ours.seat)
        facts |= {"seat": seat.colour, "name": seat.name}
    if not known and key != address_key(incoming.work.settings.mail.moderator):
        tell_moderator(incoming.work, "undeliverable", facts, game)
    return Handled("answered", "bounce: address marked" if bounce.hard else "bounce: given up")


def first_of_turn(incoming: Incoming, ours: Outbound) -> bool:
    """Whether no other mail to that seat came back in this turn. A player knows the Message-IDs of our mails to them, and
    a bounce gives them time: so they can forge it, once a turn."""
    if ours.game_id is None or ours.seat is None:
        return True
    tx = incoming.work.tx
    what, came_back = f"came_back {ours.game_id} {ours.seat}", f"{tx.game(ours.game_id).turn} {ours.id}"
    known = tx.remembered(what)
    if known and known.split()[0] == came_back.split()[0]:
        return known == came_back
    tx.remember(what, came_back)
    return True


def again(incoming: Incoming, ours: Outbound) -> Handled:
    """Send a mail once more later, and give whoever it asks the time that this takes."""
    tx, now = incoming.work.tx, incoming.work.now
    if ours.status == "queued" or not ours.raw:
        return Handled("ignored", "bounce: for now")
    tx.mark_retry(ours.id, "came back: " + incoming.mail.reason[:200], now + AGAIN_AFTER)
    ask = tx.ask(ours.ask) if ours.ask is not None else None
    if ask and ask.open and ask.due_at:
        tx.move_deadline(ask.number, max(ask.due_at, now + 2 * AGAIN_AFTER))
    return Handled("answered", "bounce: to be sent again")
