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
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from pbem.config import Settings
from pbem.errors import ConfigError, MailError, PbemError, StoreError, Transient
from pbem.mail.handling.pipeline import handle
from pbem.mail.reading.values import Fetched
from pbem.mail.wire.imap import Mailbox
from pbem.mail.wire.smtp import OwnFault
from pbem.play.advance import tell_moderator
from pbem.play.table import UnitOfWork
from pbem.server.clock import once_a_day, run_deadlines
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
        #: Whether all that lay in the inbox has been handled, so that deadlines may pass.
        self.mail_read = False
        self._forgot_at: datetime | None = None
        #: Set when there may be something new in the outbox.
        self.mailed = asyncio.Event()

    async def collect(self) -> None:
        """Handle every mail in the inbox, and put it away."""
        self.mail_read = False
        if not self.mailbox.connected:
            await self.mailbox.connect()
        put_away: set[tuple[int, int]] = set()
        while mails := await self.mailbox.new():
            # Crash point 1: fetched, nothing recorded. The mail is still in the inbox and is fetched again.
            if put_away.issuperset((mail.uidvalidity, mail.uid) for mail in mails):
                raise Transient(f"{self.settings.imap.host} says it moved mail that is still in the inbox")
            places: dict[str, list[int]] = {}
            for mail in mails:
                places.setdefault(self.take(mail), []).append(mail.uid)
                put_away.add((mail.uidvalidity, mail.uid))
                self.mailed.set()
                await asyncio.sleep(0)  # let the outbox have its turn
            # Crash point 3: all is committed, nothing is put away. Each mail is recognised by its UID.
            for folder, uids in places.items():
                await self.mailbox.done(uids, folder)
                # Crash point 4: put away, or half of it. What is left is recognised; what is moved is done with.
        self.mail_read = True

    def take(self, mail: Fetched) -> str:
        """Handle one mail in one transaction; the folder it belongs into then."""
        imap = self.settings.imap
        if mail.raw is None:
            log.warning("the mail server cannot hand out mail %d; it is put into %s", mail.uid, imap.quarantine)
            return imap.quarantine
        disposition = handle(self.store, self.settings, mail, self.now())
        # Crash point 2: committed (the mail, the new version, the deadline and the answers), or not at all.
        self.handled += 1
        return imap.quarantine if disposition == "quarantined" else imap.processed

    async def keep_time(self) -> None:
        """Do what is due by the clock: deadlines, unless orders may lie unread, and forgetting old mail."""
        now = self.now()
        if self.mail_read:
            run_deadlines(self.store, self.settings, now)
        if self._forgot_at and now - self._forgot_at < timedelta(days=1):
            return
        self._forgot_at = now
        days = self.settings.mail.retention_days
        with self.store.transaction() as tx:
            if once_a_day(tx, "old_mail_forgotten_at", now) and (count := tx.forget_mails(now - timedelta(days=days))):
                log.info("forgot %d mails older than %d days", count, days)

    async def send(self) -> None:
        """Send what is due; when our own login is refused the moderator finds a notice once it is repaired."""
        try:
            await self.outbox.drain()
        except OwnFault as error:
            with self.store.transaction() as tx:
                if once_a_day(tx, "own_fault_told_at", self.now()):
                    tell_moderator(UnitOfWork(tx, self.settings, self.now()), "own_fault", {"error": str(error)})
            raise

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
        try:
            for connect in (self.mailbox.connect, self.outbox.sender.connect):
                try:
                    await connect()
                except Transient as error:
                    log.warning("%s; trying again", error)
            notify("READY=1")
            await together(self.persist(self.handle_mail), self.persist(self.do_what_is_due))
        finally:
            notify("STOPPING=1")
            await self.close()

    async def handle_mail(self) -> None:
        """Handle the mail that has arrived, and wait for more."""
        await self.collect()
        await self.mailbox.wait(LONGEST_WAIT)

    async def do_what_is_due(self) -> None:
        """Keep the deadlines and send mail, and wait until something falls due."""
        self.mailed.clear()
        await self.keep_time()
        await self.send()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.seconds_to_next()):
                await self.mailed.wait()

    def seconds_to_next(self) -> float:
        """How long nothing will be due, as far as we know."""
        with self.store.reading() as tx:
            times = [at for at in (tx.next_sending(), tx.next_deadline()) if at is not None]
        seconds = min(((at - self.now()).total_seconds() for at in times), default=POLL_SECONDS)
        return max(0.0, min(seconds, POLL_SECONDS))

    async def persist(self, step: Callable[[], Awaitable[None]]) -> None:
        """Do a step again and again; when it fails wait, longer each time, and go on."""
        shortest, longest = RETRY_SECONDS
        wait, said = shortest, ""
        while True:
            try:
                await step()
                wait, said = shortest, ""
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
    """Do the work; SIGTERM and SIGINT end it between two steps, with connections closed."""
    stopped, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    await together(work, stopped.wait())


def notify(state: str) -> None:
    """Tell systemd how the service is doing (sd_notify(3)), such as `READY=1`; without systemd it does nothing."""
    path = os.environ.get("NOTIFY_SOCKET")
    if not path:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.connect("\0" + path[1:] if path.startswith("@") else path)
        server.send(state.encode())
