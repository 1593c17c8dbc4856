"""help, aid, status, report, rules, card, history, standing, preview, undo, resign: by mail."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def started(world: Any, begin: Any) -> Any:
    begin(3)
    return world


@pytest.mark.parametrize(
    ("command", "subject"),
    [
        ("help", "help"),
        ("aid", "all you need at the table"),
        ("status", "status"),
        ("report", "your move"),
        ("rules", "rules"),
        ("rules trouble", "rules"),
        ("card Groat", "what you asked about"),
        ("history", "the story so far"),
    ],
)
def test_a_question_is_answered_without_a_token(started: Any, command: str, subject: str) -> None:
    asked = started.whose()
    asked.skip()
    assert asked.writes(command, subject="a question") == "answered"
    asked.receives(subject=subject)
    asked.receives_nothing()
    assert started.game.version == 1


def test_several_questions_get_several_answers(started: Any) -> None:
    asked = started.whose()
    asked.skip()
    asked.writes("card Groat\nrules money\nstatus")
    assert len(asked.inbox) - asked.read == 3


def test_a_question_of_an_unregistered_sender_is_not_answered(started: Any) -> None:
    eve = started.person("Eve", "eve@evil.example")
    asked = started.whose()
    known = len(asked.inbox)
    assert eve.writes("report", to=asked.newest) == "ignored"
    eve.receives_nothing()
    assert len(asked.inbox) == known


def test_undo_takes_back_what_nobody_has_seen(started: Any) -> None:
    asked = started.whose()
    before = started.table.match.digest()
    assert asked.writes(started.first_order()) == "applied"
    assert started.table.match.digest() != before
    assert asked.writes("undo") == "applied"
    assert started.table.match.digest() == before
    assert "taken back" in asked.newest.subject
    assert asked.writes(started.orders()) == "applied"


def test_what_was_undone_is_not_in_the_history(started: Any) -> None:
    asked = started.whose()
    asked.writes(started.first_order())
    asked.writes("undo")
    asked.writes("history")
    assert "Played" not in asked.newest.text


def test_orders_behind_undo_take_the_place_of_the_old_ones(started: Any) -> None:
    asked = started.whose()
    orders = started.orders()
    asked.writes(started.first_order())
    assert asked.writes("undo\n" + orders) == "applied"
    texts = [choice[1] for version in started.chain() for choice in version.added]
    assert texts[: len(orders.splitlines())] == orders.splitlines()


def test_undo_with_nothing_to_take_back_says_so(started: Any) -> None:
    asked = started.whose()
    assert asked.writes("undo") == "answered"
    assert started.game.version == 1


def test_undo_does_not_reach_behind_a_reveal(started: Any) -> None:
    asked = started.whose()
    started.play_turn()
    digest = started.table.match.digest()
    assert asked.writes("undo") == "answered"
    assert started.table.match.digest() == digest


def test_a_preview_does_nothing(started: Any) -> None:
    asked = started.whose()
    digest = started.table.match.digest()
    assert asked.writes("preview\n" + started.orders()) == "answered"
    assert "preview" in asked.newest.subject
    assert started.table.match.digest() == digest
    assert started.game.version == 1


def test_a_policy_is_set_by_mail_even_with_an_old_token(started: Any) -> None:
    other = started.others()[0]
    assert other.writes("standing Gaspode: never") == "applied"
    assert "never" in other.newest.text
    seat = next(one for one, player in started.table.players.items() if player.name == other.name)
    with started.store.reading() as tx:
        assert seat in tx.policies(started.game_id)


def test_a_policy_that_cannot_be_read_is_refused_with_the_reason(started: Any) -> None:
    other = started.others()[0]
    assert other.writes("standing Rincewind: perhaps") == "answered"
    assert "Rincewind" in other.newest.text


def test_a_policy_needs_a_token(started: Any) -> None:
    other = started.others()[0]
    assert other.writes("standing Gaspode: never", subject="policy") == "parked"
    seat = next(one for one, player in started.table.players.items() if player.name == other.name)
    with started.store.reading() as tx:
        assert seat not in tx.policies(started.game_id)


def test_resigning_takes_a_typed_yes(started: Any) -> None:
    asked = started.whose()
    assert asked.writes("resign") == "answered"
    assert "do you want to resign" in asked.newest.subject
    assert not any(one.bot for one in started.table.seats)
    assert asked.writes("yes") == "applied"
    assert [one.bot for one in started.table.seats].count(True) == 1
    assert any("resigned" in mail.text for mail in started.moderator.inbox)


def test_the_others_are_told_of_a_resignation_and_a_bot_plays_on(started: Any) -> None:
    asked, others = started.whose(), started.others()
    asked.writes("resign\nyes")
    assert not any(one.bot for one in started.table.seats)
    asked.writes("yes", to=asked.newest)
    assert started.game.turn > 1
    for other in others:
        assert any(asked.name in mail.text and "notice" in mail.subject for mail in other.inbox)
    assert asked.writes("play Groat") == "answered"
    assert "you have no seat" in asked.newest.subject
