"""Send what is due in the outbox: every mail goes out at least once, always with the same Message-ID."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta

from pbem.address import address_key
from pbem.config import Settings
from pbem.errors import MailError, Permanent, StoreError, Transient
from pbem.mail.wire.smtp import OwnFault, Refused, Sender, Unreachable
from pbem.play.advance import tell_moderator
from pbem.play.table import UnitOfWork
from pbem.server.clock import DAILY
from pbem.store import Outbound, OutboundId, Store, Tx

log = logging.getLogger(__name__)

#: Mails taken from the outbox at once, and for how many seconds: those of a process that dies are due again then,
#: or at the next start if no other is sending.
LEASE = 20
LEASE_SECONDS = 120
#: Seconds that one mail may hold up the next; after that it goes on alone, over a connection of its own.
SLOW_SECONDS = 3.0
#: How many mails may be slow at a time.
SLOW = 3
FIRST_RETRY = timedelta(minutes=1)
LONGEST_RETRY = timedelta(hours=4)
#: A mail that was tried so often, which takes five days, is tried daily, as one that is refused (RFC 5321, 4.5.4.1).
OFTEN = 36
#: A mail so old helps nobody any more.
GIVE_UP = timedelta(days=30)


class Outbox:
    """Sends mails over one kept connection."""

    def __init__(self, settings: Settings, store: Store, now: Callable[[], datetime]) -> None:
        self.settings = settings
        self.store = store
        self.now = now
        #: Mails sent so far.
        self.sent = 0
        #: What was remembered of the server's letters.
        self._smtputf8: bool | None = None
        #: Connected before the first mail, or with it.
        self.sender = self._new_sender()
        #: Mails that are slow, each on its way over a connection of its own, and to whom they go.
        self._slow: dict[asyncio.Task[bool], str] = {}
        #: Mails that wait for a slow one to the same address, and that address.
        self._behind: dict[OutboundId, str] = {}
        #: Mails that were refused alike, one behind the other, since one was taken, and the status that all had.
        self._refused: list[Outbound] = []
        self._status = ""
        #: Mails that were taken by the server, which is not written down yet.
        self._taken: list[OutboundId] = []
        #: What is held while mails may be leased.
        self._sending: ExitStack | None = None

    def _new_sender(self) -> Sender:
        return Sender(self.settings.smtp, self.settings.mail.address)

    async def drain(self) -> None:
        """Send everything that is due; what turns out slow may still be under way afterwards.

        Raises Unreachable or OwnFault when no mail can leave; nothing is lost, and no mail has failed by it.
        """
        if self._sending is None:
            sending = ExitStack()
            sending.enter_context(self.store.sending())
            self._sending = sending
        self._end_slow()
        try:
            while rows := self._lease():
                await self._send_all(rows)
        finally:
            self._write_down()

    async def finish(self) -> None:
        """Wait for what is still under way, and send what waited for it."""
        while self._slow:
            await asyncio.wait(self._slow, return_when=asyncio.FIRST_COMPLETED)
            await self.drain()

    def _lease(self) -> tuple[Outbound, ...]:
        """The next mails to send; those sent before are written down in the same transaction."""
        now = self.now()
        if not self._taken:
            with self.store.reading() as tx:
                due = tx.next_sending()
            if due is None or due > now:
                return ()
        with self._noting() as tx:
            if self._taken:
                tx.mark_sent(self._taken, now)
                self._note_letters(tx)
            rows = tx.lease(now, LEASE, LEASE_SECONDS)
        self._taken.clear()
        return rows

    @contextmanager
    def _noting(self) -> Iterator[Tx]:
        """A transaction. In a database that took the place of the one the mails are of, their numbers mean others."""
        try:
            with self.store.transaction() as tx:
                yield tx
        except StoreError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                self._taken.clear()
            raise

    def _write_down(self) -> None:
        """Mark the mails that were taken, all in one transaction."""
        if self._taken:
            with self._noting() as tx:
                tx.mark_sent(self._taken, self.now())
                self._note_letters(tx)
            self._taken.clear()

    def _note_letters(self, tx: Tx) -> None:
        """Remember whether the server writes to addresses of any alphabet: whoever gives one is told at once."""
        if self.sender.connected and self.sender.smtputf8 != self._smtputf8:
            self._smtputf8 = self.sender.smtputf8
            tx.remember("smtputf8", "yes" if self._smtputf8 else "no")

    async def _send_all(self, rows: Iterable[Outbound]) -> None:
        left, task = list(rows), None
        until = asyncio.get_running_loop().time() + LEASE_SECONDS / 2
        try:
            while left and asyncio.get_running_loop().time() < until:
                self._end_slow()
                row = left[0]
                if row.recipient in self._slow.values():
                    # It would be as slow as the one before it.
                    self._retry_or_give_up(row, Transient("an earlier mail to this address is still on its way"))
                    self._behind[row.id] = row.recipient
                    left.pop(0)
                    continue
                if not self.sender.connected:
                    await self.sender.connect()
                task = asyncio.create_task(self._send(self.sender, row))
                await asyncio.wait({task}, timeout=SLOW_SECONDS)
                if not task.done():
                    self._write_down()
                while len(self._slow) >= SLOW and not task.done():
                    await asyncio.wait({task, *self._slow}, return_when=asyncio.FIRST_COMPLETED)
                    self._end_slow()
                if task.done():
                    task.result()
                else:
                    # A slow recipient does not hold the others.
                    self._slow[task] = row.recipient
                    self.sender = self._new_sender()
                left.pop(0)
        finally:
            if task is not None and task not in self._slow:
                task.cancel()
            if left:
                # What was not tried is due again at once.
                with self.store.transaction() as tx:
                    tx.release(row.id for row in left)

    def _end_slow(self) -> None:
        """Take leave of slow mails that have come to an end; those behind one that was sent are due at once."""
        for task in [task for task in self._slow if task.done()]:
            address = self._slow.pop(task)
            behind = [mail for mail, to in self._behind.items() if to == address]
            for mail in behind:
                del self._behind[mail]
            if task.result() and behind:
                with self.store.transaction() as tx:
                    tx.make_due(behind, self.now())

    async def _send(self, sender: Sender, row: Outbound) -> bool:
        """Send one mail and write down what came of it; whether it was sent."""
        try:
            # Crash point 5: leased, not sent. The lease runs out, and the mail is due again.
            await sender.send(row.recipient, row.raw)
        except MailError as error:
            if sender is self.sender and isinstance(error, Unreachable | OwnFault):
                raise
            self._retry_or_give_up(row, error)
            if isinstance(error, Refused):
                self._look_at_ourselves(row, error)
        except asyncio.CancelledError:
            # It may have been sent; it is sent again at the next start, with the same Message-ID.
            with self.store.transaction() as tx:
                tx.release([row.id])
            raise
        else:
            # Crash point 6: sent, not marked. It is sent again with the same Message-ID, and seen as one.
            self._taken.append(row.id)
            self._refused.clear()
            self.sent += 1
            if sender is not self.sender:
                self._write_down()
            # Crash point 7: sent and marked, with the others of its lease. Nothing is left to do.
            return True
        finally:
            if sender is not self.sender:
                await sender.close()
        return False

    def _retry_or_give_up(self, row: Outbound, error: MailError) -> None:
        """A mail was not taken: it is tried again, later each time, and daily when it is refused. Only one that nobody can
        ever receive, or that is too old, is given up. The moderator is told."""
        now = self.now()
        hopeless = isinstance(error, Permanent)
        given_up = hopeless or now - row.created_at > GIVE_UP
        daily = isinstance(error, Refused) or row.attempts >= OFTEN
        with self.store.transaction() as tx:
            if given_up:
                log.warning("mail %d cannot be delivered; `pbem admin mail` says why", row.id)
                tx.mark_failed(row.id, str(error))
            else:
                wait = DAILY if daily else min(FIRST_RETRY * 2 ** (row.attempts - 1), LONGEST_RETRY)
                log.info("mail %d is tried again in %s", row.id, wait)
                tx.mark_retry(row.id, str(error), now + wait)
            if hopeless:
                tx.mark_bouncing(row.recipient, str(error), now)
            if row.recipient == self.settings.mail.moderator:
                if given_up or daily:  # a mail about it would fail just so
                    log.error("mail to the moderator is not taken: %s", error)
                return
            if not (given_up or (daily and tx.once_a_day(f"refused_told_at {address_key(row.recipient)}", now))):
                return
            game = tx.game(row.game_id) if row.game_id is not None else None
            facts = {"mail": row.id, "address": row.recipient, "error": str(error)}
            if game is not None and row.seat is not None:
                seat = tx.seat(game.id, row.seat)
                facts |= {"seat": seat.colour, "name": seat.name}
            tell_moderator(UnitOfWork(tx, self.settings, now), "undeliverable" if given_up else "refused", facts, game)

    def _look_at_ourselves(self, row: Outbound, error: Refused) -> None:
        """Raises OwnFault when mail to two domains, one of them the moderator's, was refused alike, and none taken since:
        hardly the fault of either. Every mail is due at once, as if it had not been tried."""
        if error.status != self._status:
            self._refused.clear()
        self._refused.append(row)
        self._status = error.status
        domains = {domain(refused.recipient) for refused in self._refused}
        if len(domains) < 2 or domain(self.settings.mail.moderator) not in domains:
            return
        with self.store.transaction() as tx:
            tx.make_due((refused.id for refused in self._refused), self.now())
        self._refused.clear()
        raise OwnFault(f"the mail server takes mail for nobody: {error}")

    async def close(self) -> None:
        for task in self._slow:
            task.cancel()
        await asyncio.gather(*self._slow, return_exceptions=True)
        if self._sending is not None:
            self._sending.close()
            self._sending = None
        await self.sender.close()


def domain(address: str) -> str:
    return address_key(address).rpartition("@")[2]
