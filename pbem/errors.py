"""The tree of errors. The class says what is done about it, and one place, per edge, does it.

    PbemError
    ├── ConfigError        the moderator's pbem.toml or environment is wrong: one line on stderr, exit 1
    ├── OrderError         a player's line cannot be carried out: it goes back with the reason
    │   ├── NotUnderstood  no option resembles it
    │   ├── Ambiguous      it fits several options
    │   └── NotPossible    it is understood, but not legal now
    ├── ReplayMismatch     stored choices no longer lead to the stored state
    ├── StoreError         the database cannot be used: locked, newer, broken
    └── MailError          a mail server did not do what was asked
        ├── Transient      try again later
        └── Permanent      trying again will not help

Expected outcomes (a bounce, a duplicate, a mail without a token) are values, not errors.
"""

import os
import traceback
from collections.abc import Sequence
from pathlib import Path


class PbemError(Exception):
    """Something went wrong that a person can do something about; the message is one sentence for that person."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or (self.__doc__ or "").strip())


class ConfigError(PbemError):
    """The configuration cannot be used; `mistakes` are the sentences of all that is wrong in it."""

    def __init__(self, message: str, mistakes: Sequence[str] = ()) -> None:
        super().__init__(f"{message}: {'; '.join(mistakes)}" if mistakes else message)
        self.mistakes = tuple(mistakes) or (message,)


class OrderError(PbemError):
    """An order line cannot be carried out.

    `line` is what the player wrote; `suggestions` are texts of legal options, closest first. No sentence is
    built here: `reason` and `facts` choose and fill the wording in the templates (`templates/base/errors`).
    """

    def __init__(
        self, line: str, reason: str, *, suggestions: Sequence[str] = (), facts: dict[str, object] | None = None
    ) -> None:
        super().__init__(f"{line!r}: {reason}")
        self.line = line
        self.reason = reason
        self.suggestions = tuple(suggestions)
        self.facts = facts or {}


class NotUnderstood(OrderError):
    """No legal option resembles the line."""


class Ambiguous(OrderError):
    """The line fits more than one legal option; `suggestions` says which."""


class NotPossible(OrderError):
    """The line is understood, but it is not legal now."""


class ReplayMismatch(PbemError):
    """The stored choices no longer lead to the stored state; `version` is the one that holds them, where that is known."""

    def __init__(self, message: str = "", version: int | None = None) -> None:
        super().__init__(message)
        self.version = version


class StoreError(PbemError):
    """The database cannot be used."""


class MailError(PbemError):
    """A mail server did not do what was asked."""


class Transient(MailError):
    """The mail server could not be reached or asked to try again later."""


class Permanent(MailError):
    """The mail server refused for good."""


#: Where no game lies: the server, and what comes with Python.
ELSEWHERE = (Path(__file__).parent, Path(os.__file__).parent)
#: Longest trace that is kept, from its end.
LONGEST_TRACE = 20_000


def trace(error: BaseException) -> str:
    """Where an exception came from, and those behind it, without their words: these may hold a hand of cards (a game's),
    a token or a mail (a database's), and a trace is logged, kept and sent to the moderator."""
    parts: list[str] = []
    seen: set[int] = set()
    behind: BaseException | None = error
    while behind is not None and id(behind) not in seen:
        seen.add(id(behind))
        parts.append("".join(traceback.format_tb(behind.__traceback__)) + type(behind).__qualname__)
        behind = behind.__cause__ or behind.__context__
    return "\nbehind it:\n".join(parts)[-LONGEST_TRACE:]


def place_of(error: BaseException) -> str:
    """The file and line of a game or its templates in which an error was raised; empty when it was elsewhere."""
    file, line = (getattr(error, "filename", None) or getattr(error, "name", None)), getattr(error, "lineno", None)
    if file and line:  # it cannot be compiled
        return f"{file}:{line}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        theirs = "site-packages" not in path.parts and not any(folder in path.parents for folder in ELSEWHERE)
        if path.suffix == ".j2" or (path.suffix == ".py" and theirs):
            return f"{path}:{frame.lineno}"
    return ""
