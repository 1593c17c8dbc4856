"""The daemon: new mail, the clock and the outbox; one pass over them (`run --once`), or for ever.

What makes it safe to stop anywhere, and to run twice at once, is the order of things: a mail is fetched and
left where it is; all that follows from it is committed as one; only then is it marked and moved. The crash
points are numbered where they lie, 1 to 4 here and 5 to 7 in `pbem.server.outbox`.
"""

import asyncio
import gc
import logging
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Literal

from pbem.config import Settings
from pbem.errors import ConfigError, MailError, PbemError, Permanent, StoreError, Transient
from pbem.mail.handling.pipeline import handle
from pbem.mail.reading.values import Fetched
from pbem.mail.wire.imap import Mailbox
from pbem.mail.wire.smtp import OwnFault, Unreachable
from pbem.play.advance import tell_moderator
from pbem.play.table import UnitOfWork, rules_of
from pbem.reports.render import compile_all
from pbem.server.clock import make_good, run_deadlines
from pbem.server.outbox import Outbox
from pbem.store import Store

log = logging.getLogger(__name__)

#: Longest wait for new mail before the inbox is looked at anyway.
LONGEST_WAIT = 600.0
#: How often the outbox is looked at for what other programs (`pbem admin`) put there.
POLL_SECONDS = 5.0
#: Seconds between attempts to reach a mail server: doubled each time, from the first to the second.
RETRY_SECONDS = (1.0, 300.0)
UTC_NOW = partial(datetime.now, UTC)


