"""`pbem doctor`: everything a server needs, tried."""

import typer

from pbem.cli.output import ConfigFile, Json, each


def doctor(config: ConfigFile = None, as_json: Json = False) -> None:
    from pbem.server.doctor import doctor

    healthy = True
    for check in doctor(config):
        healthy &= check.ok
        if as_json:
            each([{"check": check.name, "ok": check.ok, "says": check.sentence}])
        else:
            typer.echo(f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.sentence}")
    raise typer.Exit(0 if healthy else 1)
