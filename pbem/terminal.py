"""The person at `pbem play`: reads reports in the terminal, and writes orders there or in an editor."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from pbem.correspondent import Correspondent, Received
from pbem.errors import ConfigError

QUIT = "quit"


class Person:
    """Shows each mail, and asks for an answer to the newest one that wants one."""

    def __init__(self, correspondent: Correspondent, ask: Callable[[Received], str]) -> None:
        self.correspondent = correspondent
        #: Whether the player has left the table.
        self.left = False
        self._ask = ask
        self._console = Console(markup=False, highlight=False)

    async def attend(self) -> bool:
        """Show the mails that have come and answer the newest that asks; whether there was any."""
        mails = await self.correspondent.fetch()
        for mail in mails:
            self._console.rule(mail.subject)
            self._console.print(mail.text)
        asking = [mail for mail in mails if mail.asks]
        if asking and not self.left:
            body = await asyncio.to_thread(self._ask, asking[-1])
            if body.strip().lower() == QUIT:
                self.left = True
            else:
                await self.correspondent.write(asking[-1], body)
        await self.correspondent.put_away()
        return bool(mails)


def write_answer(mail: Received) -> str:
    """The text of the person's reply: from the editor that VISUAL or EDITOR names, else line by line."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if editor and sys.stdin.isatty():
        return edited(editor, mail)
    print(f"Your orders, one a line; an empty line sends them, {QUIT} leaves the table:")  # noqa: T201
    lines: list[str] = []
    while True:
        try:
            line = input("> ")
        except EOFError:
            return "\n".join(lines) or QUIT
        if line.strip().lower() == QUIT:
            return QUIT
        if not line.strip() and lines:
            return "\n".join(lines)
        lines.append(line)


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
            raise ConfigError(
                f"the editor {editor!r} failed; set EDITOR to one that works, or unset it"
            ) from error
        written = Path(file.name).read_text(encoding="utf-8")
    return QUIT if written.strip() in ("", offered.strip()) else written
