"""What takes a typed `yes` with a one-time token: parked orders, leaving the game, a new address."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbem.address import address_key
from pbem.mail.handling.comparing import compared, read
from pbem.mail.handling.context import Handled, Incoming, sorted_lines
from pbem.mail.handling.identify import YES, YES_LIVES, Newcomer, Untrusted
from pbem.mail.handling.orders import stale
from pbem.mail.handling.questions import ASKING
from pbem.mail.reading.headers import ADDRESS, without_tag
from pbem.orders import commands
from pbem.play import advance
from pbem.play.letters import Answering, Letters
from pbem.reports import contexts
from pbem.store import Ask

DAY = timedelta(days=1)
#: So many parked mails of one sender in a day are told to the moderator.
SUSPICIOUS = 3
#: Questions that one address gets in a day whether it is a player's, and that one player may have put.
QUESTIONS_TO_ONE = 2
QUESTIONS_OF_ONE = 5


def valid(incoming: Incoming, ask: Ask) -> bool:
    """Whether a one-time token can still be used."""
    return ask.open and ask.opened_at + YES_LIVES > incoming.work.now


def confirmed(incoming: Incoming) -> Handled | None:
    """The typed `yes` to what a one-time token was made for, or to what a doubt kept from being done. What was parked or
    proposed takes the place of this mail's own orders, and goes the way of any others."""
    if not incoming.wanted(commands.Yes):
        return None
    ask, offer = incoming.proof.confirms, incoming.proof.offer
    if ask is None:
        if offer:
            incoming.work.tx.change_ask(incoming.proof.ask.number, proposal=())
            incoming.lines = incoming.lines._replace(orders=offer)
        return None
    if not valid(incoming, ask):
        return stale(incoming, "past")
    tx = incoming.work.tx
    tx.close_asks("answered", incoming.work.now, number=ask.number)
    if ask.resign:
        return resign(incoming, confirmed=True)
    if ask.address:
        return add_address(incoming, ask.address)
    # Orders count in the turn in which they were offered: nobody says yes to what they would mean in a later one.
    incoming.identity = replace(incoming.proof, why=None if ask.turn == incoming.table.game.turn else "past")
    assert ask.parked is not None, "a one-time token is for leaving, an address or a parked mail"
    incoming.approved = ask.parked
    kept = read(incoming.work.settings, tx.inbound(ask.parked).raw)
    mail = compared(incoming.work, kept, incoming.holder)
    lines = sorted_lines(mail, incoming.table, incoming.table.decision(incoming.seat))
    incoming.chat = (*lines.chat, *incoming.lines.orders)
    incoming.lines = lines._replace(commands=(*lines.commands, *incoming.wanted(*ASKING)))
    return None


def resign(incoming: Incoming, *, confirmed: bool) -> Handled:
    """Give the seat to a bot for good; only after a typed `yes`."""
    work, table, seat = incoming.work, incoming.table, incoming.seat
    if table.over:
        return stale(incoming, "over")
    if not confirmed:
        if incoming.may_answer:
            incoming.answer(contexts.ConfirmResign, ask=open_yes(incoming, resign=True))
        return Handled("answered", "resign needs yes")
    name, colour = table.seats[seat].name, table.colour(seat)
    advance.notify(work, table.game.id, "resigned", about=colour, name=name)
    advance.tell_moderator(work, "resigned", {"seat": colour, "name": name}, table.game)
    advance.hand_to_bot(work, table, seat)
    return Handled("applied", "resigned")


def open_yes(incoming: Incoming, **wish: Any) -> Ask:
    """A one-time token that a typed `yes` must carry: to what is `parked`, to `resign`, or to an `address`."""
    game, work = incoming.table.game, incoming.work
    return work.tx.open_ask(
        game.id, incoming.seat, version=game.version, turn=game.turn, kind=YES, now=work.now, **wish
    )


