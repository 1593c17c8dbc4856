"""Looking into games and mails: what is secret is shown for a reason only, and that is told."""

from __future__ import annotations

import json

import pytest

from pbem.errors import ConfigError, StoreError
from pbem.mail.handling import pipeline
from pbem.moderator import actions as desk
from pbem.moderator import mail as mailroom
from pbem.moderator import overview, sight
from pbem.store import NewInbound


def private_words(club, game) -> list[str]:
    """The cards in Ann's hand."""
    shown = sight.show(club.store, club.settings, "G001", colour="Red", reveal="test", now=club.now)
    hand = shown.position.split("holds ")[1].split(" |")[0]
    return hand.split(",")


def test_a_look_shows_what_everybody_may_see(club, game) -> None:
    shown = sight.show(club.store, club.settings, "G001", now=club.now)
    assert "THE CITY" in shown.text
    assert "FOR YOUR EYES ONLY" not in shown.text
    assert shown.position == ""
    assert [line.what for line in overview.log(club.store)] == ["new", "start"]


def test_a_seats_view_needs_a_reason(club, game) -> None:
    with pytest.raises(ConfigError, match="add --reveal REASON"):
        sight.show(club.store, club.settings, "G001", colour="Red")
    with pytest.raises(ConfigError, match="add --reveal REASON"):
        sight.show(club.store, club.settings, "G001", colour="Red", reveal="  ")


def test_a_look_at_secrets_is_recorded_and_told(club, game) -> None:
    shown = sight.show(
        club.store, club.settings, "G001", colour="Red", reveal="Ann says a card is gone", now=club.now
    )
    assert "FOR YOUR EYES ONLY" in shown.text
    assert shown.position
    line = overview.log(club.store)[-1]
    assert (line.what, line.why, line.facts["seat"]) == ("show", "Ann says a card is gone", "Red")
    told = [mail for mail in club.mails() if mail.kind == "notice"]
    assert [mail.recipient for mail in told] == ["ann@example.org", "bob@example.org"]
    assert "Ann says a card is gone" in told[1].text


def test_an_older_version_can_be_looked_at(club, game) -> None:
    club.moves("Red")
    shown = sight.show(club.store, club.settings, "G001", version=1, now=club.now)
    assert shown.version is not None
    assert (shown.version.number, shown.version.turn) == (1, 1)


def test_a_game_that_has_not_begun_shows_its_seats(club) -> None:
    desk.new_game(
        club.store, club.settings, "Friday", [desk.Sitter("Cyd", "cyd@example.org"), desk.Sitter("")]
    )
    shown = sight.show(club.store, club.settings, "Friday")
    assert (shown.version, shown.text) == (None, "")
    assert [seat.name for seat in shown.standing.seats] == ["Cyd", "Bot 2"]


def test_an_export_holds_no_address_and_no_secret(club, game) -> None:
    club.moves("Red")
    hand = private_words(club, game)
    text = json.dumps(sight.export(club.store, club.settings, "G001"))
    assert "@" not in text
    assert game.seed.hex() not in text
    assert not [card for card in hand if card in text]
    assert "snapshot" not in text


def test_an_export_with_a_reason_holds_everything_but_addresses(club, game) -> None:
    club.moves("Red")
    data = sight.export(club.store, club.settings, "G001", reveal="a bug report")
    assert data["seed"] == game.seed.hex()
    assert data["versions"][1]["added"]
    assert data["versions"][1]["snapshot"]
    assert "@" not in json.dumps(data)
    assert overview.log(club.store)[-1].why == "a bug report"


def test_the_secrets_of_a_game_that_is_over_are_nobodys(club, game) -> None:
    with club.store.transaction() as tx:
        tx.end_game(game.id, club.now)
    assert sight.show(club.store, club.settings, "G001", colour="Red").position
    assert sight.export(club.store, club.settings, "G001")["seed"] == game.seed.hex()
    assert club.told("notice") == []


@pytest.fixture
def quarantined(club, game) -> int:
    with club.store.transaction() as tx:
        kept = tx.record_inbound(
            NewInbound(b"From: ann@example.org\r\nSubject: hello\r\n\r\nhelp\r\n", club.now, 1, 1)
        )
        tx.settle_inbound(kept, "quarantined", reason="KeyError", error="Traceback: KeyError")
    return kept


def test_mail_that_waits_is_listed(club, quarantined: int) -> None:
    waiting = mailroom.waiting(club.store)
    assert [mail.id for mail in waiting.received] == [quarantined]
    assert waiting.failed == ()
    assert len(mailroom.traffic(club.store).failed) == 2


def test_a_mail_is_shown_for_a_reason_only(club, quarantined: int) -> None:
    assert mailroom.received(club.store, club.settings, quarantined).raw == b""
    assert mailroom.received(club.store, club.settings, quarantined, "what was it?").raw
    assert mailroom.sent(club.store, club.settings, 1).raw == b""
    assert b"Subject:" in mailroom.sent(club.store, club.settings, 1, "a question").raw
    assert [line.why for line in overview.log(club.store)][-2:] == ["what was it?", "a question"]


def test_a_mail_from_the_quarantine_is_handled_again(club, quarantined: int) -> None:
    became = mailroom.retry(club.store, club.settings, quarantined, now=club.now)
    assert became in ("answered", "ignored")
    assert mailroom.waiting(club.store).received == ()
    with pytest.raises(StoreError, match="not in the quarantine"):
        mailroom.retry(club.store, club.settings, quarantined)


def test_a_mail_that_fails_again_stays_in_the_quarantine(
    club, quarantined: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("again")

    monkeypatch.setattr(pipeline, "settle", fail)
    assert mailroom.retry(club.store, club.settings, quarantined) == "quarantined"
    assert "again" in mailroom.received(club.store, club.settings, quarantined).error


def test_a_mail_of_ours_is_sent_again_with_the_same_message_id(club, game) -> None:
    with club.store.transaction() as tx:
        tx.lease(club.now)
        tx.mark_failed(tx.sent()[0].id, "550 no such user")
        number = tx.sent()[0].id
    (failed,) = mailroom.waiting(club.store).failed
    again = mailroom.resend(club.store, club.settings, number, now=club.now)
    assert (again.status, again.message_id) == ("queued", failed.message_id)


def test_a_forgotten_mail_cannot_be_sent_again(club, game) -> None:
    with club.store.transaction() as tx:
        tx.lease(club.now)
        tx.mark_sent([tx.sent()[0].id], club.now)
        number = tx.sent()[0].id
        tx.forget_mails(club.now.replace(year=2030))
    with pytest.raises(StoreError, match="retention_days"):
        mailroom.resend(club.store, club.settings, number)
