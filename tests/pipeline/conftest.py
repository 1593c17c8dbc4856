"""A table in memory: people who write and receive mail, on a real database, through the real pipeline."""

from __future__ import annotations

import email
import email.policy
import email.utils
import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import pytest

from games.ankh_morpork.match import Match
from pbem.config import Settings
from pbem.mail.handling.pipeline import handle
from pbem.mail.reading.values import Fetched
from pbem.play import advance
from pbem.play.table import Table, UnitOfWork, load, rules_of
from pbem.protocol import Seat, decision_of
from pbem.server.clock import run_deadlines
from pbem.store import Ask, Disposition, Game, GameId, GameSettings, Store, Version

GAME_ADDRESS = "orders@play.example.org"
NAMES = ("Ann", "Bob", "Cid", "Dot")


class Received:
    """A mail as its reader sees it, read when it is looked at."""

    def __init__(self, to: str, raw: bytes) -> None:
        self.to = to
        self.raw = raw

    @cached_property
    def message(self) -> EmailMessage:
        message = email.message_from_bytes(self.raw.replace(b"\r\n", b"\n"), policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        return message

    @cached_property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @cached_property
    def text(self) -> str:
        return self.part("plain")

    @cached_property
    def html(self) -> str:
        return self.part("html")

    def part(self, kind: Literal["plain", "html"]) -> str:
        part = self.message.get_body((kind,))
        return str(part.get_content()) if part else ""

    @property
    def token(self) -> str:
        found = re.search(r"\[([0-9A-Z]{8})\]$", self.subject)
        return found[1] if found else ""

    @property
    def options(self) -> list[str]:
        """The orders that the HTML part offers as links, as the mail program would open them."""
        return re.findall(r"body=([^\"&]+)", self.html)


@dataclass
class Person:
    """Somebody with a mail program."""

    world: World
    name: str
    address: str
    inbox: list[Received] = field(default_factory=list)
    read: int = 0

    def writes(self, text: str, **how: Any) -> Disposition:
        """Answer a mail, as `letter` does, and have it handled."""
        return self.world.deliver(self.letter(text, **how))

    def letter(
        self,
        text: str,
        *,
        to: Received | None = None,
        sender: str = "",
        headers: dict[str, str] | None = None,
        subject: str = "",
        cc: str = "",
    ) -> bytes:
        """An answer to a mail (the newest, when it is not said which)."""
        parent = to or (self.inbox[-1] if self.inbox else None)
        message = EmailMessage(policy=email.policy.SMTP)
        message["From"] = f"{self.name} <{sender or self.address}>"
        message["To"] = GAME_ADDRESS
        if cc:
            message["Cc"] = cc
        message["Subject"] = subject or (f"Re: {parent.subject}" if parent else "Hello")
        message["Message-ID"] = email.utils.make_msgid(domain="client.example.org")
        message["Date"] = email.utils.format_datetime(self.world.now)
        if parent and not subject:
            message["In-Reply-To"] = parent.message["Message-ID"]
            message["References"] = parent.message["Message-ID"]
        for name, value in (headers or {}).items():
            message[name] = value
        message.set_content(text)
        return message.as_bytes()

    def receives(self, subject: str = "", text: str = "") -> Received:
        """The next mail, which must be about this."""
        assert self.read < len(self.inbox), f"{self.name} has no new mail"
        mail = self.inbox[self.read]
        self.read += 1
        assert subject.lower() in mail.subject.lower(), mail.subject
        assert text.lower() in mail.text.lower(), mail.text
        return mail

    def receives_nothing(self) -> None:
        assert self.inbox[self.read :] == []

    @property
    def newest(self) -> Received:
        return self.inbox[-1]

    def skip(self) -> None:
        """Take all that has come as read."""
        self.read = len(self.inbox)


@dataclass(frozen=True)
class Begun:
    """A game that has just begun: its database, and the mails that went out."""

    database: sqlite3.Connection
    game_id: GameId
    inboxes: dict[str, tuple[Received, ...]]
    sent_ids: tuple[str, ...]


#: Games that were begun, by everything that they began with: to copy one takes a tenth of the time.
BEGUN: dict[tuple[object, ...], Begun] = {}


class World:
    """A server with its database, a clock that tests turn, and everybody's mailboxes."""

    #: How a mail is read that somebody gets.
    mail = Received

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.now = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
        self.people: dict[str, Person] = {}
        self.moderator = self.person("Moderator", "mod@example.org")
        self.uid = 0
        #: Addresses whose mail server takes nothing.
        self.unreachable: set[str] = set()
        self.sent_ids: list[str] = []
        self.game_id = GameId(0)

    def person(self, name: str, address: str) -> Person:
        found = Person(self, name, address)
        self.people[address.lower()] = found
        return found

    def start(
        self, count: int, seed: bytes = b"\1" * 32, bots: int = 0, game: str = "ankh_morpork", **settings: object
    ) -> list[Person]:
        """Begin a game for so many people, and so many bots."""
        return self.seat(NAMES[:count], seed, bots, game, **settings)

    def start_for(self, name: str) -> GameId:
        """Begin a game of one person against a bot."""
        self.seat((name,), b"\1" * 32, 1, "ankh_morpork")
        return self.game_id

    def seat(self, names: Sequence[str], seed: bytes, bots: int, game_type: str, **settings: object) -> list[Person]:
        """Begin a game; where the world is new and one like it was begun before, copy that."""
        if self.game_id or len(self.people) > 1 or self.unreachable:
            return self.seat_anew(names, seed, bots, game_type, settings)
        ours = self.settings.model_dump_json(exclude={"database"})
        key = (tuple(names), seed, bots, game_type, repr(settings), ours, self.now)
        file = self.store.file
        assert file is not None
        if begun := BEGUN.get(key):
            with closing(sqlite3.connect(file)) as database:
                begun.database.backup(database)
            self.game_id, self.sent_ids = begun.game_id, [*begun.sent_ids]
            for name in names:
                self.person(name, f"{name.lower()}@example.org")
            for address, inbox in begun.inboxes.items():
                self.people[address].inbox += inbox
        else:
            self.seat_anew(names, seed, bots, game_type, settings)
            copy = sqlite3.connect(":memory:")
            with closing(sqlite3.connect(file)) as database:
                database.backup(copy)
            inboxes = {address: tuple(person.inbox) for address, person in self.people.items()}
            BEGUN[key] = Begun(copy, self.game_id, inboxes, tuple(self.sent_ids))
        return [self.people[f"{name.lower()}@example.org"] for name in names]

    def seat_anew(
        self, names: Sequence[str], seed: bytes, bots: int, game_type: str, settings: dict[str, object]
    ) -> list[Person]:
        with self.store.transaction() as tx:
            work = UnitOfWork(tx, self.settings, self.now)
            game = tx.add_game("Thursday night", game_type, GameSettings(**settings), seed, self.now)  # type: ignore[arg-type]
            people, colours = [], rules_of(game_type).colours
            for number, name in enumerate(names):
                address = f"{name.lower()}@example.org"
                person = self.people.get(address) or self.person(name, address)
                known = [one for one in tx.players_at(address) if one.name == name]
                player = known[0] if known else tx.add_player(name, address, self.now)
                tx.add_seat(game.id, Seat(number), colours[number], player.id)
                people.append(person)
            for number in range(len(names), len(names) + bots):
                tx.add_seat(game.id, Seat(number), colours[number], None, f"Bot {number}")
            advance.start_game(work, game.id)
        self.game_id = game.id
        self.post()
        return people

    def set_to(self, position: str, dice: Sequence[int] = ()) -> None:
        """Put a game of Ankh-Morpork into a written position, as a rollback would."""
        match = Match.from_position(position, dice)
        with self.store.transaction() as tx:
            game = tx.game(self.game_id)
            tx.save_version(
                game.id,
                parent=game.version,
                cause="rollback",
                turn=match.turn,
                snapshot=match.snapshot(),
                added=[],
                digest=match.digest(),
                now=self.now,
            )
            advance.rolled_back(UnitOfWork(tx, self.settings, self.now), self.game_id, from_turn=game.turn)
        self.post()

    def deliver(self, raw: bytes, uid: int = 0) -> Disposition:
        """One mail arrives and is handled; what is written goes out at once."""
        self.now += timedelta(minutes=1)
        disposition = handle(self.store, self.settings, self.fetched(raw, uid), self.now)
        self.post()
        return disposition

    def fetched(self, raw: bytes, uid: int = 0) -> Fetched:
        self.uid += 1
        return Fetched(uid=uid or self.uid, uidvalidity=7, size=len(raw), raw=raw)

    def post(self) -> None:
        """Send the outbox."""
        with self.store.transaction() as tx:
            for mail in tx.lease(self.now, limit=1000):
                if mail.recipient in self.unreachable:
                    tx.mark_retry(mail.id, "451 later", self.now + timedelta(hours=1))
                    continue
                tx.mark_sent([mail.id], self.now)
                self.sent_ids.append(mail.message_id)
                self.people[mail.recipient.lower()].inbox.append(self.mail(mail.recipient, mail.raw))

    def wait(self, hours: float) -> int:
        """Time passes; then the clock is looked at."""
        self.pass_time(hours)
        done = run_deadlines(self.store, self.settings, self.now)
        self.post()
        return done

    def pass_time(self, hours: float) -> None:
        """Time passes, with the mailbox looked into all along."""
        while hours > 0:
            step = min(hours, 0.9)
            hours -= step
            self.now += timedelta(hours=step)
            with self.store.transaction() as tx:
                tx.remember("mailbox_read_at", self.now.isoformat())

    @property
    def game(self) -> Game:
        with self.store.reading() as tx:
            return tx.game(self.game_id)

    @property
    def table(self) -> Table:
        with self.store.reading() as tx:
            return load(UnitOfWork(tx, self.settings, self.now), self.game_id)

    @property
    def asks(self) -> tuple[Ask, ...]:
        """What is asked of whom now."""
        with self.store.reading() as tx:
            return tuple(ask for ask in tx.open_asks(self.game_id) if ask.moves)

    def whose(self) -> Person:
        """Who must decide now."""
        table = self.table
        assert table.match.pending, "the game is over"
        answered = {ask.seat for ask in self.asks if ask.answered}
        seats = [decision.seat for decision in table.match.pending if decision.seat not in answered]
        player = table.players[seats[0]]
        assert player.address is not None
        return self.people[player.address.address.lower()]

    def others(self) -> list[Person]:
        """Everybody at the table who need not decide now."""
        table, asked = self.table, self.whose()
        found = [self.people[one.address.address.lower()] for one in table.players.values() if one.address]
        return [one for one in found if one is not asked]

    def chain(self) -> tuple[Version, ...]:
        """The versions that lead to the present one."""
        with self.store.reading() as tx:
            return tx.chain(self.game_id, tx.game(self.game_id).version)

    def orders(self) -> str:
        """Orders that play on for whoever must decide, as far as nobody else is asked."""
        table = self.table
        match = table.match.fork()
        answered = {ask.seat for ask in self.asks if ask.answered}
        seat = next(decision.seat for decision in match.pending if decision.seat not in answered)
        turn, orders = match.turn, []
        while match.turn == turn and (decision := decision_of(match, seat)):
            option = table.rules.bot(match.view(seat), decision, bytes(32))
            orders.append(option.text)
            match.choose(seat, option)
        return "\n".join(orders)

    def first_order(self) -> str:
        """The first of them alone, with what goes by itself left out."""
        return self.orders().splitlines()[0]

    def play_turn(self) -> None:
        """Mails until the turn is over."""
        turn = self.game.turn
        while self.game.turn == turn and self.game.status == "running":
            assert self.whose().writes(self.orders()) == "applied"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.model_validate(
        {
            "database": f"sqlite:///{tmp_path / 'pbem.db'}",
            "mail": {"address": GAME_ADDRESS, "moderator": "mod@example.org"},
            "imap": {"host": "localhost"},
            "smtp": {"host": "localhost"},
        }
    )


@pytest.fixture
def world(settings: Settings, tmp_path: Path, fresh_database: Callable[[Path], Store]) -> World:
    return World(fresh_database(tmp_path / "pbem.db"), settings)


@pytest.fixture
def begin(world: World) -> Callable[..., list[Person]]:
    return world.start
