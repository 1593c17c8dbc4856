"""The powers of the City Area cards: one function a kind of power, named as in `areas.toml`."""

from __future__ import annotations

from collections.abc import Callable

from games.ankh_morpork.data.cards import AREA, AREAS
from games.ankh_morpork.position.board import AROUND, SMALL_GODS
from games.ankh_morpork.position.options import BITS, CALM_IN, COLOURS, DEMON, TROUBLE_IN
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import FOR_CARDS, FOR_MONEY, Effect, areas_with, choose
from games.ankh_morpork.rules.legal import discards, first_card, placements
from games.ankh_morpork.text import log

_ALWAYS_CLOSED = 1 << SMALL_GODS


def usable(match: Table, me: int) -> int:
    """The areas whose power the actor may use now (R-ARE-1 to R-ARE-3, and what each needs)."""
    if not match.buildings[me]:
        return 0
    usable = 0
    for area in BITS[at_hand(match, me)]:
        if possible(match, me, area):
            usable |= 1 << area
    return usable


def at_hand(match: Table, me: int) -> int:
    """The areas whose power the actor has and has not used (R-ARE-1 to R-ARE-3), whatever it needs."""
    return match.buildings[me] & ~(match.closed | match.gone | match.presence[DEMON] | _ALWAYS_CLOSED)


def may_help(match: Table, me: int, uses: int, helpful: int) -> bool:
    """Whether the powers that may be used now include, or could pay for, one of the helpful ones (R-TRN-5)."""
    if not match.hands[me]:
        helpful &= ~_DRAWING  # what Unreal Estate draws would have to be discarded
    return bool(uses & helpful) or bool(uses & _INCOME and at_hand(match, me) & helpful & _PRICED)


def possible(match: Table, me: int, area: int) -> bool:
    """Whether the power has what it needs: money, a card, a place."""
    kind = AREAS[area].power_kind
    if kind == "take_money":
        return True
    amount = AREAS[area].power_amount
    if kind == "place_minion_near":
        return match.money[me] >= amount and bool(placements(match, me, AROUND[area]))
    if kind == "remove_trouble":
        return match.money[me] >= amount and match.trouble > 0
    if kind == "discard_for_money":
        return bool(match.hands[me])
    if kind == "draw_then_discard":
        return bool(match.draw)
    return kind == "place_trouble_near" and trouble_near(match, area) > 0


def trouble_near(match: Table, area: int) -> int:
    """R-ARE-5: where The Shades may make trouble."""
    return AROUND[area] & match.populated() & ~match.trouble


def use(match: Table, me: int, area: int) -> Effect:
    """Use the power of an area; once a turn."""
    match.closed |= 1 << area
    match.tell(log.PowerUsed(COLOURS[me], AREA[area]))
    yield from _POWERS[AREAS[area].power_kind](match, me, area, AREAS[area].power_amount)


def place_minion_near(match: Table, me: int, area: int, price: int) -> Effect:
    """Pay $3, place one of your minions in the area or a neighbour (R-ARE-4)."""
    match.pay_bank(me, price, AREA[area])
    to, taken_from = yield from choose(
        match, me, "minion", placements(match, me, AROUND[area]), log.asked(cause=AREA[area])
    )
    match.place(me, to, taken_from)


def place_trouble_near(match: Table, me: int, area: int, count: int) -> Effect:
    """Put a marker in the area or a neighbour, where a minion stands (R-ARE-5)."""
    to = yield from choose(match, me, "trouble", TROUBLE_IN[trouble_near(match, area)], log.asked(cause=AREA[area]))
    match.add_trouble(to, COLOURS[me])


def discard_for_money(match: Table, me: int, area: int, amount: int) -> Effect:
    """Discard one hand card, take $2 (R-ARE-6)."""
    hand = match.hands[me]
    facts = log.asked(cause=AREA[area], from_=COLOURS[me], amount=amount)
    card = yield from choose(match, me, "discard", discards(hand), facts, default=first_card("discard", hand))
    match.discard(me, card, by=me)
    match.take_money(me, amount, AREA[area])


def take_money(match: Table, me: int, area: int, amount: int) -> Effect:
    """Take money from the bank (R-ARE-7)."""
    match.take_money(me, amount, AREA[area])
    yield from ()


def remove_trouble(match: Table, me: int, area: int, price: int) -> Effect:
    """Pay $2, remove one marker anywhere (R-ARE-8)."""
    match.pay_bank(me, price, AREA[area])
    calmed = yield from choose(match, me, "calm", CALM_IN[match.trouble], log.asked(cause=AREA[area]))
    match.calm(calmed, COLOURS[me])


def draw_then_discard(match: Table, me: int, area: int, count: int) -> Effect:
    """Draw a card, then discard one (R-ARE-9)."""
    match.draw_cards(me, count, AREA[area])
    hand = match.hands[me]
    facts = log.asked(cause=AREA[area], from_=COLOURS[me])
    card = yield from choose(match, me, "discard", discards(hand), facts, default=first_card("discard", hand))
    match.discard(me, card, by=me)


_POWERS: dict[str, Callable[[Table, int, int, int], Effect]] = {
    function.__name__: function
    for function in (
        place_minion_near,
        place_trouble_near,
        discard_for_money,
        take_money,
        remove_trouble,
        draw_then_discard,
    )
}

#: The areas whose power draws a card, brings money, or costs some.
_DRAWING = areas_with(*FOR_CARDS)
_INCOME = areas_with(*FOR_MONEY)
_PRICED = areas_with("place_minion_near", "remove_trouble")
