"""`pbem demo` and `pbem play`: a whole game by real mail, on an IMAP and an SMTP server in this process.

The server is the same daemon as `pbem run`. Every player is a mail user: they read their reports from their own
mailbox over IMAP and answer by SMTP; nothing passes between players and server in any other way.
"""

import asyncio
import random
import secrets
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from pbem.config import Settings
from pbem.config import load as load_settings
from pbem.demo.client import HABITS, Bot, MailClient, Received
from pbem.demo.terminal import Person
from pbem.errors import ConfigError, StoreError
from pbem.moderator import actions
from pbem.moderator.inspect import summary
from pbem.moderator.moderator import Moderator
from pbem.moderator.players import SeatSpec
from pbem.play.letters import happening, places
from pbem.play.simulate import stream
from pbem.play.table import UnitOfWork, load, rules_of
from pbem.play.verify import verify
from pbem.protocol import seats_for
from pbem.reports.contexts import scores
from pbem.reports.layout import finish
from pbem.reports.render import environment
from pbem.server.daemon import Daemon, together, until_stopped
from pbem.store import Game, Store, Tx

if TYPE_CHECKING:
    from pbem.demo.servers import PostOffice

#: Who sits down first; whoever comes after them is `Player9` and so on.
NAMES = ("Rosie", "Havelock", "Sybil", "Wallace", "Cheery", "Rufus", "Agnes", "Mort")
DOMAIN = "play.test"
#: Seconds without a new version after which something must be wrong.
STALLED = 60.0
#: Events that stay on the display.
SHOWN = 8
#: How often the game is looked at for the display and the end.
POLL_SECONDS = 0.1

CONFIGURATION = """\
# Written by pbem demo. The mail servers lived in that process only; `pbem verify` and `pbem admin` work.
database = "sqlite:///pbem.db"
mail = {{ address = "orders@{domain}", moderator = "moderator@{domain}", plus_addressing = true, answers_per_hour = 10000 }}
imap = {{ host = "127.0.0.1", port = {imap_port}, tls = false, user = "orders", password_file = "orders.password" }}
smtp = {{ host = "127.0.0.1", port = {smtp_port}, tls = "none", user = "orders", password_file = "orders.password" }}
"""


@dataclass(frozen=True, slots=True)
class Setup:
    """A server, the players who write to it, and where everything is kept."""

    daemon: Daemon
    store: Store
    game: Game
    players: Sequence[MailClient]
    directory: Path
    seed: int

    @property
    def mails(self) -> tuple[int, int]:
        """Mails that the server has received and sent."""
        return self.daemon.handled, self.daemon.outbox.sent


