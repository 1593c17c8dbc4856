"""Windows: everything that can stop something. What answers what is in `interrupts`.

Pieces leave an area only by `remove`, `move` and `swap`, money and cards change hands only by `pay` and `aim`ed
effects, so that no effect can forget a window. A window is yielded to every seat that its public trigger concerns,
whatever that seat holds; the windows of one action are open at the same time. What a card does, the actor does by it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from games.ankh_morpork.data.cards import AREA, CARD
from games.ankh_morpork.position.board import SMALL_GODS
from games.ankh_morpork.position.options import COLOURS, DEMON, INTERRUPT, PASS, PAY, PROTECT, PROTECT_BUILDING, REFUSE
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import Asking, Effect, choose, put, together
from games.ankh_morpork.rules.interrupts import INTERRUPTS, OUTCOME
from games.ankh_morpork.rules.legal import placements
from games.ankh_morpork.text import log
from games.ankh_morpork.text.log import EVENT, Facts, threatened
from pbem.protocol import Decision, Option, Seat

#: R-ARE-SG: the price of each piece left out of an event.
PROTECTION = 3

_PASS_ONLY: tuple[Option, ...] = (PASS,)
_INTERRUPTS = frozenset(INTERRUPTS)


class ScrollBlocked(Exception):
    """Wallace Sonky ended the scroll that is being carried out."""


def window(match: Table, seat: Seat, threat: Facts, seats: tuple[Seat, ...], played: Sequence[int] = ()) -> Decision:
    """The window of one of the seats that a threat concerns; the value of its options is the interrupt, or -1.

    `played` are the interrupts that the seat plays already.
    """
    match.aimed |= 1 << seat
    hand = match.hands[seat]
    options = _PASS_ONLY
    if not _INTERRUPTS.isdisjoint(hand):
        held = [card for card in INTERRUPTS if card in hand and card not in played and INTERRUPTS[card](threat)]
        options = (*[INTERRUPT[card] for card in held], PASS)
    return react(seat, options, seats, threat)


def react(seat: Seat, options: tuple[Option, ...], seats: tuple[Seat, ...], threat: Facts) -> Decision:
    """The decision of a window."""
    return Decision(seat, "react", options, PASS, decline=PASS, window=True, seats=seats, facts=threat)


def windows(match: Table, threats: Mapping[Seat, Facts]) -> Asking:
    """Open the windows of one action at once: what each seat plays, or -1. Nothing changes yet."""
    seats = tuple(threats)
    if len(seats) == 1:
        option = yield window(match, seats[0], threats[seats[0]], seats)
        return {seats[0]: option.value}
    return (yield from together({seat: put(window(match, seat, threats[seat], seats)) for seat in seats}))


def answered(match: Table, threats: Mapping[Seat, Facts]) -> Asking:
    """Open the windows of one action. The first seat that answers decides: its card, or -1. The others keep theirs."""
    for seat, card in (yield from windows(match, threats)).items():
        if card >= 0:
            play(match, seat, card, threats[seat])
            if OUTCOME[card] == "ends":
                match.tell(log.ScrollBlocked(COLOURS[seat], threats[seat]["card"], ended=True))
                raise ScrollBlocked
            return card
    return -1


def play(match: Table, seat: int, card: int, threat: Facts) -> None:
    """Play an interrupt. A piece that stays where it is keeps its trouble (R-TRB-8)."""
    match.play_interrupt(seat, card)
    if OUTCOME[card] == "stays":
        owner = COLOURS[seat]
        match.tell(log.PieceProtected(owner, piece=owner, area=threat["area"], card=CARD[card]))


# Threats to minions


def removal(
    owner: int, area: int, cause: str, by: str = EVENT, symbol: str = EVENT, again: bool = False
) -> dict[Seat, Facts]:
    """The threat to remove a piece, to its owner; nobody answers for trolls and demons."""
    if owner >= len(COLOURS):
        return {}
    return {Seat(owner): threatened("remove", cause, by, symbol, piece=COLOURS[owner], area=AREA[area], again=again)}


def remove(match: Table, owner: int, area: int, symbol: str = "scroll", again: bool = False) -> Effect:
    """Remove a piece from the board, unless its owner stops it."""
    by = COLOURS[match.actor]
    card = yield from answered(match, removal(owner, area, match.cause, by, symbol, again))
    yield from take_away(match, owner, area, by, match.cause, card) or ()


def take_away(match: Table, owner: int, area: int, by: str, cause: str, card: int) -> Effect | None:
    """Remove a piece as its owner answered: it stays, or comes back elsewhere, or is gone."""
    if OUTCOME.get(card) == "stays":
        return None
    match.take_away(owner, area, by, cause)
    return relocate(match, Seat(owner), area, card) if card >= 0 else None


def relocate(match: Table, seat: Seat, left: int, card: int) -> Effect:
    """Fresh Start Club and Igor: place the removed minion in another area within reach (R-MIN-1)."""
    options = placements(match, seat, match.reach(seat) & ~(1 << left))
    area, _ = yield from choose(match, seat, "relocate", options, log.asked(CARD[card], from_=AREA[left]))
    match.relocate(seat, area, left, card)


def move(match: Table, owner: int, area: int, to: int) -> Effect:
    """Move a piece by a scroll, unless its owner stops it."""
    by, threats = COLOURS[match.actor], {}
    if owner in match.others(match.actor):
        threats[Seat(owner)] = threatened("move", match.cause, by, piece=COLOURS[owner], area=AREA[area], to=AREA[to])
    if (yield from answered(match, threats)) < 0:
        match.shift(owner, area, to, by)


def swap(match: Table, owner: int, area: int, other: int, other_area: int) -> Effect:
    """Exchange two pieces, unless an owner stops it."""
    by, here, there = COLOURS[match.actor], AREA[area], AREA[other_area]
    ways = {other: (there, here), owner: (here, there)}
    threats = {
        seat: threatened("swap", match.cause, by, piece=COLOURS[seat], area=ways[seat][0], to=ways[seat][1])
        for seat in match.others(match.actor)
        if seat in ways
    }
    if (yield from answered(match, threats)) < 0:
        match.exchange(owner, area, other, other_area)


# Threats by the text of a card


def aim(match: Table, victim: Seat, threat: str, **facts: Any) -> Effect:
    """A scroll is aimed at a player, who may end it."""
    yield from answered(match, {victim: threatened(threat, match.cause, COLOURS[match.actor], **facts)})


def reached(match: Table, victims: Sequence[Seat], threat: str, amount: int) -> Asking:
    """A scroll reaches several players, and each may keep out of it: those it reaches all the same (R-SCR-7)."""
    threats = {}
    for victim in victims:
        most = min(amount, match.money[victim]) if threat == "take" else amount
        threats[victim] = threatened(threat, match.cause, COLOURS[match.actor], amount=most)
    cards = yield from windows(match, threats)
    for victim, card in cards.items():
        if card >= 0:
            play(match, victim, card, threats[victim])
            match.tell(log.ScrollBlocked(COLOURS[victim], match.cause, ended=False))
    return [victim for victim, card in cards.items() if card < 0]


def pay(match: Table, payer: int, payee: int, amount: int) -> Effect:
    """Money changes hands by a scroll, unless one of the two (never the actor) stops it. With $0 to pay nothing does."""
    amount = min(amount, match.money[payer])
    threats = {
        seat: threatened("take" if seat == payer else "paid", match.cause, COLOURS[match.actor], amount=amount)
        for seat in match.others(match.actor)
        if amount and seat in (payer, payee)
    }
    yield from answered(match, threats)
    match.transfer(payer, payee, amount, match.cause)


def pays(match: Table, victim: Seat, me: Seat, amount: int, otherwise: str) -> Asking:
    """A named player pays, or suffers; True when they paid."""
    able = match.money[victim] >= amount
    if able:
        asked = choose(
            match, victim, "pay", (PAY, REFUSE), decline=REFUSE, to=COLOURS[me], amount=amount, instead=otherwise
        )
        if (yield from asked):
            match.transfer(victim, me, amount, match.cause)
            return True
    match.tell(log.PaymentRefused(COLOURS[victim], COLOURS[me], amount, able, match.cause))
    return False


# Small Gods


def guardian(match: Table) -> Seat:
    """Who may pay the Small Gods now, or -1 (R-ARE-SG)."""
    owner = match.holds_card_of(SMALL_GODS)
    if owner >= 0 and (match.pieces[DEMON][SMALL_GODS] or match.money[owner] < PROTECTION):
        return Seat(-1)
    return Seat(owner)


def protect(match: Table, event: str, hit: list[tuple[Option, int]], threat: str = "event") -> Asking:
    """The Small Gods' owner may pay for each piece hit: `hit` lists options and counts. How many of each are safe."""
    safe: dict[Option, int] = {}
    seat = guardian(match)
    while hit and match.money[seat] >= PROTECTION:
        areas = tuple([AREA[option_area(option)] for option, _ in hit])
        facts = threatened(threat, event, symbol=EVENT, amount=PROTECTION, areas=areas)
        option = yield react(seat, (*[option for option, _ in hit], PASS), (seat,), facts)
        if option is PASS:
            break
        match.pay_bank(seat, PROTECTION, AREA[SMALL_GODS])
        safe[option] = safe.get(option, 0) + 1
        hit = [(other, count - (other is option)) for other, count in hit if other is not option or count > 1]
    return safe


def option_area(option: Option) -> int:
    """The area of something that `protect` offers."""
    area: int = option.value[1] if isinstance(option.value, tuple) else option.value
    return area


def save(match: Table, event: str, minions: Sequence[int] = (), buildings: Sequence[int] = ()) -> Asking:
    """What the Small Gods' owner saves of the minions and the buildings in these areas."""
    owner = guardian(match)
    if owner < 0:
        return {}
    counts = match.pieces[owner]
    hit = [(PROTECT[owner][area], counts[area]) for area in minions if counts[area]]
    hit += [(PROTECT_BUILDING[area], 1) for area in buildings if match.owner_of[area] == owner]
    return (yield from protect(match, event, hit))


def left_alone(match: Table, owner: int, piece: str, area: int, count: int = 1) -> None:
    """Log pieces that the Small Gods left alone."""
    for _ in range(count):
        match.tell(log.PieceProtected(COLOURS[owner], piece, AREA[area], AREA[SMALL_GODS]))
