"""A game by mail for tests: a server with its settings and database, and people who write to it."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.config import Imap, Mail, Settings, Smtp
from pbem.demo.client import MailClient, Received
from pbem.demo.servers import PostOffice
from pbem.mail.wire.imap import Mailbox
from pbem.moderator import actions
from pbem.moderator.moderator import Moderator
from pbem.moderator.players import SeatSpec
from pbem.server.daemon import Daemon
from pbem.store import Game, Store

GAME = "orders@play.test"
MODERATOR = "mod@play.test"
MARKERS = ("==== ORDERS START ====", "==== ORDERS END ====")


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now

    def passes(self, **much: float) -> None:
        self.now += timedelta(**much)


class GameTable:
    """A running game, and what a test asks about it."""

    def __init__(self, settings: Settings, store: Store, game: Game) -> None:
        self.settings = settings
        self.store = store
        self.game = game
        self.clock = Clock()

    def daemon(self) -> Daemon:
        """A daemon as after a start of the program."""
        return Daemon(self.settings, self.store, self.clock)

    async def one_pass(self) -> None:
        await self.daemon().one_pass()

    @property
    def versions(self) -> int:
        with self.store.reading() as tx:
            return len(tx.versions(self.game.id))

    @property
    def unsent(self) -> list[str]:
        """Recipients of mails that are still to be sent."""
        with self.store.reading() as tx:
            return sorted(mail.recipient for mail in tx.sent("queued", "leased"))

    @property
    def failed(self) -> list[str]:
        with self.store.reading() as tx:
            return [mail.recipient for mail in tx.sent("failed")]

    @property
    def dispositions(self) -> list[str | None]:
        """What became of each received mail, oldest first."""
        with self.store.reading() as tx:
            return [mail.disposition for mail in reversed(tx.received())]

    def mails_to(self, address: str) -> list[str]:
        """Message-IDs of what was written to an address, oldest first."""
        with self.store.reading() as tx:
            return [mail.message_id for mail in reversed(tx.sent()) if mail.recipient == address]


@contextlib.contextmanager
def game_table(
    folder: Path, imap: Imap, smtp: Smtp, names: Sequence[str] = ("Ann", "Bob"), **mail: object
) -> Iterator[GameTable]:
    """Set a game up and start it; the first mails wait in the outbox."""
    given: Mapping[str, object] = {"address": GAME, "moderator": MODERATOR, "answers_per_hour": 10_000, **mail}
    settings = Settings(
        database=f"sqlite:///{folder / 'pbem.db'}", imap=imap, smtp=smtp, mail=Mail.model_validate(given)
    )
    with Store(settings.database).create() as store:
        players = [SeatSpec(name, f"{name.lower()}@play.test") for name in names]
        seed = hashlib.sha256(b"a game for tests").digest()
        moderator = Moderator(store, settings)
        game = actions.new_game(moderator, "Test night", players, game_type="ankh_morpork", seed=seed)
        yield GameTable(settings, store, actions.start(moderator, game.code))


def write_configuration(folder: Path, imap_port: int, smtp_port: int, password: str = "secret") -> Path:
    """A pbem.toml as a moderator writes it, and the database, if there is none."""
    (folder / "password").write_text(password + "\n")
    path = folder / "pbem.toml"
    path.write_text(
        f"""
        database = "sqlite:///pbem.db"
        mail = {{ address = "orders@play.test", moderator = "mod@play.test", answers_per_hour = 10000 }}
        imap = {{ host = "127.0.0.1", port = {imap_port}, tls = false, user = "orders", password_file = "password" }}
        smtp = {{ host = "127.0.0.1", port = {smtp_port}, tls = "none" }}
        """
    )
    if not (folder / "pbem.db").exists():
        Store(f"sqlite:///{folder / 'pbem.db'}").create().close()
    return path


def mail_user(name: str, imap: Imap, smtp: Smtp, folder: Path, habit: str = "above") -> MailClient:
    """Somebody who reads and answers the game's mails."""
    place = folder / name.lower()
    place.mkdir()
    return MailClient(name, f"{name.lower()}@play.test", imap, smtp, place, habit, MARKERS)


async def inbox(office: PostOffice, user: str = "orders") -> int:
    """How many mails lie in an inbox, that of the game if no other is named."""
    box = Mailbox(office.imap(user), max_bytes=10_000)
    await box.connect()
    await box.close()
    return box.exists


async def asked(people: Sequence[MailClient]) -> tuple[MailClient, Received]:
    """Who is asked for orders in the mails that have just come, and by which."""
    asking = []
    for person in people:
        asking += [(person, mail) for mail in await person.fetch() if mail.question]
        await person.put_away()
    return asking[-1]
