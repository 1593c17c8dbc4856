"""Scrolls about what changes hands: money, cards, the Personality cards."""

from games.ankh_morpork.data.cards import AREA, AREA_NUMBER
from games.ankh_morpork.position.options import COLOURS, COUNT, DISCARD, DONE, GIVE, GIVE_DOLLAR, KEEP, NAME_AREA_IN
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import Effect, about, begin, choice, choose, commitment, gain, name_player, named
from games.ankh_morpork.rules.legal import discards, first_card, payments, plays
from games.ankh_morpork.rules.reactions import aim, pay, pays, reached
from games.ankh_morpork.rules.symbols import SYMBOLS, carry_out, offer
from games.ankh_morpork.text import log
from pbem.protocol import Seat


@gain
def money_per_trouble(match: Table, me: Seat, amount: int) -> None:
    """Collect $1 for every trouble marker on the board."""
    match.take_money(me, amount * COUNT[match.trouble], match.cause)


@gain
def money_per_building(match: Table, me: Seat, amount: int) -> None:
    """Collect $1 for every building on the board."""
    match.take_money(me, amount * COUNT[match.built], match.cause)


@gain
def money_per_minion_in_area(match: Table, me: Seat, slug: str) -> None:
    """Collect $1 for every minion piece in the area."""
    match.take_money(me, match.crowd[AREA_NUMBER[slug]], match.cause)


@choice("trouble")
def money_per_minion_in_trouble(match: Table, me: Seat, amount: int) -> Effect:
    """Choose an area with a marker and collect $2 for every minion piece there."""
    options = NAME_AREA_IN[match.trouble]
    amounts = {AREA[option.value]: amount * match.crowd[option.value] for option in options}
    area = yield from begin(match, "area", options, amounts=amounts)
    match.take_money(me, amount * match.crowd[area], match.cause)


@gain
def take_from_each_other(match: Table, me: Seat, amount: int) -> Effect:
    """Every other player hands you $2, or what they have."""
    asked = [victim for victim in match.others(me) if match.money[victim]]
    for victim in (yield from reached(match, asked, "take", amount)):
        match.transfer(victim, me, amount, match.cause)


@choice()
def take_from_player(match: Table, me: Seat, amount: int) -> Effect:
    """Take $3 from a player you name."""
    victim = yield from name_player(match, amount=amount)
    yield from pay(match, victim, me, amount)


@choice()
def force_payment(match: Table, me: Seat, amount: int) -> Effect:
    """Name two other players; the first gives the second $3."""
    payer, payee = yield from begin(match, "payment", payments(match, me), amount=amount)
    named(match, payer)
    named(match, payee)
    yield from pay(match, payer, payee, amount)


@commitment
def loan(match: Table, me: Seat, amount: int) -> None:
    """Keep this card in front of you and collect $10."""
    match.loans[me] += (match.in_play,)
    match.in_play = -1
    match.money[me] += amount
    match.tell(log.LoanTaken(COLOURS[me], match.cause, amount))


@choice()
def stick_unless_paid(match: Table, me: Seat, amount: int) -> Effect:
    """Name a player. Unless they pay you $5, this card stays in front of them."""
    victim = yield from name_player(match, amount=amount)
    yield from aim(match, victim, "stick", amount=amount)
    if not (yield from pays(match, victim, me, amount, "stick")):
        match.penalties[victim] += (match.in_play,)
        match.in_play = -1
        match.tell(log.CardStuck(COLOURS[victim], match.cause))


@gain
def draw(match: Table, me: Seat, count: int) -> None:
    """Draw cards."""
    match.draw_cards(me, count, match.cause)


@gain
def draw_per_own_building(match: Table, me: Seat, count: int) -> None:
    """Draw one card for each building you own."""
    match.draw_cards(me, count * COUNT[match.buildings[me]], match.cause)


@gain
def draw_from_discard(match: Table, me: Seat, count: int) -> None:
    """Shuffle the discard pile and take four cards from it."""
    match.recover(me, count)


@choice()
def target_gives_cards(match: Table, me: Seat, count: int) -> Effect:
    """Name a player. They pick two cards from their hand and pass them to you."""
    victim = yield from name_player(match, amount=count)
    if not match.hands[victim]:
        return
    yield from aim(match, victim, "cards", amount=min(count, len(match.hands[victim])))
    kept, given = match.hands[victim][:], []
    if len(kept) <= count:
        kept, given = [], kept
    for left in range(count if kept else 0, 0, -1):
        options, first = tuple([GIVE[card] for card in kept]), first_card(GIVE, kept)
        given.append((yield from choose(match, victim, "give", options, default=first, to=COLOURS[me], left=left)))
        kept.remove(given[-1])
    match.hand_over(victim, me, given, match.cause)


