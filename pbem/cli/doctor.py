"""`pbem doctor`: everything a server needs, tried."""

import typer

from pbem.cli.output import ConfigFile, Json, tell


def doctor(config: ConfigFile = None, as_json: Json = False) -> None:
    from pbem.server.doctor import doctor

    healthy = True
    for check in doctor(config):
        healthy &= check.ok
        facts = {"check": check.name, "ok": check.ok, "says": check.sentence}
        tell(facts, f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.sentence}", as_json=as_json)
    raise typer.Exit(0 if healthy else 1)
