"""`pbem verify`: a game replayed from its seed."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.output import ConfigFile, Json, moderating, tell


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
