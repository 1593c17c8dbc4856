"""One mail that asks for several things gets all of them, or is told what was left out."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def started(world: Any, begin: Any) -> Any:
    people = begin(3)
    for one in people:
        one.skip()
    return world


def subjects(person: Any) -> str:
    found = " | ".join(mail.subject for mail in person.inbox[person.read :])
    person.skip()
    return found


def test_orders_policies_and_questions_in_one_mail(started: Any) -> None:
    asked = started.whose()
    text = f"standing Gaspode: never\n{started.orders()}\nhistory\nstatus\ncard Groat"
    lines = text.splitlines()
    text = "\n".join([lines[0], *lines[-3:], *lines[1:-3]])  # what stands behind `end` is no wish any more
    assert asked.writes(text) == "applied"
    told = subjects(asked)
    for one in ("your policies", "carried out", "the story so far", "status", "what you asked about"):
        assert one in told
    assert started.game.turn == 2


def test_refused_orders_and_a_question(started: Any) -> None:
    asked = started.whose()
    assert asked.writes("status\nplay The Ramtop Mountains") == "refused"
    told = subjects(asked)
    assert "please look at one line" in told
    assert "status" in told


def test_undo_and_a_question(started: Any) -> None:
    asked = started.whose()
    asked.writes(started.first_order())
    asked.skip()
    assert asked.writes("undo\nhistory") == "applied"
    told = subjects(asked)
    assert "taken back" in told
    assert "the story so far" in told


def test_orders_behind_an_undo_of_nothing_are_carried_out_at_the_beginning_of_a_turn(started: Any) -> None:
    asked = started.whose()
    assert asked.writes("undo\n" + started.orders()) == "applied"
    assert started.game.turn == 2


def test_orders_behind_an_undo_that_cannot_be_done_are_said_back(world: Any) -> None:
    (person,) = world.start(1, seed=b"\7" * 32, bots=1)
    person.writes("play Sergeant Angua\ncalm The Scours\nplay Mrs Cake")
    person.writes("undo")
    digest = world.table.match.digest()
    assert person.writes("undo\nmoney") == "answered"
    assert "nothing that can be taken back" in person.newest.text
    told = person.newest.text.partition("YOUR ORDERS")[2]
    assert "money" in told
    assert "Not carried out" in told
    assert world.table.match.digest() == digest


def test_what_a_preview_leaves_out_is_said(started: Any) -> None:
    asked = started.whose()
    assert asked.writes(f"preview\nstanding Gaspode: never\n{started.first_order()}\nstatus") == "answered"
    assert "status" in subjects(asked)
    preview = next(mail for mail in asked.inbox if "preview" in mail.subject)
    assert "standing Gaspode: never" in preview.text
    seat = started.table.match.actor
    assert started.table.policies[seat] == {}


def test_a_wish_to_resign_does_not_swallow_the_rest(started: Any) -> None:
    asked = started.whose()
    assert asked.writes(f"resign\nstatus\n{started.orders()}") == "applied"
    told = subjects(asked)
    for one in ("do you want to resign", "status", "carried out"):
        assert one in told


def test_a_question_beside_parked_orders_is_answered(started: Any) -> None:
    asked = started.whose()
    assert asked.writes(f"{started.first_order()}\nstatus", subject="my move") == "parked"
    told = subjects(asked)
    assert "not carried out" in told
    assert "status" in told


def test_a_question_beside_a_yes_is_answered_and_other_orders_are_said_back(started: Any) -> None:
    asked = started.whose()
    orders = started.first_order()
    asked.writes(orders, subject="my move")
    offer = asked.newest
    asked.skip()
    assert asked.writes("yes\nplay The Ramtop Mountains\nhistory", to=offer) == "applied"
    mail = next(one for one in asked.inbox[asked.read :] if orders in one.text)
    assert "play The Ramtop Mountains" in mail.text
    assert "the story so far" in subjects(asked)
