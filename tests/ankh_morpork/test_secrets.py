"""Nothing that a seat is shown, and no question it is asked, depends on what it cannot see.

Two matches that differ only in what the actor cannot see (the other hands, the unseen half of the draw pile, the
other personalities) are played side by side, by the same choices, until a choice lets the actor see more.
"""

from __future__ import annotations

import hashlib
import json
import random
from itertools import chain
from typing import Any

import pytest

from games.ankh_morpork import GAME
from games.ankh_morpork.data.cards import CARDS
from games.ankh_morpork.match import Match
from games.ankh_morpork.policies import answer, read_policy
from games.ankh_morpork.position import notation as position
from games.ankh_morpork.position.dice import Dice
from pbem.protocol import Seat

#: What shows the actor a card that the others hold, or lets another seat choose among its cards.
SHOWING = {
    "HandSeen",
    "CardsSeen",
    "HandsSwapped",
    "CardGiven",
    "CardDiscarded",
    "PersonalitySwapped",
    "PersonalitiesSeen",
}


POLICIES = [
    dict(read_policy(line) for line in lines)
    for lines in (
        (),
        ("Susan: ask in Dimwell, The Shades", "Gaspode: always"),
        ("Wallace Sonky: if money >= 5", "Igor: ask", "Gaspode: never"),
        ("Wallace Sonky: ask", "Small Gods: ask if money >= 6"),
    )
]


PLAYABLE = [card.index for card in CARDS if not card.interrupt]
INTERRUPTS = [card.index for card in CARDS if card.interrupt]


def played_on(seats: int, name: str, turns: int) -> Match:
    """A match at the start of a turn, after some random play."""
    match = GAME.new(seats, hashlib.sha256(name.encode()).digest(), {})
    step = 0
    while match.pending and match.turn <= turns:
        step += 1
        drawn = hashlib.sha256(f"{name} {step}".encode()).digest()
        match.choose(match.pending[0].seat, match.pending[0].options[drawn[0] % len(match.pending[0].options)])
    return match


def dealt_anew(text: str, me: int, number: int) -> str:
    """The position with what `me` cannot see dealt anew."""
    there = position.read(text)
    there.deal_anew([me], there.seen[me], Dice(bytes([number]) * 32))
    return position.write(there)


def shown(match: Match, me: int) -> str:
    """All that the actor is shown and asked, and whom else the match waits for."""
    decision = match.pending[0]
    asked = None
    if decision is not None:
        asked = [decision.seat, decision.kind, decision.window, list(decision.seats)]
        if decision.seat == me:
            asked += [[option.text for option in decision.options], dict(decision.facts)]
    return json.dumps([match.view(Seat(me)), match.view(None), asked, match.reveals], sort_keys=True)


def seen(events: list[Any], me: int) -> str:
    return json.dumps([[event.kind, event.seen_by(me)] for event in events], sort_keys=True)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("number", range(20))
def test_the_actor_sees_the_same_whatever_the_others_hide(seats: int, number: int) -> None:
    """R-HID-1, R-HID-2"""
    match = played_on(seats, f"secrets {number}", 4 + number)
    if not match.pending:
        return
    me = match.actor
    text = match.snapshot()["position"]
    chance = random.Random(number)
    one, other = Match.from_position(text), Match.from_position(dealt_anew(text, me, number))
    while one.pending and one.turn == match.turn:
        assert shown(one, me) == shown(other, me)
        assert other.pending
        decision = one.pending[0]
        option = decision.default if decision.seat != me else chance.choice(list(decision.options))
        for policies in POLICIES:
            told_apart = {
                answer(match, match.pending[0], policies, "standing").option is None for match in (one, other)
            }
            assert len(told_apart) == 1, "whether a seat is asked depends on its hand"
        if decision.seat != me and not decision.window:
            return
        told = one.choose(one.pending[0].seat, option)
        same = other.pending[0].option(option.text)
        assert same is not None
        also = other.choose(other.pending[0].seat, same)
        if one.turn != match.turn or any(event.kind in SHOWING for event in told):
            return
        assert seen(told, me) == seen(also, me)


def test_dealing_anew_changes_what_a_seat_cannot_see_and_nothing_else() -> None:
    match = GAME.new(4, bytes(32), {})
    me = match.others(match.actor)[0]
    anew = GAME.dealt_anew(match, me, bytes([7]) * 32)
    for seat in range(4):
        assert (anew.hands[seat] == match.hands[seat]) == (seat in (me, match.actor))
    assert [anew.personality[seat] for seat in (me, match.actor)] == [
        match.personality[me],
        match.personality[match.actor],
    ]
    assert anew.personality != match.personality
    half = len(match.draw) // 2
    assert (anew.draw[half:], anew.draw[:half] == match.draw[:half]) == (match.draw[half:], False)
    assert sorted(chain(anew.draw, *anew.hands)) == sorted(chain(match.draw, *match.hands))
    assert sorted(anew.personality + anew.unused) == sorted(match.personality + match.unused)


