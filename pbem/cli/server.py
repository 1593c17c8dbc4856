"""`pbem run`: the daemon, or one pass for cron; `pbem doctor`: everything it needs, tried."""

from typing import Annotated

import typer

from pbem.cli.output import ConfigFile, Json, tell


def run(
    once: Annotated[
        bool, typer.Option("--once", help="One pass over mailbox, clock and outbox, then exit (for cron).")
    ] = False,
    config: ConfigFile = None,
) -> None:
    from pbem.config import load
    from pbem.server.daemon import run_forever
    from pbem.server.passes import run_pass

    if once:
        run_pass(config)
    else:
        run_forever(load(config))


def doctor(config: ConfigFile = None, as_json: Json = False) -> None:
    from pbem.server.doctor import doctor

    healthy = True
    for check in doctor(config):
        healthy &= check.ok
        facts = {"check": check.name, "ok": check.ok, "says": check.sentence}
        tell(facts, f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.sentence}", as_json=as_json)
    raise typer.Exit(0 if healthy else 1)