class Progress:
    """A display that follows a game; it shows what everybody at the table may know."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=SHOWN)
        self._last = 0
        self.display = Live(console=Console(), transient=True, auto_refresh=False)

    def show(self, tx: Tx, game: Game, mails: tuple[int, int]) -> None:
        """Show the game as it now stands."""
        if events := tx.events(game.id, after=self._last):
            self._last = events[-1].sequence
            seen = tuple(happening(event, event.turn, event.actor, None) for event in events)
            self._lines.extend(story(game.game_type, "happenings.j2", events=seen).splitlines())
        stands = summary(tx, game)
        asked = [f"{seat.name} ({seat.colour})" for seat in stands.seats if seat.colour in stands.waiting]
        whose = ", ".join(asked) or "nobody"
        head = f"turn {game.turn}, {whose} to move; {mails[0]} mails in, {mails[1]} out"
        self.display.update(Text("\n".join((head, *self._lines))), refresh=True)


def demo(
    game_type: str,
    players: int | None = None,
    seed: int | None = None,
    directory: Path | None = None,
    turns: int | None = None,
    quiet: bool = False,
    ask: Callable[[Received], Awaitable[str]] | None = None,
) -> int:
    """Let bots play a game by mail; 0 when it came to its end and replays to the same end.

    `ask`, where it is given, plays the first seat: it gets a mail and gives the text of the person's answer. A game that
    was left in `directory` goes on then.
    """

    async def work() -> int:
        left = directory if ask and directory and (directory / "pbem.db").exists() else None
        async with going_on(left) if left else set_up(game_type, players, seed, directory) as setup:
            seats: list[Bot | Person] = [
                Bot(client, random.Random(stream(setup.seed, "orders", seat)))
                for seat, client in enumerate(setup.players)
            ]
            if ask:
                seats[0] = Person(setup.players[0], ask)
            progress = None if quiet else Progress()
            with progress.display if progress else nullcontext():
                await until_over(setup, seats, progress, turns)
            return finished(setup, playing=ask is not None)

    return asyncio.run(work())


@asynccontextmanager
async def set_up(game_type: str, players: int | None, seed: int | None, directory: Path | None) -> AsyncIterator[Setup]:
    """Open the mail servers and start a game. Raises ConfigError when the servers of the demo are not installed, the
    folder is not empty, or the game is not for so many."""
    from pbem.demo.servers import post_office  # an extra that nothing else needs

    count = seats_for(rules_of(game_type), players)
    names = [*NAMES, *(f"Player{number}" for number in range(len(NAMES) + 1, count + 1))][:count]
    folder = empty_folder(directory)
    seed = secrets.randbits(32) if seed is None else seed
    users = passwords(names)
    async with AsyncExitStack() as stack:
        office = await stack.enter_async_context(post_office(users))
        settings = configured(folder, office.imap_port, office.smtp_port, users["orders"])
        store = stack.enter_context(Store(settings.database).create())
        moderator = Moderator(store, settings)
        specs = [SeatSpec(name, f"{name.lower()}@{DOMAIN}") for name in names]
        game = actions.new_game(moderator, "A game by mail", specs, game_type=game_type, seed=stream(seed, "game", 0))
        game = actions.start(moderator, game.code)
        clients = seated_clients(stack, office, settings, folder, names)
        yield Setup(Daemon(settings, store), store, game, clients, folder, seed)


@asynccontextmanager
async def going_on(folder: Path) -> AsyncIterator[Setup]:
    """Open the mail servers anew for the game in a folder, and send everybody their report again: their mailboxes are gone.
    Raises ConfigError when no game there can go on."""
    from pbem.demo.servers import post_office

    folder = folder.absolute()
    with Store(load_settings(folder / "pbem.toml", environment=False).database).open() as store:
        with store.reading() as tx:
            games = tx.games("running")
            if not games:
                raise ConfigError(f"{folder} holds no game that goes on; name a new folder")
            game, names = games[0], [seat.name for seat in tx.seats(games[0].id)]
        users = passwords(names)
        async with AsyncExitStack() as stack:
            office = await stack.enter_async_context(post_office(users))
            settings = configured(folder, office.imap_port, office.smtp_port, users["orders"])
            moderator = Moderator(store, settings)
            for colour in rules_of(game.game_type).colours[: len(names)]:
                actions.resend(moderator, game.code, colour)
            clients = seated_clients(stack, office, settings, folder, names)
            yield Setup(Daemon(settings, store), store, game, clients, folder, secrets.randbits(32))


def passwords(names: Sequence[str]) -> dict[str, str]:
    """The users of the mail servers: the game, its moderator and the players."""
    return {name.lower(): secrets.token_urlsafe(16) for name in ("orders", "moderator", *names)}


def seated_clients(
    stack: AsyncExitStack, office: "PostOffice", settings: Settings, folder: Path, names: Sequence[str]
) -> list[MailClient]:
    """The mail programs of the players, each with a habit of its own; they are closed with `stack`."""
    markers = (settings.mail.begin_marker, settings.mail.end_marker)
    clients = []
    for name, habit in zip(names, cycle(HABITS), strict=False):
        user = name.lower()
        place, imap, smtp = folder / "mail" / user, office.imap(user), office.smtp(user)
        clients.append(MailClient(name, f"{user}@{DOMAIN}", imap, smtp, place, habit, markers))
        stack.push_async_callback(clients[-1].close)
    return clients


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
    secret, path = folder / "orders.password", folder / "pbem.toml"
    secret.touch(mode=0o600)
    secret.write_text(password + "\n", encoding="utf-8")
    text = CONFIGURATION.format(domain=DOMAIN, imap_port=imap_port, smtp_port=smtp_port)
    path.write_text(text, encoding="utf-8")
    return load_settings(path, environment=False)


async def until_over(
    setup: Setup, players: Sequence[Bot | Person], progress: Progress | None, turns: int | None
) -> None:
    """Run the daemon and the players until the game is over, or `turns` have been played, or a person leaves. Ctrl-C ends
    it too. Raises StoreError when nothing happens any more for `STALLED` seconds, while no person is asked."""

    async def watch() -> None:
        clock = asyncio.get_running_loop().time
        latest, since = 0, clock()
        while True:
            with setup.store.reading() as tx:
                game, waiting = tx.game(setup.game.id), tx.next_sending()
                if progress:
                    progress.show(tx, game, setup.mails)
            everybody_told = game.status == "over" and waiting is None
            left = any(isinstance(player, Person) and player.left for player in players)
            if everybody_told or left or (turns is not None and game.turn > turns):
                return
            asked = any(isinstance(player, Person) and player.asked for player in players)
            if game.version != latest or asked:
                latest, since = game.version, clock()
            if clock() - since > STALLED:
                raise StoreError(f"nothing has happened for {STALLED:.0f} seconds; look into {setup.directory}")
            await asyncio.sleep(POLL_SECONDS)

    async def stay(player: Bot | Person) -> None:
        while True:
            if not await player.attend():
                await player.client.mailbox.wait(player.patience)

    await until_stopped(together(watch(), setup.daemon.run(), *map(stay, players)))
    await setup.daemon.outbox.drain()
    await setup.daemon.close()
    for player in players:
        await player.client.fetch()  # the last mails, which are to be kept too


def finished(setup: Setup, *, playing: bool) -> int:
    """Tell how the game ended and where everything lies; 0 when it replays to the same end, or when whoever was playing
    has left before."""
    console = Console(markup=False, highlight=False, soft_wrap=True)
    with setup.store.reading() as tx:
        table = load(UnitOfWork(tx, setup.daemon.settings, setup.daemon.now()), setup.game.id)
    if playing and not table.over:
        console.print(f"\nYou left {table.game.code}. Its database and your mails lie in {setup.directory}")
        console.print(f"pbem play --dir {setup.directory}    goes on where you left")
        return 0
    comparison = verify(setup.store, table.game.code)
    if result := table.match.result:
        known = {"reason": result.reason, "scores": scores(result, places(table.seats)), "view": table.match.view(None)}
        console.print(story(table.game.game_type, "ended.j2", **known))
    else:
        console.print(f"Stopped in turn {table.game.turn}, before the end.")
    console.print(f"Mails: {setup.mails[0]} in, {setup.mails[1]} out. {comparison.sentence}")
    look = "pbem replay" if result else "pbem admin show"
    console.print(f"Everything lies in {setup.directory}:")
    console.print(f"  pbem.db and pbem.toml    the database; try `{look} {table.game.code}` there")
    for seat in table.seats:
        console.print(f"  mail/{seat.name.lower()}    {seat.colour}'s mails, as Maildir/ and as text/")
    return 0 if comparison.agrees else 1


def story(game_type: str, template: str, **known: Any) -> str:
    """A part of the game's mails, by itself, for somebody who sits at no seat."""
    text = environment(game_type, "text").from_string(
        f'{{% import "format.j2" as f %}}{{% import "words.j2" as w %}}{{% include "{template}" %}}'
    )
    return finish(text.render(m=known | {"colour": None}))
