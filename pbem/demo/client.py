"""A player as the server sees one: a mailbox of their own, and replies written from what stands in their mail.

The demo's bots and the person at `pbem play` both write through this. Nothing here may look into the database
or the match: what a player knows is in the mails.
"""

from __future__ import annotations

import email
import email.policy
import mailbox
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from itertools import takewhile
from pathlib import Path

from pbem.config import Imap, Smtp
from pbem.mail.wire.imap import Mailbox
from pbem.mail.wire.smtp import Sender

#: How a player's mail program quotes and where its owner writes.
HABITS = ("above", "bare", "section", "numbers")
#: Orders that a bot does not like to give while there is another one.
IDLE_WORDS = frozenset({"skip", "pass", "end", "done", "refuse"})
#: How the heading begins above what may be done.
ASKING = "WHAT YOU MAY DO"
SINGLE = re.compile(r" {2,3}(\d+)  ?(\S.*)")
GROUP = re.compile(r"  (\S.*) \.\.\.")
TAIL = re.compile(r"(\d+) (.+?)(?:, (?=\d+ )|$)")


@dataclass(frozen=True, slots=True)
class Received:
    """A mail as its reader sees it."""

    subject: str
    text: str
    message_id: str
    #: Where an answer goes.
    reply_to: str

    @property
    def asks(self) -> bool:
        """Whether it wants an answer."""
        return bool(unwrapped(self.text))

    @property
    def section(self) -> tuple[str, ...]:
        """The lines that say what may be done now, as they stand there."""
        lines = self.text.splitlines()
        first = next((number for number, line in enumerate(lines) if line.startswith(ASKING)), len(lines))
        rest = takewhile(lambda line: not line or line[0].isspace(), lines[first + 1 :])
        return tuple("\n".join((*lines[first : first + 1], *rest)).rstrip().splitlines())

    @property
    def options(self) -> tuple[str, ...]:
        """What it says may be done now, in the order of its numbers; none where a list would be too long."""
        return options_in(self.text)


def read(raw: bytes) -> Received:
    """The text part of a mail, as a mail program shows it."""
    message = email.message_from_bytes(raw)
    part = next((one for one in message.walk() if one.get_content_type() == "text/plain"), None)
    content = part.get_payload(decode=True) if part is not None else b""
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else ""
    return Received(
        subject=" ".join(str(make_header(decode_header(message["Subject"] or ""))).split()),
        text=text.replace("\r\n", "\n"),
        message_id=str(message["Message-ID"]),
        reply_to=parseaddr(message["Reply-To"] or message["From"])[1],
    )


def options_in(text: str) -> tuple[str, ...]:
    """The numbered orders of a report, whether each has its line or they stand in groups with a common beginning."""
    found: dict[int, str] = {}
    lead, latest = "", 0
    for line in unwrapped(text):
        if single := SINGLE.fullmatch(line):
            lead, latest = "", int(single[1])
            found[latest] = single[2]
        elif group := GROUP.fullmatch(line):
            lead = group[1]
        elif lead and line[:1].isdigit():
            found.update({int(number): f"{lead} {tail}" for number, tail in TAIL.findall(line)})
        else:
            lead = ""
    numbers = sorted(found)
    return tuple(found[number] for number in numbers) if numbers == list(range(1, len(numbers) + 1)) else ()


def unwrapped(text: str) -> list[str]:
    """The lines of the section that asks, continued lines put together again."""
    lines: list[str] = []
    within = False
    for line in text.splitlines():
        if line and not line[0].isspace():
            within = line.startswith(ASKING)
        if not within or not line.strip():
            continue
        bare = line.strip()
        indent = len(line) - len(line.lstrip())
        if indent >= 5 and lines and not GROUP.fullmatch(lines[-1]):
            lines[-1] += f" {bare}"
        else:
            lines.append(bare if indent >= 5 else line)
    return lines


