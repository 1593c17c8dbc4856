"""`pbem verify` and `pbem replay`: a game played again from its seed, to compare it, and to look through it."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.output import ConfigFile, GameName, Json, deliver, moderating, tell


def verify(
    game: Annotated[str, typer.Argument(help="The game's code, such as G042; or an exported game, a .json file.")],
    config: ConfigFile = None,
    as_json: Json = False,
) -> None:
    from pbem.play.verify import verify, verify_file

    if game.endswith(".json"):
        comparison = verify_file(Path(game))
    else:
        with moderating(config) as moderator:
            comparison = verify(moderator.store, game)
    tell(asdict(comparison), comparison.sentence, as_json=as_json)
    raise typer.Exit(0 if comparison.agrees else 1)


def replay(
    game: GameName,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file; GAME-replay.html when not given.")
    ] = None,
    config: ConfigFile = None,
) -> None:
    """The page needs no network: open it in a browser, or send it to those who played."""
    from pbem.play.course import written_page

    with moderating(config) as moderator:
        page = written_page(moderator.store, game)
    deliver(page.html, output or Path(page.name))
