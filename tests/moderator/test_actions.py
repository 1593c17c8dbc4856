"""Setting games up, stopping and extending them, and who sits where."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.errors import ConfigError, StoreError
from pbem.moderator import actions, inspect
from pbem.moderator.players import SeatSpec, seat_spec
from pbem.protocol import Seat

CYD = SeatSpec("Cyd", "cyd@example.org")


def test_a_new_game_waits_for_its_start(club) -> None:
    game = club.adds("Thursday", [seat_spec("Ann <ann@example.org>"), SeatSpec("")])
    assert (game.code, game.status, len(game.seed)) == ("G001", "open", 32)
    (stands,) = inspect.games(club.moderator)
    assert [(seat.colour, seat.name, seat.bot) for seat in stands.seats] == [
        ("Red", "Ann", False),
        ("Green", "Bot 2", True),
    ]
    assert club.mails() == []


@pytest.mark.parametrize(
    ("name", "players", "said"),
    [
        ("Alone", [CYD], "is for 2 to 4, not for 1"),
        ("Crowd", [SeatSpec("")] * 5, "is for 2 to 4, not for 5"),
        ("Twins", [CYD, SeatSpec("cyd", "other@example.org")], "same name"),
        ("  ", [CYD, SeatSpec("")], "is no name"),
        ("x" * 41, [CYD, SeatSpec("")], "is no name"),
    ],
)
def test_a_game_that_cannot_be_is_refused(club, name: str, players: list[SeatSpec], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        club.adds(name, players)


def test_a_name_that_is_taken_is_refused(club, game) -> None:
    with pytest.raises(StoreError, match='there is a game "thursday night" already'):
        club.adds("thursday night", [CYD, SeatSpec("")])


def test_settings_are_those_of_the_configuration_but_for_what_is_said(club) -> None:
    settings = actions.settings_with(club.settings.defaults.model_dump(), {"turn_hours": 24.0})
    assert (settings.turn_hours, settings.reaction_hours, settings.nmr) == (24.0, 24.0, "bot")


@pytest.mark.parametrize(
    "wrong", [{"nmr": "shrug"}, {"turn_hours": 0}, {"timezone": "Mars/Olympus"}, {"reactions": "loud"}]
)
def test_a_setting_that_cannot_be_is_refused(club, wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        actions.settings_with(club.settings.defaults.model_dump(), wrong)


def test_everybody_is_welcomed_and_the_first_is_asked(club, game) -> None:
    assert club.told("welcome") == ["ann@example.org", "bob@example.org"]
    (stands,) = inspect.games(club.moderator)
    assert (stands.game.status, stands.game.turn, stands.waiting) == ("running", 1, ("Red",))
    assert stands.due_at == club.now + timedelta(hours=72)


def test_a_game_begins_once(club, game) -> None:
    with pytest.raises(StoreError, match="has begun already"):
        actions.start(club.moderator, "G001")


def test_a_pause_stops_the_clock_and_everybody_is_told(club, game) -> None:
    actions.pause(club.moderator, "G001", "holiday")
    club.passes(1000)
    with club.store.reading() as tx:
        assert tx.due_asks(club.now) == ()
    actions.resume(club.moderator, "G001")
    (stands,) = inspect.games(club.moderator)
    assert stands.due_at == club.now + timedelta(hours=72)
    assert club.told("notice") == ["ann@example.org", "bob@example.org"] * 2
    assert "holiday" in club.mails()[-3].text


def test_pausing_and_resuming_twice_is_refused(club, game) -> None:
    with pytest.raises(StoreError, match="is running, not paused"):
        actions.resume(club.moderator, "G001")
    actions.pause(club.moderator, "G001")
    with pytest.raises(StoreError, match="is paused; only a running game"):
        actions.pause(club.moderator, "G001")


def test_more_time_counts_from_now_when_the_deadline_is_past(club, game) -> None:
    club.passes(100)
    stands = actions.extend(club.moderator, "G001", 10)
    assert stands.due_at == club.now + timedelta(hours=10)
    assert len(club.told("notice")) == 2


@pytest.mark.parametrize("hours", [0, -1, 1e9, float("nan"), float("inf")])
def test_nonsense_hours_are_refused(club, game, hours: float) -> None:
    with pytest.raises(ConfigError, match="above 0, at most a year"):
        actions.extend(club.moderator, "G001", hours)


def test_a_game_that_has_not_begun_has_nothing_to_extend(club) -> None:
    club.adds("Friday", [CYD, SeatSpec("")])
    with pytest.raises(StoreError, match="`pbem admin start G001` starts it"):
        actions.extend(club.moderator, "Friday", 1)


def test_changed_settings_hold_from_the_next_question_on_and_everybody_is_told(club, game) -> None:
    (before,) = inspect.games(club.moderator)
    actions.change_settings(club.moderator, "G001", "a busy month", turn_hours=100.0)
    (after,) = inspect.games(club.moderator)
    assert (after.game.settings.turn_hours, after.game.settings.nmr) == (100.0, "bot")
    assert after.due_at == before.due_at
    assert club.told("notice") == ["ann@example.org", "bob@example.org"]
    text = " ".join(club.mails()[-1].text.split())
    assert "You have 100 hours for a turn. This holds from the next question on." in text
    assert "a busy month" in text
    club.moves("Red")
    assert inspect.games(club.moderator)[0].due_at == club.now + timedelta(hours=100)
    assert club.log[2].facts == {"turn_hours": 100.0}


def test_settings_that_are_only_about_mails_are_told_to_nobody(club, game) -> None:
    actions.change_settings(club.moderator, "G001", reminder_hours=1.0)
    assert club.told("notice") == []


def test_settings_that_change_nothing_are_refused(club, game) -> None:
    with pytest.raises(ConfigError, match="has these settings already"):
        actions.change_settings(club.moderator, "G001", turn_hours=72.0)


def test_a_game_that_is_over_keeps_its_settings(club, game) -> None:
    with club.store.transaction() as tx:
        tx.change_game(game.id, status="over", ended_at=club.now)
    with pytest.raises(StoreError, match="is over; its settings"):
        actions.change_settings(club.moderator, "G001", turn_hours=1.0)


def test_a_rule_that_the_game_does_not_have_is_refused(club) -> None:
    with pytest.raises(ConfigError, match="Discworld: Ankh-Morpork has no setting"):
        club.adds("Friday", [CYD, SeatSpec("")], rules={"cards": "13"})


def test_orders_can_be_carried_out_for_a_seat(club, game) -> None:
    club.moves("Red")
    (stands,) = inspect.games(club.moderator)
    assert (stands.game.turn, stands.waiting) == (2, ("Green",))
    assert [line.what for line in club.log] == ["new", "start", "act-as"]


def test_a_wrong_order_changes_nothing(club, game) -> None:
    outcome = actions.act_as(club.moderator, "G001", "Red", ["play Excalibur"], "test")
    assert outcome.refused is not None
    assert not outcome.changed
    assert inspect.games(club.moderator)[0].game.version == game.version


def test_a_seat_that_is_not_asked_cannot_be_acted_for(club, game) -> None:
    with pytest.raises(StoreError, match="does not wait for Green; `pbem admin games`"):
        actions.act_as(club.moderator, "G001", "green", ["end"], "test")
    with pytest.raises(StoreError, match='no seat "mauve"; there are Red, Green'):
        actions.act_as(club.moderator, "G001", "mauve", ["end"], "test")


def test_a_new_player_gets_the_report_and_the_old_tokens_end(club, game) -> None:
    with club.store.reading() as tx:
        (old,) = tx.open_asks(game.id, Seat(0))
    seat = actions.replace_player(club.moderator, "G001", "red", CYD, "moved")
    assert (seat.name, seat.tenure) == ("Cyd", 2)
    with club.store.reading() as tx:
        assert not tx.ask(old.number).open
        (new,) = [ask for ask in tx.open_asks(game.id, Seat(0)) if ask.due_at]
    assert (new.tenure, new.due_at) == (2, old.due_at)
    report = club.mails()[-1]
    assert (report.recipient, report.ask) == ("cyd@example.org", new.number)
    assert set(club.told("notice")) == {"ann@example.org", "bob@example.org"}


def test_a_bot_that_gets_the_seat_moves_at_once(club, game) -> None:
    actions.replace_player(club.moderator, "G001", "Red", SeatSpec(""))
    (stands,) = inspect.games(club.moderator)
    assert (stands.game.version, stands.waiting) == (game.version + 1, ("reactions",))


def test_nobody_sits_twice_at_a_table(club, game) -> None:
    with pytest.raises(StoreError, match="Bob sits in G001 already"):
        actions.replace_player(club.moderator, "G001", "Red", SeatSpec("Bob", "bob@example.org"))


def test_a_report_can_be_sent_again(club, game) -> None:
    actions.resend(club.moderator, "G001", "Red")
    assert club.mails()[-1].recipient == "ann@example.org"
    (stands,) = inspect.games(club.moderator)
    assert club.mails()[-1].ask == stands.asks[-1].number
    assert len(stands.asks) == 1


def test_an_act_that_fails_leaves_no_trace(club, game, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StoreError("the lights went out")

    monkeypatch.setattr(actions.advance, "notify", fail)
    with pytest.raises(StoreError, match="lights"):
        actions.pause(club.moderator, "G001")
    assert inspect.games(club.moderator)[0].game.status == "running"
    assert [line.what for line in club.log] == ["new", "start"]


def test_orders_for_a_seat_are_recorded_and_told_to_all_whatever_came_of_them(club, game) -> None:
    outcome = actions.act_as(club.moderator, "G001", "Red", ["play xyzzy"], "test")
    assert not outcome.changed
    assert club.log[-1].what == "act-as"
    assert club.log[-1].facts == {"seat": "Red", "orders": ["play xyzzy"], "address": "ann@example.org"}
    assert club.told("notice") == ["ann@example.org", "bob@example.org"]
    with pytest.raises(StoreError, match="does not wait for Green"):
        actions.act_as(club.moderator, "G001", "Green", ["end"], "test")
    assert club.told("notice") == ["ann@example.org", "bob@example.org"] * 2


def test_the_log_says_where_mail_of_an_act_went(club, game) -> None:
    actions.resend(club.moderator, "G001", "Red")
    assert club.log[-1].facts == {"seat": "Red", "address": "ann@example.org"}
    actions.replace_player(club.moderator, "G001", "Red", CYD, "moved")
    facts = club.log[-1].facts
    assert (facts["old_address"], facts["new_address"]) == ("ann@example.org", "cyd@example.org")
