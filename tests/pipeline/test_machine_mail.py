"""Machines are never answered; what comes back is noticed; what breaks is kept."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from pbem.errors import StoreError
from pbem.mail.handling import pipeline
from pbem.mail.handling.steps import ordered
from pbem.play import advance, moving
from pbem.play.table import UnitOfWork

BOUNCE = """\
From: MAILER-DAEMON@mx.example.org
To: orders@play.example.org
Subject: Undelivered Mail Returned to Sender
Message-ID: <bounce-{number}@mx.example.org>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I am sorry, the mail could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; {address}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 no such user

--b
Content-Type: message/rfc822

From: orders@play.example.org
To: {address}
Message-ID: {message_id}
Subject: {subject}

hello

--b--
"""


def bounce(mail: Any, action: str = "failed", status: str = "5.1.1", **changes: str) -> bytes:
    filled = {
        "number": "1",
        "address": mail.to,
        "action": action,
        "status": status,
        "message_id": mail.message["Message-ID"],
        "subject": mail.subject,
    } | changes
    return BOUNCE.format(**filled).replace("\n", "\r\n").encode()


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"X-Loop": "orders@play.example.org"},
        {"X-Autoreply": "yes"},
    ],
)
def test_machine_mail_is_neither_played_nor_answered(world: Any, begin: Any, headers: dict[str, str]) -> None:
    begin(2)
    asked = world.whose()
    known = len(asked.inbox)
    assert asked.writes(world.orders(), headers=headers) == "ignored"
    assert world.game.version == 1
    assert len(asked.inbox) == known


def test_our_own_mail_coming_back_is_a_loop(world: Any, begin: Any) -> None:
    begin(2)
    with world.store.reading() as tx:
        ours = tx.outbound(tx.sent()[0].id)
    known = [len(one.inbox) for one in world.people.values()]
    assert world.deliver(ours.raw) == "ignored"
    assert [len(one.inbox) for one in world.people.values()] == known


def test_a_hard_bounce_marks_the_address_and_tells_the_moderator(world: Any, begin: Any) -> None:
    begin(2)
    asked = world.whose()
    world.deliver(bounce(asked.newest))
    with world.store.reading() as tx:
        (player,) = tx.players_at(asked.address)
    assert player.addresses[0].bouncing_at is not None
    assert asked.address in world.moderator.receives("could not be delivered").text


def test_the_moderator_hears_once_of_an_address_that_does_not_work(world: Any, begin: Any) -> None:
    begin(2)
    asked = world.whose()
    asked.writes("help")
    for number, mail in enumerate(asked.inbox):
        world.deliver(bounce(mail, number=str(number)))
    world.moderator.receives("could not be delivered")
    world.moderator.receives_nothing()


def test_a_soft_bounce_changes_nothing(world: Any, begin: Any) -> None:
    begin(2)
    asked = world.whose()
    world.deliver(bounce(asked.newest, action="delayed", status="4.2.2"))
    with world.store.reading() as tx:
        (player,) = tx.players_at(asked.address)
    assert player.addresses[0].bouncing_at is None
    world.moderator.receives_nothing()


def test_a_mail_given_up_for_now_is_sent_again_later(world: Any, begin: Any) -> None:
    begin(2)
    asked = world.whose()
    report, known = asked.newest, len(asked.inbox)
    world.deliver(bounce(report, status="4.4.1"))
    assert len(asked.inbox) == known
    world.wait(5)
    assert len(asked.inbox) == known + 1
    assert asked.newest.message["Message-ID"] == report.message["Message-ID"]
    world.moderator.receives_nothing()


@pytest.mark.parametrize("status", ["4.4.1", "5.2.2"])
def test_a_mail_given_up_again_and_again_is_undeliverable(world: Any, begin: Any, status: str) -> None:
    begin(2)
    asked = world.whose()
    report = asked.newest
    for number in range(5):
        world.deliver(bounce(report, status=status, number=str(number)))
        world.wait(5)
    assert asked.address in world.moderator.receives("could not be delivered").text
    assert len(asked.inbox) <= 6
    assert not bouncing(world, asked)


def bouncing(world: Any, person: Any) -> bool:
    """Whether a person's address is marked as one that mail comes back from."""
    with world.store.reading() as tx:
        (player,) = tx.players_at(person.address)
    return player.addresses[0].bouncing_at is not None


