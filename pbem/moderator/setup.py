"""The configuration and the database that a server begins with, and where the mail providers' servers are."""

import json
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem.config import load
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


def write_configuration(target: Path, address: str, moderator: str, provider: Provider) -> None:
    """Write a pbem.toml. Raises ConfigError when it cannot be written."""
    loader = FileSystemLoader(templates_folder() / "base")
    environment = Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True)
    environment.filters["toml"] = json.dumps  # a JSON string is a TOML basic string
    text = environment.get_template("pbem.toml.j2").render(address=address, moderator=moderator, provider=provider)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        target.chmod(0o600)
    except OSError as error:
        raise ConfigError(f"{target} cannot be written: {error.strerror}") from error


def make_database(config: Path) -> str:
    """Make the database that a pbem.toml names; where it is. Raises StoreError when there is one."""
    with Store(load(config).database).create() as store:
        return store.where
