"""`pbem init`: ask for addresses and servers, and write the configuration."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import ConfigError

if TYPE_CHECKING:
    from pbem.moderator.setup import Provider


def init(
    directory: Annotated[Path, typer.Argument(help="Where pbem.toml and the database go.")] = Path(),
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing: write an example to be edited by hand.")] = False,
) -> None:
    """A pbem.toml that is there is kept; the database that it names is made, where there is none."""
    from pbem.moderator.setup import make_database, provider_of, write_configuration

    target = directory / "pbem.toml"
    if not target.exists():
        address, moderator = "orders@example.org", "you@example.org"
        provider = provider_of(address)
        if not yes:
            if not sys.stdin.isatty():
                raise ConfigError("init asks questions and there is nobody to answer; use --yes and edit pbem.toml")
            address = asked_address("The game's mail address")
            moderator = asked_address("Your own address, for notices to the moderator")
            provider = asked_provider(provider_of(address))
        write_configuration(target, address, moderator, provider)
        typer.echo(f"wrote {target}")
    typer.echo(f"wrote {make_database(target)}")
    typer.echo("next: put the passwords into PBEM_IMAP__PASSWORD and PBEM_SMTP__PASSWORD, then `pbem doctor`")


def asked_address(question: str) -> str:
    from pbem.address import plausible_address

    while True:
        try:
            return plausible_address(typer.prompt(question).strip())
        except ValueError as error:
            typer.echo(str(error))


def asked_provider(usual: "Provider") -> "Provider":
    imap = typer.prompt("IMAP server", default=usual.imap)
    smtp = typer.prompt("SMTP server", default=usual.smtp)
    port = typer.prompt("SMTP port", default=usual.smtp_port, type=int)
    tls = "starttls" if port == 587 else usual.smtp_tls
    return replace(usual, imap=imap, smtp=smtp, smtp_port=port, smtp_tls=tls)
