"""What every part of a transaction does with rows: it makes values of them, adds them and changes them.

Statements are made once for each set of columns they are about: building one takes three times as long as carrying it
out.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import ColumnElement, Connection, Select, Table, Update, bindparam, func, insert, select, true, update
from sqlalchemy.sql.expression import ColumnCollection

from pbem.errors import StoreError

V = TypeVar("V")
#: Names of columns, each with whether it has a value.
Shape: TypeAlias = tuple[tuple[str, bool], ...]


class Rows:
    """Part of a transaction: the connection, and the way from rows to values and back.

    Where rows are chosen by values of their columns, None chooses those that have none.
    """

    connection: Connection

    def _all(self, value: type[V], query: Select[Any], **given: Any) -> tuple[V, ...]:
        """The rows of a query, which is a constant if any values are `given` for its columns."""
        if given:
            query = narrowed(query, shape(given))
        return tuple(value(**row._mapping) for row in self.connection.execute(query, given))

    def _first(self, value: type[V], query: Select[Any], **given: Any) -> V | None:
        return next(iter(self._all(value, query, **given)), None)

    def _wanted(self, value: type[V], query: Select[Any], missing: str, **given: Any) -> V:
        """What must be there.

        Raises StoreError when it is `missing`.
        """
        wanted = self._first(value, query, **given)
        if wanted is None:
            raise StoreError(missing)
        return wanted

    def _earliest(self, *waiting: tuple[ColumnElement[datetime], ColumnElement[bool]]) -> datetime | None:
        """The first of some times, each in the rows of its condition; None when there is none."""
        times = [self.connection.scalar(earliest(at, rows)) for at, rows in waiting]
        return min((at for at in times if at is not None), default=None)

    def _count(self, *which: ColumnElement[bool]) -> int:
        return self.connection.execute(select(func.count()).where(*which)).scalar_one()

    def _add(self, table: Table, **values: Any) -> Any:
        """Add a row; the first column of its key."""
        key = self.connection.execute(insert(table), values).inserted_primary_key
        return key and key[0]

    def _change(self, table: Table, which: Mapping[str, Any], **values: Any) -> None:
        """Give the rows that have the values `which` in their columns other values."""
        chosen = {f"old_{name}": value for name, value in which.items() if value is not None}
        self.connection.execute(changing(table, shape(which)), chosen | values)


def shape(given: Mapping[str, Any]) -> Shape:
    """The names that are given, each with whether it has a value."""
    return tuple((name, value is not None) for name, value in given.items())


@lru_cache
def narrowed(query: Select[Any], given: Shape) -> Select[Any]:
    return query.where(*conditions(query.selected_columns, given))


@lru_cache
def changing(table: Table, which: Shape) -> Update:
    return update(table).where(*conditions(table.c, which, "old_"))


@lru_cache
def earliest(at: ColumnElement[datetime], rows: ColumnElement[bool]) -> Select[Any]:
    return select(func.min(at)).where(rows)


def conditions(columns: ColumnCollection[str, Any], given: Shape, prefix: str = "") -> list[ColumnElement[bool]]:
    """That columns have the values given, as parameters, or none."""
    return [
        columns[name] == bindparam(prefix + name) if has_value else columns[name].is_(None) for name, has_value in given
    ]


def one_of(column: ColumnElement[Any], *wanted: Any) -> ColumnElement[bool]:
    """Whether a column has one of the values wanted; when nothing but None is wanted, any value serves."""
    given = [value for value in wanted if value is not None]
    return column.in_(given) if given else true()
