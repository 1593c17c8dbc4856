"""What leaves the store and goes into it: frozen values, never a row that is tied to the database.

Each field is a column of the table that `pbem.store.tables` makes of its value. Times are aware and UTC. Secrets
(seeds, tokens, snapshots, mails) are left out of every `repr`.
"""

import email
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NewType, TypeAlias

from pydantic import ConfigDict, Field

from pbem.address import address_key
from pbem.config import Defaults
from pbem.protocol import Seat

GameId = NewType("GameId", int)
PlayerId = NewType("PlayerId", int)
InboundId = NewType("InboundId", int)
OutboundId = NewType("OutboundId", int)

#: open: seats are being filled; running; paused: no deadline passes; over.
Status: TypeAlias = Literal["open", "running", "paused", "over"]
#: Who or what made a version.
Cause: TypeAlias = Literal["start", "mail", "deadline", "moderator", "rollback"]
#: What became of a received mail. `quarantined` and `parked` wait for somebody; all others are settled.
Disposition: TypeAlias = Literal["applied", "answered", "refused", "parked", "ignored", "duplicate", "quarantined"]
#: Where a mail of ours is: waiting, in the hands of a sender, accepted by the server, given up.
OutboundStatus: TypeAlias = Literal["queued", "leased", "sent", "failed"]
#: What an ask is for: `turn` moves in the own turn, `window` answers a reaction; `yes` confirms something, `newcomer`
#: asks at a new address whether it is the player's, `told` lets commands be sent, and none of these moves anything by
#: itself.
AskKind: TypeAlias = Literal["turn", "window", "yes", "newcomer", "told"]
#: What the installation remembers about itself, by name: `mailbox_read_at`, when mail could last be read and sent;
#: `mailbox_read_every`, the seconds between the last times; `sending_stopped_at`, since when no mail leaves; and when
#: something was last done that is done once a day, such as `silence_told_at` or `refused_told_at ann@example.org`;
#: `smtputf8`, whether our mail server writes to addresses of any alphabet (`yes`).
Fact: TypeAlias = str


class GameSettings(Defaults):
    """The settings of one game; each game can differ."""

    # What another version of pbem knew as well is left out.
    model_config = ConfigDict(extra="ignore")

    #: How windows are answered: from policies at once, sealed all together, or by asking the holders.
    reactions: Literal["standing", "sealed", "ask"] = "standing"
    #: The game's own settings, chosen at the start.
    rules: Mapping[str, str] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Address:
    """One mail address of a player, who is known to read it."""

    player_id: PlayerId
    #: As its owner writes it.
    address: str
    #: When a hard bounce came back; None while mail arrives.
    bouncing_at: datetime | None = None
    #: What the bounce said.
    bounce_reason: str = ""
    #: Reports go to this one of a player's addresses.
    preferred: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """A person, known by one or more addresses."""

    id: PlayerId
    name: str
    #: Time zone of the dates in this player's reports; empty for the game's.
    timezone: str = ""
    #: The address that reports go to first, then the others.
    addresses: tuple[Address, ...] = ()
    #: Where reports will go, and from when; until then it is no address of the player.
    moving_to: str = ""
    moving_at: datetime | None = None

    @property
    def address(self) -> Address | None:
        """Where reports go: the preferred address, unless it bounces and another one does not."""
        return min(self.addresses, key=lambda address: address.bouncing_at is not None, default=None)

    def owns(self, address: str) -> bool:
        """Whether this is an address of the player (letter case does not matter)."""
        return address_key(address) in {address_key(own.address) for own in self.addresses}


@dataclass(frozen=True, slots=True)
class Game:
    """One match being played, with its settings."""

    id: GameId
    #: `G042`
    code: str
    name: str
    #: Entry-point name of the rules, such as `ankh_morpork`.
    game_type: str
    status: Status
    settings: GameSettings
    #: The 32 bytes that everything random comes from.
    seed: bytes = field(repr=False)
    created_at: datetime
    #: SHA-256 of seed and set-up that the players got at the start; empty before it.
    commitment: str = ""
    #: Number of the current version; 0 before the start.
    version: int = 0
    #: The turn of the current version; 0 before the start.
    turn: int = 0
    started_at: datetime | None = None
    paused_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """A seat of a game and who sits there. (`protocol.Seat` is its number alone.)"""

    game_id: GameId
    seat: Seat
    colour: str
    #: Who plays it; None for a bot.
    player_id: PlayerId | None
    #: The name others read: the player's, or the bot's.
    name: str
    #: Grows by one when the player is replaced; tokens and policies belong to a tenure.
    tenure: int = 1
    #: Turns in a row that the deadline made for this player.
    nmr_count: int = 0
    #: A bot keeps the seat until its player writes again.
    stand_in: bool = False
    #: Sequence of the last event this seat was told.
    last_reported: int = 0

    @property
    def bot(self) -> bool:
        """Whether a bot decides here: no player, or one who fell silent."""
        return self.player_id is None or self.stand_in


