"""A player adds an address by mail: asked from a known one, confirmed from the new one, told to the old one."""

from __future__ import annotations

from typing import Any

import pytest

NEW = "ann.at.work@example.net"


@pytest.fixture
def started(world: Any, begin: Any) -> Any:
    for one in begin(3):
        one.skip()
    return world


def work(world: Any, address: str = NEW) -> Any:
    """The same person at another address."""
    return world.person("Ann", address)


def test_a_new_address_is_confirmed_from_itself(started: Any) -> None:
    asked, new = started.whose(), work(started)
    assert asked.writes(f"address {NEW}") == "answered"
    told = asked.receives()
    assert NEW in told.text
    question = new.receives(text="yes")
    assert question.token not in told.text + told.subject, "the code is at the new address only"
    for secret in ("THE CITY", "YOUR HAND", "WHAT YOU MAY DO"):
        assert secret not in question.text, "nobody knows yet who reads there"
    assert new.writes("yes", to=question) == "applied"
    assert NEW in asked.receives(subject="address").text
    report = new.receives(subject="your move")
    assert new.writes(started.orders(), to=report) == "applied"
    assert started.game.turn == 2


def test_reports_go_to_the_new_address_from_then_on(started: Any) -> None:
    asked, new = started.whose(), work(started)
    asked.writes(f"address {NEW}")
    new.writes("yes")
    new.skip()
    old_count = len(asked.inbox)
    started.play_turn()
    assert len(asked.inbox) == old_count
    assert len(new.inbox) > new.read


def test_both_addresses_move(started: Any) -> None:
    asked, new = started.whose(), work(started)
    report = asked.newest
    asked.writes(f"address {NEW}")
    new.writes("yes")
    assert asked.writes(started.first_order(), to=report) == "applied"


def test_a_token_of_who_only_waits_serves(started: Any) -> None:
    other, new = started.others()[0], work(started, "bob.at.work@example.net")
    assert other.writes("address bob.at.work@example.net") == "answered"
    assert new.writes("yes") == "applied"


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
    new = work(started)
    assert started.whose().writes(line) == "answered"
    assert new.inbox
    assert new.writes("yes") == "applied"


def test_without_a_token_it_is_parked(started: Any) -> None:
    asked, new = started.whose(), work(started)
    assert asked.writes(f"address {NEW}", subject="my new address") == "parked"
    assert not new.inbox
    assert asked.writes("yes") in ("answered", "applied")
    assert new.inbox


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
    assert eve.writes("yes", to=new.newest) == "ignored"
    started.others()[0].writes("yes", to=new.newest)
    assert asked.writes(started.first_order(), to=asked.inbox[0], sender=NEW) == "parked"


def test_orders_with_the_token_of_the_question_move_nothing(started: Any) -> None:
    asked, new = started.whose(), work(started)
    asked.writes(f"address {NEW}")
    assert new.writes(started.orders()) != "applied"
    assert asked.writes(started.orders(), to=new.newest) == "answered"
    assert started.game.version == 1


def test_a_yes_counts_once_and_not_for_ever(started: Any) -> None:
    asked, new = started.whose(), work(started)
    asked.writes(f"address {NEW}")
    question = new.newest
    started.pass_time(24 * 8)
    assert new.writes("yes", to=question) == "ignored"
    assert not started.table.players[started.table.match.actor].owns(NEW)
    new.receives("is this your address")
    new.receives_nothing()
    assert asked.writes(f"address {NEW}") == "answered"
    assert new.writes("yes") == "applied"
    version = len(asked.inbox)
    new.writes("yes", to=question)
    assert len(asked.inbox) == version


def test_a_question_from_an_earlier_tenure_is_void(started: Any) -> None:
    asked, new = started.whose(), work(started)
    asked.writes(f"address {NEW}")
    with started.store.transaction() as tx:
        zoe = tx.add_player("Zoe", "zoe@example.org", started.now)
        tx.reseat(started.game_id, started.table.match.actor, zoe.id)
    started.person("Zoe", "zoe@example.org")
    assert new.writes("yes") == "ignored"


@pytest.mark.parametrize("address", ["orders@play.example.org", "orders+N6JR3CVE@play.example.org"])
def test_our_own_address_is_refused(started: Any, address: str) -> None:
    asked = started.whose()
    assert asked.writes(f"address {address}") == "answered"
    assert "cannot" in asked.newest.text
    assert set(started.people) == {"mod@example.org", *(one.address for one in [asked, *started.others()])}


def test_an_address_in_a_signature_is_no_wish(started: Any) -> None:
    asked = started.whose()
    assert asked.writes(f"{started.first_order()}\nAddress: 12 Short Street, Ankh") == "applied"
    assert len(asked.inbox) == asked.read + 1, "nothing but the acknowledgement"


def test_an_address_one_has_already_becomes_the_one_for_reports(started: Any) -> None:
    asked, new = started.whose(), work(started)
    asked.writes(f"address {NEW}")
    new.writes("yes")
    assert new.writes(f"address {asked.address}") == "answered"
    player = started.table.players[started.table.match.actor]
    assert player.address.address == asked.address


def test_going_to_and_fro_between_two_addresses_is_limited_too(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"answers_per_hour": 6})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    asked, new = world.whose(), work(world)
    report = asked.newest
    asked.writes(f"address {NEW}")
    new.writes("yes")
    for _ in range(12):
        asked.writes(f"address {NEW}", to=report)
    assert len(new.inbox) + len(asked.inbox) < 20


def test_nobody_can_have_a_stranger_written_to_again_and_again(started: Any) -> None:
    asked = started.whose()
    victim = started.person("Victim", "victim@example.com")
    for _ in range(12):
        asked.writes("address victim@example.com")
    assert len(victim.inbox) == 2
    people = [started.person("V", f"v{number}@example.com") for number in range(12)]
    for one in people:
        asked.writes(f"address {one.address}")
    assert sum(len(one.inbox) for one in people) < 6
    assert asked.writes(started.orders(), to=asked.inbox[0]) == "applied"


def test_two_seats_may_share_the_new_address(started: Any) -> None:
    asked, other = started.whose(), started.others()[0]
    asked.writes(f"address {other.address}")
    question = other.newest
    assert "is this your address" in question.subject
    assert other.writes("yes", to=question) == "applied"
    report = other.newest
    assert other.writes(started.orders(), to=report) == "applied"
    assert started.game.turn == 2


def test_a_mail_that_fails_authentication_confirms_nothing(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"authserv_id": "mx.play.example.org"})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    asked, new = world.whose(), work(world)
    asked.writes(
        f"address {NEW}", headers={"Authentication-Results": "mx.play.example.org; dmarc=pass header.from=example.org"}
    )
    failed = {"Authentication-Results": "mx.play.example.org; dmarc=fail header.from=example.net"}
    assert new.writes("yes", headers=failed) == "ignored"
    passed = {"Authentication-Results": "mx.play.example.org; dmarc=pass header.from=example.net"}
    assert new.writes("yes", headers=passed) == "applied"
