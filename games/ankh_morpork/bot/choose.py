"""A simple computer player: it sees its own View and the Decision, and takes the option worth most to its goal.

An option is worth what it does to the city, to a hand or to a purse; a card what its symbols could do today.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from typing import Any, TypeAlias

from games.ankh_morpork.bot.sight import Sight
from games.ankh_morpork.bot.worth import ANOTHER_CARD, CARD_OF, EVENT, NAMING, POWERS, SCROLLS, THREATS, kept
from games.ankh_morpork.data.cards import AREA, AREAS, CARD
from games.ankh_morpork.position.options import OWNERS
from games.ankh_morpork.text.log import asked
from pbem.protocol import Decision, Option, View

Facts: TypeAlias = Mapping[str, Any]

#: How far chance may sway the bot, so that its games differ.
WHIM = 0.4
#: Who pays to be spared wants to have so much left.
RESERVE = 5

_NAMED = sorted((*OWNERS, *AREA, *CARD, "building", "card"), key=len, reverse=True)
_NAMES = re.compile(rf"\b(?:{'|'.join(map(re.escape, _NAMED))})\b")


def bot(view: View, decision: Decision, randomness: bytes) -> Option:
    """The option worth most to this seat, give or take a whim drawn from `randomness`."""
    sight = Sight(view)

    def worth(option: Option) -> float:
        verb, _, name = option.text.partition(" ")
        value = playing(sight, name) if verb == "play" else appraise(sight, decision.facts, option.text)
        whim = blake2b(randomness + option.text.encode(), digest_size=2).digest()
        return value + WHIM * int.from_bytes(whim, "big") / 65536

    return max(decision.options, key=worth)


def playing(sight: Sight, name: str) -> float:
    """What it is worth to play a card: half a dollar, and what each symbol could do today."""
    today = sight.hand[name]["today"]
    return 0.5 + sum(symbol(sight, name, each["symbol"], each["targets"]) for each in today)


def symbol(sight: Sight, card: str, name: str, targets: Sequence[str]) -> float:
    """What a symbol of a card is worth. Another card is worth the same whichever it is, so that no card is looked into
    for the sake of another."""
    if name == "play":
        return ANOTHER_CARD
    if name == "event":
        return EVENT
    if name.startswith("money:"):
        return sight.aims.money * int(name.removeprefix("money:"))
    facts = asked(card, name)
    unconditional = scroll(sight, facts) if name == "scroll" else 0.0
    return max(0.0, unconditional, *(appraise(sight, facts, target) for target in targets))


@cache
def parsed(text: str) -> tuple[str, list[str]]:
    """The verb of an order text, and the names in it: `move`, and Red, Dimwell and Longwall."""
    verb = next(word for word in text.split() if word.islower())
    return verb, _NAMES.findall(text)


def appraise(sight: Sight, facts: Facts, text: str) -> float:
    """What an option is worth to a decision with these facts; declining is worth nothing."""
    verb, names = parsed(text)
    return VERBS[verb](sight, facts, *names) if verb in VERBS else 0.0


def scroll(sight: Sight, facts: Facts) -> float:
    """Carry out the text of the card."""
    card = CARD_OF[facts["card"]]
    return SCROLLS[card.effect](sight, *card.arguments) if card.effect in SCROLLS else 0.0


def target(sight: Sight, facts: Facts, name: str) -> float:
    """Name a player or an area."""
    card = CARD_OF[facts["card"]]
    return NAMING[card.effect](sight, name, *card.arguments)


def use(sight: Sight, facts: Facts, name: str) -> float:
    """Use a power that brings anything before all else, and no other."""
    area = AREAS[AREA.index(name)]
    return 50.0 if POWERS[area.power_kind](sight, name, area.power_amount) > 0 else -1.0


def minion(sight: Sight, facts: Facts, area: str, *off: str) -> float:
    """Place a minion, perhaps one that is on the map."""
    quietly = facts["symbol"] == "scroll" and CARD_OF[facts["card"]].effect == "place_anywhere_quiet"
    lifted = [sight.areas[name].lift(sight.me) for name in off]
    return sight.gain(sight.areas[area].put(sight.me, quietly=quietly), *lifted)


def build(sight: Sight, facts: Facts, area: str, *off: str) -> float:
    """Put up or buy a building, perhaps instead of another."""
    price = facts["costs"].get(area, sight.areas[area].cost)
    gone = [sight.areas[name].build(None) for name in off]
    return sight.gain(sight.areas[area].build(sight.me), *gone) - sight.aims.money * float(price)


def discard(sight: Sight, facts: Facts, card: str) -> float:
    """Discard one's own card for money, or somebody else's best one."""
    if facts["from"] not in (None, sight.me):
        return kept(sight, card)
    return sight.aims.money * float(facts["amount"] or 0) - kept(sight, card)


def interrupt(sight: Sight, facts: Facts, card: str) -> float:
    """Save what is worth more than the card."""
    lost = THREATS.get(facts.get("threat", ""), 0.0)
    if facts.get("piece"):
        arrived = [sight.areas[facts["to"]].put(sight.me)] if facts["to"] else []
        lost = -sight.gain(sight.areas[facts["area"]].lift(sight.me), *arrived)
    elif facts.get("threat") == "take":
        lost = sight.aims.money * float(facts["amount"])
    return lost - kept(sight, card)


def protect(sight: Sight, facts: Facts, *names: str) -> float:
    """Pay the Small Gods for what is worth more: a piece, a building, a City Area card, or to have no demon."""
    *what, area = names
    spared = sight.areas[area]
    if what == ["card"]:
        saved = sight.aims.power
    elif what == ["building"]:
        saved = -sight.gain(spared.build(None))
    else:
        saved = -sight.gain(spared.lift(sight.me) if what else spared.put("demon"))
    return saved - sight.aims.money * float(facts["amount"])


def swap(sight: Sight, facts: Facts, owner: str, area: str, other: str, other_area: str) -> float:
    """Exchange two pieces: both leave, then both arrive."""
    here, there = sight.areas[area].lift(owner), sight.areas[other_area].lift(other)
    return sight.gain(here.put(other), there.put(owner))


#: The verbs of order texts but for `play`, called with the names that follow. The others decline.
VERBS: dict[str, Callable[..., float]] = {
    "assassinate": lambda s, facts, owner, area: s.gain(s.areas[area].lift(owner)),
    "build": build,
    "burn": lambda s, facts, area: s.gain(s.areas[area].build(None)),
    "buy": build,
    "calm": lambda s, facts, area: -s.aims.trouble,
    "discard": discard,
    "give": lambda s, facts, *card: -kept(s, *card) if card else -s.aims.money,
    "interrupt": interrupt,
    "keep": lambda s, facts, card: kept(s, card),
    "minion": minion,
    "money": lambda s, facts: 5.0,
    "move": lambda s, facts, owner, area, to: s.gain(s.areas[area].lift(owner), s.areas[to].put(owner)),
    "pay": lambda s, facts: 1.0 if s.money - facts["amount"] >= RESERVE else -1.0,
    "pays": lambda s, facts, payer, payee: s.danger(payer) - s.danger(payee) + 0.1,
    "protect": protect,
    "remove": lambda s, facts, owner, area: s.gain(s.areas[area].lift(owner)),
    "scroll": scroll,
    "swap": swap,
    "target": target,
    "trouble": lambda s, facts, area: s.aims.trouble,
    "use": use,
}