@commitment
def each_other_gives_card_or_money(match: Table, me: Seat, amount: int) -> Effect:
    """Each other player gives you a card or $1, whichever they prefer."""
    asked = [other for other in match.others(me) if match.money[other] or match.hands[other]]
    for victim in (yield from reached(match, asked, "tribute", amount)):
        hand = match.hands[victim]
        options = tuple([GIVE[card] for card in hand])
        default = first_card(GIVE, hand) if hand else GIVE_DOLLAR
        if match.money[victim] >= amount:
            options, default = (GIVE_DOLLAR, *options), GIVE_DOLLAR
        card = yield from choose(match, victim, "tribute", options, default=default, to=COLOURS[me])
        if card == GIVE_DOLLAR.value:
            match.transfer(victim, me, amount, match.cause)
        else:
            match.hand_over(victim, me, [card], match.cause)


@choice()
def sell_card(match: Table, me: Seat, price: int) -> Effect:
    """Give a card to a player you name; they pay you $2 for it."""
    hand = match.hands[me]
    buyer = yield from name_player(match, None if hand else (), amount=price)
    cards, first = tuple([GIVE[card] for card in hand]), first_card(GIVE, hand)
    card = yield from choose(match, me, "give", cards, default=first, to=COLOURS[buyer], left=1)
    yield from aim(match, buyer, "sold", amount=price)
    match.hand_over(me, buyer, [card], match.cause)
    match.transfer(buyer, me, price, match.cause)


@choice()
def steal_random_keep_one(match: Table, me: Seat, count: int) -> Effect:
    """Draw two cards at random from a player's hand, keep one, give the other back."""
    victim = yield from name_player(match, amount=count)
    if not match.hands[victim]:
        return
    yield from aim(match, victim, "steal", amount=min(count, len(match.hands[victim])))
    picked = match.pick_from_hand(me, victim, count)
    card = yield from choose(match, me, "keep", tuple([KEEP[card] for card in picked]), target=COLOURS[victim])
    match.hand_over(victim, me, [card], match.cause)


@choice()
def look_and_discard(match: Table, me: Seat) -> Effect:
    """Look through a player's hand and choose one card to be discarded."""
    holders = [other for other in match.others(me) if match.hands[other]]
    victim = yield from name_player(match, holders)
    yield from aim(match, victim, "look")
    match.look_at_hand(me, victim)
    hand = match.hands[victim]
    first = first_card(DISCARD, hand)
    card = yield from choose(match, me, "discard", discards(hand), default=first, from_=COLOURS[victim])
    match.discard(victim, card, by=me)


@choice()
def swap_hands(match: Table, me: Seat) -> Effect:
    """Trade your whole hand for another player's."""
    victim = yield from name_player(match)
    if match.hands[me] or match.hands[victim]:
        yield from aim(match, victim, "hands")
        match.swap_hands(me, victim)


@choice()
def discard(match: Table, me: Seat, count: int) -> Effect:
    """Discard one card from your hand."""
    card = yield from begin(match, "discard", discards(match.hands[me]), from_=COLOURS[me], left=count)
    match.discard(me, card, by=me)


@choice()
def discard_for_money(match: Table, me: Seat, amount: int) -> Effect:
    """Discard any number of cards; collect money for each."""
    hand, gained = match.hands[me], 0
    options = (*discards(hand), DONE) if hand else ()
    card = yield from begin(match, "discard", options, from_=COLOURS[me], amount=amount)
    while card is not None:
        match.discard(me, card, by=me)
        gained += amount
        options = (*discards(hand), DONE)
        card = yield from choose(match, me, "discard", options, decline=DONE, from_=COLOURS[me], amount=amount)
    if gained:
        match.take_money(me, gained, match.cause)


@choice()
def discard_then_refill(match: Table, me: Seat, most: int) -> Effect:
    """Discard up to three cards, then draw back up to your hand limit."""
    hand = match.hands[me]
    card = yield from begin(match, "discard", (*discards(hand), DONE), from_=COLOURS[me], left=most)
    for left in range(most - 1, -1, -1):
        if card is None:
            break
        match.discard(me, card, by=me)
        options = (*discards(hand), DONE) if left else (DONE,)
        card = yield from choose(match, me, "discard", options, decline=DONE, from_=COLOURS[me], left=left)
    match.draw_cards(me, match.hand_limit(me) - len(hand), match.cause)


@choice("cards")
def play_two(match: Table, me: Seat) -> Effect:
    """Play up to two more cards, the first completely before the second."""
    facts = about(match, {})
    yield from carry_out(match, me, (yield from begin(match, "play", plays(match, me))))
    second = yield from offer(match, me, "play", plays, facts, SYMBOLS["play"].helped_by)
    if second is not None:
        yield from carry_out(match, me, second.value)


@commitment
def swap_personality(match: Table, me: Seat) -> None:
    """Swap your Personality for one drawn blind from the unused ones."""
    if match.unused:
        match.swap_personality(me)


@gain
def peek_personalities(match: Table, me: Seat) -> None:
    """Look at the unused Personalities, except for one."""
    match.see_personalities(me)
