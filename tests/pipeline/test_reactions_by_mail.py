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
        if table.match.pending[0].seat != table.match.actor:
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
    assert f"The game waits for Blue ({asked.whose().name}), who is asked about Dr Whiteface" in actor.newest.text


def test_the_question_has_the_shorter_deadline_and_stops_the_actors_clock(asked: Any) -> None:
    window = asked.asks[-1]
    assert (window.due_at - window.opened_at).total_seconds() == 24 * 3600
    assert [one.due_at for one in asked.asks if one.kind == "turn"] in ([], [None])


def test_the_others_read_who_owes_an_answer_that_everybody_knows_of(asked: Any) -> None:
    person = asked.whose()
    other = next(one for one in asked.others() if one.name != asked.table.seats[asked.table.match.actor].name)
    other.writes("status")
    assert f"The game waits for Blue ({person.name}), who is asked about Dr Whiteface" in other.newest.text


def test_the_actor_is_asked_again_with_the_time_that_was_left(asked: Any) -> None:
    actor = asked.table.match.actor
    turn = asked.game.turn
    with asked.store.reading() as tx:
        suspended = [one for one in tx.open_asks(asked.game_id, actor) if one.kind == "turn"]
    asked.pass_time(10)
    while asked.table.match.pending[0].seat != actor:
        asked.whose().writes(asked.orders())
    assert asked.game.turn == turn, "with this seed the turn goes on behind the question"
    left = (asked.asks[-1].due_at - asked.asks[-1].opened_at).total_seconds()
    assert left == pytest.approx(suspended[-1].left_seconds)


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
    assert asked.table.seats[0].nmr_count + asked.table.seats[1].nmr_count + asked.table.seats[2].nmr_count == 0


def actor_of(world: Any) -> Any:
    table = world.table
    return world.people[table.players[table.match.actor].address.address]


def last_question(person: Any) -> Any:
    """The newest mail that asked the actor for a move."""
    return [mail for mail in person.inbox if "your move" in mail.subject][-1]


def test_orders_of_the_actor_meanwhile_change_nothing(asked: Any) -> None:
    actor, version = actor_of(asked), asked.game.version
    for mail in (actor.newest, last_question(actor)):
        assert actor.writes("end", to=mail) == "answered"
    assert asked.game.version == version


def test_with_a_code_that_moves_nothing_they_are_said_back_with_what_to_do(asked: Any) -> None:
    actor = actor_of(asked)
    assert actor.writes("minion Dimwell\nend") == "answered"
    told = " ".join(actor.newest.text.split())
    assert "not yet" in actor.newest.subject
    assert "others have to answer before your turn goes on" in told
    assert "please send it then" in told
    assert "You wrote: minion Dimwell; end" in told


def answered_so_far(world: Any, actor: Any) -> None:
    """Everybody else gives their answers, until the turn goes on or is over."""
    turn = world.game.turn
    while world.game.turn == turn and world.whose() is not actor:
        assert world.whose().writes(world.first_order()) == "applied"


def test_orders_of_the_actor_meanwhile_are_kept_and_carried_out_behind_the_answers(asked: Any) -> None:
    actor, turn = actor_of(asked), asked.game.turn
    assert actor.writes("end", to=last_question(actor)) == "answered"
    told = " ".join(actor.newest.text.split())
    assert "We keep your orders" in told
    assert "You wrote: end" in told
    answered_so_far(asked, actor)
    assert asked.game.turn == turn + 1
    assert actor.newest.token
    assert "your move" not in actor.newest.subject
    choices = [tuple(choice[:2]) for version in asked.chain() for choice in version.added]
    match = asked.table.rules.new(3, asked.game.seed, {})
    for _, text in choices:
        match.choose(match.pending[0].seat, match.pending[0].option(text))
    assert match.digest() == asked.table.match.digest()


def test_kept_orders_that_are_not_possible_then_are_not_done_at_all(asked: Any) -> None:
    actor, turn = actor_of(asked), asked.game.turn
    actor.writes("play The Ramtop Mountains\nend", to=last_question(actor))
    answered_so_far(asked, actor)
    assert asked.game.turn == turn
    assert asked.whose() is actor
    assert "your move" in actor.newest.subject


def test_newer_orders_take_the_place_of_kept_ones(asked: Any) -> None:
    actor, turn = actor_of(asked), asked.game.turn
    actor.writes("end", to=last_question(actor))
    actor.writes("play The Ramtop Mountains", to=last_question(actor))
    answered_so_far(asked, actor)
    assert asked.game.turn == turn, "the end that was kept first counts no more"


def test_what_stands_behind_a_question_to_others_is_done_behind_their_answer(world: Any, begin: Any) -> None:
    begin(3, seed=b"\5" * 32)
    while True:
        actor, turn = world.whose(), world.game.turn
        orders = world.orders()
        assert actor.writes(f"{orders}\nend") == "applied"
        if world.game.turn == turn:
            break
    assert "What waits below is done then" in " ".join(actor.newest.text.split())
    answered_so_far(world, actor)
    assert world.game.turn == turn + 1


def test_a_deadline_that_answers_lets_the_turn_go_on_as_well(asked: Any) -> None:
    actor, turn = actor_of(asked), asked.game.turn
    actor.writes("end", to=last_question(actor))
    while asked.game.turn == turn and asked.whose() is not actor:
        asked.wait(25)
    assert asked.game.turn == turn + 1


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
        decision = world.table.match.pending[0]
        assert not decision.window or decision.seat == world.table.match.actor
        orders = world.orders().splitlines()
        world.whose().writes("\n".join(orders[: chance.randint(1, len(orders))]))
