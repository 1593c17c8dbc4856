"""The random events: one function each (R-EVT).

(1) the dice, (2) the Small Gods' owner, (3) other answers in turn order, (4) the effect, (5) relocations (R-EVT-2).
"""

from collections.abc import Callable, Sequence

from games.ankh_morpork.data.cards import AREA, EVENTS
from games.ankh_morpork.position.board import COST, NEIGHBOURS, RIVER
from games.ankh_morpork.position.options import (
    BITS,
    BURN_IN,
    COLOURS,
    COUNT,
    DEMON,
    MOVE_TO,
    PROTECT,
    PROTECT_BUILDING,
    PROTECT_CARD,
    REFUSE_DEMON,
    TROLL,
    mask_of,
)
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import Effect, Questions, choose, put, together
from games.ankh_morpork.rules.interrupts import OUTCOME
from games.ankh_morpork.rules.legal import removals
from games.ankh_morpork.rules.reactions import (
    answered,
    guardian,
    left_alone,
    play,
    protect,
    relocate,
    removal,
    save,
    take_away,
    window,
)
from games.ankh_morpork.text import log
from games.ankh_morpork.text.log import Facts
from pbem.protocol import Option, Seat


def happen(match: Table, me: Seat, number: int) -> Effect | None:
    """Carry out an event that was turned up."""
    return _HAPPENINGS[EVENTS[number].id](match, me, EVENTS[number].name)


def the_dragon(match: Table, me: Seat, event: str) -> Effect:
    """Everything in one area goes (R-EVT-DRG)."""
    area = match.roll(me, 1, event)[0]  # (1)
    safe = yield from save(match, event, minions=[area], buildings=[area])  # (2)
    kept = [safe.get(PROTECT[seat][area], 0) for seat in range(match.seats)]
    hit = {seat: match.pieces[seat][area] - kept[seat] for seat in match.in_turn(me)}
    concerned = tuple([seat for seat, count in hit.items() if count])
    threats = {seat: removal(seat, area, event)[seat] for seat in concerned}
    for seat in match.in_turn(me):
        left_alone(match, seat, COLOURS[seat], area, kept[seat])
    answers = yield from together(  # (3)
        {seat: saving(match, seat, threats[seat], hit[seat], concerned) for seat in concerned}
    )
    leaving: list[tuple[int, int]] = []
    for seat, cards in answers.items():
        for card in cards:
            play(match, seat, card, threats[seat])
        lost = [card for card in cards if OUTCOME[card] != "stays"] + [-1] * (hit[seat] - len(cards))
        leaving += [(seat, card) for card in lost]
    for stranger in (TROLL, DEMON):
        leaving += [(stranger, -1)] * match.pieces[stranger][area]
    for owner, _ in leaving:  # (4)
        match.take_away(owner, area, event, event)
    if match.trouble >> area & 1:
        match.calm(area, event)
    burn(match, [area], safe, event)
    for owner, card in leaving:  # (5)
        if card >= 0:
            yield from relocate(match, Seat(owner), area, card)


def saving(match: Table, seat: Seat, threat: Facts, count: int, concerned: tuple[Seat, ...]) -> Questions:
    """What a seat plays for like minions that go at once: a window for each, until it passes."""
    cards: list[int] = []
    while len(cards) < count:
        card = yield from put(window(match, seat, threat, concerned, cards))
        if card < 0:
            break
        cards.append(card)
    return cards


def burn(match: Table, areas: Sequence[int], safe: dict[Option, int], event: str) -> None:
    """Remove the buildings of these areas, but for the protected ones."""
    for area in areas:
        if PROTECT_BUILDING[area] in safe:
            left_alone(match, match.owner_of[area], "building", area, 1)
        elif match.owner_of[area] >= 0:
            match.demolish(area, event)


def flood(match: Table, me: Seat, event: str) -> Effect:
    """Everybody moves their minions out of the flooded areas (R-EVT-FLD)."""
    rolled = mask_of(match.roll(me, 2, event))
    areas = BITS[rolled & RIVER]
    dry = ~(rolled & RIVER)
    for area in areas:
        match.tell(log.AreaFlooded(AREA[area]))
    safe = yield from save(match, event, minions=areas)
    for seat in match.in_turn(me):
        for area in areas:
            kept = safe.get(PROTECT[seat][area], 0)
            left_alone(match, seat, COLOURS[seat], area, kept)
            for left in range(match.pieces[seat][area] - kept, 0, -1):
                options = MOVE_TO[seat][area][NEIGHBOURS[area] & dry]
                quietest = min(options, key=lambda option: match.crowd[option.value[2]])  # D-FLOOD
                facts = log.asked(cause=event, from_=AREA[area], left=left)
                _, _, to = yield from choose(match, seat, "flood", options, facts, default=quietest)
                match.shift(seat, area, to, event)


def fire(match: Table, me: Seat, event: str) -> Effect:
    """A building burns, and the fire spreads while it can (R-EVT-FIR)."""
    path: list[int] = []
    while True:
        area = match.roll(me, 1, event)[0]
        if match.owner_of[area] < 0 or area in path:
            break
        if path and not NEIGHBOURS[path[-1]] >> area & 1:
            break
        path.append(area)
        match.tell(log.FireSpread(AREA[area]))
    if not path:
        match.tell(log.NothingHappened(event))
    yield from buildings_hit(match, path, event)


def explosion(match: Table, me: Seat, event: str) -> Effect:
    """One building goes (R-EVT-EXP)."""
    yield from buildings_hit(match, match.roll(me, 1, event), event)


