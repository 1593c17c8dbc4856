"""Stopped anywhere, started again: every order is carried out once, every answer written once."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from pbem.errors import StoreError
from pbem.mail.handling.pipeline import handle
from pbem.mail.reading.values import Fetched
from pbem.server.clock import run_deadlines
from pbem.store import Store


class Killed(BaseException):
    """The process ends here: nothing may catch this."""


@contextmanager
def dying(store: Store, at: int, die: Callable[[], None]) -> Iterator[list[int]]:
    """Call `die` before the so many-th statement that is sent to the database; how many were sent."""
    sent = [0]

    def before(*_: Any) -> None:
        sent[0] += 1
        if sent[0] == at:
            die()

    event.listen(store._engine, "before_cursor_execute", before)
    try:
        yield sent
    finally:
        event.remove(store._engine, "before_cursor_execute", before)


def killed() -> None:
    raise Killed


def stored(world: Any) -> tuple[Any, ...]:
    """What is kept: versions, received mails, mails written, asks."""
    with world.store.reading() as tx:
        return (
            tx.game(world.game_id).version,
            tuple((one.id, one.disposition) for one in tx.received()),
            tuple(one.id for one in tx.sent(limit=10_000)),
            tuple((one.number, one.due_at) for one in tx.open_asks(world.game_id)),
        )


def test_killed_at_any_statement_a_mail_is_still_handled_once(world: Any, begin: Any) -> None:
    begin(3)
    fetched = world.fetched(world.whose().letter(world.orders()))
    before = stored(world)
    point = 1
    while True:
        try:
            with dying(world.store, point, killed) as sent:
                disposition = handle(world.store, world.settings, fetched, world.now)
            break
        except Killed:
            assert stored(world) == before, f"half of the mail was done at statement {point}"
            point += 1
    assert disposition == "applied"
    assert point > 20
    assert sent[0] < point
    after = stored(world)
    assert after[0] == 2
    assert handle(world.store, world.settings, fetched, world.now) == "applied"
    assert stored(world) == after


def test_killed_at_any_statement_a_deadline_passes_once(world: Any, begin: Any) -> None:
    begin(3)
    with world.store.transaction() as tx:
        tx.change_seat(world.game_id, world.table.match.actor, nmr_count=2, stand_in=False)
    world.pass_time(73)
    point = 1
    while True:
        try:
            with dying(world.store, point, killed):
                run_deadlines(world.store, world.settings, world.now)
            break
        except Killed:
            point += 1
    assert point > 20
    assert world.game.version == 2
    mails = stored(world)[2]
    assert run_deadlines(world.store, world.settings, world.now) == 0
    assert stored(world)[2] == mails


@pytest.mark.parametrize("at", [1, 4, 8, 12, 16, 20])
def test_a_process_that_is_really_killed_leaves_nothing_half_done(world: Any, begin: Any, at: int) -> None:
    begin(2)
    fetched = world.fetched(world.whose().letter(world.orders()))
    before = stored(world)
    child = os.fork()
    if child == 0:
        die_in_child(world, fetched, at)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert stored(world) == before
    assert handle(world.store, world.settings, fetched, world.now) == "applied"
    assert stored(world)[0] == 2


def die_in_child(world: Any, fetched: Fetched, at: int) -> None:
    """Only the child process gets here, and it does not come back."""
    store = Store(world.settings.database)
    with dying(store, at, lambda: os.kill(os.getpid(), signal.SIGKILL)):
        handle(store, world.settings, fetched, world.now)
    os._exit(0)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Make these calls at the same time, each in a thread of its own; what they gave."""
    ready = threading.Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def run(number: int) -> None:
        ready.wait()
        results[number] = calls[number]()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_two_daemons_with_the_same_mail_play_it_once(world: Any, begin: Any) -> None:
    begin(3)
    fetched = world.fetched(world.whose().letter(world.orders()))
    other = Store(world.settings.database)
    results = at_once(
        lambda: handle(world.store, world.settings, fetched, world.now),
        lambda: handle(other, world.settings, fetched, world.now),
    )
    other.close()
    assert results == ["applied", "applied"]
    assert world.game.version == 2
    with world.store.reading() as tx:
        assert len(tx.received()) == 1


