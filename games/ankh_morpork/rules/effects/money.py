"""Scrolls about money: income, payments, loans."""

from __future__ import annotations

from games.ankh_morpork.data.cards import AREA, AREA_NUMBER
from games.ankh_morpork.position.options import BITS, COLOURS, COUNT, NAME_AREA_IN, PAY, PAYS, REFUSE
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import (
    Asking,
    Effect,
    about,
    begin,
    choice,
    choose,
    commitment,
    gain,
    name_player,
    named,
)
from games.ankh_morpork.rules.reactions import aim, pay, spare
from games.ankh_morpork.text import log
from pbem.protocol import Seat


@gain
def money_per_trouble(match: Table, me: Seat, amount: int) -> None:
    """Collect $1 for every trouble marker on the board."""
    match.take_money(me, amount * match.trouble_count(), match.cause)


@gain
def money_per_building(match: Table, me: Seat, amount: int) -> None:
    """Collect $1 for every building on the board."""
    match.take_money(me, amount * COUNT[match.built], match.cause)


@gain
def money_per_minion_in_area(match: Table, me: Seat, slug: str) -> None:
    """Collect $1 for every minion piece in the area."""
    match.take_money(me, match.crowd[AREA_NUMBER[slug]], match.cause)


@choice("trouble")
def money_per_minion_in_trouble(match: Table, me: Seat, amount: int) -> Effect:
    """Choose an area with a marker and collect $2 for every minion piece there."""
    amounts = {AREA[area]: amount * match.crowd[area] for area in BITS[match.trouble]}
    area = yield from begin(match, "area", NAME_AREA_IN[match.trouble], amounts=amounts)
    match.take_money(me, amount * match.crowd[area], match.cause)


@gain
def take_from_each_other(match: Table, me: Seat, amount: int) -> Effect:
    """Every other player hands you $2, or what they have."""
    asked = [victim for victim in match.others(me) if match.money[victim]]
    for victim in (yield from spare(match, asked, "take", amount)):
        match.transfer(victim, me, amount, match.cause)


@choice()
def take_from_player(match: Table, me: Seat, amount: int) -> Effect:
    """Take $3 from a player you name."""
    victim = yield from name_player(match, amount=amount)
    yield from pay(match, victim, me, amount)


@choice()
def force_payment(match: Table, me: Seat, amount: int) -> Effect:
    """Name two other players; the first gives the second $3."""
    others = match.others(me)
    pairs = tuple([PAYS[payer][payee] for payer in others for payee in others if payer != payee])
    payer, payee = yield from begin(match, "payment", pairs, amount=amount)
    named(match, payer)
    named(match, payee)
    yield from pay(match, payer, payee, amount)


@commitment
def loan(match: Table, me: Seat, amount: int) -> None:
    """Keep this card in front of you and collect $10."""
    match.borrow(me, amount)


def pays(match: Table, victim: Seat, me: Seat, amount: int, otherwise: str) -> Asking:
    """A named player pays, or suffers; True when they paid."""
    able = match.money[victim] >= amount
    if able:
        facts = about(match, {"to": COLOURS[me], "amount": amount, "instead": otherwise})
        if (yield from choose(match, victim, "pay", (PAY, REFUSE), facts, decline=REFUSE)):
            match.transfer(victim, me, amount, match.cause)
            return True
    match.tell(log.PaymentRefused(COLOURS[victim], COLOURS[me], amount, able, match.cause))
    return False


@choice()
def stick_unless_paid(match: Table, me: Seat, amount: int) -> Effect:
    """Name a player. Unless they pay you $5, this card stays in front of them."""
    victim = yield from name_player(match, amount=amount)
    yield from aim(match, victim, "stick", amount=amount)
    if not (yield from pays(match, victim, me, amount, "stick")):
        match.penalise(victim)
