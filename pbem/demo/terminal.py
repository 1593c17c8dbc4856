"""The person at `pbem play`: a compact screen for each decision, and orders or questions typed below it."""

import asyncio
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from rich.console import Console

from pbem.demo.client import MailClient, Received
from pbem.demo.screen import screen, short
from pbem.errors import ConfigError

QUIT, EDIT = "quit", "edit"
HINT = (
    "Type a number of the list, or orders: play Groat; minion Dimwell; end. You may ask as well: aid, help, rules, "
    f"card NAME, or in your own words. {EDIT} opens your editor, {QUIT} or Ctrl-D leaves the table."
)
#: Mails that say what is asked of their reader, and with nothing asked that nothing is. All others, such as the answer to
#: a question, leave open what was open.
DECISIVE = frozenset({"welcome", "report", "acknowledgement", "undone", "rolled_back", "final"})
#: Mails that are shown as a screen when they ask something, and in short when they do not.
REPORTS = frozenset({"welcome", "report", "rolled_back"})
#: What a terminal sends for a key that writes nothing, such as End or an arrow.
KEY = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.)")


def now() -> float:
    """The seconds of the loop's clock."""
    return asyncio.get_running_loop().time()


class Person:
    """Shows each mail, and asks for an answer to the newest one that wants one."""

    #: Seconds after which a reply that nothing came of may be written again.
    patience = 20.0

    def __init__(
        self, client: MailClient, ask: Callable[[Received], Awaitable[str]], console: Console | None = None
    ) -> None:
        self.client = client
        #: Whether the player has left the table.
        self.left = False
        #: What still wants an answer.
        self._open: Received | None = None
        #: When the last reply left that nothing has come of so far.
        self._sent_at: float | None = None
        self._ask = ask
        self._console = console or Console(markup=False, highlight=False)
        self._hint = HINT

    @property
    def asked(self) -> bool:
        """Whether it is the player who is waited for."""
        return self._open is not None

    async def attend(self) -> bool:
        """Show the mails that have come and answer the newest that asks; whether there was any. When nothing came of a
        reply, another one may be written."""
        mails = await self.client.fetch()
        for mail in mails:
            if mail.question or mail.kind in DECISIVE:
                self._open = mail if mail.question else None
            self._show(mail)
        late = self._sent_at is not None and now() >= self._sent_at + self.patience
        if late and not mails:
            self._console.print("Nothing has come of it so far; you may write once more.")
        if mails or late:
            self._sent_at = None
            if self._open and not self.left:
                await self._answer(self._open, shown=bool(mails) and mails[-1] is self._open)
        await self.client.put_away()
        return bool(mails)

    def _show(self, mail: Received) -> None:
        self._console.rule(mail.subject)
        if mail.kind not in REPORTS:
            self._console.print(typed_above(mail.text, self.client.markers[0]))
        else:
            self._console.print((screen if mail.question else short)(mail, self._console))

    async def _answer(self, mail: Received, *, shown: bool) -> None:
        """Have the mail answered; its question is shown unless it is the last that was shown."""
        if mail.question and (mail.kind in REPORTS or mail.question.buried or not shown):
            self._console.rule()
            self._console.print(mail.question.text)
        if self._hint:
            self._console.print(self._hint)
            self._hint = ""
        body = await self._ask(mail)
        self.left = body.strip().lower() == QUIT
        if not self.left:
            await self.client.write(mail, body)
            self._sent_at = now()
            self._console.print("Sent. The answer comes by mail ...")


def typed_above(text: str, marker: str) -> str:
    """A mail without the section to fill in at its end."""
    above, _, _ = text.partition(f"\n{marker}\n")
    return above.rpartition("\n\n")[0] if above != text else text.rstrip()


class Keyboard:
    """What is typed or piped in: the lines that come together are one reply."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._text = b""

    async def __call__(self, mail: Received) -> str:
        """The text of the person's reply; `quit` at the end of the file."""
        lines: list[str] = []
        print("> ", end="", flush=True)  # noqa: T201
        while not lines or b"\n" in self._text:
            line = await self._line()
            if line is None or line.lower() == QUIT:
                return "\n".join(lines) if line is None and lines else QUIT
            if line.lower() == EDIT:
                editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
                try:
                    return await asyncio.to_thread(edited, editor, mail)
                except ConfigError as failed:
                    print(f"{failed}\n> ", end="", flush=True)  # noqa: T201
                    continue
            if not line and lines:
                break
            lines += [line] if line else []
        return "\n".join(lines)

    async def _line(self) -> str | None:
        """The next line; None at the end.

        It is waited for in the loop, for a thread that reads could not be told that the player has left by Ctrl-C.
        """
        while b"\n" not in self._text:
            await readable(self._file)
            more = os.read(self._file, 4096)
            if not more and not self._text:
                return None
            self._text += more or b"\n"
        line, _, self._text = self._text.partition(b"\n")
        return KEY.sub(b"", line).decode("utf-8", "replace").strip()


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
