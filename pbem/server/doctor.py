"""What a server needs, tried: games, clock, configuration, database, IMAP and SMTP. Each failure is one sentence that says
what to do."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeAlias

from pbem.config import Account, Imap, Settings, Smtp, load
from pbem.errors import MailError, PbemError, Permanent, Transient
from pbem.mail.wire.errors import causes
from pbem.mail.wire.imap import Mailbox
from pbem.mail.wire.smtp import OwnFault, Sender
from pbem.store import Store
from pbem.testing import quick

#: Something that is tried; its sentence when it goes well.
Step: TypeAlias = Callable[[], Coroutine[Any, Any, str]]

#: This program is older than no machine that runs it; a clock that says otherwise is wrong.
EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried."""

    #: What was tried, in two or three words.
    name: str
    #: Whether a server can run like this.
    ok: bool
    #: What was found, and what to do about it.
    sentence: str


def doctor(config: Path | None) -> Iterator[Check]:
    """Try everything, the games first, which need no mail; changes nothing, except that mail folders which are missing
    are created."""
    yield from games()
    yield clock(datetime.now(UTC))
    try:
        settings = load(config)
    except PbemError as error:
        yield Check("configuration", False, str(error))
        return
    yield from configuration(settings)
    yield database(settings)
    yield authentication_results(settings)
    yield from asyncio.run(mailbox(settings))
    yield from asyncio.run(sending(settings))


def games() -> Iterator[Check]:
    """Each installed game: whether it can be begun, and its templates read."""
    for point in entry_points(group="pbem.games"):
        name = f"game {point.name}"
        try:
            game, broken = point.load(), ""
            quick(game)
            fewest, most = game.seats
        except PbemError as error:
            broken = str(error)
        except Exception as error:  # noqa: BLE001 - a game is somebody else's program and fails in its own way
            broken = f"it cannot be played ({type(error).__name__}: {error})"
        if broken:
            yield Check(name, False, f"{broken}; correct it or install it again")
        else:
            yield Check(name, True, f"{game.title}, for {fewest} to {most}, can be played")


def configuration(settings: Settings) -> Iterator[Check]:
    mail = settings.mail
    if mail.moderator.lower() in {address.lower() for address in (mail.address, *mail.aliases)}:
        sentence = f"mail.moderator is the game's own address {mail.address}; give an address that you read"
        yield Check("configuration", False, sentence)
        return
    for section, account in (("imap", settings.imap), ("smtp", settings.smtp)):
        try:
            if account.user and not account.secret():
                sentence = (
                    f"{section}.user is set but there is no password: set PBEM_{section.upper()}__PASSWORD, "
                    f"or {section}.password_file"
                )
                yield Check("configuration", False, sentence)
                return
        except PbemError as error:
            yield Check("configuration", False, f"{section}: {error}")
            return
    yield Check("configuration", True, f"{mail.address} on {settings.imap.host} and {settings.smtp.host}")


async def mailbox(settings: Settings) -> list[Check]:
    """IMAP: connect, log in, folders, IDLE and MOVE."""
    imap = settings.imap
    box = Mailbox(imap, settings.mail.max_bytes)

    async def connection() -> str:
        await box.open()
        return f"{imap.host}:{imap.port} answers, {'encrypted' if imap.tls else 'not encrypted'}"

    async def login() -> str:
        await box.login()
        return f"logged in as {imap.user}"

    async def folders() -> str:
        await box.look()
        for folder in (imap.processed, imap.quarantine):
            await box.ensure_folder(folder)
        return f"{imap.inbox} holds {box.exists} mails; {imap.processed} and {imap.quarantine} are there"

    async def idle() -> str:
        if imap.idle and "IDLE" in box.capabilities:
            return "the server tells us of new mail at once (IDLE)"
        return f"no IDLE: the mailbox is looked at every {imap.poll_seconds:g} seconds"

    async def move() -> str:
        if "MOVE" in box.capabilities:
            return "the server can move mail (MOVE)"
        return "no MOVE: handled mail is copied and deleted instead"

    return await tried("imap", imap, box, connection, login, folders, idle, move)


async def sending(settings: Settings) -> list[Check]:
    """SMTP: connect, encrypt, log in, and whether our address may send; nothing is sent."""
    smtp = settings.smtp
    server = Sender(smtp, settings.mail.address)
    how = {"implicit": "encrypted", "starttls": "encrypted by STARTTLS", "none": "not encrypted"}

    async def connection() -> str:
        await server.open()
        return f"{smtp.host}:{smtp.port} answers, {how[smtp.tls]}"

    async def login() -> str:
        await server.login()
        return f"logged in as {smtp.user}" if smtp.user else "no login (smtp.user is empty)"

    async def sender() -> str:
        await server.probe(settings.mail.moderator)
        return f"mail from {settings.mail.address} to {settings.mail.moderator} would be taken"

    return await tried("smtp", smtp, server, connection, login, sender)


