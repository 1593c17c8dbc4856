"""What takes a typed `yes` with a one-time token: parked orders, leaving the game, a new address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from pbem.mail.handling.context import Case, Verdict, told_apart
from pbem.mail.handling.identify import YES, YES_LIVES, Newcomer, Untrusted
from pbem.mail.handling.orders import proven, stale
from pbem.mail.handling.questions import ASKING, pending
from pbem.mail.reading.headers import ADDRESS, without_tag
from pbem.mail.reading.values import ParsedMail
from pbem.orders import commands
from pbem.play import advance as conduct
from pbem.play.letters import Answering, Letters
from pbem.reports import contexts
from pbem.store import Ask, Inbound, InboundId, address_key

#: So many parked mails of one sender in a day are told to the moderator.
SUSPICIOUS = 3
#: Questions that one address gets in a day whether it is a player's, and that one player may have put.
QUESTIONS_TO_ONE = 2
QUESTIONS_OF_ONE = 5


def valid(case: Case, ask: Ask) -> bool:
    """Whether a one-time token can still be used."""
    return ask.open and ask.opened_at + YES_LIVES > case.office.now


def confirm(case: Case, read: Callable[[Inbound], ParsedMail]) -> Verdict | None:
    """The typed `yes` to what a one-time token was made for. What was parked takes the place of this mail's own
    orders, and goes the way of any others."""
    trusted = proven(case)
    ask = trusted.confirms
    if ask is None:
        return None
    if not valid(case, ask):
        return stale(case, "past")
    tx = case.office.tx
    tx.close_ask(ask.number, "answered", case.office.now)
    if ask.terms.get("resign"):
        return resign(case, confirmed=True)
    if ask.terms.get("address"):
        return add_address(case, str(ask.terms["address"]))
    # Orders count in the turn in which they were offered: nobody says yes to what they would mean in a later one.
    case.identity = replace(trusted, why=None if ask.turn == case.table.game.turn else "past")
    case.approved = InboundId(int(ask.terms["parked"]))
    mail = read(tx.inbound(case.approved))
    asked = [one for one in case.lines.commands if isinstance(one, ASKING)]
    kept = told_apart(mail, case.table.rules.vocabulary)
    case.chat = (*kept.chat, *case.lines.orders)
    case.lines = kept._replace(commands=(*kept.commands, *asked))
    return None


def settle_approved(case: Case, verdict: Verdict) -> None:
    """Note what became of a parked mail in the end."""
    assert case.approved is not None, "somebody said yes to a parked mail"
    case.office.tx.settle_inbound(
        case.approved,
        verdict.disposition,
        reason="approved",
        game_id=case.holder.game_id,
        seat=case.holder.seat,
        version=verdict.version,
    )


def resign(case: Case, *, confirmed: bool) -> Verdict:
    """Give the seat to a bot for good; only after a typed `yes`."""
    office, table, seat = case.office, case.table, case.holder.seat
    if table.match.decision is None:
        return stale(case, "over")
    if not confirmed:
        if case.may_answer:
            letters = Letters(office, table)
            ask = open_yes(case, {"resign": True})
            letters.post(
                seat, contexts.ConfirmResign(**letters.addressed(seat, ask.token)), answering=case.answering
            )
        return Verdict("answered", "resign needs yes")
    name, colour = table.seats[seat].name, table.colour(seat)
    conduct.notify(office, table.game.id, "resigned", about=colour, name=name)
    conduct.tell_moderator(office, "resigned", {"seat": colour, "name": name}, table.game)
    conduct.hand_to_bot(office, table, seat)
    return Verdict("applied", "resigned")


def open_yes(case: Case, terms: dict[str, object]) -> Ask:
    """A one-time token that a typed `yes` must carry."""
    table = case.table
    return case.office.tx.open_ask(
        table.game.id,
        case.holder.seat,
        version=table.game.version,
        turn=table.game.turn,
        kind=YES,
        now=case.office.now,
        terms=terms,
    )


def park(case: Case, untrusted: Untrusted) -> Verdict:
    """Keep orders that nobody vouches for, and offer them to the seat's player at the registered address."""
    verdict = Verdict("parked", untrusted.why)
    office, table, seat = case.office, case.table, case.holder.seat
    count = 1 + office.tx.count_received(case.mail.sender, office.now - timedelta(days=1), "parked")
    if count == SUSPICIOUS:
        facts = {"seat": table.colour(seat), "name": table.seats[seat].name, "count": count}
        conduct.tell_moderator(office, "rejected", facts, table.game)
    if not case.may_offer:
        return verdict
    letters = Letters(office, table)
    offered = pending(letters, seat) is not None
    ask = open_yes(case, {"parked": case.inbound_id}) if offered else None
    someone = office.tx.players_at(case.mail.sender)
    context = contexts.Parked(
        **letters.addressed(seat, ask.token if ask else None),
        orders=tuple(
            line.text
            for line in case.mail.typed
            if line.kind == "order" or (line.kind == "chat" and line.text not in case.lines.chat)
        ),
        why=untrusted.why,
        offered=offered,
        sender="" if someone else case.mail.sender,
    )
    letters.post(seat, context, answering=case.answering)
    return verdict


