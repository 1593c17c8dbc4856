"""The store: one database, and the transactions through which it is read and changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection, delete, select

from pbem.store import copies, schema
from pbem.store.asks import Asks
from pbem.store.database import connection_to, engine_for, redacted, understood
from pbem.store.games import Games
from pbem.store.lock import among_senders
from pbem.store.mails import Mails
from pbem.store.people import People
from pbem.store.rows import one_of
from pbem.store.tables import audit, meta
from pbem.store.values import AuditEntry, Fact, GameId


class Tx(Games, People, Mails, Asks):
    """One transaction. It ends with the `with` block that made it; use it only there."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def audit(self, who: str, what: str, why: str, now: datetime, **fields: Any) -> None:
        """Add a line to the audit log; `fields` are others of an `AuditEntry`."""
        self._add(audit, **{"at": now, "who": who, "what": what, "why": why, "facts": {}} | fields)

    def audit_log(self, game_id: GameId | None = None, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The newest lines of the audit log, oldest of them first."""
        newest = select(audit).where(one_of(audit.c.game_id, game_id)).order_by(audit.c.id.desc()).limit(limit)
        return self._all(AuditEntry, newest)[::-1]

    def remembered(self, key: Fact) -> str | None:
        """A fact about the installation; None when there is none."""
        return self.connection.execute(select(meta.c.value).where(meta.c.key == key)).scalar_one_or_none()

    def remember(self, key: Fact, value: str) -> None:
        """Keep a fact about the installation, in the place of an earlier one."""
        self.connection.execute(delete(meta).where(meta.c.key == key))
        self._add(meta, key=key, value=value)

    def once_a_day(self, what: Fact, now: datetime) -> bool:
        """Whether the last time was a day ago, or is a day ahead by a clock that was; then this is noted as the last time."""
        last = self.remembered(what)
        if last and abs(now - datetime.fromisoformat(last)) < timedelta(days=1):
            return False
        self.remember(what, now.isoformat())
        return True


class Store:
    """The database of a server. Threads may share it; each transaction has its own connection."""

    def __init__(self, url: str) -> None:
        self._engine = engine_for(url)

    @property
    def where(self) -> str:
        """The file, or the URL without its password."""
        return redacted(self._engine.url)

    def open(self) -> Self:
        """Make sure that the database can be used. Gives the store, so that `with Store(url).open() as store:` closes it
        at the end.

        Raises StoreError, with what to do, when there is no database, or when its schema is older or newer than this
        version of pbem.
        """
        with understood(self._engine):
            schema.check(self._engine)
        return self

    def create(self) -> Self:
        """Make a new database, as `open` gives it. Raises StoreError where there is one."""
        with understood(self._engine):
            schema.create(self._engine)
        return self

    def upgrade(self) -> Path | None:
        """Bring an older database up to date after a backup copy, whose path is given.

        Raises StoreError when there is no database, or one that is newer than this version of pbem.
        """
        with understood(self._engine):
            return schema.upgrade(self._engine)

    def backup(self, target: Path) -> None:
        """Write a consistent copy of an SQLite database, while it is in use."""
        with understood(self._engine):
            copies.backup(self._engine, target)

    def backup_in(self, folder: Path, keep: int, now: datetime) -> Path:
        """Write such a copy, named by the time, into a folder, and remove the oldest there but `keep`; its path."""
        with understood(self._engine):
            return copies.backup_in(self._engine, folder, keep, now)

    @property
    def file(self) -> Path | None:
        """Where an SQLite database lies."""
        path = self._engine.url.database
        return Path(path) if self._engine.dialect.name == "sqlite" and path else None

    def damage(self) -> str:
        """What SQLite finds wrong in the database, in a few words; empty when nothing is."""
        return copies.damage(self.file) if self.file else ""

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[Tx]:
        """A transaction that may change things: committed at the end of the block, undone by an exception.
        Only one at a time; others wait. Nothing in it may await."""
        with connection_to(self._engine, reading=False) as connection:
            yield Tx(connection)

    @contextmanager
    def sending(self) -> Iterator[None]:
        """To be held by whoever leases mails. What senders of this machine had leased when they died is due at once;
        without this it would be when their leases run out."""
        file = self._engine.url.database
        if self._engine.dialect.name != "sqlite" or not file or file == ":memory:":
            yield
            return

        def let_go() -> None:
            with self.transaction() as tx:
                tx.end_leases()

        with among_senders(Path(f"{file}-senders"), let_go):
            yield

    @contextmanager
    def reading(self) -> Iterator[Tx]:
        """A transaction that only looks: it sees one moment and holds nobody up."""
        with connection_to(self._engine, reading=True) as connection:
            yield Tx(connection)
