"""How fast mail is handled: a pass of the daemon beside a plain loop with the same libraries, in the same run.

    python tests/bench/bench_mail.py [--mails N] [--rounds N]

Each mail holds the orders of a whole turn in a game of four, so that four people get a report of text and HTML.
The plain loop fetches, parses, commits one row, writes and sends four mails of 6 KB, marks and moves; it knows no
game. Both read the same embedded IMAP server and send to the same sink, a process of its own: Postfix's
`smtp-sink` where it is installed. Prints one JSON object; `ratio` is our time a mail over the plain loop's, by the
clock, and `cpu_ratio` by the processor time of this process, which a busy machine disturbs less. `where` says
what the milliseconds of a mail go into, by the clock.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import email
import email.policy
import gc
import json
import multiprocessing
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from statistics import median
from typing import Any

import aioimaplib
import aiosmtplib
from aiosmtpd.smtp import SMTP
from sqlmodel import Field, Session, SQLModel

from pbem.config import Settings, Smtp
from pbem.demo.servers import PostOffice, post_office
from pbem.orders import referee
from pbem.play import advance
from pbem.play.letters import Letters
from pbem.play.table import UnitOfWork
from pbem.protocol import Seat
from pbem.reports.render import Renderer
from pbem.server.daemon import Daemon
from pbem.store import GameSettings, Store, Tx
from pbem.store.database import engine_for

NAMES = ("Rosie", "Havelock", "Sybil", "Angua")
COLOURS = ("Red", "Green", "Blue", "Yellow")
UID = re.compile(rb"\bUID (\d+)")


class Swallow:
    """Takes any mail and forgets it."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        return "250 OK"


def swallow_mail(port: Any) -> None:
    """The sink: an SMTP server in a process of its own, so that its time is nobody's."""

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: SMTP(Swallow(), loop=loop), "127.0.0.1", 0)
        port.send(server.sockets[0].getsockname()[1])
        await asyncio.Event().wait()

    asyncio.run(serve())


