"""Questions in plain words: answered by mail, from what the asker may see, and never moving anything."""

from __future__ import annotations

from typing import Any

import pytest

POSITION = (
    "3 players | red* $8 holds groat,mr-boggis,susan | green $5 holds gaspode,ruby | blue holds 5"
    " | Dimwell R G ! | The Hippo R"
)


@pytest.fixture
def city(world: Any) -> Any:
    """Red, who is Ann, is to move."""
    world.start(3)
    world.set_to(POSITION)
    for person in world.people.values():
        person.skip()
    return world


@pytest.fixture
def ann(city: Any) -> Any:
    return city.people["ann@example.org"]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What does Gaspode do?", "it stays"),
        ("why can't I build in Dimwell?", "where there is trouble"),
        ("may i place a minion in small gods", "you have one next to it"),
        ("how many cards does Bob hold?", "Green has 2 cards"),
        ("Play Groat and put the minion in Nap Hill - would that be possible?", "you have no minion there"),
        ("can I still change my mind?", '"undo"'),
    ],
)
def test_a_question_is_answered_and_moves_nothing(city: Any, ann: Any, question: str, told: str) -> None:
    version = city.game.version
    assert ann.writes(question) == "answered"
    mail = ann.receives(subject="your question")
    assert told in " ".join(mail.text.split())
    assert len(mail.text.splitlines()) <= 20
    ann.receives_nothing()
    assert city.game.version == version


def test_a_question_is_answered_out_of_turn_and_without_a_token(city: Any) -> None:
    bob = city.people["bob@example.org"]
    assert bob.writes("who controls the Hippo?", subject="a question") == "answered"
    bob.receives(subject="your question", text="Red controls The Hippo")


def test_the_rule_behind_an_answer_is_named_and_not_recited(ann: Any) -> None:
    ann.writes("do I have to play a card?")
    mail = ann.receives(subject="your question", text='The rule: "rules R-TRN-3"')
    assert "R-TRN-3:" not in mail.text
    assert "body=rules%20R-TRN-3" in mail.html
    ann.writes("rules R-TRN-3", subject="rules")
    ann.receives(text="R-TRN-3")


def test_what_is_near_can_be_tapped(ann: Any) -> None:
    ann.writes("When can I use Susan?")
    mail = ann.receives(subject="your question")
    assert mail.html.count("mailto:") >= 2


def test_secrets_are_not_told(ann: Any) -> None:
    ann.writes("Does Bob have Gaspode in his hand?")
    text = ann.receives(subject="your question").text
    assert "Hands are private" in text
    assert "Ruby" not in text


def test_small_talk_is_looked_up_nowhere(ann: Any) -> None:
    assert ann.writes("How's the weather in Leeds?") == "answered"
    ann.receives(subject="no orders found")


def test_a_question_beside_orders_is_answered_with_them(city: Any, ann: Any) -> None:
    ann.writes("play groat\nminion dimwell\nHow many cards are left in the pile?")
    assert "left in the draw pile" in ann.receives().text


def test_three_questions_of_a_mail_are_answered_and_the_rest_is_said_not_to_be(ann: Any) -> None:
    ann.writes("who controls Dimwell? What does Susan do? How do I win? May I pass?")
    text = ann.receives(subject="your question").text
    assert text.count("  > ") == 3
    assert "ask the rest again" in text


@pytest.mark.parametrize(
    ("command", "subject", "told"),
    [
        ("card Vimes", "what you asked about", "Did you mean"),
        ("card Vetinari", "what you asked about", "A personality"),
        ("who Vetinari", "what you asked about", "A personality"),
        ("area dimwell", "what you asked about", "Area 8"),
        ("event flood", "what you asked about", "A random event"),
        ("rules two players", "your question", "Chrysoprase"),
        ("rules set-up", "your question", "$10"),
        ("rules hand limit", "your question", "R-TRN-8"),
        ("rules bridges", "your question", "neighbours"),
        ("rules R-BLD-1", "your question", "no trouble marker"),
        ("rules trouble", "rules", "trouble"),
    ],
)
def test_one_index_is_behind_all_that_looks_something_up(ann: Any, command: str, subject: str, told: str) -> None:
    assert ann.writes(command) == "answered"
    assert told in " ".join(ann.receives(subject=subject).text.split())


def test_a_question_that_no_order_hangs_on_does_not_hold_the_orders_up(city: Any, ann: Any) -> None:
    assert ann.writes("play groat, minion the hippo.\nBy the way, does a troll count against control?") == "applied"
    mail = ann.receives()
    assert "your orders" in mail.text.lower()
    assert "R-CTL-1" in mail.text


def test_a_question_that_orders_may_hang_on_holds_them_and_is_answered(city: Any, ann: Any) -> None:
    version = city.game.version
    assert ann.writes("play groat, minion the hippo. Would that make trouble?") == "refused"
    assert "Would that make trouble?" in ann.receives().text
    assert city.game.version == version
