"""`pbem simulate`: bots against bots in memory, for figures and balance. No mail, no database."""

import hashlib
import time
from collections import Counter
from typing import Any

from pbem.errors import ConfigError
from pbem.protocol import Game, HasBot, Match, game_named, seats_for, settings_for


def stream(seed: int, *what: object) -> bytes:
    """32 bytes for one purpose, from the number given on the command line."""
    return hashlib.sha256(repr((seed, *what)).encode()).digest()


def play_out(game: Game, match: Match, seed: int) -> int:
    """Let bots play a match to its end; the number of choices that had more than one option."""
    if not isinstance(game, HasBot):
        raise ConfigError(f"{game.title} has no bot, so it cannot be simulated")
    decisions = step = 0
    while pending := match.pending:
        step += 1
        decision, option = pending[0], pending[0].options[0]
        if len(decision.options) > 1:
            decisions += 1
            option = game.bot(match.view(decision.seat), decision, stream(seed, "bot", step))
        match.choose(decision.seat, option)
    return decisions


def simulate(name: str, *, games: int, players: int | None, seed: int) -> dict[str, Any]:
    """Play `games` matches of the installed game `name` with a bot at each seat; figures as JSON-able values.

    `decisions` are choices that had more than one option; a shared win counts for each winner, by seat (from 1, in the
    order of play) and, where the game has such a thing, by personality; `ended_by` is why the games ended.

    Raises ConfigError when the game does not take that many players.
    """
    game = game_named(name)
    players = seats_for(game, players)
    settings = settings_for(game, {})
    decisions, personalities, seats, reasons = 0, Counter[str](), Counter[str](), Counter[str]()
    began = time.perf_counter()
    for number in range(games):
        match = game.new(players, stream(seed, "game", number), settings)
        decisions += play_out(game, match, seed * 1_000_003 + number)
        result = match.result
        assert result is not None, match.position()
        reasons[result.reason] += 1
        for winner in result.winners:
            seats[str(winner + 1)] += 1
            if (details := result.details.get("seats")) and "personality" in details[winner]:
                personalities[details[winner]["personality"]] += 1
    seconds = time.perf_counter() - began
    return {
        "games": games,
        "seats": players,
        "settings": settings,
        "decisions": decisions,
        "seconds": seconds,
        "games_per_second": games / seconds,
        "decisions_per_second": decisions / seconds,
        "wins_by_personality": dict(sorted(personalities.items())),
        "wins_by_seat": dict(sorted(seats.items())),
        "ended_by": dict(sorted(reasons.items())),
    }
