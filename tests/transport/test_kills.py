"""`pbem run` and `pbem run --once` killed again and again while people play: nothing is lost, nothing done twice.

Every process dies by SIGKILL: at a point between fetch and send (`servers.points`), which it passes for the first
time or a later one, or at a random moment. `KILLS=300 pytest tests/transport/test_kills.py` says how often, for
each kind of mail server; without it each point is met once, and a few random moments. With `-o log_cli=true
-o log_cli_level=INFO` it says what died where.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from servers.carrier import Carrier, carrier
from servers.dovecot import PASSWORD, Dovecot
from servers.points import NUMBERED, POINTS
from servers.starter import Starter, starter
from servers.table import GAME, GameTable, game_table, mail_user, write_configuration

from pbem.config import Imap
from pbem.demo.client import Bot, MailClient
from pbem.demo.servers import post_office
from pbem.errors import Transient
from pbem.mail.wire.imap import Mailbox
from pbem.moderator import actions
from pbem.moderator.moderator import Moderator
from pbem.moderator.players import SeatSpec
from pbem.play.verify import verify

log = logging.getLogger(__name__)

KILLS = int(os.environ.get("KILLS", "0")) or len(POINTS) + 5
NAMES = ("Ann", "Bob")
RANDOM = "a random moment"
#: Longest life of a process that never passes its point, measured in good passes; and the longest of those that
#: die at a random moment, for `run` and for `run --once`.
LONGEST, RUN, ONCE = 8.0, 3.0, 1.2

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120 + 4 * KILLS)]


@dataclass(frozen=True, slots=True)
class Post:
    """Mailboxes on an IMAP server, and the way of all mail into them."""

    imap: Callable[[str], Imap]
    carrier: Carrier


@pytest.fixture(params=["embedded", pytest.param("dovecot", marks=pytest.mark.dovecot)])
async def post(request: pytest.FixtureRequest) -> AsyncIterator[Post]:
    """The same mailboxes on each kind of server."""
    async with AsyncExitStack() as stack:
        if request.param == "dovecot":
            dovecot: Dovecot = request.getfixturevalue("dovecot")
            yield Post(dovecot.imap, await stack.enter_async_context(carrier(dovecot.bring)))
        else:
            users = dict.fromkeys(("orders", "ann", "bob", "mod"), PASSWORD)
            office = await stack.enter_async_context(post_office(users))
            yield Post(office.imap, await stack.enter_async_context(carrier(office.deliver)))


class Executioner:
    """Starts a process and kills it, again and again."""

    def __init__(self, starter: Starter, folder: Path, chance: random.Random) -> None:
        self.starter = starter
        self.chance = chance
        self.config = ("--config", str(folder / "pbem.toml"))
        #: Seconds that a pass takes on this machine, as it is now.
        self.pace = 1.0
        #: Where processes have died, and how often.
        self.deaths: Counter[str] = Counter()

    async def kill(self, point: str) -> None:
        """Let a process die at this point; one that ends before it gets there does not count."""
        once = self.chance.random() < 0.5
        later = (1, 1, 1, 2) if point in NUMBERED else (1, 4, 16, 64)
        passes = 1 if point not in self.deaths else self.chance.choice(later)
        command = ("run", "--once") if once else ("run",)
        armed = "" if point == RANDOM else point
        await self.starter.start(*command, *self.config, point=armed, passes=passes)
        ending = asyncio.ensure_future(self.starter.wait())
        life = self.chance.uniform(0.0, ONCE if once else RUN) if point == RANDOM else LONGEST
        done, _ = await asyncio.wait({ending}, timeout=life * self.pace)
        if not done:
            point = RANDOM
            self.starter.send_signal(signal.SIGKILL)
        status = await ending
        assert status in (0, -signal.SIGKILL), self.starter.log.read_text()
        if status == -signal.SIGKILL:
            self.deaths[point] += 1

    async def kill_each(self) -> None:
        """Let a process die at each point."""
        for point in POINTS:
            while point not in self.deaths:
                await self.kill(point)

    async def kill_often(self, times: int) -> None:
        """Kill until so many processes are dead, a third of them at random moments."""
        points = [*POINTS, *[RANDOM] * (len(POINTS) // 2)]
        while self.deaths.total() < times:
            await self.kill(self.chance.choice(points))

    async def one_good_pass(self) -> None:
        """Let a process do its work; how long that takes sets the pace of the others."""
        began = asyncio.get_running_loop().time()
        await self.starter.start("run", "--once", *self.config)
        assert await self.starter.wait() == 0, self.starter.log.read_text()
        self.pace = asyncio.get_running_loop().time() - began


async def play_on(table: GameTable, bots: Sequence[Bot]) -> None:
    """Answer every mail, and begin another game when one is over."""
    await asyncio.gather(new_games(table), *(stubborn(bot) for bot in bots))


async def stubborn(bot: Bot) -> None:
    """Attend to mail for ever."""
    while True:
        with suppress(Transient):
            if not await bot.attend():
                await bot.client.mailbox.wait(5)


async def new_games(table: GameTable) -> None:
    """Keep a game going."""
    while True:
        with table.store.reading() as tx:
            going = tx.games("running")
        if not going:
            players = [SeatSpec(name, f"{name.lower()}@play.test") for name in NAMES]
            moderator = Moderator(table.store, table.settings)
            game = actions.new_game(moderator, "Another night", players, game_type="ankh_morpork")
            actions.start(moderator, game.code)
        await asyncio.sleep(0.2)


@pytest.fixture
def table(post: Post, tmp_path: Path) -> Iterator[GameTable]:
    """A game of Ann and Bob, and the configuration that `pbem run` reads."""
    imap = post.imap("orders")
    with game_table(tmp_path, imap, post.carrier.smtp, NAMES) as table:
        write_configuration(tmp_path, imap.port, post.carrier.port, PASSWORD)
        yield table


@pytest.fixture
async def bots(post: Post, tmp_path: Path) -> AsyncIterator[list[Bot]]:
    """Who plays; they look for mail every moment, rather than wait for the server's word."""
    people = [
        mail_user(
            name,
            post.imap(name.lower()).model_copy(update={"idle": False, "poll_seconds": 0.05}),
            post.carrier.smtp,
            tmp_path,
        )
        for name in NAMES
    ]
    yield [Bot(one, random.Random(number)) for number, one in enumerate(people)]
    for person in people:
        await person.close()


