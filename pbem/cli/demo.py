"""`pbem demo` and `pbem play`: a game on embedded mail servers."""

import sys
from typing import Annotated

import typer

from pbem.cli.output import DEFAULT_GAME, Folder, GameType, Players, Seed


def demo(
    game: GameType = DEFAULT_GAME,
    players: Players = None,
    seed: Seed = None,
    directory: Folder = None,
    turns: Annotated[int | None, typer.Option(min=1, help="Stop after this many turns.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the result only.")] = False,
) -> None:
    from pbem.demo.demo import demo

    raise typer.Exit(demo(game, players=players, seed=seed, directory=directory, turns=turns, quiet=quiet))


def play(game: GameType = DEFAULT_GAME, players: Players = None, seed: Seed = None, directory: Folder = None) -> None:
    """[bold]pbem play --dir FOLDER[/bold] goes on with a game that was left there."""
    from pbem.demo.demo import demo
    from pbem.demo.terminal import Keyboard

    keyboard = Keyboard(sys.stdin.fileno())
    raise typer.Exit(demo(game, players=players, seed=seed, directory=directory, quiet=True, ask=keyboard))
