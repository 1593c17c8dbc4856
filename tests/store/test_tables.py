from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, UniqueConstraint, event
from sqlalchemy.exc import IntegrityError

from pbem.protocol import Seat
from pbem.store import Game, NewInbound, NewOutbound, Store
from pbem.store.database import engine_for
from pbem.store.tables import Base


def test_the_migrations_make_what_the_models_say(store: Store, url: str, tmp_path: Path) -> None:
    other = f"sqlite:///{tmp_path / 'models.db'}"
    (tmp_path / "models.db").touch()
    engine = engine_for(other)
    Base.metadata.create_all(engine)
    engine.dispose()
    assert definitions(url) == definitions(other)


def definitions(url: str) -> dict[str, set[str]]:
    """The lines that define each table and index, in whatever order."""
    engine = engine_for(url)
    with engine.connect() as connection:
        made = connection.exec_driver_sql(
            "SELECT name, sql FROM sqlite_master WHERE sql > '' AND tbl_name NOT IN ('alembic_version', 'sqlite_sequence')"
        )
        lines = {name: {line.strip(" ,\t") for line in sql.splitlines()} for name, sql in made}
    engine.dispose()
    return lines


@pytest.mark.parametrize("table", Base.metadata.sorted_tables, ids=lambda table: table.name)
def test_an_index_begins_with_each_column_that_points_to_another_table(table: Table) -> None:
    keys: list[Any] = [
        table.primary_key,
        *table.indexes,
        *(c for c in table.constraints if isinstance(c, UniqueConstraint)),
    ]
    indexed = {next(iter(key.columns)).name for key in keys}
    assert {key.column_keys[0] for key in table.foreign_key_constraints} <= indexed


@pytest.mark.parametrize(
    "nonsense",
    [
        "UPDATE game SET status = 'x'",
        "UPDATE version SET cause = 'x'",
        "UPDATE ask SET kind = 'x'",
        "UPDATE inbound SET disposition = 'x'",
        "UPDATE outbound SET status = 'x'",
    ],
)
def test_the_database_itself_refuses_a_word_that_it_does_not_know(
    store: Store, game: Game, now: datetime, nonsense: str
) -> None:
    with store.transaction() as tx:
        tx.open_ask(game.id, Seat(0), version=1, turn=1, kind="turn", now=now)
        tx.record_inbound(NewInbound(b"end", now))
        tx.queue(NewOutbound("ann@example.org", "<1@x>", "s", "report", b"raw"), now)
    with pytest.raises(IntegrityError, match="CHECK"), store.transaction() as tx:
        tx.connection.exec_driver_sql(nonsense)


def plans(store: Store, look: object) -> list[str]:
    """How SQLite would carry out each statement that `look(tx)` makes."""
    asked: list[tuple[str, tuple[object, ...]]] = []

    def note(connection: object, cursor: object, statement: str, parameters: tuple[object, ...], *_: object) -> None:
        asked.append((statement, parameters))

    with store.transaction() as tx:
        event.listen(tx.connection.engine, "before_cursor_execute", note)
        look(tx)  # type: ignore[operator]
        event.remove(tx.connection.engine, "before_cursor_execute", note)
        return [
            row[3]
            for statement, parameters in asked
            for row in tx.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]


@pytest.mark.parametrize(
    ("look", "indexes"),
    [
        (lambda tx, now: tx.lease(now), {"outbound_queued", "outbound_leased"}),
        (lambda tx, now: tx.next_sending(), {"outbound_queued", "outbound_leased"}),
        (lambda tx, now: tx.due_asks(now), {"ask_due"}),
        (lambda tx, now: tx.due_reminders(now), {"ask_to_remind"}),
        (lambda tx, now: tx.next_deadline(), {"ask_due", "ask_to_remind"}),
        (lambda tx, now: tx.seen_uid(7, 5), {"inbound_by_uid"}),
        (lambda tx, now: tx.seen_message("<a@x>", "d"), {"inbound_by_message"}),
        (lambda tx, now: tx.count_received("a@x", now), {"inbound_by_sender"}),
        (lambda tx, now: tx.count_queued("a@x", now), {"outbound_by_recipient"}),
        (lambda tx, now: tx.ask_for("AAAAAAAA"), {"sqlite_autoindex_ask_1"}),
        (lambda tx, now: tx.open_asks(1), {"ask_by_seat"}),
        (lambda tx, now: tx.received("quarantined", "parked"), {"inbound_by_disposition"}),
        (lambda tx, now: tx.sent("failed"), {"outbound_failed"}),
        (lambda tx, now: tx.games("running"), {"game_by_status"}),
        (lambda tx, now: tx.players_at("a@x"), {"address_by_key"}),
    ],
)
def test_what_every_pass_asks_is_answered_by_an_index(
    store: Store, now: datetime, look: object, indexes: set[str]
) -> None:
    found = plans(store, lambda tx: look(tx, now))  # type: ignore[operator]
    assert not [line for line in found if line.startswith("SCAN") and " INDEX " not in line], found
    assert indexes <= {name for line in found for name in indexes if f"INDEX {name} " in f"{line} "}, found


def test_the_chain_of_a_game_is_read_by_its_key(store: Store, game: Game) -> None:
    found = plans(store, lambda tx: tx.chain(game.id, 1))
    assert not [line for line in found if line.startswith("SCAN version")], found