def ask_address(case: Case, wanted: str) -> Verdict:
    """Ask at a new address whether it is the player's; one that is known to be becomes the one for reports."""
    found = ADDRESS.search(wanted)
    address = found[0].rstrip(".-") if found else ""
    if not address or is_ours(case, address):
        return tell_of_address(case, "wrong", address or wanted)
    if case.holder.player.owns(address):
        return add_address(case, address) if case.may_answer else Verdict("answered", "address: known")
    tx, day_ago = case.office.tx, case.office.now - timedelta(days=1)
    if (
        tx.count_queued(address, day_ago, "confirm_address") >= QUESTIONS_TO_ONE
        or tx.count_queued(case.mail.sender, day_ago, "address_asked") >= QUESTIONS_OF_ONE
    ):
        return tell_of_address(case, "often", address)
    ask = open_yes(case, {"address": address})
    letters = Letters(case.office, case.table)
    question = contexts.NewAddress(
        **letters.addressed(case.holder.seat, ask.token), what="confirm", address=address
    )
    letters.post(case.holder.seat, question, to=address, kind="confirm_address")
    return tell_of_address(case, "asked", address)


def is_ours(case: Case, address: str) -> bool:
    """Whether mail to that address comes to the server itself."""
    mail = case.office.settings.mail
    ours = {address_key(without_tag(one)) for one in (mail.address, *mail.aliases)}
    return address_key(without_tag(address)) in ours


def tell_of_address(case: Case, what: contexts.AddressStep, address: str) -> Verdict:
    """Answer a wish for another address."""
    if case.may_answer:
        letters = Letters(case.office, case.table)
        seat = case.holder.seat
        ask = pending(letters, seat)
        context = contexts.NewAddress(
            **letters.addressed(seat, ask.token if ask else None), what=what, address=address
        )
        letters.post(seat, context, answering=case.answering, kind=f"address_{what}")
    return Verdict("answered", f"address: {what}")


def newcomer(case: Case, newcomer: Newcomer) -> Verdict | None:
    """A mail from an address that is being asked about: a `yes` adds it; anything else is as from any stranger."""
    if any(isinstance(one, commands.Yes) for one in case.lines.commands):
        if not valid(case, newcomer.ask):
            return Verdict("ignored", "address: confirmed too late")
        case.office.tx.close_ask(newcomer.ask.number, "answered", case.office.now)
        return add_address(case, str(newcomer.ask.terms["address"]))
    case.identity = Untrusted(newcomer.holder, "address")
    return None


def add_address(case: Case, address: str) -> Verdict:
    """Reports go to this address from now on; the player's other addresses are told, and it gets the report."""
    office, seat, player = case.office, case.holder.seat, case.holder.player
    known = player.owns(address)
    office.tx.add_address(player.id, address, office.now, preferred=True)
    office.tx.clear_bouncing(address)
    office.tx.audit(
        f"player {player.name}", "address", "", office.now, game_id=case.holder.game_id, seat=seat
    )
    case.reload()
    letters = Letters.seen_by(office, case.table, seat)
    ask = pending(letters, seat)
    for other in player.addresses:
        if other.verified_at and address_key(other.address) != address_key(address):
            notice = contexts.NewAddress(**letters.addressed(seat), what="added", address=address)
            letters.post(seat, notice, to=other.address, kind="address_added")
    again = contexts.Report(
        **letters.board(seat, ask=ask) | {"events": letters.last_round(seat)}, occasion="again"
    )
    answering = Answering(case.inbound_id, address, case.mail.message_id)
    from_there = address_key(case.mail.sender) == address_key(address)
    letters.post(seat, again, ask=ask, to=address, answering=answering if from_there else None, kind="again")
    return Verdict("answered" if known else "applied", "address")
