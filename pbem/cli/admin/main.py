"""`pbem admin ...`: parse, call the desk, print; no logic."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from pbem.cli.admin.mail import app as mail_app
from pbem.cli.output import (
    Colour,
    ConfigFile,
    GameName,
    Json,
    Limit,
    Reveal,
    Why,
    each,
    local,
    opened,
    plain,
    table,
)
from pbem.errors import Ambiguous, ConfigError, NotUnderstood, OrderError
from pbem.moderator import actions as desk
from pbem.moderator import overview, sight
from pbem.moderator.players import sitter

app = typer.Typer(
    name="admin",
    help="See, fix and undo anything in any game.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)
app.add_typer(mail_app)


@app.command()
def games(
    everything: Annotated[bool, typer.Option("--all", help="Those that are over, too.")] = False,
    as_json: Json = False,
    config: ConfigFile = None,
) -> None:
    """List the games: how each stands, and for whom it waits."""
    with opened(config) as (store, settings):
        found = overview.games(store, everything=everything)
    zone = ZoneInfo(settings.defaults.timezone)
    if as_json:
        return each(
            {
                "code": one.game.code,
                "name": one.game.name,
                "game_type": one.game.game_type,
                "status": one.game.status,
                "turn": one.game.turn,
                "version": one.game.version,
                "seats": [{"colour": seat.colour, "name": seat.name, "bot": seat.bot} for seat in one.seats],
                "waiting": one.waiting,
                "due_at": one.due_at,
            }
            for one in found
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
            for one in found
        ),
    )


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="What the game is called.", show_default=False)],
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER...",
            help="In the order of play: 'Ann <ann@example.org>', or bot, or bot:NAME.",
            show_default=False,
        ),
    ],
    game_type: Annotated[str, typer.Option("--game", help="Which installed game.")] = "ankh_morpork",
    turn_hours: Annotated[float | None, typer.Option(help="Hours for a turn.")] = None,
    reaction_hours: Annotated[
        float | None, typer.Option(help="Hours for a question in another's turn.")
    ] = None,
    reminder_hours: Annotated[
        float | None, typer.Option(help="Hours before the deadline; 0: no reminder.")
    ] = None,
    nmr: Annotated[str | None, typer.Option(help="At a missed deadline: bot, or default.")] = None,
    timezone: Annotated[str | None, typer.Option(help="Zone of the dates in reports: Europe/Berlin.")] = None,
    begin: Annotated[bool, typer.Option("--start", help="Start it at once.")] = False,
    config: ConfigFile = None,
) -> None:
    """Add a game; `start` then begins it.

    [bold]pbem admin new "Thursday night" "Ann <ann@example.org>" "Bob <bob@example.org>" bot --start[/bold]

    What is not said here is taken from pbem.toml.
    """
    with opened(config) as (store, settings):
        options = desk.options_for(
            settings,
            turn_hours=turn_hours,
            reaction_hours=reaction_hours,
            reminder_hours=reminder_hours,
            nmr=nmr,
            timezone=timezone,
        )
        game = desk.new_game(
            store, settings, name, [sitter(one) for one in players], game_type=game_type, options=options
        )
        if begin:
            game = desk.start(store, settings, game.code)
    typer.echo(
        f"{game.code} {game.name}: started, the first reports are in the outbox"
        if begin
        else f"{game.code} {game.name}: added; `pbem admin start {game.code}` begins it"
    )


@app.command()
def start(game: GameName, config: ConfigFile = None) -> None:
    """Begin a game: everybody gets a first report."""
    with opened(config) as (store, settings):
        started = desk.start(store, settings, game)
    typer.echo(f"{started.code} {started.name}: started, the first reports are in the outbox")


@app.command()
def show(
    game: GameName,
    version: Annotated[
        int | None, typer.Option(min=1, help="An older version, instead of the current one.")
    ] = None,
    seat: Annotated[str, typer.Option(metavar="COLOUR", help="As this seat sees it; needs --reveal.")] = "",
    reveal: Reveal = "",
    config: ConfigFile = None,
) -> None:
    """Show a game as everybody may see it, or with --reveal all of it.

    [bold]pbem admin show G042[/bold]
    [bold]pbem admin show G042 --version 17 --seat Red --reveal "Ann says that a card was lost"[/bold]
    """
    with opened(config) as (store, settings):
        shown = sight.show(store, settings, game, version=version, colour=seat, reveal=reveal)
    found, zone = shown.standing, ZoneInfo(shown.standing.game.settings.timezone)
    typer.echo(f"{found.game.code} {found.game.name} ({found.game.game_type}): {found.game.status}")
    if shown.version:
        typer.echo(
            f"version {shown.version.number} of {found.game.version}, turn {shown.version.turn}, "
            f"by {shown.version.cause}, {local(shown.version.created_at, zone)}"
        )
    for one in found.seats:
        typer.echo(f"  {one.colour}: {one.name}{' (bot)' if one.bot else ''}")
    for ask in found.asks:
        accepted = (
            "" if ask.report_accepted_at else " (its report has not been accepted by a mail server yet)"
        )
        typer.echo(f"  waits for {found.seats[ask.seat].colour} until {local(ask.due_at, zone)}{accepted}")
    if shown.text:
        typer.echo(f"\n{shown.text.rstrip()}")
    if shown.position:
        typer.echo(f"\nposition: {shown.position}")


@app.command()
def versions(game: GameName, as_json: Json = False, config: ConfigFile = None) -> None:
    """List the stored versions of a game, any of which it can be set back to."""
    with opened(config) as (store, settings):
        found = overview.versions(store, game)
    if as_json:
        hidden = ("entropy", "game_id")
        return each({key: value for key, value in asdict(one).items() if key not in hidden} for one in found)
    zone = ZoneInfo(settings.defaults.timezone)
    return table(
        ("VERSION", "AFTER", "TURN", "BY", "WHEN", "MAIL"),
        (
            (
                one.number,
                one.parent or "-",
                one.turn,
                one.cause,
                local(one.created_at, zone),
                one.inbound_id or "-",
            )
            for one in found
        ),
    )


@app.command()
def pause(game: GameName, why: Why = "", config: ConfigFile = None) -> None:
    """Stop a game's clock; the players are told."""
    with opened(config) as (store, settings):
        paused = desk.pause(store, settings, game, why)
    typer.echo(f"{paused.code} {paused.name}: paused; `pbem admin resume {paused.code}` lets it go on")