async def test_killed_anywhere_it_does_everything_once(
    post: Post, table: GameTable, bots: list[Bot], tmp_path: Path
) -> None:
    async with starter(tmp_path / "log") as server:
        executioner = Executioner(server, tmp_path, random.Random(2026))
        await executioner.one_good_pass()
        playing = asyncio.create_task(play_on(table, bots))
        await executioner.kill_each()
        await executioner.kill_often(KILLS)
        await ended(playing)
        await executioner.one_good_pass()
    log.info("%d kills, %d orders: %s", KILLS, written(bots), dict(executioner.deaths))
    await everything_was_done_once(post, table, [bot.client for bot in bots])


async def test_two_at_once_killed_anywhere_do_everything_once(
    post: Post, table: GameTable, bots: list[Bot], tmp_path: Path
) -> None:
    async with starter(tmp_path / "log") as server, starter(tmp_path / "other-log") as other:
        both = [Executioner(each, tmp_path, random.Random(str(each.log))) for each in (server, other)]
        await asyncio.gather(*(each.one_good_pass() for each in both))
        playing = asyncio.create_task(play_on(table, bots))
        await asyncio.gather(*(each.kill_often(KILLS // 6) for each in both))
        await ended(playing)
        await both[0].one_good_pass()
    deaths = both[0].deaths + both[1].deaths
    log.info("%d kills of two, %d orders: %s", deaths.total(), written(bots), dict(deaths))
    await everything_was_done_once(post, table, [bot.client for bot in bots])


async def ended(playing: asyncio.Task[None]) -> None:
    """Stop playing; fail if something else stopped it before."""
    assert not playing.done(), playing.exception()
    while not playing.done():
        # More than once, as in `pbem.server.daemon.together`.
        playing.cancel()
        await asyncio.wait({playing}, timeout=0.5)


def written(bots: Sequence[Bot]) -> int:
    """How many mails the players have written."""
    return sum(bot.client.sent for bot in bots)


async def everything_was_done_once(post: Post, table: GameTable, people: Sequence[MailClient]) -> None:
    """What must hold when the last process has ended."""
    with table.store.reading() as tx:
        received = tx.received(limit=100_000)
        ours = {mail.message_id: mail for mail in tx.sent(limit=100_000)}
        games = tx.games()
        versions = [version for game in games for version in tx.versions(game.id)]
        answered = tx.connection.exec_driver_sql("SELECT game_id, seat, version FROM ask WHERE answer IS NOT NULL")
        to_a_group = {tuple(row) for row in answered}

    # Each order: received under its name, carried out once or answered, and in no version twice.
    ordered = {mail.message_id for mail in post.carrier.carried if mail.recipient.startswith("orders")}
    handled = Counter(mail.message_id for mail in received if mail.disposition != "duplicate")
    assert handled == dict.fromkeys(ordered, 1)
    assert [mail.error for mail in received if mail.disposition == "quarantined"] == []
    assert {mail.disposition for mail in received} <= {"applied", "answered", "refused", "duplicate"}
    caused = Counter(version.inbound_id for version in versions if version.inbound_id is not None)
    applied = [mail for mail in received if mail.disposition == "applied"]
    assert set(caused.values()) == {1}
    assert caused.keys() <= {mail.id for mail in applied}
    # An answer to what others were asked as well is kept with its question until all have answered.
    assert {(mail.game_id, mail.seat, mail.version) for mail in applied if mail.id not in caused} <= to_a_group
    for game in games:
        verdict = verify(table.store, game.code)
        assert verdict.agrees, verdict.sentence

    # Each report: sent, always the same bytes under its Message-ID, and nothing that is not in the outbox.
    reports = {(mail.message_id, mail.recipient, mail.digest) for mail in post.carrier.carried if mail.sender == GAME}
    assert (table.unsent, table.failed) == ([], [])
    assert sorted((message, who) for message, who, _ in reports) == sorted(
        (message, mail.recipient) for message, mail in ours.items()
    )

    # No mail lies unread, or read and unhandled.
    assert await lying(post, "INBOX") == (0, 0)
    put_away, unread = await lying(post, "Processed")
    # Two that move the same mail at once may leave two copies.
    assert put_away >= len(ordered)
    assert unread == 0


async def lying(post: Post, folder: str) -> tuple[int, int]:
    """How many mails lie in a folder of the game's mailbox, and how many of them are unread."""
    box = Mailbox(post.imap("orders").model_copy(update={"inbox": folder}), max_bytes=1)
    await box.connect()
    answer = await box._live().uid_search("UNSEEN", charset=None)
    await box.close()
    return box.exists, len(answer.lines[0].split())
