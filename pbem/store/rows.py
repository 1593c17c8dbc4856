"""What every part of a transaction does with rows: it makes values of them, and changes them."""

from __future__ import annotations

from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Select, Table, update

from pbem.errors import StoreError

V = TypeVar("V")


class Rows:
    """Part of a transaction: the connection, and the way from rows to values."""

    connection: Connection

    def _all(self, value: type[V], query: Select[Any], **given: Any) -> tuple[V, ...]:
        return tuple(value(**row._mapping) for row in self.connection.execute(query, given))

    def _first(self, value: type[V], query: Select[Any], **given: Any) -> V | None:
        row = self.connection.execute(query, given).first()
        return None if row is None else value(**row._mapping)

    def _wanted(self, value: type[V], query: Select[Any], missing: str, **given: Any) -> V:
        """What must be there.

        Raises StoreError when it is `missing`.
        """
        wanted = self._first(value, query, **given)
        if wanted is None:
            raise StoreError(missing)
        return wanted

    def _change(self, table: Table, *which: ColumnElement[bool], **values: Any) -> None:
        self.connection.execute(update(table).where(*which).values(**values))
