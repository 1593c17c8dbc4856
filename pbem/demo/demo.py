"""`pbem demo` and `pbem play`: a whole game by real mail, on an IMAP and an SMTP server in this process.

The server is the same daemon as `pbem run`. Every player is a mail user: they read their reports from their own
mailbox over IMAP and answer by SMTP; nothing passes between players and server in any other way.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import tempfile
import tomllib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from pbem.config import Settings
from pbem.demo.client import HABITS, Bot, Correspondent, Received
from pbem.demo.progress import Progress, tell_end, tell_left
from pbem.demo.terminal import Person, write_answer
from pbem.errors import ConfigError, StoreError
from pbem.moderator import actions as desk
from pbem.moderator.players import Sitter
from pbem.play.simulate import stream
from pbem.play.verify import verify
from pbem.server.daemon import Daemon, opened, together, until_stopped
from pbem.store import Game, Store

NAMES = ("Rosie", "Havelock", "Sybil", "Wallace")
DOMAIN = "play.test"
#: Seconds without a new version after which something must be wrong.
STALLED = 60.0
#: How often the game is looked at for the display and the end.
POLL_SECONDS = 0.1

CONFIGURATION = """\
# Written by pbem demo. The mail servers lived in that process only; `pbem verify` and `pbem admin` work.
database = "sqlite:///pbem.db"

[mail]
address = "orders@{domain}"
moderator = "moderator@{domain}"
plus_addressing = true
answers_per_hour = 10000

[imap]
host = "127.0.0.1"
port = {imap_port}
tls = false
user = "orders"
password_file = "orders.password"

[smtp]
host = "127.0.0.1"
port = {smtp_port}
tls = "none"
user = "orders"
password_file = "orders.password"
"""


class OwnSettings(Settings):
    """Settings that no environment variable changes: the servers are the demo's own."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)


@dataclass(frozen=True, slots=True)
class Parish:
    """A server, the players who write to it, and where everything is kept."""

    daemon: Daemon
    store: Store
    game: Game
    players: Sequence[Correspondent]
    directory: Path
    seed: int

    def bots(self, first: int = 0) -> list[Bot]:
        """A bot for each player from `first` on."""
        chances = (random.Random(stream(self.seed, "orders", seat)) for seat in range(len(self.players)))
        return [Bot(one, chance) for one, chance in zip(self.players, chances, strict=True)][first:]

    @property
    def mails(self) -> tuple[int, int]:
        """Mails that the server has received and sent."""
        return self.daemon.handled, self.daemon.outbox.sent


def demo(
    players: int = 3,
    seed: int | None = None,
    directory: Path | None = None,
    turns: int | None = None,
    quiet: bool = False,
) -> int:
    """Let bots play a game by mail; 0 when it came to its end and replays to the same end."""

    async def work(parish: Parish) -> int:
        with Progress(parish.game.game_type, quiet) as progress:
            await until_over(parish, parish.bots(), progress, turns)
        return finished(parish)

    return asyncio.run(in_parish(players, seed, directory, work))


def play(
    players: int = 3,
    seed: int | None = None,
    directory: Path | None = None,
    ask: Callable[[Received], Awaitable[str]] = write_answer,
) -> int:
    """Let a person play against bots by mail, from the terminal; 0 unless something goes wrong.

    `ask` gets a mail and gives the text of the person's answer.
    """

    async def work(parish: Parish) -> int:
        person = Person(parish.players[0], ask)
        with Progress(parish.game.game_type, quiet=True) as progress:
            await until_over(parish, [person, *parish.bots(1)], progress, None, patience=float("inf"))
        if not over(parish):
            tell_left(parish.game, parish.directory)
            return 0
        return finished(parish)

    return asyncio.run(in_parish(players, seed, directory, work))


