"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("game_type", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_version", sa.Integer(), nullable=False),
        sa.Column("last_event", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("game_key")),
        sa.UniqueConstraint("code", name=op.f("game_one_code")),
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index("game_by_status", ["status"], unique=False)

    op.create_table(
        "meta",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("meta_key")),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("player_key")),
    )
    op.create_table(
        "address",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("verified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bouncing_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bounce_reason", sa.String(), nullable=False),
        sa.Column("preferred", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("address_player_id_is_a_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("address_key")),
        sa.UniqueConstraint("player_id", "key", name=op.f("address_one_player_id_key")),
    )
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("address_by_key"), ["key"], unique=False)

    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("audit_game_id_is_a_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("audit_key")),
    )
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.create_index("audit_by_game", ["game_id", "id"], unique=False)

    op.create_table(
        "inbound",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("sender_key", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("disposition", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("duplicate_of", sa.Integer(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["duplicate_of"], ["inbound.id"], name=op.f("inbound_duplicate_of_is_a_inbound")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("inbound_game_id_is_a_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("inbound_key")),
    )
    with op.batch_alter_table("inbound", schema=None) as batch_op:
        batch_op.create_index("inbound_by_age", ["received_at"], unique=False)
        batch_op.create_index("inbound_by_disposition", ["disposition", "id"], unique=False)
        batch_op.create_index(
            "inbound_by_message",
            ["message_id", "digest"],
            unique=True,
            sqlite_where=sa.text("duplicate_of IS NULL AND message_id <> ''"),
            postgresql_where=sa.text("duplicate_of IS NULL AND message_id <> ''"),
        )
        batch_op.create_index("inbound_by_sender", ["sender_key", "received_at"], unique=False)
        batch_op.create_index(
            "inbound_by_uid",
            ["uidvalidity", "uid"],
            unique=True,
            sqlite_where=sa.text("uid > 0"),
            postgresql_where=sa.text("uid > 0"),
        )

    op.create_table(
        "seat",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("colour", sa.String(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("bot_name", sa.String(), nullable=False),
        sa.Column("tenure", sa.Integer(), nullable=False),
        sa.Column("nmr_count", sa.Integer(), nullable=False),
        sa.Column("stand_in", sa.Boolean(), nullable=False),
        sa.Column("last_reported", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("seat_game_id_is_a_game")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("seat_player_id_is_a_player")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("seat_key")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index("seat_by_player", ["player_id"], unique=False)

    op.create_table(
        "ask",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("tenure", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("menu", sa.JSON(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reminded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("report_accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_why", sa.String(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"], ["seat.game_id", "seat.seat"], name=op.f("ask_game_id_seat_is_a_seat")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("ask_key")),
        sa.UniqueConstraint("token", name=op.f("ask_one_token")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("ask", schema=None) as batch_op:
        batch_op.create_index("ask_by_seat", ["game_id", "seat", "closed_at"], unique=False)
        batch_op.create_index("ask_by_token", ["token_hash"], unique=False)
        batch_op.create_index(
            "ask_due",
            ["due_at"],
            unique=False,
            sqlite_where=sa.text("closed_at IS NULL AND paused = 0"),
            postgresql_where=sa.text("closed_at IS NULL AND NOT paused"),
        )
        batch_op.create_index(
            "ask_to_remind",
            ["remind_at"],
            unique=False,
            sqlite_where=sa.text("closed_at IS NULL AND paused = 0 AND reminded_at IS NULL"),
            postgresql_where=sa.text("closed_at IS NULL AND NOT paused AND reminded_at IS NULL"),
        )

    op.create_table(
        "policy",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("tenure", sa.Integer(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id", "seat"], ["seat.game_id", "seat.seat"], name=op.f("policy_game_id_seat_is_a_seat")
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", "tenure", "subject", name=op.f("policy_key")),
    )
    op.create_table(
        "version",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("parent", sa.Integer(), nullable=True),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("entropy", sa.String(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("snapshot", sa.LargeBinary(), nullable=False),
        sa.Column("added", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("version_game_id_is_a_game")),
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"], name=op.f("version_inbound_id_is_a_inbound")),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("version_key")),
    )
    op.create_table(
        "event",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("private", sa.JSON(), nullable=True),
        sa.Column("undone_by", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id", "version"],
            ["version.game_id", "version.number"],
            name=op.f("event_game_id_version_is_a_version"),
        ),
        sa.PrimaryKeyConstraint("game_id", "sequence", name=op.f("event_key")),
    )
    op.create_table(
        "outbound",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("recipient_key", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("ask", sa.Integer(), nullable=True),
        sa.Column("answers", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["answers"], ["inbound.id"], name=op.f("outbound_answers_is_a_inbound")),
        sa.ForeignKeyConstraint(["ask"], ["ask.number"], name=op.f("outbound_ask_is_a_ask")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("outbound_game_id_is_a_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("outbound_key")),
        sa.UniqueConstraint("message_id", name=op.f("outbound_one_message_id")),
    )
    with op.batch_alter_table("outbound", schema=None) as batch_op:
        batch_op.create_index("outbound_by_age", ["created_at"], unique=False)
        batch_op.create_index("outbound_by_ask", ["ask"], unique=False)
        batch_op.create_index("outbound_by_game", ["game_id", "seat"], unique=False)
        batch_op.create_index("outbound_by_recipient", ["recipient_key", "created_at"], unique=False)
        batch_op.create_index(
            "outbound_failed",
            ["id"],
            unique=False,
            sqlite_where=sa.text("status = 'failed'"),
            postgresql_where=sa.text("status = 'failed'"),
        )
        batch_op.create_index(
            "outbound_leased",
            ["lease_until"],
            unique=False,
            sqlite_where=sa.text("status = 'leased'"),
            postgresql_where=sa.text("status = 'leased'"),
        )
        batch_op.create_index(
            "outbound_queued",
            ["next_at"],
            unique=False,
            sqlite_where=sa.text("status = 'queued'"),
            postgresql_where=sa.text("status = 'queued'"),
        )
