"""Keeping games safe: as files, as a copy of the database."""

import json
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.output import ConfigFile, GameName, Reveal, jsonable, moderating
from pbem.errors import ConfigError


def export(
    game: GameName,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; the terminal when not given.")] = None,
    reveal: Reveal = "",
    config: ConfigFile = None,
) -> None:
    from pbem.moderator import inspect

    with moderating(config) as moderator:
        exported = inspect.export(moderator, game, reveal=reveal)
    text = json.dumps(exported, indent=1, ensure_ascii=False, default=jsonable)
    if output is None:
        typer.echo(text)
        return
    try:
        output.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{output} cannot be written: {error.strerror}") from error
    typer.echo(f"wrote {output}")


def backup(
    target: Annotated[Path, typer.Argument(help="The file to write.", show_default=False)], config: ConfigFile = None
) -> None:
    with moderating(config) as moderator:
        moderator.store.backup(target)
    typer.echo(f"wrote {target}")
