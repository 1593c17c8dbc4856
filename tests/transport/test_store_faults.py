"""A full disk and a locked database: nothing is lost, and the next pass does what is left."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from servers.table import GameTable, asked, game_table, inbox, mail_user
from sqlalchemy import event

from pbem.demo.client import MailClient
from pbem.demo.servers import PostOffice
from pbem.errors import StoreError
from pbem.store import OutboundId


@pytest.fixture
async def waiting(office: PostOffice, tmp_path: Path) -> AsyncIterator[tuple[GameTable, MailClient]]:
    """A game whose first player has just written orders, and that player."""
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        await table.one_pass()
        people = [
            mail_user(name, office.imap(name.lower()), office.smtp(name.lower()), tmp_path) for name in ("Ann", "Bob")
        ]
        actor, mail = await asked(people)
        await actor.answer(mail, [mail.options[0]])
        yield table, actor
        for person in people:
            await person.close()


@contextmanager
def locked(table: GameTable) -> Iterator[None]:
    """Another program holds the database, and nobody waits for it for long."""

    def impatient(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA busy_timeout = 20")

    path = table.settings.database.removeprefix("sqlite:///")
    event.listen(table.store._engine, "connect", impatient)
    table.store._engine.dispose()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
    event.remove(table.store._engine, "connect", impatient)
    table.store._engine.dispose()


@contextmanager
def full(table: GameTable) -> Iterator[None]:
    """The database may not grow, as on a full disk."""

    def no_room(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # SQLite takes the present size when that is more

    with closing(sqlite3.connect(table.settings.database.removeprefix("sqlite:///"))) as other:
        other.execute("VACUUM")  # no page is free
    event.listen(table.store._engine, "connect", no_room)
    table.store._engine.dispose()
    yield
    event.remove(table.store._engine, "connect", no_room)
    table.store._engine.dispose()


@pytest.mark.parametrize(
    ("fault", "sentence"), [(locked, "is locked by another program"), (full, "is full; nothing was changed")]
)
async def test_orders_wait_until_the_database_can_be_written(
    waiting: tuple[GameTable, MailClient], office: PostOffice, fault: Any, sentence: str
) -> None:
    table, actor = waiting
    with fault(table), pytest.raises(StoreError, match=sentence):
        await table.one_pass()
    assert (table.versions, await inbox(office)) == (1, 1)
    await table.one_pass()
    assert (table.versions, table.dispositions, await inbox(office), table.unsent) == (2, ["applied"], 0, [])
    assert len(await actor.fetch()) == 1


async def test_what_was_sent_is_not_noted_in_a_database_that_took_the_place(office: PostOffice, tmp_path: Path) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        table.store.backup(tmp_path / "copy.db")
        outbox = table.daemon().outbox
        outbox._taken.append(OutboundId(1))
        (tmp_path / "pbem.db").rename(tmp_path / "old.db")
        shutil.copy(tmp_path / "copy.db", tmp_path / "pbem.db")
        with pytest.raises(StoreError, match="moved away or replaced"):
            outbox._write_down()
        outbox._write_down()
        assert table.unsent == ["ann@play.test", "bob@play.test"]