def earthquake(match: Table, me: Seat, event: str) -> Effect:
    """The buildings of two areas go (R-EVT-EAR)."""
    yield from buildings_hit(match, BITS[mask_of(match.roll(me, 2, event))], event)


def buildings_hit(match: Table, areas: Sequence[int], event: str) -> Effect:
    """Buildings are about to go: the Small Gods may save some."""
    safe = yield from save(match, event, buildings=areas)
    burn(match, areas, safe, event)


def fog(match: Table, me: Seat, event: str) -> None:
    """The top five cards of the draw pile are lost (R-EVT-FOG)."""
    match.fog(5)


def riots(match: Table, me: Seat, event: str) -> None:
    """With eight markers the game ends on points (R-EVT-RIO)."""
    if COUNT[match.trouble] >= 8:
        match.finish("riots")
    match.tell(log.NothingHappened(event))


def mysterious_murders(match: Table, me: Seat, event: str) -> Effect:
    """Each player rolls and must remove one minion of their choice from that area (R-EVT-MUR)."""
    for murderer in match.in_turn(me):
        area = match.roll(murderer, 1, event)[0]
        options = removals(match, murderer, 1 << area)
        if not options:
            match.tell(log.NothingHappened(event))
            continue
        facts = log.asked(cause=event, areas=(AREA[area],), left=1)
        victim, _ = yield from choose(match, murderer, "remove", options, facts)
        if victim == guardian(match) and (yield from protect(match, event, [(PROTECT[victim][area], 1)])):
            left_alone(match, victim, COLOURS[victim], area, 1)
            continue
        card = yield from answered(match, removal(victim, area, event))
        yield from take_away(match, victim, area, event, event, card) or ()


def demons_from_the_dungeon_dimensions(match: Table, me: Seat, event: str) -> Effect:
    """Four demons arrive (R-EVT-DEM)."""
    rolled = match.roll(me, 4, event)
    owner = guardian(match)
    refused: dict[Option, int] = {}
    if owner >= 0:
        own = match.presence[owner] | match.buildings[owner]
        bound = [(REFUSE_DEMON[area], rolled.count(area)) for area in BITS[mask_of(rolled) & own]]
        refused.update((yield from protect(match, event, bound, "demon")))
    for area in rolled:
        if refused.get(REFUSE_DEMON[area], 0):
            refused[REFUSE_DEMON[area]] -= 1
            match.tell(log.DemonRefused(COLOURS[owner], AREA[area]))
        else:
            trouble = not match.trouble >> area & 1
            match.put_quietly(DEMON, area)
            match.trouble |= 1 << area  # R-TRB-4: always
            match.tell(log.DemonPlaced(AREA[area], trouble))


def subsidence(match: Table, me: Seat, event: str) -> Effect:
    """Everybody pays $2 for each building, or loses those that cannot be paid for (R-EVT-SUB)."""
    affordable = {seat: match.money[seat] // 2 for seat in match.in_turn(me)}
    short = {seat: COUNT[match.buildings[seat]] - affordable[seat] for seat in affordable}
    lost = yield from together(
        {seat: losing(match, seat, short[seat], event) for seat in short if short[seat] > 0 < affordable[seat]}
    )
    for seat in affordable:
        everything = BITS[match.buildings[seat]] if not affordable[seat] else ()
        for area in lost.get(seat, everything):
            match.demolish(area, event)
        if match.buildings[seat]:
            match.pay_bank(seat, 2 * COUNT[match.buildings[seat]], event)


def losing(match: Table, seat: Seat, count: int, event: str) -> Questions:
    """The buildings a seat gives up, one after the other; by default the cheapest."""
    own = match.buildings[seat]
    lost: list[int] = []
    for left in range(count, 0, -1):
        options = BURN_IN[own]
        cheapest = min(options, key=lambda option: (COST[option.value], -option.value))
        facts = log.asked(cause=event, left=left)
        lost.append((yield from choose(match, seat, "subsidence", options, facts, default=cheapest)))
        own &= ~(1 << lost[-1])
    return lost


def bloody_stupid_johnson(match: Table, me: Seat, event: str) -> Effect:
    """A City Area card leaves the game, and a minion of its owner the area (R-EVT-BSJ)."""
    area = match.roll(me, 1, event)[0]
    owner = match.holds_card_of(area)
    if owner < 0:
        match.tell(log.NothingHappened(event))
        return
    minion = match.pieces[owner][area] > 0
    safe = {}
    if owner == guardian(match):
        hit = [(PROTECT_CARD[area], 1)] + ([(PROTECT[owner][area], 1)] if minion else [])
        safe = yield from protect(match, event, hit)
    card = -1
    if PROTECT[owner][area] in safe:
        left_alone(match, owner, COLOURS[owner], area, 1)
        minion = False
    elif minion:
        card = yield from answered(match, removal(owner, area, event))
    if PROTECT_CARD[area] in safe:
        left_alone(match, owner, "card", area, 1)
    else:
        match.gone |= 1 << area
        match.tell(log.CityCardGone(COLOURS[owner], AREA[area]))
    if minion:
        yield from take_away(match, owner, area, event, event, card) or ()


def trolls(match: Table, me: Seat, event: str) -> None:
    """Three trolls arrive (R-EVT-TRO)."""
    for area in match.roll(me, 3, event):
        match.tell(log.TrollPlaced(AREA[area], match.put(TROLL, area)))


_HAPPENINGS: dict[str, Callable[[Table, Seat, str], Effect | None]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        *(the_dragon, flood, fire, fog, riots, explosion, mysterious_murders, demons_from_the_dungeon_dimensions),
        *(subsidence, bloody_stupid_johnson, trolls, earthquake),
    )
}
