"""Copies of an SQLite database: backups, and putting one back in the place of a database that is damaged or gone.

SQLite copies pages while others write; files are moved only when they are whole. A database is three files: what lies
in `-wal` belongs to the file beside it and destroys any other, so that the three are moved together.
"""

import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Engine

from pbem.errors import StoreError

#: What SQLite keeps beside a database.
BESIDE = ("-wal", "-shm")
#: A copy that is being written is of this name, so that what a killed process left is known.
UNFINISHED = (".pbem-", ".part")


def backup(engine: Engine, target: Path) -> None:
    """Copy a database, in use or not, to a file that does not exist yet; nothing is left there unless all of it is.

    Raises StoreError when it cannot be written, and when the database is damaged.
    """
    if engine.dialect.name != "sqlite":
        raise StoreError("only SQLite databases are copied by pbem; use pg_dump for PostgreSQL")
    if target.exists():
        raise StoreError(f"{target} exists already; choose another name")
    with unfinished(target) as part, engine.connect() as connection:
        source = connection.connection.driver_connection
        assert isinstance(source, sqlite3.Connection)
        copy_pages(source, part)
        if wrong := damage(part):
            raise StoreError(f"the database is damaged ({wrong}); `pbem admin restore FILE` puts a backup in its place")
        part.rename(target)
        settle(target.parent)


def backup_in(engine: Engine, folder: Path, keep: int, now: datetime) -> Path:
    """Write a backup with the time in its name into a folder, and remove the oldest but `keep` such; its path."""
    stem = Path(engine.url.database or "pbem").stem
    target = folder / f"{stem}-{now:%Y%m%d-%H%M%S}.db"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be made: {error.strerror}") from error
    backup(engine, target)
    ours = [file for file in folder.iterdir() if re.fullmatch(rf"{re.escape(stem)}-\d{{8}}-\d{{6}}\.db", file.name)]
    for old in sorted(ours)[:-keep]:
        old.unlink(missing_ok=True)
    return target


@contextmanager
def unfinished(target: Path) -> Iterator[Path]:
    """A file to be renamed to `target` when it is whole; else nothing is left of it. Raises StoreError."""
    try:
        swept(target.parent)
        handle, name = tempfile.mkstemp(prefix=UNFINISHED[0], suffix=UNFINISHED[1], dir=target.parent)
    except OSError as error:
        raise StoreError(f"{target} cannot be written; check its folder") from error
    os.close(handle)
    part = Path(name)
    try:
        yield part
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{target} cannot be written: {error}") from error
    finally:
        for name in ("", *BESIDE):
            Path(f"{part}{name}").unlink(missing_ok=True)


def swept(folder: Path) -> None:
    """Remove what was left unfinished more than a day ago."""
    for file in folder.glob(f"{UNFINISHED[0]}*{UNFINISHED[1]}*"):
        if datetime.now(UTC).timestamp() - file.stat().st_mtime > 86400:
            file.unlink(missing_ok=True)


def settle(folder: Path) -> None:
    """Have the names in a folder on the disk before going on."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def copy_pages(source: sqlite3.Connection, target: Path) -> None:
    """Copy a database into a file, which is all of it then: no `-wal` belongs to it."""
    with closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")


def damage(path: Path) -> str:
    """What SQLite finds wrong in a database, in a few words; empty when nothing is."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as database:
            (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            return "" if found == "ok" else str(found).splitlines()[-1]
    except sqlite3.Error as error:
        return str(error)
