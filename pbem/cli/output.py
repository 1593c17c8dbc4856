"""What the commands share: options that several of them take, the store they work on, and how they print."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import ZoneInfo

import typer

if TYPE_CHECKING:  # they take long to load, and `pbem --help` needs neither
    from pbem.config import Settings
    from pbem.store import Store

ConfigFile = Annotated[
    Path | None, typer.Option("--config", "-c", help="The configuration; ./pbem.toml when not given.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="The game's code (G042) or name.", show_default=False)
]
Colour = Annotated[str, typer.Argument(metavar="COLOUR", help="The seat's colour.", show_default=False)]
Why = Annotated[str, typer.Option("--why", "-m", help="A reason, for the players and the audit log.")]
Reveal = Annotated[
    str,
    typer.Option(
        "--reveal", metavar="REASON", help="Show secrets too. The reason is recorded and told to the players."
    ),
]
Limit = Annotated[int, typer.Option(min=1, help="How many lines, at most.")]


@contextmanager
def opened(config: Path | None) -> Iterator[tuple[Store, Settings]]:
    """The store and the settings that a command works with."""
    from pbem.config import load
    from pbem.store import Store

    settings = load(config)
    with Store(settings.database).open() as store:
        yield store, settings


def each(lines: Iterable[Mapping[str, Any]]) -> None:
    """Print JSON, one object a line."""
    for line in lines:
        typer.echo(json.dumps(line, ensure_ascii=False, default=plain))


def plain(value: Any) -> Any:
    """A value that JSON does not know, as one that it does."""
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"no JSON for {value!r}")


def table(titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print columns, each as wide as its widest cell."""
    cells = [titles, *([printable(cell).replace("\n", " ") for cell in row] for row in rows)]
    if len(cells) == 1:
        typer.echo("none", err=True)
        return
    widths = [max(len(row[column]) for row in cells) for column in range(len(titles))]
    for row in cells:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def printable(value: Any) -> str:
    """Text that does nothing to a terminal, whoever wrote it."""
    return "".join(
        one if one.isprintable() or one in "\n\t" else "\N{REPLACEMENT CHARACTER}" for one in str(value)
    )


def local(at: datetime | None, zone: ZoneInfo) -> str:
    """A time in a zone, to the minute."""
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M}" if at else "-"
