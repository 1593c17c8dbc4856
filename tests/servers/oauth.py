"""An IMAP and an SMTP server that take an OAuth 2 token (XOAUTH2), as the big providers do, and nothing else."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult
from servers.sink import Sink

from pbem.demo.servers import smtp_listener, stream_listener

TOKEN = "ya29.fresh"
GOOD = base64.b64encode(f"user=orders\x01auth=Bearer {TOKEN}\x01\x01".encode())
#: What a refusal says before the client answers with an empty line.
CHALLENGE = b"+ " + base64.b64encode(b'{"status":"400"}') + b"\r\n"
SELECTED = b"* 0 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 1] ok\r\n"
UNTAGGED = {
    b"CAPABILITY": b"* CAPABILITY IMAP4rev1 AUTH=XOAUTH2 MOVE IDLE\r\n",
    b"SELECT": SELECTED,
    b"LOGOUT": b"* BYE\r\n",
}


async def imap_session(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"* OK ready\r\n")
    while words := (await reader.readline()).split():
        tag, command, *rest = words
        if command == b"AUTHENTICATE" and rest != [b"XOAUTH2", GOOD]:
            writer.write(CHALLENGE)
            await reader.readline()
            writer.write(tag + b" NO [AUTHENTICATIONFAILED] Invalid credentials\r\n")
            continue
        writer.write(UNTAGGED.get(command, b"") + tag + b" OK done\r\n")


def oauth_imap() -> AbstractAsyncContextManager[int]:
    """The port of an IMAP server with an empty mailbox."""
    return stream_listener(imap_session)


class OauthSink(Sink):
    """A sink that takes the token."""

    async def auth_XOAUTH2(self, server: Any, words: list[str]) -> AuthResult:
        if words[1:] == [GOOD.decode()]:
            return AuthResult(success=True, auth_data=b"orders")
        await server.push("334 " + CHALLENGE[2:].decode().strip())
        await server._reader.readline()
        return AuthResult(success=False, handled=False)


@contextlib.asynccontextmanager
async def oauth_smtp() -> AsyncIterator[OauthSink]:
    """An SMTP server that wants the token."""
    sink, loop = OauthSink(login_wanted=True), asyncio.get_running_loop()

    def session() -> SMTP:
        return SMTP(
            sink, hostname="localhost", loop=loop, auth_require_tls=False, auth_exclude_mechanism=["LOGIN", "PLAIN"]
        )

    async with smtp_listener(session) as sink.port:
        yield sink
