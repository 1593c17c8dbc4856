"""What somebody with bad intent may try: stolen codes, forged senders, codes of other times and other purposes."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from pbem.play import advance
from pbem.play.table import UnitOfWork


@pytest.fixture
def started(world: Any, begin: Any) -> Any:
    for one in begin(3):
        one.skip()
    return world


def version(world: Any) -> int:
    return int(world.game.version)


# -- codes made for something else ---------------------------------------------------------------------------


def test_the_code_of_an_offer_moves_nothing(started: Any) -> None:
    asked = started.whose()
    asked.writes("play Groat", subject="my move")
    offer = asked.newest
    letter = asked.letter(started.orders(), subject=f"Re: {offer.subject}")
    assert started.deliver(letter) == "answered"
    assert version(started) == 1


def test_the_code_of_an_offer_does_not_move_in_a_later_turn(started: Any) -> None:
    asked = started.whose()
    report = asked.newest
    asked.writes("play Groat", subject="my move")
    offer = asked.newest
    assert asked.writes(started.orders(), to=report) == "applied"
    while True:
        started.play_turn()
        if started.whose() is asked:
            break
    before = version(started)
    for text in (started.orders(), "yes"):
        assert started.deliver(asked.letter(text, subject=f"Re: {offer.subject}")) == "answered"
    assert version(started) == before


def test_an_offer_is_void_after_a_week(started: Any) -> None:
    asked = started.whose()
    asked.writes(started.orders(), subject="my move")
    offer = asked.newest
    started.pass_time(24 * 8)
    assert asked.writes("yes", to=offer) == "answered"
    assert version(started) == 1


def test_the_code_of_a_wish_to_resign_moves_nothing(started: Any) -> None:
    asked = started.whose()
    asked.writes("resign")
    assert started.deliver(asked.letter(started.orders(), subject=f"Re: {asked.newest.subject}")) == "answered"
    assert version(started) == 1


@pytest.mark.parametrize("text", ["yes", "Yes!", "y", "confirm", "yes\nyes"])
def test_a_yes_to_an_ordinary_mail_does_nothing(started: Any, text: str) -> None:
    asked = started.whose()
    report = asked.newest
    asked.writes(started.orders(), subject="my move")
    asked.writes("resign", to=report)
    assert asked.writes(text, to=report) != "applied"
    assert version(started) == 1
    assert not any(one.bot for one in started.table.seats)


def test_a_yes_deep_in_a_thread_confirms_only_what_it_answers(started: Any) -> None:
    asked = started.whose()
    report = asked.newest
    asked.writes(started.orders(), subject="my move")
    offer = asked.newest
    headers = {"References": f"{offer.message['Message-ID']} {report.message['Message-ID']}"}
    letter = asked.letter("yes", subject=f"Re: {report.subject}", headers=headers)
    assert started.deliver(letter) != "applied"
    assert version(started) == 1


# -- senders -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sender",
    [
        '"{0}" <eve@evil.example>',
        "{0} <eve@evil.example>",
        "<eve@evil.example> ({0})",
        "eve@evil.example, {0}",
        "{0}.evil.example",
        '"{0} "@evil.example',
        "=?utf-8?q?{0}?= <eve@evil.example>",
    ],
)
def test_a_sender_that_only_looks_like_a_player_moves_nothing(started: Any, sender: str) -> None:
    asked = started.whose()
    raw = asked.letter(started.orders())
    head = f"From: {asked.name} <{asked.address}>\r\n".encode()
    assert head in raw
    forged = raw.replace(head, f"From: {sender.format(asked.address)}\r\n".encode())
    assert started.deliver(forged) in ("parked", "ignored")
    assert version(started) == 1


@pytest.mark.parametrize("header", ["Sender", "Reply-To", "Return-Path", "Resent-From", "X-Original-From"])
def test_other_headers_that_name_a_player_prove_nothing(started: Any, header: str) -> None:
    asked = started.whose()
    eve = started.person("Eve", "eve@evil.example")
    letter = eve.letter(started.orders(), to=asked.newest, headers={header: asked.address})
    assert started.deliver(letter) == "parked"
    assert version(started) == 1
    eve.receives_nothing()


def test_answers_never_follow_a_reply_to(started: Any) -> None:
    asked = started.whose()
    eve = started.person("Eve", "eve@evil.example")
    for text in ("report", "help", "play The Ramtop Mountains", started.orders()):
        asked.writes(text, headers={"Reply-To": "eve@evil.example", "Return-Path": "<eve@evil.example>"})
    eve.receives_nothing()
    assert version(started) > 1


def test_letter_case_of_an_address_does_not_matter(started: Any) -> None:
    asked = started.whose()
    assert asked.writes(started.orders(), sender=asked.address.upper()) == "applied"


def test_a_tagged_address_is_another_address_and_its_owner_is_asked(started: Any) -> None:
    asked = started.whose()
    local, _, domain = asked.address.partition("@")
    assert asked.writes(started.orders(), sender=f"{local}+games@{domain}") == "parked"
    assert asked.writes("yes") == "applied"


def test_a_code_in_lower_case_and_read_wrong_still_counts(started: Any) -> None:
    asked = started.whose()
    token = asked.newest.token.lower().replace("0", "o").replace("1", "l")
    assert started.deliver(asked.letter(started.orders(), subject=f"Re: [{token}]")) == "applied"


def test_a_list_that_put_itself_into_from_proves_nobody(started: Any) -> None:
    asked = started.whose()
    list_headers = {"List-Id": "<" + asked.address.replace("@", ".") + ">", "List-Post": f"<mailto:{asked.address}>"}
    assert asked.writes(started.orders(), headers=list_headers) != "applied"
    assert version(started) == 1


# -- codes that were seen by others --------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["status", "help", "standing Gaspode: never", "Hello, all of you!", "undo", "preview"])
def test_any_mail_that_went_to_others_too_retires_its_code(started: Any, text: str) -> None:
    asked = started.whose()
    first = asked.newest
    asked.writes(text, cc="friend@elsewhere.example")
    fresh = asked.newest
    assert fresh.token not in ("", first.token)
    assert asked.writes(started.orders(), to=first) == "parked"
    assert version(started) == 1
    for mail in asked.inbox[1:]:
        if mail.token == fresh.token:
            break
    assert asked.writes(started.orders(), to=mail) == "applied"


def test_the_deadline_of_a_retired_code_goes_on(started: Any) -> None:
    asked = started.whose()
    due = started.asks[-1].due_at
    asked.writes("status", cc="friend@elsewhere.example")
    assert started.asks[-1].due_at == due
    started.wait(24 * 3 + 1)
    assert version(started) > 1, "no deadline is held for a report that nobody sent"


def test_the_code_of_who_only_waits_is_retired_as_well(started: Any) -> None:
    other = started.others()[0]
    first = other.newest
    other.writes("status", cc="friend@elsewhere.example")
    assert other.newest.token != first.token
    assert other.writes("standing Gaspode: never", to=first) == "parked"


def test_a_copy_to_oneself_or_to_us_retires_nothing(started: Any) -> None:
    asked = started.whose()
    first = asked.newest
    asked.writes("status", cc=f"{asked.address}, orders+{first.token}@play.example.org")
    assert asked.writes(started.orders(), to=first) == "applied"


def test_codes_end_when_the_game_is_set_back(started: Any) -> None:
    asked = started.whose()
    report = asked.newest
    orders = started.orders()
    asked.writes(orders, subject="my move")
    offer = asked.newest
    with started.store.transaction() as tx:
        advance.rolled_back(UnitOfWork(tx, started.settings, started.now), started.game_id, from_turn=1)
    started.post()
    assert asked.writes(orders, to=report) == "answered"
    assert "set the game back" in " ".join(asked.newest.text.split())
    assert asked.writes("yes", to=offer) == "answered"
    assert version(started) == 1


def test_forged_questions_do_not_use_up_a_players_answers(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"answers_per_hour": 6})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    asked = world.whose()
    report, known = asked.newest, len(asked.inbox)
    for _ in range(9):
        asked.writes("help", subject="forged")
    assert len(asked.inbox) == known + 2
    assert asked.writes("status", to=report) == "answered"
    assert len(asked.inbox) == known + 3


# -- where codes show ----------------------------------------------------------------------------------------


def test_codes_are_in_no_log_and_in_no_mail_of_others(started: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    asked = started.whose()
    eve = started.person("Eve", "eve@evil.example")
    report = asked.newest
    eve.writes(started.orders(), to=report)
    eve.writes(f"play {report.token}", subject=report.token)
    asked.writes(f"play {report.token}")
    asked.writes("play Groat", to=started.others()[0].newest)
    asked.writes(started.orders(), to=report)
    started.play_turn()
    with started.store.reading() as tx:
        tokens = [one.token for one in tx.open_asks(started.game_id)]
    tokens.append(report.token)
    for token in tokens:
        assert token not in caplog.text
    for person in (*started.others(), started.moderator, eve):
        for mail in person.inbox if person is not asked else ():
            assert report.token not in mail.message.as_string()


def test_a_mail_that_fails_shows_no_code_in_the_log(
    started: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = started.whose()
    token = asked.newest.token

    def fail(*_: Any) -> None:
        raise RuntimeError(f"with {token} in it")

    monkeypatch.setattr("pbem.mail.handling.steps.order", fail)
    assert asked.writes(started.orders()) == "quarantined"
    assert token not in caplog.text
    assert all(token not in mail.message.as_string() for mail in started.moderator.inbox)
