"""The schema of the database: made, checked and brought up to date by Alembic's migrations."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import alembic.command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

from pbem.errors import StoreError
from pbem.store.copies import backup
from pbem.store.database import redacted

MIGRATIONS = Path(__file__).parent / "migrations"


def check(engine: Engine) -> None:
    """Raises StoreError when the database does not have the schema of this version of pbem."""
    if wanted_revision(engine) != newest_revision():
        raise StoreError(
            f"the database {redacted(engine.url)} has an older schema; `pbem run` upgrades it after a backup"
        )


def create(engine: Engine) -> None:
    """Make a new database. Raises StoreError where there is one."""
    if engine.dialect.name == "sqlite":
        if engine.url.database in (None, ":memory:"):
            raise StoreError("a database in memory keeps nothing; `sqlite:///pbem.db` is the usual one")
        private(Path(str(engine.url.database)))
    if revision(engine) is not None:
        raise StoreError(f"there is a database {redacted(engine.url)} already; move it away first")
    migrate(engine)


def upgrade(engine: Engine) -> Path | None:
    """Bring the schema up to date; the path of the backup copy, when one was made."""
    present, copy = wanted_revision(engine), None
    if present == newest_revision():
        return None
    if engine.dialect.name == "sqlite":
        at = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        copy = Path(f"{engine.url.database}.{present}.{at}.bak")
        backup(engine, copy)
    migrate(engine)
    return copy


def migrate(engine: Engine) -> None:
    """Run the migrations that the database has not seen yet."""
    with engine.connect() as connection, connection.begin():
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.attributes["connection"] = connection
        alembic.command.upgrade(config, "head")


def private(path: Path) -> None:
    """Make an empty file that its owner alone may read, unless there is one: SQLite gives the files beside a database
    the same mode, and it makes none itself."""
    with suppress(OSError):  # SQLite says why it cannot be opened
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def wanted_revision(engine: Engine) -> str:
    """The schema that the database has.

    Raises StoreError where there is none: only who is told to makes a database.
    """
    present, path = revision(engine), engine.url.database
    if present is None:
        missing = engine.dialect.name == "sqlite" and path and not Path(path).exists()
        where = f"there is no database {path}" if missing else f"the database {redacted(engine.url)} is empty"
        raise StoreError(f"{where}; `pbem admin restore FILE` puts a backup in its place, `pbem init` begins anew")
    return present


def revision(engine: Engine) -> str | None:
    """The schema that the database has; None where nothing was ever set up.

    Raises StoreError for a schema that this version of pbem has no migration to.
    """
    path = engine.url.database
    if engine.dialect.name == "sqlite" and path is not None and not Path(path).exists():
        return None
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
