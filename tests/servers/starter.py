"""Start `pbem` hundreds of times without loading it each time, to have it killed.

Run as a program it loads pbem once and then forks: each line of its input is a command line, and becomes a process
that runs it as the console script does. It says the process's number, and how it ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

TESTS = Path(__file__).parents[1]


class Starter:
    """Runs pbem in processes, one at a time."""

    def __init__(self, program: asyncio.subprocess.Process, log: Path) -> None:
        self._program = program
        #: What the processes write to stderr.
        self.log = log
        self.running = False
        self._pid = 0

    async def start(self, *arguments: str, point: str = "", passes: int = 1) -> None:
        """Start `pbem` with these arguments; it kills itself when it passes a point for the so many-th time."""
        assert self._program.stdin is not None
        order = {"arguments": arguments, "point": point, "passes": passes, "log": str(self.log)}
        self._program.stdin.write(json.dumps(order).encode() + b"\n")
        self._pid = await self._number()
        self.running = True

    async def wait(self) -> int:
        """How it ended: its exit status, or minus the signal that ended it."""
        status = await self._number()
        self.running = False
        return status

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self._pid, number)

    async def _number(self) -> int:
        assert self._program.stdout is not None
        line = await self._program.stdout.readline()
        assert line, self.log.read_text()
        return int(line)


@asynccontextmanager
async def starter(log: Path) -> AsyncIterator[Starter]:
    """A program that starts pbem; what it has started ends with it."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, __file__, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        cwd=TESTS.parent, env={**os.environ, "PYTHONPATH": f"{TESTS.parent}:{TESTS}"},
    )  # fmt: skip
    one = Starter(program, log)
    try:
        yield one
    finally:
        if one.running:
            one.send_signal(signal.SIGKILL)
        assert program.stdin is not None
        program.stdin.close()  # the end of its orders
        await program.wait()


def serve() -> None:
    """Read command lines, and run each."""
    # What a process needs is loaded here, once.
    from servers.points import arm

    import pbem.cli.main
    import pbem.server.daemon

    def run(order: dict[str, object]) -> None:
        nothing = os.open(os.devnull, os.O_RDWR)
        log = os.open(str(order["log"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for number, file in enumerate((nothing, nothing, log)):
            os.dup2(file, number)
        random.seed()
        left = [order["passes"]]

        def die() -> None:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        if order["point"]:
            arm(str(order["point"]), die)
        sys.argv = ["pbem", *order["arguments"]]
        pbem.cli.main.main()

    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            run(json.loads(line))
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
        sys.stdout.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
