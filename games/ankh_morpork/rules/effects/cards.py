"""Scrolls about cards: drawing, giving, looking, discarding, playing more of them; and the Personality cards."""

from __future__ import annotations

from games.ankh_morpork.position.options import COLOURS, COUNT, DONE, GIVE, GIVE_DOLLAR, KEEP, TARGET
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import Effect, about, begin, choice, choose, commitment, gain, helping, name_player
from games.ankh_morpork.rules.legal import discards, first_card, plays, targets
from games.ankh_morpork.rules.reactions import aim, spare
from games.ankh_morpork.rules.symbols import carry_out, offer
from pbem.protocol import Seat


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
        options, first = tuple([GIVE[card] for card in kept]), first_card("give", kept)
        given.append((yield from choose(match, victim, "give", options, default=first, to=COLOURS[me], left=left)))
        kept.remove(given[-1])
    match.hand_over(victim, me, given, match.cause)


@commitment
def each_other_gives_card_or_money(match: Table, me: Seat, amount: int) -> Effect:
    """Each other player gives you a card or $1, whichever they prefer."""
    asked = [other for other in match.others(me) if match.money[other] or match.hands[other]]
    for victim in (yield from spare(match, asked, "tribute", amount)):
        hand = match.hands[victim]
        options = tuple([GIVE[card] for card in hand])
        default = first_card("give", hand) if hand else GIVE_DOLLAR
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
    buyer = yield from name_player(match, targets(match, me) if hand else (), amount=price)
    cards, first = tuple([GIVE[card] for card in hand]), first_card("give", hand)
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
    holders = tuple([TARGET[other] for other in match.others(me) if match.hands[other]])
    victim = yield from name_player(match, holders)
    yield from aim(match, victim, "look")
    match.look_at_hand(me, victim)
    hand = match.hands[victim]
    first = first_card("discard", hand)
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
    second = yield from offer(match, me, "play", plays, facts, helping("cards"))
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
