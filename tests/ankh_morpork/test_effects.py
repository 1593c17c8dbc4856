"""Every scroll is driven from random positions: whom it asks, and which powers may make it possible."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from games.ankh_morpork.data.cards import AREAS, CARDS, Card
from games.ankh_morpork.match import Match
from games.ankh_morpork.position.options import PAY, REFUSE
from games.ankh_morpork.rules.asking import EFFECTS, choose
from games.ankh_morpork.rules.interrupts import INTERRUPTS
from games.ankh_morpork.rules.reactions import window
from games.ankh_morpork.text.log import threatened

SCROLLS = [next(card for card in CARDS if card.effect == name) for name in sorted(EFFECTS)]
#: What may be impossible -> the symbol, and a card that has it.
HELPED = {
    symbol: (symbol, next(card for card in CARDS if symbol in card.symbols))
    for symbol in ("building", "assassinate", "calm", "play")
} | {card.effect: ("scroll", card) for card in SCROLLS if EFFECTS[card.effect].opens == "choice"}


def scene(chance: random.Random, held: str, *, poor: bool) -> str:
    """A random position in which Red holds this card; poor positions are those in which little is possible."""
    areas = []
    crowd = chance.choice((0.05, 0.2) if poor else (0.5,))
    trouble = chance.choice((0, 0.1, 0.5, 1) if poor else (0.5,))
    for area in AREAS:
        words = [letter for letter in "RRGBT" if chance.random() < crowd]
        words += ["!"] if chance.random() < trouble else []
        words += [f"[{chance.choice('RRRG')}]"] if chance.random() < 0.3 else []
        areas += [f"{area.slug} {' '.join(words)}"] if words else []
    money = [chance.choice((0, 1, 2, 3, 5, 7, 10)) if poor else 9 for _ in range(3)]
    hand = chance.choice(("", ", groat", ", gaspode")) if poor else ", groat, modo"
    return (
        f"3 players | red* ${money[0]} holds {held}{hand} | green ${money[1]} holds 2 | blue ${money[2]} holds 2"
        f" | events riots | draw groat, 30 | {' | '.join(areas)}"
    )


def played(card: Card, number: int, *, poor: bool) -> Match | None:
    """A random match in which Red has just played the card, or None when it has none to play."""
    chance = random.Random(f"{card.id} {number}")
    match = Match.from_position(scene(chance, card.id, poor=poor), seed=bytes([number % 256]) * 32)
    option = match.pending[0].option(f"play {card.name}") if match.pending else None
    if option is None:
        return None
    match.choose(match.pending[0].seat, option)
    return match


@pytest.mark.parametrize("card", SCROLLS, ids=lambda card: card.effect)
def test_a_scroll_asks_others_only_after_their_window(card: Card) -> None:
    for number in range(12):
        match = played(card, number, poor=False)
        assert match is not None
        chance, reached = random.Random(number), {match.actor}
        while match.pending and match.turn == 1:
            decision = chance.choice(match.pending)
            assert decision.seat in reached or decision.window
            reached.add(decision.seat)
            takes = [o for o in decision.options if o.text.partition(" ")[0] not in ("skip", "use", "play")]
            match.choose(decision.seat, chance.choice(takes or list(decision.options)))


def test_a_scroll_that_forgets_the_window_fails() -> None:
    match = Match.from_position("red* holds groat, modo | green $5 holds 2")
    with pytest.raises(AssertionError, match="pay put to 1, who had no window"):
        next(choose(match, 1, "pay", (PAY, REFUSE), {}))
    window(match, 1, threatened("take", "Groat", "Red"), (1,))
    assert next(choose(match, 1, "pay", (PAY, REFUSE), {})).seat == 1


def powers(match: Match, depth: int) -> Iterator[Match]:
    """The matches that up to so many powers lead to, whatever is done with them."""
    for option in match.pending[0].options:
        if depth and option.text.startswith("use "):
            for twin in outcomes(match, option.text):
                yield twin
                yield from powers(twin, depth - 1)


def outcomes(match: Match, text: str) -> Iterator[Match]:
    """The matches after an option and each way to carry it out."""
    twin = match.fork()
    option = twin.pending[0].option(text)
    assert option is not None
    twin.choose(twin.pending[0].seat, option)
    if twin.pending and twin.pending[0].facts["cause"]:
        for way in twin.pending[0].options:
            yield from outcomes(twin, way.text)
    elif twin.pending and twin.turn == 1:
        yield twin


def symbol(match: Match) -> tuple[str, str | None]:
    """The symbol that is pending."""
    return match.pending[0].kind, match.pending[0].facts["symbol"]


def possible(match: Match) -> bool:
    """Whether the pending symbol can be done."""
    side = ("use ", "skip", "interrupt ")
    return any(not option.text.startswith(side) for option in match.pending[0].options)


@pytest.mark.parametrize("effect", HELPED)
def test_what_a_power_can_make_possible_is_not_given_up_unasked(effect: str) -> None:
    """R-TRN-5: a symbol or scroll says by which powers it is helped."""
    wanted, card = HELPED[effect]
    for number in range(300):
        match = played(card, number, poor=True)
        while match and match.pending and match.turn == 1 and symbol(match)[1] not in (wanted, None):
            match.choose(match.actor, match.pending[0].default)
        if match is None or not match.pending or match.pending[0].auto is None or possible(match):
            continue
        helped = [twin for twin in powers(match, 2) if symbol(twin) == symbol(match) and possible(twin)]
        assert not helped, match.position()


ALL_IN_TROUBLE = " | ".join(f"{area.slug} {'[R]' * (area.slug == 'isle-of-gods')} !" for area in AREAS)


@pytest.mark.parametrize(
    ("position", "orders"),
    [
        ("holds the-royal-mint | Isle of Gods [R] | Dimwell R !", ["play The Royal Mint"]),
        ("holds the-royal-mint | Dimwell [R]", ["play The Royal Mint"]),
        ("holds wee-mad-arthur | Dimwell [R]", ["play Wee Mad Arthur"]),
        ("holds reacher-gilt | The Shades [R] | Dimwell [G] G", ["play Reacher Gilt"]),
        ("holds sybil-vimes | Isle of Gods [R] | Dimwell [G] !", ["play Sybil Vimes", "money"]),
        (f"holds doctor-hix | {ALL_IN_TROUBLE}", ["play Doctor Hix"]),
    ],
)
def test_a_power_that_would_help_is_waited_for(position: str, orders: list[str]) -> None:
    """R-TRN-5: what the random positions do not bring about."""
    match = Match.from_position(f"red* $9 {position} | green holds 2 | events fog")
    for order in orders:
        option = match.pending[0].option(order)
        assert option is not None
        match.choose(match.actor, option)
    assert not possible(match)
    assert match.pending[0].auto is None


def test_every_interrupt_has_a_rule() -> None:
    """R-INT-6; Doctor Mossy Lawn answers no threat."""
    named = {card.id for card in CARDS if card.interrupt} - {"doctor-mossy-lawn"}
    assert {CARDS[card].id for card in INTERRUPTS} == named
