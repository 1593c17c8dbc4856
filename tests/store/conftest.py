from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy

from pbem.protocol import Seat
from pbem.store import Game, GameSettings, Store

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'pbem.db'}"


#: Where a PostgreSQL server is, as `postgresql://postgres@/postgres?host=/tmp`: with it, what holds for every
#: database is tested there too. Needs psycopg.
POSTGRESQL = os.environ.get("TEST_POSTGRESQL", "")
EVERY_DATABASE = ("test_games", "test_people", "test_audit", "test_asks", "test_mails")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if POSTGRESQL and metafunc.module.__name__.endswith(EVERY_DATABASE) and "store" in metafunc.fixturenames:
        metafunc.parametrize("on_postgresql", [False, True], ids=["sqlite", "postgresql"])


@pytest.fixture
def on_postgresql() -> bool:
    return False


@pytest.fixture
def store(tmp_path: Path, fresh_database: Callable[[Path], Store], on_postgresql: bool) -> Iterator[Store]:
    with Store(fresh_postgresql()).create() if on_postgresql else fresh_database(tmp_path / "pbem.db") as fresh:
        yield fresh


def fresh_postgresql() -> str:
    """The URL of a database that was made for one test."""
    engine = sqlalchemy.create_engine(POSTGRESQL, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("DROP DATABASE IF EXISTS pbem_test")
        connection.exec_driver_sql("CREATE DATABASE pbem_test")
    engine.dispose()
    return engine.url.set(database="pbem_test").render_as_string(hide_password=False)


@pytest.fixture
def game(store: Store) -> Game:
    """A game with Ann at Red and Bob at Green, started."""
    with store.transaction() as tx:
        ann = tx.add_player("Ann", "ann@example.org", NOW)
        bob = tx.add_player("Bob", "bob@example.org", NOW)
        made = tx.add_game("Thursday night", "ankh_morpork", GameSettings(), bytes(32), NOW)
        tx.add_seat(made.id, Seat(0), "Red", ann.id)
        tx.add_seat(made.id, Seat(1), "Green", bob.id)
        tx.save_version(made.id, parent=None, cause="start", turn=1, snapshot={"n": 1}, added=[], digest="d1", now=NOW)
        tx.change_game(made.id, status="running", commitment="c" * 64, started_at=NOW)
        return tx.game(made.id)
