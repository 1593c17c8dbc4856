"""How fast the outbox drains, over how many connections, and what slow recipients cost the others.

    python tests/bench/bench_outbox.py [--mails N] [--dead N]

The outbox holds mails of 20 KB to many people. Once all are taken at once; once the server never answers for some
of the people (`dead`), as when it asks their own server first. Prints one JSON object: mails a second, connections
used, and the longest that the mail of a living recipient had to wait: `SLOW_SECONDS` seconds for each dead one before
it, and never their timeout.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP

from pbem.config import Imap, Settings, Smtp
from pbem.server import outbox
from pbem.server.outbox import Outbox
from pbem.store import NewOutbound, Store

BODY = (b"Your minion moves from Dimwell to The Shades and is welcome.\r\n" * 400)[: 20 * 1024]


class Server:
    """Takes mail, and never answers for recipients whose name begins with `dead`."""

    def __init__(self) -> None:
        self.connections = 0
        #: When each mail came.
        self.times: list[float] = []

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        if address.startswith("dead"):
            await asyncio.Event().wait()
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.times.append(time.perf_counter())
        return "250 OK"


@asynccontextmanager
async def listening(server: Server) -> AsyncIterator[int]:
    loop = asyncio.get_running_loop()

    def session() -> SMTP:
        server.connections += 1
        return SMTP(server, hostname="localhost", loop=loop)

    listener = await loop.create_server(session, "127.0.0.1", 0)
    try:
        yield listener.sockets[0].getsockname()[1]
    finally:
        listener.close()


async def drained(folder: Path, mails: int, dead: int) -> dict[str, Any]:
    """Drain an outbox with mails to so many people, some of them dead."""
    server = Server()
    async with listening(server) as port:
        settings = Settings(
            database=f"sqlite:///{folder / f'with-{dead}.db'}",
            mail={"address": "orders@play.example.org", "moderator": "mod@example.org"},
            imap=Imap(host="127.0.0.1", user="orders", tls=False),
            smtp=Smtp(host="127.0.0.1", port=port, tls="none"),
        )
        with Store(settings.database).create() as store:
            now = datetime.now(UTC)
            with store.transaction() as tx:
                for number in range(mails + dead):
                    name = "dead" if number % 5 == 1 and number // 5 < dead else "p"
                    tx.queue(
                        NewOutbound(f"{name}{number}@example.org", f"<{number}@example.org>", "turn", "report", BODY),
                        now,
                    )
            sender = Outbox(settings, store, lambda: datetime.now(UTC))
            begun, cpu = time.perf_counter(), time.process_time()
            await sender.drain()
            took, cpu = time.perf_counter() - begun, time.process_time() - cpu
            await sender.close()
    times = [begun, *server.times]
    return {
        "mails": len(server.times),
        "dead": dead,
        "connections": server.connections,
        "seconds": round(took, 2),
        "cpu_ms_a_mail": round(cpu / mails * 1000, 2),
        "mails_a_second": round(mails / took),
        "longest_wait_seconds": round(max(after - before for before, after in pairwise(times)), 2),
    }


async def measure(given: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        return {
            "patience_seconds": outbox.SLOW_SECONDS,
            "all_alive": await drained(Path(place), given.mails, 0),
            "some_dead": await drained(Path(place), given.mails, given.dead),
        }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=400)
    parser.add_argument("--dead", type=int, default=3)
    json.dump(asyncio.run(measure(parser.parse_args())), sys.stdout, indent=1)
    print()
