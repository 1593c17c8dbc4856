"""The scrolls: one function each, named as in `cards.toml`, which reads as the scroll reads.

They register themselves with `choice` (it begins with one), `commitment` or `gain`. What can be stopped goes through
`reactions`. Pieces are looked up again after every window.
"""

from __future__ import annotations

from games.ankh_morpork import symbols
from games.ankh_morpork.asking import Asking, Effect, begin, choice, choose, commitment, gain
from games.ankh_morpork.board import AFFORDABLE, AFFORDABLE_HALF, AROUND, BORDERS, COST
from games.ankh_morpork.cards import AREA, AREA_NUMBER, CARD
from games.ankh_morpork.legal import (
    assassinations,
    builds,
    discards,
    first_card,
    instead,
    moves_anywhere,
    moves_near,
    moves_of_others,
    own_removals,
    placements,
    plays,
    removals,
    targets,
)
from games.ankh_morpork.options import (
    ALL_AREAS,
    BITS,
    BURN_IN,
    BUY_IN,
    BUY_INSTEAD_IN,
    COLOURS,
    COUNT,
    DONE,
    GIVE,
    GIVE_DOLLAR,
    KEEP,
    NAME_AREA_IN,
    PAY,
    PAYS,
    REFUSE,
    REMOVE_IN,
    SKIP,
    TARGET,
    TROUBLE_IN,
    swap_option,
)
from games.ankh_morpork.reactions import (
    ANSWERS_SCROLL,
    ANSWERS_SYMBOL,
    WALLACE_SONKY,
    aim,
    block,
    move,
    pay,
    remove,
    settle_removal,
    spare,
    swap,
    threaten,
)
from games.ankh_morpork.table import Table
from pbem.protocol import Option


def about(match: Table, **more: object) -> dict[str, object]:
    """The facts of a decision of the scroll that is being carried out."""
    return {"card": CARD[match.card], "symbol": "scroll", **more}


def named(match: Table, me: int, victim: int) -> str:
    """Log whom a scroll names; the name of its card."""
    match.tell("TargetNamed", colour=COLOURS[me], target=COLOURS[victim], card=CARD[match.card])
    return CARD[match.card]


# Money


@gain
def money_per_trouble(match: Table, me: int, amount: int) -> None:
    """Collect $1 for every trouble marker on the board."""
    match.take_money(me, amount * match.trouble_count(), CARD[match.card])


@gain
def money_per_building(match: Table, me: int, amount: int) -> None:
    """Collect $1 for every building on the board."""
    match.take_money(me, amount * COUNT[match.built], CARD[match.card])


@gain
def money_per_minion_in_area(match: Table, me: int, slug: str) -> None:
    """Collect $1 for every minion piece in the area."""
    match.take_money(me, match.crowd[AREA_NUMBER[slug]], CARD[match.card])


@choice
def money_per_minion_in_trouble(match: Table, me: int, amount: int) -> Effect:
    """Choose an area with a marker and collect $2 for every minion piece there."""
    amounts = {AREA[area]: amount * match.crowd[area] for area in BITS[match.trouble]}
    area = yield from begin(me, "area", NAME_AREA_IN[match.trouble], about(match, amounts=amounts))
    match.take_money(me, amount * match.crowd[area], CARD[match.card])


@gain
def take_from_each_other(match: Table, me: int, amount: int) -> Effect:
    """Every other player hands you $2, or what they have."""
    cause = CARD[match.card]
    asked = [victim for victim in match.others(me) if match.money[victim]]
    for victim in (yield from spare(match, me, asked, "take", cause, amount)):
        match.transfer(victim, me, amount, cause)


@choice
def take_from_player(match: Table, me: int, amount: int) -> Effect:
    """Take $3 from a player you name."""
    victim = yield from begin(me, "target", targets(match, me), about(match, amount=amount))
    cause = named(match, me, victim)
    yield from pay(match, victim, me, amount, by=me, cause=cause)


