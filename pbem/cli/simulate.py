"""`pbem simulate`: figures of games that bots play in memory."""

from typing import Annotated, Any

import typer

from pbem.cli.output import DEFAULT_GAME, GameType, Json, Players, tell


def simulate(
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    players: Players = None,
    seed: Annotated[int, typer.Option(help="The same number gives the same games.")] = 1,
    game: GameType = DEFAULT_GAME,
    as_json: Json = False,
) -> None:
    from pbem.play.simulate import simulate

    figures = simulate(game, games=games, players=players, seed=seed)
    lines = (f"{name.replace('_', ' ')}: {readable(value)}" for name, value in figures.items() if value != {})
    tell(figures, *lines, as_json=as_json)


def readable(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(
            f"{key} {what if isinstance(what, str) else f'({times(what)})'}" for key, what in value.items()
        )
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
