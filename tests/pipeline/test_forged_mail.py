"""What somebody with bad intent may try: stolen codes, forged senders, codes of other times and other purposes."""

from __future__ import annotations

import logging
import random
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


# -- what a code of which age is good for ----------------------------------------------------------------------


def seat_is_bot(world: Any) -> bool:
    return any(one.bot for one in world.table.seats)


def policies(world: Any, seat: int) -> dict[str, Any]:
    with world.store.reading() as tx:
        return dict(tx.policies(world.game_id).get(seat, {}))


@pytest.mark.parametrize("text", ["resign yes", "resign\nyes", "resign", "yes\nresign"])
def test_no_code_of_the_past_resigns(started: Any, text: str) -> None:
    asked = started.whose()
    report = asked.newest
    for _ in range(3):
        started.play_turn()
    assert asked.writes(text, to=report) == "answered"
    assert not seat_is_bot(started)
    assert asked.writes(text, to=report) == "answered", "nor once the question is out"
    assert not seat_is_bot(started)
    assert asked.writes("yes", to=asked.newest) == "applied"
    assert seat_is_bot(started)


def test_the_question_whether_to_resign_goes_where_reports_go(started: Any) -> None:
    asked = started.whose()
    player = started.table.players[started.table.match.actor]
    with started.store.transaction() as tx:
        tx.use_address(player.id, "new@example.net")
    new = started.person(asked.name, "new@example.net")
    known = len(asked.inbox)
    assert asked.writes("resign", to=asked.inbox[0]) == "answered"
    assert len(asked.inbox) == known
    assert "do you want to resign" in new.newest.subject
    assert new.writes("yes") == "applied"


def test_policies_need_a_code_of_the_last_three_mails(started: Any) -> None:
    other = started.others()[0]
    seat = next(place for place, player in started.table.players.items() if player.name == other.name)
    old = other.newest
    while len({mail.token for mail in other.inbox[-3:]} | {old.token}) < 4:
        started.play_turn()
    assert other.writes("standing Gaspode: never", to=old) == "answered"
    assert policies(started, seat) == {}
    assert "needs the code of a newer mail" in other.newest.text
    assert other.writes("standing Gaspode: never", to=other.newest) == "applied"
    assert policies(started, seat) != {}


@pytest.mark.parametrize(("back", "became"), [(3, "applied"), (4, "answered")])
def test_the_third_last_mail_is_the_oldest_whose_code_sets_a_policy(started: Any, back: int, became: str) -> None:
    other = started.others()[0]
    while len({mail.token for mail in other.inbox[-back:]}) < back or started.whose() is other:
        started.play_turn()
    assert other.writes("standing Gaspode: never", to=other.inbox[-back]) == became


def test_offers_of_forged_orders_do_not_use_up_the_last_three_mails(started: Any) -> None:
    other = started.others()[0]
    report = other.newest
    for _ in range(4):
        other.writes("play Groat", subject="forged")
    other.writes("resign", to=report)
    started.play_turn()
    assert other.writes("standing Gaspode: never", to=report) == "applied"


def test_a_code_of_any_age_asks_questions(started: Any) -> None:
    asked = started.whose()
    report = asked.newest
    for _ in range(4):
        started.play_turn()
    assert asked.writes("status", to=report) == "answered"
    assert "status" in asked.newest.subject


def test_the_code_of_mails_that_ask_nothing_changes_with_the_turn(started: Any) -> None:
    other = next(person for person in started.others() if not started.others().index(person))
    first = other.newest.token
    assert other.writes("status") == "answered"
    assert other.newest.token == first
    started.play_turn()
    assert other.newest.token != first


# -- parked mail -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["resign yes", "resign", "address eve@evil.example", "standing Gaspode: never"])
def test_a_yes_to_a_parked_mail_carries_out_its_orders_alone(started: Any, command: str) -> None:
    asked, orders = started.whose(), started.orders()
    eve, seat = started.person("Eve", "eve@evil.example"), started.table.match.actor
    assert eve.writes(f"{orders}\n" + "\n" * 70 + command, to=asked.newest) == "parked"
    assert f"void, whatever you answer: {command}" in " ".join(asked.newest.text.split())
    assert asked.writes("yes") == "applied"
    assert version(started) > 1
    assert not seat_is_bot(started)
    assert policies(started, seat) == {}
    eve.receives_nothing()
    assert not any("do you" in mail.subject for mail in asked.inbox)


def test_undo_below_parked_orders_is_a_doubt_about_them_as_in_any_mail(started: Any) -> None:
    asked, orders = started.whose(), started.orders()
    asked.writes(f"{orders}\nundo", to=asked.newest, sender="eve@evil.example")
    assert asked.writes("yes") == "refused"
    assert version(started) == 1


def test_a_parked_mail_of_nothing_but_commands_offers_nothing(started: Any) -> None:
    asked = started.whose()
    assert asked.writes("resign yes\nstanding Gaspode: never", subject="hello") == "parked"
    assert 'answer "yes"' not in asked.newest.text
    asked.writes("yes", to=asked.newest)
    assert not seat_is_bot(started)


