"""A mail client as a player has one: a mailbox of their own, and replies written from what stands in their mail.

The demo's bots and the person at `pbem play` both write through this. Nothing here may look into the database
or the match: what a player knows is in the mails.
"""

import email
import email.policy
import mailbox
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from pbem.config import Imap, Smtp
from pbem.mail.reading.html import lines_of_html
from pbem.mail.wire.compose import KIND_HEADER
from pbem.mail.wire.imap import Mailbox
from pbem.mail.wire.smtp import Sender

#: How a player's mail program quotes and where its owner writes.
HABITS = ("above", "bare", "section", "numbers")
#: Orders that a bot does not like to give while there is another one.
IDLE_WORDS = frozenset({"skip", "pass", "end", "done", "refuse"})
#: Where an element of our mails begins or ends; and the link that writes an order of the list.
DIV = re.compile(r"<(/?)div\b")
#: A section with a mark, to the next section; what stands before all sections; words on a ground of their own.
SECTION = re.compile(r'<h2 data-part="(\w+)"[^>]*>.*?</h2>(.*?)(?=<h2\b|<div data-part="foot"|\Z)', re.DOTALL)
HEAD = re.compile(r'<body\b[^>]*>(.*?)(?=<h2\b|<div data-part="foot"|\Z)', re.DOTALL)
#: How to answer by mail: our programs know.
HOW = re.compile(r'<div data-part="how">.*?</div>', re.DOTALL)
#: What begins each order of a list, each whole turn and its other choices.
ITEM = re.compile(r"<small|<details|<a [^>]*display:block")
INK = re.compile(r'<span style="[^"]*background:(#\w+);color:(#\w+)[^"]*">([^<]+)</span>')
ORDER = re.compile(r'id="o(\d+)" href="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Question:
    """What a mail asks."""

    #: Its words, as in the mail.
    text: str
    #: The orders that may be given now, in the order of their numbers; none where a list would be too long.
    options: tuple[str, ...]
    #: Whether something else follows it in the mail.
    buried: bool


@dataclass(frozen=True, slots=True)
class Received:
    """A mail as its reader sees it."""

    subject: str
    text: str
    message_id: str
    #: Where an answer goes.
    reply_to: str
    #: None for a mail that wants no answer.
    question: Question | None = None
    #: What it is, such as `report`.
    kind: str = ""
    #: What stands before its first section, and in each section with a mark, in lines.
    head: tuple[str, ...] = ()
    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: The colours of words that have a ground of their own: `#ffffff on #c62828`.
    inks: Mapping[str, str] = field(default_factory=dict)

    @property
    def options(self) -> tuple[str, ...]:
        """What it says may be done now."""
        return self.question.options if self.question else ()

    @property
    def map(self) -> tuple[str, ...]:
        """The lines of its text that are drawn, and what explains them in the line before."""
        lines = self.text.splitlines()
        drawn = [number for number, line in enumerate(lines) if line.startswith(("+-", "|"))]
        return tuple(lines[drawn[0] - 1 : drawn[-1] + 1]) if drawn else ()


def read(raw: bytes) -> Received:
    """A mail as a mail program shows it."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    plain, body = message.get_body(("plain",)), message.get_body(("html",))
    html = body.get_content() if body else ""
    head = HEAD.search(html)
    return Received(
        subject=" ".join(str(message["Subject"] or "").split()),
        text=plain.get_content().replace("\r\n", "\n") if plain else "",
        message_id=str(message["Message-ID"]),
        reply_to=parseaddr(str(message["Reply-To"] or message["From"]))[1],
        question=question_in(html),
        kind=str(message[KIND_HEADER] or ""),
        head=lines_in(head[1]) if head else (),
        sections={mark: lines_in(section) for mark, section in SECTION.findall(html)},
        inks={unescape(word): f"{digits(ink)} on {digits(ground)}" for ground, ink, word in INK.findall(html)},
    )


def digits(colour: str) -> str:
    """A colour of CSS with six digits: `#fff` is `#ffffff`."""
    return colour if len(colour) == 7 else "#" + "".join(digit * 2 for digit in colour[1:])


def lines_in(html: str) -> tuple[str, ...]:
    """The lines that a person sees of some HTML."""
    lines = (" ".join(line.text.split()) for line in lines_of_html(html))
    return tuple(line for line in lines if line)


def question_in(html: str) -> Question | None:
    """The question in the HTML part of a mail: what `templates/base/html/format.j2` puts there for programs."""
    _, asked, html = html.partition('<div id="asked">')
    if not asked:
        return None
    end, depth = len(html), 1
    for div in DIV.finditer(html):
        depth += -1 if div[1] else 1
        if not depth:
            end = div.start()
            break
    words = ITEM.sub(r"<br>\g<0>", HOW.sub("", html[:end]))
    links = {int(number): urlsplit(unescape(link)) for number, link in ORDER.findall(html)}
    numbers = sorted(links)
    whole = numbers == list(range(1, len(numbers) + 1))
    return Question(
        text="\n".join(lines_in(words)),
        options=tuple(parse_qs(links[number].query)["body"][0] for number in numbers) if whole else (),
        buried="<h2" in html[end:],
    )


class MailClient:
    """The mailbox of somebody who answers the game's mails."""

    def __init__(
        self, name: str, address: str, imap: Imap, smtp: Smtp, folder: Path, habit: str, markers: Sequence[str]
    ) -> None:
        self.name = name
        self.address = address
        self.habit = habit
        self.markers = markers
        self.mailbox = Mailbox(imap, max_bytes=10_000_000)
        self.sender = Sender(smtp, address)
        #: Mails sent so far.
        self.sent = 0
        self._texts = folder / "text"
        self._texts.mkdir(parents=True, exist_ok=True)
        self._maildir = mailbox.Maildir(folder / "Maildir")
        self._here: list[int] = []

    async def fetch(self) -> list[Received]:
        """The mails that have come, oldest first; `put_away` is to follow once they are dealt with."""
        if not self.mailbox.connected:
            await self.mailbox.connect()
        mails = await self.mailbox.new()
        self._here = [mail.uid for mail in mails]
        received = [read(mail.raw or b"") for mail in mails]
        for fetched, mail in zip(mails, received, strict=True):
            self._keep(fetched.raw or b"", "received", mail.subject, mail.text)
        return received

    async def put_away(self) -> None:
        """Move what was fetched out of the inbox."""
        await self.mailbox.done(self._here, self.mailbox.settings.processed)
        self._here = []

    async def answer(self, mail: Received, orders: Sequence[str]) -> None:
        """Reply to a mail with these orders, one a line, as this player's mail program would."""
        await self.write(mail, written(self.habit, orders, mail, self.markers))

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
        self._maildir.add(raw)
        title = re.sub(r"[^A-Za-z0-9]+", "-", subject).strip("-")[:60]
        path = self._texts / f"{len(self._maildir):04d}-{which}-{title}.txt"
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

    #: Seconds after which it looks for mail even if none was told of.
    patience = 60.0

    def __init__(self, client: MailClient, chance: random.Random) -> None:
        self.client = client
        self.chance = chance

    async def attend(self) -> bool:
        """Answer the newest mail that asks something; whether there was any mail."""
        mails = await self.client.fetch()
        asking = [mail for mail in mails if mail.question]
        if asking:
            await self.client.answer(asking[-1], [self.order(asking[-1].options)])
        await self.client.put_away()
        return bool(mails)

    def order(self, options: Sequence[str]) -> str:
        if not options:
            return "1"  # too many to be listed; the first will do
        busy = [text for text in options if text.partition(" ")[0] not in IDLE_WORDS]
        text = self.chance.choice(busy or list(options))
        return str(options.index(text) + 1) if self.client.habit == "numbers" else text
