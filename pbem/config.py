"""pbem.toml and the PBEM_ environment, read into one frozen Settings.

Secrets never stand in pbem.toml: they come from the environment (`PBEM_IMAP__PASSWORD`) or from a file or a
command named there (`password_file`, `token_command`), and are never printed or logged.
"""

import os
import re
import shlex
import subprocess
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from pbem.address import address_key, plausible_address
from pbem.errors import ConfigError

#: The URL of an SQLite file with a relative path.
RELATIVE_FILE = re.compile(r"^(sqlite(?:\+\w+)?:///)(?!/|:memory:)(.+)$")


def known_zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"{value!r} is not a time zone such as Europe/Berlin") from error
    return value


Address = Annotated[str, AfterValidator(plausible_address)]
Zone = Annotated[str, AfterValidator(known_zone)]


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Account(Section):
    """A login at a mail server."""

    #: Host name of the server.
    host: str
    #: User name; empty for a server that asks for none.
    user: str = ""
    #: The password itself: from the environment only (PBEM_IMAP__PASSWORD, PBEM_SMTP__PASSWORD).
    password: SecretStr | None = None
    #: A file whose first line is the password.
    password_file: Path | None = None
    #: How to log in: with a password (an app password at the big providers) or an OAuth 2 token (XOAUTH2).
    auth: Literal["password", "xoauth2"] = "password"
    #: A command that prints a fresh OAuth 2 access token.
    token_command: str = ""
    #: A file whose first line is an OAuth 2 access token.
    token_file: Path | None = None
    #: A PEM file with the certificate authority of the server, when it is a private one.
    ca_file: Path | None = None
    #: Allow an unencrypted connection to a host that is not this machine.
    allow_plain: bool = False
    #: Seconds until a silent server counts as lost.
    timeout: float = Field(30.0, gt=0)

    def beside(self, folder: Path) -> Self:
        """The same login, with relative files in a folder."""
        files = {"password_file": self.password_file, "token_file": self.token_file, "ca_file": self.ca_file}
        update: dict[str, Any] = {name: folder / file for name, file in files.items() if file}
        program, space, words = self.token_command.partition(" ")
        if "/" in program and not set(program) & set("'\"\\"):
            update["token_command"] = shlex.quote(str(folder / program)) + space + words
        return self.model_copy(update=update)

    def secret(self) -> str:
        """The password or the OAuth 2 token, read afresh. Raises ConfigError when the file or the command gives none."""
        if self.auth == "xoauth2" and self.token_command:
            return command_output(self.token_command)
        if self.auth == "xoauth2" and self.token_file:
            return first_line(self.token_file)
        if self.password is not None:
            return self.password.get_secret_value()
        return first_line(self.password_file) if self.password_file else ""

    @property
    def local(self) -> bool:
        """Whether the host is this machine."""
        return self.host.startswith(("localhost", "127.", "::1"))


class Imap(Account):
    """Where orders arrive."""

    #: Usually 993, or 143 without TLS.
    port: int = Field(993, gt=0, lt=65536)
    #: Encrypt from the first byte. (The IMAP library has no STARTTLS.)
    tls: bool = True
    #: The folder that is watched.
    inbox: str = "INBOX"
    #: Handled mail is moved here.
    processed: str = "Processed"
    #: Mail that could not be handled is moved here.
    quarantine: str = "Quarantine"
    #: Seconds between two looks when the server cannot push new mail (IDLE).
    poll_seconds: float = Field(60.0, gt=0)
    #: Wait for the server's push (IDLE) where it can.
    idle: bool = True

    @model_validator(mode="after")
    def encrypted(self) -> Self:
        if not (self.tls or self.local or self.allow_plain):
            raise ValueError("tls = false is for this machine only; set allow_plain = true if you must")
        return self

    @model_validator(mode="after")
    def distinct(self) -> Self:
        folders = {folder.strip(" ./").casefold() for folder in (self.inbox, self.processed, self.quarantine)}
        if len(folders) < 3:  # mail that is put away would be fetched again, for ever
            raise ValueError("inbox, processed and quarantine must be three folders")
        return self


class Smtp(Account):
    """Where reports leave."""

    #: Usually 465 for implicit TLS, 587 for STARTTLS.
    port: int = Field(465, gt=0, lt=65536)
    #: `implicit` (port 465), `starttls` (port 587), or `none`.
    tls: Literal["implicit", "starttls", "none"] = "implicit"

    @model_validator(mode="after")
    def encrypted(self) -> Self:
        if self.tls == "none" and not (self.local or self.allow_plain):
            raise ValueError('tls = "none" is for this machine only; set allow_plain = true if you must')
        return self


class Mail(Section):
    """How mail is read and written."""

    #: The address of the game: reports come from it, orders go to it.
    address: Address
    #: The name shown beside it.
    name: str = "The Clacks Office"
    #: The mailbox takes orders+TOKEN@... too, so replies carry the token in their address.
    plus_addressing: bool = False
    #: Where the moderator reads notices.
    moderator: Address
    #: Other addresses that lead to the same mailbox.
    aliases: tuple[Address, ...] = ()
    #: The line above the section to fill in at the end of a report.
    begin_marker: str = "==== ORDERS START ===="
    #: The line below it.
    end_marker: str = "==== ORDERS END ===="
    #: Mail larger than this is not read.
    max_bytes: int = Field(2_000_000, gt=1000)
    #: The authserv-id of who must vouch in Authentication-Results for mail that is to move; empty asks nobody.
    authserv_id: str = ""
    #: Answers to one address an hour, at most.
    answers_per_hour: int = Field(30, gt=0)
    #: Days that received and sent mail is kept.
    retention_days: int = Field(365, gt=0)

    def is_own(self, address: str) -> bool:
        """Whether an address leads to this mailbox, whatever tag stands in it."""
        bare = re.sub(r"\+[^@]*", "", address_key(address))
        return bare in {re.sub(r"\+[^@]*", "", address_key(own)) for own in (self.address, *self.aliases)}