def park(incoming: Incoming, why: contexts.Unproven) -> Handled:
    """Keep orders that nobody vouches for, and offer them to the seat's player at the registered address."""
    tx, table, sender = incoming.work.tx, incoming.table, incoming.mail.sender
    count = 1 + tx.count_received(sender, incoming.work.now - DAY, "parked")
    if count == SUSPICIOUS and why != "lost":
        facts = {"seat": table.colour(incoming.seat), "name": table.seats[incoming.seat].name, "count": count}
        advance.tell_moderator(incoming.work, "rejected", facts, table.game)
    if incoming.may_offer:
        offered = incoming.letters().pending(incoming.seat) is not None
        incoming.answer(
            contexts.Parked,
            ask=open_yes(incoming, parked=incoming.inbound_id) if offered else None,
            orders=tuple(
                line.text
                for line in incoming.mail.typed
                if line.kind == "order" or (line.kind == "chat" and line.text not in incoming.lines.chat)
            ),
            why=why,
            offered=offered,
            sender="" if tx.players_at(sender) else sender,
        )
    return Handled("parked", why)


def ask_address(incoming: Incoming, wanted: str) -> Handled:
    """Ask at a new address whether it is the player's; one that is known to be becomes the one for reports."""
    match = ADDRESS.search(wanted)
    address, mail = match[0].rstrip(".-") if match else "", incoming.work.settings.mail
    ours = {address_key(without_tag(own)) for own in (mail.address, *mail.aliases)}
    if not address or address_key(without_tag(address)) in ours:
        return tell_of_address(incoming, "wrong", address or wanted)
    if incoming.holder.player.owns(address):
        return add_address(incoming, address) if incoming.may_answer else Handled("answered", "address: known")
    tx, day_ago = incoming.work.tx, incoming.work.now - DAY
    if (
        tx.count_queued(address, day_ago, "confirm_address") >= QUESTIONS_TO_ONE
        or tx.count_queued(incoming.mail.sender, day_ago, "address_asked") >= QUESTIONS_OF_ONE
    ):
        return tell_of_address(incoming, "often", address)
    letters, ask = Letters(incoming.work, incoming.table), open_yes(incoming, address=address)
    wording: dict[str, Any] = {"kind": "confirm_address", "what": "confirm", "address": address}
    letters.post(incoming.seat, contexts.NewAddress, ask=ask, to=address, **wording)
    return tell_of_address(incoming, "asked", address)


def tell_of_address(incoming: Incoming, what: contexts.AddressStep, address: str) -> Handled:
    """Answer a wish for another address."""
    if incoming.may_answer:
        incoming.answer(contexts.NewAddress, kind=f"address_{what}", what=what, address=address)
    return Handled("answered", f"address: {what}")


def introduced(incoming: Incoming) -> Handled | None:
    """A mail from an address that is being asked about: a `yes` adds it; anything else is as from any stranger."""
    newcomer = incoming.identity
    if not isinstance(newcomer, Newcomer):
        return None
    if not incoming.wanted(commands.Yes):
        incoming.identity = Untrusted(newcomer.holder, "address")
        return None
    if not valid(incoming, newcomer.ask):
        return Handled("ignored", "address: confirmed too late")
    incoming.work.tx.close_asks("answered", incoming.work.now, number=newcomer.ask.number)
    return add_address(incoming, newcomer.ask.address)


def add_address(incoming: Incoming, address: str) -> Handled:
    """Reports go to this address from now on; the player's other addresses are told, and it gets the report."""
    work, seat, player = incoming.work, incoming.seat, incoming.holder.player
    known = player.owns(address)
    work.tx.use_address(player.id, address)
    work.tx.clear_bouncing(address)
    work.tx.audit(f"player {player.name}", "address", "", work.now, game_id=incoming.table.game.id, seat=seat)
    incoming.reload()
    letters = incoming.letters()
    for other in player.addresses:
        if address_key(other.address) != address_key(address):
            letters.post(
                seat, contexts.NewAddress, to=other.address, kind="address_added", what="added", address=address
            )
    from_there = address_key(incoming.mail.sender) == address_key(address)
    letters.post(
        seat,
        contexts.Report,
        ask=letters.pending(seat),
        to=address,
        answering=Answering(incoming.inbound_id, address, incoming.mail.message_id) if from_there else None,
        kind="again",
        events=letters.last_round(seat),
        occasion="again",
    )
    return Handled("answered" if known else "applied", "address")
