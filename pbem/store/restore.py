"""Putting a backup in the place of the database, with all that the database which is there still holds.

The new file is made beside the old one and takes its place only when it is whole. Nobody writes into the old one
meanwhile, and whoever had it open notices (`pbem.store.database.begin_sqlite`). It is kept, with the files beside it.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from pbem.errors import StoreError
from pbem.store import schema
from pbem.store.copies import BESIDE, copy_pages, damage, settle, unfinished
from pbem.store.database import connection_to, engine_for, inode, understood
from pbem.store.store import Store
from pbem.store.tables import Base, events, games, versions

#: Where a file says how many pages it has, and the mark of a page of a tree that leads to others.
PAGES, PAGES_END, INTERIOR = 28, 32, 5
#: What the old file is called while the new one takes its place.
LEAVING = ".leaving"
#: Rows that are read at once; of a damaged part as many are tried one by one as it has.
CHUNK = 500
#: How far behind the backup rows are looked for when the database cannot even say how many it has.
BEYOND = 5_000


@dataclass(frozen=True, slots=True)
class Replaced:
    """What became of the database that was there."""

    #: Where it is kept; None when there was none.
    kept: Path | None
    #: Rows that were taken from it, and whether all that it held could be read.
    taken: int = 0
    complete: bool = False
    #: Why nothing was taken; empty when something was.
    why_not: str = ""


@contextmanager
def restoring(url: str, backup: Path, now: datetime) -> Iterator[tuple[Store, Replaced]]:
    """The backup with all that the old database still holds, to be made ready; at the end of the block it takes the place
    of the old one, unless the block raises.

    Raises StoreError when the backup cannot be used, or somebody goes on using the old database.
    """
    old = engine_for(url)
    path = Path(old.url.database or "").resolve()
    if old.dialect.name != "sqlite" or not old.url.database:
        raise StoreError("only SQLite databases are restored by pbem; use pg_restore for PostgreSQL")
    if inode(str(backup)) == inode(str(path)) != 0:
        raise StoreError(f"{backup} is the database itself; name a backup of it")
    kept = Path(f"{path}.replaced-{now:%Y%m%d-%H%M%S}")
    finish_swap(path, Path(f"{kept}-before"))
    with ExitStack() as stack:
        part = stack.enter_context(unfinished(path))
        copy_of(backup, part)
        there = path.exists()
        present = stack.enter_context(held(old)) if there else None
        if there and present is None:
            copy = stack.enter_context(mended(path, part))
            present = stack.enter_context(held(stack.enter_context(opened(copy))))
        taken, complete, why_not = (
            take_over(present, part) if present else (0, False, "it cannot be opened" if there else "")
        )
        with Store(f"sqlite:///{part}").open() as store:
            yield store, Replaced(kept if there else None, taken, complete, why_not)
        with closing(sqlite3.connect(part)) as whole:
            whole.execute("PRAGMA journal_mode = DELETE")  # so that it is one file
        if wrong := damage(part):
            raise StoreError(f"the restored database is damaged ({wrong}); nothing was changed")
        swap(path, part, kept)


def swap(path: Path, part: Path, kept: Path) -> None:
    """Put one database in the place of another, and keep that one. The old file goes first, for nobody can start without
    it; no other file's `-wal` may lie beside the new one."""
    move(path, Path(f"{path}{LEAVING}"))
    part.rename(path)
    settle(path.parent)
    move(Path(f"{path}{LEAVING}"), kept)


def move(path: Path, to: Path) -> None:
    """Move a database with what lies beside it."""
    for beside in ("", *BESIDE):
        with suppress(FileNotFoundError):
            Path(f"{path}{beside}").rename(f"{to}{beside}")
    settle(path.parent)


def finish_swap(path: Path, kept: Path) -> None:
    """Undo a swap that was broken off before the new file was in its place, or end one that was broken off later."""
    leaving = Path(f"{path}{LEAVING}")
    if leaving.exists():
        move(leaving, kept if path.exists() else path)