@contextlib.contextmanager
def sink() -> Iterator[int]:
    """The port of a sink: Postfix's, written in C, or else one of aiosmtpd."""
    program = shutil.which("smtp-sink", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        with python_sink() as port:
            yield port
        return
    port = free_port()
    whose = ["-u", "nobody"] if os.getuid() == 0 else []
    with subprocess.Popen([program, *whose, f"127.0.0.1:{port}", "100"]) as process:
        try:
            wait_for(port)
            yield port
        finally:
            process.terminate()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for(port: int) -> None:
    """Wait until somebody listens."""
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise SystemExit(f"nobody listens on port {port}")


@contextlib.contextmanager
def python_sink() -> Iterator[int]:
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=swallow_mail, args=(theirs,), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        process.terminate()
        process.join()


def settings_for(office: PostOffice, sink_port: int, path: Path, user: str = "orders") -> Settings:
    return Settings(
        database=f"sqlite:///{path}",
        mail={"address": "orders@play.example.org", "moderator": "mod@example.org"},
        imap=office.imap(user),
        smtp=Smtp(host="127.0.0.1", port=sink_port, tls="none"),
    )


def order_mails(store: Store, settings: Settings, count: int) -> list[bytes]:
    """So many games, each with one mail that plays the first turn to its end; the mails."""
    now = datetime.now(UTC)
    with store.transaction() as tx:
        players = [tx.add_player(name, f"{name.lower()}@example.org", now) for name in NAMES]
    mails: list[bytes] = []
    number = 0
    while len(mails) < count:
        number += 1
        with store.transaction() as tx:
            game = tx.add_game(f"Table {number}", "ankh_morpork", GameSettings(), number.to_bytes(32, "big"), now)
            for seat, player in enumerate(players):
                tx.add_seat(game.id, Seat(seat), COLOURS[seat], player.id)
            table = advance.start_game(UnitOfWork(tx, settings, now), game.id)
            ask = next(one for one in tx.open_asks(game.id) if one.kind == "turn")
            orders = a_turn(table)
            if not orders:
                tx.change_game(game.id, status="over", ended_at=now)
                continue
            message = EmailMessage(policy=email.policy.SMTP)
            message["From"] = f"{NAMES[ask.seat]} <{NAMES[ask.seat].lower()}@example.org>"
            message["To"] = settings.mail.address
            message["Subject"] = f"Re: {game.code} turn 1 [{ask.token}]"
            message["Message-ID"] = f"<order-{number}@client.example.org>"
            message.set_content("\n".join(orders) + "\n\n-- \nsent by a benchmark\n")
            mails.append(message.as_bytes())
    with store.transaction() as tx:
        tx.mark_sent((mail.id for mail in tx.lease(now, limit=100_000)), now)
    return mails


def a_turn(table: Any) -> list[str]:
    """Orders that play the pending turn to its end; none when somebody else would be asked in between."""
    match, orders, turn = table.match.fork(), [], table.match.turn
    seat = match.actor
    while match.turn == turn and match.pending and match.pending[0].seat == seat:
        option = table.rules.bot(match.view(seat), match.pending[0], bytes(32))
        orders.append(option.text)
        match.choose(seat, option)
    outcome = referee.carry_out(table.rules, table.match, seat, orders, table.presets())
    return orders if outcome.turn_over and not outcome.refused else []


def written(number: int, reader: int) -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = "game@example.org", f"p{reader}@example.org"
    message["Subject"], message["Message-ID"] = f"[G17-T{number}] report", f"<r{number}.{reader}@example.org>"
    message.set_content(("The army in Paris moves to Burgundy and is not resisted.\n" * 110)[: 6 * 1024])
    return message.as_bytes(policy=email.policy.SMTP)


class Plain(SQLModel, table=True):
    """What the plain loop stores of a mail."""

    id: int | None = Field(default=None, primary_key=True)
    message_id: str = Field(index=True, unique=True)
    body: bytes


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds by the clock, and of this process on a processor."""

    wall: float
    cpu: float


class Watch:
    """Measures from its making on."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def took(self) -> Took:
        return Took(time.perf_counter() - self._wall, time.process_time() - self._cpu)


async def plain_loop(office: PostOffice, sink_port: int, path: Path, count: int) -> Took:
    """What the plain loop takes."""
    database = engine_for(f"sqlite:///{path}")  # WAL, synchronous = FULL, as ours
    Plain.__table__.create(database)  # type: ignore[attr-defined]
    blob = os.urandom(8192)
    imap = aioimaplib.IMAP4("127.0.0.1", office.imap_port, timeout=60)
    await imap.wait_hello_from_server()
    await imap.login("plain", "secret")
    await imap.create("Processed")
    await imap.select("INBOX")
    smtp = aiosmtplib.SMTP(hostname="127.0.0.1", port=sink_port, timeout=30, start_tls=False)
    await smtp.connect()
    watch = Watch()
    uids = (await imap.uid_search("UNSEEN", charset=None)).lines[0].split()
    for start in range(0, len(uids), 50):
        batch = b",".join(uids[start : start + 50]).decode()
        answer = await imap.uid("FETCH", batch, "(UID BODY.PEEK[])")
        for number, raw in enumerate(one for one in answer.lines if isinstance(one, bytearray)):
            message = email.message_from_bytes(bytes(raw), policy=email.policy.default)
            str(message["subject"]), str(message["from"])
            body = message.get_body(("plain",))
            assert body is not None
            body.get_content()
            with Session(database) as session:
                session.add(Plain(message_id=str(message["message-id"]), body=blob))
                session.commit()
            for reader in range(4):
                mail = written(number, reader)
                await smtp.sendmail("game@example.org", [f"p{reader}@example.org"], mail)
        await imap.uid("STORE", batch, "+FLAGS.SILENT", r"(\Seen)")
        await imap.uid("MOVE", batch, "Processed")
    took = watch.took()
    assert len(uids) == count
    await imap.logout()
    await smtp.quit()
    database.dispose()
    return took


async def our_pass(settings: Settings, store: Store, count: int, where: Counter[str]) -> Took:
    """What a pass of the daemon takes; `where` gets the seconds of its parts."""
    daemon = Daemon(settings, store)
    await daemon.mailbox.connect()
    with (
        timed(daemon.mailbox, "new", "fetch", where),
        timed(daemon.mailbox, "done", "mark_and_move", where),
        timed(daemon, "take", "handle", where),
        timed(daemon.outbox, "drain", "send", where),
        timed(Renderer, "render", "handle: render", where),
        timed(Letters, "post", "handle: compose and render", where),
        timed(Tx, "queue", "handle: store mails", where),
        timed(Tx, "save_version", "handle: store version", where),
        timed(referee, "carry_out", "handle: rules", where),
    ):
        watch = Watch()
        await daemon.one_pass()
        took = watch.took()
    assert daemon.handled == count
    with store.reading() as tx:
        assert len(tx.received("applied", limit=10_000)) >= count
    return took


@contextlib.contextmanager
def timed(owner: Any, name: str, part: str, where: Counter[str]) -> Iterator[None]:
    """Note how long each call of a function takes, awaited or not."""
    real = getattr(owner, name)

    def call(*arguments: Any, **named: Any) -> Any:
        begun = time.perf_counter()
        made = real(*arguments, **named)
        if asyncio.iscoroutine(made):
            return awaited(made, begun)
        where[part] += time.perf_counter() - begun  # type: ignore[assignment]
        return made

    async def awaited(made: Any, begun: float) -> Any:
        try:
            return await made
        finally:
            where[part] += time.perf_counter() - begun  # type: ignore[assignment]

    setattr(owner, name, call)
    try:
        yield
    finally:
        setattr(owner, name, real)


@contextlib.asynccontextmanager
async def servers() -> AsyncIterator[PostOffice]:
    async with post_office({"orders": "secret", "plain": "secret"}) as office:
        yield office


async def measure(count: int, rounds: int) -> dict[str, Any]:
    plain, ours = [], []
    where: Counter[str] = Counter()
    with sink() as port, tempfile.TemporaryDirectory() as folder:
        for turn in range(rounds + 1):
            async with servers() as office:
                settings = settings_for(office, port, Path(folder) / f"pbem{turn}.db")
                store = Store(settings.database)
                store.create()
                mails = order_mails(store, settings, count if turn else 3)
                for raw in mails:
                    await office.deliver("orders", raw)
                    await office.deliver("plain", raw)
                if turn == 1:
                    where.clear()  # the first round compiles templates
                    gc.freeze()  # as `pbem run` does
                plain_took = await plain_loop(office, port, Path(folder) / f"plain{turn}.db", len(mails))
                ours_took = await our_pass(settings, store, len(mails), where)
                store.close()
            if turn:
                plain.append(plain_took)
                ours.append(ours_took)
    pairs = list(zip(ours, plain, strict=True))
    return {
        "mails": count,
        "rounds": rounds,
        "plain_ms_a_mail": milliseconds(median(one.wall for one in plain), count),
        "ours_ms_a_mail": milliseconds(median(one.wall for one in ours), count),
        "ratio": round(median(one.wall / other.wall for one, other in pairs), 2),
        "plain_cpu_ms_a_mail": milliseconds(median(one.cpu for one in plain), count),
        "ours_cpu_ms_a_mail": milliseconds(median(one.cpu for one in ours), count),
        "cpu_ratio": round(median(one.cpu / other.cpu for one, other in pairs), 2),
        "where": {part: milliseconds(took, count * rounds) for part, took in sorted(where.items())},
    }


def milliseconds(seconds: float, mails: int) -> float:
    """Milliseconds a mail."""
    return round(seconds / mails * 1000, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    json.dump(asyncio.run(measure(given.mails, given.rounds)), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
