"""Scrolls that change the city: minions, trouble, buildings. Pieces are looked up again after every window."""

from games.ankh_morpork.data.cards import AREA, AREA_NUMBER
from games.ankh_morpork.position.board import AFFORDABLE, AFFORDABLE_HALF, AROUND, COST, ELSEWHERE, NEIGHBOURS, union
from games.ankh_morpork.position.options import (
    ALL_AREAS,
    BITS,
    BURN_IN,
    COLOURS,
    PAY,
    REMOVE_IN,
    SKIP,
    TARGET,
    TROUBLE_IN,
    mask_of,
)
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules import legal
from games.ankh_morpork.rules.asking import Asking, Effect, begin, choice, choose, commitment, name_player, named
from games.ankh_morpork.rules.reactions import aim, answered, move, pay, pays, reached, removal, remove, swap, take_away
from games.ankh_morpork.text.log import threatened
from pbem.protocol import Option, Seat


@choice()
def move_other_minion_adjacent(match: Table, me: Seat) -> Effect:
    """Shift one minion that is not yours to a neighbouring area."""
    yield from move(match, *(yield from begin(match, "move", legal.moves(match, match.victims(me)))))


@choice("trouble")
def move_own_from_trouble_adjacent(match: Table, me: Seat) -> Effect:
    """Move one of your minions out of trouble into a neighbouring area."""
    yield from move(match, *(yield from begin(match, "move", legal.moves(match, [me], match.trouble))))


@choice("minions")
def move_own_anywhere(match: Table, me: Seat) -> Effect:
    """Move one of your minions to any other area."""
    yield from move(match, *(yield from begin(match, "move", legal.moves(match, [me], to=ELSEWHERE))))


@choice("money", "minions")
def pay_then_move_own(match: Table, me: Seat, price: int) -> Effect:
    """Pay $2 to a player you name, then move one of your minions to any other area."""
    possible = match.money[me] >= price and match.presence[me]
    payee = yield from name_player(match, None if possible else (), amount=price)
    owner, area, to = yield from choose(match, me, "move", legal.moves(match, [me], to=ELSEWHERE))
    yield from pay(match, me, payee, price)
    yield from move(match, owner, area, to)


@choice("minions")
def swap_two_minions(match: Table, me: Seat) -> Effect:
    """Pick two minion pieces in different areas and swap their places."""
    yield from swap(match, *(yield from begin(match, "swap", legal.swaps(match))))


@choice()
def place_anywhere_quiet(match: Table, me: Seat) -> Effect:
    """Place a minion in any area; this adds no trouble marker."""
    area, taken_from = yield from begin(match, "minion", legal.placements(match, me, ALL_AREAS))
    match.place(me, area, taken_from, quietly=True)


@choice()
def place_near(match: Table, me: Seat, slug: str, most: int) -> Effect:
    """Place minions, each in the area or a neighbour of it."""
    near = AROUND[AREA_NUMBER[slug]]
    place = yield from begin(match, "minion", legal.placements(match, me, near), left=most)
    match.place(me, *place)
    for left in range(most - 1, 0, -1):
        options = (*legal.placements(match, me, near), SKIP)
        place = yield from choose(match, me, "minion", options, decline=SKIP, left=left)
        if place is None:
            return
        match.place(me, *place)


@choice()
def place_at_own_building(match: Table, me: Seat) -> Effect:
    """Place a minion in an area where you have a building."""
    yield from place_in(match, me, match.buildings[me])


@choice("trouble")
def place_at_trouble(match: Table, me: Seat) -> Effect:
    """Place a minion in any area that has a trouble marker."""
    yield from place_in(match, me, match.trouble)


def place_in(match: Table, me: Seat, areas: int) -> Effect:
    """Place a minion in one of these areas."""
    options = legal.placements(match, me, areas) if areas else ()
    match.place(me, *(yield from begin(match, "minion", options)))


@choice("calm")
def place_trouble_anywhere(match: Table, me: Seat) -> Effect:
    """Put a trouble marker in any area that has none."""
    area = yield from begin(match, "trouble", TROUBLE_IN[ALL_AREAS & ~match.trouble])
    match.add_trouble(area, COLOURS[me])


@choice("trouble", "calm")
def spread_trouble(match: Table, me: Seat) -> Effect:
    """Put a trouble marker in an area that has none and borders one that has one."""
    bordering = union(match.trouble, NEIGHBOURS)
    area = yield from begin(match, "trouble", TROUBLE_IN[bordering & ~match.trouble])
    match.add_trouble(area, COLOURS[me])