def copy_of(backup: Path, part: Path) -> None:
    """Copy a backup, which must be whole, and bring its schema up to date. Raises StoreError when it cannot be used."""
    if not backup.is_file():
        raise StoreError(f"there is no file {backup}; nothing was changed")
    # On a medium that cannot be written a file is read as one that does not change.
    wrong, ways = "", ("mode=ro",) if Path(f"{backup}-wal").exists() else ("mode=ro", "immutable=1")
    for how in ways:
        try:
            with closing(sqlite3.connect(f"file:{quote(str(backup.absolute()))}?{how}", uri=True)) as source:
                copy_pages(source, part)
            wrong = damage(part)
            break
        except sqlite3.Error as error:
            wrong = str(error)
    try:
        with opened(part) as engine, understood(engine):
            present = None if wrong else schema.revision(engine)
            if present is None:
                raise StoreError(wrong or "it is no database of pbem")
            if present != schema.newest_revision():
                schema.migrate(engine)
    except StoreError as error:
        said = str(error).replace(str(part), str(backup))
        raise StoreError(f"{backup} cannot be restored: {said}; nothing was changed") from error


@contextmanager
def opened(path: Path) -> Iterator[sa.Engine]:
    engine = engine_for(f"sqlite:///{path}")
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def held(engine: sa.Engine) -> Iterator[sa.Connection | None]:
    """The old database, which nobody can write to meanwhile; None when it is too damaged for that.

    Raises StoreError when another program does not let go of it.
    """
    with ExitStack() as stack:
        stack.callback(engine.dispose)
        connection = None
        try:
            with understood(engine):
                connection = stack.enter_context(engine.connect())
                connection.begin()
        except Exception as error:  # damaged pages make SQLite say what is no text
            if isinstance(error.__cause__, OperationalError):
                raise
            connection = None
        yield connection


