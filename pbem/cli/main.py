"""The `pbem` command: what it can do, and what happens when it fails."""

import logging
import os
import sys
import tempfile
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.main import get_command

from pbem import __version__
from pbem.cli.lazy import filled
from pbem.errors import MailError, PbemError, trace

COMMANDS = {
    "init": ("init", "Write pbem.toml and the database, asking what it must."),
    "demo": ("demo", "Play a whole game by real mail: embedded servers, bots at every seat."),
    "play": ("demo", "Play against bots in your terminal, by the same mails on the same servers."),
    "run": ("server", "Run the daemon: watch the mailbox, the clock and the outbox."),
    "check": ("check", "Print what the server would understand of these mails; changes nothing."),
    "aid": ("aid", "Print what a player needs at the table, on one page."),
    "ask": ("ask", "Answer a question on the rules, or on a position, as by mail."),
    "verify": ("replay", "Replay a game from its seed and compare it with what is stored."),
    "replay": ("replay", "Write a game that is over as one page to look through."),
    "doctor": ("server", "Check the games, configuration, IMAP, SMTP, database and clock."),
    "simulate": ("simulate", "Play bots against bots in memory: figures and balance."),
    "game": ("game", "Begin, prove and list games."),
    "admin": ("admin", "See, fix and undo anything in any game."),
}

app = typer.Typer(
    name="pbem",
    help="A play-by-e-mail game server: orders in by IMAP, reports out by SMTP.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pbem {__version__}")
        raise typer.Exit


@app.callback()
def pbem(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def group() -> Any:
    """`pbem` with all its commands."""
    return filled(get_command(app), "pbem.cli", COMMANDS)


def guarded(command: Callable[[], Any]) -> int:
    """Run a command; whatever goes wrong becomes one line on stderr and exit status 1."""
    try:
        command()
    except PbemError as error:
        advice = "; `pbem doctor` says what to change" if isinstance(error, MailError) else ""
        print(f"pbem: {error}{advice}", file=sys.stderr)  # noqa: T201 - the one place that tells a moderator
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1
    except Exception as error:  # noqa: BLE001 - no traceback reaches a person
        with tempfile.NamedTemporaryFile("w", prefix="pbem-error-", suffix=".txt", delete=False) as file:
            file.write(trace(error))
        kind = type(error).__name__
        print(f"pbem: internal error ({kind}); please report it with {file.name}", file=sys.stderr)  # noqa: T201
        return 1
    return 0


def main() -> None:
    """The console script."""
    # A command says in its own sentence what is wrong; what the server would log is for `pbem run` to show.
    logging.getLogger("pbem").addHandler(logging.NullHandler())
    os.umask(0o077)  # databases, backups and exports hold seeds, hands and addresses
    sys.exit(guarded(lambda: group()()))
