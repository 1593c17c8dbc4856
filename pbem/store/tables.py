"""The tables, as SQLModel models. Nothing outside `pbem.store` imports this module.

Statements are written against `Table` objects (`games.c.status`), so that what comes back is plain rows. The
models run on SQLite and on PostgreSQL; the indexes are what keeps an idle pass free of charge.
"""

from __future__ import annotations

import json
import zlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel


class Utc(TypeDecorator[datetime]):
    """An aware time in UTC; SQLite, which has no zones, stores it without."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time without a zone: {value!r}")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class AnyText(TypeDecorator[str]):
    """Text from strangers: the lone surrogates and NULs in it, which databases refuse, become question marks."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else value.encode("utf-8", "replace").decode().replace("\0", "?")


class Compressed(TypeDecorator[bytes]):
    """Bytes, compressed with zlib: quickly, for most are never read again."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        return None if value is None else zlib.compress(value, 1)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        return None if value is None else zlib.decompress(value)


class CompressedText(TypeDecorator[str]):
    """Text, compressed as quickly."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        return None if value is None else zlib.compress(value.encode("utf-8", "surrogateescape"), 1)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        return None if value is None else zlib.decompress(value).decode("utf-8", "surrogateescape")


class CompressedJson(TypeDecorator[Any]):
    """JSON with sorted keys, compressed with zlib."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:
        if value is None:
            return None
        return zlib.compress(json.dumps(value, sort_keys=True, separators=(",", ":")).encode(), 6)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(zlib.decompress(value))


class Base(SQLModel):
    # Every constraint has a name, so that a migration can change it.
    metadata = MetaData(
        naming_convention={
            "ix": "%(table_name)s_by_%(column_0_N_name)s",
            "uq": "%(table_name)s_one_%(column_0_N_name)s",
            "fk": "%(table_name)s_%(column_0_N_name)s_is_a_%(referred_table_name)s",
            "pk": "%(table_name)s_key",
        }
    )


class PlayerRow(Base, table=True):
    __tablename__ = "player"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    timezone: str = ""
    created_at: datetime = Field(sa_type=Utc)


class AddressRow(Base, table=True):
    __tablename__ = "address"
    __table_args__ = (UniqueConstraint("player_id", "key"),)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id")
    address: str
    #: The address in the form in which spellings are equal. Several players may share one.
    key: str = Field(index=True, sa_type=AnyText)
    verified_at: datetime | None = Field(default=None, sa_type=Utc)
    bouncing_at: datetime | None = Field(default=None, sa_type=Utc)
    bounce_reason: str = Field(default="", sa_type=AnyText)
    preferred: bool = False


class GameRow(Base, table=True):
    __tablename__ = "game"
    __table_args__ = (Index("game_by_status", "status"),)

    id: int | None = Field(default=None, primary_key=True)
    code: str = Field(unique=True)
    name: str
    game_type: str
    status: str
    settings: dict[str, Any] = Field(sa_type=JSON)
    seed: bytes
    commitment: str = ""
    version: int = 0
    turn: int = 0
    created_at: datetime = Field(sa_type=Utc)
    started_at: datetime | None = Field(default=None, sa_type=Utc)
    paused_at: datetime | None = Field(default=None, sa_type=Utc)
    ended_at: datetime | None = Field(default=None, sa_type=Utc)
    #: Number of the newest version and event; both only grow, through rollbacks too.
    last_version: int = 0
    last_event: int = 0


class SeatRow(Base, table=True):
    __tablename__ = "seat"
    __table_args__ = (Index("seat_by_player", "player_id"),)

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    seat: int = Field(primary_key=True)
    colour: str
    player_id: int | None = Field(default=None, foreign_key="player.id")
    bot_name: str = ""
    tenure: int = 1
    nmr_count: int = 0
    stand_in: bool = False
    last_reported: int = 0


class VersionRow(Base, table=True):
    __tablename__ = "version"

    game_id: int = Field(primary_key=True, foreign_key="game.id")
    number: int = Field(primary_key=True)
    parent: int | None = None
    cause: str
    turn: int
    digest: str
    entropy: str = ""
    inbound_id: int | None = Field(default=None, foreign_key="inbound.id")
    created_at: datetime = Field(sa_type=Utc)
    snapshot: Any = Field(sa_type=CompressedJson)
    added: Any = Field(sa_type=CompressedJson)


class EventRow(Base, table=True):
    __tablename__ = "event"
    __table_args__ = (ForeignKeyConstraint(["game_id", "version"], ["version.game_id", "version.number"]),)

    game_id: int = Field(primary_key=True)
    sequence: int = Field(primary_key=True)
    version: int
    turn: int
    kind: str
    data: dict[str, Any] = Field(sa_type=JSON)
    private: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    #: The version (a rollback) that undid it.
    undone_by: int | None = None


class AskRow(Base, table=True):
    __tablename__ = "ask"
    __table_args__ = (
        ForeignKeyConstraint(["game_id", "seat"], ["seat.game_id", "seat.seat"]),
        Index("ask_by_token", "token_hash"),
        Index("ask_by_seat", "game_id", "seat", "closed_at"),
        Index(
            "ask_due",
            "due_at",
            sqlite_where=text("closed_at IS NULL AND paused = 0"),
            postgresql_where=text("closed_at IS NULL AND NOT paused"),
        ),
        Index(
            "ask_to_remind",
            "remind_at",
            sqlite_where=text("closed_at IS NULL AND paused = 0 AND reminded_at IS NULL"),
            postgresql_where=text("closed_at IS NULL AND NOT paused AND reminded_at IS NULL"),
        ),
        {"sqlite_autoincrement": True},  # a number is never used again
    )

    number: int | None = Field(default=None, primary_key=True)
    token: str = Field(unique=True)
    #: Asks are found by this; the token itself is then compared in constant time.
    token_hash: str
    game_id: int
    seat: int
    tenure: int
    version: int
    turn: int
    kind: str
    menu: list[str] = Field(sa_type=JSON)
    terms: dict[str, Any] = Field(sa_type=JSON)
    opened_at: datetime = Field(sa_type=Utc)
    due_at: datetime | None = Field(default=None, sa_type=Utc)
    remind_at: datetime | None = Field(default=None, sa_type=Utc)
    reminded_at: datetime | None = Field(default=None, sa_type=Utc)
    report_accepted_at: datetime | None = Field(default=None, sa_type=Utc)
    closed_at: datetime | None = Field(default=None, sa_type=Utc)
    closed_why: str = ""
    #: The game is paused: the clock does not see it.
    paused: bool = False


class PolicyRow(Base, table=True):
    __tablename__ = "policy"
    __table_args__ = (ForeignKeyConstraint(["game_id", "seat"], ["seat.game_id", "seat.seat"]),)

    game_id: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    tenure: int = Field(primary_key=True)
    subject: str = Field(primary_key=True)
    terms: dict[str, Any] = Field(sa_type=JSON)
    set_at: datetime = Field(sa_type=Utc)


class InboundRow(Base, table=True):
    __tablename__ = "inbound"
    __table_args__ = (
        Index(
            "inbound_by_uid",
            "uidvalidity",
            "uid",
            unique=True,
            sqlite_where=text("uid > 0"),
            postgresql_where=text("uid > 0"),
        ),
        Index(
            "inbound_by_message",
            "message_id",
            "digest",
            unique=True,
            sqlite_where=text("duplicate_of IS NULL AND message_id <> ''"),
            postgresql_where=text("duplicate_of IS NULL AND message_id <> ''"),
        ),
        Index("inbound_by_sender", "sender_key", "received_at"),
        Index("inbound_by_disposition", "disposition", "id"),
        Index("inbound_by_age", "received_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    uidvalidity: int = Field(default=0, sa_type=BigInteger)
    uid: int = Field(default=0, sa_type=BigInteger)
    message_id: str = Field(default="", sa_type=AnyText)
    digest: str = ""
    sender: str = Field(default="", sa_type=AnyText)
    sender_key: str = Field(default="", sa_type=AnyText)
    subject: str = Field(default="", sa_type=AnyText)
    kind: str = ""
    disposition: str | None = None
    reason: str = Field(default="", sa_type=AnyText)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = None
    version: int | None = None
    error: str = Field(default="", sa_type=AnyText)
    duplicate_of: int | None = Field(default=None, foreign_key="inbound.id")
    received_at: datetime = Field(sa_type=Utc)
    size: int = 0
    raw: bytes = Field(sa_type=Compressed)


class OutboundRow(Base, table=True):
    __tablename__ = "outbound"
    __table_args__ = (
        Index(
            "outbound_queued",
            "next_at",
            sqlite_where=text("status = 'queued'"),
            postgresql_where=text("status = 'queued'"),
        ),
        Index(
            "outbound_leased",
            "lease_until",
            sqlite_where=text("status = 'leased'"),
            postgresql_where=text("status = 'leased'"),
        ),
        Index(
            "outbound_failed",
            "id",
            sqlite_where=text("status = 'failed'"),
            postgresql_where=text("status = 'failed'"),
        ),
        Index("outbound_by_ask", "ask"),
        Index("outbound_by_recipient", "recipient_key", "created_at"),
        Index("outbound_by_game", "game_id", "seat"),
        Index("outbound_by_age", "created_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    message_id: str = Field(unique=True, sa_type=AnyText)
    recipient: str
    recipient_key: str = Field(sa_type=AnyText)
    subject: str
    kind: str
    raw: bytes = Field(sa_type=Compressed)
    text: str = Field(sa_type=CompressedText)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = None
    ask: int | None = Field(default=None, foreign_key="ask.number")
    answers: int | None = Field(default=None, foreign_key="inbound.id")
    status: str = "queued"
    attempts: int = 0
    created_at: datetime = Field(sa_type=Utc)
    next_at: datetime = Field(sa_type=Utc)
    lease_until: datetime | None = Field(default=None, sa_type=Utc)
    sent_at: datetime | None = Field(default=None, sa_type=Utc)
    last_error: str = Field(default="", sa_type=AnyText)


class AuditRow(Base, table=True):
    __tablename__ = "audit"
    __table_args__ = (Index("audit_by_game", "game_id", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_type=Utc)
    who: str
    what: str
    why: str = ""
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: int | None = None
    version: int | None = None
    facts: dict[str, Any] = Field(sa_type=JSON)


class MetaRow(Base, table=True):
    __tablename__ = "meta"

    key: str = Field(primary_key=True)
    value: str


def table(name: str) -> Table:
    return Base.metadata.tables[name]


players = table("player")
addresses = table("address")
games = table("game")
seats = table("seat")
versions = table("version")
events = table("event")
asks = table("ask")
policies = table("policy")
inbound = table("inbound")
outbound = table("outbound")
audit = table("audit")
meta = table("meta")
