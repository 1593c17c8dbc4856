from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.config import Settings, load
from pbem.moderator import actions
from pbem.moderator.moderator import Moderator
from pbem.moderator.players import SeatSpec
from pbem.store import AuditEntry, Game, Outbound, Player, Store, VersionInfo

TOML = """
[mail]
address = "orders@play.example.org"
moderator = "mod@example.org"
[imap]
host = "localhost"
tls = false
port = 1143
[smtp]
host = "localhost"
tls = "none"
port = 1025
"""
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ANN, BOB = SeatSpec("Ann", "ann@example.org"), SeatSpec("Bob", "bob@example.org")
SEED = bytes([3]) * 32  # Red begins


@dataclass
class Club:
    """A server with its moderator, and a clock that tests turn."""

    store: Store
    settings: Settings
    config: Path
    now: datetime = NOW

    @property
    def moderator(self) -> Moderator:
        return Moderator(self.store, self.settings, lambda: self.now)

    def adds(self, name: str, players: Sequence[SeatSpec], **more: Any) -> Game:
        """Add a game, which `start` then begins."""
        return actions.new_game(self.moderator, name, players, game_type="ankh_morpork", **more)

    def passes(self, hours: float) -> None:
        self.now += timedelta(hours=hours)

    def mails(self, subject: str = "") -> list[Outbound]:
        """Everything written so far, oldest first, with its text."""
        with self.store.reading() as tx:
            newest_first = [tx.outbound(mail.id) for mail in tx.sent(limit=10_000)]
        return [mail for mail in reversed(newest_first) if subject in mail.subject]

    @property
    def log(self) -> Sequence[AuditEntry]:
        with self.store.reading() as tx:
            return tx.audit_log()

    @property
    def versions(self) -> Sequence[VersionInfo]:
        """The versions of the only game."""
        with self.store.reading() as tx:
            return tx.versions(tx.find_game("G001").id)

    @property
    def players(self) -> Sequence[Player]:
        with self.store.reading() as tx:
            return tx.players()

    def told(self, kind: str) -> list[str]:
        """Who got a mail of this kind."""
        return [mail.recipient for mail in self.mails() if mail.kind == kind]

    def acts(self, colour: str, *orders: str) -> None:
        outcome = actions.act_as(self.moderator, "G001", colour, orders, "test")
        assert outcome.changed, outcome.lines

    def moves(self, colour: str) -> None:
        """Any whole turn: the first card, and nothing more."""
        with self.store.reading() as tx:
            (ask,) = [ask for ask in tx.open_asks(tx.find_game("G001").id) if ask.due_at]
        self.acts(colour, ask.menu[0], "end")


def club_in(folder: Path, store: Store) -> Club:
    config = folder / "pbem.toml"
    config.write_text(TOML, encoding="utf-8")
    return Club(store, load(config), config)


@pytest.fixture
def club(tmp_path: Path, fresh_database: Callable[[Path], Store]) -> Club:
    return club_in(tmp_path, fresh_database(tmp_path / "pbem.db"))


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Path:
    """A folder of backups, to be copied: `version-4.db` is of a game of Ann and Bob in version 4, which is their turn 4."""
    folder = tmp_path_factory.mktemp("evening")
    shutil.copy(empty_database, folder / "pbem.db")
    with Store(f"sqlite:///{folder / 'pbem.db'}").open() as store:
        club = club_in(folder, store)
        club.adds("Thursday night", [ANN, BOB], seed=SEED)
        actions.start(club.moderator, "G001")
        for number, colour in ((2, "Red"), (3, "Green"), (4, "Red")):
            club.moves(colour)
            store.backup(folder / f"version-{number}.db")
    return folder


@pytest.fixture
def played_to(evening: Path, tmp_path: Path) -> Iterator[Callable[[int], Club]]:
    """A club whose game stands at a version."""
    with ExitStack() as stores:

        def club(version: int) -> Club:
            shutil.copy(evening / f"version-{version}.db", tmp_path / "pbem.db")
            return club_in(tmp_path, stores.enter_context(Store(f"sqlite:///{tmp_path / 'pbem.db'}").open()))

        yield club


@pytest.fixture
def game(club: Club) -> Game:
    """Ann (Red) and Bob (Green), begun; Ann is to move."""
    club.adds("Thursday night", [ANN, BOB], seed=SEED)
    return actions.start(club.moderator, "G001")
