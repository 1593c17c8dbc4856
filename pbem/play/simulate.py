"""`pbem simulate`: bots against bots in memory, for figures and balance. No mail, no database."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any

from pbem.errors import ConfigError
from pbem.protocol import Game, Match, game_named


@dataclass(slots=True)
class Figures:
    """What came of some simulated games."""

    games: int = 0
    #: Choices that had more than one option.
    decisions: int = 0
    seconds: float = 0.0
    games_per_second: float = 0.0
    decisions_per_second: float = 0.0
    #: Wins by what the winner was secretly after; a shared win counts for each.
    wins_by_personality: Counter[str] = field(default_factory=Counter)
    #: Wins by seat, counted from 1 in the order of play.
    wins_by_seat: Counter[str] = field(default_factory=Counter)
    #: Why the games ended.
    reasons: Counter[str] = field(default_factory=Counter)

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON-able values."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {
            name: dict(sorted(value.items())) if isinstance(value, Counter) else value
            for name, value in values.items()
        }


def stream(seed: int, *what: object) -> bytes:
    """32 bytes for one purpose, from the number given on the command line."""
    return hashlib.sha256(repr((seed, *what)).encode()).digest()


def play_out(game: Game, match: Match, seed: int) -> int:
    """Let bots play a match to its end; the number of choices that had more than one option."""
    decisions = step = 0
    while (decision := match.decision) is not None:
        step += 1
        if len(decision.options) == 1:
            match.choose(decision.options[0])
            continue
        decisions += 1
        match.choose(game.bot(match.view(decision.seat), decision, stream(seed, "bot", step)))
    return decisions


def seats_for(game: Game, players: int | None) -> int:
    """How many play: as many as are wanted, else three where the game allows.

    Raises ConfigError when the game does not take that many.
    """
    fewest, most = game.seats
    wanted = min(max(3, fewest), most) if players is None else players
    if not fewest <= wanted <= most:
        raise ConfigError(f"{game.title} is for {fewest} to {most}, not for {wanted}")
    return wanted


def simulate(name: str, *, games: int, players: int | None, seed: int) -> Figures:
    """Play `games` matches of the installed game `name` with a bot at each seat.

    Raises ConfigError when the game does not take that many players.
    """
    game = game_named(name)
    players = seats_for(game, players)
    figures = Figures(games=games)
    began = time.perf_counter()
    for number in range(games):
        match = game.new(players, stream(seed, "game", number))
        figures.decisions += play_out(game, match, seed * 1_000_003 + number)
        result = match.result
        assert result is not None, match.position()
        figures.reasons[result.reason] += 1
        for winner in result.winners:
            figures.wins_by_seat[str(winner + 1)] += 1
            if (told := result.details.get("seats")) and "personality" in told[winner]:
                figures.wins_by_personality[told[winner]["personality"]] += 1
    figures.seconds = time.perf_counter() - began
    figures.games_per_second = games / figures.seconds
    figures.decisions_per_second = figures.decisions / figures.seconds
    return figures