@pytest.mark.parametrize("number", range(4))
def test_a_personality_that_was_seen_stays_where_it_is(number: int) -> None:
    match = GAME.new(4, bytes(32), {})
    unused, held = match.unused[0], match.personality[2]
    match.deal_anew([0], [unused, held], Dice(bytes([number]) * 32))
    assert (unused in match.unused, match.personality[2]) == (True, held)


def with_hand(text: str, seat: int, hand: list[int]) -> str:
    """The position in which a seat holds these cards, as many as it did, swapped with whoever had them."""
    there = position.read(text)
    for place, wanted in enumerate(hand[: len(there.hands[seat])]):
        mine = there.hands[seat][place]
        for pile in (there.draw, *there.hands):
            for number, card in enumerate(pile):
                pile[number] = mine if card == wanted else wanted if card == mine else card
    for cards in there.hands:
        cards.sort()
    return position.write(there)


def on_the_table(match: Match) -> set[int]:
    """The cards that lie open."""
    return {*match.discards, *(card for cards in (*match.loans, *match.penalties) for card in cards)}


def to_the_end_of_the_turn(match: Match, me: int) -> tuple[str, Any]:
    """Everything that everybody else than the next actor is told while one turn ends by defaults, and who is asked."""
    turn, told = match.turn, ""
    while match.pending and match.turn == turn:
        told = seen(match.choose(match.pending[0].seat, match.pending[0].default), me)
    asked = [(decision.seat, decision.kind) for decision in match.pending]
    return told, (asked, match.view(Seat(me)), match.view(None)) if asked else None


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("number", range(8))
def test_the_end_of_a_turn_tells_nothing_of_the_next_hand(seats: int, number: int) -> None:
    """R-HID-1: one playable card among interrupts, or all playable: the others are told the same."""
    match = played_on(seats, f"ends {number}", 3 + 2 * number)
    if not match.pending:
        return
    text, me = match.snapshot()["position"], match.actor
    following = match.others(me)[0]
    mine = {*match.hands[me], *match.draw[-12:], *on_the_table(match)}
    chance = random.Random(number)
    plain = [card for card in PLAYABLE if card not in mine]
    chance.shuffle(plain)
    hands = [
        plain[:5],
        [plain[5], *(card for card in INTERRUPTS if card not in mine)],
        [*plain[6:8], *(card for card in INTERRUPTS if card not in mine)],
    ]
    shown = [to_the_end_of_the_turn(Match.from_position(with_hand(text, following, hand)), me) for hand in hands]
    assert shown[0][1] is None or shown[0] == shown[1] == shown[2]


@pytest.mark.parametrize("number", range(12))
def test_a_bystander_sees_the_same_whatever_a_third_seat_holds(number: int) -> None:
    """R-HID-2: the windows of a turn, in number and order, are the same for every hand of whoever is asked."""
    match = played_on(4, f"bystander {number}", 5 + 3 * number)
    if not match.pending:
        return
    text, me = match.snapshot()["position"], match.actor
    bystander, third, fourth = match.others(me)
    taken = {*match.hands[me], *match.hands[bystander], *match.draw[-30:], *on_the_table(match)}
    answers = [card for card in INTERRUPTS if card not in taken]
    dull = [card for card in PLAYABLE if card not in taken]
    one = Match.from_position(with_hand(with_hand(text, third, answers), fourth, dull[:5]))
    other = Match.from_position(with_hand(with_hand(text, fourth, answers), third, dull[5:10]))
    chance = random.Random(number)
    while one.pending and one.turn == match.turn:
        decision, same = one.pending[0], other.pending[0]
        assert same is not None
        assert (decision.seat, decision.kind, decision.window, decision.seats) == (
            same.seat,
            same.kind,
            same.window,
            same.seats,
        )
        assert one.view(Seat(bystander)) == other.view(Seat(bystander))
        if decision.seat != me and not decision.window:
            return
        option = decision.default if decision.window else chance.choice(list(decision.options))
        twin = same.option(option.text)
        if twin is None:
            return  # a card that was looked at or drawn
        told, also = one.choose(one.pending[0].seat, option), other.choose(other.pending[0].seat, twin)
        if any(event.kind in ("HandSeen", "CardsSeen", "HandsSwapped", "CardGiven") for event in told):
            return
        assert seen(told, bystander) == seen(also, bystander)
