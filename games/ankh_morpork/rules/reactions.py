"""Threats, interrupts, Small Gods: everything that can stop something.

Pieces leave an area only by `remove`, `move` and `swap`, money and cards change hands only by `pay` and `aim`ed
effects, so that no effect can forget a window. A window is yielded to every seat that its public trigger concerns,
whatever that seat holds.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from games.ankh_morpork.data.cards import AREA, CARD, CARD_NUMBER
from games.ankh_morpork.position.board import SMALL_GODS
from games.ankh_morpork.position.options import (
    COLOURS,
    DEMON,
    INTERRUPT,
    MINION_IN,
    OWNERS,
    PASS,
    PROTECT,
    PROTECT_BUILDING,
)
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import Effect, choose
from pbem.protocol import Decision, Option, Seat

GASPODE = CARD_NUMBER["gaspode"]
SUSAN = CARD_NUMBER["susan"]
FRESH_START_CLUB = CARD_NUMBER["fresh-start-club"]
IGOR = CARD_NUMBER["igor"]
WALLACE_SONKY = CARD_NUMBER["wallace-sonky"]
DOCTOR_MOSSY_LAWN = CARD_NUMBER["doctor-mossy-lawn"]

#: R-INT-6: what answers what. A scroll that was already open to Wallace Sonky counts as a symbol from there on.
ANSWERS_OWN_CARD = (SUSAN, FRESH_START_CLUB, IGOR)
ANSWERS_EVENT = ANSWERS_OWN_CARD
ANSWERS_SYMBOL = (GASPODE, *ANSWERS_OWN_CARD)
ANSWERS_SCROLL = (WALLACE_SONKY, *ANSWERS_SYMBOL)
ANSWERS_MOVE = (WALLACE_SONKY, GASPODE)
ANSWERS_TEXT = (WALLACE_SONKY,)

#: R-ARE-SG: the price of each piece left out of an event.
PROTECTION = 3

_PASS_ONLY = (PASS,)
_REACTIONS: dict[tuple[int, ...], tuple[Option, ...]] = {}

#: The card that answered, or -1.
Answer = Generator[Decision, Option, int]


class ScrollBlocked(Exception):
    """Wallace Sonky ended the scroll that is being carried out."""


def ask(
    match: Table, seat: int, answers: tuple[int, ...], seats: tuple[int, ...], facts: Mapping[str, Any]
) -> Answer:
    """Open a window for one seat; the interrupt it plays, or -1."""
    hand = match.hands[seat]
    held = tuple([card for card in answers if card in hand])
    options: tuple[Option, ...] = _PASS_ONLY
    if held:
        options = _REACTIONS.get(held, ())
        if not options:
            options = _REACTIONS[held] = (*(INTERRUPT[card] for card in held), PASS)
    option = yield Decision(
        Seat(seat),
        "react",
        options,
        PASS,
        decline=PASS,
        window=True,
        seats=seats,  # type: ignore[arg-type]
        facts=facts,
    )
    match.reveals += 1
    if option is PASS:
        return -1
    card: int = option.value
    match.play_interrupt(seat, card)
    return card


# Threats to minions


def threaten(
    match: Table,
    owner: int,
    area: int,
    by: int,
    answers: tuple[int, ...],
    cause: str,
    symbol: str,
    seats: tuple[int, ...] = (),
) -> Answer:
    """A piece is about to be removed: its owner may answer. -1 for no answer.

    `seats` is everybody whom the action concerns, where the owner is not the only one.
    """
    if owner >= len(COLOURS):
        return -1
    if by == owner:
        answers = ANSWERS_OWN_CARD
    facts = {
        "threat": "remove",
        "card": cause,
        "symbol": symbol,
        "area": AREA[area],
        "piece": OWNERS[owner],
        "by": OWNERS[by],
    }
    return (yield from ask(match, owner, answers, seats or (owner,), facts))


def remove(
    match: Table, owner: int, area: int, by: int, answers: tuple[int, ...], cause: str, symbol: str = "scroll"
) -> Effect:
    """Remove a piece from the board, unless its owner stops it."""
    answer = yield from threaten(match, owner, area, by, answers, cause, symbol)
    yield from settle_removal(match, owner, area, OWNERS[by], cause, answer)


def settle_removal(match: Table, owner: int, area: int, by: str, cause: str, answer: int) -> Effect:
    """Carry out a removal as its owner answered it."""
    if answer in (GASPODE, SUSAN):
        protected(match, owner, area, answer)
    elif answer == WALLACE_SONKY:
        block(match, owner, cause)
    else:
        match.take_away(owner, area, by, cause)
        if answer >= 0:
            yield from relocate(match, owner, area, answer)


def relocate(match: Table, seat: int, left: int, card: int) -> Effect:
    """Fresh Start Club and Igor: place the removed minion in another area within reach (R-MIN-1)."""
    options = MINION_IN[match.reach(seat) & ~(1 << left)]
    facts = {"card": CARD[card], "from": AREA[left]}
    area, _ = yield from choose(match, seat, "relocate", options, facts)
    match.relocate(seat, area, left, card)


def protected(match: Table, owner: int, area: int, card: int) -> None:
    """A piece stays where it is (R-TRB-8)."""
    match.tell("PieceProtected", colour=OWNERS[owner], piece=OWNERS[owner], area=AREA[area], card=CARD[card])


def move(match: Table, owner: int, area: int, to: int, by: int, cause: str) -> Effect:
    """Move a piece by a scroll, unless its owner stops it."""
    if owner < len(COLOURS) and owner != by:
        facts = {
            "threat": "move",
            "card": cause,
            "symbol": "scroll",
            "area": AREA[area],
            "to": AREA[to],
            "piece": OWNERS[owner],
            "by": OWNERS[by],
        }
        answer = yield from ask(match, owner, ANSWERS_MOVE, (owner,), facts)
        if answer == WALLACE_SONKY:
            block(match, owner, cause)
        if answer == GASPODE:
            protected(match, owner, area, answer)
            return
    match.shift(owner, area, to, OWNERS[by])


def swap(match: Table, owner: int, area: int, other: int, other_area: int, by: int, cause: str) -> Effect:
    """Exchange two pieces, unless an owner stops it."""
    pieces = {other: other_area, owner: area}
    concerned = tuple([seat for seat in match.others(by) if seat in pieces])
    for seat in concerned:
        facts = {
            "threat": "swap",
            "card": cause,
            "symbol": "scroll",
            "area": AREA[pieces[seat]],
            "to": AREA[area if pieces[seat] == other_area else other_area],
            "piece": OWNERS[seat],
            "by": OWNERS[by],
        }
        answer = yield from ask(match, seat, ANSWERS_MOVE, concerned, facts)
        if answer == WALLACE_SONKY:
            block(match, seat, cause)
        if answer == GASPODE:
            protected(match, seat, pieces[seat], answer)
            return
    match.exchange(owner, area, other, other_area, OWNERS[by])


# Threats by the text of a card


def block(match: Table, seat: int, cause: str) -> None:
    """End an aimed scroll."""
    match.tell("ScrollBlocked", colour=COLOURS[seat], card=cause, ended=True)
    raise ScrollBlocked


def aim(
    match: Table, me: int, victim: int, threat: str, cause: str, seats: tuple[int, ...] = (), **facts: object
) -> Effect:
    """A scroll is aimed at a player, who may end it with Wallace Sonky; at others with them, where `seats` says so."""
    about = {"threat": threat, "card": cause, "symbol": "scroll", "by": COLOURS[me], **facts}
    if (yield from ask(match, victim, ANSWERS_TEXT, seats or (victim,), about)) >= 0:
        block(match, victim, cause)


def spare(
    match: Table, me: int, victims: Sequence[int], threat: str, cause: str, amount: int
) -> Generator[Decision, Option, list[int]]:
    """A scroll reaches several players: ask each for Wallace Sonky; those it reaches all the same (R-SCR-7)."""
    reached = []
    for victim in victims:
        most = min(amount, match.money[victim]) if threat == "take" else amount
        facts = {"threat": threat, "card": cause, "symbol": "scroll", "by": COLOURS[me], "amount": most}
        if (yield from ask(match, victim, ANSWERS_TEXT, tuple(victims), facts)) >= 0:
            match.tell("ScrollBlocked", colour=COLOURS[victim], card=cause, ended=False)
        else:
            reached.append(victim)
    return reached


def pay(match: Table, payer: int, payee: int, amount: int, by: int, cause: str) -> Effect:
    """Money changes hands by a scroll, unless one of the two (never the actor) stops it. With $0 to pay nothing does."""
    amount = min(amount, match.money[payer])
    if amount:
        concerned = tuple([seat for seat in match.others(by) if seat in (payer, payee)])
        for seat in concerned:
            threat = "take" if seat == payer else "paid"
            yield from aim(match, by, seat, threat, cause, concerned, amount=amount)
    match.transfer(payer, payee, amount, cause)


# Small Gods


def guardian(match: Table) -> int:
    """Who may pay the Small Gods now, or -1 (R-ARE-SG)."""
    owner = match.holds_card_of(SMALL_GODS)
    if owner >= 0 and (match.pieces[DEMON][SMALL_GODS] or match.money[owner] < PROTECTION):
        return -1
    return owner


def protect(
    match: Table, event: str, hit: list[tuple[Option, int]], threat: str = "event"
) -> Generator[Decision, Option, dict[Option, int]]:
    """The Small Gods' owner may pay for each piece hit: `hit` lists options and counts. How many of each are safe."""
    safe: dict[Option, int] = {}
    seat = guardian(match)
    while hit and match.money[seat] >= PROTECTION:
        facts = {
            "threat": threat,
            "card": event,
            "by": "event",
            "amount": PROTECTION,
            "areas": [AREA[option_area(option)] for option, _ in hit],
        }
        option = yield Decision(
            Seat(seat),
            "react",
            (*(option for option, _ in hit), PASS),
            PASS,
            decline=PASS,
            window=True,
            seats=(Seat(seat),),
            facts=facts,
        )
        match.reveals += 1
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


def hit_minions(match: Table, seat: int, areas: Sequence[int]) -> list[tuple[Option, int]]:
    """What `protect` offers for a seat's minions in these areas."""
    return [(PROTECT[seat][area], match.pieces[seat][area]) for area in areas if match.pieces[seat][area]]


def hit_buildings(match: Table, seat: int, areas: Sequence[int]) -> list[tuple[Option, int]]:
    """What `protect` offers for a seat's buildings in these areas."""
    return [(PROTECT_BUILDING[area], 1) for area in areas if match.owner_of[area] == seat]


def spared(match: Table, owner: int, piece: str, area: int, count: int) -> None:
    """Log pieces that the Small Gods left alone."""
    for _ in range(count):
        match.tell(
            "PieceProtected", colour=COLOURS[owner], piece=piece, area=AREA[area], card=AREA[SMALL_GODS]
        )
