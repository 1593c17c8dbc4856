"""Scrolls about cards: drawing, giving, looking, discarding, playing more of them; and the Personality cards."""

from __future__ import annotations

from games.ankh_morpork.data.cards import CARD
from games.ankh_morpork.position.options import COLOURS, COUNT, DONE, GIVE, GIVE_DOLLAR, KEEP, TARGET
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules import symbols
from games.ankh_morpork.rules.asking import FOR_CARDS, Effect, begin, choice, choose, commitment, gain
from games.ankh_morpork.rules.effects.saying import about, named
from games.ankh_morpork.rules.legal import discards, first_card, plays, targets
from games.ankh_morpork.rules.reactions import aim, spare


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


@choice(helped_by=())
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
        card = yield from choose(match, victim, "give", options, facts, default=first_card("give", kept))
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
        card = yield from choose(match, victim, "tribute", options, about(match, to=COLOURS[me]), default=default)
        if card == GIVE_DOLLAR.value:
            match.transfer(victim, me, amount, cause)
        else:
            match.hand_over(victim, me, [card], cause)


@choice(helped_by=())
def sell_card(match: Table, me: int, price: int) -> Effect:
    """Give a card to a player you name; they pay you $2 for it."""
    hand = match.hands[me]
    options = targets(match, me) if hand else ()
    buyer = yield from begin(me, "target", options, about(match, amount=price))
    cards = tuple([GIVE[card] for card in hand])
    facts = about(match, to=COLOURS[buyer], left=1)
    card = yield from choose(match, me, "give", cards, facts, default=first_card("give", hand))
    cause = named(match, me, buyer)
    yield from aim(match, me, buyer, "sold", cause, amount=price)
    match.hand_over(me, buyer, [card], cause)
    match.transfer(buyer, me, price, cause)


@choice(helped_by=())
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
    card = yield from choose(match, me, "keep", options, facts)
    match.hand_over(victim, me, [card], cause)


@choice(helped_by=())
def look_and_discard(match: Table, me: int) -> Effect:
    """Look through a player's hand and choose one card to be discarded."""
    holders = tuple([TARGET[other] for other in match.others(me) if match.hands[other]])
    victim = yield from begin(me, "target", holders, about(match))
    cause = named(match, me, victim)
    yield from aim(match, me, victim, "look", cause)
    match.look_at_hand(me, victim)
    hand = match.hands[victim]
    facts = about(match, **{"from": COLOURS[victim]})
    card = yield from choose(match, me, "discard", discards(hand), facts, default=first_card("discard", hand))
    match.discard(victim, card, by=me)


@choice(helped_by=())
def swap_hands(match: Table, me: int) -> Effect:
    """Trade your whole hand for another player's."""
    victim = yield from begin(me, "target", targets(match, me), about(match))
    cause = named(match, me, victim)
    if match.hands[me] or match.hands[victim]:
        yield from aim(match, me, victim, "hands", cause)
        match.swap_hands(me, victim)


@choice(helped_by=())
def discard(match: Table, me: int, count: int) -> Effect:
    """Discard one card from your hand."""
    facts = about(match, left=count, **{"from": COLOURS[me]})
    card = yield from begin(me, "discard", discards(match.hands[me]), facts)
    match.discard(me, card, by=me)


@choice(helped_by=())
def discard_for_money(match: Table, me: int, amount: int) -> Effect:
    """Discard any number of cards; collect money for each."""
    hand = match.hands[me]
    facts = about(match, amount=amount, **{"from": COLOURS[me]})
    card = yield from begin(me, "discard", (*discards(hand), DONE) if hand else (), facts)
    gained = 0
    while card is not None:
        match.discard(me, card, by=me)
        gained += amount
        card = yield from choose(match, me, "discard", (*discards(hand), DONE), facts, decline=DONE)
    if gained:
        match.take_money(me, gained, CARD[match.card])


@choice(helped_by=())
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
        card = yield from choose(match, me, "discard", options, facts, decline=DONE)
    match.draw_cards(me, match.hand_limit(me) - len(hand), CARD[match.card])


@choice(helped_by=FOR_CARDS)
def play_two(match: Table, me: int) -> Effect:
    """Play up to two more cards, the first completely before the second."""
    facts = about(match)
    card = yield from begin(me, "play", plays(match, me), facts)
    yield from symbols.carry_out(match, me, card)
    second = yield from symbols.offer(match, me, "play", facts, plays)
    if second is not None:
        yield from symbols.carry_out(match, me, second.value)


@commitment
def swap_personality(match: Table, me: int) -> None:
    """Swap your Personality for one drawn blind from the unused ones."""
    if match.unused:
        match.swap_personality(me)


@gain
def peek_personalities(match: Table, me: int) -> None:
    """Look at the unused Personalities, except for one."""
    match.see_personalities(me)
