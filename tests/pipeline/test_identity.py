"""Nobody moves for anybody else: tokens, tenure, addresses, parking, limits."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.protocol import Seat
from pbem.store import GameSettings

FAILED = {"Authentication-Results": "mx.play.example.org; dmarc=fail header.from=example.org; spf=fail"}
PASSED = {"Authentication-Results": "mx.play.example.org; dmarc=pass header.from=example.org"}


@pytest.fixture
def started(world: Any, begin: Any) -> Any:
    begin(3)
    return world


def moved(world: Any) -> bool:
    return world.game.version > 1


def dispositions(world: Any) -> list[tuple[str, str]]:
    with world.store.reading() as tx:
        return [(one.disposition, one.kind) for one in reversed(tx.received())]


def test_a_stranger_with_a_token_moves_nothing_and_its_owner_is_asked(started: Any) -> None:
    asked = started.whose()
    eve = started.person("Eve", "eve@evil.example")
    assert eve.writes(started.orders(), to=asked.newest) == "parked"
    assert not moved(started)
    eve.receives_nothing()
    offer = asked.newest
    assert "not carried out" in offer.subject
    assert "eve@evil.example" in offer.text
    assert started.orders().splitlines()[0] in offer.text
    assert dispositions(started)[-1] == ("parked", "rejected")


def test_a_typed_yes_carries_parked_orders_out(started: Any) -> None:
    asked = started.whose()
    orders = started.orders()
    assert asked.writes(orders, sender="ann.at.work@example.net") == "parked"
    assert asked.writes("yes") == "applied"
    assert moved(started)
    assert {one for one, _ in dispositions(started)} == {"applied"}


def test_a_yes_counts_once(started: Any) -> None:
    asked = started.whose()
    asked.writes(started.first_order(), sender="ann.at.work@example.net")
    offer = asked.newest
    assert asked.writes("yes", to=offer) == "applied"
    version = started.game.version
    assert asked.writes("yes", to=offer) == "answered"
    assert started.game.version == version


def test_a_yes_from_elsewhere_does_nothing(started: Any) -> None:
    asked = started.whose()
    asked.writes(started.orders(), sender="ann.at.work@example.net")
    eve = started.person("Eve", "eve@evil.example")
    assert eve.writes("yes", to=asked.newest) == "ignored"
    assert not moved(started)


def test_orders_without_a_token_are_parked_and_offered(started: Any) -> None:
    asked = started.whose()
    assert asked.writes(started.orders(), subject="my move") == "parked"
    assert not moved(started)
    assert "without the code" in asked.newest.text
    assert asked.writes("yes") == "applied"
    assert moved(started)


def test_another_players_token_moves_nothing(started: Any) -> None:
    asked, other = started.whose(), started.others()[0]
    known = len(other.inbox)
    assert other.writes(started.orders(), to=asked.newest) == "parked"
    assert not moved(started)
    assert "not carried out" in asked.newest.subject
    assert other.address not in asked.newest.text, "nobody learns another player's address"
    assert len(other.inbox) == known


def test_the_token_of_who_only_waits_moves_nothing(started: Any) -> None:
    other = started.others()[0]
    assert other.writes("play Groat") == "answered"
    assert not moved(started)
    assert "that is past" in other.newest.subject
    assert other.newest.token


def test_an_old_token_gets_a_friendly_answer_that_says_whose_move_it_is(started: Any) -> None:
    asked = started.whose()
    old = asked.newest
    started.play_turn()
    version = started.game.version
    assert asked.writes("play Groat", to=old) == "answered"
    assert started.game.version == version
    assert "what you answered is past" in asked.newest.text
    assert "'s move, until" in asked.newest.text


def test_an_unknown_sender_gets_no_answer(started: Any) -> None:
    eve = started.person("Eve", "eve@evil.example")
    assert eve.writes("play Groat", subject="hello") == "ignored"
    assert eve.writes("help", subject="hello") == "ignored"
    eve.receives_nothing()


def test_a_player_without_a_seat_is_told_so_once_a_day(started: Any) -> None:
    with started.store.transaction() as tx:
        tx.add_player("Eve", "eve@example.org", started.now)
    eve = started.person("Eve", "eve@example.org")
    for when in ("first", "again"):
        assert eve.writes("help", subject="hello") == "answered", when
        answer = eve.receives("you have no seat", "Eve, you have no seat in any game here")
        assert answer.message["Auto-Submitted"] == "auto-replied"
        assert answer.token == ""
        started.pass_time(23.9)
        assert eve.writes("play Groat", subject="hello") == "ignored"
        eve.receives_nothing()
        started.pass_time(0.1)


def test_a_player_whose_game_has_not_begun_is_answered_when_it_does(started: Any) -> None:
    with started.store.transaction() as tx:
        game = tx.add_game("Friday", "ankh_morpork", GameSettings(), b"\1" * 32, started.now)
        tx.add_seat(game.id, Seat(0), "Red", tx.add_player("Eve", "eve@example.org", started.now).id)
    eve = started.person("Eve", "eve@example.org")
    assert eve.writes("help", subject="hello") == "ignored"
    eve.receives_nothing()


def test_two_seats_behind_one_address_are_told_apart_by_token(world: Any) -> None:
    with world.store.transaction() as tx:
        tx.add_player("Ann", "ann@example.org", world.now)
        both = tx.add_player("Bob", "bob@example.org", world.now)
        tx.use_address(both.id, "ann@example.org")
    world.person("Bob", "bob@example.org")
    with world.store.reading() as tx:
        assert len(tx.players_at("ann@example.org")) == 2
    ann, _ = start_with_shared_address(world)
    asked = world.asks[-1]
    mail = next(one for one in ann.inbox if one.token == asked.token)
    other = next(one for one in ann.inbox if one.token != asked.token)
    assert ann.writes(world.orders(), to=other) == "answered"
    assert world.game.version == 1
    assert ann.writes(world.orders(), to=mail) == "applied"


def test_the_code_that_is_answered_says_which_seat_even_when_the_thread_holds_both(world: Any) -> None:
    with world.store.transaction() as tx:
        tx.add_player("Ann", "ann@example.org", world.now)
        both = tx.add_player("Bob", "bob@example.org", world.now)
        tx.use_address(both.id, "ann@example.org")
    ann, _ = start_with_shared_address(world)
    asked = world.asks[-1]
    open_one = next(one for one in ann.inbox if one.token == asked.token)
    other = next(one for one in ann.inbox if one.token != asked.token)
    references = f"{open_one.message['Message-ID']} {other.message['Message-ID']}"
    letter = ann.letter(world.orders(), subject=f"Re: {other.subject}", headers={"References": references})
    assert world.deliver(letter) == "answered"
    assert world.game.version == 1


def start_with_shared_address(world: Any) -> Any:
    ann = world.person("Ann", "ann@example.org")
    world.people["bob@example.org"] = world.person("Bob", "bob@example.org")
    return world.start(2)[0], ann


def test_a_mail_copied_to_others_gets_a_new_token(started: Any) -> None:
    asked = started.whose()
    first = asked.newest
    assert asked.writes(started.first_order(), cc="friend@elsewhere.example") == "applied"
    assert "went to other people" in asked.newest.text
    assert asked.newest.token != first.token
    version = started.game.version
    assert asked.writes(started.orders(), to=first) == "parked"
    assert started.game.version == version
    assert asked.writes(started.orders(), to=started_answer(asked)) == "applied"


def started_answer(person: Any) -> Any:
    """The acknowledgement, which came before the offer for the parked orders."""
    return person.inbox[-2]


def test_a_refused_mail_copied_to_others_gets_a_new_token_too(started: Any) -> None:
    asked = started.whose()
    first = asked.newest
    assert asked.writes("play The Ramtop Mountains", cc="friend@elsewhere.example") == "refused"
    assert asked.newest.token != first.token
    assert asked.writes(started.orders()) == "applied"


def test_a_mail_that_fails_trusted_authentication_moves_nothing(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"authserv_id": "mx.play.example.org"})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    asked = world.whose()
    assert asked.writes(world.orders(), headers=FAILED) == "parked"
    assert asked.writes(world.orders(), to=asked.inbox[0]) == "parked", "no results at all"
    assert world.game.version == 1
    assert asked.writes("yes", headers=PASSED) == "applied"


def test_authentication_results_of_nobody_we_trust_mean_nothing(started: Any) -> None:
    assert started.whose().writes(started.orders(), headers=FAILED) == "applied"


def test_answers_to_one_address_are_limited(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"answers_per_hour": 3})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    asked = world.whose()
    known = len(asked.inbox)
    for _ in range(6):
        asked.writes("help")
    assert len(asked.inbox) == known + 3
    assert asked.writes(world.orders(), to=asked.inbox[known - 1]) == "applied"


def test_forged_mails_do_not_use_up_a_players_answers(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"answers_per_hour": 3})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    asked = world.whose()
    report = asked.newest
    for _ in range(5):
        asked.writes("play Groat", to=report, sender="eve@evil.example")
    assert [one.subject for one in asked.inbox].count(asked.newest.subject) == 1
    assert any("5 times" in one.text or "3 times" in one.text for one in world.moderator.inbox)
    known = len(asked.inbox)
    asked.writes("help", to=report)
    assert len(asked.inbox) == known + 1


def test_limits_are_forgotten_after_an_hour(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"answers_per_hour": 1})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    asked = world.whose()
    asked.writes("help")
    world.wait(2)
    known = len(asked.inbox)
    asked.writes("help")
    assert len(asked.inbox) == known + 1


def test_a_game_that_is_over_takes_no_orders(started: Any) -> None:
    asked = started.whose()
    with started.store.transaction() as tx:
        tx.change_game(started.game_id, status="over", ended_at=started.now)
    assert asked.writes(started.orders()) == "answered"
    assert "over" in asked.newest.text


def test_a_token_of_an_earlier_tenure_is_worth_nothing(started: Any) -> None:
    asked = started.whose()
    seat = started.table.match.actor
    with started.store.transaction() as tx:
        zoe = tx.add_player("Zoe", "zoe@example.org", started.now)
        tx.reseat(started.game_id, seat, zoe.id)
    started.person("Zoe", "zoe@example.org")
    assert asked.writes(started.orders()) == "answered"
    assert "you have no seat" in asked.newest.subject
    assert not moved(started)


def test_a_second_address_of_a_player_moves_too(started: Any) -> None:
    asked = started.whose()
    player = started.table.players[started.table.match.actor]
    with started.store.transaction() as tx:
        tx.use_address(player.id, "second@example.net")
        tx.use_address(player.id, player.addresses[0].address)
    started.person(asked.name, "second@example.net")
    assert asked.writes(started.orders(), sender="Second@Example.net") == "applied"
    assert started.people["second@example.net"].newest.subject, "the answer goes where the mail came from"


def test_the_last_answer_of_an_hour_says_so_and_orders_are_answered_all_the_same(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"answers_per_hour": 3})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    asked = world.whose()
    report, known = asked.newest, len(asked.inbox)
    for _ in range(5):
        asked.writes("help", to=report)
    assert ["last answer in this hour" in mail.text for mail in asked.inbox[known:]] == [False, False, True]
    for _ in range(2):
        assert asked.writes("play The Ramtop Mountains", to=report) == "refused"
        assert "please look at one line" in asked.newest.subject
    assert asked.writes(world.orders(), to=report) == "applied"


def test_the_last_offer_of_an_hour_says_so(world: Any, begin: Any) -> None:
    world.settings = world.settings.model_copy(
        update={"mail": world.settings.mail.model_copy(update={"answers_per_hour": 6})}
    )
    begin(2)
    asked = world.whose()
    known = len(asked.inbox)
    for _ in range(4):
        asked.writes(world.orders(), subject="My move")
    assert ["last mail about such orders in this hour" in mail.text for mail in asked.inbox[known:]] == [False, True]


def test_a_robot_that_sends_our_mails_back_is_answered_so_often_and_no_more(world: Any, begin: Any) -> None:
    mail = world.settings.mail.model_copy(update={"answers_per_hour": 2})
    world.settings = world.settings.model_copy(update={"mail": mail})
    begin(2)
    robot = world.whose()
    robot.skip()
    for sent in (refused := [robot.newest]):
        assert robot.writes("play The Ramtop Mountains", to=sent) == "refused"
        refused += robot.inbox[robot.read :]
        robot.skip()
    assert len(refused) == 1 + 4 * 2
    assert ["last answer in this hour" in mail.text for mail in refused[-2:]] == [False, True]
    assert robot.writes(world.orders()) == "applied"
    assert "was not answered" in robot.newest.text


def test_a_yes_without_a_code_is_answered(started: Any) -> None:
    asked = started.whose()
    known = len(asked.inbox)
    assert asked.writes("yes", subject="hello") == "parked"
    assert len(asked.inbox) == known + 1
