"""A simple computer player: it sees its own View and the Decision, and takes the option worth most to its goal."""

from collections.abc import Sequence
from hashlib import blake2b

from games.ankh_morpork.bot.appraise import appraise, scroll
from games.ankh_morpork.bot.sight import Sight
from games.ankh_morpork.bot.worth import ANOTHER_CARD, EVENT
from games.ankh_morpork.text.log import asked
from pbem.protocol import Decision, Option, View

#: How far chance may sway the bot, so that its games differ.
WHIM = 0.4


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
