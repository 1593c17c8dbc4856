"""Scrolls about buildings."""

from __future__ import annotations

from games.ankh_morpork.data.cards import AREA
from games.ankh_morpork.position.board import AFFORDABLE, AFFORDABLE_HALF, COST
from games.ankh_morpork.position.options import ALL_AREAS, BITS, BURN_IN, BUY_IN, BUY_INSTEAD_IN, COLOURS, SKIP, TARGET
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import Effect, begin, choice, choose, name_player
from games.ankh_morpork.rules.effects.money import pays
from games.ankh_morpork.rules.legal import builds, instead
from games.ankh_morpork.rules.reactions import aim
from pbem.protocol import Seat


@choice("money", "calm", "minions")
def build_half_price(match: Table, me: Seat) -> Effect:
    """Build by the usual rules, but for half the price."""
    costs = {name: COST[area] // 2 for area, name in enumerate(AREA)}
    area, taken_off = yield from begin(match, "building", builds(match, me, AFFORDABLE_HALF), costs=costs)
    match.build(me, area, taken_off, COST[area] // 2)


@choice("money", "trouble", "calm")
def buy_building(match: Table, me: Seat, where: str) -> Effect:
    """Swap another player's building for one of yours, paying its full cost to that player."""
    areas = match.trouble if where == "trouble" else ALL_AREAS & ~match.trouble
    within = AFFORDABLE[min(match.money[me], len(AFFORDABLE) - 1)]
    sites = match.built & ~match.buildings[me] & areas & within
    options = instead(match, me, sites, BUY_IN, BUY_INSTEAD_IN) if sites else ()
    costs = {AREA[area]: COST[area] for area in BITS[sites]}
    area, taken_off = yield from begin(match, "buy", options, costs=costs)
    owner, cost = match.owner_of[area], COST[area]
    yield from aim(match, owner, "buy", area=AREA[area], amount=cost)
    match.transfer(me, owner, cost, match.cause)
    match.buy(me, area, taken_off, cost)


@choice()
def burn_unless_paid(match: Table, me: Seat, amount: int) -> Effect:
    """Name a player with a building. Unless they pay you $5, you may remove one of theirs."""
    owners = tuple([TARGET[other] for other in match.others(me) if match.buildings[other]])
    victim = yield from name_player(match, owners, amount=amount)
    yield from aim(match, victim, "burn", amount=amount)
    if (yield from pays(match, victim, me, amount, "burn")):
        return
    options = (*BURN_IN[match.buildings[victim]], SKIP)
    area = yield from choose(match, me, "burn", options, decline=SKIP, target=COLOURS[victim])
    if area is not None:
        match.demolish(area, match.cause)
