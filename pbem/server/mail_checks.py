"""The mail servers, tried in earnest: logins, folders, and a mail that is sent and read again."""

import asyncio
import re
import socket
import ssl
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pbem.config import Account, Imap, Settings, Smtp
from pbem.errors import MailError, PbemError, Permanent, Transient
from pbem.mail.wire.compose import compose, new_message_id
from pbem.mail.wire.connection import causes
from pbem.mail.wire.imap import Mailbox
from pbem.mail.wire.smtp import OwnFault, Refused, Sender
from pbem.play.letters import renderer
from pbem.reports.contexts import ModeratorNotice

#: How long a mail to ourselves may take, and how long one to the moderator may take to come back, in seconds.
ARRIVES, COMES_BACK = 60.0, 5.0
#: How often the mailbox is looked at meanwhile.
LOOK_EVERY = 0.5
#: Two clocks that are further apart than this do not both show the time; a mail takes its time as well.
CLOCKS_APART = timedelta(minutes=10)
#: A server that says 4yz refuses nothing for good (RFC 5321, section 4.2.1).
LATER = re.compile(r"(?:^|: )4\d\d ")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried."""

    #: What was tried, in two or three words.
    name: str
    #: Whether a server can run like this.
    ok: bool
    #: What was found, and what to do about it.
    sentence: str


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
    if LATER.search(str(error)):
        return f"{error}; the server asks us to come back later: try it again in a quarter of an hour"
    if isinstance(error, Refused):
        return f"{error}; set mail.address to an address of this account, unless it is about something else"
    if isinstance(error, Permanent) and isinstance(account, Smtp):
        return f"{error}; there is no such address: correct it in [mail]"
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


async def journey(settings: Settings) -> list[Check]:
    """Send a mail to the game's own address and one to the moderator, and see whether they arrive."""
    imap, mail = settings.imap, settings.mail
    # A daemon may be quicker and put it away.
    boxes = [
        Mailbox(imap.model_copy(update={"inbox": folder}), mail.max_bytes) for folder in (imap.inbox, imap.processed)
    ]
    sender = Sender(settings.smtp, mail.address)
    checks: list[Check] = []
    sent: dict[str, str] = {}
    try:
        for box in boxes:
            await box.open()
            await box.login()
            await box.look()
        since = [box.next_uid for box in boxes]
        for to in (mail.address, mail.moderator):
            message_id, raw = trial(settings, to)
            try:
                await sender.send(to, raw)
                sent[to] = message_id
            except MailError as error:
                checks.append(Check(f"mail to {to}", False, explain(error, "smtp", settings.smtp)))
        if own := sent.get(mail.address):
            checks += await own_mail(settings, boxes, since, own)
        if own := sent.get(mail.moderator):
            back = await arrival(boxes, since, own, COMES_BACK)
            said = f"{mail.moderator} was sent a mail; see that it is there"
            said = f"a mail to {mail.moderator} came back; correct mail.moderator" if back else said
            checks.append(Check("mail to the moderator", not back, said))
    except MailError as error:
        checks.append(Check("mail arrives", False, explain(error, "imap", imap)))
    finally:
        await asyncio.gather(sender.close(), *(box.close() for box in boxes))
    return checks


async def own_mail(settings: Settings, boxes: Sequence[Mailbox], since: Sequence[int], message_id: str) -> list[Check]:
    """Whether the mail to ourselves arrives, and what it says of the clocks."""
    address, inbox = settings.mail.address, settings.imap.inbox
    at = await arrival(boxes, since, message_id, ARRIVES)
    if at is None:
        said = (
            f"a mail to {address} was sent and is not in {inbox} after {ARRIVES:.0f} seconds: [imap] and mail.address may be "
            "of two accounts, a filter may have put it elsewhere, or the provider takes its time"
        )
        return [Check("mail arrives", False, said)]
    return [Check("mail arrives", True, f"a mail to {address} came back to {inbox}"), clocks(datetime.now(UTC), at)]


def trial(settings: Settings, to: str) -> tuple[str, bytes]:
    """A mail that only shows that it arrives; its Message-ID and its bytes."""
    mail, now = settings.mail, datetime.now(UTC)
    notice = ModeratorNotice(player="", now=now, timezone=settings.defaults.timezone, code="", game="", what="trial")
    words = renderer("base", mail).render(notice)
    message_id = new_message_id(mail, "trial")
    raw = compose(mail, now, to=to, subject=words.subject, text=words.text, html=words.html, message_id=message_id)
    return message_id, raw


async def arrival(boxes: Sequence[Mailbox], since: Sequence[int], message_id: str, seconds: float) -> datetime | None:
    """When a mail that names this Message-ID came, by the server's clock, waiting so long for it; it is put away."""
    until = asyncio.get_running_loop().time() + seconds
    while True:
        for box, first in zip(boxes, since, strict=True):
            if times := await box.arrived(message_id.strip("<>"), first):
                if box is boxes[0]:
                    await box.done(list(times), boxes[1].settings.inbox)
                return max(times.values())
        if asyncio.get_running_loop().time() >= until:
            return None
        await asyncio.sleep(LOOK_EVERY)


def clocks(ours: datetime, theirs: datetime) -> Check:
    """Whether this machine's clock and the mail server's agree."""
    apart = abs(ours - theirs)
    said = f"this machine's clock and the mail server's agree; deadlines depend on it ({ours:%d %B %Y %H:%M} UTC)"
    if apart > CLOCKS_APART:
        said = (
            f"this machine's clock says {ours:%d %B %Y %H:%M} UTC, the mail server's {theirs:%d %B %Y %H:%M}; deadlines go by "
            "this machine's: set it (NTP), unless it is the server's that is wrong"
        )
    return Check("clock", apart <= CLOCKS_APART, said)