def test_orders_that_were_only_to_be_previewed_are_not_offered(started: Any) -> None:
    asked = started.whose()
    assert asked.writes(f"preview\n{started.orders()}", subject="hello") == "parked"
    asked.writes("yes", to=asked.newest)
    assert version(started) == 1


def test_a_yes_does_what_the_offer_showed(started: Any) -> None:
    asked, orders = started.whose(), started.orders()
    asked.writes(orders, subject="my move")
    offer = asked.newest
    asked.writes(started.first_order(), to=asked.inbox[0])
    assert asked.writes("yes", to=offer) in ("refused", "applied")
    shown = [line.removeprefix("  > ") for line in offer.text.splitlines() if line.startswith("  > ")]
    assert shown == orders.splitlines()


# -- mails that are nothing but a quote ------------------------------------------------------------------------


@pytest.mark.parametrize("mark", ["> ", ">", "> > "])
def test_a_mail_that_may_be_a_quote_as_a_whole_is_asked_about(started: Any, mark: str) -> None:
    asked = started.whose()
    report, text = asked.newest, "".join(f"{mark}{order}\n" for order in started.orders().splitlines())
    assert asked.writes(text, to=report) == "parked"
    assert version(started) == 1
    assert "marked as something quoted" in " ".join(asked.newest.text.split())
    assert asked.writes("> yes", to=asked.newest) == "parked"
    assert version(started) == 1
    assert asked.writes("yes", to=asked.inbox[-2]) == "applied"


def test_a_quoted_resign_asks_nothing_and_does_nothing(started: Any) -> None:
    asked = started.whose()
    assert asked.writes("> resign yes") == "parked"
    assert not any("resign?" in mail.subject for mail in asked.inbox)


# -- codes given away ------------------------------------------------------------------------------------------


def test_a_copied_code_is_retired_however_many_answers_were_given(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"answers_per_hour": 2})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    asked = world.whose()
    report, due = asked.newest, world.asks[-1].due_at
    for _ in range(4):
        asked.writes("help", to=report)
    assert asked.writes("hello", to=report, cc="friend@elsewhere.example") == "ignored"
    assert asked.writes(world.orders(), to=report) == "parked"
    assert version(world) == 1
    assert world.asks[-1].due_at == due
    assert world.asks[-1].report_accepted_at is not None, "nobody gains time by it"


def test_a_code_that_a_stranger_copied_to_others_is_retired_too(started: Any) -> None:
    asked = started.whose()
    report = asked.newest
    eve = started.person("Eve", "eve@evil.example")
    assert eve.writes(started.orders(), to=report, cc="friend@elsewhere.example") == "parked"
    assert asked.writes(started.orders(), to=report) == "parked"
    fresh = next(mail for mail in asked.inbox if "that code is void now" in " ".join(mail.text.lower().split()))
    assert asked.writes(started.orders(), to=fresh) == "applied"


def test_mail_copied_to_others_without_a_code_retires_nothing(started: Any) -> None:
    asked = started.whose()
    report, known = asked.newest, len(asked.inbox)
    eve = started.person("Eve", "eve@evil.example")
    eve.writes(started.orders(), subject="G001", cc=asked.address)
    assert len(asked.inbox) == known
    assert asked.writes(started.orders(), to=report) == "applied"


# -- everything at once ----------------------------------------------------------------------------------------


def test_whoever_has_all_past_codes_of_a_seat_but_none_of_its_mail_takes_nothing(started: Any) -> None:
    for _ in range(4):
        started.play_turn()
    victim, dice, known = started.whose(), random.Random(8), started.table
    eve, open_codes = started.person("Eve", "eve@evil.example"), {ask.token for ask in started.asks}
    leaked = [mail for mail in victim.inbox if mail.token not in open_codes]
    senders = [victim.address, eve.address, f'"{victim.address}" <{eve.address}>', f"{victim.address}, {eve.address}"]
    texts = [
        "resign yes",
        "resign",
        "yes",
        f"address {eve.address}",
        "standing Gaspode: never",
        "undo",
        "> yes",
        "report",
    ]
    for _ in range(60):
        text = "\n".join(dice.choice([*texts, started.orders()]) for _ in range(dice.randint(1, 3)))
        cc = dice.choice(["", "", eve.address])
        raw = victim.letter(text, to=dice.choice(leaked), cc=cc)
        head = f"From: {victim.name} <{victim.address}>".encode()
        started.deliver(raw.replace(head, f"From: {dice.choice(senders)}".encode()))
    assert (started.table.match, started.table.seats) == (known.match, known.seats)
    assert started.table.policies == known.policies
    assert started.table.players == known.players
    eve.receives_nothing()


def test_the_moderator_is_not_flooded_with_forged_senders(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"answers_per_hour": 2})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    asked = world.whose()
    known, report = len(world.moderator.inbox), asked.newest
    for number in range(4 * 3):
        assert asked.writes("play Groat", to=report, sender=f"eve{number // 3}@evil.example") == "parked"
    assert len(world.moderator.inbox) - known == 2