async def tried(section: str, account: Imap | Smtp, server: Mailbox | Sender, *steps: Step) -> list[Check]:
    """A check a step, named as the step; what follows a failure is not tried."""
    checks: list[Check] = []
    try:
        for step in steps:
            checks.append(await attempt(f"{section} {step.__name__}", step, section, account))
            if not checks[-1].ok:
                break
    finally:
        await server.close()
    return checks


async def attempt(name: str, step: Step, section: str, account: Imap | Smtp) -> Check:
    try:
        return Check(name, True, await step())
    except MailError as error:
        # It may look at the server once more, which blocks.
        return Check(name, False, await asyncio.to_thread(explain, error, section, account))
    except PbemError as error:
        return Check(name, False, str(error))


def explain(error: MailError, section: str, account: Imap | Smtp) -> str:
    """What a failed attempt means and what to change in pbem.toml."""
    where = f"{account.host}:{account.port}"
    for cause in causes(error):
        match cause:
            case socket.gaierror():
                return f"no machine is called {account.host}; correct {section}.host"
            case ConnectionRefusedError():
                return f"nothing listens at {where}; correct {section}.port ({usual_ports(account)})"
            case ssl.SSLCertVerificationError():
                return certificate(cause, section, account)
            case ssl.SSLError():
                return f"{where} speaks no TLS; correct {section}.port ({usual_ports(account)}) or {section}.tls"
    if isinstance(error, OwnFault | Permanent):
        return refused(error, section, account)
    if speaks_tls(account):
        wanted = "true" if isinstance(account, Imap) else '"implicit"'
        return f"{where} expects TLS from the first byte; set {section}.tls = {wanted}"
    if isinstance(error, Transient) and account.tls == "starttls" and "STARTTLS" in str(error).upper():
        return f'{where} offers no STARTTLS; set smtp.tls = "implicit" and the port that goes with it (465)'
    return f"{error}; correct {section}.host and {section}.port, or open the firewall"


def usual_ports(account: Account) -> str:
    if isinstance(account, Imap):
        return "usually 993 with TLS, 143 without"
    return "usually 465 for implicit TLS, 587 for STARTTLS"


def certificate(error: ssl.SSLCertVerificationError, section: str, account: Account) -> str:
    reason = error.verify_message or str(error)
    if "self-signed" in reason or "self signed" in reason or "issuer" in reason:
        return (
            f"the certificate of {account.host} comes from no known authority ({reason}); "
            f"set {section}.ca_file to the PEM file of the authority, if you know it"
        )
    if "mismatch" in reason.lower() or "doesn't match" in reason or "not valid for" in reason:
        return f"the certificate is for another name ({reason}); set {section}.host to the name it is for"
    return f"the certificate of {account.host} is not valid ({reason}); renew it, or correct this machine's clock"


def refused(error: MailError, section: str, account: Imap | Smtp) -> str:
    """What a refusal by the server means; it says itself why."""
    text = str(error)
    if "login" in text:
        secret = f"PBEM_{section.upper()}__PASSWORD"
        hint = f"correct {section}.user and {secret} (the big providers want an app password)"
        if account.auth == "xoauth2":
            hint = f"correct {section}.user and the token that {section}.token_command or token_file gives"
        if "offers no login" in text:
            hint = f"set {section}.tls, or empty {section}.user if none is needed"
        if "unencrypted" in text:
            hint = f"set {section}.tls = true and {section}.port = 993"
        return f"{text}; {hint}"
    if "folder" in text:
        return f"{text}; create it by hand, or name one below INBOX (such as INBOX.Processed) in [imap]"
    if "sender" in text:
        return f"{text}; set mail.address to an address of this account"
    return f"{text}; correct [{section}]"


def speaks_tls(account: Imap | Smtp) -> bool:
    """Whether a server that said nothing in plain text was waiting for TLS."""
    if account.tls is True or account.tls == "implicit":
        return False
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((account.host, account.port), timeout=min(account.timeout, 5)) as plain,
            context.wrap_socket(plain, server_hostname=account.host),
        ):
            return True
    except OSError:
        return False


def database(settings: Settings) -> Check:
    try:
        with Store(settings.database).open() as store, store.transaction() as tx:
            games = len(tx.games())
    except PbemError as error:
        return Check("database", False, str(error))
    return Check("database", True, f"it can be written; games in it: {games}")


def clock(now: datetime) -> Check:
    if now < EARLIEST:
        return Check("clock", False, f"this machine says it is {now:%d %B %Y}; set its clock (NTP)")
    return Check("clock", True, f"it is {now:%d %B %Y %H:%M} UTC; deadlines depend on it")


def authentication_results(settings: Settings) -> Check:
    name = "authentication"
    if trusted := settings.mail.authserv_id:
        return Check(name, True, f"a mail that fails the checks of {trusted} is not trusted, token or not")
    return Check(
        name,
        True,
        "no Authentication-Results are read: a valid token from a registered address is all that a mail needs; "
        "set mail.authserv_id to the name your provider begins that header with, and forged senders are refused too",
    )
