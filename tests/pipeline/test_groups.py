"""Several seats asked at once, by mail: Goofspiel, where all bid in secret."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def bidding(world: Any) -> Any:
    """Three people who bid for the first of five prizes."""
    world.start(3, game="goofspiel", rules={"cards": "5"})
    return world


def people(world: Any) -> list[Any]:
    return [world.people[f"{name}@example.org"] for name in ("ann", "bob", "cid")]


def test_all_are_asked_together_with_the_same_deadline(bidding: Any) -> None:
    assert [ask.seat for ask in bidding.asks] == [0, 1, 2]
    assert len({ask.due_at for ask in bidding.asks}) == 1
    for person in people(bidding):
        person.receives("your move", "bid 5")


def test_an_answer_is_kept_and_nobody_else_hears_of_it(bidding: Any) -> None:
    ann, bob, cid = people(bidding)
    version = bidding.game.version
    for person in (ann, bob, cid):
        person.skip()
    assert ann.writes("bid 3") == "applied"
    ann.receives("your answer is in", "kept secret until everybody asked has answered")
    bob.receives_nothing()
    cid.receives_nothing()
    assert bidding.game.version == version
    before = bob.newest
    bob.writes("status")
    assert "Red (Ann), Green (Bob) and Blue (Cid)" not in bob.newest.text  # he is asked himself
    assert bob.newest.text.count("bid") >= before.text.count("bid 5")


def test_who_waits_reads_the_whole_group_whoever_has_answered(bidding: Any) -> None:
    ann, bob, _ = people(bidding)
    ann.writes("bid 3")
    ann.writes("status")
    assert "your answer is in" in ann.newest.subject
    bob.writes("bid 2")
    ann.writes("status")
    assert "your answer is in" in ann.newest.subject


def test_the_last_answer_closes_the_group_and_all_are_told(bidding: Any) -> None:
    ann, bob, cid = people(bidding)
    ann.writes("bid 3")
    bob.writes("bid 5")
    for person in (ann, bob, cid):
        person.skip()
    assert cid.writes("bid 4") == "applied"
    assert bidding.game.turn == 2
    for person in (ann, bob, cid):
        person.receives("your move")
    assert [choice[:2] for choice in bidding.chain()[-1].added] == [[0, "bid 3"], [1, "bid 5"], [2, "bid 4"]]


def test_an_answer_is_replaced_until_the_group_closes(bidding: Any) -> None:
    ann, bob, cid = people(bidding)
    ann.writes("bid 3")
    assert ann.writes("bid 1") == "applied"
    bob.writes("bid 5")
    cid.writes("bid 4")
    assert next(choice[:2] for choice in bidding.chain()[-1].added) == [0, "bid 1"]


def test_undo_takes_an_answer_back(bidding: Any) -> None:
    ann, bob, cid = people(bidding)
    ann.writes("bid 3")
    assert ann.writes("undo") == "applied"
    assert "bid 3" in ann.newest.text
    bob.writes("bid 5")
    cid.writes("bid 4")
    assert bidding.game.turn == 1
    ann.writes("bid 2")
    assert bidding.game.turn == 2


def test_an_order_that_is_wrong_leaves_the_answer_as_it_was(bidding: Any) -> None:
    ann, bob, cid = people(bidding)
    ann.writes("bid 3")
    assert ann.writes("bid 9") == "refused"
    bob.writes("bid 5")
    cid.writes("bid 4")
    assert next(choice[:2] for choice in bidding.chain()[-1].added) == [0, "bid 3"]


def test_the_deadline_answers_for_the_silent_and_closes_the_group(bidding: Any) -> None:
    ann, bob, cid = people(bidding)
    ann.writes("bid 3")
    assert bidding.wait(73)
    assert bidding.game.turn == 2
    assert next(choice[:2] for choice in bidding.chain()[-1].added) == [0, "bid 3"]
    for person in (bob, cid):
        assert "Your deadline has passed" in person.newest.text
    assert "Your deadline has passed" not in ann.newest.text


def test_who_has_answered_gets_no_reminder(bidding: Any) -> None:
    ann, bob, _ = people(bidding)
    ann.writes("bid 3")
    ann.skip()
    bob.skip()
    bidding.wait(61)
    ann.receives_nothing()
    bob.receives("reminder")


def test_a_bot_bids_at_once_and_shows_nothing(world: Any) -> None:
    (ann,) = world.start(1, game="goofspiel", bots=2)
    ann.skip()
    assert ann.writes("bid 7") == "applied"
    assert world.game.turn == 2
    ann.receives("your move")


def test_a_preview_of_an_answer_keeps_nothing(bidding: Any) -> None:
    ann, bob, cid = people(bidding)
    assert ann.writes("preview\nbid 3") == "answered"
    bob.writes("bid 5")
    cid.writes("bid 4")
    assert bidding.game.turn == 1


def test_resending_and_copying_keep_the_answer(bidding: Any) -> None:
    ann, bob, cid = people(bidding)
    ann.writes("bid 3")
    assert ann.writes("report", cc="somebody@else.example") == "answered"
    bob.writes("bid 5")
    cid.writes("bid 4")
    assert bidding.game.turn == 2
    assert next(choice[:2] for choice in bidding.chain()[-1].added) == [0, "bid 3"]


def test_a_whole_game_of_goofspiel_ends_by_mail(bidding: Any) -> None:
    while bidding.game.status == "running":
        bidding.play_turn()
    for person in people(bidding):
        assert "the game is over" in person.newest.subject
