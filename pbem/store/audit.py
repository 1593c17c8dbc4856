"""The audit log, and small facts about the installation itself."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select

from pbem.store.rows import Rows
from pbem.store.tables import audit, meta
from pbem.store.values import AuditEntry, Fact, GameId


class Audit(Rows):
    """Part of a transaction: who did what, and what the server remembers about itself."""

    def audit(self, who: str, what: str, why: str, now: datetime, **fields: Any) -> None:
        """Add a line to the audit log; `fields` are others of an `AuditEntry`."""
        line = {"at": now, "who": who, "what": what, "why": why, "facts": {}}
        self.connection.execute(insert(audit).values(**line | fields))

    def audit_log(self, game_id: GameId | None = None, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The newest lines of the audit log, oldest of them first."""
        query = select(audit).order_by(audit.c.id.desc()).limit(limit)
        if game_id is not None:
            query = query.where(audit.c.game_id == game_id)
        return self._all(AuditEntry, query)[::-1]

    def remembered(self, key: Fact) -> str | None:
        """A fact about the installation; None when there is none."""
        return self.connection.execute(select(meta.c.value).where(meta.c.key == key)).scalar_one_or_none()

    def remember(self, key: Fact, value: str | None) -> None:
        """Keep a fact about the installation, in the place of an earlier one; None forgets it."""
        self.connection.execute(delete(meta).where(meta.c.key == key))
        if value is not None:
            self.connection.execute(insert(meta).values(key=key, value=value))
