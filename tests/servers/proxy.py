"""A wire between a client and a server that a test can cut, and on which it can change what the server says."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from pbem.demo.servers import stream_listener


@dataclass
class Wire:
    """What happens to the bytes on their way from the server to the client."""

    port: int = 0
    #: Bytes of the server that get through before the wire is cut; None for all.
    cut_after: int | None = None
    #: What is replaced in the server's words, such as a capability.
    changes: dict[bytes, bytes] = field(default_factory=dict)
    #: From now on nothing gets through, and nobody is told.
    silent: bool = False
    #: How many clients connected.
    connections: int = 0
    writers: set[asyncio.StreamWriter] = field(default_factory=set)

    def cut(self) -> None:
        """Cut every connection that there is."""
        for writer in list(self.writers):
            writer.transport.abort()


@contextlib.asynccontextmanager
async def wire_to(target: int) -> AsyncIterator[Wire]:
    """A wire to a port of this machine."""
    wire = Wire()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire.connections += 1
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            return
        wire.writers |= {writer, far_writer}
        await asyncio.gather(upstream(reader, far_writer), downstream(wire, far_reader, writer))

    async with stream_listener(connected) as wire.port:
        yield wire
        wire.cut()


async def upstream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while words := await reader.read(65536):
            writer.write(words)
            await writer.drain()
    writer.transport.abort()


async def downstream(wire: Wire, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while words := await reader.read(65536):
            for old, new in wire.changes.items():
                words = words.replace(old, new)
            if wire.silent:
                continue
            if wire.cut_after is not None:
                words = words[: wire.cut_after]
                wire.cut_after -= len(words)
            writer.write(words)
            await writer.drain()
            if wire.cut_after == 0:
                wire.cut_after = None
                break
    writer.transport.abort()