class Correspondent:
    """Somebody with a mailbox, who answers the game's mails."""

    def __init__(
        self,
        name: str,
        address: str,
        imap: Imap,
        smtp: Smtp,
        folder: Path,
        habit: str,
        markers: Sequence[str],
    ) -> None:
        self.name = name
        self.address = address
        self.habit = habit
        self.markers = markers
        self.mailbox = Mailbox(imap, max_bytes=10_000_000)
        self.sender = Sender(smtp, address)
        #: Mails received and sent so far.
        self.received = 0
        self.sent = 0
        #: The newest mail received.
        self.latest: Received | None = None
        self._maildir = mailbox.Maildir(folder / "Maildir")
        self._texts = folder / "text"
        self._texts.mkdir(exist_ok=True)
        self._kept = 0
        self._here: list[int] = []

    async def fetch(self) -> list[Received]:
        """The mails that have come, oldest first; `put_away` is to follow once they are dealt with."""
        if not self.mailbox.connected:
            await self.mailbox.connect()
        mails = await self.mailbox.new()
        self._here = [mail.uid for mail in mails]
        found = [read(mail.raw or b"") for mail in mails]
        for fetched, mail in zip(mails, found, strict=True):
            self.received += 1
            self._keep(fetched.raw or b"", "received", mail.subject, mail.text)
        self.latest = found[-1] if found else self.latest
        return found

    async def put_away(self) -> None:
        """Move what was fetched out of the inbox."""
        await self.mailbox.done(self._here, self.mailbox.settings.processed)
        self._here = []

    async def answer(self, mail: Received, orders: Sequence[str]) -> None:
        """Reply to a mail with these orders, one a line, as this player's mail program would."""
        body = written(self.habit, orders, mail, self.markers)
        await self.write(mail, body)

    async def write(self, mail: Received, body: str) -> None:
        """Reply to a mail with this text."""
        reply = EmailMessage(policy=email.policy.SMTP)
        reply["From"] = f"{self.name} <{self.address}>"
        reply["To"] = mail.reply_to
        reply["Subject"] = mail.subject if mail.subject.startswith("Re: ") else f"Re: {mail.subject}"
        reply["Date"] = formatdate()
        reply["Message-ID"] = make_msgid(domain=self.address.partition("@")[2])
        reply["In-Reply-To"] = reply["References"] = mail.message_id
        reply.set_content(body, cte="8bit" if not body.isascii() else None)
        raw = reply.as_bytes()
        await self.sender.send(mail.reply_to, raw)
        self.sent += 1
        self._keep(raw, "sent", reply["Subject"], body)

    def _keep(self, raw: bytes, which: str, subject: str, text: str) -> None:
        self._kept += 1
        self._maildir.add(raw)
        title = re.sub(r"[^A-Za-z0-9]+", "-", subject).strip("-")[:60]
        path = self._texts / f"{self._kept:04d}-{which}-{title}.txt"
        path.write_text(f"Subject: {subject}\n\n{text}", encoding="utf-8")

    async def close(self) -> None:
        await self.mailbox.close()
        await self.sender.close()


def written(habit: str, orders: Sequence[str], mail: Received, markers: Sequence[str]) -> str:
    """A reply's text: above the quoted report, alone, or in the section that the report has for it."""
    lines = "\n".join(orders)
    quote = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
    if habit == "above":
        return f"{lines}\n\nOn an earlier day the game wrote:\n{quote}\n"
    if habit == "section" and f"> {markers[0]}" in quote:
        return quote.replace(f"> {markers[0]}", f"> {markers[0]}\n{lines}", 1) + "\n"
    return f"{lines}\n"


class Bot:
    """Chooses among the options of a mail: by chance, but it would rather do something than nothing."""

    def __init__(self, correspondent: Correspondent, chance: random.Random) -> None:
        self.correspondent = correspondent
        self.chance = chance

    async def attend(self) -> bool:
        """Answer the newest mail that asks something; whether there was any mail."""
        mails = await self.correspondent.fetch()
        asking = [mail for mail in mails if mail.asks]
        if asking:
            await self.correspondent.answer(asking[-1], [self.order(asking[-1].options)])
        await self.correspondent.put_away()
        return bool(mails)

    def order(self, options: Sequence[str]) -> str:
        if not options:
            return "1"  # too many to be listed; the first will do
        busy = [text for text in options if text.partition(" ")[0] not in IDLE_WORDS]
        text = self.chance.choice(busy or list(options))
        return str(options.index(text) + 1) if self.correspondent.habit == "numbers" else text
