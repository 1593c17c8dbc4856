"""Play bots-only games and keep them in `recorded/`: run it when a change of the rules is meant to change them.

python tests/ankh_morpork/record_games.py
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from games.ankh_morpork import GAME

FOLDER = Path(__file__).with_name("recorded")
#: Seats and the name that makes the seed.
GAMES = ((2, "small-gods"), (3, "guards-guards"), (3, "moving-pictures"), (4, "night-watch"), (4, "jingo"))


def recorded(seats: int, name: str) -> dict[str, Any]:
    """A whole game between bots: its seed, every choice, and how it ended."""
    seed = hashlib.sha256(name.encode()).digest()
    match = GAME.new(seats, seed, {})
    while match.pending:
        decision = match.pending[0]
        randomness = hashlib.sha256(seed + len(match.choices()).to_bytes(4, "big")).digest()
        match.choose(match.pending[0].seat, GAME.bot(match.view(decision.seat), decision, randomness))
    assert match.result is not None
    return {
        "seats": seats,
        "seed": seed.hex(),
        "choices": match.choices(),
        "winners": list(match.result.winners),
        "reason": match.result.reason,
        "points": [seat["total"] for seat in match.result.details["seats"]],
    }


def main() -> None:
    """Write every game, a choice a line."""
    for seats, name in GAMES:
        game = recorded(seats, name)
        choices = ",\n".join(json.dumps(choice) for choice in game.pop("choices"))
        head = json.dumps(game, indent=1).removesuffix("\n}")
        (FOLDER / f"{name}.json").write_text(f'{head},\n "choices": [\n{choices}\n]}}\n', "utf-8")


if __name__ == "__main__":
    main()
