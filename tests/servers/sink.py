"""An SMTP server that keeps what it gets and answers as a test tells it to."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult

from pbem.config import Smtp
from pbem.demo.servers import smtp_listener


@dataclass
class Sink:
    """`answers` holds, for `MAIL`, `DATA`, `RCPT` or `RCPT ann@example.org`, what is said next; then it is "250".

    Instead of an answer: `drop` closes the connection without taking the mail, `take and drop` closes it
    after taking it, `hang` does not answer until it may `go_on`.
    """

    port: int = 0
    #: Recipient and bytes of each mail taken, in order.
    mails: list[tuple[str, bytes]] = field(default_factory=list)
    answers: dict[str, list[str]] = field(default_factory=dict)
    #: Nobody may send without having logged in.
    login_wanted: bool = False
    #: How many clients connected.
    connections: int = 0
    #: Set when a client is left without an answer.
    hanging: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    def smtp(self, **changes: Any) -> Smtp:
        given = {"host": "127.0.0.1", "port": self.port, "tls": "none", "timeout": 5.0}
        return Smtp(**{**given, **changes})

    def will(self, command: str, *answers: str) -> None:
        """Say what comes next when `command` arrives."""
        self.answers.setdefault(command, []).extend(answers)

    async def _answer(self, server: Any, *commands: str) -> str:
        answer = next((self.answers[command].pop(0) for command in commands if self.answers.get(command)), "250 OK")
        if answer == "hang":
            self.hanging.set()
            await self.go_on.wait()
            return "250 OK"
        if answer in ("drop", "take and drop"):
            server.transport.abort()
        return answer

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if self.login_wanted and not session.authenticated:
            return "530 5.7.0 Authentication required"
        answer = await self._answer(server, "MAIL")
        if answer.startswith("250"):
            envelope.mail_from = address
        return answer

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        answer = await self._answer(server, f"RCPT {address}", "RCPT")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        to = envelope.rcpt_tos[0]
        answer = await self._answer(server, f"DATA {to}", "DATA")
        if answer.startswith("250") or answer == "take and drop":
            self.mails.append((to, envelope.content))
        return answer


@contextlib.asynccontextmanager
async def smtp_sink(
    tls: ssl.SSLContext | None = None,
    starttls: ssl.SSLContext | None = None,
    password: str | None = None,
    *,
    smtputf8: bool = False,
) -> AsyncIterator[Sink]:
    """Run a sink in this loop; with a password it wants a login."""
    sink, loop = Sink(login_wanted=password is not None), asyncio.get_running_loop()

    def authenticate(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        return AuthResult(success=data.password.decode() == password, handled=False)

    def session() -> SMTP:
        sink.connections += 1
        return SMTP(
            sink,
            hostname="localhost",
            loop=loop,
            tls_context=starttls,
            enable_SMTPUTF8=smtputf8,
            authenticator=authenticate if password else None,
            # Without a password to check, none is offered.
            auth_require_tls=password is None,
        )

    async with smtp_listener(session, tls) as sink.port:
        yield sink
