"""Looking at games: all of them, one of them, its versions, what moderators did; and copies of them to keep."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.output import ConfigFile, GameName, Json, Limit, Output, Reveal, deliver, listing, local, moderating


def games(
    everything: Annotated[bool, typer.Option("--all", help="Those that are over, too.")] = False,
    as_json: Json = False,
    config: ConfigFile = None,
) -> None:
    from pbem.moderator import inspect

    with moderating(config) as moderator:
        summaries = inspect.games(moderator, everything=everything)
    rows = (
        {
            **inspect.selected(summary.game, "code", "name", "game_type", "status", "turn", "version"),
            "seats": [{"colour": seat.colour, "name": seat.name, "bot": seat.bot} for seat in summary.seats],
            "players": [f"{seat.colour} {seat.name}" for seat in summary.seats],
            "waiting": summary.waiting,
            "due_at": summary.due_at,
        }
        for summary in summaries
    )
    listing(rows, "code name status turn waiting=WAITS-FOR due_at=UNTIL players", moderator, as_json=as_json)


def show(
    game: GameName,
    version: Annotated[int | None, typer.Option(min=1, help="An older version, instead of the current one.")] = None,
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
        if version is None and shown.version.number != record.version:
            typer.echo(f"version {record.version} is broken; `pbem admin rollback {record.code}` goes back to this one")
    for place in summary.seats:
        typer.echo(f"  {place.colour}: {place.name}{' (bot)' if place.bot else ''}")
    for ask in summary.asks:
        accepted = "" if ask.report_accepted_at else " (its report has not been accepted by a mail server yet)"
        whom = summary.seats[ask.seat].colour if ask.kind == "turn" or shown.position else "reactions"
        typer.echo(f"  waits for {whom} until {local(ask.due_at, zone)}{accepted}")
    if shown.text:
        typer.echo(f"\n{shown.text.rstrip()}")
    if shown.position:
        typer.echo(f"\nposition: {shown.position}")


def versions(game: GameName, as_json: Json = False, config: ConfigFile = None) -> None:
    from pbem.moderator import inspect

    with moderating(config) as moderator:
        stored = inspect.versions(moderator, game)
    hidden = ("entropy", "game_id", "digest")
    rows = (
        {key: value for key, value in asdict(info).items() if key not in hidden} | {"state": "ok" if good else "broken"}
        for info, good in stored
    )
    columns = "number=VERSION parent=AFTER turn cause=BY created_at=WHEN inbound_id=MAIL state"
    listing(rows, columns, moderator, as_json=as_json)


def log(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Of this game only.")] = None,
    limit: Limit = 50,
    as_json: Json = False,
    config: ConfigFile = None,
) -> None:
    with moderating(config) as moderator, moderator.store.reading() as tx:
        entries = tx.audit_log(tx.find_game(game).id if game else None, limit)
    listing(map(asdict, entries), "at=WHEN who what why facts", moderator, as_json=as_json)


def export(game: GameName, output: Output = None, reveal: Reveal = "", config: ConfigFile = None) -> None:
    from pbem.moderator import inspect

    with moderating(config) as moderator:
        exported = inspect.export(moderator, game, reveal=reveal)
    text = json.dumps(exported, indent=1, ensure_ascii=False)
    deliver(text, output)


def backup(
    target: Annotated[Path, typer.Argument(help="The file to write; with --keep a folder.", show_default=False)],
    keep: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Name the file by the time, and remove the oldest in the folder but N."),
    ] = None,
    config: ConfigFile = None,
) -> None:
    """[bold]pbem admin backup /var/backups/pbem --keep 14[/bold]"""
    with moderating(config) as moderator:
        if keep is None:
            moderator.store.backup(target)
        else:
            target = moderator.store.backup_in(target, keep, moderator.clock())
    typer.echo(f"wrote {target}")
