from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.config import Settings, load
from pbem.moderator import actions as desk
from pbem.moderator.players import Sitter
from pbem.store import Game, Outbound, Store

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
ANN, BOB = Sitter("Ann", "ann@example.org"), Sitter("Bob", "bob@example.org")
SEED = bytes([3]) * 32  # Red begins


@dataclass
class Club:
    """A server with a desk, and a clock that tests turn."""

    store: Store
    settings: Settings
    config: Path
    now: datetime = NOW

    def passes(self, hours: float) -> None:
        self.now += timedelta(hours=hours)

    def mails(self, subject: str = "") -> list[Outbound]:
        """Everything written so far, oldest first, with its text."""
        with self.store.reading() as tx:
            found = [tx.outbound(mail.id) for mail in tx.sent(limit=10_000)]
        return [mail for mail in reversed(found) if subject in mail.subject]

    def told(self, kind: str) -> list[str]:
        """Who got a mail of this kind."""
        return [mail.recipient for mail in self.mails() if mail.kind == kind]

    def acts(self, colour: str, *orders: str) -> None:
        outcome = desk.act_as(self.store, self.settings, "G001", colour, orders, "test", now=self.now)
        assert outcome.changed, outcome.lines

    def moves(self, colour: str) -> None:
        """Any whole turn: the first card, and nothing more."""
        with self.store.reading() as tx:
            (ask,) = [ask for ask in tx.open_asks(tx.find_game("G001").id) if ask.due_at]
        self.acts(colour, ask.menu[0], "end")


@pytest.fixture
def club(tmp_path: Path, fresh_database: Callable[[Path], Store]) -> Club:
    config = tmp_path / "pbem.toml"
    config.write_text(TOML, encoding="utf-8")
    settings = load(config)
    return Club(fresh_database(tmp_path / "pbem.db"), settings, config)


@pytest.fixture
def game(club: Club) -> Game:
    """Ann (Red) and Bob (Green), begun; Ann is to move."""
    desk.new_game(club.store, club.settings, "Thursday night", [ANN, BOB], seed=SEED, now=club.now)
    return desk.start(club.store, club.settings, "G001", now=club.now)
