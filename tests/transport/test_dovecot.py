"""The same over a real Dovecot: its mailbox, its habits, and a game of ten turns whose connections are killed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from servers.carrier import carrier
from servers.dovecot import Dovecot
from servers.table import GameTable, asked, game_table, mail_user

from pbem.config import Mail, Settings, Smtp
from pbem.demo.client import Bot
from pbem.errors import Transient
from pbem.mail.wire.imap import Mailbox
from pbem.play.verify import verify
from pbem.server import mail_checks
from pbem.server.daemon import together

pytestmark = [pytest.mark.dovecot, pytest.mark.slow]

SMALL = b"From: ann@example.org\r\nSubject: hello\r\n\r\nplay Groat\r\n"


@pytest.fixture
async def mailbox(dovecot: Dovecot) -> AsyncIterator[Mailbox]:
    box = Mailbox(dovecot.imap(), max_bytes=10_000)
    await box.connect()
    yield box
    await box.close()


@pytest.fixture
async def smtp(dovecot: Dovecot) -> AsyncIterator[Smtp]:
    async with carrier(dovecot.bring) as post:
        yield post.smtp


async def test_mail_is_fetched_marked_and_moved(dovecot: Dovecot, mailbox: Mailbox) -> None:
    dovecot.deliver("orders", SMALL)
    (mail,) = await mailbox.new()
    await mailbox.done([mail.uid], "Processed")
    assert mail.raw == SMALL
    assert (await mailbox.new(), dovecot.mails("orders")) == ([], [])
    (kept,) = dovecot.mails("orders", "Processed")
    assert kept.name.endswith(":2,S")


async def test_mail_that_somebody_has_read_already_is_fetched_too(dovecot: Dovecot, mailbox: Mailbox) -> None:
    dovecot.deliver("orders", SMALL)
    await mailbox.new()
    await mailbox._uid("STORE", "1", "+FLAGS.SILENT", r"(\Seen)", what="reading")
    assert len(await mailbox.new()) == 1


async def test_waiting_ends_when_mail_arrives(dovecot: Dovecot, mailbox: Mailbox) -> None:
    await mailbox.new()
    waiting = asyncio.create_task(mailbox.wait(30))
    await mailbox._live().protocol.wait_for_idle_response()
    dovecot.deliver("orders", SMALL)
    assert await asyncio.wait_for(waiting, 15)


async def test_a_killed_server_process_is_noticed_at_once(dovecot: Dovecot, mailbox: Mailbox) -> None:
    await mailbox.new()
    waiting = asyncio.create_task(mailbox.wait(600))
    await mailbox._live().protocol.wait_for_idle_response()
    assert dovecot.kill_connections() == 1
    with pytest.raises(Transient):
        await asyncio.wait_for(waiting, 5)


async def test_fifteen_hundred_mails_come_and_go_in_batches(dovecot: Dovecot, mailbox: Mailbox) -> None:
    for _ in range(1500):
        dovecot.deliver("orders", SMALL)
    while mails := await mailbox.new():
        await mailbox.done([mail.uid for mail in mails], "Processed")
    assert len(dovecot.mails("orders", "Processed")) == 1500


async def test_mail_no_decent_program_writes_is_fetched(dovecot: Dovecot, mailbox: Mailbox) -> None:
    odd = [b"", b"\r\n", b"no header\r\n", b"Subject: nul\r\n\r\na\x00b\r\n", b"A: b\n\nbare\nlines\n", b"x" * 5000]
    for raw in odd:
        dovecot.deliver("orders", raw)
    assert [mail.raw is None for mail in await mailbox.new()] == [False] * len(odd)


async def test_a_new_uidvalidity_repeats_nothing(dovecot: Dovecot, smtp: Smtp, tmp_path: Path) -> None:
    with game_table(tmp_path, dovecot.imap(), smtp) as table:
        await table.one_pass()
        people = [mail_user(name, dovecot.imap(name.lower()), smtp, tmp_path) for name in ("Ann", "Bob")]
        actor, mail = await asked(people)
        await actor.answer(mail, [mail.options[0]])
        await asyncio.gather(*(person.close() for person in people))
        (order,) = dovecot.mails("orders")
        raw = order.read_bytes()
        await table.one_pass()
        dovecot.stop()
        dovecot.renumber("orders")
        dovecot.start()
        dovecot.deliver("orders", raw)  # restored with the rest of the mailbox
        await table.one_pass()
        assert (table.versions, table.dispositions) == (2, ["applied", "duplicate"])
        assert dovecot.mails("orders") == []


async def test_two_daemons_share_a_mailbox(dovecot: Dovecot, smtp: Smtp, tmp_path: Path) -> None:
    with game_table(tmp_path, dovecot.imap(), smtp) as table:
        await asyncio.gather(table.one_pass(), table.one_pass())
        people = [mail_user(name, dovecot.imap(name.lower()), smtp, tmp_path) for name in ("Ann", "Bob")]
        actor, mail = await asked(people)
        await actor.answer(mail, [mail.options[0]])
        await asyncio.gather(table.one_pass(), table.one_pass(), table.one_pass())
        assert (table.versions, table.dispositions, dovecot.mails("orders")) == (2, ["applied"], [])
        assert len(await actor.fetch()) == 1
        await asyncio.gather(*(person.close() for person in people))


async def test_ten_thousand_old_mails_cost_nothing(dovecot: Dovecot, mailbox: Mailbox) -> None:
    for number in range(10_000):
        (dovecot.folder() / ".Processed" / "cur" / f"{number}.old:2,S").write_bytes(SMALL)
    dovecot.deliver("orders", SMALL)
    (mail,) = await mailbox.new()
    await mailbox.done([mail.uid], "Processed")
    assert (await mailbox.new(), mailbox.exists) == ([], 0)


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_ten_turns_end_right_though_connections_are_killed(
    dovecot: Dovecot, smtp: Smtp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.server.daemon.RETRY_SECONDS", (0.05, 0.5))
    with game_table(tmp_path, dovecot.imap(), smtp, ("Ann", "Bob", "Cat")) as table:
        # Dovecot says half a second later that mail has come; the daemon waits for its word, the players need not.
        polling = {"idle": False, "poll_seconds": 0.05}
        people = [
            mail_user(name, dovecot.imap(name.lower()).model_copy(update=polling), smtp, tmp_path, habit)
            for name, habit in (("Ann", "above"), ("Bob", "section"), ("Cat", "numbers"))
        ]
        bots = [Bot(one, random.Random(number)) for number, one in enumerate(people)]
        killed = await played(table, bots, dovecot, turns=10)
        await asyncio.gather(*(person.close() for person in people))
        table.clock.passes(minutes=3)
        await table.one_pass()
        verdict = verify(table.store, table.game.code)
        assert verdict.agrees, verdict.sentence
        assert killed >= 10
        assert (dovecot.mails("orders"), table.unsent, table.failed) == ([], [], [])
        assert None not in table.dispositions


async def played(table: GameTable, bots: list[Bot], dovecot: Dovecot, turns: int) -> int:
    """Play so many turns, killing every connection at the beginning of each; how many were killed."""
    killed = 0

    async def watch() -> None:
        nonlocal killed
        latest = 0
        while latest <= turns:
            with table.store.reading() as tx:
                turn = tx.game(table.game.id).turn
            if turn > latest:
                latest = turn
                killed += dovecot.kill_connections()
            await asyncio.sleep(0.05)

    daemon = table.daemon()
    await asyncio.wait_for(together(watch(), daemon.run(), *(stubborn(bot) for bot in bots)), 200)
    return killed


async def stubborn(bot: Bot) -> None:
    """Attend to mail, whatever becomes of the connection."""
    while True:
        with suppress(Transient):
            if not await bot.attend():
                await bot.client.mailbox.wait(5)


async def test_a_trial_mail_is_read_by_the_servers_clock_and_put_away(
    dovecot: Dovecot, smtp: Smtp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_checks, "COMES_BACK", 0.1)
    mail = Mail(address="orders@play.test", moderator="ann@play.test")
    settings = Settings(imap=dovecot.imap(), smtp=smtp, mail=mail)
    await mail_checks.mailbox(settings)
    checks = await mail_checks.journey(settings)
    assert [(check.name, check.ok) for check in checks] == [
        ("mail arrives", True), ("clock", True), ("mail to the moderator", True),
    ]  # fmt: skip
    assert (len(dovecot.mails("orders")), len(dovecot.mails("orders", "Processed"))) == (0, 1)