@dataclass(frozen=True, slots=True)
class VersionInfo:
    """A version without its snapshot."""

    game_id: GameId
    number: int
    #: The version that `added` continues; None for the first. A rollback continues the version it copies.
    parent: int | None
    cause: Cause
    turn: int
    #: Digest of the state (`Match.digest()`).
    digest: str
    created_at: datetime
    #: Fresh entropy that was mixed in after `added` (a rollback past a reveal), hexadecimal; else empty.
    entropy: str = field(default="", repr=False)
    #: The mail that caused it.
    inbound_id: InboundId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Version(VersionInfo):
    """A stored state of a game; never changed."""

    #: `Match.snapshot()`.
    snapshot: Mapping[str, Any] = field(repr=False)
    #: The choices since the parent: [seat, text, outcomes] each.
    added: Sequence[Sequence[Any]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event of a game's log."""

    game_id: GameId
    #: Grows by one an event, per game.
    sequence: int
    version: int
    turn: int
    #: Colour of the seat whose turn it was; empty where all play at once and before the first turn.
    actor: str
    kind: str
    data: Mapping[str, Any]
    #: What single seats may read besides, by seat.
    private: Mapping[int, Mapping[str, Any]] = field(repr=False)

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        """The data as `seat` may read it; None is the public."""
        return {**self.data, **(self.private.get(seat, {}) if seat is not None else {})}


@dataclass(frozen=True, slots=True)
class Ask:
    """One request for orders, mailed to one seat, with its token."""

    #: Never reused.
    number: int
    token: str = field(repr=False)
    game_id: GameId
    seat: Seat
    tenure: int
    #: The version and turn it was made for.
    version: int
    turn: int
    kind: AskKind
    #: When its time began: when it was made, or when a report came that was late by the fault of a mail server.
    opened_at: datetime
    #: Option texts as numbered in its mail: a bare number answers only this menu.
    menu: tuple[str, ...] = ()
    #: None: it has no deadline.
    due_at: datetime | None = None
    remind_at: datetime | None = None
    reminded_at: datetime | None = None
    #: Time left of a turn whose clock stands, in seconds.
    left_seconds: float | None = None
    #: When the player's mail server took the report; no deadline passes before. None again when it came back.
    report_accepted_at: datetime | None = None
    #: The moderator knows that its deadline is held for the sake of the mail.
    held: bool = False
    #: Orders that are kept for later.
    queued: tuple[str, ...] = ()
    #: Order texts that a doubt keeps from being carried out: a `yes` with this token does them.
    proposal: tuple[str, ...] = ()
    #: This seat's own answers, as order texts, to a group of decisions that is still open; None before the first.
    answer: tuple[str, ...] | None = field(default=None, repr=False)
    #: The answer is complete.
    answered: bool = False
    #: Its token was given away, and another one has taken its place.
    retired: bool = False
    #: The mail that a `yes` approves.
    parked: InboundId | None = None
    #: A `yes` resigns from the game.
    resign: bool = False
    #: The mail address that a `yes` adds, or asks at first.
    address: str = ""
    closed_at: datetime | None = None
    #: One word: answered, deadline, retired, rollback, replaced, over ...
    closed_why: str = ""

    @property
    def open(self) -> bool:
        """Whether it still waits for an answer."""
        return self.closed_at is None

    @property
    def moves(self) -> bool:
        """Whether it asks for what the rules want to know, so that its token moves something while it is open."""
        return self.kind in ("turn", "window")


@dataclass(frozen=True, slots=True)
class NewInbound:
    """A received mail, about to be recorded."""

    raw: bytes = field(repr=False)
    received_at: datetime
    #: 0 and 0 for a mail that did not come from a mailbox.
    uidvalidity: int = 0
    uid: int = 0
    message_id: str = ""
    #: Digest of what the mail says, hexadecimal.
    digest: str = ""
    sender: str = ""
    subject: str = ""
    #: As classified: orders, empty, bounce ...
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbound(NewInbound):
    """A received mail and what became of it. Listings leave `raw` empty."""

    id: InboundId
    #: None until it is settled.
    disposition: Disposition | None = None
    #: One word or sentence for the moderator: why.
    reason: str = ""
    game_id: GameId | None = None
    seat: Seat | None = None
    #: The version it made.
    version: int | None = None
    #: The traceback, for a mail in quarantine.
    error: str = field(default="", repr=False)
    #: Why it got no answer, in a word, until the next mail to its seat has said so; empty when nothing is to be said.
    unanswered: str = ""
    #: The mail that this one repeats.
    duplicate_of: InboundId | None = None
    size: int = 0


@dataclass(frozen=True, slots=True)
class NewOutbound:
    """A finished mail to one recipient, about to be queued."""

    #: Exactly one address.
    recipient: str
    #: Fixed here: a mail sent twice after a crash is seen as one. With angle brackets.
    message_id: str
    subject: str
    #: The kind of mail: report, acknowledgement, help, notice ...
    kind: str
    #: The complete message as it goes over the wire.
    raw: bytes = field(repr=False)
    game_id: GameId | None = None
    seat: Seat | None = None
    #: Number of the ask whose report this is; its acceptance starts the ask's clock.
    ask: int | None = None
    #: The mail that this one answers.
    answers: InboundId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outbound(NewOutbound):
    """A mail of the outbox. Listings leave `raw` empty."""

    id: OutboundId
    status: OutboundStatus = "queued"
    attempts: int = 0
    created_at: datetime
    #: Not before this time.
    next_at: datetime
    #: A sender has it until then.
    lease_until: datetime | None = None
    sent_at: datetime | None = None
    last_error: str = ""

    @property
    def text(self) -> str:
        """Its text/plain part, which is its first, with plain line ends; empty once its bytes were dropped."""
        raw = self.raw
        head, _, _ = raw.partition(b"\r\n\r\n")
        if boundary := email.message_from_bytes(head).get_boundary():
            _, raw, _ = raw.split(b"\r\n--" + boundary.encode(), 2)  # parsing the HTML too takes five times as long
        body = email.message_from_bytes(raw.lstrip()).get_payload(decode=True)
        assert isinstance(body, bytes)
        return body.decode("utf-8", "replace").replace("\r\n", "\n")


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Who did what, when and why."""

    id: int
    at: datetime
    who: str
    #: One word or two: the command.
    what: str
    why: str
    game_id: GameId | None
    seat: Seat | None
    version: int | None
    facts: Mapping[str, Any]
