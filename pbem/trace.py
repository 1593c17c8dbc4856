"""Tracebacks that may be logged, kept and sent to somebody.

What exceptions say may hold a hand of cards (a game's), a token or a mail (a database's): so only where they were
raised is told, and of which class they are.
"""

from __future__ import annotations

import traceback

#: Longest trace that is kept, from its end.
LONGEST = 20_000


def trace(error: BaseException) -> str:
    """Where an exception came from, and those behind it, without their words."""
    parts: list[str] = []
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        parts.append("".join(traceback.format_tb(one.__traceback__)) + type(one).__qualname__)
        one = one.__cause__ or one.__context__
    return "\nbehind it:\n".join(parts)[-LONGEST:]
