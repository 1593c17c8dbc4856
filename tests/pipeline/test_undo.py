"""`undo` takes back one mail, no further back than the last reveal; when it cannot, it says the reason that applied."""

from __future__ import annotations

from typing import Any

import pytest

POSITION = (
    "3 players | red* $8 holds dr-cruces,mr-boggis,groat,dr-whiteface | green $5 holds ruby | blue $5 | Dimwell R2"
)


@pytest.fixture
def table(world: Any) -> Any:
    world.start(3)
    world.set_to(POSITION)
    return world


def ann(world: Any) -> Any:
    person = world.people["ann@example.org"]
    person.skip()
    return person


def chosen(world: Any) -> list[str]:
    return [choice[1] for version in world.chain() for choice in version.added]


def halves(world: Any) -> tuple[str, str]:
    """A card and an order behind it that reveal nothing, so that each can be a mail of its own."""
    match = world.table.match
    for option in match.pending[0].options:
        ahead = match.fork()
        ahead.choose(match.actor, option)
        decision = ahead.pending[0]
        for second in decision.options if decision.seat == match.actor and not decision.auto else ():
            further = ahead.fork()
            further.choose(match.actor, second)
            if (
                further.reveals == match.reveals
                and further.turn == match.turn
                and further.pending[0].seat == match.actor
            ):
                return option.text, second.text
    raise AssertionError("in this position some card takes two orders without a reveal")


def test_undo_takes_back_one_mail_and_the_next_undo_the_mail_before(table: Any) -> None:
    person = ann(table)
    first, second = halves(table)
    person.writes(first)
    once = table.table.match.digest()
    person.writes(second)
    twice = table.table.match.digest()
    assert person.writes("undo") == "applied"
    assert f"Taken back: {second}." in " ".join(person.newest.text.split())
    assert table.table.match.digest() == once
    person.writes(second)
    assert table.table.match.digest() == twice
    person.writes("undo")
    assert person.writes("undo") == "applied"
    assert f"Taken back: {first}" in " ".join(person.newest.text.split())
    assert chosen(table) == []
    assert person.writes("undo") == "answered"
    assert "You have done nothing yet." in person.newest.text


def test_others_see_nothing_of_what_is_left_of_a_turn_behind_an_undo(table: Any) -> None:
    person, other = ann(table), table.people["bob@example.org"]
    first, second = halves(table)
    person.writes(first)
    person.writes(second)
    person.writes("undo")
    other.writes("history")
    assert "played" not in other.newest.text
    person.writes("history")
    assert "You played" in person.newest.text


def test_orders_that_others_are_asked_about_cannot_be_taken_back_and_what_waits_for_them_can(table: Any) -> None:
    person = ann(table)
    question = person.newest
    person.writes("play Dr Whiteface; target Green; minion Longwall")
    assert "Waits for Green (Bob)." in person.newest.text
    assert person.writes("undo") == "applied"
    assert "Taken back: minion Longwall." in person.newest.text
    assert person.writes("undo", to=question) == "answered"
    assert "Others have seen your last orders" in person.newest.text
    table.people["bob@example.org"].writes("pay")
    assert table.whose() is person, "nothing is kept any more"


def test_behind_a_reveal_undo_says_that_there_was_one(world: Any) -> None:
    (person,) = world.start(1, seed=b"\7" * 32, bots=1)
    person.writes("play Sergeant Angua\ncalm The Scours\nplay Mrs Cake")
    person.writes("undo")
    assert person.writes("undo") == "answered"
    assert "With your last orders a card was drawn, a die rolled" in " ".join(person.newest.text.split())


def test_in_anothers_turn_undo_says_that_it_is_not_theirs(table: Any) -> None:
    other = table.people["bob@example.org"]
    assert other.writes("undo") == "answered"
    assert "It is not your turn now" in other.newest.text
