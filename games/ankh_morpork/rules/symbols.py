"""The symbols of a card, left to right (R-TRN-5). Before each, and between cards, powers may be used (R-TRN-6)."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from games.ankh_morpork.data.cards import AREAS, CARD_NUMBER, CARDS, Card
from games.ankh_morpork.position.board import COST
from games.ankh_morpork.position.options import COLOURS, COUNT, INTERRUPT, MONEY, SCROLL, SKIP, USE, USE_IN
from games.ankh_morpork.position.table import EVERYBODY, Table
from games.ankh_morpork.rules.areas import may_help, usable, use
from games.ankh_morpork.rules.asking import EFFECTS, Asking, Effect, Scroll, helping
from games.ankh_morpork.rules.events import happen
from games.ankh_morpork.rules.legal import Options, assassinations, builds, calms, placements, plays
from games.ankh_morpork.rules.reactions import ScrollBlocked, remove
from games.ankh_morpork.text import log
from games.ankh_morpork.text.log import Facts
from pbem.protocol import Decision, Option, Seat

DOCTOR_MOSSY_LAWN = CARD_NUMBER["doctor-mossy-lawn"]
MOSSY = INTERRUPT[DOCTOR_MOSSY_LAWN]
#: The options between actions that are not the decision's own.
SIDE_ACTIONS = frozenset((*USE, MOSSY))

_SKIP_ONLY: Options = (SKIP,)

Legal = Callable[[Table, int], Options]


class TurnOver(Exception):
    """Doctor Mossy Lawn ended the turn."""


def side_actions(match: Table, me: Seat, uses: int) -> Options:
    """The powers that may be used now, and Doctor Mossy Lawn."""
    options = USE_IN[uses]
    if match.in_play >= 0 and DOCTOR_MOSSY_LAWN in match.hands[me]:
        options += (MOSSY,)
    return options


def take_side_action(match: Table, me: Seat, option: Option) -> Effect:
    """Use a power, or end the turn with Doctor Mossy Lawn (R-INT-MOS)."""
    if option is MOSSY:
        match.play_interrupt(me, DOCTOR_MOSSY_LAWN)
        match.take_back(me)
        raise TurnOver
    yield from use(match, me, option.value)


def widened(match: Table, me: Seat, decision: Decision, helped_by: int) -> Option | None:
    """Put `skip` and the powers beside what a symbol offers; `skip`, when nothing else is left."""
    offered, uses = tuple(decision.options), usable(match, me)
    if offered or uses:
        decision.options = offered + _SKIP_ONLY + side_actions(match, me, uses)
        if not offered and not may_help(match, me, uses, helped_by):
            decision.auto = SKIP
        return None
    decision.options = _SKIP_ONLY
    match.forced.append(decision)
    return SKIP


def skipped(match: Table, me: Seat, decision: Decision) -> None:
    """A symbol is lost, by choice or because it could not be done; the others do not see that a hand is all interrupts."""
    possible = decision.options[0] is not SKIP or (decision.kind == "play" and bool(match.hands[me]))
    match.tell(log.SymbolSkipped(COLOURS[me], decision.facts["card"], decision.facts["symbol"], possible))


def offer(
    match: Table, me: Seat, kind: str, legal: Legal, facts: Facts, helped_by: int = 0, auto: Option | None = None
) -> Asking:
    """Offer what a symbol allows, beside `skip` and the powers; the option taken, or None."""
    default = MONEY if auto is MONEY else SKIP
    while True:
        options = legal(match, me)
        decision = Decision(match.actor, kind, options, default, auto=auto, decline=SKIP, facts=facts)
        option = widened(match, me, decision, helped_by) or (yield decision)
        if option is SKIP:
            return skipped(match, me, decision)
        if option not in SIDE_ACTIONS:
            return option
        yield from take_side_action(match, me, option)


class Symbol(NamedTuple):
    """A symbol of a card."""

    kind: str
    #: What it allows; None for a symbol that asks by itself, or not at all.
    legal: Legal | None
    #: The areas whose power may make it possible when it is not (R-TRN-5).
    helped_by: int
    #: What carries it out, with the facts of the symbol, or with the value of the option chosen.
    function: Callable[..., Effect | None]


SYMBOLS: dict[str, Symbol] = {}
F = TypeVar("F", bound=Callable[..., Effect | None])


def symbol(legal: Legal | None = None, *lacks: str) -> Callable[[F], F]:
    """Register the function of a symbol: what it offers, and what it may lack that powers could bring."""

    def register(function: F) -> F:
        name = function.__name__
        SYMBOLS[name] = Symbol(name, legal, helping(*lacks), function)
        return function

    return register


@symbol(placements)
def minion(match: Table, me: Seat, place: tuple[int, int]) -> None:
    """Place one minion (R-SYM-MI)."""
    match.place(me, *place)


@symbol(builds, "money", "calm", "minions")
def building(match: Table, me: Seat, site: tuple[int, int]) -> None:
    """Place one building (R-SYM-BU)."""
    match.build(me, *site, COST[site[0]])


@symbol(assassinations, "trouble")
def assassinate(match: Table, me: Seat, piece: tuple[int, int]) -> Effect:
    """Remove one piece that is not yours from an area with trouble (R-SYM-AS)."""
    return remove(match, *piece, "assassinate")


@symbol(calms, "trouble")
def calm(match: Table, me: Seat, area: int) -> None:
    """Remove one trouble marker (R-SYM-CA)."""
    match.calm(area, COLOURS[me])


@symbol()
def money(match: Table, me: Seat, facts: Facts) -> Effect:
    """Take money from the bank (R-SYM-MO)."""
    if (yield from offer(match, me, "money", lambda *_: (MONEY,), facts, auto=MONEY)) is not None:
        match.take_money(me, facts["amount"], match.cause)


@symbol()
def event(match: Table, me: Seat, facts: Facts) -> Effect | None:
    """Turn up the top event card; compulsory (R-SYM-EV)."""
    match.aimed = EVERYBODY
    number = match.turn_up_event(me)
    return happen(match, me, number) if number >= 0 else None


@symbol()
def scroll(match: Table, me: Seat, facts: Facts) -> Effect:
    """Carry out the text of the card (R-SYM-SC)."""
    card = CARDS[match.card]
    effect = EFFECTS[card.effect]
    if effect.opens == "choice":
        return chosen_scroll(match, me, card, effect)
    return committed_scroll(match, me, card, effect, facts)


def chosen_scroll(match: Table, me: Seat, card: Card, effect: Scroll) -> Effect:
    """A scroll that begins with a choice: it is offered beside `skip` and the powers."""
    while True:
        carrying: Effect = effect.function(match, me, *card.arguments)
        decision = next(carrying)
        assert isinstance(decision, Decision)
        option = widened(match, me, decision, effect.helped_by) or (yield decision)
        if option is SKIP:
            return skipped(match, me, decision)
        if option not in SIDE_ACTIONS:
            break
        yield from take_side_action(match, me, option)
    try:
        while True:
            option = yield carrying.send(option)
    except StopIteration:
        return


def committed_scroll(match: Table, me: Seat, card: Card, effect: Scroll, facts: Facts) -> Effect:
    """A scroll that begins without a choice."""
    auto = SCROLL if effect.opens == "gain" and draws(match, me, card) < len(match.draw) else None
    if (yield from offer(match, me, "scroll", lambda *_: (SCROLL,), facts, auto=auto)) is not None:
        match.tell(log.ScrollRead(COLOURS[me], card.name))
        yield from effect.function(match, me, *card.arguments) or ()


def draws(match: Table, me: Seat, card: Card) -> int:
    """How many cards of the draw pile the scroll takes: it may end the match."""
    if card.effect == "draw":
        return int(card.arguments[0])
    return COUNT[match.buildings[me]] if card.effect == "draw_per_own_building" else -1


@symbol(plays, "cards")
def play(match: Table, me: Seat, card: int) -> Effect:
    """Play another card; this is always the last symbol (R-SYM-PL)."""
    return carry_out(match, me, card)


def carry_out(match: Table, me: Seat, card: int) -> Effect:
    """Play a card and carry out its symbols; Wallace Sonky may end a scroll."""
    match.play(me, card)
    for (kind, legal, helped_by, function), facts in _STEPS[card]:
        match.card = card
        match.aimed = 0
        try:
            if legal is None:
                yield from function(match, me, facts) or ()
            else:
                option = yield from offer(match, me, kind, legal, facts, helped_by)
                if option is not None:
                    yield from function(match, me, option.value) or ()
        except ScrollBlocked:
            continue


_COSTS = {area.name: area.cost for area in AREAS}


def _step(card: Card, symbol: str) -> tuple[Symbol, Facts]:
    """A symbol of a card, and the facts of what it asks."""
    kind, _, amount = symbol.partition(":")
    costs = _COSTS if kind == "building" else {}
    return SYMBOLS[kind], log.asked(card.name, kind, amount=int(amount) if amount else None, costs=costs)


_STEPS = tuple([tuple([_step(card, symbol) for symbol in card.symbols if symbol != "interrupt"]) for card in CARDS])
