"""An IMAP and an SMTP server inside this process, on free loopback ports: for the demo and for tests.

Mail that the SMTP server takes lands in the mailboxes that the IMAP server shows; there is no way to the world
outside. Nothing is kept on disk.
"""

import asyncio
import contextlib
import logging
import ssl
from argparse import Namespace
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import partial
from types import SimpleNamespace
from typing import Any, TypeAlias
from uuid import uuid4

from pydantic import SecretStr

from pbem.config import Imap, Smtp
from pbem.errors import ConfigError

try:
    from aiosmtpd.smtp import SMTP, AuthResult
    from proxyprotocol.sock import SocketInfoLocal
    from pymap.backend.dict import DictBackend
    from pymap.backend.dict.filter import FilterSet
    from pymap.backend.dict.mailbox import MailboxData, MailboxSet
    from pymap.imap import IMAPServer
    from pymap.parsing.message import AppendMessage
    from pymap.user import UserMetadata
    from pysasl.hashing import Cleartext
except ImportError as missing:
    package = (missing.name or "a package").partition(".")[0]
    raise ConfigError(f"{package} is not installed; pip install 'pbem[demo]'") from missing

# aiosmtpd warns about its own use of its own attribute at each login.
logging.getLogger("mail.log").setLevel(logging.ERROR)

LOOPBACK = "127.0.0.1"
Session: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class PostOffice:
    """The mailboxes behind the two servers: one a user, for mail to `USER@...` and `USER+...@...`."""

    #: Their names and passwords.
    users: Mapping[str, str]
    backend: DictBackend
    config: Any
    imap_port: int = 0
    smtp_port: int = 0

    def imap(self, user: str, **changes: Any) -> Imap:
        """How `user` reads mail."""
        return Imap(**self._login(user) | {"port": self.imap_port, "tls": False} | changes)

    def smtp(self, user: str, **changes: Any) -> Smtp:
        """How `user` sends mail."""
        return Smtp(**self._login(user) | {"port": self.smtp_port, "tls": "none"} | changes)

    def _login(self, user: str) -> dict[str, Any]:
        # Everything shares one process: while it renders or waits for a processor nobody is answered.
        return {"host": LOOPBACK, "timeout": 60.0, "user": user, "password": SecretStr(self.users[user])}

    def user_of(self, address: str) -> str | None:
        """Whose mailbox an address leads to; what follows a `+` does not matter."""
        local = address.partition("@")[0].partition("+")[0].lower()
        return local if local in self.users else None

    async def _identity(self, user: str) -> Any:
        postmaster: Any = SimpleNamespace(name=user, roles={"admin"})  # who may open every mailbox
        return await self.backend.login.authorize(postmaster, user)

    async def open_mailbox(self, user: str) -> None:
        identity = await self._identity(user)
        await identity.set(UserMetadata(self.config, user, password=self.users[user]))
        self.config.set_cache[user] = (Mailboxes(), FilterSet())

    async def deliver(self, user: str, raw: bytes, folder: str = "INBOX") -> None:
        """Put a mail into a mailbox; whoever waits there is told at once."""
        identity = await self._identity(user)
        async with identity.new_session() as session:
            await session.append_messages(folder, [AppendMessage(raw, datetime.now(UTC))])

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        """Refuse unknown people."""
        if self.user_of(address) is None:
            return "550 5.1.1 nobody of that name here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """Deliver what the SMTP server has taken."""
        trace = (
            f"Return-Path: <{envelope.mail_from}>\r\nReceived: from {session.host_name} by localhost;\r\n"
            f" {format_datetime(datetime.now(UTC))}\r\n"
        )
        for address in envelope.rcpt_tos:
            user = self.user_of(address)
            assert user is not None, "handle_RCPT lets nobody else in"
            await self.deliver(user, trace.encode() + envelope.content)
        return "250 2.0.0 delivered"


class Inbox(MailboxData):
    """An inbox that tells a client which begins to wait of mail that came just before.

    pymap's own would wait for the mail after it (RFC 2177 wants what the client has not seen).
    """

    async def update_selected(self, selected: Any, *, wait_on: Any = None) -> Any:
        news = selected.mod_sequence != self._mod_sequences.highest
        return await super().update_selected(selected, wait_on=None if news else wait_on)


class Mailboxes(MailboxSet):
    """The folders of one user."""

    def __init__(self) -> None:
        super().__init__()
        self._inbox = Inbox(self._content_cache, self._thread_cache)


@contextlib.asynccontextmanager
async def post_office(
    users: Mapping[str, str], tls: ssl.SSLContext | None = None, starttls: ssl.SSLContext | None = None
) -> AsyncIterator[PostOffice]:
    """Run both servers for users with passwords; `tls` encrypts from the first byte, `starttls` later."""
    arguments = Namespace(
        host=None, port=None, debug=False, cert=None, key=None, tls=False, proxy_protocol=None, passlib_cfg=None,
        demo_data=False, demo_user="postmaster", demo_password="",
    )  # fmt: skip
    backend, config = await DictBackend.init(arguments, hash_context=Cleartext(), invalid_user_sleep=0)
    config.apply_context()
    office = PostOffice(users, backend, config)
    for user in users:
        await office.open_mailbox(user)
    server, loop = IMAPServer(backend.login, config), asyncio.get_running_loop()

    async def imap(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server(reader, writer, SocketInfoLocal(writer, unique_id=uuid4().bytes))

    def authenticate(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        known = users.get(data.login.decode())
        return AuthResult(success=known is not None and known == data.password.decode(), handled=False)

    smtp = partial(
        SMTP, office, hostname="localhost", loop=loop, data_size_limit=40_000_000, tls_context=starttls,
        authenticator=authenticate, auth_require_tls=False,
    )  # fmt: skip

    async with stream_listener(imap, tls) as office.imap_port, smtp_listener(smtp, tls) as office.smtp_port:
        yield office


@contextlib.asynccontextmanager
async def stream_listener(session: Session, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """The port of a server that speaks whatever `session` speaks. It leaves nothing behind when it ends."""
    running: dict[asyncio.StreamWriter, asyncio.Task[None] | None] = {}

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running[writer] = asyncio.current_task()
        try:
            await session(reader, writer)
        finally:
            writer.close()
            del running[writer]

    server = await asyncio.start_server(connected, LOOPBACK, 0, limit=1 << 20, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        # Closing the listener alone leaves its clients connected.
        tasks = [task for task in running.values() if task is not None]
        for writer in list(running):
            writer.transport.abort()
        if tasks:
            await asyncio.wait(tasks, timeout=2)


@contextlib.asynccontextmanager
async def smtp_listener(session: Callable[[], SMTP], tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """The port of an SMTP server with one `session` a client."""
    sessions: list[SMTP] = []

    def connected() -> SMTP:
        sessions.append(session())
        return sessions[-1]

    server = await asyncio.get_running_loop().create_server(connected, LOOPBACK, 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for client in sessions:
            if isinstance(client.transport, asyncio.WriteTransport):
                client.transport.abort()
        await asyncio.sleep(0)
