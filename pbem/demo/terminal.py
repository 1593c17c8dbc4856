"""The person at `pbem play`: reads reports in the terminal, and writes orders there or in an editor."""

import asyncio
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from rich.console import Console

from pbem.demo.client import MailClient, Received
from pbem.errors import ConfigError

QUIT = "quit"
#: First words of a reply after which the same move is still open.
QUESTIONS = frozenset({"help", "rules", "card", "status", "report", "history", "standing", "preview"})
#: What a terminal sends for a key that writes nothing, such as End or an arrow.
KEY = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.)")


class Person:
    """Shows each mail, and asks for an answer to the newest one that wants one."""

    def __init__(self, client: MailClient, ask: Callable[[Received], Awaitable[str]]) -> None:
        self.client = client
        #: Whether the player has left the table.
        self.left = False
        #: What still wants an answer.
        self._open: Received | None = None
        #: Whether the latest reply asked something, which leaves a move open.
        self._asked = False
        self._ask = ask
        self._console = Console(markup=False, highlight=False)

    async def attend(self) -> bool:
        """Show the mails that have come and answer the newest that asks; whether there was any."""
        mails = await self.client.fetch()
        for mail in mails:
            self._console.rule(mail.subject)
            self._console.print(mail.text)
        asking = [mail for mail in mails if mail.question]
        if mails:
            self._open = asking[-1] if asking else self._open if self._asked else None
        if mails and self._open and not self.left:
            await self._answer(self._open, shown=mails[-1] is self._open)
        await self.client.put_away()
        return bool(mails)

    async def _answer(self, mail: Received, *, shown: bool) -> None:
        """Have the mail answered; its question is shown again unless it is the last that was shown."""
        self._console.rule()
        if mail.question and (mail.question.buried or not shown):
            self._console.print(mail.question.text)
        body = await self._ask(mail)
        self.left = body.strip().lower() == QUIT
        if not self.left:
            words = {line.split()[0].lower() for line in body.splitlines() if line.strip()}
            self._asked = words <= QUESTIONS
            await self.client.write(mail, body)
            self._console.print("Sent. The answer comes by mail ...")


async def write_answer(mail: Received) -> str:
    """The text of the person's reply: from the editor that VISUAL or EDITOR names, else line by line."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if editor and sys.stdin.isatty():
        return await asyncio.to_thread(edited, editor, mail)
    print(  # noqa: T201
        "Type a number of the list, or orders, one a line; an empty line sends them.\n"
        f"You may ask as well: help, rules, status. {QUIT} or Ctrl-D leaves the table."
    )
    lines: list[str] = []
    async for line in typed(sys.stdin.fileno()):
        if line.lower() == QUIT:
            return QUIT
        if not line and lines:
            return "\n".join(lines)
        lines += [line] if line else []
    return "\n".join(lines) or QUIT


async def typed(file: int) -> AsyncIterator[str]:
    """The lines that are typed, each after a prompt.

    They are waited for in the loop, for a thread that reads could not be told that the player has left by Ctrl-C.
    """
    text = b""
    while True:
        print("> ", end="", flush=True)  # noqa: T201
        while b"\n" not in text:
            await readable(file)
            more = os.read(file, 4096)
            if not more:
                return
            text += more
        line, _, text = text.partition(b"\n")
        yield KEY.sub(b"", line).decode("utf-8", "replace").strip()


async def readable(file: int) -> None:
    """Wait until there is something to be read."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    try:
        loop.add_reader(file, ready.set)
    except PermissionError:
        return  # a file on disk, where there always is
    try:
        await ready.wait()
    finally:
        loop.remove_reader(file)


def edited(editor: str, mail: Received) -> str:
    """A reply written in an editor above the quoted report; an untouched one leaves the table."""
    quote = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
    offered = f"\n\n{quote}\n"
    with tempfile.NamedTemporaryFile("w+", suffix=".txt", encoding="utf-8") as file:
        file.write(offered)
        file.flush()
        try:
            subprocess.run([*shlex.split(editor), file.name], check=True)
        except (OSError, subprocess.CalledProcessError, ValueError) as error:
            raise ConfigError(f"the editor {editor!r} failed; set EDITOR to one that works, or unset it") from error
        written = Path(file.name).read_text(encoding="utf-8")
    return QUIT if written.strip() in ("", offered.strip()) else written