@app.command()
def resume(game: GameName, why: Why = "", config: ConfigFile = None) -> None:
    """Let a paused game go on; deadlines move by as long as it stood."""
    with opened(config) as (store, settings):
        resumed = desk.resume(store, settings, game, why)
    typer.echo(f"{resumed.code} {resumed.name}: goes on")


@app.command()
def extend(
    game: GameName,
    hours: Annotated[float, typer.Argument(help="Hours to add.", show_default=False)],
    why: Why = "",
    config: ConfigFile = None,
) -> None:
    """Give more time to everybody for whom a game waits.

    [bold]pbem admin extend G042 48 --why "a long weekend"[/bold]
    """
    with opened(config) as (store, settings):
        found = desk.extend(store, settings, game, hours, why)
    zone = ZoneInfo(found.game.settings.timezone)
    typer.echo(f"{found.game.code} {found.game.name}: due {local(found.due_at, zone)}")


@app.command("act-as")
def act_as(
    game: GameName,
    colour: Colour,
    orders: Annotated[
        list[str], typer.Argument(metavar="ORDER...", help="One order each.", show_default=False)
    ],
    why: Annotated[str, typer.Option("--why", "-m", help="A reason, for the audit log.", show_default=False)],
    config: ConfigFile = None,
) -> None:
    """Carry out orders for a seat, as if its player had mailed them.

    [bold]pbem admin act-as G042 Red "play Groat" "minion The Hippo" end --why "dictated by telephone"[/bold]
    """
    with opened(config) as (store, settings):
        outcome = desk.act_as(store, settings, game, colour, orders, why)
    for line in outcome.lines:
        meant = f" -> {line.option}" if line.option and line.option != line.text else ""
        typer.echo(f"{line.verdict.replace('_', ' ')}: {line.text}{meant}")
        if line.error:
            typer.echo(f"    {why_not(line.error)}")
    if not outcome.changed:
        raise ConfigError(f"nothing was done; `pbem admin show {game}` says what the game waits for")


def why_not(error: OrderError) -> str:
    """Why a line was not carried out, and what would be right."""
    match error:
        case NotUnderstood():
            reason = "no legal order resembles it"
        case Ambiguous():
            reason = "it fits several orders, and none is guessed at"
        case _:
            reason = "it is not legal at this point"
    return f"{reason}; write one of these: {', '.join(error.suggestions)}" if error.suggestions else reason


