"""A simple computer player: it sees its own View and the Decision, and takes the option worth most to its goal."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from games.ankh_morpork.bot.appraisal import Sight
from games.ankh_morpork.data.cards import CARD_NAMES, CARDS, Card, plain
from pbem.protocol import Decision, Option, View

#: How far chance may sway the bot, so that its games differ.
WHIM = 0.4
#: What a played interrupt must save.
CARD_SPENT = 1.5
#: Scrolls that hurt whoever they name, and what they are worth against a seat that is no danger.
HOSTILE = {
    "take_from_player": 1.5,
    "stick_unless_paid": 2.0,
    "burn_unless_paid": 2.0,
    "target_gives_cards": 1.5,
    "roll_herenow": 1.0,
    "steal_random_keep_one": 1.0,
    "look_and_discard": 0.8,
    "swap_hands": 0.2,
}

_PLACE = re.compile(r"minion (.+?)(?: from (.+))?$")
_PIECE = re.compile(r"(?:assassinate|remove) (\w+) in (.+)$")
_MOVE = re.compile(r"move (\w+) from (.+) to (.+)$")
_SWAP = re.compile(r"swap (\w+) in (.+) with (\w+) in (.+)$")
_SITE = re.compile(r"(?:build|buy) (.+?)(?: instead of (.+))?$")
_SAVE = re.compile(r"protect (?:(\w+) in )?(.+)$")


def bot(view: View, decision: Decision, randomness: bytes) -> Option:
    """The option worth most to this seat, give or take a whim drawn from `randomness`."""
    if len(decision.options) == 1:
        return decision.options[0]
    sight = Sight(view)
    best, most = decision.options[0], float("-inf")
    for option in decision.options:
        whim = hashlib.blake2b(randomness + option.text.encode(), digest_size=2).digest()
        value = appraise(sight, decision, option.text) + WHIM * int.from_bytes(whim, "big") / 65536
        if value > most:
            best, most = option, value
    return best


def appraise(sight: Sight, decision: Decision, text: str) -> float:
    """What an option is worth; declining is worth nothing."""
    verb = text.partition(" ")[0]
    if verb in VERBS:
        return VERBS[verb](sight, decision, text)
    if " pays " in text:
        payer, _, receiver = text.partition(" pays ")
        return sight.threat(payer) - sight.threat(receiver) + 0.1
    return 0.0


def card_named(name: str) -> Card:
    """The card of this name."""
    return CARDS[CARD_NAMES[plain(name)]]


def kept(sight: Sight, name: str) -> float:
    """What it is worth to keep a card in hand."""
    card = card_named(name)
    if card.interrupt:
        return 2.0
    return sight.aims.card + 0.5 * len(card.symbols) + sum(0.1 * _money(symbol) for symbol in card.symbols)


def _money(symbol: str) -> int:
    return int(symbol.partition(":")[2] or 0)


def _play(sight: Sight, decision: Decision, text: str) -> float:
    """The sum of what each symbol could do today."""
    name = text.removeprefix("play ")
    for held in sight.view["private"]["hand"]:
        if held["name"] == name:
            return 0.5 + sum(
                _symbol(sight, decision, card_named(name), today["symbol"], today["targets"])
                for today in held["today"]
            )
    return 0.5


def _symbol(sight: Sight, decision: Decision, card: Card, symbol: str, targets: list[str]) -> float:
    if symbol == "play":
        return 1.5
    if symbol == "event":
        return -1.0
    if symbol.startswith("money"):
        return sight.aims.money * _money(symbol)
    aimed = Decision(
        decision.seat,
        symbol,
        (),
        decision.default,
        facts={"card": card.name, "symbol": symbol, "today": True},
    )
    best = max((appraise(sight, aimed, target) for target in targets if target != "scroll"), default=0.0)
    if symbol == "scroll":
        best = max(best, _scroll(sight, aimed, "scroll"))
    return max(best, 0.0)


def _scroll(sight: Sight, decision: Decision, text: str) -> float:
    """A scroll that begins without a choice, by its effect."""
    card = card_named(decision.facts["card"])
    aims, players = sight.aims, sight.players
    board = sight.grounds.values()
    amount = int(card.arguments[0]) if card.arguments and isinstance(card.arguments[0], int) else 1
    dollars: dict[str, float] = {
        "take_from_each_other": amount * (players - 1),
        "each_other_gives_card_or_money": players - 1,
        "money_per_trouble": sight.view["trouble_count"],
        "money_per_building": sum(1 for ground in board if ground.building),
        "money_per_minion_in_area": sum(sight.grounds["Isle of Gods"].minions.values()),
        "roll_cmot": 1.6,
        "loan": 4 if sight.money < 8 else -3,
    }
    cards = {
        "draw": amount,
        "draw_per_own_building": len(sight.seats[sight.me]["buildings"]),
        "draw_from_discard": min(4, len(sight.view["discards"])),
        "discard_then_refill": 1,
        "play_two": 3,
    }
    others = {
        "peek_personalities": 0.2,
        "swap_personality": _swap_personality(sight),
        "roll_errol": 0.5,
        "each_other_removes_own": 1.5 * (players - 1),
        "roll_and_remove": 1.0,
    }
    if card.effect in dollars:
        return aims.money * dollars[card.effect]
    if card.effect in cards:
        return aims.card * cards[card.effect]
    return others.get(card.effect, HOSTILE.get(card.effect, 0.3))


def _swap_personality(sight: Sight) -> float:
    """Give up a goal that is far away, early enough to reach another."""
    mine = sight.view["private"]["personality"]
    if not mine["need"]:
        return -3.0
    return 1.0 if (mine["have"] or 0) < 0.4 * mine["need"] and sight.view["draw_pile"] > 25 else -3.0


def _use(sight: Sight, decision: Decision, text: str) -> float:
    """A power: what it brings, and before the card when it brings anything."""
    area = text.removeprefix("use ")
    around = (area, *sight.grounds[area].neighbours)
    aims = sight.aims
    values: dict[str, Callable[[], float]] = {
        "Dolly Sisters": lambda: max(_placed(sight, name) for name in around) - 3 * aims.money - 1,
        "Dimwell": lambda: max(_placed(sight, name) for name in around) - 3 * aims.money - 1,
        "The Shades": lambda: aims.trouble,
        "The Scours": lambda: 2 * aims.money - min(_hand(sight), default=9.0) + 0.3,
        "Isle of Gods": lambda: -aims.trouble - 2 * aims.money,
        "Unreal Estate": lambda: 0.5,
    }
    value = values.get(area, lambda: 1.0)()
    return 50.0 if value > 0 else -1.0


def _hand(sight: Sight) -> list[float]:
    return [kept(sight, card["name"]) for card in sight.view["private"]["hand"]]


def _placed(sight: Sight, area: str, quietly: bool = False) -> float:
    ground = sight.grounds[area].copy()
    ground.put(sight.me, quietly)
    return sight.gain(ground)


def _minion(sight: Sight, decision: Decision, text: str) -> float:
    found = _PLACE.match(text)
    assert found is not None, text
    area, off = found.groups()
    quietly = decision.facts.get("card") in ("Deep Dwarves", "Mr Shine") and decision.kind == "scroll"
    value = _placed(sight, area, quietly)
    if off:
        left = sight.grounds[off].copy()
        left.lift(sight.me)
        value += sight.gain(left)
    return value


def _gone(sight: Sight, decision: Decision, text: str) -> float:
    found = _PIECE.match(text)
    assert found is not None, text
    colour, area = found.groups()
    ground = sight.grounds[area].copy()
    ground.lift(colour)
    return sight.gain(ground)


def _move(sight: Sight, decision: Decision, text: str) -> float:
    found = _MOVE.match(text)
    assert found is not None, text
    colour, off, to = found.groups()
    left, reached = sight.grounds[off].copy(), sight.grounds[to].copy()
    left.lift(colour)
    reached.put(colour)
    return sight.gain(left, reached)


def _swap(sight: Sight, decision: Decision, text: str) -> float:
    found = _SWAP.match(text)
    assert found is not None, text
    colour, area, other, other_area = found.groups()
    first, second = sight.grounds[area].copy(), sight.grounds[other_area].copy()
    first.lift(colour)
    second.lift(other)
    first.put(other)
    second.put(colour)
    return sight.gain(first, second)


def _building(sight: Sight, decision: Decision, text: str) -> float:
    found = _SITE.match(text)
    assert found is not None, text
    area, off = found.groups()
    ground = sight.grounds[area].copy()
    ground.building = sight.me
    price: int = decision.facts.get("costs", {}).get(area, ground.cost)
    value = sight.gain(ground) - sight.aims.money * price
    return value + _razed(sight, off) if off else value


def _burn(sight: Sight, decision: Decision, text: str) -> float:
    return _razed(sight, text.removeprefix("burn "))


def _razed(sight: Sight, area: str) -> float:
    ground = sight.grounds[area].copy()
    ground.building = None
    return sight.gain(ground)


def _calm(sight: Sight, decision: Decision, text: str) -> float:
    return -sight.aims.trouble


def _trouble(sight: Sight, decision: Decision, text: str) -> float:
    return sight.aims.trouble


def _target(sight: Sight, decision: Decision, text: str) -> float:
    """A player to harm or to pay, or an area to be paid for."""
    name = text.removeprefix("target ")
    if name in sight.grounds:
        return sight.aims.money * float(decision.facts.get("amounts", {}).get(name, 2))
    card = card_named(decision.facts["card"])
    if card.effect in HOSTILE:
        return HOSTILE[card.effect] + 0.2 * sight.aims.harm * sight.threat(name)
    if card.effect == "sell_card":
        price: int = min(2, sight.seats[name]["money"])
        return sight.aims.money * price - sight.aims.card
    return 1.0 - 2 * sight.aims.money - 0.2 * sight.threat(name)


def _pay(sight: Sight, decision: Decision, text: str) -> float:
    """Pay what is asked when it leaves something over."""
    left: int = sight.money - decision.facts.get("amount", 5)
    return 1.0 if left > 4 or decision.kind == "dibbler" else -1.0


def _give(sight: Sight, decision: Decision, text: str) -> float:
    if text == "give $1":
        return -sight.aims.money
    return -kept(sight, text.removeprefix("give "))


def _discard(sight: Sight, decision: Decision, text: str) -> float:
    """A card of mine for money, or somebody else's best one."""
    worth = kept(sight, text.removeprefix("discard "))
    if decision.facts.get("from", sight.me) != sight.me:
        return worth
    return sight.aims.money * float(decision.facts.get("amount") or 0) - worth


