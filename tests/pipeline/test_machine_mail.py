"""Machines are never answered; what comes back is noticed; what breaks is kept."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.mail import pipeline

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


def test_a_soft_bounce_changes_nothing(world: Any, begin: Any) -> None:
    begin(2)
    asked = world.whose()
    world.deliver(bounce(asked.newest, action="delayed", status="4.2.2"))
    with world.store.reading() as tx:
        (player,) = tx.players_at(asked.address)
    assert player.addresses[0].bouncing_at is None
    world.moderator.receives_nothing()


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
        broken.setattr(pipeline, "settle", fails)
        assert asked.writes(world.orders()) == "quarantined"
    assert world.game.version == 1
    assert "kept for you" in world.moderator.receives("could not be used").text
    with world.store.reading() as tx:
        (kept,) = tx.received("quarantined")
    assert "ZeroDivisionError" in kept.error
    assert asked.writes(world.orders()) == "applied"


def test_a_kept_mail_is_handled_again_by_one_command(
    world: Any, begin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(2)
    asked = world.whose()
    with monkeypatch.context() as broken:
        broken.setattr(pipeline, "settle", fails)
        asked.writes(world.orders())
    with world.store.reading() as tx:
        (kept,) = tx.received("quarantined")
    assert pipeline.retry(world.store, world.settings, kept.id, world.now) == "applied"
    assert world.game.version == 2
    with world.store.reading() as tx:
        assert tx.inbound(kept.id).disposition == "applied"


def test_the_moderator_is_not_flooded_with_broken_mail(
    world: Any, begin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = world.settings.mail.model_copy(update={"answers_per_hour": 3})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    with monkeypatch.context() as broken:
        broken.setattr(pipeline, "settle", fails)
        for _ in range(6):
            assert world.whose().writes("play Groat") == "quarantined"
    assert len(world.moderator.inbox) == 3


def fails(*_: object) -> None:
    raise ZeroDivisionError("a step fails")


@pytest.mark.parametrize(
    "raw", [b"", b"\x00" * 100, b"\xff\xfe", b"From: \r\n" * 3000, b"Subject: ((((((" * 500]
)
def test_no_bytes_stop_the_pipeline(world: Any, begin: Any, raw: bytes) -> None:
    begin(2)
    assert world.deliver(raw) in ("ignored", "quarantined")
    assert world.whose().writes(world.orders()) == "applied"
