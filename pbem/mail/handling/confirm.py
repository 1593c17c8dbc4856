"""What takes a typed `yes` with a one-time token: parked orders, leaving the game, a new address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from pbem.mail.handling.context import Handled, Incoming, told_apart
from pbem.mail.handling.identify import YES, YES_LIVES, Newcomer, Untrusted
from pbem.mail.handling.orders import proven, stale
from pbem.mail.handling.questions import ASKING
from pbem.mail.reading.addresses import ADDRESS, without_tag
from pbem.mail.reading.values import Understood
from pbem.orders import commands
from pbem.play import advance
from pbem.play.letters import Answering, Letters
from pbem.reports import contexts
from pbem.store import Ask, Inbound, InboundId, address_key

#: So many parked mails of one sender in a day are told to the moderator.
SUSPICIOUS = 3
#: Questions that one address gets in a day whether it is a player's, and that one player may have put.
QUESTIONS_TO_ONE = 2
QUESTIONS_OF_ONE = 5


def valid(incoming: Incoming, ask: Ask) -> bool:
    """Whether a one-time token can still be used."""
    return ask.open and ask.opened_at + YES_LIVES > incoming.work.now


def confirm(incoming: Incoming, read: Callable[[Inbound], Understood]) -> Handled | None:
    """The typed `yes` to what a one-time token was made for. What was parked takes the place of this mail's own
    orders, and goes the way of any others."""
    trusted = proven(incoming)
    ask = trusted.confirms
    if ask is None:
        return None
    if not valid(incoming, ask):
        return stale(incoming, "past")
    tx = incoming.work.tx
    tx.close_ask(ask.number, "answered", incoming.work.now)
    if ask.resign:
        return resign(incoming, confirmed=True)
    if ask.address:
        return add_address(incoming, ask.address)
    # Orders count in the turn in which they were offered: nobody says yes to what they would mean in a later one.
    incoming.identity = replace(trusted, why=None if ask.turn == incoming.table.game.turn else "past")
    assert ask.parked is not None, "a one-time token is for leaving, an address or a parked mail"
    incoming.approved = ask.parked
    mail = read(tx.inbound(ask.parked))
    asked = [one for one in incoming.lines.commands if isinstance(one, ASKING)]
    kept = told_apart(mail, incoming.table.rules.vocabulary)
    incoming.chat = (*kept.chat, *incoming.lines.orders)
    incoming.lines = kept._replace(commands=(*kept.commands, *asked))
    return None


def settle_approved(incoming: Incoming, handled: Handled) -> None:
    """Note what became of a parked mail in the end."""
    assert incoming.approved is not None, "somebody said yes to a parked mail"
    incoming.work.tx.settle_inbound(
        incoming.approved,
        handled.disposition,
        reason="approved",
        game_id=incoming.holder.game_id,
        seat=incoming.holder.seat,
        version=handled.version,
    )


def resign(incoming: Incoming, *, confirmed: bool) -> Handled:
    """Give the seat to a bot for good; only after a typed `yes`."""
    work, table, seat = incoming.work, incoming.table, incoming.holder.seat
    if table.over:
        return stale(incoming, "over")
    if not confirmed:
        if incoming.may_answer:
            letters = Letters(work, table)
            ask = open_yes(incoming, resign=True)
            letters.post(seat, contexts.ConfirmResign(**letters.addressed(seat, ask)), answering=incoming.answering)
        return Handled("answered", "resign needs yes")
    name, colour = table.seats[seat].name, table.colour(seat)
    advance.notify(work, table.game.id, "resigned", about=colour, name=name)
    advance.tell_moderator(work, "resigned", {"seat": colour, "name": name}, table.game)
    advance.hand_to_bot(work, table, seat)
    return Handled("applied", "resigned")


def open_yes(incoming: Incoming, *, parked: InboundId | None = None, resign: bool = False, address: str = "") -> Ask:
    """A one-time token that a typed `yes` to one of these must carry."""
    table = incoming.table
    return incoming.work.tx.open_ask(
        table.game.id,
        incoming.holder.seat,
        version=table.game.version,
        turn=table.game.turn,
        kind=YES,
        now=incoming.work.now,
        parked=parked,
        resign=resign,
        address=address,
    )


def park(incoming: Incoming, untrusted: Untrusted) -> Handled:
    """Keep orders that nobody vouches for, and offer them to the seat's player at the registered address."""
    handled = Handled("parked", untrusted.why)
    work, table, seat = incoming.work, incoming.table, incoming.holder.seat
    count = 1 + work.tx.count_received(incoming.mail.sender, work.now - timedelta(days=1), "parked")
    if count == SUSPICIOUS:
        facts = {"seat": table.colour(seat), "name": table.seats[seat].name, "count": count}
        advance.tell_moderator(work, "rejected", facts, table.game)
    if not incoming.may_offer:
        return handled
    letters = Letters(work, table)
    offered = letters.pending(seat) is not None
    ask = open_yes(incoming, parked=incoming.inbound_id) if offered else None
    someone = work.tx.players_at(incoming.mail.sender)
    context = contexts.Parked(
        **letters.addressed(seat, ask),
        orders=tuple(one.text for one in incoming.mail.typed if one.order or one.text not in incoming.lines.chat),
        why=untrusted.why,
        offered=offered,
        sender="" if someone else incoming.mail.sender,
    )
    letters.post(seat, context, answering=incoming.answering)
    return handled


