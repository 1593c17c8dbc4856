"""Questions in somebody else's turn: who is asked, who is told, whose time runs."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest


@pytest.fixture
def asked(world: Any, begin: Any) -> Any:
    """A game in which somebody is asked something in another's turn."""
    begin(3, seed=b"\5" * 32)
    for _ in range(200):
        table = world.table
        if table.match.decision.seat != table.match.actor:
            return world
        world.whose().writes(world.orders())
    raise AssertionError("with this seed nobody is asked anything in another's turn")


def test_the_seat_that_is_asked_gets_a_report_with_the_question(asked: Any) -> None:
    person = asked.whose()
    assert person.newest.token == asked.asks[-1].token
    assert asked.asks[-1].kind == "window"
    assert "WHAT YOU MAY DO NOW" in person.newest.text


def test_the_actor_is_told_that_the_turn_goes_on_later(asked: Any) -> None:
    table = asked.table
    actor = asked.people[table.players[table.match.actor].address.address]
    assert "your orders are noted" in actor.newest.subject
    assert "reactions" in actor.newest.text


def test_the_question_has_the_shorter_deadline_and_stops_the_actors_clock(asked: Any) -> None:
    window = asked.asks[-1]
    assert (window.due_at - window.opened_at).total_seconds() == 24 * 3600
    assert [one.due_at for one in asked.asks if one.kind == "turn"] in ([], [None])


def test_the_others_read_of_reactions_and_of_no_seat(asked: Any) -> None:
    person = asked.whose()
    other = next(one for one in asked.others() if one.name != asked.table.seats[asked.table.match.actor].name)
    other.writes("status")
    assert person.name not in other.newest.text.split("\n\n")[0]


def test_the_actor_is_asked_again_with_the_time_that_was_left(asked: Any) -> None:
    actor = asked.table.match.actor
    turn = asked.game.turn
    with asked.store.reading() as tx:
        suspended = [one for one in tx.open_asks(asked.game_id, actor) if one.kind == "turn"]
    asked.pass_time(10)
    while asked.table.match.decision.seat != actor:
        asked.whose().writes(asked.orders())
    assert asked.game.turn == turn, "with this seed the turn goes on behind the question"
    left = (asked.asks[-1].due_at - asked.asks[-1].opened_at).total_seconds()
    assert left == pytest.approx(suspended[-1].terms["left"])


def test_an_answer_given_once_is_not_taken_for_the_next_question(asked: Any) -> None:
    person, mail = asked.whose(), asked.whose().newest
    assert person.writes(asked.first_order(), to=mail) == "applied"
    version = asked.game.version
    assert person.writes("1", to=mail) == "answered"
    assert "past" in person.newest.subject
    assert asked.game.version == version


def test_an_answer_that_does_not_come_is_given_for_them(asked: Any) -> None:
    version = asked.game.version
    asked.wait(25)
    assert asked.game.version == version + 1
    assert (
        asked.table.seats[0].nmr_count + asked.table.seats[1].nmr_count + asked.table.seats[2].nmr_count == 0
    )


def test_orders_of_the_actor_meanwhile_change_nothing(asked: Any) -> None:
    table = asked.table
    actor = asked.people[table.players[table.match.actor].address.address]
    version = asked.game.version
    assert actor.writes("end") == "answered"
    assert asked.game.version == version


def test_orders_of_the_actor_meanwhile_are_said_back_with_what_to_do(asked: Any) -> None:
    table = asked.table
    actor = asked.people[table.players[table.match.actor].address.address]
    suspended = [mail for mail in actor.inbox if "your move" in mail.subject][-1]
    for mail in (actor.newest, suspended):
        assert actor.writes("minion Dimwell\nend", to=mail) == "answered"
        told = " ".join(actor.newest.text.split())
        assert "not yet" in actor.newest.subject
        assert "others have to answer before your turn goes on" in told
        assert "please send it then" in told
        assert "You wrote: minion Dimwell; end" in told
        assert asked.whose().name not in told.partition("THE CITY")[0]


def test_orders_of_others_meanwhile_are_past(asked: Any) -> None:
    busy = {asked.whose().name, asked.table.seats[asked.table.match.actor].name}
    other = next(one for one in asked.others() if one.name not in busy)
    assert other.writes("end") == "answered"
    assert "that is past" in other.newest.subject


def test_policies_answer_without_anybody_being_asked(world: Any, begin: Any) -> None:
    """In `standing` mode the windows of interrupts wait for nobody."""
    begin(3, seed=b"\5" * 32)
    chance = Random(5)
    for _ in range(60):
        if world.game.status != "running":
            break
        decision = world.table.match.decision
        assert not decision.window or decision.seat == world.table.match.actor
        orders = world.orders().splitlines()
        world.whose().writes("\n".join(orders[: chance.randint(1, len(orders))]))
