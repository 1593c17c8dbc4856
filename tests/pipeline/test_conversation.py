"""Mails go to and fro, and the game goes on."""

from __future__ import annotations

import email
import email.policy
import logging
from typing import Any

import pytest


def test_everybody_is_welcomed_and_the_first_is_asked(world: Any, begin: Any) -> None:
    people = begin(3)
    asked = world.whose()
    for person in people:
        person.receives(subject="the game begins", text=person.name)
    assert world.asks[0].token == asked.newest.token
    assert len({person.newest.token for person in people}) == 3


def test_nobody_reads_an_address_but_the_servers(world: Any, begin: Any) -> None:
    people = begin(3)
    world.play_turn()
    for person in people:
        for mail in person.inbox:
            assert "@example.org" not in mail.text.replace("play.example.org", "")
            assert "@example.org" not in mail.html.replace("play.example.org", "")


def test_orders_are_acknowledged_and_every_seat_gets_a_report(world: Any, begin: Any) -> None:
    people = begin(3)
    writer = world.whose()
    for person in people:
        person.skip()
    world.play_turn()
    assert world.game.turn == 2
    assert any("carried out" in mail.subject for mail in writer.inbox[writer.read :])
    for person in people:
        if person is not writer:
            assert "to move" in person.newest.subject or "your move" in person.newest.subject
    assert "your move" in world.whose().newest.subject


def test_an_answer_is_in_the_thread_of_the_mail_it_answers(world: Any, begin: Any) -> None:
    begin(2)
    writer = world.whose()
    raw = writer.letter(world.orders())
    world.deliver(raw)
    sent = email.message_from_bytes(raw, policy=email.policy.default)
    assert writer.newest.message["In-Reply-To"] == sent["Message-ID"]
    assert writer.newest.message["Auto-Submitted"] == "auto-replied"


def test_a_wrong_line_changes_nothing_and_is_shown(world: Any, begin: Any) -> None:
    begin(3)
    writer = world.whose()
    version = world.game.version
    assert writer.writes("play The Ramtop Mountains") == "refused"
    assert world.game.version == version
    assert "Ramtop" in writer.newest.text
    assert all(not other.inbox[1:] for other in world.others())


def test_half_a_turn_is_shown_to_nobody_else(world: Any, begin: Any) -> None:
    begin(3)
    writer = world.whose()
    start = world.table.match
    assert writer.writes(world.first_order()) == "applied"
    assert world.table.match.reveals == start.reveals, "the seed begins with a card that reveals nothing"
    assert "goes on" in writer.newest.subject
    for other in world.others():
        before = len(other.inbox)
        other.writes("report")
        other.writes("history")
        assert len(other.inbox) == before + 2
        assert "Played" not in other.newest.text
        assert other.newest.text.count("\n") > 2


def test_the_token_of_the_first_mail_still_moves_in_the_same_turn(world: Any, begin: Any) -> None:
    begin(3)
    writer = world.whose()
    first = writer.newest
    assert writer.writes(world.first_order(), to=first) == "applied"
    assert writer.writes(world.orders(), to=first) == "applied"


def test_a_bare_number_answers_only_the_newest_menu(world: Any, begin: Any) -> None:
    begin(3)
    writer = world.whose()
    first = writer.newest
    version = world.game.version
    assert writer.writes("1", to=first) == "applied"
    assert world.game.version == version + 1
    assert world.whose() is writer
    assert writer.writes("1", to=first) == "refused"
    assert world.game.version == version + 1


def test_a_turn_keeps_its_deadline_through_partial_orders(world: Any, begin: Any) -> None:
    begin(3)
    due_at = world.asks[-1].due_at
    world.whose().writes(world.first_order())
    assert world.asks[-1].due_at == due_at
    assert [ask.due_at for ask in world.asks[:-1]] == [None] * (len(world.asks) - 1)


def test_a_mail_that_arrives_again_is_not_played_again(world: Any, begin: Any) -> None:
    begin(3)
    writer = world.whose()
    raw = writer.letter(world.orders())
    assert world.deliver(raw) == "applied"
    version, mails = world.game.version, len(writer.inbox)
    assert world.deliver(raw) == "duplicate"
    assert (world.game.version, len(writer.inbox)) == (version, mails)


def test_a_mail_fetched_again_after_a_crash_is_not_played_again(world: Any, begin: Any) -> None:
    begin(3)
    writer = world.whose()
    raw = writer.letter(world.orders())
    assert world.deliver(raw, uid=500) == "applied"
    version = world.game.version
    assert world.deliver(raw, uid=500) == "applied"
    assert world.game.version == version


def test_bots_at_the_table_move_at_once(world: Any, begin: Any) -> None:
    (ann,) = begin(1, bots=2)
    assert world.whose() is ann
    turn = world.game.turn
    world.play_turn()
    assert world.game.turn >= turn + 3 or world.game.status == "over"
    assert "Green" in ann.newest.text


def test_what_was_typed_and_is_no_order_is_said_back(world: Any, begin: Any) -> None:
    begin(3)
    writer = world.whose()
    assert writer.writes("good morning everybody") == "answered"
    assert "good morning everybody" in writer.newest.text


def test_the_log_has_one_line_a_mail_without_body_or_token(
    world: Any, begin: Any, caplog: pytest.LogCaptureFixture
) -> None:
    begin(3)
    writer = world.whose()
    token = writer.newest.token
    with caplog.at_level(logging.INFO, logger="pbem"):
        writer.writes(world.orders())
    lines = [one for one in caplog.records if one.name == "pbem.mail.handling.pipeline"]
    assert len(lines) == 1
    assert world.game.code in lines[0].getMessage()
    assert "applied" in lines[0].getMessage()
    assert token.lower() not in caplog.text.lower()
    assert "play" not in lines[0].getMessage().replace("play.example.org", "")