def ask_address(incoming: Incoming, wanted: str) -> Handled:
    """Ask at a new address whether it is the player's; one that is known to be becomes the one for reports."""
    found = ADDRESS.search(wanted)
    address = found[0].rstrip(".-") if found else ""
    if not address or is_ours(incoming, address):
        return tell_of_address(incoming, "wrong", address or wanted)
    if incoming.holder.player.owns(address):
        return add_address(incoming, address) if incoming.may_answer else Handled("answered", "address: known")
    tx, day_ago = incoming.work.tx, incoming.work.now - timedelta(days=1)
    if (
        tx.count_queued(address, day_ago, "confirm_address") >= QUESTIONS_TO_ONE
        or tx.count_queued(incoming.mail.sender, day_ago, "address_asked") >= QUESTIONS_OF_ONE
    ):
        return tell_of_address(incoming, "often", address)
    ask = open_yes(incoming, address=address)
    letters = Letters(incoming.work, incoming.table)
    question = contexts.NewAddress(**letters.addressed(incoming.holder.seat, ask), what="confirm", address=address)
    letters.post(incoming.holder.seat, question, to=address, kind="confirm_address")
    return tell_of_address(incoming, "asked", address)


def is_ours(incoming: Incoming, address: str) -> bool:
    """Whether mail to that address comes to the server itself."""
    mail = incoming.work.settings.mail
    ours = {address_key(without_tag(one)) for one in (mail.address, *mail.aliases)}
    return address_key(without_tag(address)) in ours


def tell_of_address(incoming: Incoming, what: contexts.AddressStep, address: str) -> Handled:
    """Answer a wish for another address."""
    if incoming.may_answer:
        letters = Letters(incoming.work, incoming.table)
        seat = incoming.holder.seat
        ask = letters.pending(seat)
        context = contexts.NewAddress(**letters.addressed(seat, ask), what=what, address=address)
        letters.post(seat, context, answering=incoming.answering, kind=f"address_{what}")
    return Handled("answered", f"address: {what}")


def newcomer(incoming: Incoming, newcomer: Newcomer) -> Handled | None:
    """A mail from an address that is being asked about: a `yes` adds it; anything else is as from any stranger."""
    if any(isinstance(one, commands.Yes) for one in incoming.lines.commands):
        if not valid(incoming, newcomer.ask):
            return Handled("ignored", "address: confirmed too late")
        incoming.work.tx.close_ask(newcomer.ask.number, "answered", incoming.work.now)
        return add_address(incoming, newcomer.ask.address)
    incoming.identity = Untrusted(newcomer.holder, "address")
    return None


def add_address(incoming: Incoming, address: str) -> Handled:
    """Reports go to this address from now on; the player's other addresses are told, and it gets the report."""
    work, seat, player = incoming.work, incoming.holder.seat, incoming.holder.player
    known = player.owns(address)
    work.tx.add_address(player.id, address, work.now, preferred=True)
    work.tx.clear_bouncing(address)
    work.tx.audit(f"player {player.name}", "address", "", work.now, game_id=incoming.holder.game_id, seat=seat)
    incoming.reload()
    letters = Letters.seen_by(work, incoming.table, seat)
    ask = letters.pending(seat)
    for other in player.addresses:
        if other.verified_at and address_key(other.address) != address_key(address):
            notice = contexts.NewAddress(**letters.addressed(seat), what="added", address=address)
            letters.post(seat, notice, to=other.address, kind="address_added")
    again = contexts.Report(**letters.board(seat, ask=ask) | {"events": letters.last_round(seat)}, occasion="again")
    answering = Answering(incoming.inbound_id, address, incoming.mail.message_id)
    from_there = address_key(incoming.mail.sender) == address_key(address)
    letters.post(seat, again, ask=ask, to=address, answering=answering if from_there else None, kind="again")
    return Handled("answered" if known else "applied", "address")
