"""`pbem verify`: replay a game from its seed and compare it, version by version, with what is stored."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem.errors import ConfigError, ReplayMismatch
from pbem.play.replay import repeat, replaying, restored
from pbem.protocol import Game, Match, commitment, game_named, settings_for
from pbem.store import GameId, Store, Version


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of replaying a game."""

    game: str
    agrees: bool
    #: Versions that were replayed, rolled back ones aside.
    versions: int
    #: Choices that were made again.
    choices: int
    #: One sentence: what agrees, or what differs where.
    sentence: str


def verify(store: Store, code: str) -> Comparison:
    """Replay the game with this code (or name) from its seed along the versions that lead to the current one.

    Raises StoreError when there is no such game.
    """
    with store.reading() as tx:
        stored = tx.find_game(code)
        chain = tx.chain(stored.id, stored.version) if stored.version else ()
        seats = len(tx.seats(stored.id))
    if not chain:
        return Comparison(stored.code, True, 0, 0, f"{stored.code} has not begun: there is nothing to replay")
    game, seal = game_named(stored.game_type), stored.commitment
    return compared(stored.code, game, seats, stored.settings.rules, stored.seed, seal, chain)


def verify_file(path: Path) -> Comparison:
    """The same for a game as `pbem admin export` writes it: for players, who have nothing else of it.

    Raises ConfigError when the file is none, or was written while the seed was secret.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if "seed" not in data:
            raise ConfigError(f"{path} holds no seed: it was exported before the game was over; export it again")
        links = {link["number"]: link for link in data["versions"]}
        chain: list[Version] = []
        number = data["version"]
        while number is not None:
            chain.insert(0, version_from(links.pop(number)))
            number = chain[0].parent
        game, seats = game_named(data["game_type"]), len(data["seats"])
        seed, seal = bytes.fromhex(data["seed"]), str(data["commitment"])
        rules = {str(name): str(value) for name, value in data["settings"].get("rules", {}).items()}
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{path} is no exported game; `pbem admin export GAME -o FILE` writes one") from error
    comparison = compared(str(data["code"]), game, seats, rules, seed, seal, chain)
    advice = f"; its seal is {seal}, which must be the one in your first mail" if comparison.agrees else ""
    return replace(comparison, sentence=comparison.sentence + advice)


def version_from(data: Mapping[str, Any]) -> Version:
    created_at = datetime.fromisoformat(data["created_at"])
    known = {**data, "game_id": GameId(0), "inbound_id": None, "created_at": created_at}
    return Version(**{field.name: known[field.name] for field in fields(Version)})


def compared(
    code: str, game: Game, seats: int, rules: Mapping[str, str], seed: bytes, seal: str, chain: Sequence[Version]
) -> Comparison:
    """What comes of replaying these versions, each of which continues the one before, from the seed."""
    settings = settings_for(game, rules)
    if commitment(game, seats, seed, settings) != seal:
        return Comparison(code, False, 0, 0, f"{code} differs: its seed is not the one that was committed to")
    if chain[0].parent is not None:
        return Comparison(code, False, len(chain), 0, f"{code} differs: version {chain[0].parent} is gone")
    match = game.new(seats, seed, settings)
    choices = 0
    for version in chain:
        try:
            choices += replay(match, version)
            restored(game, version)
        except ReplayMismatch as mismatch:
            where = f"version {version.number}, turn {version.turn}"
            return Comparison(
                code, False, len(chain), choices, f"{code} differs at {where}: {mismatch}; all before it agrees"
            )
    sentence = f"{code} agrees: {choices} choices in {len(chain)} versions lead from the seed to what is stored"
    return Comparison(code, True, len(chain), choices, sentence)


def replay(match: Match, version: Version) -> int:
    """Make a version's choices again; how many there were.

    Raises ReplayMismatch when one is not legal, or the state that follows is not the stored one.
    """
    with replaying(version):
        for choice in version.added:
            repeat(match, choice)
    if version.entropy:
        match.rollback_entropy(bytes.fromhex(version.entropy))
    if match.digest() != version.digest:
        raise ReplayMismatch("the state is another one after the same choices")
    return len(version.added)
