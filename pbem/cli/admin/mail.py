"""`pbem admin mail ...`: the same for mail that needs a look."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import typer

from pbem.cli.output import ConfigFile, Json, Limit, Reveal, each, local, opened, printable, table
from pbem.errors import ConfigError
from pbem.moderator import mail as mailroom
from pbem.store import Inbound, Outbound

app = typer.Typer(
    name="mail", help="Mail that needs a look: listed, shown, tried again.", invoke_without_command=True
)

TOKEN = re.compile(r"\[\w{8}\]")
MailNumber = Annotated[
    int, typer.Argument(metavar="MAIL", help="Its number in the list.", show_default=False)
]
Out = Annotated[bool, typer.Option("--out", help="A mail of ours, not a received one.")]


@app.callback()
def mail(
    ctx: typer.Context,
    game: Annotated[str | None, typer.Option(help="Mail of this game only.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All mail, not only what needs a look.")] = False,
    limit: Limit = 50,
    as_json: Json = False,
    config: ConfigFile = None,
) -> None:
    """List the mail that needs a look: in quarantine, waiting for a `yes`, or refused by its server."""
    if ctx.invoked_subcommand:
        return None
    with opened(config) as (store, settings):
        found = (mailroom.traffic if everything else mailroom.waiting)(store, game, limit)
    if as_json:
        return each([*map(described, found.received), *map(described, found.failed)])
    zone = ZoneInfo(settings.defaults.timezone)
    return table(
        ("MAIL", "WHEN", "WHO", "STATE", "WHY"),
        [
            (one.id, local(one.received_at, zone), f"from {one.sender}", one.disposition or "new", one.reason)
            for one in found.received
        ]
        + [
            (f"out {one.id}", local(one.created_at, zone), f"to {one.recipient}", one.status, one.last_error)
            for one in found.failed
        ],
    )


@app.command("show")
def show_mail(number: MailNumber, out: Out = False, reveal: Reveal = "", config: ConfigFile = None) -> None:
    """Show what is known of a mail; with --reveal the mail itself, which may show a hand of cards."""
    with opened(config) as (store, settings):
        found: Inbound | Outbound = (
            mailroom.sent(store, settings, number, reveal)
            if out
            else mailroom.received(store, settings, number, reveal)
        )
    for key, value in described(found).items():
        if value not in ("", None):
            typer.echo(f"{key}: {printable(value)}")
    if isinstance(found, Inbound) and found.error:
        typer.echo(f"\n{printable(found.error)}")
    if found.raw:
        typer.echo(f"\n{printable(found.raw.decode('utf-8', 'replace'))}")


@app.command("retry")
def retry_mail(number: MailNumber, out: Out = False, config: ConfigFile = None) -> None:
    """Try a mail again: handle one from the quarantine, or with --out send one of ours."""
    with opened(config) as (store, settings):
        if out:
            sent = mailroom.resend(store, settings, number)
            typer.echo(f"mail {sent.id} to {sent.recipient} is in the outbox again")
            return
        became = mailroom.retry(store, settings, number)
    typer.echo(f"mail {number}: {became}")
    if became == "quarantined":
        raise ConfigError(f"it still cannot be handled; `pbem admin mail show {number}` says why")


def described(mail: Inbound | Outbound) -> dict[str, Any]:
    """What is known of a mail besides its content; no token."""
    hidden = ("raw", "error", "digest", "message_id")  # a Message-ID holds a token
    data = {key: value for key, value in asdict(mail).items() if key not in hidden}
    data["subject"] = TOKEN.sub("[...]", mail.subject)
    return {"direction": "in" if isinstance(mail, Inbound) else "out"} | data
