"""The commands of the moderator: a thin skin on `pbem.moderator`."""

from __future__ import annotations

from typer.core import TyperGroup

from pbem.cli.lazy import Commands, filled

COMMANDS: Commands = {
    "games": ("pbem.cli.admin.inspect:games", "List the games: how each stands, and for whom it waits."),
    "new": ("pbem.cli.admin.games:new", "Add a game; `start` then begins it."),
    "start": ("pbem.cli.admin.games:start", "Begin a game: everybody gets a first report."),
    "settings": (
        "pbem.cli.admin.games:settings",
        "Change the settings of a game, from the next question on.",
    ),
    "show": (
        "pbem.cli.admin.inspect:show",
        "Show a game as everybody may see it, or with --reveal all of it.",
    ),
    "versions": (
        "pbem.cli.admin.inspect:versions",
        "List the stored versions of a game, any of which it can be set back to.",
    ),
    "pause": ("pbem.cli.admin.games:pause", "Stop a game's clock; the players are told."),
    "resume": (
        "pbem.cli.admin.games:resume",
        "Let a paused game go on; deadlines move by as long as it stood.",
    ),
    "extend": ("pbem.cli.admin.games:extend", "Give more time to everybody for whom a game waits."),
    "act-as": (
        "pbem.cli.admin.seats:act_as",
        "Carry out orders for a seat, as if its player had mailed them.",
    ),
    "rollback": (
        "pbem.cli.admin.games:rollback",
        "Set a game back. Nothing is deleted: the old state becomes a new version, and all players are told.",
    ),
    "replace": (
        "pbem.cli.admin.seats:replace",
        "Give a seat to somebody else, or to a bot; the old player's mails move nothing any more.",
    ),
    "resend": ("pbem.cli.admin.seats:resend", "Mail a seat its report once more."),
    "players": (
        "pbem.cli.admin.players:players",
        "List everybody who ever had a seat, with their addresses and whether mail arrives there.",
    ),
    "address": (
        "pbem.cli.admin.players:address",
        "Send a player's reports to another address; orders are taken from both.",
    ),
    "timezone": ("pbem.cli.admin.players:timezone", "Show a player the deadlines in their own time zone."),
    "mail": ("pbem.cli.admin.mail:app", "Mail that needs a look: listed, shown, tried again."),
    "export": (
        "pbem.cli.admin.keep:export",
        "Write a game as JSON, without addresses; what is secret only when it is over, or with --reveal.",
    ),
    "backup": ("pbem.cli.admin.keep:backup", "Copy the database to a file, while the daemon runs or not."),
    "log": ("pbem.cli.admin.inspect:log", "List what moderators did, when and why; newest last."),
}

group = filled(TyperGroup(name="admin", no_args_is_help=True, rich_markup_mode="rich"), COMMANDS)
