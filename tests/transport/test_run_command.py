"""`pbem run` as a process of its own: stopped by signals, refused at its start."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from servers.sink import Sink
from servers.table import game_table, write_configuration

from pbem.demo.servers import PostOffice
from pbem.errors import MailError, Permanent, Transient
from pbem.server.passes import news, said_once_a_day

PROGRAM = "from pbem.cli.main import main; main()"


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


async def test_sigterm_ends_it_in_good_order(office: PostOffice, tmp_path: Path) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")):
        write_configuration(tmp_path, office.imap_port, office.smtp_port)
        async with pbem(tmp_path, "run") as process:
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), 10) == 0


@pytest.mark.slow
async def test_sighup_does_not_end_it(office: PostOffice, tmp_path: Path) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")):
        write_configuration(tmp_path, office.imap_port, office.smtp_port)
        async with pbem(tmp_path, "run") as process:
            process.send_signal(signal.SIGHUP)
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), 10) == 0


@pytest.mark.slow
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


@pytest.mark.slow
async def test_a_wrong_password_is_one_sentence_and_exit_1(office: PostOffice, tmp_path: Path) -> None:
    write_configuration(tmp_path, office.imap_port, office.smtp_port, password="wrong")
    async with pbem(tmp_path, "run", "--once") as process:
        _, said = await process.communicate()
    assert process.returncode == 1
    (line,) = said.decode().splitlines()
    assert line.startswith("pbem: 127.0.0.1 refused the login of 'orders'")
    assert "wrong" not in line


@pytest.mark.slow
async def test_an_unreachable_mail_server_is_one_sentence_and_exit_1(office: PostOffice, tmp_path: Path) -> None:
    write_configuration(tmp_path, 1, office.smtp_port)
    async with pbem(tmp_path, "run", "--once") as process:
        _, said = await process.communicate()
    assert process.returncode == 1
    (line,) = said.decode().splitlines()
    assert line.startswith("pbem: connecting to 127.0.0.1:1")


def failing_pass(path: Path, error: Exception) -> str:
    """How a pass that fails so ends."""
    with pytest.raises((MailError, SystemExit)) as caught, said_once_a_day(path):
        raise error
    return str(caught.value)


def test_a_failing_pass_says_so_once_and_when_it_is_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pbem.toml"
    errors = (Transient("lost"), Transient("lost again"), Permanent("refused"), Transient("lost"), Permanent("refused"))
    assert [failing_pass(path, error) for error in errors] == ["lost", "1", "refused", "1", "1"]
    for _ in range(2):
        with said_once_a_day(path):
            pass
    said = capsys.readouterr().err.splitlines()
    assert sorted(said) == [f"pbem: works again, after a {kind}" for kind in ("Permanent", "Transient")]
    assert failing_pass(path, errors[0]) == "lost"


@pytest.mark.slow
async def test_the_same_failure_is_not_said_twice_in_a_day(tmp_path: Path) -> None:
    (tmp_path / "pbem.toml").write_text("[mail]")
    for lines in (1, 0):
        async with pbem(tmp_path, "run", "--once") as process:
            _, said = await process.communicate()
        assert (process.returncode, len(said.splitlines())) == (1, lines)


@pytest.mark.parametrize(("hours", "again"), [(23.9, False), (24.1, True)])
def test_a_failure_that_lasts_is_said_again_after_a_day(tmp_path: Path, hours: float, again: bool) -> None:
    file = tmp_path / "pbem.StoreError.failed"
    assert news(file)
    assert not news(file)
    long_ago = file.stat().st_mtime - hours * 3600
    os.utime(file, (long_ago, long_ago))
    assert (news(file), news(file)) == (again, False)


def test_a_failure_that_cannot_be_noted_is_said(tmp_path: Path) -> None:
    assert news(tmp_path / "missing" / "pbem.StoreError.failed")


async def test_one_pass_says_nothing_when_all_is_well(office: PostOffice, tmp_path: Path) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        write_configuration(tmp_path, office.imap_port, office.smtp_port)
        async with pbem(tmp_path, "run", "--once") as process:
            _, said = await process.communicate()
        assert (process.returncode, said, table.unsent) == (0, b"", [])