@choice
def force_payment(match: Table, me: int, amount: int) -> Effect:
    """Name two other players; the first gives the second $3."""
    others = match.others(me)
    pairs = tuple([PAYS[payer][payee] for payer in others for payee in others if payer != payee])
    payer, payee = yield from begin(me, "payment", pairs, about(match, amount=amount))
    named(match, me, payer)
    cause = named(match, me, payee)
    yield from pay(match, payer, payee, amount, by=me, cause=cause)


@commitment
def loan(match: Table, me: int, amount: int) -> None:
    """Keep this card in front of you and collect $10."""
    match.borrow(me, amount)


def pays(match: Table, victim: int, me: int, amount: int, otherwise: str) -> Asking:
    """A named player pays, or suffers; True when they paid."""
    able = match.money[victim] >= amount
    cause = CARD[match.card]
    if able:
        facts = about(match, to=COLOURS[me], amount=amount, instead=otherwise)
        if (yield from choose(victim, "pay", (PAY, REFUSE), facts, default=REFUSE, decline=REFUSE)):
            match.transfer(victim, me, amount, cause)
            return True
    match.tell(
        "PaymentRefused", colour=COLOURS[victim], to=COLOURS[me], amount=amount, possible=able, cause=cause
    )
    return False


@choice
def stick_unless_paid(match: Table, me: int, amount: int) -> Effect:
    """Name a player. Unless they pay you $5, this card stays in front of them."""
    victim = yield from begin(me, "target", targets(match, me), about(match, amount=amount))
    cause = named(match, me, victim)
    yield from aim(match, me, victim, "stick", cause, amount=amount)
    if not (yield from pays(match, victim, me, amount, "stick")):
        match.stick(victim)


@choice
def burn_unless_paid(match: Table, me: int, amount: int) -> Effect:
    """Name a player with a building. Unless they pay you $5, you may remove one of theirs."""
    owners = tuple([TARGET[other] for other in match.others(me) if match.buildings[other]])
    victim = yield from begin(me, "target", owners, about(match, amount=amount))
    cause = named(match, me, victim)
    yield from aim(match, me, victim, "burn", cause, amount=amount)
    if (yield from pays(match, victim, me, amount, "burn")):
        return
    options = (*BURN_IN[match.buildings[victim]], SKIP)
    area = yield from choose(me, "burn", options, about(match, target=COLOURS[victim]), decline=SKIP)
    if area is not None:
        match.demolish(area, cause)


# Cards


@gain
def draw(match: Table, me: int, count: int) -> None:
    """Draw cards."""
    match.draw_cards(me, count, CARD[match.card])


@gain
def draw_per_own_building(match: Table, me: int, count: int) -> None:
    """Draw one card for each building you own."""
    match.draw_cards(me, count * COUNT[match.buildings[me]], CARD[match.card])


@gain
def draw_from_discard(match: Table, me: int, count: int) -> None:
    """Shuffle the discard pile and take four cards from it."""
    match.recover(me, count)


@choice
def target_gives_cards(match: Table, me: int, count: int) -> Effect:
    """Name a player. They pick two cards from their hand and pass them to you."""
    victim = yield from begin(me, "target", targets(match, me), about(match, amount=count))
    cause = named(match, me, victim)
    if not match.hands[victim]:
        return
    yield from aim(match, me, victim, "cards", cause, amount=min(count, len(match.hands[victim])))
    kept = match.hands[victim][:]
    given: list[int] = []
    if len(kept) <= count:
        kept, given = [], kept
    for left in range(count - len(given) if kept else 0, 0, -1):
        options = tuple([GIVE[card] for card in kept])
        facts = about(match, to=COLOURS[me], left=left)
        card = yield from choose(victim, "give", options, facts, default=first_card("give", kept))
        kept.remove(card)
        given.append(card)
    match.hand_over(victim, me, given, cause)


