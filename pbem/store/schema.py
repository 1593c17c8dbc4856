"""The schema of the database: made, checked and brought up to date by Alembic's migrations."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import alembic.command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

from pbem.errors import StoreError
from pbem.store.database import redacted

MIGRATIONS = Path(__file__).parent / "migrations"


def is_empty(engine: Engine) -> bool:
    """Whether nothing was ever set up here."""
    return missing_file(engine) or revision(engine) is None


def check(engine: Engine) -> None:
    """Raises StoreError when the database does not have the schema of this version of pbem."""
    where, present = redacted(engine.url), revision(engine)
    refuse_newer(present, where)
    if present != newest_revision():
        raise StoreError(f"the database {where} has an older schema; `pbem run` upgrades it after a backup")


def upgrade(engine: Engine) -> Path | None:
    """Make the schema or bring it up to date; the path of the backup copy, when one was made."""
    where = redacted(engine.url)
    present = None if is_empty(engine) else revision(engine)
    copy = None
    if present is not None:
        refuse_newer(present, where)
        if present == newest_revision():
            return None
        if engine.dialect.name == "sqlite" and engine.url.database:
            at = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
            copy = Path(f"{engine.url.database}.{present}.{at}.bak")
            backup(engine, copy)
    with engine.connect() as connection, connection.begin():
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.attributes["connection"] = connection
        alembic.command.upgrade(config, "head")
    return copy


def backup(engine: Engine, target: Path) -> None:
    """Copy an SQLite database, in use or not, to a file that does not exist yet."""
    if engine.dialect.name != "sqlite":
        raise StoreError("only SQLite databases are copied by pbem; use pg_dump for PostgreSQL")
    if target.exists():
        raise StoreError(f"{target} exists already; choose another name")
    with engine.connect() as connection:
        source = connection.connection.driver_connection
        assert isinstance(source, sqlite3.Connection)
        try:
            with closing(sqlite3.connect(target)) as copy:
                source.backup(copy)
        except sqlite3.Error as error:
            raise StoreError(f"{target} cannot be written; check its folder") from error


def missing_file(engine: Engine) -> bool:
    """Whether this is an SQLite file that does not exist. (Merely connecting would make it.)"""
    path = engine.url.database
    return engine.dialect.name == "sqlite" and path is not None and not Path(path).exists()


def revision(engine: Engine) -> str | None:
    """The schema that the database has; None for none."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def newest_revision() -> str | None:
    """The schema that this version of pbem works with."""
    return ScriptDirectory(str(MIGRATIONS)).get_current_head()


def refuse_newer(present: str | None, where: str) -> None:
    """Raises StoreError for a schema that this version of pbem has no migration to."""
    known = {script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}
    if present is not None and present not in known:
        raise StoreError(f"the database {where} was made by a newer pbem (schema {present}); install that version")
