"""`pbem admin restore`: a backup in the place of the database."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.output import ConfigFile, Why


def restore(
    file: Annotated[Path, typer.Argument(help="A backup, as `pbem admin backup` writes it.", show_default=False)],
    why: Why = "",
    config: ConfigFile = None,
) -> None:
    """[bold]pbem admin restore /var/backups/pbem/pbem-20261201-031500.db[/bold]

    What the database that is there still holds is taken over, and its files are kept. The daemon may go on running.
    """
    from pbem.config import load
    from pbem.moderator.restore import restore

    settings = load(config)
    replaced, games = restore(settings, file, lambda: datetime.now(UTC), why)
    for resumed in games:
        goes_on = f"goes on in turn {resumed.game.turn} from version {resumed.version}"
        offered = f"; orders of {resumed.offered} mails are offered again" if resumed.offered else ""
        typer.echo(f"{resumed.game.code} {resumed.game.name}: {resumed.problem or goes_on + offered}")
    if replaced.kept:
        part = "all" if replaced.complete else "what could be read" if replaced.taken else "nothing"
        why_not = f", for {replaced.why_not}" if replaced.why_not else ""
        typer.echo(f"the old database is kept as {replaced.kept}; {part} of it was taken over{why_not}")
    if not replaced.complete:
        typer.echo(
            f"if mail has been handled since the backup, move it from {settings.imap.processed} back to "
            f"{settings.imap.inbox}: its orders are offered to their players"
        )
