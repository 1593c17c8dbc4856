"""Setting a game back: finding the state to go back to. A rollback adds a version; nothing stored is touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pbem.errors import ReplayMismatch, StoreError
from pbem.play.replay import in_turns, repeat
from pbem.protocol import Event, Game, Match
from pbem.store import Version


@dataclass(frozen=True, slots=True)
class Target:
    """A state that a game can be set back to."""

    match: Match
    #: The version it continues ...
    parent: int
    #: ... by these choices ...
    added: Sequence[Sequence[Any]]
    #: ... of which this came, with the turn and whose it is.
    happened: tuple[tuple[int, str, Event], ...] = ()


def version_as_it_was(rules: Game, version: Version) -> Target:
    """The state that a version holds.

    Raises StoreError when it no longer replays.
    """
    with replaying(version):
        return Target(rules.restore(version.snapshot), version.number, ())


def start_of_turn(rules: Game, chain: Sequence[Version], turn: int) -> Target:
    """The first state of a turn on the way that led to the last version of `chain`.

    Raises StoreError when that way has no such turn, or when neither the way into it nor its own versions can be
    read under the present rules.
    """
    if not 1 <= turn <= chain[-1].turn:
        raise StoreError(f"there is no turn {turn} to go back to; the game is in turn {chain[-1].turn}")
    into = next(place for place, version in enumerate(chain) if version.turn >= turn)
    before, after = chain[max(into - 1, 0)], chain[into]
    try:
        return played_into(rules, before, after, turn) if into else version_as_it_was(rules, after)
    except StoreError:
        if after.turn != turn:
            raise
    return begun(rules, before, after)


def begun(rules: Game, before: Version, after: Version) -> Target:
    """The start of the turn of `after`, as its snapshot holds it: for a way into it that no longer replays.

    Raises StoreError when even that cannot be read.
    """
    with replaying(after):
        match = rules.turn_start(after.snapshot)
    return Target(match, after.number if match.digest() == after.digest else before.number, ())


def played_into(rules: Game, before: Version, after: Version, turn: int) -> Target:
    """The first state of a turn that began while the choices of `after` were made.

    Raises StoreError when they can no longer be made.
    """
    match = version_as_it_was(rules, before).match.fork()
    happened: list[tuple[int, str, Event]] = []
    for taken, choice in enumerate(after.added):
        if match.turn >= turn:
            return Target(match, before.number, after.added[:taken], tuple(happened))
        in_turn, actor = match.turn, "" if match.actor is None else rules.colours[match.actor]
        with replaying(after):
            happened += in_turns(repeat(match, choice), in_turn, actor)
    return version_as_it_was(rules, after)


@contextmanager
def replaying(version: Version) -> Iterator[None]:
    """Raises StoreError when what is done with this version is not possible any more."""
    try:
        yield
    except ReplayMismatch as error:
        raise StoreError(
            f"version {version.number} cannot be played again under the present rules; choose an earlier version or turn"
        ) from error