@app.command()
def rollback(
    game: GameName,
    version: Annotated[
        int | None, typer.Option(min=1, help="To this version; see `pbem admin versions`.")
    ] = None,
    turn: Annotated[
        int | None, typer.Option(min=1, help="To the start of this turn; the present one when not given.")
    ] = None,
    keep_draws: Annotated[
        bool, typer.Option("--keep-draws", help="Do not draw anew what nobody has seen.")
    ] = False,
    why: Why = "",
    config: ConfigFile = None,
) -> None:
    """Set a game back. Nothing is deleted: the old state becomes a new version, and all players are told.

    [bold]pbem admin rollback G042 --turn 9 --why "the flood was wrong"[/bold]
    """
    if version is not None and turn is not None:
        raise ConfigError("give --version or --turn, not both")
    with opened(config) as (store, settings):
        back = desk.roll_back(
            store, settings, game, version=version, turn=turn, keep_draws=keep_draws, why=why
        )
    typer.echo(f"{back.code} {back.name}: turn {back.turn} again, version {back.version}")


@app.command("replace")
def replace_player(
    game: GameName,
    colour: Colour,
    player: Annotated[str, typer.Argument(help="'Cyd <cyd@example.org>', or bot.", show_default=False)],
    why: Why = "",
    config: ConfigFile = None,
) -> None:
    """Give a seat to somebody else, or to a bot; the old player's mails move nothing any more."""
    with opened(config) as (store, settings):
        seat = desk.replace_player(store, settings, game, colour, sitter(player), why)
    typer.echo(f"{seat.colour} is played by {seat.name} from now on")


@app.command()
def resend(game: GameName, colour: Colour, config: ConfigFile = None) -> None:
    """Mail a seat its report once more."""
    with opened(config) as (store, settings):
        seat = desk.resend(store, settings, game, colour)
    typer.echo(f"a new report for {seat.name} is in the outbox")


@app.command()
def players(as_json: Json = False, config: ConfigFile = None) -> None:
    """List everybody who ever had a seat, with their addresses and whether mail arrives there."""
    with opened(config) as (store, _):
        found = overview.players(store)
    if as_json:
        return each(asdict(one) for one in found)
    return table(
        ("PLAYER", "ADDRESS", "STATE"),
        (
            (
                one.name,
                address.address,
                f"bounces: {address.bounce_reason}"
                if address.bouncing_at
                else "in use"
                if address == one.address
                else "known"
                if address.verified_at
                else "to be confirmed",
            )
            for one in found
            for address in one.addresses
        ),
    )


@app.command()
def address(
    known: Annotated[str, typer.Argument(help="An address of the player.", show_default=False)],
    use: Annotated[str, typer.Argument(help="The address to use from now on.", show_default=False)],
    config: ConfigFile = None,
) -> None:
    """Send a player's reports to another address; orders are taken from both. The same address twice says that a
    bouncing one works again."""
    with opened(config) as (store, settings):
        player = desk.add_address(store, settings, known, use)
    typer.echo(f"reports for {player.name} go to {player.address.address if player.address else 'nowhere'}")


@app.command()
def timezone(
    known: Annotated[str, typer.Argument(help="An address of the player.", show_default=False)],
    zone: Annotated[
        str, typer.Argument(help="Such as Europe/Berlin; '' for that of each game.", show_default=False)
    ],
    config: ConfigFile = None,
) -> None:
    """Show a player the deadlines in their own time zone."""
    with opened(config) as (store, settings):
        player = desk.set_timezone(store, settings, known, zone)
    typer.echo(f"{player.name} reads dates in {player.timezone or 'the time zone of each game'}")


@app.command()
def export(
    game: GameName,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file; the terminal when not given.")
    ] = None,
    reveal: Reveal = "",
    config: ConfigFile = None,
) -> None:
    """Write a game as JSON, without addresses; what is secret only when it is over, or with --reveal."""
    with opened(config) as (store, settings):
        data = sight.export(store, settings, game, reveal=reveal)
    text = json.dumps(data, indent=1, ensure_ascii=False, default=plain)
    if output is None:
        typer.echo(text)
        return
    try:
        output.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{output} cannot be written: {error.strerror}") from error
    typer.echo(f"wrote {output}")


@app.command()
def log(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Of this game only.")] = None,
    limit: Limit = 50,
    as_json: Json = False,
    config: ConfigFile = None,
) -> None:
    """List what moderators did, when and why; newest last."""
    with opened(config) as (store, settings):
        found = overview.log(store, game, limit)
    if as_json:
        return each(asdict(one) for one in found)
    zone = ZoneInfo(settings.defaults.timezone)
    return table(
        ("WHEN", "WHO", "WHAT", "WHY", "FACTS"),
        (
            (
                local(one.at, zone),
                one.who,
                one.what,
                one.why,
                " ".join(f"{key}={value}" for key, value in one.facts.items()),
            )
            for one in found
        ),
    )


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(help="The file to write.", show_default=False)],
    config: ConfigFile = None,
) -> None:
    """Copy the database to a file, while the daemon runs or not."""
    with opened(config) as (store, _):
        store.backup(target)
    typer.echo(f"wrote {target}")
