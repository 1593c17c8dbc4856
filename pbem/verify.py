"""`pbem verify`: replay a game from its seed and compare it, version by version, with what is stored."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pbem.errors import ReplayMismatch
from pbem.protocol import Match, game_named
from pbem.replay import repeat
from pbem.store import Store, Version


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of replaying a game."""

    game: str
    agrees: bool
    #: Versions that were replayed, rolled back ones aside.
    versions: int
    #: Choices that were made again.
    choices: int
    #: One sentence: what agrees, or what differs where.
    sentence: str

    def as_dict(self) -> dict[str, Any]:
        """The verdict as JSON-able values."""
        return asdict(self)


def verify(store: Store, code: str) -> Verdict:
    """Replay the game with this code (or name) from its seed along the versions that lead to the current one.

    Raises StoreError when there is no such game.
    """
    with store.reading() as tx:
        stored = tx.find_game(code)
        chain = tx.chain(stored.id, stored.version) if stored.version else ()
        seats = len(tx.seats(stored.id))
    if not chain:
        return Verdict(stored.code, True, 0, 0, f"{stored.code} has not begun: there is nothing to replay")
    game = game_named(stored.game_type)
    if game.commitment(seats, stored.seed) != stored.commitment:
        return Verdict(
            stored.code, False, 0, 0, f"{stored.code} differs: its seed is not the one that was committed to"
        )
    match = game.new(seats, stored.seed)
    choices = 0
    for version in chain:
        try:
            choices += replay(match, version)
        except ReplayMismatch as mismatch:
            where = f"version {version.number}, turn {version.turn}"
            return Verdict(
                stored.code, False, len(chain), choices, f"{stored.code} differs at {where}: {mismatch}"
            )
    return Verdict(
        stored.code,
        True,
        len(chain),
        choices,
        f"{stored.code} agrees: {choices} choices in {len(chain)} versions lead from the seed to what is stored",
    )


def replay(match: Match, version: Version) -> int:
    """Make a version's choices again; how many there were.

    Raises ReplayMismatch when one is not legal, or the state that follows is not the stored one.
    """
    for choice in version.added:
        repeat(match, choice)
    if version.entropy:
        match.rollback_entropy(bytes.fromhex(version.entropy))
    if match.digest() != version.digest:
        raise ReplayMismatch("the state is another one after the same choices")
    return len(version.added)
