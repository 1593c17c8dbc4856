"""Scrolls that move and place minions, and make trouble. Pieces are looked up again after every window."""

from __future__ import annotations

from itertools import combinations

from games.ankh_morpork.data.cards import AREA_NUMBER
from games.ankh_morpork.position.board import AROUND, BORDERS
from games.ankh_morpork.position.options import ALL_AREAS, AREA_COUNT, COLOURS, OWNERS, SKIP, TROUBLE_IN, swap_option
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import Effect, begin, choice, choose, name_player
from games.ankh_morpork.rules.legal import moves_anywhere, moves_near, moves_of_others, placements
from games.ankh_morpork.rules.reactions import move, pay, swap
from pbem.protocol import Seat


@choice()
def move_other_minion_adjacent(match: Table, me: Seat) -> Effect:
    """Shift one minion that is not yours to a neighbouring area."""
    yield from move(match, *(yield from begin(match, "move", moves_of_others(match, me))))


@choice("trouble")
def move_own_from_trouble_adjacent(match: Table, me: Seat) -> Effect:
    """Move one of your minions out of trouble into a neighbouring area."""
    yield from move(match, *(yield from begin(match, "move", moves_near(match, me, match.trouble))))


@choice("minions")
def move_own_anywhere(match: Table, me: Seat) -> Effect:
    """Move one of your minions to any other area."""
    yield from move(match, *(yield from begin(match, "move", moves_anywhere(match, me))))


@choice("money", "minions")
def pay_then_move_own(match: Table, me: Seat, price: int) -> Effect:
    """Pay $2 to a player you name, then move one of your minions to any other area."""
    possible = match.money[me] >= price and match.presence[me]
    payee = yield from name_player(match, None if possible else (), amount=price)
    owner, area, to = yield from choose(match, me, "move", moves_anywhere(match, me))
    yield from pay(match, me, payee, price)
    yield from move(match, owner, area, to)


@choice("minions")
def swap_two_minions(match: Table, me: Seat) -> Effect:
    """Pick two minion pieces in different areas and swap their places."""
    owners = range(len(OWNERS))
    pieces = [(owner, area) for area in range(AREA_COUNT) for owner in owners if match.pieces[owner][area]]
    pairs = tuple([swap_option(*one, *other) for one, other in combinations(pieces, 2) if one[1] != other[1]])
    yield from swap(match, *(yield from begin(match, "swap", pairs)))


@choice()
def place_anywhere_quiet(match: Table, me: Seat) -> Effect:
    """Place a minion in any area; this adds no trouble marker."""
    area, taken_from = yield from begin(match, "minion", placements(match, me, ALL_AREAS))
    match.place(me, area, taken_from, quietly=True)


@choice()
def place_near(match: Table, me: Seat, slug: str, most: int) -> Effect:
    """Place minions, each in the area or a neighbour of it."""
    near = AROUND[AREA_NUMBER[slug]]
    place = yield from begin(match, "minion", placements(match, me, near), left=most)
    match.place(me, *place)
    for left in range(most - 1, 0, -1):
        options = (*placements(match, me, near), SKIP)
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
    options = placements(match, me, areas) if areas else ()
    match.place(me, *(yield from begin(match, "minion", options)))


@choice("calm")
def place_trouble_anywhere(match: Table, me: Seat) -> Effect:
    """Put a trouble marker in any area that has none."""
    area = yield from begin(match, "trouble", TROUBLE_IN[ALL_AREAS & ~match.trouble])
    match.add_trouble(area, COLOURS[me])


@choice("trouble", "calm")
def spread_trouble(match: Table, me: Seat) -> Effect:
    """Put a trouble marker in an area that has none and borders one that has one."""
    bordering = BORDERS[match.trouble] & ~match.trouble
    area = yield from begin(match, "trouble", TROUBLE_IN[bordering])
    match.add_trouble(area, COLOURS[me])
