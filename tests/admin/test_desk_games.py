"""Setting games up, stopping and extending them, and who sits where."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.errors import ConfigError, StoreError
from pbem.moderator import actions as desk
from pbem.moderator import overview
from pbem.moderator.players import Sitter, sitter
from pbem.protocol import Seat

CYD = Sitter("Cyd", "cyd@example.org")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Ann <ann@example.org>", Sitter("Ann", "ann@example.org")),
        ('"Ann of Lancre" <ann@example.org>', Sitter("Ann of Lancre", "ann@example.org")),
        ("ann@example.org", Sitter("ann", "ann@example.org")),
        ("bot", Sitter("")),
        ("Bot: Dibbler", Sitter("Dibbler")),
    ],
)
def test_players_are_written_as_in_a_mail_program(text: str, meant: Sitter) -> None:
    assert sitter(text) == meant


@pytest.mark.parametrize(
    "text",
    ["Ann", "", "Ann <ann>", "Ann <ann@@example.org>", "bot:" + "x" * 41, "A\x1b[2J <ann@example.org>"],
)
def test_what_is_no_player_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        sitter(text)


def test_a_new_game_waits_for_its_start(club) -> None:
    game = desk.new_game(club.store, club.settings, "Thursday", [sitter("Ann <ann@example.org>"), Sitter("")])
    assert (game.code, game.status, len(game.seed)) == ("G001", "open", 32)
    (stands,) = overview.games(club.store)
    assert [(seat.colour, seat.name, seat.bot) for seat in stands.seats] == [
        ("Red", "Ann", False),
        ("Green", "Bot 2", True),
    ]
    assert club.mails() == []


def test_a_player_who_is_known_is_the_same_person(club, game) -> None:
    desk.new_game(club.store, club.settings, "Friday", [sitter("ann <ANN@example.org>"), CYD])
    assert [player.name for player in overview.players(club.store)] == ["Ann", "Bob", "Cyd"]


@pytest.mark.parametrize(
    ("name", "sitters", "said"),
    [
        ("Alone", [CYD], "is for 2 to 4, not for 1"),
        ("Crowd", [Sitter("")] * 5, "is for 2 to 4, not for 5"),
        ("Twins", [CYD, Sitter("cyd", "other@example.org")], "same name"),
        ("  ", [CYD, Sitter("")], "is no name"),
        ("x" * 41, [CYD, Sitter("")], "is no name"),
    ],
)
def test_a_game_that_cannot_be_is_refused(club, name: str, sitters: list[Sitter], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        desk.new_game(club.store, club.settings, name, sitters)


def test_a_name_that_is_taken_is_refused(club, game) -> None:
    with pytest.raises(StoreError, match='there is a game "thursday night" already'):
        desk.new_game(club.store, club.settings, "thursday night", [CYD, Sitter("")])


def test_options_are_those_of_the_configuration_but_for_what_is_said(club) -> None:
    options = desk.options_for(club.settings, turn_hours=24.0, nmr=None)
    assert (options.turn_hours, options.reaction_hours, options.nmr) == (24.0, 24.0, "bot")


@pytest.mark.parametrize("wrong", [{"nmr": "shrug"}, {"turn_hours": 0}, {"timezone": "Mars/Olympus"}])
def test_an_option_that_cannot_be_is_refused(club, wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        desk.options_for(club.settings, **wrong)


def test_everybody_is_welcomed_and_the_first_is_asked(club, game) -> None:
    assert club.told("welcome") == ["ann@example.org", "bob@example.org"]
    (stands,) = overview.games(club.store)
    assert (stands.game.status, stands.game.turn, stands.waiting) == ("running", 1, ("Red",))
    assert stands.due_at == club.now + timedelta(hours=72)


def test_a_game_begins_once(club, game) -> None:
    with pytest.raises(StoreError, match="has begun already"):
        desk.start(club.store, club.settings, "G001")


def test_a_pause_stops_the_clock_and_everybody_is_told(club, game) -> None:
    desk.pause(club.store, club.settings, "G001", "holiday", now=club.now)
    club.passes(1000)
    with club.store.reading() as tx:
        assert tx.due_asks(club.now) == ()
    desk.resume(club.store, club.settings, "G001", now=club.now)
    (stands,) = overview.games(club.store)
    assert stands.due_at == club.now + timedelta(hours=72)
    assert club.told("notice") == ["ann@example.org", "bob@example.org"] * 2
    assert "holiday" in club.mails()[-3].text


def test_pausing_and_resuming_twice_is_refused(club, game) -> None:
    with pytest.raises(StoreError, match="is running, not paused"):
        desk.resume(club.store, club.settings, "G001")
    desk.pause(club.store, club.settings, "G001")
    with pytest.raises(StoreError, match="is paused; only a running game"):
        desk.pause(club.store, club.settings, "G001")


def test_more_time_counts_from_now_when_the_deadline_is_past(club, game) -> None:
    club.passes(100)
    stands = desk.extend(club.store, club.settings, "G001", 10, now=club.now)
    assert stands.due_at == club.now + timedelta(hours=10)
    assert len(club.told("notice")) == 2


@pytest.mark.parametrize("hours", [0, -1, 1e9, float("nan"), float("inf")])
def test_nonsense_hours_are_refused(club, game, hours: float) -> None:
    with pytest.raises(ConfigError, match="above 0, at most a year"):
        desk.extend(club.store, club.settings, "G001", hours)


def test_a_game_that_has_not_begun_has_nothing_to_extend(club) -> None:
    desk.new_game(club.store, club.settings, "Friday", [CYD, Sitter("")])
    with pytest.raises(StoreError, match="`pbem admin start G001` starts it"):
        desk.extend(club.store, club.settings, "Friday", 1)


def test_orders_can_be_carried_out_for_a_seat(club, game) -> None:
    club.moves("Red")
    (stands,) = overview.games(club.store)
    assert (stands.game.turn, stands.waiting) == (2, ("Green",))
    assert [line.what for line in overview.log(club.store)] == ["new", "start", "act-as"]


def test_a_wrong_order_changes_nothing(club, game) -> None:
    outcome = desk.act_as(club.store, club.settings, "G001", "Red", ["play Excalibur"], "test")
    assert outcome.refused is not None
    assert not outcome.changed
    assert overview.games(club.store)[0].game.version == game.version


def test_a_seat_that_is_not_asked_cannot_be_acted_for(club, game) -> None:
    with pytest.raises(StoreError, match="does not wait for Green but for Red"):
        desk.act_as(club.store, club.settings, "G001", "green", ["end"], "test")
    with pytest.raises(StoreError, match='no seat "mauve"; there are Red, Green'):
        desk.act_as(club.store, club.settings, "G001", "mauve", ["end"], "test")


def test_a_new_player_gets_the_report_and_the_old_tokens_end(club, game) -> None:
    with club.store.reading() as tx:
        (old,) = tx.open_asks(game.id, Seat(0))
    seat = desk.replace_player(club.store, club.settings, "G001", "red", CYD, "moved", now=club.now)
    assert (seat.name, seat.tenure) == ("Cyd", 2)
    with club.store.reading() as tx:
        assert not tx.ask(old.number).open
        (new,) = [ask for ask in tx.open_asks(game.id, Seat(0)) if ask.due_at]
    assert (new.tenure, new.due_at) == (2, old.due_at)
    report = club.mails()[-1]
    assert (report.recipient, report.ask) == ("cyd@example.org", new.number)
    assert set(club.told("notice")) == {"ann@example.org", "bob@example.org"}


def test_a_bot_that_gets_the_seat_moves_at_once(club, game) -> None:
    desk.replace_player(club.store, club.settings, "G001", "Red", Sitter(""), now=club.now)
    (stands,) = overview.games(club.store)
    assert (stands.game.version, stands.waiting) == (game.version + 1, ("Green",))


def test_nobody_sits_twice_at_a_table(club, game) -> None:
    with pytest.raises(StoreError, match="Bob sits in G001 already"):
        desk.replace_player(club.store, club.settings, "G001", "Red", Sitter("Bob", "bob@example.org"))


def test_a_report_can_be_sent_again(club, game) -> None:
    desk.resend(club.store, club.settings, "G001", "Red", now=club.now)
    assert club.mails()[-1].recipient == "ann@example.org"
    (stands,) = overview.games(club.store)
    assert club.mails()[-1].ask == stands.asks[-1].number
    assert len(stands.asks) == 1


def test_a_player_can_be_reached_elsewhere(club, game) -> None:
    club_store = club.store
    player = desk.add_address(club_store, club.settings, "ann@example.org", "ann@work.example")
    assert player.address is not None
    assert player.address.address == "ann@work.example"
    assert player.owns("ann@example.org")
    with pytest.raises(StoreError, match="no player has the address nobody@"):
        desk.add_address(club_store, club.settings, "nobody@example.org", "x@example.org")
    with pytest.raises(ConfigError, match="is not a mail address"):
        desk.add_address(club_store, club.settings, "ann@example.org", "nonsense")


def test_a_desk_operation_that_fails_leaves_no_trace(club, game, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StoreError("the lights went out")

    monkeypatch.setattr(desk.advance, "notify", fail)
    with pytest.raises(StoreError, match="lights"):
        desk.pause(club.store, club.settings, "G001")
    assert overview.games(club.store)[0].game.status == "running"
    assert [line.what for line in overview.log(club.store)] == ["new", "start"]
