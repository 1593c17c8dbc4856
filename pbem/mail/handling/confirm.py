"""What takes a typed `yes` with a one-time token: parked orders, leaving the game, a new address."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbem.address import address_key, plausible_address
from pbem.mail.handling.context import Handled, Incoming
from pbem.mail.handling.identify import YES, YES_LIVES, Newcomer, Untrusted
from pbem.mail.handling.orders import stale
from pbem.mail.handling.questions import ASKING
from pbem.orders import commands
from pbem.play import advance, moving
from pbem.play.letters import Letters
from pbem.reports import contexts
from pbem.store import Ask, AskKind

DAY = timedelta(days=1)
#: An address among other words, letters of any alphabet in it.
WANTED = re.compile(r"[^\s<>()\[\],;:\"']+@[^\s<>()\[\],;:\"']+")
#: So many parked mails of one sender in a day are told to the moderator.
SUSPICIOUS = 3
#: Questions that one address gets in a day whether it is a player's, and that one player causes in a day.
QUESTIONS_TO_ONE = 2
QUESTIONS_OF_ONE = 5


def valid(incoming: Incoming, ask: Ask) -> bool:
    """Whether a one-time token can still be used."""
    return ask.open and ask.opened_at + YES_LIVES > incoming.work.now


def confirmed(incoming: Incoming) -> Handled | None:
    """The typed `yes` to what a one-time token was made for, or to what a doubt kept from being done. Orders that were
    parked or proposed take the place of this mail's own, and go the way of any others."""
    ask, offer = incoming.proof.confirms, incoming.proof.offer
    says_yes = incoming.wanted(commands.Yes) or (
        ask and ask.resign and commands.Resign(True) in incoming.lines.commands
    )
    if (ask or offer) and incoming.wanted(commands.No):
        return declined(incoming)
    if not says_yes:
        return None
    if ask is None:
        if offer:
            incoming.work.tx.change_ask(incoming.proof.ask.number, proposal=())
            incoming.lines = incoming.lines._replace(orders=(*offer, *incoming.lines.orders))
        elif incoming.lines.orders:
            incoming.chat = ("yes", *incoming.chat)
        return None
    if not valid(incoming, ask):
        return stale(incoming, "past")
    incoming.work.tx.close_asks("answered", incoming.work.now, number=ask.number)
    if ask.resign:
        return resign(incoming)
    if ask.address:
        return ask_newcomer(incoming, ask.address)
    # Orders count in the turn in which they were offered: nobody says yes to what they would mean in a later one.
    incoming.identity = replace(incoming.proof, why=None if ask.turn == incoming.table.game.turn else "past")
    assert ask.parked is not None, "a one-time token is for leaving, an address or a parked mail"
    incoming.approved = ask.parked
    incoming.chat += incoming.lines.orders
    incoming.lines = incoming.lines._replace(orders=ask.proposal, commands=tuple(incoming.wanted(*ASKING)))
    return None


def declined(incoming: Incoming) -> Handled:
    """The typed `no`: what was asked about is not done."""
    ask = incoming.proof.confirms
    if ask is not None:
        incoming.work.tx.close_asks("answered", incoming.work.now, number=ask.number)
    else:
        incoming.work.tx.change_ask(incoming.proof.ask.number, proposal=())
    if incoming.may_answer:
        incoming.answer(contexts.Nothing, what="no")
    return Handled("answered", "no")


def resign(incoming: Incoming) -> Handled:
    """Give the seat to a bot for good."""
    work, table, seat = incoming.work, incoming.table, incoming.seat
    if table.over:
        return stale(incoming, "over")
    name, colour = table.seats[seat].name, table.colour(seat)
    advance.notify(work, table.game.id, "resigned", about=colour, name=name)
    advance.tell_moderator(work, "resigned", {"seat": colour, "name": name}, table.game)
    advance.hand_to_bot(work, table, seat)
    return Handled("applied", "resigned")


def ask_resign(incoming: Incoming) -> Handled:
    """Ask where reports go now whether the player really leaves."""
    if incoming.table.over:
        return stale(incoming, "over")
    if asked_often(incoming):
        incoming.answered_in_part = True
        return Handled("ignored", "resign: asked often", silence="wishes")
    incoming.ask_present(contexts.ConfirmResign, open_yes(incoming, resign=True))
    return Handled("answered", "resign needs yes")


