"""Scrolls that take minions off the board, some of them by the die. Pieces are looked up again after every window."""

from __future__ import annotations

from games.ankh_morpork.data.cards import AREA, AREA_NUMBER, CARD
from games.ankh_morpork.position.options import COLOURS, PAY, REMOVE_IN, mask_of
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import (
    FOR_MINIONS,
    FOR_MONEY,
    FOR_TROUBLE,
    Asking,
    Effect,
    begin,
    choice,
    choose,
    commitment,
)
from games.ankh_morpork.rules.effects.saying import about, named, names
from games.ankh_morpork.rules.interrupts import Threat
from games.ankh_morpork.rules.legal import assassinations, own_removals, removals, targets
from games.ankh_morpork.rules.reactions import answered, pay, removal, remove, spare, take_away
from pbem.protocol import Option


@choice(helped_by=(*FOR_MONEY, *FOR_TROUBLE))
def pay_then_assassinate(match: Table, me: int, price: int) -> Effect:
    """Pay $2 to a player you name, then assassinate by the usual rules."""
    possible = match.money[me] >= price and assassinations(match, me)
    payee = yield from begin(me, "target", targets(match, me) if possible else (), about(match, amount=price))
    owner, area = yield from choose(match, me, "assassinate", assassinations(match, me), about(match))
    cause = named(match, me, payee)
    threats = {payee: Threat("paid", cause, COLOURS[me], amount=price)}
    threats |= removal(owner, area, COLOURS[me], cause)
    card = yield from answered(match, threats)  # the payee first, and no money moves when either ends it (R-SCR-8)
    match.transfer(me, payee, price, cause)
    yield from take_away(match, owner, area, COLOURS[me], cause, card)


@choice(helped_by=(*FOR_MONEY, *FOR_TROUBLE))
def pay_player_to_remove(match: Table, me: int, price: int) -> Effect:
    """Pay another player $2. They must remove one minion, of any owner except you, from an area with trouble."""
    possible = match.money[me] >= price and assassinations(match, me)
    payee = yield from begin(me, "target", targets(match, me) if possible else (), about(match, amount=price))
    cause = named(match, me, payee)
    yield from pay(match, me, payee, price, by=me, cause=cause)
    options = removals(match, payee, match.trouble, but=me)
    areas = names(match.trouble)
    owner, area = yield from choose(match, payee, "remove", options, about(match, areas=areas, left=1))
    yield from remove(match, owner, area, me, cause, again=owner == payee)  # R-SCR-COSMO


@choice(helped_by=FOR_MINIONS)
def remove_in_area(match: Table, me: int, slug: str) -> Effect:
    """Remove one minion of any owner from the area."""
    options = removals(match, me, 1 << AREA_NUMBER[slug])
    areas = (AREA[AREA_NUMBER[slug]],)
    owner, area = yield from begin(me, "remove", options, about(match, areas=areas, left=1))
    yield from remove(match, owner, area, me, CARD[match.card])


@commitment
def roll_and_remove(match: Table, me: int, count: int) -> Effect:
    """Roll the die twice; from each area rolled remove one minion."""
    cause = CARD[match.card]
    rolled = match.roll(me, count, cause)
    while rolled:
        areas = mask_of(rolled)
        options = removals(match, me, areas)
        if not options:
            return
        facts = about(match, areas=names(areas), left=len(rolled))
        owner, area = yield from choose(match, me, "remove", options, facts)
        yield from remove(match, owner, area, me, cause)
        rolled.remove(area)


@commitment
def each_other_removes_own(match: Table, me: int) -> Effect:
    """Every other player takes one of their own minions off the board."""
    cause = CARD[match.card]
    asked = [other for other in match.others(me) if match.presence[other]]
    for victim in (yield from spare(match, me, asked, "auditors", cause, 1)):
        if match.presence[victim]:
            owner, area = yield from own_minion(match, victim)
            yield from remove(match, owner, area, me, cause, again=True)


def own_minion(match: Table, seat: int) -> Asking:
    """A seat chooses one of its own minions to remove (D-OWN); owner and area."""
    own = match.presence[seat]
    options = own_removals(match, seat)
    facts = about(match, areas=names(own), left=1)
    return (yield from choose(match, seat, "remove", REMOVE_IN[seat][own], facts, default=options[0]))


def lose_own_minion(match: Table, me: int) -> Effect:
    """Take one of your own minions off the board, if you have one."""
    if match.presence[me]:
        owner, area = yield from own_minion(match, me)
        yield from remove(match, owner, area, me, CARD[match.card])


@commitment
def roll_errol(match: Table, me: int) -> Effect:
    """7 or higher: remove one minion from an area with trouble. 1: remove one of your own."""
    die = match.try_luck(me, CARD[match.card])
    options = removals(match, me, match.trouble)
    if die >= 7 and options:
        facts = about(match, areas=names(match.trouble), left=1)
        owner, area = yield from choose(match, me, "remove", options, facts)
        yield from remove(match, owner, area, me, CARD[match.card])
    elif die == 1:
        yield from lose_own_minion(match, me)


@commitment
def roll_herenow(match: Table, me: int) -> Effect:
    """7 or higher: take $3 from a player you name. 1: remove one of your own minions."""
    die = match.try_luck(me, CARD[match.card])
    if die >= 7:
        victim = yield from choose(match, me, "target", targets(match, me), about(match, amount=3))
        cause = named(match, me, victim)
        yield from pay(match, victim, me, 3, by=me, cause=cause)
    elif die == 1:
        yield from lose_own_minion(match, me)


@commitment
def roll_cmot(match: Table, me: int) -> Effect:
    """7 or higher: collect $4. 1: pay the bank $2 or remove one of your own minions."""
    cause = CARD[match.card]
    die = match.try_luck(me, cause)
    if die >= 7:
        match.take_money(me, 4, cause)
    elif die == 1:
        options: tuple[Option, ...] = own_removals(match, me)
        if match.money[me] >= 2 or not options:
            options = (PAY, *options)
        loss = yield from choose(match, me, "dibbler", options, about(match, amount=2))
        if loss is PAY.value:
            match.pay_bank(me, min(2, match.money[me]), cause)
        else:
            owner, area = loss
            yield from remove(match, owner, area, me, cause)