@commitment
def each_other_gives_card_or_money(match: Table, me: int, amount: int) -> Effect:
    """Each other player gives you a card or $1, whichever they prefer."""
    cause = CARD[match.card]
    asked = [other for other in match.others(me) if match.money[other] or match.hands[other]]
    for victim in (yield from spare(match, me, asked, "tribute", cause, amount)):
        hand = match.hands[victim]
        options = tuple([GIVE[card] for card in hand])
        default = first_card("give", hand) if hand else GIVE_DOLLAR
        if match.money[victim] >= amount:
            options, default = (GIVE_DOLLAR, *options), GIVE_DOLLAR
        card = yield from choose(victim, "tribute", options, about(match, to=COLOURS[me]), default=default)
        if card == GIVE_DOLLAR.value:
            match.transfer(victim, me, amount, cause)
        else:
            match.hand_over(victim, me, [card], cause)


@choice
def sell_card(match: Table, me: int, price: int) -> Effect:
    """Give a card to a player you name; they pay you $2 for it."""
    hand = match.hands[me]
    options = targets(match, me) if hand else ()
    buyer = yield from begin(me, "target", options, about(match, amount=price))
    cards = tuple([GIVE[card] for card in hand])
    facts = about(match, to=COLOURS[buyer], left=1)
    card = yield from choose(me, "give", cards, facts, default=first_card("give", hand))
    cause = named(match, me, buyer)
    yield from aim(match, me, buyer, "sold", cause, amount=price)
    match.hand_over(me, buyer, [card], cause)
    match.transfer(buyer, me, price, cause)


@choice
def steal_random_keep_one(match: Table, me: int, count: int) -> Effect:
    """Draw two cards at random from a player's hand, keep one, give the other back."""
    victim = yield from begin(me, "target", targets(match, me), about(match, amount=count))
    cause = named(match, me, victim)
    if not match.hands[victim]:
        return
    yield from aim(match, me, victim, "steal", cause, amount=min(count, len(match.hands[victim])))
    picked = match.pick_from_hand(me, victim, count)
    options = tuple([KEEP[card] for card in picked])
    facts = about(match, target=COLOURS[victim])
    card = yield from choose(me, "keep", options, facts)
    match.hand_over(victim, me, [card], cause)


@choice
def look_and_discard(match: Table, me: int) -> Effect:
    """Look through a player's hand and choose one card to be discarded."""
    holders = tuple([TARGET[other] for other in match.others(me) if match.hands[other]])
    victim = yield from begin(me, "target", holders, about(match))
    cause = named(match, me, victim)
    yield from aim(match, me, victim, "look", cause)
    match.look_at_hand(me, victim)
    hand = match.hands[victim]
    facts = about(match, **{"from": COLOURS[victim]})
    card = yield from choose(me, "discard", discards(hand), facts, default=first_card("discard", hand))
    match.discard(victim, card, by=me)


@choice
def swap_hands(match: Table, me: int) -> Effect:
    """Trade your whole hand for another player's."""
    victim = yield from begin(me, "target", targets(match, me), about(match))
    cause = named(match, me, victim)
    if match.hands[me] or match.hands[victim]:
        yield from aim(match, me, victim, "hands", cause)
        match.swap_hands(me, victim)


@choice
def discard(match: Table, me: int, count: int) -> Effect:
    """Discard one card from your hand."""
    facts = about(match, left=count, **{"from": COLOURS[me]})
    card = yield from begin(me, "discard", discards(match.hands[me]), facts)
    match.discard(me, card, by=me)


@choice
def discard_for_money(match: Table, me: int, amount: int) -> Effect:
    """Discard any number of cards; collect money for each."""
    hand = match.hands[me]
    facts = about(match, amount=amount, **{"from": COLOURS[me]})
    card = yield from begin(me, "discard", (*discards(hand), DONE) if hand else (), facts)
    gained = 0
    while card is not None:
        match.discard(me, card, by=me)
        gained += amount
        card = yield from choose(me, "discard", (*discards(hand), DONE), facts, decline=DONE)
    if gained:
        match.take_money(me, gained, CARD[match.card])


