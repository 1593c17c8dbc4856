"""The store: one database, and the transactions through which it is read and changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

from pbem.store import schema
from pbem.store.asks import Asks
from pbem.store.database import connection_to, engine_for, understood
from pbem.store.games import Games
from pbem.store.mailbox import Mailbox
from pbem.store.people import People
from pbem.store.records import Records


class Tx(Games, People, Mailbox, Asks, Records):
    """One transaction. It ends with the `with` block that made it; use it only there."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection


class Store:
    """The database of a server. Threads may share it; each transaction has its own connection."""

    def __init__(self, url: str) -> None:
        self._engine = engine_for(url)

    def open(self) -> None:
        """Check that the database is there and has the schema of this version of pbem.

        Raises StoreError, with what to do, when it is not or has not.
        """
        with understood(self._engine):
            schema.check(self._engine)

    def upgrade(self) -> Path | None:
        """Set an empty database up, or bring an older one up to date after a backup copy, whose path is given.

        Raises StoreError when the database is newer than this version of pbem.
        """
        with understood(self._engine):
            return schema.upgrade(self._engine)

    def backup(self, target: Path) -> None:
        """Write a consistent copy of an SQLite database, while it is in use."""
        with understood(self._engine):
            schema.backup(self._engine, target)

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def transaction(self) -> Iterator[Tx]:
        """A transaction that may change things: committed at the end of the block, undone by an exception.
        Only one at a time; others wait. Nothing in it may await."""
        with connection_to(self._engine, reading=False) as connection:
            yield Tx(connection)

    @contextmanager
    def reading(self) -> Iterator[Tx]:
        """A transaction that only looks: it sees one moment and holds nobody up."""
        with connection_to(self._engine, reading=True) as connection:
            yield Tx(connection)
