"""A player changes address by mail: the present address says yes, then the new one, and a day later reports go there."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from pbem.protocol import Seat

NEW = "ann.at.work@example.net"
DAY = 24.5


@pytest.fixture
def started(world: Any, begin: Any) -> Any:
    for one in begin(3):
        one.skip()
    return world


def work(world: Any, address: str = NEW) -> Any:
    """The same person at another address."""
    return world.person("Ann", address)


def agreed(asked: Any, new: Any, address: str = NEW) -> None:
    """Both addresses say yes."""
    asked.writes(f"address {address}")
    assert asked.writes("yes", to=asked.newest) == "answered"
    assert new.writes("yes", to=new.newest) == "applied"


def bounces(world: Any, address: str) -> None:
    with world.store.transaction() as tx:
        tx.mark_bouncing(address, "550 no such user", world.now)


def present(world: Any, seat: int | None = None) -> str:
    player = world.table.players[world.table.match.actor if seat is None else Seat(seat)]
    return str(player.address.address)


def test_the_present_address_says_yes_and_then_the_new_one(started: Any) -> None:
    asked, new = started.whose(), work(started)
    assert asked.writes(f"address {NEW}") == "answered"
    wished = asked.receives("do you want another address")
    assert NEW in wished.text
    new.receives_nothing()
    assert asked.writes("yes", to=wished) == "answered"
    assert NEW in asked.receives(text="we have written to").text
    question = new.receives("is this your address", text="yes")
    assert question.token not in "".join(mail.text + mail.subject for mail in asked.inbox)
    for secret in ("THE CITY", "YOUR HAND", "WHAT YOU MAY DO"):
        assert secret not in question.text, "nobody knows yet who reads there"
    assert new.writes("yes", to=question) == "applied"
    assert NEW in asked.receives("your address", text="from Tuesday 1 December,").text


def test_reports_go_there_a_day_later_and_old_codes_end(started: Any) -> None:
    asked, new = started.whose(), work(started)
    report = asked.newest
    agreed(asked, new)
    new.skip()
    started.wait(23)
    assert present(started) == asked.address
    new.receives_nothing()
    started.wait(1.5)
    assert present(started) == NEW
    fresh = new.receives("your move", text="THE CITY")
    assert asked.writes(started.orders(), to=report) == "parked"
    assert asked.writes(started.first_order(), to=fresh) == "applied", "both addresses move"
    started.play_turn()
    assert started.game.turn == 2


def test_until_then_the_old_address_plays_and_the_new_one_learns_nothing(started: Any) -> None:
    asked, new = started.whose(), work(started)
    report = asked.newest
    agreed(asked, new)
    new.skip()
    for text in ("report", "status", started.orders()):
        assert new.writes(text, subject="hello") == "ignored"
    new.receives_nothing()
    assert asked.writes(started.orders(), to=report) == "applied"


def test_every_seat_and_every_old_address_is_told_without_a_code(started: Any) -> None:
    asked, new, others = started.whose(), work(started), started.others()
    agreed(asked, new)
    told = asked.newest
    assert NEW in told.text
    assert told.token == ""
    for other in others:
        notice = other.receives("a notice", text="go to another address")
        assert asked.name in notice.text
        assert NEW not in notice.text
    with started.store.reading() as tx:
        entry = tx.audit_log(started.game_id)[-1]
    assert entry.facts == {"address": NEW, "before": [asked.address]}


def test_an_old_mail_of_a_seat_does_not_give_it_away(started: Any) -> None:
    asked = started.whose()
    report = asked.newest
    started.now += timedelta(days=20)
    rival = started.person("Rival", "rival@evil.test")
    assert asked.writes("address rival@evil.test", to=report) == "answered"
    rival.receives_nothing()
    assert "rival@evil.test" in asked.newest.text
    for forged in (report, asked.inbox[0]):
        assert asked.writes("yes", to=forged) != "applied"
    rival.receives_nothing()
    assert present(started) == asked.address


def test_who_writes_from_another_address_is_not_asked_there(started: Any) -> None:
    asked, new = started.whose(), work(started)
    agreed(asked, new)
    started.wait(DAY)
    known, told = len(asked.inbox), len(new.inbox)
    assert asked.writes("address third@example.com", to=new.newest) == "answered"
    assert "we have written to the address that your mails go to now" in " ".join(asked.newest.text.split())
    wished = new.newest
    assert (len(asked.inbox), len(new.inbox)) == (known + 1, told + 1)
    assert wished.token not in asked.newest.message.as_string()


def test_an_address_one_has_already_takes_the_present_ones_yes_too(started: Any) -> None:
    asked, new = started.whose(), work(started)
    agreed(asked, new)
    started.wait(DAY)
    new.writes(f"address {asked.address}")
    assert present(started) == NEW
    assert new.writes("yes", to=new.newest) == "applied"
    started.wait(DAY)
    assert present(started) == asked.address


def test_when_the_present_address_bounces_another_known_one_is_asked(started: Any) -> None:
    asked, new = started.whose(), work(started)
    agreed(asked, new)
    started.wait(DAY)
    report = new.newest
    bounces(started, NEW)
    third = started.person("Ann", "third@example.com")
    asked.writes("address third@example.com", to=report)
    assert asked.writes("yes", to=asked.newest) == "answered"
    assert third.writes("yes") == "applied"


def test_when_all_addresses_bounce_the_moderator_is_asked(started: Any) -> None:
    asked, new = started.whose(), work(started)
    orders = started.whose().newest
    letter = asked.letter(f"address {NEW}", to=orders, sender="else@example.org")
    bounces(started, asked.address)
    started.deliver(letter)
    assert not any(NEW in mail.text for mail in started.moderator.inbox), "nobody vouches for that mail"
    player = started.table.players[started.table.match.actor]
    with started.store.transaction() as tx:
        tx.use_address(player.id, "second@example.net")
        tx.use_address(player.id, asked.address)
    bounces(started, "second@example.net")
    second = started.person("Ann", "second@example.net")
    assert second.writes(f"address {NEW}", to=orders) == "answered"
    new.receives_nothing()


@pytest.mark.parametrize(
    "line",
    [
        f"address: {NEW}",
        f"Address <{NEW}>",
        f"address to {NEW}.",
        f"address mailto:{NEW}",
        f"address Ann at work <{NEW}>",
        f"address {NEW.upper()}",
    ],
)
def test_the_address_is_found_however_it_is_written(started: Any, line: str) -> None:
    asked, new = started.whose(), work(started)
    assert asked.writes(line) == "answered"
    assert asked.writes("yes", to=asked.newest) == "answered"
    assert new.writes("yes") == "applied"


def test_letters_of_other_alphabets_stay_what_they_are(started: Any) -> None:
    asked, new = started.whose(), work(started, "ann@xn--bcher-kva.example")
    agreed(asked, new, "ann@bücher.example")
    assert "bucher" not in asked.newest.text
    started.wait(DAY)
    assert (
        started.deliver(asked.letter(started.orders(), to=new.newest, sender="Ann@xn--BCHER-kva.example")) == "applied"
    )


def test_letters_that_our_server_cannot_write_to_are_refused_at_once(started: Any) -> None:
    asked = started.whose()
    assert asked.writes("address jörg@example.net") == "answered"
    assert "our mail server cannot write to jörg@example.net" in " ".join(asked.newest.text.split())
    with started.store.transaction() as tx:
        tx.remember("smtputf8", "yes")
    assert asked.writes("address jörg@example.net") == "answered"
    assert "do you want another address" in asked.newest.subject


def test_without_a_token_it_is_void(started: Any) -> None:
    asked, new = started.whose(), work(started)
    assert asked.writes(f"address {NEW}", subject="my new address") == "parked"
    assert f"address {NEW}" in " ".join(asked.newest.text.split())
    asked.writes("yes")
    asked.writes("yes", to=asked.newest)
    assert not new.inbox


def test_from_elsewhere_it_adds_nothing(started: Any) -> None:
    asked = started.whose()
    eve = started.person("Eve", "eve@evil.example")
    assert eve.writes("address eve@evil.example", to=asked.newest) == "parked"
    eve.receives_nothing()
    assert "address eve@evil.example" in asked.newest.text


def test_a_yes_from_anywhere_else_confirms_nothing(started: Any) -> None:
    asked, new = started.whose(), work(started)
    asked.writes(f"address {NEW}")
    eve = started.person("Eve", "eve@evil.example")
    assert eve.writes("yes", to=asked.newest) == "ignored"
    assert new.writes("yes", to=asked.newest) == "ignored", "the new address does not confirm itself"
    asked.writes("yes", to=asked.newest)
    assert eve.writes("yes", to=new.newest) == "ignored"
    started.others()[0].writes("yes", to=new.newest)
    started.wait(DAY)
    assert present(started) == asked.address


def test_orders_with_the_token_of_a_question_move_nothing(started: Any) -> None:
    asked, new = started.whose(), work(started)
    asked.writes(f"address {NEW}")
    assert started.deliver(asked.letter(started.orders(), subject=f"Re: {asked.newest.subject}")) == "answered"
    asked.writes("yes", to=next(mail for mail in asked.inbox if "do you want another" in mail.subject))
    assert new.writes(started.orders()) != "applied"
    assert asked.writes(started.orders(), to=new.newest) == "answered"
    assert started.game.version == 1


def test_a_yes_counts_once_and_not_for_ever(started: Any) -> None:
    asked, new = started.whose(), work(started)
    asked.writes(f"address {NEW}")
    wished = asked.newest
    asked.writes("yes", to=wished)
    question = new.newest
    asked.writes("yes", to=wished)
    assert len(new.inbox) == 1
    started.now += timedelta(days=8)
    assert new.writes("yes", to=question) == "ignored"
    asked.writes(f"address {NEW}")
    asked.writes("yes", to=asked.newest)
    assert new.writes("yes") == "applied"
    known = len(asked.inbox)
    new.writes("yes", to=question)
    assert len(asked.inbox) == known


def test_a_question_from_an_earlier_tenure_is_void(started: Any) -> None:
    asked, new = started.whose(), work(started)
    asked.writes(f"address {NEW}")
    asked.writes("yes", to=asked.newest)
    with started.store.transaction() as tx:
        zoe = tx.add_player("Zoe", "zoe@example.org", started.now)
        tx.reseat(started.game_id, started.table.match.actor, zoe.id)
    started.person("Zoe", "zoe@example.org")
    assert new.writes("yes") == "ignored"


@pytest.mark.parametrize("address", ["orders@play.example.org", "Orders+N6JR3CVE@Play.Example.org", "ann@nonsense"])
def test_an_address_that_can_be_no_players_is_refused(started: Any, address: str) -> None:
    asked = started.whose()
    assert asked.writes(f"address {address}") == "answered"
    assert "cannot" in asked.newest.text
    assert set(started.people) == {"mod@example.org", *(one.address for one in [asked, *started.others()])}


def test_an_address_in_a_signature_is_no_wish(started: Any) -> None:
    asked = started.whose()
    assert asked.writes(f"{started.first_order()}\nAddress: 12 Short Street, Ankh") == "applied"
    assert len(asked.inbox) == asked.read + 1, "nothing but the acknowledgement"


def test_one_player_does_not_have_a_hundred_strangers_written_to(started: Any) -> None:
    asked = started.whose()
    report, strangers = asked.newest, [started.person("V", f"v{number}@example.com") for number in range(12)]
    for stranger in strangers:
        asked.writes(f"address {stranger.address}", to=report)
        asked.writes("yes", to=asked.newest)
    assert sum(len(stranger.inbox) for stranger in strangers) <= 3
    often, nothing = (" ".join(mail.text.split()) for mail in asked.inbox[-2:])
    assert "again today" in often
    assert 'nothing that your "yes" confirms' in nothing
    assert asked.writes(started.orders(), to=report) == "applied"


def test_a_stranger_is_asked_twice_a_day_whoever_plays(started: Any) -> None:
    victim = started.person("Victim", "victim@example.com")
    for asked in (started.whose(), *started.others()):
        asked.writes(f"address {victim.address}")
        asked.writes("yes", to=asked.newest)
    assert len(victim.inbox) == 2
    assert "again today" in " ".join(asked.newest.text.split())


def test_a_player_who_gets_no_more_answers_gets_no_more_questions_either(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"answers_per_hour": 1})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    asked = world.whose()
    report, known = asked.newest, len(asked.inbox)
    for number in range(4):
        asked.writes(f"address v{number}@example.com", to=report)
        asked.writes("resign", to=report)
    questions = [mail for mail in asked.inbox[known:] if "do you want" in mail.subject]
    assert len(questions) == 5
    world.pass_time(24)
    asked.writes("resign", to=report)
    assert "resign" in asked.newest.subject


def test_two_seats_may_share_the_new_address(started: Any) -> None:
    asked, other = started.whose(), started.others()[0]
    report = asked.newest
    agreed(asked, other, other.address)
    started.wait(DAY)
    assert other.writes(started.orders(), to=report) == "parked"
    assert other.writes(started.orders(), to=other.inbox[-2]) == "applied"
    assert started.game.turn == 2


def test_a_mail_that_fails_authentication_confirms_nothing(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"authserv_id": "mx.play.example.org"})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    asked, new = world.whose(), work(world)
    results = "mx.play.example.org; dmarc={} header.from={}"
    passed = {"Authentication-Results": results.format("pass", "example.org")}
    asked.writes(f"address {NEW}", headers=passed)
    wished = asked.newest
    asked.writes("yes", to=wished)
    new.receives_nothing()
    asked.writes("yes", to=wished, headers=passed)
    assert new.writes("yes", headers={"Authentication-Results": results.format("fail", "example.net")}) == "ignored"
    assert new.writes("yes", headers={"Authentication-Results": results.format("pass", "example.net")}) == "applied"
