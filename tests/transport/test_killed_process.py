"""`pbem run` as a process of its own: killed at random moments, stopped by signals, refused at its start."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from servers.sink import Sink
from servers.table import GameTable, game_table, mail_user

from pbem.correspondent import Bot
from pbem.daemon import together
from pbem.embedded import PostOffice
from pbem.errors import Transient
from pbem.verify import verify

KILLS = 12
PROGRAM = "from pbem.cli import main; main()"


def write_configuration(folder: Path, imap_port: int, smtp_port: int, password: str = "secret") -> Path:
    """A pbem.toml as a moderator writes it."""
    (folder / "password").write_text(password + "\n")
    path = folder / "pbem.toml"
    path.write_text(
        f"""
        database = "sqlite:///pbem.db"
        mail = {{ address = "orders@play.test", moderator = "mod@play.test", answers_per_hour = 10000 }}
        imap = {{ host = "127.0.0.1", port = {imap_port}, tls = false, user = "orders", password_file = "password" }}
        smtp = {{ host = "127.0.0.1", port = {smtp_port}, tls = "none" }}
        """
    )
    return path


@asynccontextmanager
async def pbem(folder: Path, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run pbem; when the block begins it says that it is ready, as systemd would be told."""
    address = f"\0pbem-test-{os.getpid()}-{random.getrandbits(64)}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(address)
        told.setblocking(False)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", PROGRAM, *arguments, "--config", str(folder / "pbem.toml"),
            env={**os.environ, "NOTIFY_SOCKET": f"@{address[1:]}"}, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            ready = asyncio.create_task(asyncio.get_running_loop().sock_recv(told, 100))
            ended = asyncio.create_task(process.wait())
            await asyncio.wait({ready, ended}, return_when=asyncio.FIRST_COMPLETED, timeout=60)
            ready.cancel()
            yield process
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()


async def stubborn(bot: Bot) -> None:
    """Attend to mail for ever."""
    while True:
        with suppress(Transient):
            if not await bot.attend():
                await bot.correspondent.mailbox.wait(5)


def leases_run_out(folder: Path) -> None:
    """As if two minutes had passed since a process died."""
    with sqlite3.connect(folder / "pbem.db") as connection:
        connection.execute("UPDATE outbound SET lease_until = '2000-01-01 00:00:00' WHERE status = 'leased'")
    connection.close()


async def quiet(table: GameTable) -> None:
    """Wait until nothing is left to be sent."""
    while table.unsent:
        await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_killed_at_random_moments_it_does_everything_once(office: PostOffice, tmp_path: Path) -> None:
    chance = random.Random(2026)
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        write_configuration(tmp_path, office.imap_port, office.smtp_port)
        people = [
            mail_user(one, office.imap(one.lower()), office.smtp(one.lower()), tmp_path)
            for one in ("Ann", "Bob")
        ]
        bots = [Bot(one, random.Random(number)) for number, one in enumerate(people)]

        async def kills() -> None:
            for _ in range(KILLS):
                async with pbem(tmp_path, "run") as process:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(process.wait(), chance.uniform(0.0, 1.5))
                    process.send_signal(signal.SIGKILL)
                    await process.wait()
                leases_run_out(tmp_path)

        await together(kills(), *(stubborn(bot) for bot in bots))
        async with pbem(tmp_path, "run") as process:
            await asyncio.wait_for(quiet(table), 30)
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), 10) == 0
        await table.one_pass()
        verdict = verify(table.store, table.game.code)
        assert verdict.agrees, verdict.sentence
        with table.store.reading() as tx:
            received = tx.received(limit=1000)
        assert table.versions == 1 + sum(mail.disposition == "applied" for mail in received)
        assert {mail.disposition for mail in received} <= {"applied", "answered", "refused", "duplicate"}
        assert sum(one.sent for one in people) == len({mail.message_id for mail in received})
        assert (table.unsent, table.failed) == ([], [])
        for one in people:
            await one.fetch()
            await one.close()


async def test_sigterm_ends_it_in_good_order(office: PostOffice, tmp_path: Path) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")):
        write_configuration(tmp_path, office.imap_port, office.smtp_port)
        async with pbem(tmp_path, "run") as process:
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), 10) == 0


async def test_sigterm_between_two_mails_keeps_the_rest_for_the_next_start(
    office: PostOffice, sink: Sink, tmp_path: Path
) -> None:
    sink.will("RCPT bob@play.test", "hang")
    with game_table(tmp_path, office.imap("orders"), sink.smtp()) as table:
        write_configuration(tmp_path, office.imap_port, sink.port)
        async with pbem(tmp_path, "run") as process:
            await asyncio.wait_for(sink.hanging.wait(), 20)
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), 10) == 0
        assert table.unsent == ["bob@play.test"]
        await table.one_pass()
        assert [to for to, _ in sink.mails] == ["ann@play.test", "bob@play.test"]


async def test_a_wrong_password_is_one_sentence_and_exit_1(office: PostOffice, tmp_path: Path) -> None:
    write_configuration(tmp_path, office.imap_port, office.smtp_port, password="wrong")
    async with pbem(tmp_path, "run", "--once") as process:
        _, said = await process.communicate()
    assert process.returncode == 1
    (line,) = said.decode().splitlines()
    assert line.startswith("pbem: 127.0.0.1 refused the login of 'orders'")
    assert "wrong" not in line


async def test_an_unreachable_mail_server_is_one_sentence_and_exit_1(
    office: PostOffice, tmp_path: Path
) -> None:
    write_configuration(tmp_path, 1, office.smtp_port)
    async with pbem(tmp_path, "run", "--once") as process:
        _, said = await process.communicate()
    assert process.returncode == 1
    (line,) = said.decode().splitlines()
    assert line.startswith("pbem: connecting to 127.0.0.1:1")


async def test_one_pass_says_nothing_when_all_is_well(office: PostOffice, tmp_path: Path) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        write_configuration(tmp_path, office.imap_port, office.smtp_port)
        async with pbem(tmp_path, "run", "--once") as process:
            _, said = await process.communicate()
        assert (process.returncode, said, table.unsent) == (0, b"", [])
