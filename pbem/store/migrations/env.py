"""What Alembic runs: the migrations, on the connection that `pbem.store.schema` hands over."""

from typing import Any, Literal

from alembic import context
from sqlalchemy.types import TypeDecorator

from pbem.store.tables import Base


def plain_types(kind: str, item: Any, autogenerating: Any) -> str | Literal[False]:
    """Write plain SQLAlchemy types into a new migration: it must outlive the models."""
    if kind == "type" and isinstance(item, TypeDecorator):
        return f"sa.{item.impl_instance!r}"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite changes a table by making it anew
    render_item=plain_types,
)
with context.begin_transaction():
    context.run_migrations()
