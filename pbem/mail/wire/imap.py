"""Fetch, mark and move mail over IMAP; nothing else in pbem knows IMAP, but for its syntax in `imap_syntax`.

The wrapper exists because aioimaplib fails no pending command when its connection dies, parses recursively and
gives up on long answers. So: small batches, a bound on every wait, and a connection that misbehaved is thrown
away. What it was doing then may or may not have happened, and every caller is built for that.
"""

import asyncio
import contextlib
import logging
import re
from collections.abc import Awaitable, Sequence
from datetime import datetime
from typing import Any

import aioimaplib

from pbem.config import Imap
from pbem.errors import Permanent, Transient
from pbem.mail.reading.values import Fetched
from pbem.mail.wire.connection import in_words, tls_context
from pbem.mail.wire.imap_syntax import dates, literals, mailbox_name, number_set, quoted, sizes

# At DEBUG the library logs whole mails and, in base 64, access tokens.
logging.getLogger("aioimaplib").setLevel(logging.WARNING)

FETCH_BATCH = 50
MOVE_BATCH = 100
#: Bytes of mail held in memory at once; what is left is fetched by the next look.
LOOK_BYTES = 16_000_000
#: Bytes fetched of a mail that is too large to be read: its headers, as far as they are worth reading.
HEADER_BYTES = 32_768
#: Longest IDLE: routers forget silent connections long before the half hour that RFC 2177 allows.
IDLE_SECONDS = 600.0
#: Slowest link worth waiting for, in bytes a second.
SLOWEST = 20_000

STATUS_ITEM = re.compile(rb"\[(UIDVALIDITY|UIDNEXT) (\d+)\]")