@choice
def discard_then_refill(match: Table, me: int, most: int) -> Effect:
    """Discard up to three cards, then draw back up to your hand limit."""
    hand = match.hands[me]
    facts = about(match, left=most, **{"from": COLOURS[me]})
    card = yield from begin(me, "discard", (*discards(hand), DONE), facts)
    for left in range(most - 1, -1, -1):
        if card is None:
            break
        match.discard(me, card, by=me)
        options = (*discards(hand), DONE) if left else (DONE,)
        facts = about(match, left=left, **{"from": COLOURS[me]})
        card = yield from choose(me, "discard", options, facts, decline=DONE)
    match.draw_cards(me, match.hand_limit(me) - len(hand), CARD[match.card])


@choice
def play_two(match: Table, me: int) -> Effect:
    """Play up to two more cards, the first completely before the second."""
    facts = about(match)
    card = yield from begin(me, "play", plays(match, me), facts)
    yield from symbols.carry_out(match, me, card)
    second = yield from symbols.offer(match, me, "play", facts, plays)
    if second is not None:
        yield from symbols.carry_out(match, me, second.value)


# Personalities


@commitment
def swap_personality(match: Table, me: int) -> None:
    """Swap your Personality for one drawn blind from the unused ones."""
    if match.unused:
        match.swap_personality(me)


@gain
def peek_personalities(match: Table, me: int) -> None:
    """Look at the unused Personalities, except for one."""
    match.see_personalities(me)


# Moving


@choice
def move_other_minion_adjacent(match: Table, me: int) -> Effect:
    """Shift one minion that is not yours to a neighbouring area."""
    owner, area, to = yield from begin(me, "move", moves_of_others(match, me), about(match))
    yield from move(match, owner, area, to, by=me, cause=CARD[match.card])


@choice
def move_own_from_trouble_adjacent(match: Table, me: int) -> Effect:
    """Move one of your minions out of trouble into a neighbouring area."""
    owner, area, to = yield from begin(me, "move", moves_near(match, me, match.trouble), about(match))
    yield from move(match, owner, area, to, by=me, cause=CARD[match.card])


@choice
def move_own_anywhere(match: Table, me: int) -> Effect:
    """Move one of your minions to any other area."""
    owner, area, to = yield from begin(me, "move", moves_anywhere(match, me), about(match))
    yield from move(match, owner, area, to, by=me, cause=CARD[match.card])


@choice
def pay_then_move_own(match: Table, me: int, price: int) -> Effect:
    """Pay $2 to a player you name, then move one of your minions to any other area."""
    possible = match.money[me] >= price and match.presence[me]
    payee = yield from begin(me, "target", targets(match, me) if possible else (), about(match, amount=price))
    owner, area, to = yield from choose(me, "move", moves_anywhere(match, me), about(match))
    cause = named(match, me, payee)
    yield from pay(match, me, payee, price, by=me, cause=cause)
    yield from move(match, owner, area, to, by=me, cause=cause)


@choice
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


# Placing


@choice
def place_anywhere_quiet(match: Table, me: int) -> Effect:
    """Place a minion in any area; this adds no trouble marker."""
    options = placements(match, me, ALL_AREAS)
    area, taken_from = yield from begin(me, "minion", options, about(match))
    match.place(me, area, taken_from, quietly=True)


@choice
def place_near(match: Table, me: int, slug: str, most: int) -> Effect:
    """Place minions, each in the area or a neighbour of it."""
    near = AROUND[AREA_NUMBER[slug]]
    place = yield from begin(me, "minion", placements(match, me, near), about(match, left=most))
    while place is not None:
        area, taken_from = place
        match.place(me, area, taken_from)
        most -= 1
        options = (*placements(match, me, near), SKIP) if most else (SKIP,)
        place = yield from choose(me, "minion", options, about(match, left=most), decline=SKIP)


@choice
def place_at_own_building(match: Table, me: int) -> Effect:
    """Place a minion in an area where you have a building."""
    yield from place_in(match, me, match.buildings[me])


@choice
def place_at_trouble(match: Table, me: int) -> Effect:
    """Place a minion in any area that has a trouble marker."""
    yield from place_in(match, me, match.trouble)


