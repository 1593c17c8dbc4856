"""A `yes` or a `no` in any usual form, when it stands alone, is about what was offered, and about nothing else."""

from __future__ import annotations

from typing import Any

import pytest

POSITION = "2 players | red* $8 holds mr-boggis,groat,drumknott | green $5 holds ruby | The Scours R G"
DOUBTED = "play groat, but only if green has moved"


@pytest.fixture
def asked(world: Any) -> Any:
    """Red has written something in doubt, and was asked about it."""
    world.start(2)
    world.set_to(POSITION)
    assert world.people["ann@example.org"].writes(DOUBTED) == "refused"
    return world


@pytest.mark.parametrize(
    "typed",
    [
        "ok",
        "Yep!",
        "ja, bitte",
        "Sure.\n\nCheers,\nAnn",
        "do it",
        "yes please, thanks",
        "d'accord",
        "confirm",
        "yes please, exactly that",
    ],
)
def test_a_yes_in_a_usual_form_does_what_was_offered(asked: Any, typed: str) -> None:
    ann = asked.people["ann@example.org"]
    assert ann.writes(typed) == "applied"
    assert asked.table.match.view(None)["in_play"] == "Groat"


@pytest.mark.parametrize(
    "typed",
    ["ok?", "yes and no", "ok, but wait", "not ok", "ok, only the first", "I do not know, ok", "yes, if green moves"],
)
def test_a_yes_that_does_not_stand_alone_does_nothing_and_is_answered(asked: Any, typed: str) -> None:
    ann = asked.people["ann@example.org"]
    ann.skip()
    assert ann.writes(typed) != "applied"
    assert asked.table.match.view(None)["in_play"] is None
    ann.receives()


def test_a_no_ends_the_offer_and_says_so(asked: Any) -> None:
    ann = asked.people["ann@example.org"]
    offer = ann.newest
    assert ann.writes("No, thank you") == "answered"
    assert "Ann, then it is not done." in ann.newest.text
    assert ann.writes("yes", to=offer) == "answered"
    assert 'nothing that your "yes" confirms' in " ".join(ann.newest.text.split())
    assert asked.table.match.view(None)["in_play"] is None


def test_orders_below_a_yes_follow_what_was_offered(asked: Any) -> None:
    ann = asked.people["ann@example.org"]
    assert ann.writes("yes\nminion Dimwell") == "applied"
    chosen = [choice[1] for version in asked.chain() for choice in version.added]
    assert chosen[:2] == ["play Groat", "minion Dimwell"]


def test_a_yes_above_orders_with_nothing_to_confirm_is_said_not_to_count(world: Any) -> None:
    world.start(2)
    world.set_to(POSITION)
    ann = world.people["ann@example.org"]
    assert ann.writes("yes\nplay Groat") == "applied"
    assert "Not read as orders: yes" in ann.newest.text


def test_a_yes_or_no_to_another_question_is_no_answer_to_what_the_game_asks(world: Any) -> None:
    world.start(3)
    world.set_to("3 players | red* $8 holds dr-whiteface,groat | green $5 holds ruby | blue $5 | The Scours R")
    bob = world.people["bob@example.org"]
    world.people["ann@example.org"].writes("play Dr Whiteface; target Green")
    question = bob.newest
    bob.writes("resign", to=question)
    assert bob.writes("no", to=bob.newest) == "answered"
    assert "then it is not done" in bob.newest.text
    bob.writes("resign", to=question)
    assert bob.writes("Ok", to=bob.newest) == "applied"
    assert world.table.seats[1].bot
