"""Mail that needs the moderator: shown for a reason, handled or sent again."""

from __future__ import annotations

import pytest

from pbem.errors import StoreError
from pbem.mail.handling import pipeline
from pbem.moderator.mail import mail, mails, resend, retry
from pbem.store import NewInbound


@pytest.fixture
def quarantined(club, game) -> int:
    with club.store.transaction() as tx:
        kept = tx.record_inbound(NewInbound(b"From: ann@example.org\r\nSubject: hello\r\n\r\nhelp\r\n", club.now, 1, 1))
        tx.settle_inbound(kept, "quarantined", reason="KeyError", error="Traceback: KeyError")
    return kept


def test_mail_that_waits_is_listed(club, quarantined: int) -> None:
    received, sent = mails(club.moderator)
    assert ([mail.id for mail in received], sent) == ([quarantined], ())
    received, sent = mails(club.moderator, everything=True)
    assert (len(received), len(sent)) == (1, 2)


def test_a_mail_is_shown_for_a_reason_only(club, quarantined: int) -> None:
    assert mail(club.moderator, quarantined).raw == b""
    assert mail(club.moderator, quarantined, "what was it?").raw
    assert mail(club.moderator, 1, out=True).raw == b""
    assert b"Subject:" in mail(club.moderator, 1, "a question", out=True).raw
    assert [line.why for line in club.log][-2:] == ["what was it?", "a question"]


def test_a_mail_from_the_quarantine_is_handled_again(club, quarantined: int) -> None:
    became = retry(club.moderator, quarantined)
    assert became in ("answered", "ignored")
    assert mails(club.moderator) == ((), ())
    with pytest.raises(StoreError, match="not in the quarantine"):
        retry(club.moderator, quarantined)


def test_a_mail_that_fails_again_stays_in_the_quarantine(
    club, quarantined: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("again")

    monkeypatch.setattr(pipeline, "take_steps", fail)
    assert retry(club.moderator, quarantined) == "quarantined"
    assert "again" in mail(club.moderator, quarantined).error


def test_a_mail_of_ours_is_sent_again_with_the_same_message_id(club, game) -> None:
    with club.store.transaction() as tx:
        tx.lease(club.now)
        tx.mark_failed(tx.sent()[0].id, "550 no such user")
        number = tx.sent()[0].id
    _, (failed,) = mails(club.moderator)
    again = resend(club.moderator, number)
    assert (again.status, again.message_id) == ("queued", failed.message_id)


def test_a_mail_that_is_refused_and_tried_again_is_listed(club, game) -> None:
    with club.store.transaction() as tx:
        (first, *_) = tx.lease(club.now)
        tx.mark_retry(first.id, "553 5.7.1 not your address", club.now)
    assert [(waiting.id, waiting.status) for waiting in mails(club.moderator)[1]] == [(first.id, "queued")]


def test_a_forgotten_mail_cannot_be_sent_again(club, game) -> None:
    with club.store.transaction() as tx:
        tx.lease(club.now)
        tx.mark_sent([tx.sent()[0].id], club.now)
        number = tx.sent()[0].id
        tx.forget_mails(club.now.replace(year=2030))
    with pytest.raises(StoreError, match="retention_days"):
        resend(club.moderator, number)


def test_a_mail_is_not_sent_again_to_an_address_that_is_no_longer_the_seats(club, game) -> None:
    welcome = club.mails("begins")[0]
    resend(club.moderator, welcome.id)
    player = club.players[0]
    with club.store.transaction() as tx:
        tx.use_address(player.id, "ann@work.example")
        tx.remove_address(player.id, "ann@example.org")
    with pytest.raises(StoreError, match="is no address of that seat any more"):
        resend(club.moderator, welcome.id)
