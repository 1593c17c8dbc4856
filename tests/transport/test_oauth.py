"""Logging in with an OAuth 2 token from a command or a file (XOAUTH2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from servers.oauth import TOKEN, oauth_imap, oauth_smtp

from pbem.config import Imap
from pbem.errors import ConfigError, Permanent
from pbem.mail.wire.imap import Mailbox
from pbem.mail.wire.smtp import OwnFault, Sender


def mailbox_at(port: int, **token: object) -> Mailbox:
    given = {"host": "127.0.0.1", "port": port, "tls": False, "user": "orders", "auth": "xoauth2", "timeout": 5}
    return Mailbox(Imap.model_validate({**given, **token}), max_bytes=10_000)


async def test_imap_takes_a_token_from_a_command() -> None:
    async with oauth_imap() as port:
        box = mailbox_at(port, token_command=f"echo {TOKEN}")
        await box.connect()
        assert box.uidvalidity == 7
        await box.close()


async def test_imap_takes_a_token_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n")
    async with oauth_imap() as port:
        box = mailbox_at(port, token_file=tmp_path / "token")
        await box.connect()
        await box.close()


async def test_a_stale_token_is_refused_at_once_by_imap_and_not_repeated() -> None:
    async with oauth_imap() as port:
        with pytest.raises(Permanent, match="refused the login of 'orders'") as caught:
            await mailbox_at(port, token_command="echo stale-token").connect()
    assert "stale-token" not in str(caught.value)


async def test_a_token_command_that_fails_is_a_configuration_error() -> None:
    async with oauth_imap() as port:
        box = mailbox_at(port, token_command="false")
        with pytest.raises(ConfigError, match="token_command failed"):
            await box.connect()
        await box.close()


async def test_smtp_takes_a_token() -> None:
    async with oauth_smtp() as sink:
        sender = Sender(sink.smtp(user="orders", auth="xoauth2", token_command=f"echo {TOKEN}"), "orders@play.test")
        await sender.send("ann@play.test", b"Subject: x\r\n\r\nx\r\n")
        await sender.close()
        assert len(sink.mails) == 1


async def test_a_stale_token_is_our_own_fault_at_smtp() -> None:
    async with oauth_smtp() as sink:
        sender = Sender(sink.smtp(user="orders", auth="xoauth2", token_command="echo stale"), "orders@play.test")
        with pytest.raises(OwnFault, match="refused the login of 'orders'"):
            await sender.send("ann@play.test", b"Subject: x\r\n\r\nx\r\n")
