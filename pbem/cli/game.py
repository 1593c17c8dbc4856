"""`pbem game`: begin, prove and list games."""

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.output import Json, each, table
from pbem.errors import ConfigError

app = typer.Typer(help="Begin, prove and list games.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The game's name, such as goofspiel.", show_default=False)]


@app.command("list")
def list_games(as_json: Json = False) -> None:
    """List the games that are installed."""
    from pbem.protocol import HasBot, HasPolicies, HasRules, game_named, game_names

    parts = {"bot": HasBot, "policies": HasPolicies, "rules": HasRules}
    lines: list[dict[str, Any]] = []
    rows = []
    for name in game_names():
        try:
            game = game_named(name)
        except ConfigError as error:
            lines.append({"name": name, "error": str(error)})
            rows.append((name, str(error).removeprefix(f"{name} "), "", "", ""))
            continue
        has = [part for part, kind in parts.items() if isinstance(game, kind)]
        seats, settings = list(game.seats), {setting: list(values) for setting, values in game.settings.items()}
        lines.append({"name": name, "title": game.title, "seats": seats, "settings": settings, "parts": has})
        chosen = "; ".join(f"{setting}: {', '.join(values)}" for setting, values in settings.items())
        rows.append((name, game.title, "-".join(map(str, seats)), chosen, ", ".join(has)))
    if as_json:
        each(lines)
    else:
        table(("name", "title", "seats", "settings", "parts"), rows)


@app.command()
def check(
    name: Name,
    seed: Annotated[int, typer.Option(help="Another number plays other matches.")] = 0,
    games: Annotated[int, typer.Option(min=1, help="Matches for each number of seats and value of a setting.")] = 1,
) -> None:
    """Play a game at random and prove what the protocol promises; the first promise broken is named."""
    from pbem.protocol import game_named
    from pbem.testing import check as prove

    figures = prove(game_named(name), seed=seed, games=games)
    typer.echo(
        f"{name} keeps its promises: {figures.matches} matches, {figures.choices} choices, "
        f"{figures.events} kinds of events, {figures.mails} mails"
    )
    private = f"not proved, for there is no dealt_anew; seats see their own: {', '.join(figures.private)}"
    typer.echo(f"secrets: {'proved' if figures.secrets else private if figures.private else 'none declared'}")
    for kinds, says in ((figures.untold, "happened, but TELL has no words for it"), (figures.unseen, "never happened")):
        if kinds:
            typer.echo(f"{says}: {', '.join(kinds)}")


@app.command()
def new(
    name: Name, folder: Annotated[Path, typer.Option(help="Where the folder of the game is made.")] = Path()
) -> None:
    """Write a small complete game to begin with."""
    from pbem.moderator.new_game import write_game

    for path in write_game(name, folder):
        typer.echo(f"wrote {path}")
    typer.echo(f"next: pip install -e '{folder / name}[test]', then `pbem game check {name}`")
