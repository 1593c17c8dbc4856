"""Scrolls that move and place minions, and make trouble. Pieces are looked up again after every window."""

from __future__ import annotations

from games.ankh_morpork.data.cards import AREA, AREA_NUMBER, CARD
from games.ankh_morpork.position.board import AROUND, BORDERS
from games.ankh_morpork.position.options import ALL_AREAS, COLOURS, SKIP, TROUBLE_IN, swap_option
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import (
    AGAINST_TROUBLE,
    FOR_MINIONS,
    FOR_MONEY,
    FOR_TROUBLE,
    Effect,
    begin,
    choice,
    choose,
)
from games.ankh_morpork.rules.effects.saying import about, named
from games.ankh_morpork.rules.legal import moves_anywhere, moves_near, moves_of_others, placements, targets
from games.ankh_morpork.rules.reactions import move, pay, swap


@choice(helped_by=())
def move_other_minion_adjacent(match: Table, me: int) -> Effect:
    """Shift one minion that is not yours to a neighbouring area."""
    owner, area, to = yield from begin(me, "move", moves_of_others(match, me), about(match))
    yield from move(match, owner, area, to, by=me, cause=CARD[match.card])


@choice(helped_by=FOR_TROUBLE)
def move_own_from_trouble_adjacent(match: Table, me: int) -> Effect:
    """Move one of your minions out of trouble into a neighbouring area."""
    owner, area, to = yield from begin(me, "move", moves_near(match, me, match.trouble), about(match))
    yield from move(match, owner, area, to, by=me, cause=CARD[match.card])


@choice(helped_by=FOR_MINIONS)
def move_own_anywhere(match: Table, me: int) -> Effect:
    """Move one of your minions to any other area."""
    owner, area, to = yield from begin(me, "move", moves_anywhere(match, me), about(match))
    yield from move(match, owner, area, to, by=me, cause=CARD[match.card])


@choice(helped_by=(*FOR_MONEY, *FOR_MINIONS))
def pay_then_move_own(match: Table, me: int, price: int) -> Effect:
    """Pay $2 to a player you name, then move one of your minions to any other area."""
    possible = match.money[me] >= price and match.presence[me]
    payee = yield from begin(me, "target", targets(match, me) if possible else (), about(match, amount=price))
    owner, area, to = yield from choose(match, me, "move", moves_anywhere(match, me), about(match))
    cause = named(match, me, payee)
    yield from pay(match, me, payee, price, by=me, cause=cause)
    yield from move(match, owner, area, to, by=me, cause=cause)


@choice(helped_by=FOR_MINIONS)
def swap_two_minions(match: Table, me: int) -> Effect:
    """Pick two minion pieces in different areas and swap their places."""
    pieces = [
        (owner, area)
        for area in range(len(AREA))
        for owner, presence in enumerate(match.presence)
        if presence >> area & 1
    ]
    pairs = tuple(
        [
            swap_option(*first, *second)
            for place, first in enumerate(pieces)
            for second in pieces[place + 1 :]
            if first[1] != second[1]
        ]
    )
    owner, area, other, other_area = yield from begin(me, "swap", pairs, about(match))
    yield from swap(match, owner, area, other, other_area, by=me, cause=CARD[match.card])


@choice(helped_by=())
def place_anywhere_quiet(match: Table, me: int) -> Effect:
    """Place a minion in any area; this adds no trouble marker."""
    options = placements(match, me, ALL_AREAS)
    area, taken_from = yield from begin(me, "minion", options, about(match))
    match.place(me, area, taken_from, quietly=True)


@choice(helped_by=())
def place_near(match: Table, me: int, slug: str, most: int) -> Effect:
    """Place minions, each in the area or a neighbour of it."""
    near = AROUND[AREA_NUMBER[slug]]
    place = yield from begin(me, "minion", placements(match, me, near), about(match, left=most))
    match.place(me, *place)
    for left in range(most - 1, 0, -1):
        options = (*placements(match, me, near), SKIP)
        place = yield from choose(match, me, "minion", options, about(match, left=left), decline=SKIP)
        if place is None:
            return
        match.place(me, *place)


@choice(helped_by=())
def place_at_own_building(match: Table, me: int) -> Effect:
    """Place a minion in an area where you have a building."""
    yield from place_in(match, me, match.buildings[me])


@choice(helped_by=FOR_TROUBLE)
def place_at_trouble(match: Table, me: int) -> Effect:
    """Place a minion in any area that has a trouble marker."""
    yield from place_in(match, me, match.trouble)


def place_in(match: Table, me: int, areas: int) -> Effect:
    """Place a minion in one of these areas."""
    options = placements(match, me, areas) if areas else ()
    area, taken_from = yield from begin(me, "minion", options, about(match))
    match.place(me, area, taken_from)


@choice(helped_by=AGAINST_TROUBLE)
def place_trouble_anywhere(match: Table, me: int) -> Effect:
    """Put a trouble marker in any area that has none."""
    area = yield from begin(me, "trouble", TROUBLE_IN[ALL_AREAS & ~match.trouble], about(match))
    match.add_trouble(area, COLOURS[me])


@choice(helped_by=(*FOR_TROUBLE, *AGAINST_TROUBLE))
def spread_trouble(match: Table, me: int) -> Effect:
    """Put a trouble marker in an area that has none and borders one that has one."""
    bordering = BORDERS[match.trouble] & ~match.trouble
    area = yield from begin(me, "trouble", TROUBLE_IN[bordering], about(match))
    match.add_trouble(area, COLOURS[me])
