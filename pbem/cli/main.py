"""The `pbem` command: parse, call, print; no logic."""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem import __version__
from pbem.cli.output import ConfigFile, Json, opened
from pbem.errors import MailError, PbemError, trace

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


@app.command()
def init(
    directory: Annotated[Path, typer.Argument(help="Where pbem.toml and the database go.")] = Path(),
    yes: Annotated[
        bool, typer.Option("--yes", help="Ask nothing: write an example to be edited by hand.")
    ] = False,
) -> None:
    """Write pbem.toml and the database, asking what it must."""
    from pbem.moderator.setup import write_configuration

    for path in write_configuration(directory, ask=not yes):
        typer.echo(f"wrote {path}")
    typer.echo("next: put the passwords into PBEM_IMAP__PASSWORD and PBEM_SMTP__PASSWORD, then `pbem doctor`")


@app.command()
def demo(
    players: Annotated[int, typer.Option(min=2, max=4, help="How many bots play.")] = 3,
    seed: Annotated[int | None, typer.Option(help="The same number gives the same game.")] = None,
    directory: Annotated[
        Path | None, typer.Option("--dir", help="Where everything is kept; a new folder when not given.")
    ] = None,
    turns: Annotated[int | None, typer.Option(min=1, help="Stop after this many turns.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the result only.")] = False,
) -> None:
    """Play a whole game by real mail: embedded IMAP and SMTP servers, bots at every seat."""
    from pbem.demo.demo import demo as run_demo

    raise typer.Exit(run_demo(players=players, seed=seed, directory=directory, turns=turns, quiet=quiet))


@app.command()
def play(
    players: Annotated[int, typer.Option(min=2, max=4, help="How many sit at the table, you included.")] = 3,
    seed: Annotated[int | None, typer.Option(help="The same number deals the same cards.")] = None,
    directory: Annotated[
        Path | None, typer.Option("--dir", help="Where everything is kept; a new folder when not given.")
    ] = None,
) -> None:
    """Play against bots in your terminal, by the same mails on the same embedded servers."""
    from pbem.demo.demo import play as run_play

    raise typer.Exit(run_play(players=players, seed=seed, directory=directory))


@app.command()
def run(
    once: Annotated[
        bool, typer.Option("--once", help="One pass over mailbox, clock and outbox, then exit (for cron).")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Run the daemon: watch the mailbox, the clock and the outbox."""
    from pbem.config import load
    from pbem.server.daemon import run_forever, run_once

    settings = load(config)
    if once:
        run_once(settings)
    else:
        run_forever(settings)


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Messages as received (.eml).", show_default=False)],
    as_json: Json = False,
    words: Annotated[
        str | None, typer.Option(help="Order words, separated by commas; all of the games' when not given.")
    ] = None,
    own_address: Annotated[
        list[str] | None, typer.Option(help="An address of the game server; may be given several times.")
    ] = None,
    begin_marker: Annotated[str, typer.Option(help="The line above the section to fill in.")] = (
        "==== ORDERS START ===="
    ),
    end_marker: Annotated[str, typer.Option(help="The line below it.")] = "==== ORDERS END ====",
    sent: Annotated[
        Path | None,
        typer.Option(help="The text of the report that the mails answer; its lines are left out."),
    ] = None,
) -> None:
    """Print what the server would understand of these mails; changes nothing."""
    from pbem.cli.check import check as check_files

    only = tuple(word.strip() for word in words.split(",") if word.strip()) if words else None
    for found in check_files(files, only, tuple(own_address or ()), (begin_marker, end_marker), sent):
        if as_json:
            typer.echo(json.dumps(found, ensure_ascii=False))
            continue
        typer.echo(f"{found['file']}: {found['kind']} from {found['sender'] or '?'}")
        for line in found["orders"]:
            typer.echo(f"    {line}")
        if found["reason"]:
            typer.echo(f"    ({found['reason']})")


@app.command()
def verify(
    game: Annotated[
        str, typer.Argument(help="The game's code, such as G042; or an exported game, a .json file.")
    ],
    config: ConfigFile = None,
    as_json: Json = False,
) -> None:
    """Replay a game from its seed and compare it with what is stored."""
    from pbem.play.verify import verify as verify_game
    from pbem.play.verify import verify_file

    if game.endswith(".json"):
        found = verify_file(Path(game))
    else:
        with opened(config) as (store, _):
            found = verify_game(store, game)
    if as_json:
        typer.echo(json.dumps(found.as_dict()))
    else:
        typer.echo(found.sentence)
    raise typer.Exit(0 if found.agrees else 1)


@app.command()
def doctor(config: ConfigFile = None, as_json: Json = False) -> None:
    """Check configuration, IMAP, SMTP, database, clock and templates."""
    from pbem.config import load
    from pbem.server.doctor import doctor as examine

    bad = False
    for finding in examine(load(config)):
        bad |= not finding.ok
        if as_json:
            typer.echo(json.dumps({"check": finding.name, "ok": finding.ok, "says": finding.sentence}))
        else:
            typer.echo(f"{'ok  ' if finding.ok else 'FAIL'} {finding.name}: {finding.sentence}")
    raise typer.Exit(1 if bad else 0)


@app.command()
def simulate(
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    players: Annotated[int, typer.Option(min=2, max=4, help="Bots at the table.")] = 3,
    seed: Annotated[int, typer.Option(help="The same number gives the same games.")] = 1,
    game: Annotated[str, typer.Option(help="Which installed game.")] = "ankh_morpork",
    as_json: Json = False,
) -> None:
    """Play bots against bots in memory: figures and balance."""
    from pbem.play.simulate import simulate as play_games

    figures = play_games(game, games=games, players=players, seed=seed).as_dict()
    if as_json:
        typer.echo(json.dumps(figures))
        return
    for name, value in figures.items():
        typer.echo(f"{name.replace('_', ' ')}: {readable(value)}")


def readable(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {count}" for key, count in value.items()) or "none"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def add_admin(words: Sequence[str]) -> None:
    """Add `pbem admin`. Its modules take most of a second to load, so only a command line that names it loads them;
    for any other it is a line in the list of commands."""
    if "admin" in words:
        from pbem.cli.admin.main import app as admin
    else:
        admin = typer.Typer()
        admin.callback()(lambda: None)
    app.add_typer(admin, name="admin", help="See, fix and undo anything in any game.")


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
    sys.exit(guarded(command_line))


def command_line() -> None:
    # A command says in its own sentence what is wrong; what the server would log is for `pbem run` to show.
    logging.getLogger("pbem").addHandler(logging.NullHandler())
    os.umask(0o077)  # databases, backups and exports hold seeds, hands and addresses
    add_admin(sys.argv[1:])
    app()