@contextmanager
def mended(path: Path, whole: Path) -> Iterator[Path]:
    """A copy of a database that SQLite does not open, with the pages that describe its tables as they are in a `whole`
    one of the same tables, and as long as it was before it was cut short: SQLite reads what is left."""
    with unfinished(path) as part:
        for beside in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}{beside}", f"{part}{beside}")
        pages = schema_pages(whole)
        size, length = len(pages[1]), part.stat().st_size
        with part.open("r+b") as file:
            told = int.from_bytes(file.read(PAGES_END)[PAGES:])
            count = told if length < told * size < 4 * length else max(1, length // size)
            for number, page in pages.items():
                file.seek((number - 1) * size)
                file.write(page)
            file.seek(PAGES)
            file.write(count.to_bytes(4))
            file.truncate(count * size)
        yield part


def schema_pages(whole: Path) -> dict[int, bytes]:
    """The pages of a database that describe its tables, by number: those of the tree whose root is the first page (the
    file format of SQLite, sections 1.3 and 1.6)."""
    pages: dict[int, bytes] = {}
    with whole.open("rb") as file:
        size = int.from_bytes(file.read(18)[16:]) & 0xFFFE or 65536  # 1 is written for 65536
        todo = [1]
        while todo:
            number = todo.pop()
            file.seek((number - 1) * size)
            page = pages[number] = file.read(size)
            head = page[100 if number == 1 else 0 :]
            if head[0] == INTERIOR:
                cells = [int.from_bytes(head[at : at + 2]) for at in range(12, 12 + 2 * int.from_bytes(head[3:5]), 2)]
                todo += [int.from_bytes(page[cell : cell + 4]) for cell in cells] + [int.from_bytes(head[8:12])]
    return pages


def take_over(old: sa.Connection, part: Path) -> tuple[int, bool, str]:
    """Put every row of the old database that can be read in the place of the backup's; how many those are, whether they
    are all, and why nothing was taken, if so."""
    try:
        (present,) = old.exec_driver_sql("SELECT version_num FROM alembic_version").one()
    except Exception:  # noqa: BLE001 - whatever SQLite makes of damaged pages
        return 0, False, "it is too much damaged"
    if present != schema.newest_revision():
        return 0, False, "it has another schema"
    taken = lost = 0
    with opened(part) as engine, connection_to(engine, reading=False) as new:
        new.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        seeds = {row.id: row.seed for row in new.execute(sa.select(games.c.id, games.c.seed))}
        if not same_games(old, new):
            return 0, False, "it holds other games"
        for table in Base.metadata.sorted_tables:
            # A version never changes; anything else may have since the backup.
            insert = sa.insert(table).prefix_with("OR IGNORE" if table is versions else "OR REPLACE")
            for row in readable(old, table, most(new, table)):
                if row is None or lacks(table, row) or not put(new, insert, row):
                    lost += 1
                else:
                    taken += 1
        for game, seed in seeds.items():
            new.execute(sa.update(games).where(games.c.id == game).values(seed=seed))
        drop_orphans(new)
        count_on(new)
    return taken, not lost, ""


def same_games(old: sa.Connection, new: sa.Connection) -> bool:
    """Whether the two are of one server: half of the versions that are in both are the same; some may be damaged."""
    places = (versions.c.game_id, versions.c.number, versions.c.digest)
    known = {(game, number): digest for game, number, digest in new.execute(sa.select(*places))}
    rows = [row for row in readable(old, versions, most(new, versions)) if row]
    shared = [(known[place], row["digest"]) for row in rows if (place := (row["game_id"], row["number"])) in known]
    same = sum(one == other for one, other in shared)
    return bool(same) and 2 * same >= len(shared)


def most(new: sa.Connection, table: sa.Table) -> int:
    """The number of the last row of a table."""
    last: int | None = new.exec_driver_sql(f'SELECT max(rowid) FROM "{table.name}"').scalar_one()
    return last or 0


def readable(old: sa.Connection, table: sa.Table, known: int) -> Iterator[dict[str, Any] | None]:
    """The rows of a table; None for each that cannot be read. A damaged part is halved until the damage is alone."""
    rowid: sa.ColumnElement[int] = sa.literal_column("rowid", sa.Integer)
    try:
        last = most(old, table)
    except DBAPIError:
        last = known + BEYOND
    ranges = [(low, min(low + CHUNK - 1, last)) for low in range(1, last + 1, CHUNK)]
    while ranges:
        low, high = ranges.pop()
        try:
            rows = old.execute(sa.select(table).where(rowid.between(low, high))).all()
        except Exception:  # noqa: BLE001 - what is damaged fails in SQLite, or in whatever makes a value of it
            if low == high:
                yield None
            else:
                middle = (low + high) // 2
                ranges += [(low, middle), (middle + 1, high)]
            continue
        for row in rows:
            yield dict(row._mapping)


def unreadable(store: Store) -> str:
    """In which tables of an SQLite database rows cannot be read, and how many; empty when all can be."""
    lost: dict[str, int] = {}
    with store.reading() as tx:
        for table in Base.metadata.sorted_tables if store.file else ():
            rows = readable(tx.connection, table, 0)
            lost[table.name] = sum(row is None or lacks(table, row) for row in rows)
    return ", ".join(f"rows of {name} cannot be read: {count}" for name, count in lost.items() if count)


def lacks(table: sa.Table, row: dict[str, Any]) -> bool:
    """Whether a row has no value where it must have one, such as what could not be unpacked."""
    return any(row[column.name] is None and not column.nullable for column in table.c)


def put(new: sa.Connection, insert: sa.Insert, row: dict[str, Any]) -> bool:
    """Store a row; whether it is one that the schema allows."""
    try:
        new.execute(insert, row)
    except (IntegrityError, sa.exc.StatementError):
        return False
    return True


def drop_orphans(new: sa.Connection) -> None:
    """Remove rows that point to what could not be read."""
    while orphans := new.exec_driver_sql("PRAGMA foreign_key_check").all():
        for orphan in orphans:
            new.exec_driver_sql(f'DELETE FROM "{orphan[0]}" WHERE rowid = {int(orphan[1])}')


def count_on(new: sa.Connection) -> None:
    """Let numbers of versions and events go on behind the last there is, whichever row of the game was readable."""
    for last, table, number in ((games.c.last_version, versions, "number"), (games.c.last_event, events, "sequence")):
        newest = sa.select(sa.func.max(table.c[number])).where(table.c.game_id == games.c.id).scalar_subquery()
        new.execute(sa.update(games).where(last < newest).values({last.name: newest}))
