"""The database behind a Store: connections, transactions, and what its errors mean to a person."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy
from sqlalchemy import URL, Connection, Engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry

from pbem.errors import StoreError

#: Seconds that a transaction waits for another one's to end.
BUSY_SECONDS = 15
#: The advisory lock, on PostgreSQL, of whoever writes: "pbem" in ASCII.
WRITING = 0x7062656D


def engine_for(url: str) -> Engine:
    """An engine for the database at `url`; nothing is opened yet.

    Raises StoreError for a URL that cannot be used.
    """
    try:
        engine = sqlalchemy.create_engine(url)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise StoreError(
            f"the database URL {redacted(url)} cannot be used; `sqlite:///pbem.db` is the usual one"
        ) from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "do_connect", never_make)
        event.listen(engine, "connect", prepare_sqlite)
        event.listen(engine, "begin", begin_sqlite)
    elif engine.dialect.name == "postgresql":
        event.listen(engine, "begin", begin_postgresql)
    return engine


def never_make(dialect: object, record: object, arguments: list[Any], options: dict[str, Any]) -> None:
    """Open a file that is there: SQLite by itself makes one where there is none."""
    if arguments[0] != ":memory:":
        arguments[0], options["uri"] = f"file:{quote(arguments[0])}?mode=rw", True


def prepare_sqlite(connection: Any, record: ConnectionPoolEntry) -> None:
    """Durable, concurrent and strict: what SQLite is not by itself."""
    connection.isolation_level = None  # pbem says BEGIN, not the driver
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    write_ahead(cursor)
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA database_list")
    record.info["file"] = inode(cursor.fetchone()[2])
    cursor.close()


def write_ahead(cursor: sqlite3.Cursor) -> None:
    """Switch to write-ahead logging. SQLite does not wait for its lock here, busy_timeout or not, so several that
    open a new file at the same time would find it locked."""
    patience = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > patience:
                raise
            time.sleep(0.02)
        else:
            return


def begin_sqlite(connection: Connection) -> None:
    """Take the write lock at once, or none: a transaction that reads first and writes later must not find that another
    one wrote in between."""
    reading = connection.get_execution_options().get("pbem_reading", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
    path = connection.engine.url.database or ""
    if connection.info["file"] != inode(path):
        connection.invalidate()
        # What is written into a file that was moved away would be lost.
        raise StoreError(f"the database {path} was moved away or replaced; try again") from FileNotFoundError(path)


def inode(path: str) -> int:
    """Which file a path leads to; 0 for none."""
    try:
        return Path(path).stat().st_ino
    except OSError:
        return 0


def begin_postgresql(connection: Connection) -> None:
    """The same promises as on SQLite: who only looks sees one moment, and one transaction at a time writes."""
    if connection.get_execution_options().get("pbem_reading", False):
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    else:
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{BUSY_SECONDS}s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITING})")


@contextmanager
def connection_to(engine: Engine, *, reading: bool) -> Iterator[Connection]:
    """A connection in a transaction, which is committed at the end and undone by an exception.

    Raises StoreError for whatever the database itself refuses.
    """
    with understood(engine), engine.connect() as bare:
        connection = bare.execution_options(pbem_reading=reading)
        with connection.begin():
            yield connection


@contextmanager
def understood(engine: Engine) -> Iterator[None]:
    """Turn what the database driver says into one sentence for the moderator."""
    try:
        yield
    except IntegrityError:
        raise  # a mistake of ours: the developer wants to see it
    except DBAPIError as error:
        raise StoreError(sentence(error, redacted(engine.url))) from error


def sentence(error: DBAPIError, where: str) -> str:
    """What the driver said of the database, and what to do about it."""
    said = str(error.orig).lower()
    if "locked" in said or "busy" in said or "lock timeout" in said:
        return f"the database {where} is locked by another program; end it or try again"
    if "full" in said:
        return f"the disk with the database {where} is full; nothing was changed, make room and try again"
    if "readonly" in said or "read-only" in said:
        return f"the database {where} cannot be written; check its permissions and its folder's"
    if "unable to open" in said:
        return f"the database {where} cannot be opened; check that its folder exists and may be written"
    if "not a database" in said or "malformed" in said:
        return f"the database {where} is damaged or no database; `pbem admin restore FILE` puts a backup in its place"
    if "no such table" in said or "no such column" in said or "does not exist" in said:
        return f"the database {where} has not been set up; `pbem admin restore FILE` puts a backup in its place"
    return f"the database {where} cannot be used: {said.splitlines()[0] if said else 'no reason given'}"


def redacted(url: str | URL) -> str:
    """The URL without its password; for SQLite the path alone."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        return repr(url)
    if parsed.get_backend_name() == "sqlite":
        return parsed.database or "in memory"
    return parsed.render_as_string(hide_password=True)