class Defaults(Section):
    """What a new game begins with; each game can differ."""

    #: Hours a player has for a turn.
    turn_hours: float = Field(72.0, gt=0)
    #: Hours a player has for a question in somebody else's turn.
    reaction_hours: float = Field(24.0, gt=0)
    #: Hours before a deadline at which a reminder goes out; 0 sends none.
    reminder_hours: float = Field(12.0, ge=0)
    #: What happens when a deadline passes: a bot moves, or the rules' defaults are taken.
    nmr: Literal["bot", "default"] = "bot"
    #: Whether mails suggest whole turns, as a simple bot would play them.
    suggestions: bool = True
    #: Time zone of the dates in reports.
    timezone: Zone = "UTC"
    #: The last mail carries the game as a page to look through; many mail filters take it for an attack.
    replay_page: bool = False


class Settings(BaseSettings):
    """Everything that can be configured. Environment variables win: `PBEM_MAIL__NAME`, `PBEM_DATABASE` ..."""

    model_config = SettingsConfigDict(
        env_prefix="PBEM_", env_nested_delimiter="__", frozen=True, extra="forbid", hide_input_in_errors=True
    )

    #: SQLAlchemy URL of the database; `sqlite:///pbem.db` lies beside pbem.toml.
    database: str = "sqlite:///pbem.db"
    mail: Mail
    imap: Imap
    smtp: Smtp
    defaults: Defaults = Defaults()

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: Any, init_settings: Any, env_settings: Any, *others: Any, **more: Any
    ) -> tuple[Any, ...]:
        return env_settings, init_settings  # the first wins


def configured(path: Path | None = None) -> Path:
    """The configuration: `path`, else the file that PBEM_CONFIG names, else ./pbem.toml."""
    return path or Path(os.environ.get("PBEM_CONFIG", "pbem.toml"))


def load(path: Path | None = None, *, environment: bool = True) -> Settings:
    """Settings from the configuration; relative files lie beside it. What the `environment` says wins, unless it is not
    to be read.

    Raises ConfigError with everything that is to be changed.
    """
    path = configured(path)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"no configuration {path}; `pbem init` writes one") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    wrong = unknown_variables() if environment else []
    for section in ("imap", "smtp"):
        if isinstance(data.get(section), dict) and data[section].pop("password", None) is not None:
            better = f"put it into PBEM_{section.upper()}__PASSWORD or a file named by password_file"
            wrong.append(f"{section}.password must not stand there; {better}")
    try:
        settings = Settings(_env_prefix="PBEM_" if environment else "-", **data)  # no variable is called "-..."
    except ValidationError as error:
        raise ConfigError(str(path), [*wrong, *mistakes(error)]) from error
    except SettingsError as error:
        raise ConfigError("the environment", [*wrong, f"{error}: it is no JSON"]) from error
    if wrong:
        raise ConfigError(str(path), wrong)
    folder = path.parent.absolute()
    database = RELATIVE_FILE.sub(lambda url: f"{url[1]}{folder / url[2]}", settings.database)
    beside = {"database": database, "imap": settings.imap.beside(folder), "smtp": settings.smtp.beside(folder)}
    return settings.model_copy(update=beside)


def unknown_variables() -> list[str]:
    """Variables of the environment that look like settings and are none; those within a section are mistakes of it."""
    known = {f"PBEM_{name.upper()}" for name in Settings.model_fields} | {"PBEM_CONFIG"}
    names = sorted(name for name in os.environ if name.upper().startswith("PBEM_"))
    return [
        f"{name}: there is no such setting; {nearest(name, known)} is one"
        for name in names
        if name.upper().partition("__")[0] not in known
    ]


def nearest(name: str, known: set[str]) -> str:
    section, mark, rest = name.upper().partition("__")
    return get_close_matches(section, sorted(known), 1, 0)[0] + mark + rest


def mistakes(error: ValidationError) -> list[str]:
    """Each setting that cannot be used, and why."""
    # In the words of who makes the two commonest mistakes.
    known = {"extra_forbidden": "there is no such setting", "missing": "must be set"}
    told = []
    for mistake in error.errors():
        words = [str(part) for part in mistake["loc"]]
        variable = "PBEM_" + "__".join(words).upper()
        where = variable if variable in os.environ else ".".join(words) or "settings"
        told.append(f"{where}: {known.get(mistake['type'], mistake['msg'].removeprefix('Value error, '))}")
    return told


def first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").splitlines()[0].strip()
    except (OSError, UnicodeDecodeError, IndexError) as error:
        raise ConfigError(f"no secret can be read from {path}; its first line must be it") from error


def command_output(command: str) -> str:
    try:
        done = subprocess.run(shlex.split(command), capture_output=True, text=True, timeout=30, check=True)
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        raise ConfigError("token_command failed; run it by hand to see why, it must print a fresh token") from error
    return done.stdout.strip()
