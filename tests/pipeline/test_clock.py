"""Deadlines: what is due, what is held, and what happens to who does not write."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbem.server.clock import fate, outage, run_deadlines, silence
from pbem.store import Player, PlayerId

HOURS = 72.5


@pytest.fixture
def started(world: Any, begin: Any) -> Any:
    begin(3)
    return world


def test_nothing_is_due_before_its_time(started: Any) -> None:
    assert started.wait(24) == 0
    assert started.game.version == 1


def test_a_reminder_comes_once_before_the_deadline(started: Any) -> None:
    asked = started.whose()
    asked.skip()
    assert started.wait(61) == 1
    asked.receives(subject="reminder")
    assert started.wait(1) == 0
    asked.receives_nothing()
    assert started.game.version == 1


def test_the_token_of_a_reminder_moves(started: Any) -> None:
    asked = started.whose()
    started.wait(61)
    assert asked.writes(started.orders()) == "applied"


def test_a_bot_moves_for_who_does_not_write(started: Any) -> None:
    silent = started.whose()
    assert started.wait(HOURS) >= 1
    assert started.game.turn == 2
    assert started.whose() is not silent
    assert "your move" in started.whose().newest.subject
    assert silent.newest.text != silent.inbox[0].text
    versions = started.chain()
    assert versions[-1].cause == "deadline"


def test_the_rules_defaults_are_taken_when_the_game_says_so(world: Any, begin: Any) -> None:
    begin(3, nmr="default")
    world.wait(HOURS)
    assert world.game.turn == 2


def test_a_deadline_passes_once_even_with_two_at_the_clock(started: Any) -> None:
    started.wait(HOURS)
    version = started.game.version
    assert run_deadlines(started.store, started.settings, started.now) == 0
    assert started.game.version == version


def test_orders_that_come_too_late_are_past(started: Any) -> None:
    silent = started.whose()
    mail = silent.newest
    orders = started.orders()
    started.wait(HOURS)
    assert silent.writes(orders, to=mail) == "answered"
    assert "past" in silent.newest.subject


def silent_so_far(world: Any, count: int) -> Any:
    """Whoever must move has missed so many turns in a row."""
    with world.store.transaction() as tx:
        tx.change_seat(world.game_id, world.table.match.actor, nmr_count=count, stand_in=False)
    return world.whose()


def test_missed_turns_are_counted(started: Any) -> None:
    seat = started.table.match.actor
    started.wait(HOURS)
    assert started.table.seats[seat].nmr_count == 1


def test_after_three_turns_in_a_row_a_bot_keeps_the_seat_until_its_player_writes(started: Any) -> None:
    silent = silent_so_far(started, 2)
    seat = started.table.match.actor
    started.wait(HOURS)
    assert [place.seat for place in started.table.seats if place.stand_in] == [seat]
    assert any("3 deadlines" in mail.text for mail in started.moderator.inbox)
    assert any("bot" in mail.text for mail in started.whose().inbox[-3:])
    started.play_turn()
    started.play_turn()
    assert started.whose() is not silent, "the bot has moved already"
    assert silent.writes("status") == "answered"
    assert not any(place.bot for place in started.table.seats)


def test_whoever_writes_is_silent_no_more(started: Any) -> None:
    asked = silent_so_far(started, 2)
    seat = started.table.match.actor
    assert asked.writes(started.orders()) == "applied"
    assert started.table.seats[seat].nmr_count == 0


def test_no_deadline_passes_while_the_report_has_not_been_delivered(world: Any) -> None:
    world.unreachable = {f"{name}@example.org" for name in ("ann", "bob", "cid")}
    world.start(3)
    world.wait(HOURS)
    assert world.game.version == 1
    assert "held" in world.moderator.receives("moderator").text
    world.wait(1)
    world.moderator.receives_nothing()


def test_whatever_shows_the_whole_table_is_a_report_of_its_ask(world: Any) -> None:
    world.unreachable = {f"{name}@example.org" for name in ("ann", "bob", "cid")}
    world.start(3)
    world.unreachable = set()
    subject = f"[{world.asks[0].token}]"
    assert world.whose().writes("status", subject=subject) == "answered"
    assert world.asks[0].report_accepted_at is None
    assert world.whose().writes("report", subject=subject) == "answered"
    assert world.asks[0].report_accepted_at == world.now


def test_nothing_is_held_longer_than_72_hours(world: Any) -> None:
    world.unreachable = {f"{name}@example.org" for name in ("ann", "bob", "cid")}
    world.start(3)
    world.wait(HOURS)
    world.wait(72)
    assert world.game.version == 2


def test_a_report_that_was_delivered_late_gives_the_time_back(world: Any) -> None:
    world.unreachable = {f"{name}@example.org" for name in ("ann", "bob", "cid")}
    world.start(3)
    world.wait(20)
    world.unreachable = set()
    world.wait(1.5)
    world.wait(60)
    assert world.game.version == 1
    world.wait(15)
    assert world.game.version == 2


def test_a_deadline_is_held_while_all_mail_to_a_player_comes_back(started: Any) -> None:
    with started.store.transaction() as tx:
        tx.mark_bouncing(started.whose().address, "550", started.now)
    started.wait(HOURS)
    assert started.game.version == 1
    assert "held" in started.moderator.receives("moderator").text


def test_time_in_which_the_server_could_not_read_mail_does_not_count(started: Any) -> None:
    run_deadlines(started.store, started.settings, started.now)
    due_at = started.asks[-1].due_at
    started.now += timedelta(hours=30)
    run_deadlines(started.store, started.settings, started.now)
    assert started.asks[-1].due_at == due_at + timedelta(hours=30)
    started.post()
    assert "30 hours" in started.moderator.receives("moderator").text


@pytest.mark.parametrize("hours", [1.01, 6, 24])
def test_a_pass_now_and_then_is_no_outage(started: Any, hours: float) -> None:
    for _ in range(int(150 / hours) + 1):
        started.now += timedelta(hours=hours)
        run_deadlines(started.store, started.settings, started.now)
        started.post()
    assert started.game.turn > 1
    assert sum("deadlines are held" in mail.subject for mail in started.moderator.inbox) <= 2


def test_an_outage_of_a_server_that_looked_often_is_made_good_once(started: Any) -> None:
    for _ in range(3):
        started.now += timedelta(minutes=10)
        run_deadlines(started.store, started.settings, started.now)
    due_at = started.asks[-1].due_at
    started.now += timedelta(hours=5)
    run_deadlines(started.store, started.settings, started.now)
    assert started.asks[-1].due_at == due_at + timedelta(hours=5)
    started.now += timedelta(minutes=10)
    run_deadlines(started.store, started.settings, started.now)
    assert started.asks[-1].due_at == due_at + timedelta(hours=5)


def test_what_is_done_once_a_day_is_done_again_after_a_day(world: Any) -> None:
    times = (timedelta(0), timedelta(days=1, seconds=-1), timedelta(days=1), timedelta(days=1, seconds=1))
    back = (timedelta(seconds=1), timedelta(0))
    with world.store.transaction() as tx:
        done = [tx.once_a_day("silence_told_at", world.now + after) for after in (*times, *back)]
    assert done == [True, False, True, False, False, True]


def test_a_clock_that_was_ahead_for_a_moment_leaves_nothing_behind(started: Any) -> None:
    now, [ask] = started.now, started.asks
    started.wait(1)
    for ahead in (timedelta(days=3650), timedelta(hours=2)):
        started.now = now + ahead
        run_deadlines(started.store, started.settings, started.now)
    started.post()
    assert ask.due_at <= started.asks[0].due_at <= ask.due_at + timedelta(hours=2)
    said = [mail.text.partition(".")[0] for mail in started.moderator.inbox]
    assert said == [
        "Mail could not be read and sent for 87599 hours",
        "The clock of our server was set back by 87598 hours",
    ]
    started.now += timedelta(hours=73)
    run_deadlines(started.store, started.settings, started.now)
    assert started.game.turn == 1, "outages are noticed again"


@pytest.mark.parametrize(("back", "longer", "moved"), [(59 / 60, 36, 0), (1, 36, 1), (30, 36, 30), (30, 0, 29)])
def test_a_clock_set_back_takes_deadlines_along_but_leaves_a_whole_turn(
    started: Any, back: float, longer: float, moved: float
) -> None:
    started.wait(1)
    [ask] = started.asks
    with started.store.transaction() as tx:
        tx.give_time(ask, timedelta(hours=longer))
    started.now -= timedelta(hours=back)
    run_deadlines(started.store, started.settings, started.now)
    assert started.asks[0].due_at == ask.due_at + timedelta(hours=longer - moved)


def test_a_paused_game_has_no_deadlines(started: Any) -> None:
    with started.store.transaction() as tx:
        tx.pause_game(started.game_id, started.now)
    assert started.wait(200) == 0
    assert started.game.version == 1


def test_a_game_that_nobody_plays_any_more_is_paused(world: Any, begin: Any) -> None:
    begin(1, bots=1, seed=b"\3" * 32)
    assert world.asks[-1].kind == "turn", "the seed lets the person begin"
    silent_so_far(world, 2)
    world.wait(HOURS)
    assert world.game.status == "paused"
    assert any("paused" in mail.text for mail in world.moderator.inbox)


def test_when_many_fall_silent_at_once_nothing_is_forced(world: Any) -> None:
    games = [world.start_for(name) for name in ("Ann", "Bob", "Cid", "Dot")]
    before = versions(world, games)
    world.wait(HOURS)
    assert versions(world, games) == before
    assert "silent" in world.moderator.receives("moderator").text
    world.wait(1)
    world.moderator.receives_nothing()


def versions(world: Any, games: list[Any]) -> list[int]:
    with world.store.reading() as tx:
        return [tx.game(number).version for number in games]


def a_player(number: int) -> Player:
    return Player(PlayerId(number), f"P{number}", "", ())


def test_a_few_who_fall_silent_are_just_that() -> None:
    assert not silence([a_player(1), a_player(2), a_player(3)], waiting=3)
    assert not silence([a_player(number) for number in range(5)], waiting=20)
    assert silence([a_player(number) for number in range(5)], waiting=6)
    assert not silence([a_player(1)] * 5, waiting=5), "one person in five games is one person"


def test_an_ask_is_held_while_its_report_is_on_its_way(started: Any) -> None:
    ask = started.asks[-1]
    (player,) = [started.table.players[ask.seat]]
    due = ask.due_at
    assert fate(ask, player, due - timedelta(seconds=1)) == "wait"
    assert fate(ask, player, due + timedelta(seconds=1)) == "force"
    assert fate(replace(ask, report_accepted_at=None), player, due + timedelta(hours=71)) == "hold"
    assert fate(replace(ask, report_accepted_at=None), player, due + timedelta(hours=72)) == "force"
    assert fate(replace(ask, closed_at=due), player, due + timedelta(hours=99)) == "wait"


def test_a_short_pause_between_two_passes_is_no_outage() -> None:
    assert not outage(timedelta(minutes=59))
    assert outage(timedelta(minutes=60))
    assert outage(timedelta(days=30))


@pytest.mark.parametrize(("earlier", "lost"), [([], True), ([16], True), ([16, 16], False), ([15.9, 16], True)])
def test_a_pause_that_came_twice_of_late_is_no_outage(earlier: list[float], lost: bool) -> None:
    assert outage(timedelta(hours=24), [timedelta(hours=hours) for hours in earlier]) == lost


def passes(world: Any, *hours: float) -> None:
    """A pass after each of these pauses."""
    for pause in hours:
        world.now += timedelta(hours=pause)
        run_deadlines(world.store, world.settings, world.now)
        world.post()


OFTEN = [0.1] * 5


@pytest.mark.parametrize("hours", [1, 71, 73, 240])
def test_an_outage_of_any_length_is_made_good_in_full(started: Any, hours: float) -> None:
    passes(started, *OFTEN)
    due_at = started.asks[-1].due_at
    passes(started, hours, *OFTEN)
    assert started.asks[-1].due_at == due_at + timedelta(hours=hours)
    assert started.game.version == 1
    passes(started, *[0.9] * 78)
    assert started.game.version == 1
    passes(started, *[0.9] * 3)
    assert started.game.turn == 2


@pytest.mark.parametrize("second", [14, 30, 41])
def test_an_outage_after_another_and_one_pass_is_made_good_too(started: Any, second: float) -> None:
    passes(started, *OFTEN)
    due_at = started.asks[-1].due_at
    passes(started, 14, second)
    assert started.asks[-1].due_at == due_at + timedelta(hours=14 + second)


@pytest.mark.parametrize(("usual", "missed"), [(1, 2), (1, 10), (24, 48), (24, 240)])
def test_passes_missed_by_who_looks_now_and_then_are_made_good(started: Any, usual: float, missed: float) -> None:
    passes(started, 0, usual, usual)
    due_at = started.asks[-1].due_at
    passes(started, usual)
    assert started.asks[-1].due_at == due_at
    passes(started, missed)
    assert started.asks[-1].due_at == due_at + timedelta(hours=missed)


@pytest.mark.parametrize(("between", "hours"), [(18, 0), (19, 24)])
def test_only_the_last_twenty_pauses_say_what_is_usual(started: Any, between: int, hours: float) -> None:
    passes(started, 0, 24, 24, *[0.1] * between)
    due_at = started.asks[-1].due_at
    passes(started, 24)
    assert started.asks[-1].due_at == due_at + timedelta(hours=hours)


def test_a_turn_that_waits_for_reactions_has_a_day_after_an_outage_too(started: Any) -> None:
    passes(started, *OFTEN)
    ask = started.asks[-1]
    with started.store.transaction() as tx:
        tx.change_ask(ask.number, due_at=None, left_seconds=3600.0)
    passes(started, 2)
    assert started.asks[-1].left_seconds == 24 * 3600


@pytest.mark.parametrize(("minutes", "late"), [(5, False), (5.1, True)])
def test_a_report_is_late_after_five_minutes(world: Any, minutes: float, late: bool) -> None:
    world.unreachable = {f"{name}@example.org" for name in ("ann", "bob", "cid")}
    world.start(3)
    due_at = world.asks[-1].due_at
    world.unreachable = set()
    world.now += timedelta(minutes=minutes)
    with world.store.transaction() as tx:
        tx.mark_sent([mail.id for mail in tx.sent("queued")], world.now)
    assert world.asks[-1].due_at == due_at + late * timedelta(minutes=minutes)


def test_everybody_has_a_day_after_an_outage(started: Any) -> None:
    passes(started, *OFTEN)
    passes(started, *[0.5] * 142)
    assert started.asks[-1].due_at - started.now < timedelta(hours=2)
    passes(started, 1)
    assert started.asks[-1].due_at == started.now + timedelta(days=1)


def test_after_an_outage_the_reminder_comes_again(started: Any) -> None:
    passes(started, *[0.5] * 130)
    asked = started.whose()
    asked.skip()
    passes(started, 30)
    asked.receives_nothing()
    passes(started, *[0.5] * 30)
    asked.receives(subject="reminder")
    asked.receives_nothing()


def stopped(world: Any, at: str) -> None:
    with world.store.transaction() as tx:
        tx.remember("sending_stopped_at", at)


def test_no_deadline_passes_while_no_mail_can_leave_and_the_time_is_made_good(started: Any) -> None:
    passes(started, *OFTEN)
    due_at = started.asks[-1].due_at
    stopped(started, "2026-11-30")
    passes(started, *[10] * 20)
    assert (started.game.version, started.asks[-1].due_at) == (1, due_at)
    stopped(started, "")
    passes(started, 0.1)
    assert started.asks[-1].due_at == due_at + timedelta(hours=200.1)


def test_a_report_that_could_not_leave_for_days_gives_the_time_back_once(world: Any) -> None:
    world.unreachable = {f"{name}@example.org" for name in ("ann", "bob", "cid")}
    world.start(3)
    run_deadlines(world.store, world.settings, world.now)
    passes(world, 240)
    world.unreachable = set()
    world.now += timedelta(hours=1)
    world.post()
    assert world.asks[-1].due_at == world.now + timedelta(hours=72)


def test_a_report_taken_after_the_hold_leaves_the_full_time(world: Any) -> None:
    world.unreachable = {f"{name}@example.org" for name in ("ann", "bob", "cid")}
    world.start(3)
    world.wait(142)
    world.unreachable = set()
    world.wait(1.5)
    assert world.asks[-1].due_at >= world.now + timedelta(hours=70)
    assert world.game.version == 1


def test_a_reaction_missed_is_no_missed_turn(world: Any, begin: Any) -> None:
    begin(3, seed=b"\5" * 32)
    while world.table.match.pending[0].seat == world.table.match.actor:
        world.whose().writes(world.orders())
    seat = world.table.match.pending[0].seat
    world.wait(23)
    assert world.table.match.pending[0].seat == seat
    world.wait(2)
    assert not world.table.match.pending or world.table.match.pending[0].seat != seat
    assert world.table.seats[seat].nmr_count == 0


def test_a_pause_gives_the_time_back_that_was_left(started: Any) -> None:
    due_at = started.asks[-1].due_at
    started.pass_time(50)
    with started.store.transaction() as tx:
        tx.pause_game(started.game_id, started.now)
    started.wait(200)
    with started.store.transaction() as tx:
        tx.resume_game(started.game_id, started.now)
    assert started.asks[-1].due_at == due_at + timedelta(hours=200)
    started.wait(21)
    assert started.game.version == 1
    started.wait(2)
    assert started.game.turn == 2


def test_half_a_turn_leaves_two_hours_for_the_rest(started: Any) -> None:
    asked = started.whose()
    started.pass_time(71.9)
    assert asked.writes(started.first_order()) == "applied"
    started.wait(1.5)
    assert started.game.turn == 1
    started.wait(1)
    assert started.game.turn == 2, "a bot has done the rest"


def test_whoever_takes_back_keeps_the_time_that_the_mail_says(started: Any) -> None:
    asked, first = started.whose(), started.first_order()
    started.pass_time(71)
    asked.writes(first)
    started.pass_time(1.5)
    assert asked.writes("undo") == "applied"
    started.wait(1.9)
    assert started.game.turn == 1
    started.wait(0.2)
    assert started.game.turn == 2


def test_nobody_holds_a_game_by_writing_and_taking_back(started: Any) -> None:
    asked, first, left = started.whose(), started.first_order(), []
    started.pass_time(71)
    for line in (first, "undo") * 7:
        assert asked.writes(line) == "applied"
        left.append(max(ask.due_at for ask in started.asks if ask.due_at) - started.now)
    assert [time == timedelta(hours=2) for time in left] == [True] * 12 + [False] * 2
    started.wait(2)
    assert started.game.turn == 2


def test_a_seat_given_up_is_played_at_once_and_never_waited_for(started: Any) -> None:
    asked = started.whose()
    seat = started.table.match.actor
    report = asked.newest
    assert asked.writes("resign") == "answered"
    assert started.game.turn == 1, "nothing before the yes"
    assert asked.writes("yes") == "applied"
    assert started.game.turn == 2
    record = started.table.seats[seat]
    assert (record.bot, record.player_id, record.name) == (True, None, asked.name)
    assert asked.writes("play Groat", to=report) == "answered"
    started.play_turn()
    started.play_turn()
    assert started.table.match.actor != seat
    assert all(ask.seat != seat for ask in started.asks)


def test_a_wish_to_resign_is_forgotten_after_a_week(started: Any) -> None:
    asked = started.whose()
    asked.writes("resign")
    question = asked.newest
    started.pass_time(24 * 8)
    assert asked.writes("yes", to=question) == "answered"
    assert not started.table.seats[started.table.match.actor].bot
