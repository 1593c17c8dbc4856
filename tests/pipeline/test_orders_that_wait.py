"""Orders behind somebody else's answer wait for it by name, or for reactions, and are done behind it without a new mail."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.play import queued

POSITION = "3 players | red* $8 holds dr-whiteface,groat,mr-boggis | green $5 holds ruby | blue $5 | The Scours R G"

#: Whoever has the building may keep minions from an event, behind which it asks the actor.
FLOOD = "3 players | red* holds rincewind,groat | green $5 holds 3 | blue holds 3 | Dimwell R G ! | Small Gods [G] | events flood"


@pytest.fixture
def table(world: Any) -> Any:
    world.start(3)
    world.set_to(POSITION)
    return world


def chosen(world: Any) -> list[str]:
    return [choice[1] for version in world.chain() for choice in version.added]


def play(world: Any, orders: str) -> Any:
    ann = world.people["ann@example.org"]
    assert ann.writes(orders) == "applied"
    return ann


@pytest.mark.parametrize("answer", ["pay", "refuse"])
def test_what_waits_is_done_behind_the_answer(table: Any, answer: str) -> None:
    ann = play(table, "play Dr Whiteface; target Green; minion Dimwell")
    told = " ".join(ann.newest.text.split())
    assert "> minion Dimwell Waits for Green (Bob)." in told
    assert "The game waits for Green (Bob), who is asked about Dr Whiteface, until" in told
    assert "Not carried out" not in told
    table.people["bob@example.org"].writes(answer)
    assert "minion Dimwell" in chosen(table)
    assert "YOUR ORDERS THAT WAITED\n  > minion Dimwell\n" in ann.newest.text


def test_everybody_reads_who_owes_an_answer_that_all_know_of(table: Any) -> None:
    play(table, "play Dr Whiteface; target Green")
    cid = table.people["cid@example.org"]
    cid.writes("status")
    assert "The game waits for Green (Bob), who is asked about Dr Whiteface" in cid.newest.text


def test_what_is_not_possible_when_the_answer_is_in_is_said_with_the_reason(table: Any) -> None:
    ann = play(table, "play Dr Whiteface; target Green; minion Unreal Estate; end")
    table.people["bob@example.org"].writes("pay")
    assert table.whose() is ann
    told = " ".join(ann.newest.text.split())
    assert "Please write again what you want. > minion Unreal Estate Unreal Estate: you have no minion" in told
    assert "minion Unreal Estate" not in chosen(table)


@pytest.mark.parametrize(("orders", "lost"), [("minion Dimwell; end", ["minion Dimwell"]), ("skip; end turn", [])])
def test_of_what_waited_in_a_turn_that_has_ended_only_what_was_left_undone_is_told(
    table: Any, orders: str, lost: list[str]
) -> None:
    play(table, f"play Dr Whiteface; target Green; {orders}")
    with table.store.reading() as tx:
        seat, lines = queued.lost(tx.open_asks(table.game_id))
    assert seat == table.table.match.actor
    assert [line.text for line in lines] == lost


def test_a_remark_is_no_order_that_was_not_carried_out(table: Any) -> None:
    """Neither behind an answer, nor before an order that waited and was done."""
    ann = play(table, "play Dr Whiteface; target Green; I want his 5 dollars; minion Dimwell")
    bob = table.people["bob@example.org"]
    bob.writes("ok i pay the 5 dollars, don't burn my house down!")
    for person, remark in ((ann, "I want his 5 dollars"), (bob, "don't burn my house")):
        told = " ".join(person.newest.text.split())
        assert f"Not read as orders: {remark}" in told
        assert "up to a point" not in told
        assert "Not carried out" not in told


def test_a_question_that_followed_changed_nothing_that_was_possible(world: Any) -> None:
    world.start(3)
    world.set_to("3 players | red* $8 holds herennow,groat | green $5 | blue $5 | The Scours R G", [8])
    told = " ".join(play(world, "play Here'n'Now; scroll; play Groat; minion Dimwell").newest.text.split())
    assert "changed what is possible" not in told
    assert "Ann, a question comes before the rest of your orders" in told


def test_while_a_window_is_open_no_seat_is_named(world: Any) -> None:
    world.start(3, reactions="sealed")
    world.set_to(
        "3 players | red* $8 holds inigo-skimmer,groat | green $5 holds 2 | blue $5 holds 2 | Dimwell R G ! | Longwall R"
    )
    ann = world.people["ann@example.org"]
    ann.writes("play Inigo Skimmer; assassinate Green in Dimwell; end")
    told = " ".join(ann.newest.text.partition("THE CITY")[0].split())
    assert "Waits for reactions." in told
    assert "Bob" not in told


def test_what_waits_answers_no_question_of_an_event(world: Any) -> None:
    world.start(3, reactions="sealed")
    world.set_to(FLOOD, [8, 8])
    ann = play(world, "play Rincewind; move Red from Dimwell to Longwall")
    assert "Waits for reactions" in ann.newest.text
    world.people["bob@example.org"].writes("pass")
    assert [decision.kind for decision in world.table.match.pending] == ["flood"]
    told = " ".join(ann.newest.text.split())
    assert "> move Red from Dimwell to Longwall Not carried out." in told
    assert chosen(world)[-1] == "pass"
