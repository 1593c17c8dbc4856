"""Backups: whole or not there, named by the time, and only as many as are wanted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbem.errors import StoreError
from pbem.store import Store


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_nightly_backup_is_named_by_the_time_and_only_so_many_are_kept(
    store: Store, tmp_path: Path, now: datetime
) -> None:
    folder = tmp_path / "nightly"
    for night in range(4):
        written = store.backup_in(folder, 2, now + timedelta(days=night))
    assert names(folder) == ["pbem-20260303-120000.db", "pbem-20260304-120000.db"]
    assert written.name == names(folder)[-1]
    assert oct(folder.stat().st_mode & 0o777) == "0o700"


def test_what_is_no_backup_of_this_database_is_never_removed(store: Store, tmp_path: Path, now: datetime) -> None:
    others = ["pbem-2026.db", "pbem-20250101-000000.db.gz", "other-20250101-000000.db", "pbem.db.bak"]
    for name in others:
        (tmp_path / name).write_text("mine")
    store.backup_in(tmp_path, 1, now)
    assert set(others) <= set(names(tmp_path))


def test_a_backup_is_one_file_that_can_be_read_where_nothing_can_be_written(store: Store, tmp_path: Path) -> None:
    (tmp_path / "backups").mkdir()
    store.backup(tmp_path / "backups" / "copy.db")
    assert names(tmp_path / "backups") == ["copy.db"]
    assert (tmp_path / "backups" / "copy.db").read_bytes()[18:20] == b"\1\1", "not WAL, which needs files beside it"


def test_a_damaged_database_makes_no_backup_and_removes_none(store: Store, tmp_path: Path, now: datetime) -> None:
    folder = tmp_path / "nightly"
    store.backup_in(folder, 1, now)
    with store.transaction() as tx:
        tx.connection.exec_driver_sql("PRAGMA writable_schema = ON")
        tx.connection.exec_driver_sql("UPDATE sqlite_master SET rootpage = 3 WHERE name = 'meta'")
    with pytest.raises(StoreError, match="the database is damaged"):
        store.backup_in(folder, 1, now + timedelta(days=1))
    assert names(folder) == ["pbem-20260301-120000.db"]


BACKUP = """
import sys
from pathlib import Path
from pbem.store import Store
with Store(sys.argv[1]).open() as store:
    print("ready", flush=True)
    number = 0
    while True:
        number += 1
        store.backup(Path(sys.argv[2]) / f"{number}.db")
"""


def test_a_killed_backup_leaves_no_half_file_under_its_name(store: Store, url: str, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    command = [sys.executable, "-c", BACKUP, url, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        while len(names(folder)) < 3:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    for written in folder.glob("*.db"):
        with Store(f"sqlite:///{written}").open() as whole, whole.reading() as tx:
            assert tx.connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


def test_what_a_killed_backup_left_is_gone_the_day_after(store: Store, tmp_path: Path, now: datetime) -> None:
    left, fresh = tmp_path / ".pbem-left.part", tmp_path / ".pbem-fresh.part"
    for file in (left, fresh):
        file.write_text("half")
    os.utime(left, (0, 0))
    store.backup_in(tmp_path, 1, now)
    assert (left.exists(), fresh.exists()) == (False, True)