async def in_parish(
    players: int, seed: int | None, directory: Path | None, work: Callable[[Parish], Awaitable[int]]
) -> int:
    """Open the post office, start a game, and do `work` in it.

    Raises ConfigError when the servers of the demo are not installed, or the folder is not empty.
    """
    from pbem.demo.servers import post_office  # an extra that nothing else needs

    folder = empty_folder(directory)
    seed = secrets.randbits(32) if seed is None else seed
    users = {name.lower(): secrets.token_urlsafe(16) for name in ("orders", "moderator", *NAMES[:players])}
    async with AsyncExitStack() as stack:
        office = await stack.enter_async_context(post_office(users))
        settings = configured(folder, office.imap_port, office.smtp_port, users["orders"])
        store = stack.enter_context(opened(settings))
        sitters = [Sitter(name, f"{name.lower()}@{DOMAIN}") for name in NAMES[:players]]
        game = desk.new_game(store, settings, "A game by mail", sitters, seed=stream(seed, "game", 0))
        game = desk.start(store, settings, game.code)
        markers = (settings.mail.begin_marker, settings.mail.end_marker)
        people = []
        for one, habit in zip(sitters, HABITS, strict=False):
            user = one.name.lower()
            place = folder / "mail" / user
            place.mkdir(parents=True)
            correspondent = Correspondent(
                one.name, one.address, office.imap(user), office.smtp(user), place, habit, markers
            )
            stack.push_async_callback(correspondent.close)
            people.append(correspondent)
        return await work(Parish(Daemon(settings, store), store, game, people, folder, seed))


def empty_folder(directory: Path | None) -> Path:
    if directory is None:
        return Path(tempfile.mkdtemp(prefix="pbem-"))
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise ConfigError(f"{directory} is not empty; name a new folder")
    except OSError as error:
        raise ConfigError(f"{directory} cannot be used: {error.strerror}") from error
    return directory.absolute()


def configured(folder: Path, imap_port: int, smtp_port: int, password: str) -> Settings:
    """Write pbem.toml and the password beside it, and read them as `pbem run` would."""
    text = CONFIGURATION.format(domain=DOMAIN, imap_port=imap_port, smtp_port=smtp_port)
    (folder / "pbem.toml").write_text(text, encoding="utf-8")
    secret = folder / "orders.password"
    secret.touch(mode=0o600)
    secret.write_text(password + "\n", encoding="utf-8")
    given: dict[str, Any] = tomllib.loads(text)
    given["database"] = f"sqlite:///{folder / 'pbem.db'}"
    for section in ("imap", "smtp"):
        given[section]["password_file"] = secret
    return OwnSettings(**given)


async def until_over(
    parish: Parish,
    players: Sequence[Bot | Person],
    progress: Progress,
    turns: int | None,
    patience: float = STALLED,
) -> None:
    """Run the daemon and the players until the game is over, or `turns` have been played, or a person leaves.
    Ctrl-C ends it too.

    Raises StoreError when nothing happens any more.
    """
    await until_stopped(
        together(
            watch(parish, players, progress, turns, patience),
            parish.daemon.run(),
            *(stay(one) for one in players),
        )
    )
    await parish.daemon.outbox.drain()
    await parish.daemon.close()
    for one in players:
        await one.correspondent.fetch()  # the last mails, which are to be kept too


async def stay(player: Bot | Person) -> None:
    """Attend to mail as it comes."""
    while True:
        if not await player.attend():
            await player.correspondent.mailbox.wait(STALLED)


async def watch(
    parish: Parish, players: Sequence[Bot | Person], progress: Progress, turns: int | None, patience: float
) -> None:
    """Show how the game goes, and end when it has ended and everybody has been told."""
    clock = asyncio.get_running_loop().time
    latest, since = 0, clock()
    while True:
        with parish.store.reading() as tx:
            game = tx.game(parish.game.id)
            waiting = tx.next_sending()
            progress.show(tx, game, parish.mails)
        if turns is not None and game.turn > turns:
            return
        if game.status == "over" and waiting is None:
            return
        if any(isinstance(one, Person) and one.left for one in players):
            return
        if game.version != latest:
            latest, since = game.version, clock()
        if clock() - since > patience:
            raise StoreError(f"nothing has happened for {patience:.0f} seconds; look into {parish.directory}")
        await asyncio.sleep(POLL_SECONDS)


def over(parish: Parish) -> bool:
    with parish.store.reading() as tx:
        return tx.game(parish.game.id).status == "over"


def finished(parish: Parish) -> int:
    """Tell how the game ended and where everything lies; 0 when it replays to the same end."""
    verdict = verify(parish.store, parish.game.code)
    with parish.store.reading() as tx:
        game = tx.game(parish.game.id)
        seats = tx.seats(game.id)
    latest = parish.players[0].latest
    tell_end(game, seats, latest.text if latest else "", verdict, parish.mails, parish.directory)
    return 0 if verdict.agrees else 1
