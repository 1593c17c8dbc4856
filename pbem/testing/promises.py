"""What a broken promise is, and how two states of a match are compared."""

from __future__ import annotations

import inspect
import json
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from jinja2 import TemplateNotFound, TemplateSyntaxError

from pbem.errors import PbemError
from pbem.orders.commands import ALONE, LEADING, Card, Yes, recognise
from pbem.protocol import Match, Seat

#: Words and phrases that ask the server for something; no option may be read as one. `yes` and `card NAME` may be
#: options: where one is offered, that is what they mean.
RESERVED: frozenset[str] = frozenset(
    phrase for command, phrases in ALONE if not isinstance(command, Yes) for phrase in phrases
) | frozenset(word for word, (command, _) in LEADING.items() if command is not Card)

#: What `state` holds besides what anybody is shown.
APART = ("pending", "the snapshot", "the digest", "the position")

#: The folder of the server's own code.
SERVER = Path(__file__).parent.parent


@runtime_checkable
class HasSecrets(Protocol):
    """A game that can deal anew what one seat does not know, so that its secrets can be proved."""

    def dealt_anew(self, match: Match, seat: Seat | None, entropy: bytes) -> Match:
        """A match that is the same for that seat (or the public) and may differ in all that it cannot see."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match as far as it was played: enough to play it again."""

    seats: int
    settings: Mapping[str, str]
    seed: bytes
    #: Seat and option text, oldest first; seat -1 is new entropy, in hexadecimal.
    choices: tuple[tuple[int, str], ...] = ()

    def __str__(self) -> str:
        chosen = "; ".join(f"{seat}: {text}" for seat, text in self.choices) or "none"
        rules = "".join(f", {name} {value}" for name, value in self.settings.items())
        return f"{self.seats} seats{rules}, seed {self.seed.hex()}, choices: {chosen}"


class PromiseBroken(PbemError):
    """A game does not keep a promise of the protocol."""

    def __init__(self, promise: str, seen: str, *, played: Played | None = None, file: str = "") -> None:
        lines = [promise, f"but: {seen}"]
        if played is not None:
            lines.append(f"played: {played}")
        if file:
            lines.append(f"file: {file}")
        super().__init__("\n".join(lines))
        #: The promise, in a sentence.
        self.promise = promise
        #: What was seen instead.
        self.seen = seen
        #: The match in which it was seen; None when none was needed.
        self.played = played
        #: The file of the game, with the line where there is one; may be empty.
        self.file = file


def is_command(text: str) -> bool:
    """Whether an option text would be read as a mail command."""
    command = recognise(text)
    return command is not None and not isinstance(command, Yes | Card)


def place_of(error: BaseException) -> str:
    """Where in a game or its templates an error was raised."""
    if isinstance(error, TemplateSyntaxError):
        return f"{error.filename or error.name}:{error.lineno}"
    if isinstance(error, TemplateNotFound):
        return f"{error.name}"
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.endswith((".j2", ".py")) and not _is_ours(frame.filename)
    ]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def _is_ours(file: str) -> bool:
    return file.endswith(".py") and (SERVER in Path(file).parents or "site-packages" in Path(file).parts)


def source_of(thing: object) -> str:
    """The file in which the type of an object is written."""
    try:
        return inspect.getsourcefile(type(thing)) or ""
    except TypeError:
        return ""


def canonical(value: Any) -> str:
    """A JSON-able value as one text; equal for equal values."""
    return json.dumps(value, sort_keys=True)


def not_jsonable(value: Any, where: str = "") -> str:
    """What in a value JSON would lose or refuse, and where; empty when there is nothing."""
    if value is None or isinstance(value, str | int | float | bool):
        return ""
    parts: Iterable[tuple[Any, Any]]
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                return f"the key {key!r} of {where or 'it'}"
        parts = value.items()
    elif isinstance(value, list | tuple):
        parts = enumerate(value)
    else:
        return f"{value!r} in {where or 'it'}"
    return next((bad for key, part in parts if (bad := not_jsonable(part, f"{where}[{key!r}]"))), "")


def asked(match: Match) -> list[list[Any]]:
    """The pending decisions, comparable."""
    return [
        [
            one.seat,
            one.kind,
            [option.text for option in one.options],
            one.default.text,
            one.auto.text if one.auto else None,
            one.decline.text if one.decline else None,
            one.window,
            list(one.seats),
            one.facts,
        ]
        for one in match.pending
    ]


def shown(match: Match, seats: int) -> dict[str, Any]:
    """All that is shown of a match to anybody, apart from what happened: comparable."""
    readers: list[Seat | None] = [None, *map(Seat, range(seats))]
    result = match.result
    return {
        "turn": match.turn,
        "actor": match.actor,
        "result": [list(result.winners), result.reason, list(result.scores), result.details]
        if result
        else None,
        "pending": asked(match),
        **{
            f"the view of seat {seat}" if seat is not None else "the public view": match.view(seat)
            for seat in readers
        },
    }


def state(match: Match, seats: int) -> dict[str, str]:
    """All that can be compared of a match, part by part; what was chosen since it was made is left out."""
    parts = shown(match, seats) | {
        "reveals": match.reveals,
        "the snapshot": match.snapshot(),
        "the digest": match.digest(),
        "the position": match.position(),
    }
    return {name: canonical(part) for name, part in parts.items()}


def difference(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """The first part in which two states differ, with both; empty when they are the same."""
    for name, part in before.items():
        if after.get(name) != part:
            return f"{name} differs: {excerpt(part, after[name])}"
    return ""


def excerpt(one: str, other: str) -> str:
    """Where two texts part, with a little of both."""
    at = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return f"{one[max(at - 30, 0) : at + 50]!r} and {other[max(at - 30, 0) : at + 50]!r}"
