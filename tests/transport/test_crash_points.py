"""Stop at each numbered point between fetch and send, start again: everything is done, and done once."""

from __future__ import annotations

import email
from collections import Counter
from pathlib import Path

import pytest
from servers.points import NUMBERED, arm
from servers.table import GameTable, asked, game_table, mail_user

from pbem.demo.client import MailClient
from pbem.demo.servers import PostOffice
from pbem.mail.wire.imap import Mailbox


class Crash(BaseException):
    """The process dies here: nothing catches it."""


def crash() -> None:
    raise Crash


@pytest.mark.parametrize("point", NUMBERED)
async def test_after_a_crash_everything_is_done_once(
    point: str, office: PostOffice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        await table.one_pass()
        people = [
            mail_user(name, office.imap(name.lower()), office.smtp(name.lower()), tmp_path) for name in ("Ann", "Bob")
        ]
        actor, mail = await asked(people)
        await actor.answer(mail, [mail.options[0]])
        with monkeypatch.context() as patch:
            arm(point, crash, patch.setattr)
            await crashing_pass(table)
        await table.one_pass()
        assert (table.versions, table.dispositions, table.unsent) == (2, ["applied"], [])
        await nothing_left(office)
        for person in people:
            assert set(await received_ids(person)) == set(table.mails_to(person.address))
            await person.close()


async def crashing_pass(table: GameTable) -> None:
    """A pass that dies; its connections die with it."""
    victim = table.daemon()
    with pytest.raises(Crash):
        await victim.one_pass()
    victim.mailbox.drop()
    victim.outbox.sender.drop()


async def nothing_left(office: PostOffice) -> None:
    box = Mailbox(office.imap("orders"), max_bytes=10_000)
    await box.connect()
    assert box.exists == 0
    await box.close()


async def received_ids(one: MailClient) -> Counter[str]:
    """The Message-IDs of all that somebody ever received, and how often each came."""
    await one.fetch()
    await one.put_away()
    read = Mailbox(one.mailbox.settings.model_copy(update={"inbox": "Processed"}), max_bytes=1_000_000)
    await read.connect()
    mails = await read.new()
    assert len(mails) == read.exists
    await read.close()
    return Counter(email.message_from_bytes(mail.raw or b"")["Message-ID"] for mail in mails)
