"""The commands of the moderator: a thin skin on `pbem.moderator`."""

from typer.core import TyperGroup

from pbem.cli.lazy import filled

COMMANDS = {
    "games": ("inspect", "List the games: how each stands, and for whom it waits."),
    "new": ("games", "Add a game; `start` then begins it."),
    "start": ("games", "Begin a game: everybody gets a first report."),
    "settings": ("games", "Change the settings of a game, from the next question on."),
    "show": ("inspect", "Show a game as everybody may see it, or with --reveal all of it."),
    "versions": ("inspect", "List the stored versions of a game, any of which it can be set back to."),
    "pause": ("games", "Stop a game's clock; the players are told."),
    "resume": ("games", "Let a paused game go on; deadlines move by as long as it stood."),
    "extend": ("games", "Give more time to everybody for whom a game waits."),
    "act-as": ("players", "Carry out orders for a seat, as if its player had mailed them; all are told."),
    "rollback": ("games", "Set a game back. Nothing is deleted, and all players are told."),
    "replace": ("players", "Give a seat to somebody else, or to a bot; the old player's mails move nothing more."),
    "resend": ("players", "Mail a seat its report once more."),
    "players": ("players", "List everybody who ever had a seat, and whether mail arrives there."),
    "address": ("players", "Send a player's reports to another address, or take one away; all who play are told."),
    "timezone": ("players", "Show a player the deadlines in their own time zone."),
    "mail": ("mail", "Mail that needs a look: listed, shown, tried again."),
    "export": ("inspect", "Write a game as JSON, without addresses; its secrets when it is over, or with --reveal."),
    "backup": ("inspect", "Copy the database to a file, while the daemon runs or not."),
    "restore": (
        "restore",
        "Put a backup in the place of a database that is damaged or gone; everybody is asked again.",
    ),
    "log": ("inspect", "List what moderators did, when and why; newest last."),
}

app = filled(
    TyperGroup(
        name="admin", help="See, fix and undo anything in any game.", no_args_is_help=True, rich_markup_mode="rich"
    ),
    "pbem.cli.admin",
    COMMANDS,
)
