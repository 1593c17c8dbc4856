"""What the bot knows of single effects, powers and threats: an entry for each, called with the arguments of the effect.

A scroll that is not chosen and a power without an entry here fail a test. The unit is about a dollar; `s` is the Sight of who reckons.
"""

from collections.abc import Callable

from games.ankh_morpork.bot.sight import Area, Sight
from games.ankh_morpork.data.cards import AREA, AREA_NUMBER, CARDS

Worth = Callable[..., float]

#: One more card to be played, and a random event.
ANOTHER_CARD, EVENT = 4.0, -1.0
#: An interrupt in hand, which must save as much to be played.
INTERRUPT = 2.0
#: Loans are for those with less.
POOR = 8

CARD_OF = {card.name: card for card in CARDS}


def kept(sight: Sight, name: str) -> float:
    """What it is worth to keep a card in hand."""
    card = CARD_OF[name]
    return INTERRUPT if card.interrupt else sight.aims.card + 0.5 * len(card.symbols)


def crowd(area: Area) -> int:
    """The number of pieces in an area."""
    return sum(area.pieces.values())


def another_goal(sight: Sight) -> float:
    """Another goal is welcome while one's own is far away."""
    person = sight.view["private"]["personality"]
    return 1.0 - 2.5 * person["have"] / person["need"] if person and person["need"] else -3.0


def against(worth: float) -> Worth:
    """A scroll that hurts whom it names: what it is worth against somebody who is no danger at all."""
    return lambda s, colour, *_: worth + 0.2 * s.aims.harm * s.danger(colour)


def paying(sight: Sight, colour: str, price: int) -> float:
    """A scroll that pays whom it names, for something that is chosen later."""
    return 1.0 - price * sight.aims.money - 0.2 * sight.danger(colour)


def placing_near(sight: Sight, area: str, price: int) -> float:
    """A power that places a minion for a price."""
    near = (area, *sight.areas[area].neighbours)
    best = max(sight.gain(sight.areas[name].put(sight.me)) for name in near)
    return best - price * sight.aims.money - 1.0


#: Effects that name a player or an area: what it is worth to name this one.
NAMING: dict[str, Worth] = {
    "burn_unless_paid": against(2.0),
    "look_and_discard": against(0.8),
    "money_per_minion_in_trouble": lambda s, area, amount: amount * crowd(s.areas[area]) * s.aims.money,
    "pay_player_to_remove": paying,
    "pay_then_assassinate": paying,
    "pay_then_move_own": paying,
    "roll_herenow": against(1.0),
    "sell_card": lambda s, colour, price: min(price, s.seats[colour]["money"]) * s.aims.money - s.aims.card,
    "steal_random_keep_one": against(1.0),
    "stick_unless_paid": against(2.0),
    "swap_hands": against(0.2),
    "take_from_player": against(1.5),
    "target_gives_cards": against(1.5),
}
#: Effects that are worth something whatever is chosen. The others are worth what their best option is.
SCROLLS: dict[str, Worth] = {
    "discard_for_money": lambda s, price: sum(max(0, price * s.aims.money - kept(s, card)) for card in s.hand),
    "discard_then_refill": lambda s, most: s.aims.card,
    "draw": lambda s, count: count * s.aims.card,
    "draw_from_discard": lambda s, count: min(count, len(s.view["discards"])) * s.aims.card,
    "draw_per_own_building": lambda s, count: count * len(s.seats[s.me]["buildings"]) * s.aims.card,
    "each_other_gives_card_or_money": lambda s, amount: amount * s.rivals * s.aims.money,
    "each_other_removes_own": lambda s: 1.5 * s.rivals,
    "loan": lambda s, amount: 2.0 if s.money < POOR else -1.5,
    "money_per_building": lambda s, amount: (
        amount * sum(len(seat["buildings"]) for seat in s.seats.values()) * s.aims.money
    ),
    "money_per_minion_in_area": lambda s, slug: crowd(s.areas[AREA[AREA_NUMBER[slug]]]) * s.aims.money,
    "money_per_trouble": lambda s, amount: amount * s.view["trouble_count"] * s.aims.money,
    "peek_personalities": lambda s: 0.2,
    "play_two": lambda s: min(2, len(s.hand) - 1) * ANOTHER_CARD,
    "roll_and_remove": lambda s, count: 0.5 * count,
    "roll_cmot": lambda s: 1.6 * s.aims.money,
    "roll_errol": lambda s: 0.5,
    "roll_herenow": lambda s: 1.0,
    "swap_personality": another_goal,
    "take_from_each_other": lambda s, amount: amount * s.rivals * s.aims.money,
}
#: Threats that name no piece: what they cost. Those that are not here are borne.
THREATS = {"auditors": 3.0, "burn": 5.0, "buy": 5.0, "cards": 3.0, "hands": 3.0, "stick": 3.0}
#: The powers that may be used in one's turn, as in `areas.toml`: what that of an area is worth, by its amount.
POWERS: dict[str, Worth] = {
    "discard_for_money": lambda s, area, amount: (
        amount * s.aims.money + 0.3 - min((kept(s, card) for card in s.hand), default=9.0)
    ),
    "draw_then_discard": lambda s, area, count: 0.5,
    "place_minion_near": placing_near,
    "place_trouble_near": lambda s, area, count: s.aims.trouble,
    "remove_trouble": lambda s, area, price: -s.aims.trouble - price * s.aims.money,
    "take_money": lambda s, area, amount: amount * s.aims.money,
}
