"""Making stored choices again, and the states that they lead to. Nothing stored is touched."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pbem.errors import ReplayMismatch, StoreError
from pbem.protocol import Event, Game, Match, Seat, Told, decision_of, in_turns
from pbem.store import Version


@dataclass(frozen=True, slots=True)
class Reached:
    """A state of a game, and how it hangs on the stored versions."""

    match: Match
    #: The version it continues (0 for none) ...
    parent: int
    #: ... by these choices ...
    added: Sequence[Sequence[Any]] = ()
    #: ... of which this came.
    happened: Sequence[Told] = ()


def repeat(match: Match, choice: Sequence[Any]) -> list[Event]:
    """Make a choice as it is stored, [seat, text, outcomes], once more.

    Raises ReplayMismatch when it is not legal any more; its words tell nothing secret.
    """
    seat, text = Seat(int(choice[0])), str(choice[1])
    decision = decision_of(match, seat)
    option = decision.option(text) if decision else None
    if option is None:
        raise ReplayMismatch(f"a choice of seat {seat + 1} is not legal there")
    return match.choose(seat, option)


def told_again(rules: Game, match: Match, choice: Sequence[Any]) -> Iterator[Told]:
    """What comes of a stored choice, once more. Raises ReplayMismatch."""
    turn, actor = match.turn, "" if match.actor is None else rules.colours[match.actor]
    return in_turns(repeat(match, choice), turn, actor)


def version_as_it_was(rules: Game, version: Version) -> Reached:
    """The state that a version holds.

    Raises StoreError when it no longer replays.
    """
    with replaying(version):
        return Reached(rules.restore(version.snapshot), version.number)


def start_of_turn(rules: Game, chain: Sequence[Version], turn: int) -> Reached:
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
    with replaying(after):  # the way into it no longer replays, but the snapshot holds the start of its turn
        match = rules.turn_start(after.snapshot)
    return Reached(match, after.number if match.digest() == after.digest else before.number)


def played_into(rules: Game, before: Version, after: Version, turn: int) -> Reached:
    """The first state of a turn that began while the choices of `after` were made.

    Raises StoreError when they can no longer be made.
    """
    match = version_as_it_was(rules, before).match.fork()
    happened: list[Told] = []
    for taken, choice in enumerate(after.added):
        if match.turn >= turn:
            return Reached(match, before.number, after.added[:taken], happened)
        with replaying(after):
            happened += told_again(rules, match, choice)
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
