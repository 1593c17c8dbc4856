from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, UniqueConstraint
from sqlalchemy.exc import IntegrityError

from pbem.errors import StoreError
from pbem.protocol import Seat
from pbem.store import Game, NewInbound, NewOutbound, Store, schema
from pbem.store.database import engine_for
from pbem.store.tables import Base


def test_a_new_database_gets_the_whole_schema(store: Store, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "pbem.db") as database:
        found = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert set(Base.metadata.tables) <= found


def test_the_migrations_make_what_the_models_say(store: Store, url: str, tmp_path: Path) -> None:
    other = f"sqlite:///{tmp_path / 'models.db'}"
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


def test_opening_again_changes_nothing_and_makes_no_backup(store: Store, tmp_path: Path) -> None:
    assert store.upgrade() is None
    assert list(tmp_path.glob("*.bak")) == []


def test_a_newer_database_is_refused_in_one_sentence(store: Store, url: str, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "pbem.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match=r"was made by a newer pbem \(schema 9999\)"), Store(url) as newer:
        newer.open()
    with pytest.raises(StoreError, match="newer"), Store(url) as newer:
        newer.upgrade()


def test_an_older_database_is_copied_before_it_is_upgraded(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "newest_revision", lambda: "0002")
    with pytest.raises(StoreError, match="older schema; `pbem run` upgrades it"):
        store.open()
    copy = store.upgrade()
    assert copy is not None
    assert copy.name.startswith("pbem.db.0001.")
    with Store(f"sqlite:///{copy}") as copied, copied.reading() as tx:
        assert tx.games() == ()


def test_a_backup_is_consistent_while_the_database_is_written(
    store: Store, game: object, tmp_path: Path
) -> None:
    with store.transaction() as tx:
        tx.remember("mailbox_read_at", "done")
        store.backup(tmp_path / "copy.db")
    with Store(f"sqlite:///{tmp_path / 'copy.db'}").open() as copied, copied.reading() as tx:
        assert tx.remembered("mailbox_read_at") is None
        assert tx.find_game("G001").name == "Thursday night"


def test_a_backup_overwrites_nothing(store: Store, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("precious")
    with pytest.raises(StoreError, match="exists already"):
        store.backup(tmp_path / "copy.db")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "cannot be used; `sqlite:///pbem.db` is the usual one"),
        ("sqlite:////nowhere/at/all.db", "check that its folder exists"),
        ("oracle9://x", "the database URL"),
    ],
)
def test_a_database_that_cannot_be_opened_is_one_sentence(url: str, said: str) -> None:
    with pytest.raises(StoreError, match=said):
        Store(url).open()


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "pbem.db").write_bytes(b"this is a letter to my aunt, " * 100)
    with (
        pytest.raises(StoreError, match="is damaged or is no database"),
        Store(f"sqlite:///{tmp_path / 'pbem.db'}") as store,
    ):
        store.open()


def test_a_password_in_the_url_is_not_shown() -> None:
    with pytest.raises(StoreError) as caught:
        Store("postgresql+nothing://pbem:hunter2@localhost/pbem")
    assert "hunter2" not in str(caught.value)


def test_sqlite_is_durable_concurrent_and_strict(store: Store) -> None:
    with store.reading() as tx:
        asked = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        found = {name: tx.connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in asked}
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 15000}
