from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from pbem.protocol import Seat
from pbem.store import Ask, Game, NewInbound, NewOutbound, Store, Tx
from pbem.store.asks import ALPHABET

RED, GREEN = Seat(0), Seat(1)
HOUR = timedelta(hours=1)
REPORT = (
    b'MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="x"\r\n\r\n'
    b"--x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    b"Gr=C3=BC=C3=9Fe\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>Gr&uuml;&szlig;e\r\n--x--\r\n"
)


def ask(tx: Tx, game: Game, now: datetime, seat: Seat = RED, **terms: Any) -> Ask:
    return tx.open_ask(game.id, seat, version=1, turn=1, kind="turn", now=now, **terms)


def test_a_token_is_eight_letters_of_crockfords_base_32(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        token = ask(tx, game, now).token
    assert len(token) == 8
    assert set(token) <= set(ALPHABET)


def test_an_ask_is_found_by_its_token_in_any_letter_case(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        made = ask(tx, game, now, menu=["play Groat", "end"], resign=True, address="ann@example.org")
        assert tx.ask_for(made.token.lower()) == made
        assert tx.ask(made.number) == made
        assert made.menu == ("play Groat", "end")


@pytest.mark.parametrize("token", ["", "AAAAAAAA", "ÄÖÜ", "\udcff", "x" * 10_000, "' OR 1=1 --"])
def test_a_token_that_nobody_got_finds_nothing(store: Store, game: Game, now: datetime, token: str) -> None:
    with store.transaction() as tx:
        ask(tx, game, now)
        assert tx.ask_for(token) is None


def test_a_token_is_not_in_what_is_printed(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        made = ask(tx, game, now)
    assert made.token not in repr(made)


def test_a_number_is_not_used_again_when_its_transaction_failed_or_not(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        first = ask(tx, game, now).number
    with store.transaction() as tx:
        tx.connection.exec_driver_sql("DELETE FROM ask")
    with store.transaction() as tx:
        assert ask(tx, game, now).number > first


def test_closed_asks_are_kept_but_no_longer_open(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        red, green = ask(tx, game, now), ask(tx, game, now, GREEN)
        tx.close_asks("answered", now, game_id=game.id, seat=RED)
        assert tx.open_asks(game.id) == (green,)
        found = tx.ask_for(red.token)
        assert found is not None
        assert (found.open, found.closed_why) == (False, "answered")


def test_closing_twice_keeps_the_first_reason(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        made = ask(tx, game, now)
        tx.close_asks("answered", now, number=made.number)
        tx.close_asks("rollback", now + HOUR, number=made.number)
        assert tx.ask(made.number).closed_why == "answered"


def test_the_clock_sees_open_asks_past_their_deadline(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        due = ask(tx, game, now, due_at=now + HOUR, remind_at=now)
        later = ask(tx, game, now, GREEN, due_at=now + 3 * HOUR)
        ask(tx, game, now, GREEN)
        assert tx.due_asks(now) == ()
        assert tx.due_asks(now + 2 * HOUR) == (due,)
        assert tx.due_asks(now + 4 * HOUR) == (due, later)
        assert tx.due_reminders(now) == (due,)
        assert tx.next_deadline() == now
        tx.change_ask(due.number, reminded_at=now)
        assert tx.due_reminders(now) == ()
        assert tx.next_deadline() == now + HOUR


def test_a_pause_moves_deadlines_by_as_long_as_it_lasts(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        made = ask(tx, game, now, due_at=now + 2 * HOUR, remind_at=now + HOUR)
        tx.pause_game(game.id, now + HOUR)
        assert tx.due_asks(now + 100 * HOUR) == tx.due_reminders(now + 100 * HOUR) == ()
        assert tx.next_deadline() is None
        tx.resume_game(game.id, now + 11 * HOUR)
        after = tx.ask(made.number)
        assert (after.due_at, after.remind_at) == (now + 12 * HOUR, now + 11 * HOUR)
        assert tx.due_asks(now + 12 * HOUR) == (after,)


def test_an_ask_made_during_a_pause_waits_too(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        tx.pause_game(game.id, now)
        made = ask(tx, game, now + 5 * HOUR, due_at=now + 6 * HOUR)
        assert tx.due_asks(now + 100 * HOUR) == ()
        tx.resume_game(game.id, now + 10 * HOUR)
        assert tx.ask(made.number).due_at == now + 11 * HOUR


def test_the_clock_of_an_ask_knows_when_its_report_was_accepted(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        made = ask(tx, game, now, due_at=now + HOUR)
        mail = tx.queue(NewOutbound("ann@example.org", "<1@x>", "s", "report", REPORT, ask=made.number), now)
        assert tx.ask(made.number).report_accepted_at is None
        tx.lease(now)
        tx.mark_sent([mail], now + HOUR)
        assert tx.ask(made.number).report_accepted_at == now + HOUR
        assert tx.sent_text(made.number) == "Grüße\n"
        assert tx.sent_text(made.number + 1) is None


def test_a_moved_deadline_is_reminded_of_again(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        made = ask(tx, game, now, due_at=now + HOUR, remind_at=now)
        tx.change_ask(made.number, reminded_at=now)
        tx.move_deadline(made.number, now + 9 * HOUR, now + 8 * HOUR)
        assert tx.due_reminders(now + 8 * HOUR) == (tx.ask(made.number),)
        tx.move_deadline(made.number, None)
        assert tx.due_reminders(now + 8 * HOUR) == (), "of what is not due nobody is reminded"


def test_every_open_deadline_is_listed_the_next_one_first(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        late = ask(tx, game, now, due_at=now + 9 * HOUR)
        soon = ask(tx, game, now, GREEN, due_at=now + HOUR)
        ask(tx, game, now)
        tx.close_asks("answered", now, number=ask(tx, game, now, due_at=now + HOUR).number)
        assert tx.open_deadlines() == (soon, late)
        tx.pause_game(game.id, now)
        assert tx.open_deadlines() == ()


def test_a_clock_that_was_stopped_keeps_the_time_that_is_left(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        made = ask(tx, game, now, due_at=now + HOUR, remind_at=now)
        tx.change_ask(made.number, due_at=None, reminded_at=now, left_seconds=1800.5)
        stopped = tx.ask(made.number)
        assert (stopped.due_at, stopped.reminded_at, stopped.left_seconds) == (None, now, 1800.5)
        assert tx.due_asks(now + 9 * HOUR) == tx.due_reminders(now + 9 * HOUR) == ()


def test_what_is_noted_with_an_ask_comes_back(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        parked = tx.record_inbound(NewInbound(b"end", now))
        made = ask(tx, game, now, parked=parked)
        assert (made.parked, made.held, made.retired, made.queued) == (parked, False, False, ())
        tx.change_ask(made.number, held=True, retired=True, queued=["play Groat", "end"])
        after = tx.ask(made.number)
        assert (after.held, after.retired, after.queued) == (True, True, ("play Groat", "end"))


def test_an_answer_to_an_open_group_can_be_replaced_and_taken_back(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        made = ask(tx, game, now)
        assert (made.answer, made.answered) == (None, False)
        tx.change_ask(made.number, answer=["bid 4"], answered=False)
        tx.change_ask(made.number, answer=["bid 7", "done"], answered=True)
        after = tx.ask(made.number)
        assert (after.answer, after.answered) == (("bid 7", "done"), True)
        assert "bid 7" not in repr(after)
        tx.change_ask(made.number, answer=(), answered=True)
        assert tx.ask(made.number).answer == ()
        tx.change_ask(made.number, answer=None, answered=False)
        assert (tx.ask(made.number).answer, tx.ask(made.number).answered) == (None, False)


def test_a_later_policy_replaces_the_earlier(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        tx.set_policy(game.id, RED, "Gaspode", {"when": "always"}, now)
        tx.set_policy(game.id, RED, "Gaspode", {"when": "never"}, now)
        tx.set_policy(game.id, RED, "Susan", {"when": "always"}, now)
        assert tx.policies(game.id).get(RED, {}) == {"Gaspode": {"when": "never"}, "Susan": {"when": "always"}}
        assert tx.policies(game.id).get(GREEN, {}) == {}


def test_policies_end_with_the_tenure(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        tx.set_policy(game.id, RED, "Gaspode", {"when": "always"}, now)
        tx.reseat(game.id, RED, None, "Dibbler")
        assert tx.policies(game.id).get(RED, {}) == {}
