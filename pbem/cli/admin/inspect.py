"""Looking at games: all of them, one of them, its versions, and what moderators did."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from pbem.cli.output import ConfigFile, GameName, Json, Limit, Reveal, each, local, moderating, table


def games(
    everything: Annotated[bool, typer.Option("--all", help="Those that are over, too.")] = False,
    as_json: Json = False,
    config: ConfigFile = None,
) -> None:
    from pbem.moderator import inspect

    with moderating(config) as moderator:
        summaries = inspect.games(moderator, everything=everything)
    zone = moderator.settings.defaults.timezone
    if as_json:
        return each(
            {
                **{
                    key: getattr(one.game, key)
                    for key in ("code", "name", "game_type", "status", "turn", "version")
                },
                "seats": [{"colour": seat.colour, "name": seat.name, "bot": seat.bot} for seat in one.seats],
                "waiting": one.waiting,
                "due_at": one.due_at,
            }
            for one in summaries
        )
    return table(
        ("CODE", "NAME", "STATUS", "TURN", "WAITS FOR", "UNTIL", "PLAYERS"),
        (
            (
                one.game.code,
                one.game.name,
                one.game.status,
                one.game.turn or "-",
                ", ".join(one.waiting) or "-",
                local(one.due_at, zone),
                ", ".join(f"{seat.colour} {seat.name}" for seat in one.seats),
            )
            for one in summaries
        ),
    )


def show(
    game: GameName,
    version: Annotated[
        int | None, typer.Option(min=1, help="An older version, instead of the current one.")
    ] = None,
    seat: Annotated[str, typer.Option(metavar="COLOUR", help="As this seat sees it; needs --reveal.")] = "",
    reveal: Reveal = "",
    config: ConfigFile = None,
) -> None:
    """[bold]pbem admin show G042[/bold]
    [bold]pbem admin show G042 --version 17 --seat Red --reveal "Ann says that a card was lost"[/bold]
    """
    from pbem.moderator import inspect

    with moderating(config) as moderator:
        shown = inspect.show(moderator, game, version=version, colour=seat, reveal=reveal)
    summary, record = shown.summary, shown.summary.game
    zone = record.settings.timezone
    typer.echo(f"{record.code} {record.name} ({record.game_type}): {record.status}")
    if shown.version:
        typer.echo(
            f"version {shown.version.number} of {record.version}, turn {shown.version.turn}, "
            f"by {shown.version.cause}, {local(shown.version.created_at, zone)}"
        )
    for place in summary.seats:
        typer.echo(f"  {place.colour}: {place.name}{' (bot)' if place.bot else ''}")
    for ask in summary.asks:
        accepted = (
            "" if ask.report_accepted_at else " (its report has not been accepted by a mail server yet)"
        )
        typer.echo(f"  waits for {summary.seats[ask.seat].colour} until {local(ask.due_at, zone)}{accepted}")
    if shown.text:
        typer.echo(f"\n{shown.text.rstrip()}")
    if shown.position:
        typer.echo(f"\nposition: {shown.position}")


def versions(game: GameName, as_json: Json = False, config: ConfigFile = None) -> None:
    from pbem.moderator import inspect

    with moderating(config) as moderator:
        stored = inspect.versions(moderator, game)
    if as_json:
        hidden = ("entropy", "game_id")
        return each(
            {key: value for key, value in asdict(info).items() if key not in hidden} for info in stored
        )
    zone = moderator.settings.defaults.timezone
    return table(
        ("VERSION", "AFTER", "TURN", "BY", "WHEN", "MAIL"),
        (
            (
                info.number,
                info.parent or "-",
                info.turn,
                info.cause,
                local(info.created_at, zone),
                info.inbound_id or "-",
            )
            for info in stored
        ),
    )


def log(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Of this game only.")] = None,
    limit: Limit = 50,
    as_json: Json = False,
    config: ConfigFile = None,
) -> None:
    from pbem.moderator import inspect

    with moderating(config) as moderator:
        entries = inspect.log(moderator, game, limit)
    if as_json:
        return each(asdict(entry) for entry in entries)
    zone = moderator.settings.defaults.timezone
    return table(
        ("WHEN", "WHO", "WHAT", "WHY", "FACTS"),
        (
            (
                local(entry.at, zone),
                entry.who,
                entry.what,
                entry.why,
                " ".join(f"{key}={value}" for key, value in entry.facts.items()),
            )
            for entry in entries
        ),
    )
