"""What games, versions and mails that only lie there cost a pass with nothing to do, and a mail.

    python tests/bench/bench_idle.py [--games N] [--versions N] [--old N] [--passes N] [--mails N]

Two servers in the same run: `small` has just been set up, `big` has a thousand games of a hundred versions each and
ten thousand old mails in its folder of handled mail (and as many in its tables). Passes and mails are measured in
turns, here and there. Prints one JSON object: the processor time of an idle pass (the embedded IMAP server's share
included, for it runs in the same process) and of handling a mail that ends a turn, and `ratio`, big over small:
1.1 is the most it should be.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

from bench_mail import COLOURS, order_mails, settings_for
from sqlalchemy import func, insert, select, text

from pbem.config import Settings
from pbem.demo.servers import PostOffice, post_office
from pbem.mail.handling.pipeline import handle
from pbem.mail.reading.values import Fetched
from pbem.server.daemon import Daemon
from pbem.store import Store
from pbem.store.database import engine_for
from pbem.store.tables import asks, events, games, inbound, outbound, players, seats, versions

OLD_MAIL = b"From: ann@example.org\r\nMessage-ID: <old-%d@example.org>\r\nSubject: Re: turn\r\n\r\nplay Groat\r\n"


COPIED = {"game_id": ":number", "number": "copy.number", "inbound_id": "NULL"}
#: One game's versions, all like the first one of another.
COPIES = text(
    "WITH RECURSIVE copy (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < :each)"
    f" INSERT INTO version ({', '.join(column.name for column in versions.c)})"
    f" SELECT {', '.join(COPIED.get(column.name, 'one.' + column.name) for column in versions.c)}"
    " FROM copy, (SELECT * FROM version WHERE game_id = :like LIMIT 1) AS one"
)


def fill(url: str, count: int, version_count: int, mail_count: int) -> None:
    """Put games in progress into a database, their old versions and events, and mails of the past."""
    engine = engine_for(url)
    now = datetime.now(UTC)
    with engine.begin() as connection:
        first = (connection.execute(select(func.max(games.c.id))).scalar() or 0) + 1
        sample = connection.execute(select(versions).limit(1)).one()._asdict()
        people = list(connection.execute(select(players.c.id)).scalars())
        pattern = connection.execute(select(games).where(games.c.id == sample["game_id"])).one()._asdict()
        each = version_count // count
        for number in range(first, first + count):
            changes = {"id": number, "code": f"G{number:03d}", "name": f"Full {number}", "status": "running"}
            connection.execute(
                insert(games), {**pattern, **changes, "version": each, "last_version": each, "last_event": 5 * each}
            )
            connection.execute(
                insert(seats),
                [
                    {
                        "game_id": number,
                        "seat": at,
                        "colour": COLOURS[at],
                        "bot_name": "",
                        "player_id": player,
                        "last_reported": 5 * each,
                    }
                    for at, player in enumerate(people)
                ],
            )
            connection.execute(COPIES, {"number": number, "each": each, "like": sample["game_id"]})
            connection.execute(
                insert(events),
                [
                    {
                        "game_id": number,
                        "sequence": one,
                        "version": 1 + (one - 1) // 5,
                        "turn": 1,
                        "actor": "",
                        "kind": "TurnEnded",
                        "data": {},
                        "private": {},
                    }
                    for one in range(1, 5 * each + 1)
                ],
            )
            token = f"Z{number:07d}"
            connection.execute(
                insert(asks),
                {
                    "token": token, "game_id": number, "seat": 0, "tenure": 1,
                    "version": each, "turn": 1, "kind": "turn", "menu": [], "paused": False, "opened_at": now,
                    "due_at": now + timedelta(days=2), "remind_at": now + timedelta(days=1),
                },
            )  # fmt: skip
        long_ago = now - timedelta(days=3)
        connection.execute(
            insert(inbound),
            [
                {
                    "uidvalidity": 1, "uid": one + 1, "message_id": f"<old-{one}@example.org>", "digest": "d", "raw": b"x",
                    "sender": "ann@example.org", "sender_key": "ann@example.org", "disposition": "applied",
                    "game_id": first + one % count, "received_at": long_ago, "size": 1,
                }
                for one in range(mail_count)
            ],
        )  # fmt: skip
        connection.execute(
            insert(outbound),
            [
                {
                    "message_id": f"<ours-{one}@play.example.org>", "recipient": "ann@example.org",
                    "recipient_key": "ann@example.org", "subject": "turn", "kind": "report", "raw": b"x",
                    "game_id": first + one % count, "seat": one % 4, "status": "sent", "created_at": long_ago,
                    "next_at": long_ago, "sent_at": long_ago,
                }
                for one in range(4 * mail_count)
            ],
        )  # fmt: skip
    engine.dispose()


@contextmanager
def clocked(times: list[float]) -> Iterator[None]:
    begun = time.process_time()
    yield
    times.append(time.process_time() - begun)


class Server:
    """A daemon with its database and mailbox, and what it took so far."""

    def __init__(self, office: PostOffice, user: str, folder: Path, mails: int) -> None:
        self.office = office
        self.user = user
        self.settings: Settings = settings_for(office, 1, folder / f"{user}.db", user)
        self.store = Store(self.settings.database)
        self.store.create()
        self.mails = order_mails(self.store, self.settings, mails)
        self.daemon = Daemon(self.settings, self.store)
        self.passes: list[float] = []
        self.handled: list[float] = []

    async def idle_pass(self) -> None:
        with clocked(self.passes):
            await self.daemon.collect()
            await self.daemon.keep_time()
            await self.daemon.send()
            self.daemon.seconds_to_next()

    def handle(self, number: int) -> None:
        raw = self.mails[number]
        fetched = Fetched(uid=1_000_000 + number, uidvalidity=9, size=len(raw), raw=raw)
        with clocked(self.handled):
            disposition = handle(self.store, self.settings, fetched, datetime.now(UTC))
        assert disposition == "applied"


async def measure(given: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        async with post_office({"small": "secret", "big": "secret"}) as office:
            small, big = (Server(office, user, Path(place), given.mails) for user in ("small", "big"))
            fill(big.settings.database, given.games, given.versions, given.old)
            for one in (small, big):
                await one.idle_pass()  # connects, and makes the folders
                one.passes.clear()
            for number in range(given.old):
                await office.deliver("big", OLD_MAIL % number, big.settings.imap.processed)
            for _ in range(given.passes):
                for one in (small, big):
                    await one.idle_pass()
            for number in range(given.mails):
                for one in (small, big):
                    one.handle(number)
            for one in (small, big):
                await one.daemon.close()
                one.store.close()
    few = given.mails // 5  # the first compile templates
    return {
        "games": given.games,
        "versions": given.versions,
        "old_mails": given.old,
        "idle_pass": compared(small.passes, big.passes),
        "mail": compared(small.handled[few:], big.handled[few:]),
    }


def compared(small: list[float], big: list[float]) -> dict[str, float]:
    ratio = median(big) / median(small)
    return {
        "small_cpu_ms": round(median(small) * 1000, 2),
        "big_cpu_ms": round(median(big) * 1000, 2),
        "ratio": round(ratio, 2),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--versions", type=int, default=100_000)
    parser.add_argument("--old", type=int, default=10_000)
    parser.add_argument("--passes", type=int, default=100)
    parser.add_argument("--mails", type=int, default=50)
    json.dump(asyncio.run(measure(parser.parse_args())), sys.stdout, indent=1)
    print()
