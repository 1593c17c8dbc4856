from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import StoreError
from pbem.store import Store, schema
from pbem.store.tables import Base


def test_a_new_database_gets_the_whole_schema(store: Store, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "pbem.db") as database:
        found = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert set(Base.metadata.tables) <= found


@pytest.mark.parametrize("use", [Store.open, Store.upgrade])
@pytest.mark.parametrize(("there", "said"), [(False, "there is no database"), (True, "is empty")])
def test_only_who_is_told_to_makes_a_database(tmp_path: Path, url: str, use: Any, there: bool, said: str) -> None:
    if there:
        (tmp_path / "pbem.db").touch()
    with pytest.raises(StoreError, match=f"{said}.*; `pbem admin restore FILE` puts a backup"), Store(url) as missing:
        use(missing)
    assert (tmp_path / "pbem.db").exists() == there


def test_a_database_is_not_made_where_there_is_one(store: Store, url: str) -> None:
    with pytest.raises(StoreError, match=r"there is a database .* already; move it away first"), Store(url) as second:
        second.create()


def test_only_its_owner_may_read_a_database_and_its_copies(tmp_path: Path, url: str) -> None:
    with Store(url).create() as store, store.transaction() as tx:
        tx.remember("mailbox_read_at", "x")
        store.backup(tmp_path / "copy.db")
        modes = {file.name: oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()}
    assert modes == dict.fromkeys(["pbem.db", "pbem.db-wal", "pbem.db-shm", "copy.db"], "0o600")


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


def test_a_backup_is_consistent_while_the_database_is_written(store: Store, game: object, tmp_path: Path) -> None:
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
