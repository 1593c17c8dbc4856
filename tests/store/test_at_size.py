"""A big database costs an idle pass nothing: what it asks is answered by indexes that hold only what waits."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Table, func, insert, select

from pbem.protocol import Seat
from pbem.store import GameId, GameSettings, Store, Tx
from pbem.store.tables import inbound, outbound, versions

#: The best of so many measurements counts: the machine has other things to do.
ROUNDS = 20


def fill(store: Store, now: datetime, games: int, old: int) -> None:
    """Running games that wait for somebody, each with so many old versions and mails in and out."""
    with store.transaction() as tx:
        for number in range(games):
            player = tx.add_player(f"Ann {number}", f"ann{number}@example.org", now)
            game = tx.add_game(f"Game {number}", "ankh_morpork", GameSettings(), bytes(32), now)
            for seat in range(3):
                tx.add_seat(game.id, Seat(seat), "Red", player.id)
            tx.connection.execute(insert(versions), old_version(game.id, now))
            tx.connection.execute(insert(outbound), old_mail(f"<o{number}@x>", now))
            tx.connection.execute(insert(inbound), old_letter(f"<i{number}@x>", now))
            tx.change_game(game.id, status="running", started_at=now)
            tx.open_ask(
                game.id,
                Seat(0),
                version=1,
                turn=1,
                kind="turn",
                now=now,
                due_at=now + timedelta(hours=72),
                remind_at=now + timedelta(hours=60),
            )
        repeat(tx, versions, old - 1, number="number + n")
        for mails in (outbound, inbound):
            repeat(tx, mails, old - 1, message_id="message_id || n")


def repeat(tx: Tx, table: Table, times: int, **changes: str) -> None:
    """Add each row so many times more, with other values in some columns: `n` counts."""
    names = [column.name for column in table.columns if column.name != "id"]
    values = ", ".join(changes.get(name, name) for name in names)
    tx.connection.exec_driver_sql(
        f"WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < {times}) "
        f"INSERT INTO {table.name} ({', '.join(names)}) "
        f"SELECT {values} FROM {table.name}, count WHERE {times} > 0"
    )


def old_version(game: GameId, now: datetime) -> dict[str, object]:
    return {
        "game_id": game,
        "number": 1,
        "parent": None,
        "cause": "mail",
        "turn": 1,
        "digest": "d" * 64,
        "entropy": "",
        "created_at": now,
        "snapshot": {"position": "x" * 200},
        "added": [],
    }


def old_mail(message_id: str, now: datetime) -> dict[str, object]:
    return {
        "message_id": message_id,
        "recipient": "ann@example.org",
        "recipient_key": "ann@example.org",
        "subject": "a report",
        "kind": "report",
        "raw": b"raw",
        "status": "sent",
        "created_at": now,
        "next_at": now,
    }


def old_letter(message_id: str, now: datetime) -> dict[str, object]:
    return {
        "message_id": message_id,
        "sender_key": "",
        "disposition": "applied",
        "received_at": now,
        "raw": b"raw",
        "size": 3,
    }


def idle_pass(store: Store, now: datetime) -> float:
    """Milliseconds of CPU that one pass costs in which there is nothing to do."""
    began = time.process_time()
    with store.reading() as tx:
        assert tx.due_asks(now) == tx.due_reminders(now) == ()
        tx.next_deadline()
        tx.next_sending()
    with store.transaction() as tx:
        assert tx.lease(now) == ()
    return (time.process_time() - began) * 1000


@pytest.mark.slow
def test_an_idle_pass_over_a_thousand_games_costs_what_it_costs_over_one(tmp_path: Path, now: datetime) -> None:
    with (
        Store(f"sqlite:///{tmp_path / 'small.db'}").create() as small,
        Store(f"sqlite:///{tmp_path / 'big.db'}").create() as big,
    ):
        fill(small, now, games=1, old=1)
        fill(big, now, games=1000, old=100)
        with big.reading() as tx:
            assert tx.connection.execute(select(func.count()).select_from(versions)).scalar_one() == 100_000
        costs = [(idle_pass(small, now), idle_pass(big, now)) for _ in range(ROUNDS)]
    small_cost, big_cost = (min(column) for column in zip(*costs, strict=True))
    assert big_cost < 50
    assert big_cost < 1.25 * small_cost + 0.2, f"{small_cost:.2f} ms over one game, {big_cost:.2f} ms over a thousand"
