"""What can be compared of a match and stored, part by part, and where two of them differ."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from pbem.protocol import Match, Seat
from pbem.testing.promises import Broken

#: The parts of a match by name, each as JSON text.
State: TypeAlias = Mapping[str, str]

#: What a state holds besides what everybody may know.
APART = ("pending", "the snapshot", "the digest", "the position")


def readers(seats: int) -> list[Seat | None]:
    """The public and every seat."""
    return [None, *map(Seat, range(seats))]


def state(match: Match, seats: int) -> State:
    """All of a match that can be compared; what was chosen since it was made is left out."""
    snapshot = {name: part for name, part in match.snapshot().items() if name != "digest"}  # compared by itself
    held = {"the snapshot": snapshot, "the digest": match.digest(), "the position": match.position()}
    parts = held | {"reveals": match.reveals}
    return {**shown(match, readers(seats)), **{name: canonical(part) for name, part in parts.items()}}


def shown(match: Match, to: Sequence[Seat | None]) -> State:
    """What readers are shown of a match, and what they are asked."""
    result, pending = match.result, []
    for decision in match.pending:
        options = (decision.default, decision.auto, decision.decline, *decision.options)
        texts = [option and option.text for option in options]
        if decision.seat in to:
            pending.append([decision.seat, decision.kind, texts, decision.window, decision.seats, decision.facts])
    parts = {"turn": match.turn, "actor": match.actor, "result": result and asdict(result), "pending": pending}
    views = {"the public view" if to is None else f"the view of seat {to}": match.view(to) for to in to}
    return {name: canonical(part) for name, part in {**parts, **views}.items()}


def difference(before: State, after: State, apart: Collection[str] = ()) -> str:
    """The first part in which two states differ, with both; empty when they are the same."""
    for name, part in before.items():
        if name not in apart and after[name] != part:
            return f"{name} differs: {excerpt(part, after[name])}"
    return ""


def excerpt(mine: str, other: str) -> str:
    """Where two texts part, with a little of both; empty when they are the same."""
    if mine == other:
        return ""
    shorter = min(len(mine), len(other))
    at = next((at for at in range(shorter) if mine[at] != other[at]), shorter)
    return f"{mine[max(at - 30, 0) : at + 50]!r} and {other[max(at - 30, 0) : at + 50]!r}"


def canonical(value: Any) -> str:
    """A JSON-able value as one text; equal for equal values."""
    return json.dumps(value, sort_keys=True)


def jsonable(what: str, value: Any, where: str = "it") -> Broken:
    """A value survives being stored as JSON."""
    if value is None or isinstance(value, str | int | float | bool):
        return
    promise = f"{what} holds JSON-able values with text as keys."
    if isinstance(value, Mapping):
        for key, part in value.items():
            if not isinstance(key, str):
                yield promise, f"the key {key!r} of {where}"
            yield from jsonable(what, part, f"{where}[{key!r}]")
    elif isinstance(value, list | tuple):
        for at, part in enumerate(value):
            yield from jsonable(what, part, f"{where}[{at}]")
    else:
        yield promise, f"{value!r} in {where}"
