"""What the commands share: options that several of them take, the store they work on, and how they print."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import ZoneInfo

import typer

from pbem.errors import ConfigError

if TYPE_CHECKING:  # it takes long to load, and no help needs it
    from pbem.moderator.moderator import Moderator

DEFAULT_GAME = "ankh_morpork"

ConfigFile = Annotated[
    Path | None, typer.Option("--config", "-c", help="The configuration; ./pbem.toml when not given.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's code (G042) or name.", show_default=False)]
GameType = Annotated[str, typer.Option("--game", metavar="NAME", help="Which installed game.")]
Players = Annotated[int | None, typer.Option(min=1, help="How many sit at the table; 3 where the game allows.")]
Seed = Annotated[int | None, typer.Option(help="The same number gives the same game.")]
Folder = Annotated[Path | None, typer.Option("--dir", help="Where everything is kept; a new folder when not given.")]
Colour = Annotated[str, typer.Argument(metavar="COLOUR", help="The seat's colour.", show_default=False)]
Why = Annotated[str, typer.Option("--why", "-m", help="A reason, for the players and the audit log.")]
Reveal = Annotated[
    str,
    typer.Option(
        "--reveal", metavar="REASON", help="Show secrets too. The reason is recorded and told to the players."
    ),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="A file; the terminal when not given.")]
Limit = Annotated[int, typer.Option(min=1, help="How many lines, at most.")]


@contextmanager
def moderating(config: Path | None) -> Iterator["Moderator"]:
    """What a command of the moderator works with: the configuration and the database that it names."""
    from pbem.config import load
    from pbem.moderator.moderator import Moderator
    from pbem.store import Store

    settings = load(config)
    with Store(settings.database).open() as store:
        yield Moderator(store, settings)


def deliver(text: str, output: Path | None) -> None:
    """Write a text to a file that does not exist yet, which could be the database, and say so; or print it."""
    if output is None:
        return typer.echo(text)
    if output.is_file():
        raise ConfigError(f"{output} exists already; choose another name")
    try:
        output.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{output} cannot be written: {error.strerror}") from error
    return typer.echo(f"wrote {output}")


def each(lines: Iterable[Mapping[str, Any]]) -> None:
    """Print JSON, one object a line."""
    for line in lines:
        typer.echo(json.dumps(line, ensure_ascii=False, default=datetime.isoformat))


def tell(facts: Mapping[str, Any], *lines: str, as_json: bool) -> None:
    """Print facts as a line of JSON, or the lines that say the same to a person."""
    if as_json:
        return each([facts])
    return typer.echo("\n".join(lines))


def listing(rows: Iterable[Mapping[str, Any]], columns: str, moderator: "Moderator", *, as_json: bool) -> None:
    """Print rows as JSON, one object a line, or as columns with times in the moderator's zone. `columns` names the keys
    that are shown: `turn`, or `cause=BY` where the title is another word."""
    if as_json:
        return each(rows)
    zone = moderator.settings.defaults.timezone
    keys = [column.partition("=") for column in columns.split()]
    titles = [title or key.upper() for key, _, title in keys]
    return table(titles, ([cell(row[key], zone) for key, _, _ in keys] for row in rows))


def cell(value: Any, zone: str) -> str:
    """A value as it stands in a column."""
    match value:
        case datetime():
            return local(value, zone)
        case True:
            return "yes"
        case Mapping():
            return " ".join(f"{key}={cell(part, zone)}" for key, part in value.items())
        case list() | tuple():
            return ", ".join(cell(part, zone) for part in value) or "-"
    return str(value) if value else "-"


def table(titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print columns, each as wide as its widest cell."""
    cells = [titles, *([printable(text).replace("\n", " ") for text in row] for row in rows)]
    if len(cells) == 1:
        return typer.echo("none", err=True)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        typer.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    return None


def printable(value: Any) -> str:
    """Text that does nothing to a terminal, whoever wrote it."""
    return "".join(mark if mark.isprintable() or mark in "\n\t" else "\N{REPLACEMENT CHARACTER}" for mark in str(value))


def local(at: datetime | None, zone: str) -> str:
    """A time in a zone, to the minute."""
    return f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}" if at else "-"