def _keep(sight: Sight, decision: Decision, text: str) -> float:
    return kept(sight, text.removeprefix("keep "))


def _interrupt(sight: Sight, decision: Decision, text: str) -> float:
    """Save what is worth more than the card."""
    facts = decision.facts
    if not decision.window:
        return -1.0
    threat, area = facts["threat"], facts.get("area")
    if threat == "remove":
        return -_gone(sight, decision, f"remove {sight.me} in {area}") - CARD_SPENT
    if threat in ("burn", "buy"):
        return 3.0
    if threat == "take":
        return sight.aims.money * float(facts["amount"]) - CARD_SPENT
    return 1.0 if threat in ("auditors", "hands", "stick", "cards") else -1.0


def _protect(sight: Sight, decision: Decision, text: str) -> float:
    """Pay Small Gods $3 for what is worth more."""
    found = _SAVE.match(text)
    assert found is not None, text
    piece, area = found.groups()
    ground = sight.grounds[area].copy()
    if piece == "building":
        ground.building = None
    elif piece == "card":
        return sight.aims.power - 3 * sight.aims.money
    elif piece is None:
        ground.demons += 1
    else:
        ground.lift(sight.me)
    return -sight.gain(ground) - 3 * sight.aims.money


def _worth(value: float) -> Callable[[Sight, Decision, str], float]:
    return lambda sight, decision, text: value


VERBS: dict[str, Callable[[Sight, Decision, str], float]] = {
    "play": _play,
    "use": _use,
    "scroll": _scroll,
    "money": _worth(5.0),
    "minion": _minion,
    "build": _building,
    "buy": _building,
    "burn": _burn,
    "assassinate": _gone,
    "remove": _gone,
    "move": _move,
    "swap": _swap,
    "calm": _calm,
    "trouble": _trouble,
    "target": _target,
    "pay": _pay,
    "give": _give,
    "discard": _discard,
    "keep": _keep,
    "interrupt": _interrupt,
    "protect": _protect,
}
