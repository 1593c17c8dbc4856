"""Games: adding, starting, stopping and setting them back."""

from typing import Annotated, Any

import typer

from pbem.cli.output import DEFAULT_GAME, ConfigFile, GameName, GameType, Why, local, moderating
from pbem.errors import ConfigError

IN_ORDER = "In the order of play: 'Ann <ann@example.org>', or bot, or bot:NAME."
STARTED = "started, the first reports are in the outbox"
SETTINGS = (
    *("turn_hours", "reaction_hours", "reminder_hours", "nmr"),
    *("suggestions", "reactions", "timezone", "replay_page"),
)
TurnHours = Annotated[float | None, typer.Option(help="Hours for a turn.")]
ReactionHours = Annotated[float | None, typer.Option(help="Hours for a question in another's turn.")]
ReminderHours = Annotated[float | None, typer.Option(help="Hours before the deadline; 0: no reminder.")]
Nmr = Annotated[str | None, typer.Option(help="At a missed deadline: bot, or default.")]
Suggestions = Annotated[
    bool | None, typer.Option("--suggestions/--no-suggestions", help="Whether mails suggest whole turns.")
]
Reactions = Annotated[
    str | None, typer.Option(help="Answers in others' turns: standing (policies), sealed (all are asked), or ask.")
]
Zone = Annotated[str | None, typer.Option("--timezone", help="Zone of the dates in reports: Europe/Berlin.")]

ReplayPage = Annotated[
    bool | None,
    typer.Option("--replay-page/--no-replay-page", help="Attach the game as a page to look through to the last mail."),
]


def new(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="What the game is called.", show_default=False)],
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help=IN_ORDER, show_default=False)],
    game: GameType = DEFAULT_GAME,
    rule: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A setting of the game itself; may be given several times."),
    ] = None,
    turn_hours: TurnHours = None,
    reaction_hours: ReactionHours = None,
    reminder_hours: ReminderHours = None,
    nmr: Nmr = None,
    suggestions: Suggestions = None,
    reactions: Reactions = None,
    timezone: Zone = None,
    replay_page: ReplayPage = None,
    begin: Annotated[bool, typer.Option("--start", help="Start it at once.")] = False,
    config: ConfigFile = None,
) -> None:
    """[bold]pbem admin new "Thursday night" "Ann <ann@example.org>" "Bob <bob@example.org>" bot --start[/bold]

    What is not said here is taken from pbem.toml.
    """
    from pbem.moderator import actions
    from pbem.moderator.players import seat_spec

    with moderating(config) as moderator:
        seats, rules = [seat_spec(text) for text in players], dict(rule_in(text) for text in rule or ())
        added = actions.new_game(moderator, name, seats, game_type=game, rules=rules, **settings_in(ctx))
        if begin:
            actions.start(moderator, added.code)
    stands = STARTED if begin else f"added; `pbem admin start {added.code}` begins it"
    typer.echo(f"{added.code} {added.name}: {stands}")


def settings_in(ctx: typer.Context) -> dict[str, Any]:
    """The settings that were given among the options of a command."""
    return {name: value for name in SETTINGS if (value := ctx.params[name]) is not None}


def rule_in(text: str) -> tuple[str, str]:
    name, is_there, value = text.partition("=")
    if not is_there:
        raise ConfigError(f"{text!r} is no rule; write it as NAME=VALUE")
    return name.strip(), value.strip()


def start(game: GameName, config: ConfigFile = None) -> None:
    from pbem.moderator import actions

    with moderating(config) as moderator:
        started = actions.start(moderator, game)
    typer.echo(f"{started.code} {started.name}: {STARTED}")


def settings(
    ctx: typer.Context,
    game: GameName,
    turn_hours: TurnHours = None,
    reaction_hours: ReactionHours = None,
    reminder_hours: ReminderHours = None,
    nmr: Nmr = None,
    suggestions: Suggestions = None,
    reactions: Reactions = None,
    timezone: Zone = None,
    replay_page: ReplayPage = None,
    why: Why = "",
    config: ConfigFile = None,
) -> None:
    """Players are told of what concerns them. What is not named stays.

    [bold]pbem admin settings G042 --turn-hours 48 --reactions sealed[/bold]
    """
    from pbem.moderator import actions

    with moderating(config) as moderator:
        changed = actions.change_settings(moderator, game, why, **settings_in(ctx))
    words = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in changed.settings.model_dump().items())
    typer.echo(f"{changed.code} {changed.name}: {words}")


def pause(game: GameName, why: Why = "", config: ConfigFile = None) -> None:
    from pbem.moderator import actions

    with moderating(config) as moderator:
        paused = actions.pause(moderator, game, why)
    typer.echo(f"{paused.code} {paused.name}: paused; `pbem admin resume {paused.code}` lets it go on")


def resume(game: GameName, why: Why = "", config: ConfigFile = None) -> None:
    from pbem.moderator import actions

    with moderating(config) as moderator:
        resumed = actions.resume(moderator, game, why)
    typer.echo(f"{resumed.code} {resumed.name}: goes on")


def extend(
    game: GameName,
    hours: Annotated[float, typer.Argument(help="Hours to add.", show_default=False)],
    why: Why = "",
    config: ConfigFile = None,
) -> None:
    """[bold]pbem admin extend G042 48 --why "a long weekend"[/bold]"""
    from pbem.moderator import actions

    with moderating(config) as moderator:
        summary = actions.extend(moderator, game, hours, why)
    due = local(summary.due_at, summary.game.settings.timezone)
    typer.echo(f"{summary.game.code} {summary.game.name}: due {due}")


def rollback(
    game: GameName,
    version: Annotated[int | None, typer.Option(min=1, help="To this version; see `pbem admin versions`.")] = None,
    turn: Annotated[
        int | None, typer.Option(min=1, help="To the start of this turn; the present one when not given.")
    ] = None,
    keep_draws: Annotated[bool, typer.Option("--keep-draws", help="Do not draw anew what nobody has seen.")] = False,
    why: Why = "",
    config: ConfigFile = None,
) -> None:
    """[bold]pbem admin rollback G042 --turn 9 --why "the flood was wrong"[/bold]"""
    from pbem.moderator import actions

    if version is not None and turn is not None:
        raise ConfigError("give --version or --turn, not both")
    with moderating(config) as moderator:
        back = actions.roll_back(moderator, game, version=version, turn=turn, keep_draws=keep_draws, why=why)
    of, broken = back.game, f"; version {back.broken} is broken" if back.broken else ""
    typer.echo(
        f"{of.code} {of.name}: turn {of.turn} again, version {of.version}, from version {back.to_version}{broken}"
    )
