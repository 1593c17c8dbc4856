"""Whole turns that are suggested: what they are made of, and that sending one does just that."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from games.ankh_morpork import GAME
from games.ankh_morpork.bot.suggest import MOST, Step, others, suggest, whole_turn, written
from games.ankh_morpork.match import Match
from games.ankh_morpork.position.options import PLAY
from pbem.orders.referee import carry_out
from pbem.protocol import Decision, Option, Seat, decision_of

RED = Seat(0)
CITY = "2 players | red* $12 is lord-rust holds {cards} | green $3 is chrysoprase holds 1 | Dimwell R | Nap Hill G | draw 30"


def turns(seed: int) -> Iterator[Match]:
    """A game played half by the bot and half by chance: its match at some of the points where a card can be played."""
    match, chance = GAME.new(2 + seed % 3, seed.to_bytes(32, "big"), {}), random.Random(seed)
    while match.pending:
        decision = chance.choice(match.pending)
        if any(option in PLAY for option in decision.options) and not chance.randrange(4):
            yield match
        picked = GAME.bot(match.view(decision.seat), decision, chance.randbytes(32))
        match.choose(decision.seat, picked if chance.random() < 0.7 else chance.choice(decision.options))


@pytest.mark.parametrize("seed", range(2))
def test_a_suggested_turn_is_read_as_just_the_choices_that_it_was_made_of(seed: int) -> None:
    for match in turns(seed):
        seat = next(decision.seat for decision in match.pending)
        decision = decision_of(match, seat)
        assert decision is not None
        for option in (option for option in decision.options if option in PLAY):
            steps = list(whole_turn(match, seat, option))
            turn = written(steps)
            if len(turn) <= MOST:
                assert_read(match, seat, [step.text for step in turn], [step.text for step in steps])
            for step in turn[1:MOST]:
                for other in step.others[:: len(step.others) // 2 + 1]:
                    before = [earlier.text for earlier in turn[: turn.index(step)]]
                    made = [earlier.text for earlier in steps[: steps.index(step)]]
                    assert_read(match, seat, [*before, other], [*made, other])


def assert_read(match: Match, seat: Seat, texts: list[str], meant: list[str]) -> None:
    """Orders on one line make these choices."""
    outcome = carry_out(GAME, match, seat, ["; ".join(texts)])
    made = [text for other, text, _ in outcome.added if other == seat]
    assert made[: len(meant)] == meant, match.position()
    assert {line.verdict for line in outcome.lines} <= {"done", "automatic"}, match.position()


def test_each_card_is_suggested_once() -> None:
    match = Match.from_position(CITY.format(cards="groat, the-royal-mint, gaspode"))
    turns = suggest(match, RED)
    assert [turn.line for turn in turns] == ["play Groat; minion Longwall", "play The Royal Mint; build Dimwell"]
    assert [line for _, line in turns[0].variants] == [
        *("play Groat; minion The Scours", "play Groat; minion The Shades", "play Groat; minion Dimwell")
    ]
    assert turns[1].others == ((), ())


def test_nothing_is_suggested_behind_what_could_reveal_something() -> None:
    match = Match.from_position(CITY.format(cards="rincewind, leonard-of-quirm"))
    assert suggest(match, RED) == []


def test_nothing_is_suggested_where_no_card_can_be_played() -> None:
    match = Match.from_position(CITY.format(cards="groat"))
    match.choose(RED, match.pending[0].options[0])
    assert suggest(match, RED) == suggest(match, Seat(1)) == []


@pytest.mark.parametrize(
    ("steps", "texts"),
    [
        ("play A, (money), minion B", "play A; minion B"),
        ("play A, (money), use Dimwell", "play A; money; use Dimwell"),
        ("play A, (scroll), (money), use Dimwell, minion C", "play A; scroll; money; use Dimwell; minion C"),
        ("play A, (scroll), skip, minion B", "play A; scroll; skip; minion B"),
        ("play A, skip, (money), end", "play A; end"),
        ("play A, minion B, skip, (skip), end", "play A; minion B; end"),
        ("play A, minion B, (skip)", "play A; minion B"),
    ],
)
def test_what_is_done_by_itself_is_written_where_the_next_order_could_come_before_it(steps: str, texts: str) -> None:
    made = [Step(text.strip("()"), text.startswith("(")) for text in steps.split(", ")]
    assert "; ".join(step.text for step in written(made)) == texts


@pytest.mark.parametrize(("areas", "orders"), [(4, 6), (5, 0)])
def test_a_turn_of_more_than_six_orders_is_not_suggested(areas: int, orders: int) -> None:
    held = ("Nap Hill", "Seven Sleepers", "Longwall", "Dragon's Landing", "The Scours")
    city = CITY.format(cards="groat, ruby, hex").replace("Nap Hill G", "The Hippo G")
    match = Match.from_position(city.replace("draw", " | ".join(f"{area} R [R]" for area in held[:areas]) + " | draw"))
    suggested = [len(turn.orders) for turn in suggest(match, RED) if turn.orders[0] == "play Groat"]
    assert suggested == ([orders] if orders else [])


@pytest.mark.parametrize(("count", "kept"), [(13, 12), (14, 0)])
def test_up_to_twelve_others_are_offered_in_the_place_of_an_order(count: int, kept: int) -> None:
    options = [*(Option(f"move Red from A to {number}") for number in range(count)), Option("skip")]
    decision = Decision(RED, "move", options, options[-1])
    assert len(others(decision, options[0])) == kept
