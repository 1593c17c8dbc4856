"""The symbols of a card, left to right (R-TRN-5). Before each, and between cards, powers may be used (R-TRN-6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from games.ankh_morpork.data.cards import AREAS, CARD, CARD_NUMBER, CARDS, Card
from games.ankh_morpork.position.board import COST
from games.ankh_morpork.position.options import COLOURS, COUNT, INTERRUPT, MONEY, SCROLL, SKIP, USE, USE_IN
from games.ankh_morpork.position.table import EVERYBODY, Table
from games.ankh_morpork.rules.areas import may_help, usable, use
from games.ankh_morpork.rules.asking import (
    AGAINST_TROUBLE,
    EFFECTS,
    FOR_CARDS,
    FOR_MINIONS,
    FOR_MONEY,
    FOR_TROUBLE,
    Asking,
    Effect,
    Scroll,
    areas_with,
)
from games.ankh_morpork.rules.events import happen
from games.ankh_morpork.rules.legal import Options, assassinations, builds, calms, placements, plays
from games.ankh_morpork.rules.reactions import ScrollBlocked, remove
from games.ankh_morpork.text import log
from pbem.protocol import Decision, Option, Seat

Facts: TypeAlias = Mapping[str, Any]

DOCTOR_MOSSY_LAWN = CARD_NUMBER["doctor-mossy-lawn"]
MOSSY = INTERRUPT[DOCTOR_MOSSY_LAWN]
#: The options between actions that are not the decision's own.
SIDE_ACTIONS = frozenset((*USE, MOSSY))
_SKIP_ONLY = (SKIP,)


class TurnOver(Exception):
    """Doctor Mossy Lawn ended the turn."""


def side_actions(match: Table, me: int, uses: int) -> Options:
    """The powers that may be used now, and Doctor Mossy Lawn."""
    options = USE_IN[uses]
    if match.in_play >= 0 and DOCTOR_MOSSY_LAWN in match.hands[me]:
        options += (MOSSY,)
    return options


def take_side_action(match: Table, me: int, option: Option) -> Effect:
    """Use a power, or end the turn with Doctor Mossy Lawn (R-INT-MOS)."""
    if option is MOSSY:
        match.play_interrupt(me, DOCTOR_MOSSY_LAWN)
        match.take_back(me)
        raise TurnOver
    yield from use(match, me, option.value)


SYMBOLS: dict[str, Callable[[Table, int, Facts], Effect]] = {}
#: By symbol: the areas whose power may make it possible when it is not (R-TRN-5).
HELPED_BY = {"play": areas_with(*FOR_CARDS), "scroll": 0}
S = TypeVar("S", bound=Callable[..., Effect])


def symbol(*, helped_by: Sequence[str] = ()) -> Callable[[S], S]:
    """Register the function of a symbol, and the kinds of power that may make it possible."""

    def register(function: S) -> S:
        SYMBOLS[function.__name__] = function
        HELPED_BY[function.__name__] = areas_with(*helped_by)
        return function

    return register


def offer(
    match: Table, me: int, kind: str, facts: Facts, legal: Callable[[Table, int], Options], auto: Option | None = None
) -> Asking:
    """Offer what a symbol allows, beside `skip` and the powers; the option taken, or None."""
    while True:
        options = legal(match, me)
        uses = usable(match, me)
        if not options and not uses:
            match.forced.append(Decision(Seat(me), kind, _SKIP_ONLY, SKIP, decline=SKIP, facts=facts))
            skipped(match, me, facts, publicly_possible(match, me, kind, options))
            return None
        taken_alone = auto
        if not options and not may_help(match, me, uses, HELPED_BY[kind]):
            taken_alone = SKIP
        option = yield Decision(
            Seat(me),
            kind,
            options + _SKIP_ONLY + side_actions(match, me, uses),
            auto if auto is MONEY else SKIP,
            auto=taken_alone,
            decline=SKIP,
            facts=facts,
        )
        if option is SKIP:
            skipped(match, me, facts, publicly_possible(match, me, kind, options))
            return None
        if option not in SIDE_ACTIONS:
            return option
        yield from take_side_action(match, me, option)


def publicly_possible(match: Table, me: int, kind: str, options: Sequence[Option]) -> bool:
    """Whether a symbol could be done, as the others can tell: they do not see that a hand is all interrupts."""
    return bool(options) or (kind == "play" and bool(match.hands[me]))


def skipped(match: Table, me: int, facts: Facts, possible: bool) -> None:
    """A symbol is lost, by choice or because it could not be done."""
    match.tell(log.SymbolSkipped(COLOURS[me], facts["card"], facts["symbol"], possible))


@symbol()
def minion(match: Table, me: int, facts: Facts) -> Effect:
    """Place one minion (R-SYM-MI)."""
    option = yield from offer(match, me, "minion", facts, placements)
    if option is not None:
        area, taken_from = option.value
        match.place(me, area, taken_from)


@symbol(helped_by=(*FOR_MONEY, *AGAINST_TROUBLE, *FOR_MINIONS))
def building(match: Table, me: int, facts: Facts) -> Effect:
    """Place one building (R-SYM-BU)."""
    option = yield from offer(match, me, "building", facts, builds)
    if option is not None:
        area, instead = option.value
        match.build(me, area, instead, COST[area])


@symbol(helped_by=FOR_TROUBLE)
def assassinate(match: Table, me: int, facts: Facts) -> Effect:
    """Remove one piece that is not yours from an area with trouble (R-SYM-AS)."""
    option = yield from offer(match, me, "assassinate", facts, assassinations)
    if option is not None:
        owner, area = option.value
        yield from remove(match, owner, area, me, facts["card"], "assassinate")


@symbol(helped_by=FOR_TROUBLE)
def calm(match: Table, me: int, facts: Facts) -> Effect:
    """Remove one trouble marker (R-SYM-CA)."""
    option = yield from offer(match, me, "calm", facts, calms)
    if option is not None:
        match.calm(option.value, COLOURS[me])


@symbol()
def money(match: Table, me: int, facts: Facts) -> Effect:
    """Take money from the bank (R-SYM-MO)."""
    if (yield from offer(match, me, "money", facts, _money, MONEY)) is not None:
        match.take_money(me, facts["amount"], facts["card"])


@symbol()
def event(match: Table, me: int, facts: Facts) -> Effect:
    """Turn up the top event card; compulsory (R-SYM-EV)."""
    match.aimed = EVERYBODY
    number = match.turn_up_event(me)
    if number >= 0:
        yield from happen(match, me, number)


@symbol()
def scroll(match: Table, me: int, facts: Facts) -> Effect:
    """Carry out the text of the card (R-SYM-SC), unless Wallace Sonky ends it."""
    card = CARDS[match.card]
    effect = EFFECTS[card.effect]
    try:
        if effect.opens == "choice":
            yield from chosen_scroll(match, me, facts, card, effect)
        else:
            yield from committed_scroll(match, me, facts, card, effect)
    except ScrollBlocked:
        return


def chosen_scroll(match: Table, me: int, facts: Facts, card: Card, effect: Scroll) -> Effect:
    """A scroll that begins with a choice: it is offered beside `skip` and the powers."""
    while True:
        carrying = effect.function(match, me, *card.arguments)
        decision: Decision = next(carrying)
        uses = usable(match, me)
        offered = decision.options
        if not offered and not uses:
            decision.options = _SKIP_ONLY
            match.forced.append(decision)
            option = SKIP
        else:
            decision.options = (*offered, SKIP, *side_actions(match, me, uses))
            if not offered and not may_help(match, me, uses, effect.helped_by):
                decision.auto = SKIP
            option = yield decision
        if option is SKIP:
            skipped(match, me, facts, publicly_possible(match, me, decision.kind, offered))
            return
        if option not in SIDE_ACTIONS:
            break
        yield from take_side_action(match, me, option)
    yield from resumed(carrying, option)


def resumed(carrying: Effect, answer: Option) -> Effect:
    """Go on with an effect whose first decision has been answered."""
    try:
        while True:
            answer = yield carrying.send(answer)
    except StopIteration:
        return


def committed_scroll(match: Table, me: int, facts: Facts, card: Card, effect: Scroll) -> Effect:
    """A scroll that begins without a choice."""
    auto = SCROLL if effect.opens == "gain" and draws(match, me, card) < len(match.draw) else None
    if (yield from offer(match, me, "scroll", facts, _scroll, auto)) is None:
        return
    match.tell(log.ScrollRead(COLOURS[me], CARD[card.index]))
    if effect.asks:
        yield from effect.function(match, me, *card.arguments)
    else:
        effect.function(match, me, *card.arguments)


def draws(match: Table, me: int, card: Card) -> int:
    """How many cards of the draw pile the scroll takes: it may end the match."""
    if card.effect == "draw":
        return int(card.arguments[0])
    return COUNT[match.buildings[me]] if card.effect == "draw_per_own_building" else -1


def _money(match: Table, me: int) -> Options:
    return (MONEY,)


def _scroll(match: Table, me: int) -> Options:
    return (SCROLL,)


_COSTS = {area.name: area.cost for area in AREAS}


def _facts(card: Card, symbol: str) -> Facts:
    name, _, amount = symbol.partition(":")
    costs = _COSTS if name == "building" else {}
    return log.asked(card.name, name, amount=int(amount) if amount else None, costs=costs)


#: By card: each symbol but `play`, its function and its facts; and the facts of `play`, which is always the last.
_STEPS = tuple(
    tuple(
        (SYMBOLS[symbol.partition(":")[0]], _facts(card, symbol))
        for symbol in card.symbols
        if symbol not in ("play", "interrupt")
    )
    for card in CARDS
)
_PLAY_FACTS = tuple(_facts(card, "play") if card.symbols and card.symbols[-1] == "play" else None for card in CARDS)


def carry_out(match: Table, me: int, card: int) -> Effect:
    """Play a card and carry out its symbols, and so on with each card that its `play` brings."""
    while card >= 0:
        match.play(me, card)
        for symbol, facts in _STEPS[card]:
            match.card = card
            match.aimed = 0
            yield from symbol(match, me, facts)
        play_facts = _PLAY_FACTS[card]
        if play_facts is None:
            return
        option = yield from offer(match, me, "play", play_facts, plays)
        card = -1 if option is None else option.value