@choice("money", "calm", "minions")
def build_half_price(match: Table, me: Seat) -> Effect:
    """Build by the usual rules, but for half the price."""
    costs = {name: COST[area] // 2 for area, name in enumerate(AREA)}
    area, taken_off = yield from begin(match, "building", legal.builds(match, me, AFFORDABLE_HALF), costs=costs)
    match.build(me, area, taken_off, COST[area] // 2)


@choice("money", "trouble", "calm")
def buy_building(match: Table, me: Seat, where: str) -> Effect:
    """Swap another player's building for one of yours, paying its full cost to that player."""
    areas = match.trouble if where == "trouble" else ALL_AREAS & ~match.trouble
    sites = match.built & ~match.buildings[me] & areas & AFFORDABLE[min(match.money[me], len(AFFORDABLE) - 1)]
    costs = {AREA[area]: COST[area] for area in BITS[sites]}
    area, taken_off = yield from begin(match, "buy", legal.purchases(match, me, sites), costs=costs)
    owner, cost = match.owner_of[area], COST[area]
    yield from aim(match, owner, "buy", area=AREA[area], amount=cost)
    match.transfer(me, owner, cost, match.cause)
    match.buy(me, area, taken_off, cost)


@choice()
def burn_unless_paid(match: Table, me: Seat, amount: int) -> Effect:
    """Name a player with a building. Unless they pay you $5, you may remove one of theirs."""
    owners = [other for other in match.others(me) if match.buildings[other]]
    victim = yield from name_player(match, owners, amount=amount)
    yield from aim(match, victim, "burn", amount=amount)
    if (yield from pays(match, victim, me, amount, "burn")):
        return
    options = (*BURN_IN[match.buildings[victim]], SKIP)
    area = yield from choose(match, me, "burn", options, decline=SKIP, target=COLOURS[victim])
    if area is not None:
        match.demolish(area, match.cause)


@choice("money", "trouble")
def pay_then_assassinate(match: Table, me: Seat, price: int) -> Effect:
    """Pay $2 to a player you name, then assassinate by the usual rules."""
    possible = match.money[me] >= price and legal.assassinations(match, me)
    payee = yield from name_player(match, None if possible else (), amount=price)
    owner, area = yield from choose(match, me, "assassinate", legal.assassinations(match, me))
    by = COLOURS[me]
    threats = {payee: threatened("paid", match.cause, by, amount=price)}
    threats |= removal(owner, area, match.cause, by, "scroll")
    card = yield from answered(match, threats)  # the payee first, and no money moves when either ends it (R-SCR-8)
    match.transfer(me, payee, price, match.cause)
    yield from take_away(match, owner, area, by, match.cause, card) or ()


@choice("money", "trouble")
def pay_player_to_remove(match: Table, me: Seat, price: int) -> Effect:
    """Pay another player $2. They must remove one minion, of any owner except you, from an area with trouble."""
    possible = match.money[me] >= price and legal.assassinations(match, me)
    payee = yield from name_player(match, None if possible else (), amount=price)
    yield from pay(match, me, payee, price)
    owner, area = yield from choose_removal(
        match, payee, match.trouble, legal.removals(match, payee, match.trouble, but=me)
    )
    yield from remove(match, owner, area, again=owner == payee)  # R-SCR-COSMO


@choice("minions")
def remove_in_area(match: Table, me: Seat, slug: str) -> Effect:
    """Remove one minion of any owner from the area."""
    area = AREA_NUMBER[slug]
    options = legal.removals(match, me, 1 << area)
    yield from remove(match, *(yield from begin(match, "remove", options, areas=(AREA[area],), left=1)))


@commitment
def roll_and_remove(match: Table, me: Seat, count: int) -> Effect:
    """Roll the die twice; from each area rolled remove one minion."""
    rolled = match.roll(me, count, match.cause)
    while options := legal.removals(match, me, mask_of(rolled)):
        owner, area = yield from choose_removal(match, me, mask_of(rolled), options, left=len(rolled))
        yield from remove(match, owner, area)
        rolled.remove(area)


@commitment
def each_other_removes_own(match: Table, me: Seat) -> Effect:
    """Every other player takes one of their own minions off the board."""
    asked = [other for other in match.others(me) if match.presence[other]]
    for victim in (yield from reached(match, asked, "auditors", 1)):
        if match.presence[victim]:
            owner, area = yield from choose_own(match, victim)
            yield from remove(match, owner, area, again=True)


def choose_removal(
    match: Table, seat: Seat, areas: int, options: legal.Options, *, left: int = 1, default: Option | None = None
) -> Asking:
    """A seat chooses a piece in these areas to remove; owner and area."""
    names = tuple([AREA[area] for area in BITS[areas]])
    return (yield from choose(match, seat, "remove", options, default=default, areas=names, left=left))


def choose_own(match: Table, seat: Seat) -> Asking:
    """A seat chooses one of its own minions to remove, by default where it has most (D-OWN); owner and area."""
    own = match.presence[seat]
    return (
        yield from choose_removal(match, seat, own, REMOVE_IN[seat][own], default=legal.own_removals(match, seat)[0])
    )


def lose_own_minion(match: Table, me: Seat) -> Effect:
    """Take one of your own minions off the board, if you have one."""
    if match.presence[me]:
        yield from remove(match, *(yield from choose_own(match, me)))


@commitment
def roll_errol(match: Table, me: Seat) -> Effect:
    """7 or higher: remove one minion from an area with trouble. 1: remove one of your own."""
    die = match.try_luck(me, match.cause)
    options = legal.removals(match, me, match.trouble)
    if die >= 7 and options:
        yield from remove(match, *(yield from choose_removal(match, me, match.trouble, options)))
    elif die == 1:
        yield from lose_own_minion(match, me)


@commitment
def roll_herenow(match: Table, me: Seat) -> Effect:
    """7 or higher: take $3 from a player you name. 1: remove one of your own minions."""
    die = match.try_luck(me, match.cause)
    if die >= 7:
        victim = yield from choose(match, me, "target", tuple([TARGET[other] for other in match.others(me)]), amount=3)
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
        options = legal.own_removals(match, me)
        if match.money[me] >= 2 or not options:
            options = (PAY, *options)
        loss = yield from choose(match, me, "dibbler", options, amount=2)
        if loss is PAY.value:
            match.pay_bank(me, min(2, match.money[me]), match.cause)
        else:
            yield from remove(match, *loss)
