"""What one seat, or the public, may know of a match: plain JSON-able values, names ready to print.

    turn            number of the turn, from 1
    actor           colour of whose turn it is
    seat            colour of the seat this view is for, None for the public
    reactions       True while a window is open (never which seat is asked)
    over            None, or the reason the match ended
    areas           twelve, in number order: {number, name, slug, cost, river, neighbours: [names],
                    minions: {colour: n} (only n > 0), trolls, demons, building: colour | None, trouble: bool,
                    card_gone: bool, controller: colour | None}
    seats           in seating order: {colour, money, minions (on the board), minions_left, buildings: [areas],
                    buildings_left, hand_size, hand_limit, city_cards: [areas], loans: [cards], stuck: [cards]}
    draw_pile       cards left in it
    discards        card names, newest first
    in_play         name of the card lying in the play area, or None
    events_left     event cards left
    events_used     names, oldest first
    trouble_count   markers on the board
    private         None for the public, else
      personality   {name, text, need, have, met, progress: [area names, or figures as text]}
      hand          [{name, id, deck, symbols: [...], scroll: text | None, interrupt: bool,
                      today: [{symbol, targets: [texts]}]}]    in order of id
      powers        [{area, text, usable: bool, why: None | used | demon | gone | money | nothing | turn}]
                    (`used` this turn or gained this turn; `nothing` to use it on; `turn`: not the seat's turn)
      seen_personalities   names seen with Mrs Cake (unused at that time), or None

`today` lists, for each symbol of a card, what the seat could do with it in a turn of its own, as things stand. What the seat may do
next is in the Decision, not here.
"""

from bisect import insort
from typing import Any

from games.ankh_morpork.data.cards import AREA, AREAS, CARD, CARDS, EVENTS, PERSONALITIES, Card
from games.ankh_morpork.position.board import BUILDINGS, MINIONS, SMALL_GODS
from games.ankh_morpork.position.options import BITS, COLOURS, COUNT, DEMON, DONE, PLAY, TROLL, USE
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.areas import PRICE, possible
from games.ankh_morpork.rules.asking import EFFECTS
from games.ankh_morpork.rules.symbols import SYMBOLS
from games.ankh_morpork.rules.winning import figure, met, progress
from pbem.protocol import Option, Seat


def view(match: Table, seat: int | None, reactions: bool) -> dict[str, Any]:
    """What `seat`, or the public for None, may know."""
    return {
        "turn": match.turn,
        "actor": COLOURS[match.actor],
        "seat": None if seat is None else COLOURS[seat],
        "reactions": reactions,
        "over": match.over,
        "areas": [_area(match, area) for area in range(len(AREAS))],
        "seats": [_seat(match, other) for other in range(match.seats)],
        "draw_pile": len(match.draw),
        "discards": [CARD[card] for card in reversed(match.discards)],
        "in_play": CARD[match.in_play] if match.in_play >= 0 else None,
        "events_left": len(match.events),
        "events_used": [EVENTS[event].name for event in match.happened],
        "trouble_count": COUNT[match.trouble],
        "private": None if seat is None else _private(match, seat),
    }


def _area(match: Table, number: int) -> dict[str, Any]:
    area = AREAS[number]
    owner, controller = match.owner_of[number], match.controller(number)
    return {
        **{key: getattr(area, key) for key in ("number", "name", "slug", "cost", "river")},
        "neighbours": [AREA[other] for other in area.neighbours],
        "minions": {
            COLOURS[seat]: match.pieces[seat][number] for seat in range(match.seats) if match.pieces[seat][number]
        },
        "trolls": match.pieces[TROLL][number],
        "demons": match.pieces[DEMON][number],
        "building": COLOURS[owner] if owner >= 0 else None,
        "trouble": bool(match.trouble >> number & 1),
        "card_gone": bool(match.gone >> number & 1),
        "controller": COLOURS[controller] if controller >= 0 else None,
    }


def _seat(match: Table, seat: int) -> dict[str, Any]:
    buildings = match.buildings[seat]
    return {
        "colour": COLOURS[seat],
        "money": match.money[seat],
        "minions": match.out[seat],
        "minions_left": MINIONS - match.out[seat],
        "buildings": [AREA[area] for area in BITS[buildings]],
        "buildings_left": BUILDINGS - COUNT[buildings],
        "hand_size": len(match.hands[seat]),
        "hand_limit": match.hand_limit(seat),
        "city_cards": [AREA[area] for area in BITS[buildings & ~match.gone]],
        "loans": [CARD[card] for card in match.loans[seat]],
        "stuck": [CARD[card] for card in match.penalties[seat]],
    }


