"""The powers of the City Area cards: one function a kind of power, named as in `areas.toml`."""

from collections.abc import Callable

from games.ankh_morpork.data.cards import AREA, AREAS
from games.ankh_morpork.position.board import AROUND, SMALL_GODS
from games.ankh_morpork.position.options import BITS, COLOURS, DEMON, DISCARD, TROUBLE_IN, mask_of
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import Effect, choose, helping
from games.ankh_morpork.rules.legal import Options, calms, discards, first_card, placements
from games.ankh_morpork.text import log
from games.ankh_morpork.text.log import Facts
from pbem.protocol import Seat

_ALWAYS_CLOSED = 1 << SMALL_GODS
#: The kinds of power whose amount is a price; and by area, what its power costs.
PRICED = ("place_minion_near", "remove_trouble", "ignore_event")
PRICE = tuple(area.power_amount if area.power_kind in PRICED else 0 for area in AREAS)


def usable(match: Table, me: Seat) -> int:
    """The areas whose power the actor may use now (R-ARE-1 to R-ARE-3, and what each needs)."""
    usable = 0
    if match.buildings[me]:
        for area in BITS[at_hand(match, me)]:
            if possible(match, me, area):
                usable |= 1 << area
    return usable


def at_hand(match: Table, me: Seat) -> int:
    """The areas whose power the actor has and has not used (R-ARE-1 to R-ARE-3), whatever it needs."""
    return match.buildings[me] & ~(match.closed | match.gone | match.presence[DEMON] | _ALWAYS_CLOSED)


def may_help(match: Table, me: Seat, uses: int, helpful: int) -> bool:
    """Whether the powers that may be used now include, or could pay for, one of the helpful ones (R-TRN-5)."""
    if not match.hands[me]:
        helpful &= ~_DRAWING  # what Unreal Estate draws would have to be discarded
    return bool(uses & helpful) or bool(uses & _INCOME and at_hand(match, me) & helpful & _PRICED)


def possible(match: Table, me: Seat, area: int) -> bool:
    """Whether the power has what it needs: money, a card, a place."""
    _, needs = POWERS[AREAS[area].power_kind]
    return match.money[me] >= PRICE[area] and (needs is None or bool(needs(match, me, area)))


def use(match: Table, me: Seat, area: int) -> Effect:
    """Use the power of an area, once a turn; its price is paid first."""
    match.closed |= 1 << area
    match.tell(log.PowerUsed(COLOURS[me], AREA[area]))
    if PRICE[area]:
        match.pay_bank(me, PRICE[area], AREA[area])
    function, _ = POWERS[AREAS[area].power_kind]
    yield from function(match, me, area, AREAS[area].power_amount) or ()


Function = Callable[[Table, Seat, int, int], Effect | None]
Needs = Callable[[Table, Seat, int], object]
#: By kind: what carries a power out, and what it needs besides money.
POWERS: dict[str, tuple[Function, Needs | None]] = {}


def power(needs: Needs | None = None) -> Callable[[Function], Function]:
    """Register the function of a kind of power."""

    def register(function: Function) -> Function:
        POWERS[function.__name__] = (function, needs)
        return function

    return register


def minions_near(match: Table, me: Seat, area: int) -> Options:
    """R-ARE-4: where Dolly Sisters and Dimwell may place a minion."""
    return placements(match, me, AROUND[area])


def trouble_near(match: Table, me: Seat, area: int) -> int:
    """R-ARE-5: where The Shades may make trouble."""
    return AROUND[area] & match.populated() & ~match.trouble


@power(minions_near)
def place_minion_near(match: Table, me: Seat, area: int, price: int) -> Effect:
    """Pay $3, place one of your minions in the area or a neighbour (R-ARE-4)."""
    options = minions_near(match, me, area)
    match.place(me, *(yield from choose(match, me, "minion", options, log.asked(cause=AREA[area]))))


@power(trouble_near)
def place_trouble_near(match: Table, me: Seat, area: int, count: int) -> Effect:
    """Put a marker in the area or a neighbour, where a minion stands (R-ARE-5)."""
    options = TROUBLE_IN[trouble_near(match, me, area)]
    match.add_trouble((yield from choose(match, me, "trouble", options, log.asked(cause=AREA[area]))), COLOURS[me])


@power(lambda match, me, area: match.hands[me])
def discard_for_money(match: Table, me: Seat, area: int, amount: int) -> Effect:
    """Discard one hand card, take $2 (R-ARE-6)."""
    yield from discard(match, me, log.asked(cause=AREA[area], from_=COLOURS[me], amount=amount))
    match.take_money(me, amount, AREA[area])


@power()
def take_money(match: Table, me: Seat, area: int, amount: int) -> None:
    """Take money from the bank (R-ARE-7)."""
    match.take_money(me, amount, AREA[area])


@power(lambda match, me, area: match.trouble)
def remove_trouble(match: Table, me: Seat, area: int, price: int) -> Effect:
    """Pay $2, remove one marker anywhere (R-ARE-8)."""
    match.calm((yield from choose(match, me, "calm", calms(match, me), log.asked(cause=AREA[area]))), COLOURS[me])


@power(lambda match, me, area: match.draw)
def draw_then_discard(match: Table, me: Seat, area: int, count: int) -> Effect:
    """Draw a card, then discard one (R-ARE-9)."""
    match.draw_cards(me, count, AREA[area])
    yield from discard(match, me, log.asked(cause=AREA[area], from_=COLOURS[me]))


def discard(match: Table, me: Seat, facts: Facts) -> Effect:
    """Discard a hand card."""
    hand = match.hands[me]
    card = yield from choose(match, me, "discard", discards(hand), facts, default=first_card(DISCARD, hand))
    match.discard(me, card, by=me)


#: The areas whose power draws a card, brings money, or costs some.
_DRAWING = helping("cards")
_INCOME = helping("money")
_PRICED = mask_of([area for area, price in enumerate(PRICE) if price])
