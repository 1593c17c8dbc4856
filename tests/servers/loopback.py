"""Listeners on free ports of this machine that leave nothing behind when they end."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable

from aiosmtpd.smtp import SMTP

Session = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def smtp_listener(session: Callable[[], SMTP], tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """The port of an SMTP server with one `session` a client."""
    sessions: list[SMTP] = []

    def connected() -> SMTP:
        sessions.append(session())
        return sessions[-1]

    server = await asyncio.get_running_loop().create_server(connected, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for one in sessions:
            if isinstance(one.transport, asyncio.WriteTransport):
                one.transport.abort()
        await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def stream_listener(session: Session) -> AsyncIterator[int]:
    """The port of a server that speaks whatever `session` speaks."""
    running: dict[asyncio.StreamWriter, asyncio.Task[None] | None] = {}

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running[writer] = asyncio.current_task()
        try:
            await session(reader, writer)
        finally:
            writer.transport.abort()
            del running[writer]

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        tasks = [task for task in running.values() if task is not None]
        for writer in list(running):
            writer.transport.abort()
        if tasks:
            await asyncio.wait(tasks, timeout=2)
