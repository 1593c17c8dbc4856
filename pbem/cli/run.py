"""`pbem run`: the daemon, or one pass for cron."""

from typing import Annotated

import typer

from pbem.cli.output import ConfigFile


def run(
    once: Annotated[
        bool, typer.Option("--once", help="One pass over mailbox, clock and outbox, then exit (for cron).")
    ] = False,
    config: ConfigFile = None,
) -> None:
    from pbem.config import load
    from pbem.server.daemon import run_forever, run_once

    (run_once if once else run_forever)(load(config))
