"""`pbem admin mail ...`: mail that needs a look."""

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.output import ConfigFile, Json, Limit, Reveal, each, local, moderating, printable, table
from pbem.errors import ConfigError

if TYPE_CHECKING:
    from pbem.store import Inbound, Outbound

app = typer.Typer(name="mail", help="Mail that needs a look: listed, shown, tried again.", invoke_without_command=True)

MailNumber = Annotated[int, typer.Argument(metavar="MAIL", help="Its number in the list.", show_default=False)]
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
    from pbem.moderator.mail import mails

    with moderating(config) as moderator:
        received, sent = mails(moderator, game, limit, everything=everything)
    if as_json:
        return each([*(described(mail, "in") for mail in received), *(described(mail, "out") for mail in sent)])
    zone = moderator.settings.defaults.timezone
    rows = [
        (str(mail.id), local(mail.received_at, zone), f"from {mail.sender}", mail.disposition or "new", mail.reason)
        for mail in received
    ] + [
        (f"out {mail.id}", local(mail.created_at, zone), f"to {mail.recipient}", mail.status, mail.last_error)
        for mail in sent
    ]
    return table(("MAIL", "WHEN", "WHO", "STATE", "WHY"), rows)


@app.command("show")
def show_mail(number: MailNumber, out: Out = False, reveal: Reveal = "", config: ConfigFile = None) -> None:
    """Show what is known of a mail; with --reveal the mail itself, which may show a hand of cards."""
    from pbem.moderator.mail import mail

    with moderating(config) as moderator:
        shown = mail(moderator, number, reveal, out=out)
    for key, value in described(shown, "out" if out else "in").items():
        if value not in ("", None):
            typer.echo(f"{key}: {printable(value)}")
    for text in (getattr(shown, "error", ""), shown.raw.decode("utf-8", "replace")):
        if text:
            typer.echo(f"\n{printable(text)}")


@app.command("retry")
def retry_mail(number: MailNumber, out: Out = False, config: ConfigFile = None) -> None:
    """Try a mail again: handle one from the quarantine, or with --out send one of ours."""
    from pbem.moderator.mail import resend, retry

    with moderating(config) as moderator:
        if out:
            queued = resend(moderator, number)
            typer.echo(f"mail {queued.id} to {queued.recipient} is in the outbox again")
            return
        became = retry(moderator, number)
    typer.echo(f"mail {number}: {became}")
    if became == "quarantined":
        raise ConfigError(f"it still cannot be handled; `pbem admin mail show {number}` says why")


def described(mail: "Inbound | Outbound", direction: str) -> dict[str, Any]:
    """What is known of a mail besides its content; no token, and no orders that were typed in the subject."""
    from pbem.mail.reading.headers import behind_token

    hidden = ("raw", "error", "digest", "message_id")  # a Message-ID holds a token
    known = {key: value for key, value in asdict(mail).items() if key not in hidden}
    typed = behind_token(mail.subject)
    subject = re.sub(
        r"\[\w{8}\]|\b(?=[A-Za-z]*\d)\w{8}\b", "[...]", mail.subject.partition(typed)[0] if typed else mail.subject
    )
    return {"direction": direction, **known, "subject": subject}
