"""`pbem init`: write pbem.toml and the database, asking what it must."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import typer
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem.config import load, plausible_address
from pbem.errors import ConfigError
from pbem.protocol import templates_folder
from pbem.store import Store


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a mail provider's servers are."""

    imap: str
    smtp: str
    smtp_port: int = 465
    smtp_tls: str = "implicit"
    plus_addressing: bool = False


#: Big providers by the domain of the address; their own help pages say these.
PROVIDERS = {
    "gmail.com": Provider("imap.gmail.com", "smtp.gmail.com", plus_addressing=True),
    "googlemail.com": Provider("imap.gmail.com", "smtp.gmail.com", plus_addressing=True),
    "fastmail.com": Provider("imap.fastmail.com", "smtp.fastmail.com", plus_addressing=True),
    "outlook.com": Provider("outlook.office365.com", "smtp.office365.com", 587, "starttls", True),
    "hotmail.com": Provider("outlook.office365.com", "smtp.office365.com", 587, "starttls", True),
    "icloud.com": Provider("imap.mail.me.com", "smtp.mail.me.com", 587, "starttls", True),
    "yahoo.com": Provider("imap.mail.yahoo.com", "smtp.mail.yahoo.com"),
    "gmx.net": Provider("imap.gmx.net", "mail.gmx.net"),
    "gmx.de": Provider("imap.gmx.net", "mail.gmx.net"),
    "web.de": Provider("imap.web.de", "smtp.web.de"),
    "posteo.de": Provider("posteo.de", "posteo.de", plus_addressing=True),
    "mailbox.org": Provider("imap.mailbox.org", "smtp.mailbox.org", plus_addressing=True),
}


def provider_of(address: str) -> Provider:
    """The provider's servers, guessed from the domain when it is not a known one."""
    domain = address.rpartition("@")[2].lower()
    return PROVIDERS.get(domain, Provider(f"imap.{domain}", f"smtp.{domain}"))


def write_configuration(directory: Path, *, ask: bool) -> list[Path]:
    """Write pbem.toml into `directory` and make the database that it names; the files written.

    Raises ConfigError when there is a pbem.toml already.
    """
    target = directory / "pbem.toml"
    if target.exists():
        raise ConfigError(f"{target} exists already; edit it, or move it away first")
    if ask and not sys.stdin.isatty():
        raise ConfigError("init asks questions and there is nobody to answer; use --yes and edit pbem.toml")
    address, moderator, guess = "orders@example.org", "you@example.org", provider_of("orders@example.org")
    if ask:
        address = asked_address("The game's mail address")
        moderator = asked_address("Your own address, for notices to the moderator")
        guess = provider_of(address)
        guess = Provider(
            imap=typer.prompt("IMAP server", default=guess.imap),
            smtp=typer.prompt("SMTP server", default=guess.smtp),
            smtp_port=typer.prompt("SMTP port", default=guess.smtp_port, type=int),
            smtp_tls=guess.smtp_tls,
            plus_addressing=guess.plus_addressing,
        )
        if guess.smtp_port == 587:
            guess = Provider(guess.imap, guess.smtp, 587, "starttls", guess.plus_addressing)
    environment = Environment(
        loader=FileSystemLoader(templates_folder() / "base"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # TOML, not HTML: every value goes through `toml`
    )
    environment.filters["toml"] = json.dumps  # a JSON string is a TOML basic string
    text = environment.get_template("pbem.toml.j2").render(
        address=address, moderator=moderator, provider=guess
    )
    try:
        directory.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        target.chmod(0o600)
    except OSError as error:
        raise ConfigError(f"{target} cannot be written: {error.strerror}") from error
    settings = load(target)
    with Store(settings.database).open():
        pass
    return [target, Path(settings.database.removeprefix("sqlite:///"))]


def asked_address(question: str) -> str:
    while True:
        try:
            return plausible_address(typer.prompt(question).strip())
        except ValueError as error:
            typer.echo(str(error))
