"""What a server needs, tried: games, clock, configuration, database, IMAP and SMTP. Each failure is one sentence that says
what to do."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pbem.config import Account, Imap, Settings, Smtp, load
from pbem.errors import MailError, PbemError, Permanent, Transient
from pbem.mail.wire.connection import causes
from pbem.mail.wire.imap import Mailbox
from pbem.mail.wire.smtp import OwnFault, Sender
from pbem.protocol import game_named, game_names
from pbem.store import Store
from pbem.testing import quick

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
    yield configuration(settings)
    yield database(settings)
    yield authentication_results(settings)
    yield from asyncio.run(mailbox(settings))
    yield from asyncio.run(sending(settings))


def games() -> Iterator[Check]:
    """Each installed game: whether it can be begun, and its templates read."""
    for name in game_names():
        try:
            game = game_named(name)
            quick(game)
            fewest, most = game.seats
            ok, sentence = True, f"{game.title}, for {fewest} to {most}, can be played"
        except Exception as error:  # noqa: BLE001 - a game is somebody else's program and fails in its own way
            is_ours = isinstance(error, PbemError)
            broken = str(error) if is_ours else f"it cannot be played ({type(error).__name__}: {error})"
            ok, sentence = False, f"{broken}; correct it or install it again"
        yield Check(f"game {name}", ok, sentence)


def configuration(settings: Settings) -> Check:
    wrong = wrong_setting(settings)
    right = f"{settings.mail.address} on {settings.imap.host} and {settings.smtp.host}"
    return Check("configuration", not wrong, wrong or right)


def wrong_setting(settings: Settings) -> str:
    """What is wrong among settings that are each possible; empty when nothing is."""
    mail = settings.mail
    if mail.moderator.lower() in {address.lower() for address in (mail.address, *mail.aliases)}:
        return f"mail.moderator is the game's own address {mail.address}; give an address that you read"
    for section, account in (("imap", settings.imap), ("smtp", settings.smtp)):
        try:
            if account.user and not account.secret():
                variable = f"PBEM_{section.upper()}__PASSWORD"
                return f"{section}.user is set but there is no password: set {variable}, or {section}.password_file"
        except PbemError as error:
            return f"{section}: {error}"
    return ""


async def mailbox(settings: Settings) -> list[Check]:
    """IMAP: connect, log in, folders, IDLE and MOVE."""
    imap = settings.imap
    box = Mailbox(imap, settings.mail.max_bytes)

    async def steps() -> AsyncIterator[str]:
        await box.open()
        yield f"{imap.host}:{imap.port} answers, {'encrypted' if imap.tls else 'not encrypted'}"
        await box.login()
        yield f"logged in as {imap.user}"
        await box.look()
        for folder in (imap.processed, imap.quarantine):
            await box.ensure_folder(folder)
        yield f"{imap.inbox} holds {box.exists} mails; {imap.processed} and {imap.quarantine} are there"
        polled = f"no IDLE: the mailbox is looked at every {imap.poll_seconds:g} seconds"
        idle = imap.idle and "IDLE" in box.capabilities
        yield "the server tells us of new mail at once (IDLE)" if idle else polled
        move = "MOVE" in box.capabilities
        yield "the server can move mail (MOVE)" if move else "no MOVE: handled mail is copied and deleted instead"

    return await tried("imap", imap, box, ("connection", "login", "folders", "idle", "move"), steps())


async def sending(settings: Settings) -> list[Check]:
    """SMTP: connect, encrypt, log in, and whether our address may send; nothing is sent."""
    smtp = settings.smtp
    server = Sender(smtp, settings.mail.address)
    how = {"implicit": "encrypted", "starttls": "encrypted by STARTTLS", "none": "not encrypted"}

    async def steps() -> AsyncIterator[str]:
        await server.open()
        yield f"{smtp.host}:{smtp.port} answers, {how[smtp.tls]}"
        await server.login()
        yield f"logged in as {smtp.user}" if smtp.user else "no login (smtp.user is empty)"
        await server.probe(settings.mail.moderator)
        yield f"mail from {settings.mail.address} to {settings.mail.moderator} would be taken"

    return await tried("smtp", smtp, server, ("connection", "login", "sender"), steps())


async def tried(
    section: str, account: Imap | Smtp, server: Mailbox | Sender, names: Sequence[str], steps: AsyncIterator[str]
) -> list[Check]:
    """A check a step, with the sentence that it gives; what follows a failure is not tried."""
    checks: list[Check] = []
    for name in names:
        try:
            ok, sentence = True, await anext(steps)
        except MailError as error:
            # It may look at the server once more, which blocks.
            ok, sentence = False, await asyncio.to_thread(explain, error, section, account)
        except PbemError as error:
            ok, sentence = False, str(error)
        checks.append(Check(f"{section} {name}", ok, sentence))
        if not ok:
            break
    await server.close()
    return checks


def explain(error: MailError, section: str, account: Imap | Smtp) -> str:
    """What a failed attempt means and what to change in pbem.toml."""
    where = f"{account.host}:{account.port}"
    ports, implicit = "usually 465 for implicit TLS, 587 for STARTTLS", '"implicit"'
    if isinstance(account, Imap):
        ports, implicit = "usually 993 with TLS, 143 without", "true"
    for cause in causes(error):
        match cause:
            case socket.gaierror():
                return f"no machine is called {account.host}; correct {section}.host"
            case ConnectionRefusedError():
                return f"nothing listens at {where}; correct {section}.port ({ports})"
            case ssl.SSLCertVerificationError():
                return certificate(cause, section, account)
            case ssl.SSLError():
                return f"{where} speaks no TLS; correct {section}.port ({ports}) or {section}.tls"
    if isinstance(error, OwnFault | Permanent):
        return refused(error, section, account)
    if speaks_tls(account):
        return f"{where} expects TLS from the first byte; set {section}.tls = {implicit}"
    if isinstance(error, Transient) and account.tls == "starttls" and "STARTTLS" in str(error).upper():
        return f'{where} offers no STARTTLS; set smtp.tls = "implicit" and the port that goes with it (465)'
    return f"{error}; correct {section}.host and {section}.port, or open the firewall"


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
    trusted = settings.mail.authserv_id
    sentence = f"a mail that fails the checks of {trusted} is not trusted, token or not"
    if not trusted:
        sentence = (
            "no Authentication-Results are read: a valid token from a registered address is all that a mail needs; set "
            "mail.authserv_id to the name your provider begins that header with, and forged senders are refused too"
        )
    return Check("authentication", True, sentence)
