"""Who the players are, and where they read their mail."""

from __future__ import annotations

import pytest

from pbem.errors import ConfigError, StoreError
from pbem.moderator import actions
from pbem.moderator.players import SeatSpec, add_address, remove_address, seat_spec, set_timezone
from pbem.protocol import Seat
from pbem.server.clock import run_deadlines
from tests.moderator.conftest import ANN, BOB, SEED


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Ann <ann@example.org>", SeatSpec("Ann", "ann@example.org")),
        ('"Ann of Lancre" <ann@example.org>', SeatSpec("Ann of Lancre", "ann@example.org")),
        ("ann@example.org", SeatSpec("ann", "ann@example.org")),
        ("bot", SeatSpec("")),
        ("Bot: Dibbler", SeatSpec("Dibbler")),
    ],
)
def test_players_are_written_as_in_a_mail_program(text: str, meant: SeatSpec) -> None:
    assert seat_spec(text) == meant


@pytest.mark.parametrize(
    "text", ["Ann", "", "Ann <ann>", "Ann <ann@@example.org>", "bot:" + "x" * 41, "A\x1b[2J <ann@example.org>"]
)
def test_what_is_no_player_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        seat_spec(text)


def test_a_player_who_is_known_is_the_same_person(club, game) -> None:
    club.adds("Friday", [seat_spec("ann <ANN@example.org>"), SeatSpec("Cyd", "cyd@example.org")])
    assert [player.name for player in club.players] == ["Ann", "Bob", "Cyd"]


@pytest.mark.parametrize(
    ("zone", "said"), [("Asia/Tokyo", "those of Asia/Tokyo"), ("", "those of the zone of each game")]
)
def test_a_player_is_told_of_another_time_zone(club, game, zone: str, said: str) -> None:
    set_timezone(club.moderator, "ann@example.org", zone)
    assert club.told("notice") == ["ann@example.org"]
    assert said in club.mails()[-1].text


def test_a_player_can_be_reached_elsewhere_a_day_later(club, game) -> None:
    add_address(club.moderator, "ann@example.org", "Ann@Work.example", "she telephoned")
    assert address_of(club) == "ann@example.org"
    assert not club.players[0].owns("ann@work.example")
    assert club.told("address") == ["Ann@work.example", "ann@example.org"]
    assert club.told("notice") == ["bob@example.org"]
    assert all("she telephoned" in mail.text for mail in club.mails() if mail.kind in ("address", "notice"))
    assert club.log[-1].why == "she telephoned"
    assert club.log[-1].facts == {"player": "Ann", "address": "Ann@work.example", "before": ["ann@example.org"]}
    club.passes(25)
    run_deadlines(club.store, club.settings, club.now)
    assert address_of(club) == "Ann@work.example"
    assert club.told("report") == ["Ann@work.example"]


@pytest.mark.parametrize("hours", [23.9, 24.0])
def test_a_new_address_waits_a_day(club, game, hours: float) -> None:
    add_address(club.moderator, "ann@example.org", "ann@work.example", "test")
    club.passes(hours)
    run_deadlines(club.store, club.settings, club.now)
    assert (address_of(club) == "ann@work.example") == (hours == 24)


def test_an_address_counts_at_once_when_no_other_works(club, game) -> None:
    with club.store.transaction() as tx:
        tx.mark_bouncing("ann@example.org", "550 no such user", club.now)
    add_address(club.moderator, "ann@example.org", "ann@work.example", "test")
    assert address_of(club) == "ann@work.example"
    assert club.told("report") == ["ann@work.example"]
    assert set(club.told("address")) == {"ann@example.org", "ann@work.example"}
    assert club.told("notice") == ["bob@example.org"]


def test_an_address_counts_at_once_while_there_is_no_secret(club) -> None:
    club.adds("Thursday", [ANN, BOB])
    add_address(club.moderator, "ann@example.org", "ann@work.example", "a slip of the pen")
    assert address_of(club) == "ann@work.example"


def test_an_address_that_works_again_gets_the_report_at_once(club, game) -> None:
    with club.store.transaction() as tx:
        tx.mark_bouncing("ann@example.org", "550 no such user", club.now)
    add_address(club.moderator, "ann@example.org", "ann@example.org", "repaired")
    assert club.players[0].address.bouncing_at is None
    assert club.told("report") == ["ann@example.org"]


def test_an_address_that_was_hijacked_is_taken_away(club, game) -> None:
    with club.store.transaction() as tx:
        tx.use_address(club.players[0].id, "ann@evil.example")
    with club.store.reading() as tx:
        (old,) = tx.open_asks(game.id, Seat(0))
    remove_address(club.moderator, "ANN@evil.example", "Ann never had it")
    assert [own.address for own in club.players[0].addresses] == ["ann@example.org"]
    assert set(club.told("address")) == {"ann@example.org", "ann@evil.example"}
    assert club.told("notice") == ["bob@example.org"]
    assert club.told("report") == ["ann@example.org"]
    with club.store.reading() as tx:
        assert tx.ask(old.number).retired
        (new,) = tx.open_asks(game.id, Seat(0))
    assert not new.retired
    assert not any(
        token in mail.text + mail.subject for mail in club.mails("address") for token in (old.token, new.token)
    )
    with pytest.raises(StoreError, match="is the only address of Ann"):
        remove_address(club.moderator, "ann@example.org", "test")


def test_an_address_that_is_only_to_come_is_taken_away(club, game) -> None:
    add_address(club.moderator, "ann@example.org", "ann@evil.example", "test")
    remove_address(club.moderator, "ann@EVIL.example", "test")
    club.passes(25)
    run_deadlines(club.store, club.settings, club.now)
    assert address_of(club) == "ann@example.org"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("nonsense@", "is not a mail address"),
        ("orders+N6JR3CVE@play.example.org", "is the address of the game itself"),
        ("jörg@example.org", "our mail server cannot write to"),
    ],
)
def test_an_address_that_can_be_no_players_is_refused(club, game, address: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        add_address(club.moderator, "ann@example.org", address, "test")
    with pytest.raises(ConfigError, match=said):
        club.adds("Friday", [SeatSpec("Cyd", address), BOB])
    with pytest.raises(StoreError, match="no player has the address nobody@"):
        add_address(club.moderator, "nobody@example.org", "x@example.org", "test")


def test_an_address_of_any_alphabet_plays(club) -> None:
    club.adds("Friday", [seat_spec("Cyd <cyd@bücher.example>"), BOB], seed=SEED)
    actions.start(club.moderator, "G001")
    assert club.told("welcome") == ["cyd@xn--bcher-kva.example", "bob@example.org"]


def address_of(club) -> str:
    """Where Ann's reports go."""
    return club.players[0].address.address


def test_an_address_that_bounces_while_it_waits_is_given_up(club, game) -> None:
    add_address(club.moderator, "ann@example.org", "ann@wrok.example", "test")
    with club.store.transaction() as tx:
        tx.mark_bouncing("ann@wrok.example", "550 no such user", club.now)
    club.passes(25)
    run_deadlines(club.store, club.settings, club.now)
    assert address_of(club) == "ann@example.org"
