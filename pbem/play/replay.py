"""Making stored choices again, and the states that they lead to. Nothing stored is touched."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from pbem.errors import ReplayMismatch, StoreError
from pbem.protocol import Event, Game, Match, Seat, Told, decision_of, in_turns
from pbem.store import GameId, Tx, Version


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
    """The state that a version holds. Raises ReplayMismatch."""
    return Reached(restored(rules, version), version.number)


def restored(rules: Game, version: Version) -> Match:
    """The match that a version holds.

    Raises ReplayMismatch when it cannot be read, no longer replays, or is not the one that was stored.
    """
    with replaying(version):
        match = rules.restore(version.snapshot)
        if match.digest() != version.digest:
            raise ReplayMismatch
        return match


def newest_good(tx: Tx, rules: Game, game_id: GameId, number: int) -> Reached | None:
    """The state of a version; where that cannot be read or played again, of the last that can be on the way to it, if
    any."""
    parents = {info.number: info.parent for info in tx.versions(game_id)}
    while number:
        with suppress(ReplayMismatch):
            if number in parents:
                return version_as_it_was(rules, tx.version(game_id, number))
        # Of a version that is gone it is not known what it continued: the one before it was the present one then.
        number = parents.get(number, number - 1) or 0
    return None


def start_of_turn(rules: Game, chain: Sequence[Version], turn: int) -> Reached:
    """The first state of a turn on the way that led to the last version of `chain`.

    Raises StoreError when that way has no such turn, ReplayMismatch when neither the way into it nor its own versions
    can be read under the present rules.
    """
    if not 1 <= turn <= chain[-1].turn:
        raise StoreError(f"there is no turn {turn} to go back to; the game is in turn {chain[-1].turn}")
    into = next(place for place, version in enumerate(chain) if version.turn >= turn)
    before, after = chain[max(into - 1, 0)], chain[into]
    try:
        return played_into(rules, before, after, turn) if into else version_as_it_was(rules, after)
    except ReplayMismatch:
        if after.turn != turn:
            raise
    with replaying(after):  # the way into it no longer replays, but the snapshot holds the start of its turn
        match = rules.turn_start(after.snapshot)
    return Reached(match, after.number if match.digest() == after.digest else before.number)


def played_into(rules: Game, before: Version, after: Version, turn: int) -> Reached:
    """The first state of a turn that began while the choices of `after` were made. Raises ReplayMismatch."""
    match = restored(rules, before).fork()
    happened: list[Told] = []
    with replaying(after):
        for taken, choice in enumerate(after.added):
            if match.turn >= turn:
                return Reached(match, before.number, after.added[:taken], happened)
            happened += told_again(rules, match, choice)
    return version_as_it_was(rules, after)


@contextmanager
def replaying(version: Version) -> Iterator[None]:
    """Raises ReplayMismatch, which names the version, when what is done with it is not possible."""
    try:
        yield
    except Exception as error:  # what is damaged may make a game trip over anything
        raise ReplayMismatch(
            f"version {version.number} cannot be read, or not be played again under the present rules", version.number
        ) from error
