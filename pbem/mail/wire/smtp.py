"""Send mail over SMTP; nothing else in pbem knows SMTP.

One connection is kept, and each mail goes to one recipient, so that one refusal concerns one person. What a
refusal means depends on when it comes and what it says: at the login or at MAIL FROM it is about us, at RCPT TO about
the recipient when its status says so; whom any other is about one mail alone does not tell.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import aiosmtplib

from pbem.address import plausible_address
from pbem.config import Smtp
from pbem.errors import MailError, Permanent, Transient
from pbem.mail.reading.machine import OF_RECIPIENT, STATUS
from pbem.mail.wire.connection import in_words, tls_context

#: Refused for want of a login, whatever command it answers (RFC 4954, section 6).
LOGIN_CODES = frozenset({530, 534, 535, 538})


class OwnFault(MailError):
    """The mail server refuses us, not the recipient: no mail can leave until the configuration is right."""


class Unreachable(Transient):
    """The mail server cannot be reached, or takes no mail now: this says nothing about any one mail."""


class Refused(MailError):
    """The mail server does not take this mail, and that may well be our doing.

    `status` is what it said without its words: `553 5.7.1`.
    """

    def __init__(self, message: str, status: str) -> None:
        super().__init__(message)
        self.status = status


class Sender:
    """One SMTP account. One task at a time may use it."""

    def __init__(self, settings: Smtp, address: str) -> None:
        self.settings = settings
        self.address = address
        self._client: aiosmtplib.SMTP | None = None

    @property
    def connected(self) -> bool:
        return self._client is not None and self._client.is_connected

    @property
    def smtputf8(self) -> bool:
        """Whether the server, as far as it has said, writes to addresses of any alphabet (RFC 6531)."""
        return self._client is not None and self._client.supports_extension("smtputf8")

    async def connect(self) -> None:
        """Connect, encrypt and log in.

        Raises Unreachable, or OwnFault when the login is refused.
        """
        try:
            await self.open()
            await self.login()
        except BaseException:
            self.drop()
            raise

    async def open(self) -> None:
        """Connect and encrypt."""
        self.drop()
        settings = self.settings
        self._client = aiosmtplib.SMTP(
            hostname=settings.host,
            port=settings.port,
            timeout=settings.timeout,
            use_tls=settings.tls == "implicit",
            start_tls=settings.tls == "starttls",
            tls_context=tls_context(settings) if settings.tls != "none" else None,
            # Not our host name: it costs a look-up, and recipients can read it.
            local_hostname="localhost" if settings.local else self.address.partition("@")[2],
        )
        what = f"connecting to {settings.host}:{settings.port}"
        try:
            async with self._talk(Unreachable, what) as client:
                await client.connect()
        except aiosmtplib.SMTPResponseException as error:
            raise Unreachable(f"{what}: {error}") from error

    async def login(self) -> None:
        """Log in, if there is a user name."""
        host, user = self.settings.host, self.settings.user
        if not user:
            return
        secret = await asyncio.to_thread(self.settings.secret)
        try:
            async with self._talk(Unreachable, f"logging in at {host}") as client:
                await client.ehlo()
                if not client.supports_extension("auth"):
                    raise OwnFault(f"{host} offers no login on this connection")
                if self.settings.auth == "xoauth2":
                    await client.auth_xoauth2(user, secret)
                else:
                    await client.login(user, secret)
        except aiosmtplib.SMTPResponseException as error:
            if 400 <= error.code < 500:
                raise Unreachable(f"{host} takes no login now: {said(error)}") from error
            raise OwnFault(f"{host} refused the login of {user!r}: {said(error)}") from error

    async def send(self, recipient: str, raw: bytes) -> None:
        """Send one mail to one recipient.

        Raises Permanent when there is no such recipient, Refused when the mail is not taken for another reason, Transient
        when it should be tried again (it may have arrived: send the same bytes, with the same Message-ID), OwnFault or
        Unreachable when no mail can leave.
        """
        try:
            plausible_address(recipient, smtputf8=True)
        except ValueError as error:
            # SMTP libraries read a list of addresses as the first of them.
            raise Permanent(str(error)) from error
        kept = self.connected
        if not kept:
            await self.connect()
        try:
            await self._envelope(recipient, raw)
        except Unreachable:
            if not kept:
                raise
            # The kept connection had been closed in the meantime; nothing was sent over it.
            await self.connect()
            await self._envelope(recipient, raw)
        await self._data(raw)

    async def probe(self, recipient: str) -> None:
        """Ask whether a mail to `recipient` would be taken, and send none. Raises as `send` does."""
        await self._envelope(recipient, b"")
        await self._reset()

    async def _envelope(self, recipient: str, raw: bytes) -> None:
        """MAIL FROM and RCPT TO: nothing is handed over yet."""
        try:
            async with self._talk(Transient, f"sending to {self.settings.host}") as client:
                if client.is_ehlo_or_helo_needed:
                    await client.ehlo()  # or nobody knows yet what it can do
                options = ["BODY=8BITMIME"] if not raw.isascii() and client.supports_extension("8bitmime") else []
                if not recipient.isascii():
                    if not self.smtputf8:
                        said = f"{recipient}: {self.settings.host} takes only plain letters before the @"
                        raise Refused(said, "553 5.6.7")  # RFC 6531; the address may well be right
                    options.append("SMTPUTF8")
                await client.mail(self.address, options=options, encoding="utf-8")
                await client.rcpt(recipient, encoding="utf-8")
        except aiosmtplib.SMTPResponseException as error:
            await self._reset(error.code)
            raise refusal(error, recipient) from error
        except Transient as error:
            if isinstance(error.__cause__, ConnectionError):
                raise Unreachable(f"{self.settings.host} closed the connection") from error
            raise

    async def _data(self, raw: bytes) -> None:
        """Hand the mail over. If the connection dies in here the mail may or may not have been taken."""
        try:
            async with self._talk(Transient, f"{self.settings.host} did not confirm the mail") as client:
                await client.data(raw)
        except aiosmtplib.SMTPResponseException as error:
            await self._reset(error.code)
            raise refusal(error) from error

    async def _reset(self, code: int = 0) -> None:
        """Make the connection ready for the next mail, unless the server ends it (421)."""
        if code == 421:
            self.drop()
            return
        with contextlib.suppress(aiosmtplib.SMTPResponseException, Transient):
            async with self._talk(Transient, "") as client:
                await client.rset()

    @contextlib.asynccontextmanager
    async def _talk(self, failure: type[Transient], what: str) -> AsyncIterator[aiosmtplib.SMTP]:
        """Give commands, in the time that the server has for an answer; what it refuses is for the caller to explain.

        Raises `failure`, and throws the connection away, when there is no answer.
        """
        assert self._client is not None, "open() comes first"
        try:
            async with asyncio.timeout(self.settings.timeout):
                yield self._client
        except aiosmtplib.SMTPResponseException:
            raise
        except (aiosmtplib.SMTPException, OSError) as error:
            self.drop()
            raise failure(f"{what}: {in_words(error)}") from error
        except asyncio.CancelledError:
            self.drop()
            raise

    async def close(self) -> None:
        """Take leave of the server, if it still listens."""
        if self._client is not None and self._client.is_connected:
            with contextlib.suppress(aiosmtplib.SMTPException, OSError):
                async with asyncio.timeout(2):
                    await self._client.quit()
        self.drop()

    def drop(self) -> None:
        """Throw the connection away."""
        if self._client is not None:
            self._client.close()
        self._client = None


def refusal(error: aiosmtplib.SMTPResponseException, recipient: str = "") -> MailError:
    """What a refused command means for the mail."""
    text = f"{recipient}: {said(error)}" if recipient else said(error)
    if error.code in LOGIN_CODES:
        return OwnFault(f"the mail server wants a login to send mail: {said(error)}")
    if isinstance(error, aiosmtplib.SMTPSenderRefused):
        text = f"the mail server refuses {error.sender} as the sender: {said(error)}"
        return Unreachable(text) if error.code < 500 else OwnFault(text)
    if 400 <= error.code < 500:
        return Transient(text)
    status = STATUS.match(error.message)
    if recipient and status and status[1] in OF_RECIPIENT:
        return Permanent(text)
    return Refused(text, f"{error.code} {status[1] if status else ''}".strip())


def said(error: aiosmtplib.SMTPResponseException) -> str:
    """What the server said, in one line."""
    return f"{error.code} {' '.join(error.message.split())}"
