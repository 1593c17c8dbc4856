from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.protocol import Seat
from pbem.store import Game, GameSettings, Store

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'pbem.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with Store(url).open() as fresh:
        yield fresh


@pytest.fixture
def game(store: Store) -> Game:
    """A game with Ann at Red and Bob at Green, started."""
    with store.transaction() as tx:
        ann = tx.add_player("Ann", "ann@example.org", NOW)
        bob = tx.add_player("Bob", "bob@example.org", NOW)
        made = tx.add_game("Thursday night", "ankh_morpork", GameSettings(), bytes(32), NOW)
        tx.add_seat(made.id, Seat(0), "Red", ann.id)
        tx.add_seat(made.id, Seat(1), "Green", bob.id)
        tx.save_version(
            made.id, parent=None, cause="start", turn=1, snapshot={"n": 1}, added=[], digest="d1", now=NOW
        )
        tx.start_game(made.id, "c" * 64, NOW)
        return tx.game(made.id)
