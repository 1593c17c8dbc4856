"""The rules of Goofspiel, by their numbers in RULES.md."""

from __future__ import annotations

from typing import Any

import pytest

from games.goofspiel import GAME
from games.goofspiel.match import Match
from pbem.errors import ReplayMismatch
from pbem.protocol import Event, HasBot, HasRules, Option, Seat, decision_of

SEED = bytes(range(32))


def table(*prizes: int, seats: int = 2) -> Match:
    """A match in which these prizes come up in this order."""
    match = Match(seats, len(prizes))
    match.prizes = list(reversed(prizes))
    match._begin_turn()
    return match


def bid(match: Match, *cards: int) -> list[Event]:
    """Every seat bids a card; what happened when the last was in."""
    events: list[Event] = []
    for seat, card in enumerate(cards):
        assert events == []
        events = match.choose(Seat(seat), Option(f"bid {card}"))
    return events


def shown(events: list[Event], kind: str) -> Any:
    (event,) = (one for one in events if one.kind == kind)
    return event.data


@pytest.mark.parametrize("cards", ["13", "10", "7", "5"])
def test_the_setting_says_how_many_cards_there_are(cards: str) -> None:
    """Rules 1 and 2"""
    view = GAME.new(6, SEED, {"cards": cards}).view(None)
    suit = list(range(1, int(cards) + 1))
    assert [seat["cards"] for seat in view["seats"]] == [suit] * 6
    assert sorted(view["stakes"] + view["to_come"]) == suit


def test_the_usual_game_has_thirteen_cards_and_at_most_six_players() -> None:
    assert len(GAME.new(2, SEED, {}).view(Seat(1))["hand"]) == 13
    with pytest.raises(ValueError, match="2 to 6"):
        GAME.new(7, SEED, {})


def test_the_order_of_the_prizes_comes_from_the_seed() -> None:
    """Rule 2"""
    first = {GAME.new(2, bytes([number]) * 32, {}).view(None)["stakes"][0] for number in range(100)}
    assert first == set(range(1, 14))


def test_all_bid_at_once_and_nothing_is_shown_before_the_last() -> None:
    """Rule 4"""
    match = table(2, 3, 1, seats=3)
    before = match.view(Seat(1))
    assert [one.seat for one in match.pending] == [0, 1, 2]
    assert match.choose(Seat(1), Option("bid 3")) == []
    assert [one.seat for one in match.pending] == [0, 2]
    assert match.view(Seat(1)) == before


def test_the_highest_bid_takes_the_prize_and_all_bids_are_gone() -> None:
    """Rule 5"""
    match = table(2, 3, 1, 4)
    told = shown(bid(match, 1, 3), "BidsShown")
    assert told == {"bids": {"Red": 1, "Green": 3}, "highest": ["Green"], "prizes": [2], "lost": False}
    assert [(seat["cards"], seat["won"]) for seat in match.view(None)["seats"]] == [([2, 3, 4], []), ([1, 2, 4], [2])]


def test_prizes_that_are_tied_for_stay_and_go_with_the_next_one() -> None:
    """Rule 6"""
    match = table(2, 3, 1, 4)
    bid(match, 4, 4)
    assert match.view(None)["stakes"] == [2, 3]
    bid(match, 3, 1)
    assert match.view(None)["seats"][0]["won"] == [2, 3]
    assert match.view(None)["stakes"] == [1]


def test_a_tie_for_the_highest_bid_gives_nothing_to_a_lower_one() -> None:
    """Rule 6"""
    match = table(2, 3, 1, 4, seats=3)
    bid(match, 4, 4, 3)
    assert [seat["won"] for seat in match.view(None)["seats"]] == [[], [], []]


def test_the_last_cards_are_bid_by_themselves_and_a_tie_then_loses_the_prizes() -> None:
    """Rules 6 and 7"""
    match = table(1, 2)
    events = bid(match, 1, 1)
    assert [decision.options[0].text for decision in match.forced] == ["bid 2", "bid 2"]
    assert events[-2].data["lost"]
    assert events[-2].data["prizes"] == [1, 2]
    assert match.pending == ()


def test_a_prize_counts_its_number_and_the_most_points_win() -> None:
    """Rule 8"""
    match = table(3, 2, 1)
    bid(match, 2, 1)
    bid(match, 3, 2)
    assert match.result is not None
    assert (match.result.winners, match.result.scores) == ((0,), (5, 1))


def test_whoever_is_level_shares_the_win() -> None:
    """Rule 8"""
    match = table(1, 2)
    bid(match, 1, 1)
    assert match.result is not None
    assert match.result.winners == (0, 1)


def test_who_never_answers_bids_the_lowest_card() -> None:
    """Rule 9"""
    match = table(2, 3, 1)
    bid(match, 1, 2)
    assert [one.default.text for one in match.pending] == ["bid 2", "bid 1"]


def test_the_choices_of_a_turn_come_in_the_order_of_the_seats() -> None:
    match = table(2, 3, 1)
    match.choose(Seat(1), Option("bid 3"))
    match.choose(Seat(0), Option("bid 1"))
    match.choose(Seat(1), Option("bid 2"))
    assert match.choices() == [[0, "bid 1", []], [1, "bid 3", []], [1, "bid 2", []]]


def test_a_snapshot_that_was_changed_is_not_restored() -> None:
    stored = table(2, 3, 1).snapshot()
    with pytest.raises(ReplayMismatch):
        GAME.restore({**stored, "won": [[3], []]})
    with pytest.raises(ReplayMismatch, match="schema"):
        GAME.restore({**stored, "schema": 0})


@pytest.mark.parametrize(("chance", "card"), [(0, "bid 3"), (2, "bid 5"), (4, "bid 7")])
def test_the_bot_bids_about_what_the_prize_is_worth(chance: int, card: str) -> None:
    match = table(5, *range(1, 5), *range(6, 14))
    decision = decision_of(match, Seat(0))
    assert decision is not None
    assert isinstance(GAME, HasBot)
    assert GAME.bot(match.view(Seat(0)), decision, bytes([chance])).text == card


@pytest.mark.parametrize(("name", "number"), [("7", 7), ("ace", 1), ("Knave", 11), ("king", 13)])
def test_a_card_is_looked_up_by_its_number_and_its_names(name: str, number: int) -> None:
    assert isinstance(GAME, HasRules)
    card = GAME.lookup(name)
    assert card is not None
    assert card["number"] == number
    assert GAME.lookup("joker") is None