def _private(match: Table, seat: int) -> dict[str, Any]:
    return {
        "personality": _personality(match, seat),
        "hand": [_hand_card(match, seat, card) for card in match.hands[seat]],
        "powers": [_power(match, seat, area) for area in BITS[match.buildings[seat]]],
        "seen_personalities": [PERSONALITIES[number].name for number in match.seen[seat]] or None,
    }


def _personality(match: Table, seat: int) -> dict[str, Any] | None:
    if match.personality[seat] < 0:
        return None
    person = PERSONALITIES[match.personality[seat]]
    return {
        "name": person.name,
        "text": person.text,
        "need": person.thresholds.get(match.seats),
        "have": figure(match, seat, person.goal),
        "met": met(match, seat),
        "progress": progress(match, seat, person.goal),
    }


def _hand_card(match: Table, seat: int, number: int) -> dict[str, Any]:
    card = CARDS[number]
    printed = {key: getattr(card, key) for key in ("name", "id", "deck", "symbols", "scroll", "interrupt")}
    return printed | {"symbols": list(card.symbols), "today": today(match, seat, card)}


def _power(match: Table, seat: int, area: int) -> dict[str, Any]:
    why = None
    bit = 1 << area
    if match.gone & bit:
        why = "gone"
    elif match.presence[DEMON] & bit:
        why = "demon"
    elif area != SMALL_GODS and match.closed & bit:
        why = "used"
    elif area != SMALL_GODS and match.actor != seat:
        why = "turn"
    elif match.money[seat] < PRICE[area]:
        why = "money"
    elif area != SMALL_GODS and not possible(match, Seat(seat), area):
        why = "nothing"
    return {"area": AREA[area], "text": AREAS[area].power, "usable": why is None, "why": why}


_PLAYS, _USES = frozenset(PLAY), frozenset(USE)


def outlook(match: Table, seat: int, option: Option) -> dict[str, Any]:
    """What an option would lead to, as far as nothing is revealed."""
    if option in _PLAYS:
        card = CARDS[option.value]
        return {"card": card.name, "scroll": card.scroll, "symbols": today(match, seat, card)}
    if option in _USES:
        return {"area": AREA[option.value], "power": AREAS[option.value].power}
    return {}


def today(match: Table, seat: int, card: Card) -> list[dict[str, Any]]:
    """For each symbol of a card, what its owner could do with it in a turn of their own, as things stand: the card is out of
    the hand then."""
    hand, actor = match.hands[seat], match.actor
    hand.remove(card.index)
    match.actor = Seat(seat)
    symbols = [symbol for symbol in card.symbols if symbol != "interrupt"]
    lines = [{"symbol": symbol, "targets": _targets(match, seat, card, symbol)} for symbol in symbols]
    match.actor = actor
    insort(hand, card.index)
    return lines


def _targets(match: Table, seat: int, card: Card, symbol: str) -> list[str]:
    if symbol == "scroll":
        options = _scroll_choices(match, seat, card)
    else:
        legal = SYMBOLS[symbol.partition(":")[0]].legal
        options = legal(match, seat) if legal else ()
    return [option.text for option in options if option is not DONE]


def _scroll_choices(match: Table, seat: int, card: Card) -> tuple[Option, ...]:
    """What a scroll that begins with a choice would offer: it asks before it does anything."""
    effect = EFFECTS[card.effect]
    if effect.opens != "choice":
        return ()
    playing, match.card = match.card, card.index
    carrying = effect.function(match, seat, *card.arguments)
    decision = next(carrying)
    carrying.close()
    match.card = playing
    return tuple(decision.options)


def details(match: Table, name: str) -> list[str]:
    """What is public about an area or a card: whose building stands there; prices, gains and counts."""
    if name in AREA:
        area = AREAS[AREA.index(name)]
        owner = [COLOURS[match.owner_of[area.index]]] if match.built >> area.index & 1 else []
        return [*owner, f"${area.cost}", f"${area.power_amount}"]
    if name in CARD:
        card = CARDS[CARD.index(name)]
        numbers = [number for _, _, number in (symbol.partition(":") for symbol in card.symbols) if number]
        numbers += [str(argument) for argument in card.arguments if isinstance(argument, int)]
        return [*numbers, *(f"${number}" for number in numbers)]
    return []
