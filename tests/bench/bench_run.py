"""How much memory `pbem run` takes, and how fast it answers, as a process of its own.

    python tests/bench/bench_run.py [--mails N] [--idle SECONDS]

A real `pbem run` reads an embedded IMAP server and sends to a sink; each mail plays a turn of another game of four
to its end. Prints one JSON object: its resident memory when it is ready and after the mails, the most it ever had,
seconds until all mails are answered and all reports sent, and the processor time it takes a second with nothing
to do. Linux only, for it looks into /proc.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench_mail import order_mails, settings_for, sink

from pbem.config import Settings
from pbem.demo.servers import PostOffice, post_office
from pbem.store import Store

PROGRAM = "from pbem.cli.main import main; main()"


def write_configuration(folder: Path, settings: Settings) -> Path:
    """A pbem.toml as a moderator writes it."""
    (folder / "password").write_text("secret\n")
    path = folder / "pbem.toml"
    path.write_text(
        f"""
        database = "{settings.database}"
        mail = {{ address = "{settings.mail.address}", moderator = "{settings.mail.moderator}" }}
        imap = {{ host = "127.0.0.1", port = {settings.imap.port}, tls = false, user = "orders", password_file = "password" }}
        smtp = {{ host = "127.0.0.1", port = {settings.smtp.port}, tls = "none" }}
        """
    )
    return path


class Running:
    """What the kernel says of a process."""

    def __init__(self, number: int) -> None:
        self.folder = Path(f"/proc/{number}")

    def megabytes(self, name: str) -> float:
        """`VmRSS`: what it has in memory; `VmHWM`: the most it had."""
        found = re.search(rf"^{name}:\s+(\d+) kB", (self.folder / "status").read_text(), re.MULTILINE)
        assert found is not None
        return round(int(found[1]) / 1024, 1)

    def cpu(self) -> float:
        """Seconds on a processor so far."""
        words = (self.folder / "stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


async def until(done: Any, what: str, seconds: float = 300) -> None:
    """Wait until something is so."""
    begun = time.monotonic()
    while not done():
        if time.monotonic() - begun > seconds:
            raise SystemExit(f"still waiting for {what}")
        await asyncio.sleep(0.1)


async def watched(office: PostOffice, settings: Settings, folder: Path, given: Any) -> dict[str, Any]:
    with Store(settings.database) as store:
        store.create()
        mails = order_mails(store, settings, given.mails)

        def all_done() -> bool:
            with store.reading() as tx:
                return len(tx.received("applied", limit=10_000)) >= len(mails) and tx.next_sending() is None

        path = write_configuration(folder, settings)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", PROGRAM, "run", "--config", str(path)), stderr=asyncio.subprocess.DEVNULL
        )
        try:
            running = Running(process.pid)
            await asyncio.sleep(3)
            ready = running.megabytes("VmRSS")
            begun, cpu = time.perf_counter(), running.cpu()
            for raw in mails:
                await office.deliver("orders", raw)
            await until(all_done, "answers")
            took, cpu = time.perf_counter() - begun, running.cpu() - cpu
            after, most = running.megabytes("VmRSS"), running.megabytes("VmHWM")
            idle = running.cpu()
            await asyncio.sleep(given.idle)
            idle = running.cpu() - idle
        finally:
            process.terminate()
            status = await process.wait()
    return {
        "mails": len(mails),
        "seconds": round(took, 2),
        "cpu_ms_a_mail": round(cpu / len(mails) * 1000, 1),
        "megabytes_ready": ready,
        "megabytes_after": after,
        "megabytes_most": most,
        "idle_cpu_ms_a_second": round(idle / given.idle * 1000, 1),
        "exit_status": status,
    }


async def measure(given: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place, sink() as port:
        async with post_office({"orders": "secret"}) as office:
            settings = settings_for(office, port, Path(place) / "pbem.db")
            return await watched(office, settings, Path(place), given)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=200)
    parser.add_argument("--idle", type=float, default=20)
    json.dump(asyncio.run(measure(parser.parse_args())), sys.stdout, indent=1)
    print()
