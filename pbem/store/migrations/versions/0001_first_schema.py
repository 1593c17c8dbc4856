"""The first schema."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NUMBER, TEXT, YES_NO, TIME = sa.Integer(), sa.String(), sa.Boolean(), sa.DateTime(timezone=True)
JSON, BYTES = sa.JSON(), sa.LargeBinary()


def columns(kind: Any, *names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=nullable) for name in names]


def index(table: str, name: str, *names: str, where: str | None = None, unique: bool = False) -> None:
    only = None if where is None else sa.text(where)
    op.create_index(f"{table}_{name}", table, list(names), unique=unique, sqlite_where=only, postgresql_where=only)


def upgrade() -> None:
    op.create_table(
        "game",
        *columns(NUMBER, "id", "version", "turn", "last_version", "last_event"),
        *columns(TEXT, "code", "name", "game_type", "status", "commitment"),
        *columns(JSON, "settings"),
        *columns(BYTES, "seed"),
        *columns(TIME, "created_at"),
        *columns(TIME, "started_at", "paused_at", "ended_at", nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("code"),
        sa.CheckConstraint("status IN ('open', 'running', 'paused', 'over')", name="status_is_known"),
    )
    index("game", "by_status", "status")
    op.create_table("meta", *columns(TEXT, "key", "value"), sa.PrimaryKeyConstraint("key"))
    op.create_table(
        "player",
        *columns(NUMBER, "id"),
        *columns(TEXT, "name", "timezone", "moving_to"),
        *columns(TIME, "created_at"),
        *columns(TIME, "moving_at", nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    index("player", "moving", "moving_at", where="moving_at IS NOT NULL")
    op.create_table(
        "address",
        *columns(NUMBER, "player_id", "id"),
        *columns(TEXT, "address", "bounce_reason", "key"),
        *columns(YES_NO, "preferred"),
        *columns(TIME, "bouncing_at", nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("player_id", "key"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
    )
    index("address", "by_key", "key")
    op.create_table(
        "audit",
        *columns(NUMBER, "id"),
        *columns(TIME, "at"),
        *columns(TEXT, "who", "what", "why"),
        *columns(JSON, "facts"),
        *columns(NUMBER, "game_id", "seat", "version", nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
    )
    index("audit", "by_game", "game_id", "id")
    op.create_table(
        "inbound",
        *columns(BYTES, "raw"),
        *columns(TIME, "received_at"),
        *columns(sa.BigInteger(), "uidvalidity", "uid"),
        *columns(TEXT, "message_id", "digest", "sender", "subject", "kind", "reason", "error", "sender_key"),
        *columns(TEXT, "unanswered"),
        *columns(NUMBER, "id", "size"),
        *columns(TEXT, "disposition", nullable=True),
        *columns(NUMBER, "game_id", "seat", "version", "duplicate_of", nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["duplicate_of"], ["inbound.id"]),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.CheckConstraint(
            "disposition IN ('applied', 'answered', 'refused', 'parked', 'ignored', 'duplicate', 'quarantined')",
            name="disposition_is_known",
        ),
    )
    index("inbound", "by_age", "received_at")
    index("inbound", "by_disposition", "disposition", "id")
    index("inbound", "by_duplicate", "duplicate_of", where="duplicate_of IS NOT NULL")
    index("inbound", "by_game", "game_id", "id")
    index("inbound", "unanswered", "game_id", "seat", where="unanswered <> ''")
    index(
        "inbound", "by_message", "message_id", "digest", where="duplicate_of IS NULL AND message_id <> ''", unique=True
    )
    index("inbound", "by_sender", "sender_key", "received_at")
    index("inbound", "by_uid", "uidvalidity", "uid", where="uid > 0", unique=True)
    op.create_table(
        "seat",
        *columns(NUMBER, "game_id", "seat", "tenure", "nmr_count", "last_reported"),
        *columns(TEXT, "colour", "bot_name"),
        *columns(YES_NO, "stand_in"),
        *columns(NUMBER, "player_id", nullable=True),
        sa.PrimaryKeyConstraint("game_id", "seat"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
    )
    index("seat", "by_player", "player_id")
    op.create_table(
        "ask",
        *columns(NUMBER, "number", "game_id", "seat", "tenure", "version", "turn"),
        *columns(TEXT, "token", "kind", "address", "closed_why"),
        *columns(JSON, "menu", "queued", "proposal"),
        *columns(TIME, "opened_at"),
        *columns(YES_NO, "held", "answered", "retired", "resign", "paused"),
        *columns(TIME, "due_at", "remind_at", "reminded_at", "report_accepted_at", "closed_at", nullable=True),
        *columns(sa.Float(), "left_seconds", nullable=True),
        *columns(JSON, "answer", nullable=True),
        *columns(NUMBER, "parked", nullable=True),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("token"),
        sa.ForeignKeyConstraint(["game_id", "seat"], ["seat.game_id", "seat.seat"]),
        sa.ForeignKeyConstraint(["parked"], ["inbound.id"]),
        sa.CheckConstraint("kind IN ('turn', 'window', 'yes', 'newcomer', 'told')", name="kind_is_known"),
        sqlite_autoincrement=True,  # a number is never used again
    )
    index("ask", "by_parked", "parked", where="parked IS NOT NULL")
    index("ask", "by_seat", "game_id", "seat", "closed_at")
    index("ask", "due", "due_at", where="closed_at IS NULL AND NOT paused")
    index("ask", "to_remind", "remind_at", where="closed_at IS NULL AND NOT paused AND reminded_at IS NULL")
    op.create_table(
        "policy",
        *columns(NUMBER, "game_id", "seat", "tenure"),
        *columns(TEXT, "subject"),
        *columns(JSON, "terms"),
        *columns(TIME, "set_at"),
        sa.PrimaryKeyConstraint("game_id", "seat", "tenure", "subject"),
        sa.ForeignKeyConstraint(["game_id", "seat"], ["seat.game_id", "seat.seat"]),
    )
    op.create_table(
        "version",
        *columns(NUMBER, "game_id", "number", "turn"),
        *columns(TEXT, "cause", "digest", "entropy"),
        *columns(TIME, "created_at"),
        *columns(BYTES, "snapshot", "added"),
        *columns(NUMBER, "parent", "inbound_id", nullable=True),
        sa.PrimaryKeyConstraint("game_id", "number"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"]),
        sa.CheckConstraint("cause IN ('start', 'mail', 'deadline', 'moderator', 'rollback')", name="cause_is_known"),
    )
    index("version", "by_inbound", "inbound_id", where="inbound_id IS NOT NULL")
    op.create_table(
        "event",
        *columns(NUMBER, "game_id", "sequence", "version", "turn"),
        *columns(TEXT, "actor", "kind"),
        *columns(JSON, "data", "private"),
        *columns(NUMBER, "undone_by", nullable=True),
        sa.PrimaryKeyConstraint("game_id", "sequence"),
        sa.ForeignKeyConstraint(["game_id", "version"], ["version.game_id", "version.number"]),
    )
    op.create_table(
        "outbound",
        *columns(TEXT, "recipient", "message_id", "subject", "kind", "status", "last_error", "recipient_key"),
        *columns(BYTES, "raw"),
        *columns(NUMBER, "id", "attempts"),
        *columns(TIME, "created_at", "next_at"),
        *columns(NUMBER, "game_id", "seat", "ask", "answers", nullable=True),
        *columns(TIME, "lease_until", "sent_at", nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("message_id"),
        sa.ForeignKeyConstraint(["answers"], ["inbound.id"]),
        sa.ForeignKeyConstraint(["ask"], ["ask.number"]),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"]),
        sa.CheckConstraint("status IN ('queued', 'leased', 'sent', 'failed')", name="status_is_known"),
    )
    index("outbound", "by_age", "created_at")
    index("outbound", "by_answered", "answers", where="answers IS NOT NULL")
    index("outbound", "by_ask", "ask")
    index("outbound", "by_game", "game_id", "id")
    index("outbound", "by_recipient", "recipient_key", "created_at")
    index("outbound", "failed", "id", where="status = 'failed'")
    index("outbound", "leased", "lease_until", where="status = 'leased'")
    index("outbound", "queued", "next_at", where="status = 'queued'")