def test_two_copies_of_one_mail_in_two_daemons_are_played_once(world: Any, begin: Any) -> None:
    begin(3)
    raw = world.whose().letter(world.orders())
    other = Store(world.settings.database)
    first, second = world.fetched(raw), world.fetched(raw)
    results = at_once(
        lambda: handle(world.store, world.settings, first, world.now),
        lambda: handle(other, world.settings, second, world.now),
    )
    other.close()
    assert sorted(results) == ["applied", "duplicate"]
    assert world.game.version == 2


def test_two_clocks_at_once_make_one_move(world: Any, begin: Any) -> None:
    begin(3)
    world.pass_time(73)
    other = Store(world.settings.database)
    results = at_once(
        lambda: run_deadlines(world.store, world.settings, world.now),
        lambda: run_deadlines(other, world.settings, world.now),
    )
    other.close()
    assert sorted(results) == [0, 1]
    assert world.game.version == 2


def test_a_mailbox_that_was_set_up_anew_plays_nothing_again(world: Any, begin: Any) -> None:
    begin(3)
    raw = world.whose().letter(world.orders())
    handle(world.store, world.settings, Fetched(uid=101, uidvalidity=1, size=1, raw=raw), world.now)
    again = Fetched(uid=101, uidvalidity=2, size=1, raw=raw)
    assert handle(world.store, world.settings, again, world.now) == "duplicate"
    assert world.game.version == 2


def test_a_mail_without_a_message_id_is_recognised_by_its_bytes(world: Any, begin: Any) -> None:
    begin(3)
    raw = re.sub(rb"Message-ID: .*\r\n", b"", world.whose().letter(world.orders()))
    assert world.deliver(raw) == "applied"
    assert world.deliver(raw) == "duplicate"
    assert world.deliver(raw.replace(b"\r\nDate: ", b"\r\nX-Sent: ")) == "answered"


def test_another_mail_under_a_uid_that_was_seen_is_handled(world: Any, begin: Any) -> None:
    """Gmail gives every inbox the UIDVALIDITY 1: two accounts count alike."""
    begin(3)
    actor = world.whose()
    asked = actor.letter("help")
    assert world.deliver(asked, uid=5) == "answered"
    orders = actor.letter(world.orders())
    assert world.deliver(orders, uid=5) == "applied"
    assert world.deliver(orders, uid=5) == "applied"
    assert world.deliver(asked, uid=5) == "duplicate"
    assert world.game.version == 2


def test_a_message_id_used_twice_loses_no_orders(world: Any, begin: Any) -> None:
    begin(2)
    actor = world.whose()
    first = again(actor.letter("end"))
    assert world.deliver(first) == "refused"
    for _ in range(2):
        world.play_turn()
    assert world.deliver(again(actor.letter("end"))) == "refused"
    assert world.deliver(first) == "duplicate"


def test_whoever_takes_a_message_id_before_its_mail_comes_does_not_stop_it(world: Any, begin: Any) -> None:
    begin(2)
    actor = world.whose()
    raw = again(actor.letter(world.orders()))
    for forged in (raw.replace(actor.address.encode(), b"mallory@evil.test"), re.sub(rb"\[\w{8}\]|-\w{8}-", b"", raw)):
        assert world.deliver(forged) in ("parked", "ignored")
    assert world.deliver(raw) == "applied"


def again(raw: bytes) -> bytes:
    """A mail with the Message-ID that others have as well."""
    return re.sub(rb"Message-ID: .*\r\n", b"Message-ID: <same@client.example.org>\r\n", raw)


def test_a_database_that_cannot_be_used_leaves_the_mail_where_it_is(world: Any, begin: Any) -> None:
    begin(2)
    fetched = world.fetched(world.whose().letter(world.orders()))
    before = stored(world)
    with pytest.raises(StoreError), dying(world.store, 12, out_of_space):
        handle(world.store, world.settings, fetched, world.now)
    assert stored(world) == before
    assert handle(world.store, world.settings, fetched, world.now) == "applied"


def out_of_space() -> None:
    raise sqlite3.OperationalError("database or disk is full")
