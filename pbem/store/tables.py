"""The tables: SQLModel models, made of the values that leave the store. Nothing outside `pbem.store` imports this.

Statements are written against `Table` objects (`games.c.status`), so that what comes back is plain rows, from
which a value is made: `Game(**row._mapping)`. The models run on SQLite and on PostgreSQL; the indexes are what
keeps an idle pass free of charge.
"""

import json
import zlib
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from types import MappingProxyType, NoneType, new_class
from typing import Any, Literal, get_args, get_origin, get_type_hints

import sqlalchemy as sa
from pydantic_core import PydanticUndefined
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine
from sqlmodel import Field, SQLModel

from pbem.store import values


class Coded(TypeDecorator[Any]):
    """A column that keeps its values in another form: `write` makes it, `read` makes a value of it again."""

    impl: Any = sa.LargeBinary
    cache_ok = True

    def __init__(self, form: TypeEngine[Any], write: Callable[[Any], Any], read: Callable[[Any], Any]) -> None:
        super().__init__()
        self.impl, self.write, self.read = form, write, read

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else self.write(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else self.read(value)


def aware(at: datetime) -> datetime:
    """The same time in UTC.

    Raises ValueError for one without a zone.
    """
    if at.tzinfo is None:
        raise ValueError(f"a time without a zone: {at!r}")
    return at.astimezone(UTC)


def storable(text: str) -> str:
    """The text with question marks for the lone surrogates and NULs that databases refuse."""
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


def packed(data: bytes) -> bytes:
    """The bytes of a mail, compressed quickly: most are never read again."""
    return zlib.compress(data, 1)


def packed_json(value: Any) -> bytes:
    """JSON with sorted keys, compressed well."""
    return zlib.compress(json.dumps(value, sort_keys=True, separators=(",", ":")).encode())


def unpacked_json(data: bytes) -> Any:
    """What was packed; None when it is damaged: whoever wants to make something of it says which version that is."""
    with suppress(zlib.error, ValueError, TypeError):
        return json.loads(zlib.decompress(data))
    return None


#: An aware time in UTC; SQLite has no zones and keeps it without.
UTC_TIME = Coded(sa.DateTime(timezone=True), aware, lambda at: aware(at.replace(tzinfo=at.tzinfo or UTC)))
TEXT = Coded(sa.String(), storable, str)
PACKED = Coded(sa.LargeBinary(), packed, zlib.decompress)
PACKED_JSON = Coded(sa.LargeBinary(), packed_json, unpacked_json)
TEXTS = Coded(sa.JSON(none_as_null=True), list, tuple)
BY_SEAT = Coded(
    sa.JSON(),
    lambda seats: {str(seat): dict(what) for seat, what in seats.items()},
    lambda seats: {int(seat): what for seat, what in seats.items()},
)
SETTINGS = Coded(sa.JSON(), values.GameSettings.model_dump, values.GameSettings.model_validate)

#: What the database keeps a field as, by its type.
COLUMN_TYPES: dict[Any, Any] = {
    bool: sa.Boolean,
    int: sa.Integer,
    float: sa.Float,
    bytes: sa.LargeBinary,
    str: TEXT,
    datetime: UTC_TIME,
    tuple[str, ...]: TEXTS,
    Mapping[str, Any]: sa.JSON,
    Mapping[int, Mapping[str, Any]]: BY_SEAT,
    values.GameSettings: SETTINGS,
}
#: What a field of this type points to, in every other table.
REFERENCES = {values.GameId: "game.id", values.PlayerId: "player.id", values.InboundId: "inbound.id"}


class Base(SQLModel):
    """What all tables have in common."""

    # Every constraint has a name, so that a migration can change it.
    metadata = sa.MetaData(
        naming_convention={
            "ix": "%(table_name)s_by_%(column_0_N_name)s",
            "uq": "%(table_name)s_one_%(column_0_N_name)s",
            "ck": "%(table_name)s_%(constraint_name)s",
            "fk": "%(table_name)s_%(column_0_N_name)s_is_a_%(referred_table_name)s",
            "pk": "%(table_name)s_key",
        }
    )


def table(
    name: str,
    value: type | None,
    /,
    *rules: Any,
    primary: Collection[str] = ("id",),
    types: Mapping[str, TypeEngine[Any]] = MappingProxyType({}),
    without: Collection[str] = (),
    **own: Any,
) -> sa.Table:
    """The table of a value, if there is one: a column a field, and `own` columns that nobody outside the store sees.

    What comes from a closed set gets a CHECK, and what is the id of something a foreign key.
    """
    hints = (get_type_hints(value) if value else {}) | own
    known = fields(value) if value else ()
    defaults = {field.name: field.default for field in known if field.default is not MISSING}
    joined = {column for rule in rules if isinstance(rule, sa.ForeignKeyConstraint) for column in rule.column_keys}
    body: dict[str, Any] = {}
    checks = []
    for field, hint in hints.items():
        if field in without:
            continue
        optional = NoneType in get_args(hint)
        kind = get_args(hint)[0] if optional else hint
        target = REFERENCES.get(kind)
        if get_origin(kind) is Literal:
            words = ", ".join(f"'{word}'" for word in get_args(kind))
            checks.append(sa.CheckConstraint(f"{field} IN ({words})", name=f"{field}_is_known"))
            kind = str
        body[field] = Field(
            default=defaults.get(field, PydanticUndefined),
            sa_type=types.get(field) or COLUMN_TYPES[getattr(kind, "__supertype__", kind)],
            primary_key=field in primary,
            nullable=optional,
            foreign_key=None if target == f"{name}.{field}" or field in joined else target,
        )
    body |= {"__annotations__": dict.fromkeys(body, Any), "__table_args__": (*checks, *rules)}
    new_class(name, (Base,), {"table": True}, lambda space: space.update(body))
    return Base.metadata.tables[name]


def columns(table: sa.Table, value: type, *without: str) -> list[sa.Column[Any]]:
    """The columns that a value is made of."""
    return [table.c[field.name] for field in fields(value) if field.name not in without]


def partial(name: str, *columns: str, where: str, unique: bool = False) -> sa.Index:
    """An index of those rows alone that are ever looked for."""
    return sa.Index(name, *columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


players = table(
    "player",
    values.Player,
    partial("player_moving", "moving_at", where="moving_at IS NOT NULL"),
    without=["addresses"],
    created_at=datetime,
)
addresses = table(
    "address",
    values.Address,
    sa.UniqueConstraint("player_id", "key"),
    sa.Index("address_by_key", "key"),
    id=int,
    key=str,  # the address in the form in which spellings are equal; several players may share one
)
games = table(
    "game",
    values.Game,
    sa.UniqueConstraint("code"),
    sa.Index("game_by_status", "status"),
    # Numbers of the newest version and event; both only grow, through rollbacks too.
    last_version=int,
    last_event=int,
)
seats = table(
    "seat",
    values.SeatRecord,
    sa.Index("seat_by_player", "player_id"),
    primary=["game_id", "seat"],
    without=["name"],
    bot_name=str,
)
versions = table(
    "version",
    values.Version,
    partial("version_by_inbound", "inbound_id", where="inbound_id IS NOT NULL"),
    primary=["game_id", "number"],
    types={"snapshot": PACKED_JSON, "added": PACKED_JSON},
)
events = table(
    "event",
    values.LoggedEvent,
    sa.ForeignKeyConstraint(["game_id", "version"], ["version.game_id", "version.number"]),
    primary=["game_id", "sequence"],
    undone_by=int | None,  # the version (a rollback) that undid it
)
asks = table(
    "ask",
    values.Ask,
    sa.ForeignKeyConstraint(["game_id", "seat"], ["seat.game_id", "seat.seat"]),
    sa.UniqueConstraint("token"),
    sa.Index("ask_by_seat", "game_id", "seat", "closed_at"),
    partial("ask_by_parked", "parked", where="parked IS NOT NULL"),
    partial("ask_due", "due_at", where="closed_at IS NULL AND NOT paused"),
    partial("ask_to_remind", "remind_at", where="closed_at IS NULL AND NOT paused AND reminded_at IS NULL"),
    {"sqlite_autoincrement": True},  # a number is never used again
    primary=["number"],
    paused=bool,  # the game is paused: the clock does not see it
)
# An answer to windows that a seat gave in advance.
policies = table(
    "policy",
    None,
    sa.ForeignKeyConstraint(["game_id", "seat"], ["seat.game_id", "seat.seat"]),
    primary=["game_id", "seat", "tenure", "subject"],
    game_id=int,
    seat=int,
    tenure=int,
    subject=str,
    terms=Mapping[str, Any],
    set_at=datetime,
)
inbound = table(
    "inbound",
    values.Inbound,
    partial("inbound_by_uid", "uidvalidity", "uid", where="uid > 0", unique=True),
    partial(
        "inbound_by_message", *("message_id", "digest"), where="duplicate_of IS NULL AND message_id <> ''", unique=True
    ),
    sa.Index("inbound_by_sender", "sender_key", "received_at"),
    sa.Index("inbound_by_disposition", "disposition", "id"),
    sa.Index("inbound_by_game", "game_id", "id"),
    sa.Index("inbound_by_age", "received_at"),
    partial("inbound_unanswered", "game_id", "seat", where="unanswered <> ''"),
    partial("inbound_by_duplicate", "duplicate_of", where="duplicate_of IS NOT NULL"),
    types={"raw": PACKED, "uid": sa.BigInteger(), "uidvalidity": sa.BigInteger()},
    sender_key=str,
)
#: A received mail whose player is still to be told that it got no answer; as a literal, so that its index serves.
SILENT = inbound.c.unanswered != sa.literal_column("''")
outbound = table(
    "outbound",
    values.Outbound,
    sa.ForeignKeyConstraint(["ask"], ["ask.number"]),
    sa.UniqueConstraint("message_id"),
    partial("outbound_queued", "next_at", where="status = 'queued'"),
    partial("outbound_leased", "lease_until", where="status = 'leased'"),
    partial("outbound_failed", "id", where="status = 'failed'"),
    sa.Index("outbound_by_ask", "ask"),
    sa.Index("outbound_by_game", "game_id", "id"),
    partial("outbound_by_answered", "answers", where="answers IS NOT NULL"),
    sa.Index("outbound_by_recipient", "recipient_key", "created_at"),
    sa.Index("outbound_by_age", "created_at"),
    types={"raw": PACKED},
    recipient_key=str,
)
audit = table("audit", values.AuditEntry, sa.Index("audit_by_game", "game_id", "id"))
meta = table("meta", None, primary=["key"], key=str, value=str)  # facts about the installation