def place_in(match: Table, me: int, areas: int) -> Effect:
    """Place a minion in one of these areas."""
    options = placements(match, me, areas) if areas else ()
    area, taken_from = yield from begin(me, "minion", options, about(match))
    match.place(me, area, taken_from)


# Trouble


@choice
def place_trouble_anywhere(match: Table, me: int) -> Effect:
    """Put a trouble marker in any area that has none."""
    area = yield from begin(me, "trouble", TROUBLE_IN[ALL_AREAS & ~match.trouble], about(match))
    match.add_trouble(area, COLOURS[me])


@choice
def spread_trouble(match: Table, me: int) -> Effect:
    """Put a trouble marker in an area that has none and borders one that has one."""
    bordering = BORDERS[match.trouble] & ~match.trouble
    area = yield from begin(me, "trouble", TROUBLE_IN[bordering], about(match))
    match.add_trouble(area, COLOURS[me])


# Buildings


@choice
def build_half_price(match: Table, me: int) -> Effect:
    """Build by the usual rules, but for half the price."""
    costs = {name: COST[area] // 2 for area, name in enumerate(AREA)}
    options = builds(match, me, AFFORDABLE_HALF)
    area, taken_off = yield from begin(me, "building", options, about(match, costs=costs))
    match.build(me, area, taken_off, COST[area] // 2)


@choice
def buy_building(match: Table, me: int, where: str) -> Effect:
    """Swap another player's building for one of yours, paying its full cost to that player."""
    areas = match.trouble if where == "trouble" else ALL_AREAS & ~match.trouble
    within = AFFORDABLE[min(match.money[me], len(AFFORDABLE) - 1)]
    sites = match.built & ~match.buildings[me] & areas & within
    options = instead(match, me, sites, BUY_IN, BUY_INSTEAD_IN) if sites else ()
    costs = {AREA[area]: COST[area] for area in BITS[sites]}
    area, taken_off = yield from begin(me, "buy", options, about(match, costs=costs))
    owner, cost, cause = match.owner_of[area], COST[area], CARD[match.card]
    yield from aim(match, me, owner, "buy", cause, area=AREA[area], amount=cost)
    match.transfer(me, owner, cost, cause)
    match.buy(me, area, taken_off, cost)


# Removing


@choice
def pay_then_assassinate(match: Table, me: int, price: int) -> Effect:
    """Pay $2 to a player you name, then assassinate by the usual rules."""
    possible = match.money[me] >= price and assassinations(match, me)
    payee = yield from begin(me, "target", targets(match, me) if possible else (), about(match, amount=price))
    owner, area = yield from choose(me, "assassinate", assassinations(match, me), about(match))
    cause = named(match, me, payee)
    if payee != owner:
        yield from aim(match, me, payee, "paid", cause, amount=price)
    answer = yield from threaten(match, owner, area, me, ANSWERS_SCROLL, cause, "scroll")
    if answer == WALLACE_SONKY:
        block(match, owner, cause)  # R-SCR-8: no money moves
    match.transfer(me, payee, price, cause)
    yield from settle_removal(match, owner, area, COLOURS[me], cause, answer)


@choice
def pay_player_to_remove(match: Table, me: int, price: int) -> Effect:
    """Pay another player $2. They must remove one minion, of any owner except you, from an area with trouble."""
    possible = match.money[me] >= price and assassinations(match, me)
    payee = yield from begin(me, "target", targets(match, me) if possible else (), about(match, amount=price))
    cause = named(match, me, payee)
    yield from pay(match, me, payee, price, by=me, cause=cause)
    options = removals(match, payee, match.trouble, but=me)
    areas = [AREA[area] for area in BITS[match.trouble]]
    owner, area = yield from choose(payee, "remove", options, about(match, areas=areas, left=1))
    answers = ANSWERS_SYMBOL if owner == payee else ANSWERS_SCROLL  # R-SCR-COSMO
    yield from remove(match, owner, area, me, answers, cause)


@choice
def remove_in_area(match: Table, me: int, slug: str) -> Effect:
    """Remove one minion of any owner from the area."""
    options = removals(match, me, 1 << AREA_NUMBER[slug])
    areas = [AREA[AREA_NUMBER[slug]]]
    owner, area = yield from begin(me, "remove", options, about(match, areas=areas, left=1))
    yield from remove(match, owner, area, me, ANSWERS_SCROLL, CARD[match.card])


@commitment
def roll_and_remove(match: Table, me: int, count: int) -> Effect:
    """Roll the die twice; from each area rolled remove one minion."""
    cause = CARD[match.card]
    rolled = match.roll(me, count, cause)
    while rolled:
        areas = 0
        for area in rolled:
            areas |= 1 << area
        options = removals(match, me, areas)
        if not options:
            return
        facts = about(match, areas=[AREA[area] for area in BITS[areas]], left=len(rolled))
        owner, area = yield from choose(me, "remove", options, facts)
        yield from remove(match, owner, area, me, ANSWERS_SCROLL, cause)
        rolled.remove(area)


@commitment
def each_other_removes_own(match: Table, me: int) -> Effect:
    """Every other player takes one of their own minions off the board."""
    cause = CARD[match.card]
    asked = [other for other in match.others(me) if match.presence[other]]
    for victim in (yield from spare(match, me, asked, "auditors", cause, 1)):
        if match.presence[victim]:
            owner, area = yield from own_minion(match, victim)
            yield from remove(match, owner, area, me, ANSWERS_SYMBOL, cause)


def own_minion(match: Table, seat: int) -> Asking:
    """A seat chooses one of its own minions to remove (D-OWN); owner and area."""
    own = match.presence[seat]
    options = own_removals(match, seat)
    facts = about(match, areas=[AREA[area] for area in BITS[own]], left=1)
    return (yield from choose(seat, "remove", REMOVE_IN[seat][own], facts, default=options[0]))


def lose_own_minion(match: Table, me: int) -> Effect:
    """Take one of your own minions off the board, if you have one."""
    if match.presence[me]:
        owner, area = yield from own_minion(match, me)
        yield from remove(match, owner, area, me, ANSWERS_SCROLL, CARD[match.card])


@commitment
def roll_errol(match: Table, me: int) -> Effect:
    """7 or higher: remove one minion from an area with trouble. 1: remove one of your own."""
    die = match.roll(me, 1, CARD[match.card])[0] + 1
    options = removals(match, me, match.trouble)
    if die >= 7 and options:
        facts = about(match, areas=[AREA[area] for area in BITS[match.trouble]], left=1)
        owner, area = yield from choose(me, "remove", options, facts)
        yield from remove(match, owner, area, me, ANSWERS_SCROLL, CARD[match.card])
    elif die == 1:
        yield from lose_own_minion(match, me)


@commitment
def roll_herenow(match: Table, me: int) -> Effect:
    """7 or higher: take $3 from a player you name. 1: remove one of your own minions."""
    die = match.roll(me, 1, CARD[match.card])[0] + 1
    if die >= 7:
        victim = yield from choose(me, "target", targets(match, me), about(match, amount=3))
        cause = named(match, me, victim)
        yield from pay(match, victim, me, 3, by=me, cause=cause)
    elif die == 1:
        yield from lose_own_minion(match, me)


@commitment
def roll_cmot(match: Table, me: int) -> Effect:
    """7 or higher: collect $4. 1: pay the bank $2 or remove one of your own minions."""
    cause = CARD[match.card]
    die = match.roll(me, 1, cause)[0] + 1
    if die >= 7:
        match.take_money(me, 4, cause)
    elif die == 1:
        options: tuple[Option, ...] = own_removals(match, me)
        if match.money[me] >= 2 or not options:
            options = (PAY, *options)
        loss = yield from choose(me, "dibbler", options, about(match, amount=2))
        if loss is PAY.value:
            match.pay_bank(me, min(2, match.money[me]), cause)
        else:
            owner, area = loss
            yield from remove(match, owner, area, me, ANSWERS_SCROLL, cause)
