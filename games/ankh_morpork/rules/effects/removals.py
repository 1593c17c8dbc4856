"""Scrolls that take minions off the board, some of them by the die. Pieces are looked up again after every window."""

from __future__ import annotations

from games.ankh_morpork.data.cards import AREA, AREA_NUMBER
from games.ankh_morpork.position.options import BITS, COLOURS, PAY, REMOVE_IN, mask_of
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import Asking, Effect, begin, choice, choose, commitment, name_player, named
from games.ankh_morpork.rules.legal import Options, assassinations, own_removals, removals, targets
from games.ankh_morpork.rules.reactions import answered, pay, removal, remove, spare, take_away
from games.ankh_morpork.text.log import threatened
from pbem.protocol import Option, Seat


@choice("money", "trouble")
def pay_then_assassinate(match: Table, me: Seat, price: int) -> Effect:
    """Pay $2 to a player you name, then assassinate by the usual rules."""
    possible = match.money[me] >= price and assassinations(match, me)
    payee = yield from name_player(match, None if possible else (), amount=price)
    owner, area = yield from choose(match, me, "assassinate", assassinations(match, me))
    by = COLOURS[me]
    threats = {payee: threatened("paid", match.cause, by, amount=price)}
    threats |= removal(owner, area, match.cause, by, "scroll")
    card = yield from answered(match, threats)  # the payee first, and no money moves when either ends it (R-SCR-8)
    match.transfer(me, payee, price, match.cause)
    yield from take_away(match, owner, area, by, match.cause, card) or ()


@choice("money", "trouble")
def pay_player_to_remove(match: Table, me: Seat, price: int) -> Effect:
    """Pay another player $2. They must remove one minion, of any owner except you, from an area with trouble."""
    possible = match.money[me] >= price and assassinations(match, me)
    payee = yield from name_player(match, None if possible else (), amount=price)
    yield from pay(match, me, payee, price)
    owner, area = yield from choose_removal(match, payee, match.trouble, removals(match, payee, match.trouble, but=me))
    yield from remove(match, owner, area, again=owner == payee)  # R-SCR-COSMO


@choice("minions")
def remove_in_area(match: Table, me: Seat, slug: str) -> Effect:
    """Remove one minion of any owner from the area."""
    area = AREA_NUMBER[slug]
    options = removals(match, me, 1 << area)
    yield from remove(match, *(yield from begin(match, "remove", options, areas=(AREA[area],), left=1)))


@commitment
def roll_and_remove(match: Table, me: Seat, count: int) -> Effect:
    """Roll the die twice; from each area rolled remove one minion."""
    rolled = match.roll(me, count, match.cause)
    while options := removals(match, me, mask_of(rolled)):
        owner, area = yield from choose_removal(match, me, mask_of(rolled), options, left=len(rolled))
        yield from remove(match, owner, area)
        rolled.remove(area)


@commitment
def each_other_removes_own(match: Table, me: Seat) -> Effect:
    """Every other player takes one of their own minions off the board."""
    asked = [other for other in match.others(me) if match.presence[other]]
    for victim in (yield from spare(match, asked, "auditors", 1)):
        if match.presence[victim]:
            owner, area = yield from choose_own(match, victim)
            yield from remove(match, owner, area, again=True)


def choose_removal(
    match: Table, seat: Seat, areas: int, options: Options, *, left: int = 1, default: Option | None = None
) -> Asking:
    """A seat chooses a piece in these areas to remove; owner and area."""
    names = tuple([AREA[area] for area in BITS[areas]])
    return (yield from choose(match, seat, "remove", options, default=default, areas=names, left=left))


def choose_own(match: Table, seat: Seat) -> Asking:
    """A seat chooses one of its own minions to remove, by default where it has most (D-OWN); owner and area."""
    own = match.presence[seat]
    return (yield from choose_removal(match, seat, own, REMOVE_IN[seat][own], default=own_removals(match, seat)[0]))


def lose_own_minion(match: Table, me: Seat) -> Effect:
    """Take one of your own minions off the board, if you have one."""
    if match.presence[me]:
        yield from remove(match, *(yield from choose_own(match, me)))


@commitment
def roll_errol(match: Table, me: Seat) -> Effect:
    """7 or higher: remove one minion from an area with trouble. 1: remove one of your own."""
    die = match.try_luck(me, match.cause)
    options = removals(match, me, match.trouble)
    if die >= 7 and options:
        yield from remove(match, *(yield from choose_removal(match, me, match.trouble, options)))
    elif die == 1:
        yield from lose_own_minion(match, me)


@commitment
def roll_herenow(match: Table, me: Seat) -> Effect:
    """7 or higher: take $3 from a player you name. 1: remove one of your own minions."""
    die = match.try_luck(me, match.cause)
    if die >= 7:
        victim = yield from choose(match, me, "target", targets(match, me), amount=3)
        named(match, victim)
        yield from pay(match, victim, me, 3)
    elif die == 1:
        yield from lose_own_minion(match, me)


@commitment
def roll_cmot(match: Table, me: Seat) -> Effect:
    """7 or higher: collect $4. 1: pay the bank $2 or remove one of your own minions."""
    die = match.try_luck(me, match.cause)
    if die >= 7:
        match.take_money(me, 4, match.cause)
    elif die == 1:
        options = own_removals(match, me)
        if match.money[me] >= 2 or not options:
            options = (PAY, *options)
        loss = yield from choose(match, me, "dibbler", options, amount=2)
        if loss is PAY.value:
            match.pay_bank(me, min(2, match.money[me]), match.cause)
        else:
            yield from remove(match, *loss)