class Daemon:
    """What a server does, one step at a time."""

    def __init__(self, settings: Settings, store: Store, now: Callable[[], datetime] = UTC_NOW) -> None:
        self.settings = settings
        self.store = store
        self.now = now
        self.mailbox = Mailbox(settings.imap, settings.mail.max_bytes)
        self.outbox = Outbox(settings, store, now)
        #: Mails handled so far.
        self.handled = 0
        #: Whether all that lay in the inbox has been handled, so that deadlines may pass, and as of when.
        self.mail_read = False
        self.read_at = now()
        #: Set when the inbox is to be looked at though the server has told of no mail.
        self.look = asyncio.Event()
        self._forgot_at: datetime | None = None
        self._prepared = False
        #: Set when there may be something new in the outbox, or deadlines may pass.
        self.mailed = asyncio.Event()

    async def collect(self) -> None:
        """Handle every mail in the inbox, and put it away."""
        self.mail_read = False
        with self.mailbox_watched():
            if not self.mailbox.connected:
                await self.mailbox.connect()
            put_away: set[int] = set()
            self.look.clear()
            read_at = self.now()
            while mails := await self.mailbox.new():
                # Crash point 1: fetched, nothing recorded. The mail is still in the inbox and is fetched again.
                if put_away.issuperset(hash(mail.raw or mail.uid) for mail in mails):
                    raise Transient(
                        f"{self.settings.imap.host} says it moved mail that is still, or again, in the inbox"
                    )
                places: dict[str, list[int]] = {}
                for mail in mails:
                    places.setdefault(self.take(mail), []).append(mail.uid)
                    put_away.add(hash(mail.raw or mail.uid))
                    self.mailed.set()
                    await asyncio.sleep(0)  # let the outbox have its turn
                # Crash point 3: all is committed, nothing is put away. Each mail is recognised by its UID.
                for folder, uids in places.items():
                    await self.mailbox.done(uids, folder)
                    # Crash point 4: put away, or half of it. What is left is recognised; what is moved is done with.
                read_at = self.now()
        self.mail_read, self.read_at = True, read_at
        self.mailed.set()  # deadlines may pass now

    @contextmanager
    def mailbox_watched(self) -> Iterator[None]:
        """Tell the moderator when the mailbox refuses us."""
        try:
            yield
        except Permanent as error:
            self.tell_of_ourselves("mailbox", error)
            raise

    def take(self, mail: Fetched) -> str:
        """Handle one mail in one transaction; the folder it belongs into then."""
        imap = self.settings.imap
        if mail.raw is None:
            said = f"{imap.host} cannot hand out mail {mail.uid}; it is put into {imap.quarantine}"
            log.warning(said)
            self.tell_of_ourselves("unread", said)
            return imap.quarantine
        self.prepare()
        disposition = handle(self.store, self.settings, mail, self.now())
        # Crash point 2: committed (the mail, the new version, the deadline and the answers), or not at all.
        self.handled += 1
        return imap.quarantine if disposition == "quarantined" else imap.processed

    def prepare(self) -> None:
        """Load, once, what writing mails needs: it takes a second, in which no transaction is to hold up others."""
        if self._prepared:
            return
        self._prepared = True
        with self.store.reading() as tx:
            types = tx.game_types()
        for game_type in types:
            with suppress(PbemError):  # it fails where it is used
                rules_of(game_type)
        for game_type in ("base", *types):
            compile_all(game_type)

    async def keep_time(self) -> None:
        """Do what is due by the clock: deadlines, unless orders may lie unread, and forgetting old mail."""
        now = self.now()
        if self.mail_read:
            with self.store.reading() as tx:
                due = tx.next_deadline()
                asks = tx.due_asks(now) if due and due <= now else ()
            if due and due <= now:
                self.prepare()
            if any(ask.due_at and ask.due_at > self.read_at for ask in asks):
                self.look.set()  # what came in time may lie there, and the server may have forgotten to tell
            else:
                run_deadlines(self.store, self.settings, now)
        if self._forgot_at and now - self._forgot_at < timedelta(days=1):
            return
        self._forgot_at = now
        days = self.settings.mail.retention_days
        with self.store.transaction() as tx:
            if tx.once_a_day("old_mail_forgotten_at", now) and (count := tx.forget_mails(now - timedelta(days=days))):
                log.info("forgot %d mails older than %d days", count, days)

    async def send(self) -> None:
        """Send what is due; when we are refused the moderator finds a notice once that is repaired. No deadline passes
        while no mail can leave."""
        try:
            await self.outbox.drain()
        except (OwnFault, Unreachable, ConfigError) as error:
            self.note_sending(stopped=True)
            if isinstance(error, OwnFault):
                self.tell_of_ourselves("own_fault", error)
            raise
        if self.note_sending(stopped=False) and self.mail_read:
            make_good(self.store, self.settings, self.now())
            await self.outbox.drain()

    def note_sending(self, *, stopped: bool) -> bool:
        """Keep since when no mail can leave; whether that has changed."""
        with self.store.reading() as tx:
            if bool(tx.remembered("sending_stopped_at")) == stopped:
                return False
        with self.store.transaction() as tx:
            tx.remember("sending_stopped_at", self.now().isoformat() if stopped else "")
        return True

    def tell_of_ourselves(self, what: Literal["mailbox", "own_fault", "unread"], error: MailError | str) -> None:
        """Tell the moderator, once a day, that a mail server refuses us, or a mail."""
        self.prepare()
        with self.store.transaction() as tx:
            if tx.once_a_day(f"{what}_told_at", self.now()):
                tell_moderator(UnitOfWork(tx, self.settings, self.now()), what, {"error": str(error)})

    async def one_pass(self) -> None:
        """New mail, the clock, the outbox, once; what fails does not keep the others from being done.

        Raises the first failure at the end.
        """
        failures: list[PbemError] = []
        try:
            for step in (self.collect, self.keep_time, self.send, self.outbox.finish):
                try:
                    await step()
                except (MailError, ConfigError) as error:
                    failures.append(error)
        finally:
            await self.close()
        if failures:
            raise failures[0]

    async def run(self) -> None:
        """Work until cancelled.

        Raises ConfigError or MailError when a login is refused at the start, for then somebody is watching.
        """
        refused: PbemError | None = None
        try:
            for connect in (self.mailbox.connect, self.outbox.sender.connect):
                try:
                    with self.mailbox_watched():
                        await connect()
                except Transient as error:
                    log.warning("%s; trying again", error)
                except (MailError, ConfigError) as error:
                    refused = refused or error
            if refused:
                with suppress(MailError, ConfigError):
                    await self.send()  # the moderator may be told by mail
                raise refused
            self.prepare()
            notify("READY=1")
            await together(
                self.persist(self.collect, self.wait_for_mail),
                self.persist(self.do_what_is_due, self.wait_for_what_is_due),
            )
        finally:
            notify("STOPPING=1")
            await self.close()

    async def wait_for_mail(self) -> None:
        """Wait until there may be new mail, or until it is to be looked for in any case."""
        await together(self.mailbox.wait(LONGEST_WAIT), self.look.wait())

    async def do_what_is_due(self) -> None:
        """Keep the deadlines and send mail."""
        self.mailed.clear()
        await self.keep_time()
        await self.send()

    async def wait_for_what_is_due(self) -> None:
        """Wait until something falls due."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.seconds_to_next()):
                await self.mailed.wait()

    def seconds_to_next(self) -> float:
        """How long nothing more will be due, as far as we know; what is due already was done, or is held."""
        now = self.now()
        with self.store.reading() as tx:
            times = [at for at in (tx.next_sending(), tx.next_deadline()) if at is not None and at > now]
        return min([POLL_SECONDS, *((at - now).total_seconds() for at in times)])

    async def persist(self, step: Callable[[], Awaitable[None]], rest: Callable[[], Awaitable[object]]) -> None:
        """Do a step and rest, again and again; when it fails wait, longer each time until a step succeeds, and go on."""
        shortest, longest = RETRY_SECONDS
        wait, said = shortest, ""
        while True:
            try:
                await step()
                wait, said = shortest, ""
                await rest()
            except (MailError, ConfigError, StoreError) as error:
                if str(error) != said:
                    log.warning("%s; trying again", error)
                    said = str(error)
                await asyncio.sleep(wait)
                wait = min(wait * 2, longest)

    async def close(self) -> None:
        await self.mailbox.close()
        await self.outbox.close()


async def together(*works: Coroutine[Any, Any, object]) -> None:
    """Do several things until one ends or fails; then all end."""
    tasks = {asyncio.create_task(work) for work in works}
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        while tasks:
            # More than once, for `asyncio.wait_for` of Python 3.11, which libraries use, may swallow the first time.
            for task in tasks:
                task.cancel()
            _, tasks = await asyncio.wait(tasks, timeout=0.5)


def opened(settings: Settings) -> Store:
    """The database, upgraded if need be."""
    store = Store(settings.database)
    if backup := store.upgrade():
        log.warning("the database has been upgraded; the old one is %s", backup)
    return store


def run_once(settings: Settings) -> None:
    """One pass over mailbox, clock and outbox. Raises PbemError with one sentence when something could not be done."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    with opened(settings) as store:
        asyncio.run(until_stopped(Daemon(settings, store).one_pass()))


def run_forever(settings: Settings) -> None:
    """Run the daemon until SIGTERM or SIGINT."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    with opened(settings) as store:
        log.info("watching %s on %s; end with Ctrl-C", settings.mail.address, settings.imap.host)
        gc.freeze()  # what is there by now stays; it need not be looked through again and again
        asyncio.run(until_stopped(Daemon(settings, store).run()))


async def until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Do the work; SIGTERM and SIGINT end it between two steps, with connections closed. SIGHUP does not: a terminal that
    is closed is no wish to stop."""
    stopped, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    loop.add_signal_handler(
        signal.SIGHUP, log.info, "SIGHUP changes nothing; a new configuration is read at the next start"
    )
    await together(work, stopped.wait())


def notify(state: str) -> None:
    """Tell systemd how the service is doing (sd_notify(3)), such as `READY=1`; without systemd it does nothing."""
    path = os.environ.get("NOTIFY_SOCKET")
    if not path:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.connect("\0" + path[1:] if path.startswith("@") else path)
        server.send(state.encode())
