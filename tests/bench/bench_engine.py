"""How fast the rules are: random games of four players, beside catanatron's, measured in the same process.

    python tests/bench/bench_engine.py [--seconds N]

Prints one JSON object. `ratio` is our decisions a second over catanatron's; both count only decisions with more
than one option. `pip install 'pbem[bench]'` brings catanatron.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from games.ankh_morpork import GAME


def random_game(seed: int) -> tuple[int, Any]:
    """Play one whole game by chance: its decisions that had a choice, and the match at its end."""
    chance = random.Random(seed).random
    match = GAME.new(4, seed.to_bytes(32, "big"), {})
    decisions = 0
    while match.pending:
        decision = match.pending[0]
        options = decision.options
        if len(options) > 1:
            decisions += 1
            match.choose(match.pending[0].seat, options[int(chance() * len(options))])
        else:
            match.choose(match.pending[0].seat, options[0])
    return decisions, match


def catanatron_game(seed: int) -> int:
    """Play one whole game of catanatron by chance: its decisions that had a choice."""
    from catanatron import Color, Game, RandomPlayer

    game = Game([RandomPlayer(color) for color in Color], seed=seed)
    decisions = 0
    while game.winning_color() is None and game.state.num_turns < 1000:
        decisions += len(game.state.playable_actions) > 1
        game.play_tick()
    return decisions


def rate(play: Callable[[int], int], seconds: float, first: int) -> float:
    """Decisions a second."""
    decisions, seed = 0, first
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        decisions += play(seed)
        seed += 1
    return decisions / (time.perf_counter() - begun)


def timed(work: Callable[[], object], times: int) -> float:
    """The median of some runs, in milliseconds."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return 1000 * median(taken)


def halfway(seed: int) -> Any:
    """A match after 150 random choices."""
    chance = random.Random(seed).random
    match = GAME.new(4, seed.to_bytes(32, "big"), {})
    for _ in range(150):
        if match.pending:
            match.choose(match.pending[0].seat, match.pending[0].options[int(chance() * len(match.pending[0].options))])
    return match


def replay(choices: list[str], seed: int) -> None:
    """Play a finished game again from its seed and the texts chosen."""
    match = GAME.new(4, seed.to_bytes(32, "big"), {})
    for text in choices:
        assert match.pending
        option = match.pending[0].option(text)
        assert option is not None, text
        match.choose(match.pending[0].seat, option)


def texts_of(seed: int) -> list[str]:
    """What was chosen in a random game."""
    chance = random.Random(seed).random
    match = GAME.new(4, seed.to_bytes(32, "big"), {})
    texts = []
    while match.pending:
        decision = match.pending[0]
        option = decision.options[int(chance() * len(decision.options))]
        texts.append(option.text)
        match.choose(match.pending[0].seat, option)
    return texts


def measure(seconds: float) -> dict[str, Any]:
    """Everything, alternating between the two engines so that a busy machine slows both."""
    rate(lambda seed: random_game(seed)[0], seconds / 10, 0)
    rate(catanatron_game, seconds / 10, 0)
    ours, theirs = [], []
    for part in range(4):
        ours.append(rate(lambda seed: random_game(seed)[0], seconds / 8, 1000 * part))
        theirs.append(rate(catanatron_game, seconds / 8, 1000 * part))
    texts = texts_of(7)
    match = halfway(7)
    snapshot = json.dumps(match.snapshot(), separators=(",", ":"))
    return {
        "ratio": round(median(mine / other for mine, other in zip(ours, theirs, strict=True)), 2),
        "decisions_per_second": round(median(ours)),
        "catanatron_decisions_per_second": round(median(theirs)),
        "game_choices": len(texts),
        "replay_ms": round(timed(lambda: replay(texts, 7), 9), 2),
        "snapshot_bytes": len(snapshot),
        "snapshot_ms": round(timed(match.snapshot, 50), 3),
        "restore_ms": round(timed(lambda: GAME.restore(match.snapshot()), 50), 3),
        "fork_ms": round(timed(match.fork, 50), 3),
        "view_ms": round(timed(lambda: match.view(match.actor), 50), 3),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=12, help="time for the comparison")
    print(json.dumps(measure(parser.parse_args().seconds), indent=2))