class Mailbox:
    """One IMAP account. One task at a time may use it."""

    def __init__(self, settings: Imap, max_bytes: int) -> None:
        self.settings = settings
        self.max_bytes = max_bytes
        self.uidvalidity = 0
        self.exists = 0
        self._uidnext = 0
        # Any: the library's annotations are partly missing and partly wrong.
        self._client: Any = None
        self._lost: asyncio.Future[None] | None = None

    @property
    def connected(self) -> bool:
        return self._client is not None

    @property
    def next_uid(self) -> int:
        """The UID that the next mail of the inbox will have, at least."""
        return max(1, self._uidnext)

    @property
    def capabilities(self) -> frozenset[str]:
        """What the server says it can do, in capitals."""
        return frozenset(c.upper() for c in self._live().protocol.capabilities)

    async def connect(self) -> None:
        """Connect, log in, open the inbox, and create the folders that are missing.

        Raises Transient when the server cannot be reached, Permanent when it refuses the login or a folder.
        """
        await self.open()
        await self.login()
        await self.look()
        for folder in (self.settings.processed, self.settings.quarantine):
            await self.ensure_folder(folder)

    async def open(self) -> None:
        """Connect as far as the server's greeting."""
        await self.close()
        where = f"{self.settings.host}:{self.settings.port}"
        lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lost = lost
        self._client = aioimaplib.IMAP4(
            self.settings.host,
            self.settings.port,
            timeout=self.settings.timeout,
            conn_lost_cb=lambda _error: lost.cancel(),  # type: ignore[arg-type]
            ssl_context=tls_context(self.settings) if self.settings.tls else None,  # type: ignore[arg-type]
        )
        protocol, strange = self._client.protocol, []
        greet = protocol.welcome

        async def welcome(line: bytes) -> None:
            try:
                await greet(line)
            except aioimaplib.AioImapException:
                # The library would leave everybody waiting.
                strange.append(bytes(line).decode("ascii", "replace"))
                lost.cancel()

        protocol.welcome = welcome
        try:
            await self._call(self._client.wait_hello_from_server(), f"connecting to {where}")
        except Transient as error:
            if strange:
                raise Transient(f"connecting to {where}: it greets with {strange[0][:100]!r}") from error
            raise

    async def login(self) -> None:
        """Log in, unless the server greeted us as known.

        Raises Permanent when the server refuses.
        """
        client, user = self._live(), self.settings.user
        if client.get_state() == "AUTH":
            return
        secret = await asyncio.to_thread(self.settings.secret)
        if self.settings.auth == "xoauth2":
            answer = await self._call(self._xoauth2(client, user, secret), "logging in")
        elif "LOGINDISABLED" in self.capabilities:
            self.drop()
            raise Permanent(f"{self.settings.host} takes no password on an unencrypted connection; use tls")
        else:
            answer = await self._call(client.login(quoted(user), secret), "logging in")
        if answer.result != "OK":
            self.drop()
            raise Permanent(f"{self.settings.host} refused the login of {user!r}: {said(answer)}")
        # Servers may announce more once they know who asks; not all do so by themselves.
        await self._call(client.protocol.capability(), "asking for the capabilities")

    async def _xoauth2(self, client: Any, user: str, token: str) -> Any:
        """AUTHENTICATE XOAUTH2; a refused token comes as a challenge that wants an empty answer."""
        task = asyncio.ensure_future(client.xoauth2(user, token))
        try:
            while not (await asyncio.wait({task}, timeout=0.5))[0]:
                pending = client.protocol.pending_sync_command
                if pending is not None and pending.response.lines:
                    client.protocol.send("")
            return task.result()
        finally:
            task.cancel()

    async def look(self) -> None:
        """Open the inbox afresh: its UIDVALIDITY, the next UID, how many mails it holds."""
        answer = await self._call(self._live().select(mailbox_name(self.settings.inbox)), "opening the inbox")
        if answer.result != "OK":
            self.drop()
            raise Permanent(f"{self.settings.host} has no folder {self.settings.inbox!r}: {said(answer)}")
        items = {match[1]: int(match[2]) for line in answer.lines if (match := STATUS_ITEM.search(bytes(line)))}
        self.uidvalidity = items.get(b"UIDVALIDITY", 0)
        self._uidnext = items.get(b"UIDNEXT", 0)
        self.exists = aioimaplib.extract_exists(answer) or 0

    async def ensure_folder(self, folder: str) -> None:
        """Create and subscribe to a folder unless it is there.

        Raises Permanent when the server will not have it.
        """
        client, name = self._live(), mailbox_name(folder)
        answer = await self._call(client.list('""', name), f"looking for {folder}")
        if any(b"(" in line for line in answer.lines[:-1]):
            return
        answer = await self._call(client.create(name), f"creating {folder}")
        if answer.result != "OK" and b"ALREADYEXISTS" not in answer.lines[-1].upper():
            raise Permanent(f"{self.settings.host} cannot create the folder {folder!r}: {said(answer)}")
        await self._call(client.subscribe(name), f"subscribing to {folder}")

    async def new(self) -> list[Fetched]:
        """The first mails of the inbox, oldest first, seen or not: a batch, or less of large ones. Nothing about them
        changes.

        Old mail costs nothing: what is handled lies in other folders, which are never opened.
        """
        await self.look()
        if not self.exists:
            return []
        uids = (await self._search("UNDELETED"))[:FETCH_BATCH]
        if not uids:
            return []
        answer = await self._uid("FETCH", number_set(uids), "(UID RFC822.SIZE)", what="asking for sizes")
        all_sizes = sizes(answer.lines)
        mails: list[int] = []
        total = 0
        for uid in (uid for uid in uids if uid in all_sizes):
            total += min(all_sizes[uid], self.max_bytes)
            if mails and total > LOOK_BYTES:
                break
            mails.append(uid)
        large = [uid for uid in mails if all_sizes[uid] > self.max_bytes]
        whole = await self._bodies([uid for uid in mails if uid not in large], "BODY.PEEK[]", total)
        heads = await self._bodies(large, f"BODY.PEEK[HEADER]<0.{HEADER_BYTES}>", len(large) * HEADER_BYTES)
        bodies = whole | heads
        return [
            Fetched(uid, self.uidvalidity, all_sizes[uid], bodies[uid], oversize=uid in heads)
            for uid in mails
            if uid in bodies
        ]

    async def arrived(self, words: str, since: int) -> dict[int, datetime]:
        """When each mail came in which these words stand, by the server's clock, from the UID `since` on."""
        await self.look()
        uids = [uid for uid in await self._search("UID", f"{since}:*", "TEXT", quoted(words)) if uid >= since]
        if not uids:
            return {}
        answer = await self._uid("FETCH", number_set(uids), "(UID INTERNALDATE)", what="asking for dates")
        return dates(answer.lines)

    async def _search(self, *criteria: str) -> list[int]:
        """The UIDs of the mails of the inbox that meet these."""
        answer = await self._call(self._live().uid_search(*criteria, charset=None), "searching the inbox")
        require(answer, "searching the inbox")
        return sorted(int(word) for line in answer.lines[:-1] for word in line.split() if word.isdigit())

    async def _bodies(self, uids: Sequence[int], item: str, size: int) -> dict[int, bytes | None]:
        """The bytes of each mail; None for one that the server cannot hand out; without those that are gone."""
        if not uids:
            return {}
        patience = size / SLOWEST
        answer = await self._uid("FETCH", number_set(uids), f"(UID {item})", what="fetching", patience=patience)
        bodies: dict[int, bytes | None] = dict(literals(answer.lines))
        for uid in uids:
            if uid in bodies:
                continue
            # One mail that the server cannot read must not hide the others of its batch.
            answer = await self._uid("FETCH", str(uid), f"(UID {item})", what="fetching", patience=patience)
            bodies.update(literals(answer.lines))
            if uid not in bodies and answer.result != "OK":
                bodies[uid] = None
        return bodies

    async def done(self, uids: Sequence[int], folder: str) -> None:
        """Mark mails as seen and move them to `folder`; those that are gone already do not matter."""
        for start in range(0, len(uids), MOVE_BATCH):
            part = number_set(uids[start : start + MOVE_BATCH])
            await self._uid("STORE", part, "+FLAGS.SILENT", r"(\Seen)", what="marking mail as seen")
            answer = await self._move(part, mailbox_name(folder))
            if answer.result != "OK":
                await self.ensure_folder(folder)
                answer = await self._move(part, mailbox_name(folder))
            require(answer, f"moving mail to {folder}")

    async def _move(self, uids: str, name: str) -> Any:
        if "MOVE" in self.capabilities:
            return await self._uid("MOVE", uids, name, what="moving mail")
        answer = await self._uid("COPY", uids, name, what="copying mail")
        if answer.result != "OK":
            return answer
        await self._uid("STORE", uids, "+FLAGS.SILENT", r"(\Deleted)", what="deleting mail")
        if "UIDPLUS" in self.capabilities:
            return await self._uid("EXPUNGE", uids, what="expunging mail")
        return await self._call(self._live().expunge(), "expunging mail")

    async def wait(self, timeout: float) -> bool:
        """Wait until there may be new mail, at most `timeout` seconds; whether a look is worth while.

        May be cancelled. Without IDLE it sleeps for the polling interval instead.
        """
        seen = self._uidnext
        await self.look()
        if self._uidnext != seen:
            # It came between the last look and now; the server may have told us so in an answer that nobody read.
            return True
        if not (self.settings.idle and "IDLE" in self.capabilities):
            await asyncio.sleep(min(timeout, self.settings.poll_seconds))
            return True
        return await self._idle(min(timeout, IDLE_SECONDS))

    async def _idle(self, seconds: float) -> bool:
        client = self._live()
        starting = asyncio.ensure_future(self._call(client.idle_start(timeout=seconds), "waiting for mail"))
        try:
            # Being cancelled costs no connection: the start is awaited below, and the queue is a local one.
            await asyncio.shield(starting)
            while True:
                push = await self._race(client.wait_server_push(), "waiting for mail", seconds + 10)
                if push == aioimaplib.STOP_WAIT_SERVER_PUSH:
                    return False
                if any(b"EXISTS" in line for line in push):
                    return True
        finally:
            idle = await starting
            if self._client is client:
                client.idle_done()
                # The answer to DONE must be read before the next command is sent.
                await self._call(idle, "ending the wait for mail")

    async def close(self) -> None:
        """Log out, if the server still listens."""
        if self._client is not None:
            with contextlib.suppress(Transient):
                await self._call(self._client.logout(), "logging out", 2.0)
        self.drop()

    def drop(self) -> None:
        """Throw the connection away."""
        client, self._client, self._lost = self._client, None, None
        if client is None:
            return
        client._client_task.cancel()
        for task in (*client.tasks, *client.protocol.tasks):
            task.cancel()
        if client.protocol.transport is not None:
            client.protocol.transport.abort()

    def _live(self) -> Any:
        if self._client is None:
            raise Transient(f"not connected to {self.settings.host}")
        return self._client

    async def _uid(self, command: str, *words: str, what: str, patience: float = 0.0) -> Any:
        call = self._live().uid(command, *words)
        return await self._call(call, what, self.settings.timeout + patience)

    async def _call(self, call: Awaitable[Any], what: str, seconds: float = 0) -> Any:
        """Await one command.

        Raises Transient, and throws the connection away, whenever the outcome is not known.
        """
        try:
            return await self._race(call, what, seconds or self.settings.timeout)
        except (aioimaplib.AioImapException, OSError, ValueError, IndexError) as error:
            self.drop()
            raise Transient(f"{what}: {in_words(error)}") from error
        except (Transient, asyncio.CancelledError):
            self.drop()
            raise

    async def _race(self, call: Awaitable[Any], what: str, seconds: float) -> Any:
        """Await `call` for so long, and only while the connection lives."""
        task: asyncio.Future[Any] = asyncio.ensure_future(call)
        lost = self._lost
        assert lost is not None, "no command without a connection"
        try:
            done, _ = await asyncio.wait({task, lost}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if task in done:
                return task.result()
            reason = "the connection was lost" if lost in done else "no answer in time"
            raise Transient(f"{what}: {reason} ({self.settings.host}:{self.settings.port})")
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)


def said(answer: aioimaplib.Response) -> str:
    """What the server said about a command."""
    last = bytes(answer.lines[-1]).decode("utf-8", "replace") if answer.lines else ""
    return f"{answer.result} {last}".strip()


def require(answer: aioimaplib.Response, what: str) -> None:
    """Raises Transient unless the server did what was asked."""
    if answer.result != "OK":
        raise Transient(f"{what}: {said(answer)}")
