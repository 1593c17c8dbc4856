"""`pbem aid`: what a player needs at the table, on one page."""

from typing import Annotated

import typer

from pbem.cli.output import DEFAULT_GAME, GameType, Output, deliver


def aid(
    game: GameType = DEFAULT_GAME,
    html: Annotated[bool, typer.Option("--html/--text", help="As HTML, to be printed from a browser.")] = False,
    output: Output = None,
) -> None:
    """[bold]pbem aid --html -o aid.html[/bold] for a sheet of paper; players get the same by mail, with `aid`."""
    from pbem.protocol import game_named
    from pbem.reports.sheet import sheet

    deliver(sheet(game_named(game), "html" if html else "text").rstrip("\n"), output)
