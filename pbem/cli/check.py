"""`pbem check`: what the server would understand of mails in files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.output import Json, each


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
        Path | None, typer.Option(help="The text of the report that is answered; its lines are left out.")
    ] = None,
) -> None:
    from pbem.mail.handling.check import check

    only = tuple(word.strip() for word in words.split(",") if word.strip()) if words else None
    for mail in check(files, only, tuple(own_address or ()), (begin_marker, end_marker), sent):
        if as_json:
            each([mail])
            continue
        typer.echo(f"{mail['file']}: {mail['kind']} from {mail['sender'] or '?'}")
        for line in mail["orders"]:
            typer.echo(f"    {line}")
        if mail["reason"]:
            typer.echo(f"    ({mail['reason']})")