@pytest.mark.parametrize("status", ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"])
def test_these_statuses_say_that_an_address_does_not_work(world: Any, begin: Any, status: str) -> None:
    begin(2)
    asked = world.whose()
    world.deliver(bounce(asked.newest, status=status))
    assert bouncing(world, asked)


@pytest.mark.parametrize("status", ["5.7.1", "5.4.4", "5.1.8", "5.0.0", "5.2.2", "5.1.11"])
def test_any_other_status_may_be_about_us_and_the_mail_is_sent_again(world: Any, begin: Any, status: str) -> None:
    begin(2)
    asked = world.whose()
    known = len(asked.inbox)
    world.deliver(bounce(asked.newest, status=status))
    world.wait(5)
    assert (bouncing(world, asked), len(asked.inbox)) == (False, known + 1)


@pytest.mark.parametrize("hours", [1, 60, 140])
def test_a_repaired_address_gets_the_report_at_once_and_the_full_time(world: Any, begin: Any, hours: float) -> None:
    begin(2)
    asked = world.whose()
    token = asked.newest
    world.deliver(bounce(asked.newest))
    world.wait(hours)
    assert (world.game.version, world.asks[-1].report_accepted_at) == (1, None)
    asked.skip()
    assert asked.writes("help", to=token) == "answered"
    asked.receives(subject="your move")
    assert world.asks[-1].due_at == world.now + timedelta(hours=72)
    world.wait(71)
    assert world.game.version == 1
    world.wait(2)
    assert world.game.version == 2


def test_a_report_asked_for_again_that_never_arrived_leaves_the_full_time(world: Any, begin: Any) -> None:
    begin(2)
    asked = world.whose()
    world.deliver(bounce(asked.newest))
    world.wait(60)
    with world.store.transaction() as tx:
        advance.reask(UnitOfWork(tx, world.settings, world.now), world.game_id, world.table.match.actor)
    world.post()
    assert world.asks[-1].due_at == world.now + timedelta(hours=72)


def test_a_report_that_arrived_and_is_asked_for_again_leaves_the_time_that_was_left(world: Any, begin: Any) -> None:
    begin(2)
    due_at = world.asks[-1].due_at
    world.wait(60)
    with world.store.transaction() as tx:
        advance.reask(UnitOfWork(tx, world.settings, world.now), world.game_id, world.table.match.actor)
    world.post()
    assert world.asks[-1].due_at == due_at


@pytest.mark.parametrize("came_back", [True, False])
def test_a_replaced_address_gets_the_report_at_once_and_the_full_time(world: Any, begin: Any, came_back: bool) -> None:
    begin(2)
    asked, due_at = world.whose(), world.asks[-1].due_at
    if came_back:
        world.deliver(bounce(asked.newest))
    else:
        with world.store.transaction() as tx:
            tx.mark_bouncing(asked.address, "550", world.now)
    world.wait(60)
    elsewhere = world.person(asked.name, "elsewhere@example.org")
    with world.store.transaction() as tx:
        (player,) = tx.players_at(asked.address)
        moving.move(UnitOfWork(tx, world.settings, world.now), player, elsewhere.address)
    world.post()
    assert any("your move" in mail.subject for mail in elsewhere.inbox)
    assert world.asks[-1].due_at == (world.now + timedelta(hours=72) if came_back else due_at + timedelta(hours=60))


def test_a_deadline_held_for_an_address_goes_on_where_it_stood(world: Any, begin: Any) -> None:
    begin(2)
    asked, due_at = world.whose(), world.asks[-1].due_at
    world.wait(50)
    with world.store.transaction() as tx:
        tx.mark_bouncing(asked.address, "550", world.now)
    world.wait(60)
    assert asked.writes("help") == "answered"
    assert world.asks[-1].due_at == due_at + timedelta(hours=60, minutes=1)


def test_a_bounce_while_its_server_goes_on_trying_sends_nothing_again(world: Any, begin: Any) -> None:
    begin(2)
    asked = world.whose()
    known = len(asked.inbox)
    world.deliver(bounce(asked.newest, action="delayed", status="4.4.1"))
    world.wait(5)
    assert len(asked.inbox) == known


POSTFIX = """\
From: MAILER-DAEMON@mail.example.org (Mail Delivery System)
To: orders@play.example.org
Subject: Undelivered Mail Returned to Sender
Message-ID: <20261130120000.1@mail.example.org>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="AB1.1/mail.example.org"

--AB1.1/mail.example.org
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mail.example.org.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

<{address}>: host lmtp[private/dovecot-lmtp] said: 550 5.1.1
    <{address}> User doesn't exist: {address} (in reply to RCPT TO command)

--AB1.1/mail.example.org
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org
X-Postfix-Queue-ID: AB1
X-Postfix-Sender: rfc822; orders@play.example.org
Arrival-Date: Mon, 30 Nov 2026 12:00:00 +0000 (UTC)

Final-Recipient: rfc822; {address}
Original-Recipient: rfc822;{address}
Action: failed
Status: 5.1.1
Remote-MTA: dns; mail.example.org
Diagnostic-Code: smtp; 550 5.1.1 <{address}> User doesn't exist: {address}

--AB1.1/mail.example.org
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

From: Thursday night <orders@play.example.org>
To: {address}
Message-ID: {message_id}
Subject: {subject}

--AB1.1/mail.example.org--
"""

DOVECOT = """\
From: Mail Delivery Subsystem <postmaster@mail.example.org>
To: <orders@play.example.org>
Subject: Rejected: {subject}
Message-ID: <dovecot-1701345600-1-0@mail.example.org>
Auto-Submitted: auto-replied (rejected)
Precedence: bulk
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="1/mail.example.org"

--1/mail.example.org
Content-Type: text/plain; charset=utf-8
Content-Disposition: inline

Your message to <{address}> was automatically rejected:
Quota exceeded (mailbox for user is full)

--1/mail.example.org
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org
Original-Recipient: rfc822; {address}
Final-Recipient: rfc822; {address}
Action: failed
Status: 5.2.2

--1/mail.example.org
Content-Type: message/rfc822

From: orders@play.example.org
To: {address}
Message-ID: {message_id}
Subject: {subject}

--1/mail.example.org--
"""


@pytest.mark.parametrize(("form", "hard"), [(POSTFIX, True), (DOVECOT, False)])
def test_bounces_of_common_servers_are_read(world: Any, begin: Any, form: str, hard: bool) -> None:
    begin(2)
    asked = world.whose()
    report, known = asked.newest, len(asked.inbox)
    text = form.format(address=asked.address, message_id=report.message["Message-ID"], subject=report.subject)
    world.deliver(text.replace("\n", "\r\n").encode())
    player = world.table.players[world.table.match.actor]
    assert (player.addresses[0].bouncing_at is not None) == hard
    world.wait(5)
    assert len(asked.inbox) == known + (not hard)


def test_a_forged_bounce_changes_nothing(world: Any, begin: Any) -> None:
    begin(2)
    asked = world.whose()
    world.deliver(bounce(asked.newest, message_id="<g001-t1-abcdefgh-000000@play.example.org>"))
    with world.store.reading() as tx:
        (player,) = tx.players_at(asked.address)
    assert player.addresses[0].bouncing_at is None


def test_mail_from_a_bouncing_address_shows_that_it_works(world: Any, begin: Any) -> None:
    begin(2)
    asked = world.whose()
    world.deliver(bounce(asked.newest))
    assert asked.writes(world.orders()) == "applied"
    with world.store.reading() as tx:
        (player,) = tx.players_at(asked.address)
    assert player.addresses[0].bouncing_at is None


def test_a_mail_that_breaks_a_step_is_kept_and_the_next_one_handled(
    world: Any, begin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(2)
    asked = world.whose()
    with monkeypatch.context() as broken:
        broken.setattr(pipeline, "take_steps", fails)
        assert asked.writes(world.orders()) == "quarantined"
    assert world.game.version == 1
    assert "kept for you" in world.moderator.receives("could not be used").text
    with world.store.reading() as tx:
        (kept,) = tx.received("quarantined")
    assert "ZeroDivisionError" in kept.error
    assert asked.writes(world.orders()) == "applied"


def test_a_kept_mail_is_handled_again_by_one_command(world: Any, begin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(2)
    asked = world.whose()
    with monkeypatch.context() as broken:
        broken.setattr(pipeline, "take_steps", fails)
        asked.writes(world.orders())
    with world.store.reading() as tx:
        (kept,) = tx.received("quarantined")
    assert pipeline.retry_quarantined(world.store, world.settings, kept.id, world.now) == "applied"
    assert world.game.version == 2
    with world.store.reading() as tx:
        assert tx.inbound(kept.id).disposition == "applied"


@pytest.mark.parametrize("step", range(len(pipeline.STEPS)), ids=[one.__name__ for one in pipeline.STEPS])
def test_whichever_step_fails_the_mail_is_kept_and_done_once_when_tried_again(
    world: Any, begin: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, step: int
) -> None:
    begin(2)
    asked = world.whose()
    letter = asked.letter(world.orders())
    steps = list(pipeline.STEPS)
    with monkeypatch.context() as broken:
        broken.setattr(pipeline, "STEPS", (*steps[:step], fails, *steps[step + 1 :]))
        first = world.deliver(letter)
    if first == "applied":
        assert step > steps.index(ordered), "the steps behind it were not reached"
        return
    assert first == "quarantined"
    assert "ZeroDivisionError" in caplog.text
    assert world.game.version == 1
    assert world.deliver(letter) == "duplicate", "it came once more"
    assert asked.writes("status", subject="a question") == "answered"
    with world.store.reading() as tx:
        (kept,) = tx.received("quarantined")
    assert kept.sender == asked.address
    assert pipeline.retry_quarantined(world.store, world.settings, kept.id, world.now) == "applied"
    world.post()
    assert world.game.version == 2
    assert world.deliver(letter) == "duplicate"
    assert world.game.version == 2
    with pytest.raises(StoreError, match="not in the quarantine"):
        pipeline.retry_quarantined(world.store, world.settings, kept.id, world.now)


def test_a_mail_that_cannot_even_be_read_is_kept(world: Any, begin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(2)
    asked = world.whose()
    with monkeypatch.context() as broken:
        broken.setattr(pipeline, "read", fails)
        assert asked.writes(world.orders()) == "quarantined"
    with world.store.reading() as tx:
        (kept,) = tx.received("quarantined")
    assert pipeline.retry_quarantined(world.store, world.settings, kept.id, world.now) == "applied"


def test_the_moderator_is_not_flooded_with_broken_mail(world: Any, begin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mail = world.settings.mail.model_copy(update={"answers_per_hour": 3})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    with monkeypatch.context() as broken:
        broken.setattr(pipeline, "take_steps", fails)
        for _ in range(6):
            assert world.whose().writes("play Groat") == "quarantined"
    assert len(world.moderator.inbox) == 3


def fails(*_: object) -> None:
    raise ZeroDivisionError("a step fails")


@pytest.mark.parametrize("raw", [b"", b"\x00" * 100, b"\xff\xfe", b"From: \r\n" * 3000, b"Subject: ((((((" * 500])
def test_no_bytes_stop_the_pipeline(world: Any, begin: Any, raw: bytes) -> None:
    begin(2)
    assert world.deliver(raw) in ("ignored", "quarantined")
    assert world.whose().writes(world.orders()) == "applied"


def held(world: Any, asked: Any) -> bool:
    """Whether a deadline of this player is held, or has been moved, for the sake of the mail."""
    (ask,) = [ask for ask in world.asks if ask.due_at]
    with world.store.reading() as tx:
        (player,) = tx.players_at(asked.address)
    return player.addresses[0].bouncing_at is not None or ask.report_accepted_at is None


@pytest.mark.parametrize("path", ["<ann@example.org>", "<eve@evil.example>", "ann@example.org"])
def test_a_bounce_that_no_mail_system_sent_holds_nothing(world: Any, begin: Any, path: str) -> None:
    begin(2)
    asked = world.whose()
    forged = f"Return-Path: {path}\r\n".encode() + bounce(asked.newest)
    assert world.deliver(forged) == "ignored"
    assert not held(world, asked)
    assert world.deliver(b"Return-Path: <>\r\n" + bounce(asked.newest, number="2")) == "answered"
    assert held(world, asked)


def test_a_bounce_written_by_a_player_holds_nothing(world: Any, begin: Any) -> None:
    begin(2)
    asked = world.whose()
    forged = bounce(asked.newest).replace(b"From: MAILER-DAEMON@mx.example.org", f"From: {asked.address}".encode())
    assert world.deliver(forged) == "ignored"
    assert not held(world, asked)


@pytest.mark.parametrize("status", ["5.1.1", "4.4.1"])
def test_bounces_hold_once_a_turn(world: Any, begin: Any, status: str) -> None:
    begin(2)
    asked = world.whose()
    report = asked.newest
    assert world.deliver(bounce(report, number="1")) == "answered"
    assert held(world, asked)
    assert asked.writes("status", to=report) == "answered", "so mail arrives"
    due = world.asks[-1].due_at
    for number, mail in enumerate(asked.inbox, start=2):
        assert world.deliver(bounce(mail, number=str(number), status=status)) == "ignored"
    assert not held(world, asked)
    assert world.asks[-1].due_at == due
    assert asked.writes(world.orders(), to=report) == "applied"
    world.play_turn()
    assert world.deliver(bounce(asked.newest, number="99")) == "answered", "another turn"


def test_a_mail_that_comes_back_again_and_again_moves_its_deadline_no_further_than_its_attempts(
    world: Any, begin: Any
) -> None:
    begin(2)
    asked = world.whose()
    report, due = asked.newest, world.asks[-1].due_at
    for number in range(12):
        world.deliver(bounce(report, status="4.4.1", number=str(number)))
        world.wait(5)
    assert world.asks[-1].due_at <= due + timedelta(hours=8)


def test_a_player_whose_own_server_refuses_us_again_and_again_gains_time_once_a_turn(world: Any, begin: Any) -> None:
    begin(2)
    asked = world.whose()
    report, dues = asked.newest, [world.asks[-1].due_at]
    for _ in range(3):
        with world.store.transaction() as tx:
            tx.mark_bouncing(asked.address, "550 5.1.1 no such user", world.now)
        world.pass_time(20)
        assert asked.writes("status", to=report) == "answered"
        dues.append(world.asks[-1].due_at)
    assert dues[1] >= dues[0] + timedelta(hours=20)
    assert dues[1] == dues[2] == dues[3]
