"""The schema of the database: made, checked and brought up to date by Alembic's migrations."""

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


def check(engine: Engine) -> None:
    """Raises StoreError when the database does not have the schema of this version of pbem."""
    if revision(engine) != newest_revision():
        raise StoreError(
            f"the database {redacted(engine.url)} has an older schema; `pbem run` upgrades it after a backup"
        )


def upgrade(engine: Engine) -> Path | None:
    """Make the schema or bring it up to date; the path of the backup copy, when one was made."""
    present, copy = revision(engine), None
    if present is not None:
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


def revision(engine: Engine) -> str | None:
    """The schema that the database has; None where nothing was ever set up.

    Raises StoreError for a schema that this version of pbem has no migration to.
    """
    path = engine.url.database
    if engine.dialect.name == "sqlite" and path is not None and not Path(path).exists():
        return None  # merely connecting would make the file
    with engine.connect() as connection:
        present = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}
    if present is not None and present not in known:
        where = redacted(engine.url)
        raise StoreError(f"the database {where} was made by a newer pbem (schema {present}); install that version")
    return present


def newest_revision() -> str | None:
    """The schema that this version of pbem works with."""
    return ScriptDirectory(str(MIGRATIONS)).get_current_head()
