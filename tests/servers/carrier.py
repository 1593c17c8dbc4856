"""An SMTP server that remembers every mail it takes, and brings it into its reader's mailbox."""

from __future__ import annotations

import asyncio
import contextlib
import email
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiosmtpd.smtp import SMTP

from pbem.config import Smtp
from pbem.demo.servers import smtp_listener


@dataclass(frozen=True, slots=True)
class Carried:
    """A mail that was taken."""

    sender: str
    recipient: str
    message_id: str
    #: Of all its bytes.
    digest: str


class Carrier:
    """What the server does with mail; `deliver` gets the user and the bytes."""

    def __init__(self, deliver: Callable[[str, bytes], Awaitable[None]]) -> None:
        self.deliver = deliver
        self.port = 0
        self.carried: list[Carried] = []

    @property
    def smtp(self) -> Smtp:
        """How mail is sent with it."""
        return Smtp(host="127.0.0.1", port=self.port, tls="none", timeout=10)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        message_id = str(email.message_from_bytes(envelope.content)["Message-ID"])
        for address in envelope.rcpt_tos:
            await self.deliver(address.partition("@")[0].partition("+")[0], envelope.content)
            digest = hashlib.sha256(envelope.content).hexdigest()
            self.carried.append(Carried(envelope.mail_from, address, message_id, digest))
        return "250 2.0.0 delivered"


@contextlib.asynccontextmanager
async def carrier(deliver: Callable[[str, bytes], Awaitable[None]]) -> AsyncIterator[Carrier]:
    loop, post = asyncio.get_running_loop(), Carrier(deliver)
    async with smtp_listener(lambda: SMTP(post, hostname="localhost", loop=loop)) as post.port:
        yield post