def open_yes(incoming: Incoming, kind: AskKind = YES, **wish: Any) -> Ask:
    """A one-time token that a typed `yes` must carry: to what is `parked`, to `resign`, or to an `address`."""
    game, work = incoming.table.game, incoming.work
    return work.tx.open_ask(
        game.id, incoming.seat, version=game.version, turn=game.turn, kind=kind, now=work.now, **wish
    )


def asked_often(incoming: Incoming) -> bool:
    """Whether a player, or who writes as if they were, has caused as many such questions as a day has."""
    wishes = incoming.work.tx.count_wishes(incoming.holder.player.id, incoming.work.now - DAY)
    return wishes >= QUESTIONS_OF_ONE


def park(incoming: Incoming, why: contexts.Unproven) -> Handled:
    """Keep orders that nobody vouches for, and offer them to the seat's player at the registered address. Its commands
    are void; and what was only to be previewed is not offered."""
    tx, table, sender = incoming.work.tx, incoming.table, incoming.mail.sender
    count = 1 + tx.count_received(sender, incoming.work.now - DAY, "parked")
    if count == SUSPICIOUS and why != "lost" and advance.may_tell_moderator(incoming.work):
        facts = {"seat": table.colour(incoming.seat), "name": table.seats[incoming.seat].name, "count": count}
        advance.tell_moderator(incoming.work, "rejected", facts, table.game)
    if incoming.may_offer:
        orders, typed = incoming.lines.orders, incoming.mail.typed
        asked = incoming.letters().pending(incoming.seat) is not None
        offered = bool(orders) and asked and not incoming.wanted(commands.Preview)
        incoming.answer(
            contexts.Parked,
            ask=open_yes(incoming, parked=incoming.inbound_id, proposal=orders) if offered else None,
            orders=orders,
            void=tuple(line.text for line in typed if line.kind == "order" and line.text not in orders),
            why=why,
            offered=offered,
            sender="" if tx.players_at(sender) else sender,
        )
    return Handled("parked", why)


def ask_address(incoming: Incoming, wanted: str) -> Handled:
    """Ask where reports go now whether they are to go to another address; when all known ones bounce, the moderator."""
    work, player = incoming.work, incoming.holder.player
    match, utf8 = WANTED.search(wanted), work.tx.remembered("smtputf8") == "yes"
    try:
        address = plausible_address(match[0].rstrip(".-!?") if match else wanted, smtputf8=True)
    except ValueError:
        return tell_of_address(incoming, "wrong", wanted)
    if work.settings.mail.is_own(address):
        return tell_of_address(incoming, "wrong", address)
    if not (address.isascii() or utf8):
        return tell_of_address(incoming, "letters", address)
    if asked_often(incoming):
        return tell_of_address(incoming, "often", address)
    ask = open_yes(incoming, address=address)
    if not moving.reachable(player):
        seat = incoming.table.seats[incoming.seat]
        facts = {"seat": seat.colour, "name": seat.name, "address": address}
        advance.tell_moderator(work, "address", facts, incoming.table.game)
        return tell_of_address(incoming, "moderator", address)
    incoming.ask_present(contexts.NewAddress, ask, kind="confirm_address", what="wished", address=address)
    present = player.address
    if present is not None and address_key(present.address) != address_key(incoming.mail.sender):
        return tell_of_address(incoming, "first", address)
    return Handled("answered", "address: wished")


def ask_newcomer(incoming: Incoming, address: str) -> Handled:
    """The present address has said `yes`: ask at a new one whether it is the player's."""
    work, player = incoming.work, incoming.holder.player
    if player.owns(address):
        return change_address(incoming, address)
    if work.tx.count_queued(address, work.now - DAY, "newcomer") >= QUESTIONS_TO_ONE or asked_often(incoming):
        return tell_of_address(incoming, "often", address)
    ask = open_yes(incoming, "newcomer", address=address)
    letters = Letters(work, incoming.table)
    letters.post(
        incoming.seat, contexts.NewAddress, ask=ask, to=address, kind="newcomer", what="confirm", address=address
    )
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
        return Handled("ignored", "address: confirmed too late", silence="late")
    incoming.work.tx.close_asks("answered", incoming.work.now, number=newcomer.ask.number)
    return change_address(incoming, newcomer.ask.address)


def change_address(incoming: Incoming, address: str) -> Handled:
    """Reports are to go to this address."""
    work, player = incoming.work, incoming.holder.player
    facts = {"address": address, "before": [own.address for own in player.addresses]}
    game, seat = incoming.table.game.id, incoming.seat
    work.tx.audit(f"player {player.name}", "address", "", work.now, game_id=game, seat=seat, facts=facts)
    moving.move(work, player, address)
    return Handled("applied", "address")
