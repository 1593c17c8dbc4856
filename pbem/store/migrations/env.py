"""What Alembic runs: the migrations, on the connection that `pbem.store.schema` hands over."""

from __future__ import annotations

from alembic import context

from pbem.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite changes a table by making it anew
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
