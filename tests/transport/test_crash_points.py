"""Stop at each numbered point between fetch and send, start again: everything is done, and done once.

The points are those of `pbem.daemon` (1 to 4) and `pbem.mail.outbox` (5 to 7).
"""

from __future__ import annotations

import email
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from servers.table import GameTable, asked, game_table, mail_user

from pbem import daemon
from pbem.correspondent import Correspondent
from pbem.embedded import PostOffice
from pbem.mail.imap import Mailbox
from pbem.mail.smtp import Sender
from pbem.store import Tx


class Crash(BaseException):
    """The process dies here: nothing catches it."""


def before(function: Callable[..., Any]) -> Callable[..., Any]:
    """Die instead of calling the function."""

    def dies(*arguments: Any, **named: Any) -> Any:
        raise Crash

    return dies


def after(function: Callable[..., Any]) -> Callable[..., Any]:
    """Call the function, then die."""

    def dies(*arguments: Any, **named: Any) -> Any:
        function(*arguments, **named)
        raise Crash

    return dies


def after_await(function: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Await the function, then die."""

    async def dies(*arguments: Any, **named: Any) -> Any:
        await function(*arguments, **named)
        raise Crash

    return dies


#: Number and name of a point: what is wrapped, and how.
POINTS: dict[str, tuple[Any, str, Callable[[Any], Any]]] = {
    "1: fetched, nothing recorded": (daemon, "handle", before),
    "2: committed": (daemon, "handle", after),
    "3: nothing is put away": (Mailbox, "done", before),
    "4: marked as seen, not moved": (Mailbox, "_move", before),
    "4: put away": (Mailbox, "done", after_await),
    "5: leased, not sent": (Sender, "send", before),
    "6: sent, not marked": (Sender, "send", after_await),
    "7: sent, not marked, in the transaction": (Tx, "mark_sent", after),
}


@pytest.mark.parametrize("point", POINTS)
async def test_after_a_crash_everything_is_done_once(
    point: str, office: PostOffice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        await table.one_pass()
        people = [
            mail_user(one, office.imap(one.lower()), office.smtp(one.lower()), tmp_path)
            for one in ("Ann", "Bob")
        ]
        actor, mail = await asked(people)
        await actor.answer(mail, [mail.options[0]])
        with monkeypatch.context() as patch:
            where, name, how = POINTS[point]
            patch.setattr(where, name, how(getattr(where, name)))
            await crashing_pass(table)
        await table.one_pass()
        assert (table.versions, table.dispositions, table.unsent) == (2, ["applied"], [])
        await nothing_left(office)
        for one in people:
            assert set(await received_ids(one)) == set(table.mails_to(one.address))
            await one.close()


async def crashing_pass(table: GameTable) -> None:
    """A pass that dies; its connections die with it."""
    victim = table.daemon()
    with pytest.raises(Crash):
        await victim.one_pass()
    victim.mailbox.drop()
    victim.outbox._sender.drop()


async def nothing_left(office: PostOffice) -> None:
    box = Mailbox(office.imap("orders"), max_bytes=10_000)
    await box.connect()
    assert box.exists == 0
    await box.close()


async def received_ids(one: Correspondent) -> Counter[str]:
    """The Message-IDs of all that somebody ever received, and how often each came."""
    await one.fetch()
    await one.put_away()
    read = Mailbox(one.mailbox.settings.model_copy(update={"inbox": "Processed"}), max_bytes=1_000_000)
    await read.connect()
    mails = await read.new(100)
    await read.close()
    return Counter(email.message_from_bytes(mail.raw or b"")["Message-ID"] for mail in mails)
