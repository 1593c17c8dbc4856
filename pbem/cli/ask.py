"""`pbem ask`: a question on the rules, or on a position, answered as by mail."""

from typing import Annotated

import typer

from pbem.cli.output import Json, tell


def ask(
    question: Annotated[str, typer.Argument(help="In plain words.", show_default=False)],
    game: Annotated[str, typer.Option(help="The game that it is about.")] = "ankh_morpork",
    position: Annotated[str, typer.Option(help="A position in the game's notation, as the asker's seat sees it.")] = "",
    seat: Annotated[str | None, typer.Option(help="Who asks; by default who is to move.")] = None,
    names: Annotated[str, typer.Option(help="The players: red=Ann,green=Bob.")] = "",
    as_json: Json = False,
) -> None:
    from pbem.cli.check import players
    from pbem.play.written import asked
    from pbem.protocol import game_named

    rules = game_named(game)
    told = asked(rules, question, position, seat, players(rules, names))
    lines = [one["text"] for one in told["answers"]]
    others = [f"    {one['title'] or one['id']}" for one in told["answers"][1:]]
    tell(told, *(lines[:1] or [told["kind"]]), *others, as_json=as_json)
