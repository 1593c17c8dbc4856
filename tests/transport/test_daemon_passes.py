"""Passes of the daemon over real IMAP and SMTP: what arrives, what leaves, and what becomes of failures."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment
from pydantic import SecretStr
from servers.proxy import Wire
from servers.sink import Sink
from servers.table import MODERATOR, GameTable, asked, game_table, inbox, mail_user

from pbem.demo.client import MailClient, Received
from pbem.demo.servers import PostOffice
from pbem.errors import MailError, Permanent, Transient
from pbem.mail.reading.values import Fetched
from pbem.mail.wire.imap import Mailbox
from pbem.mail.wire.smtp import OwnFault, Unreachable
from pbem.reports.render import compile_all, environment
from pbem.server import outbox
from pbem.store import GameSettings, NewOutbound

ANN, BOB = "ann@play.test", "bob@play.test"


@pytest.fixture
def table(office: PostOffice, tmp_path: Path) -> Iterator[GameTable]:
    """A game of Ann and Bob on the servers in this process."""
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        yield table


@pytest.fixture
def sunk(office: PostOffice, sink: Sink, tmp_path: Path) -> Iterator[GameTable]:
    """The same game, but its mail goes into a sink that answers as it is told."""
    with game_table(tmp_path, office.imap("orders"), sink.smtp()) as sunk:
        yield sunk


@pytest.fixture
async def people(office: PostOffice, tmp_path: Path) -> AsyncIterator[list[MailClient]]:
    """Ann and Bob with their mail programs."""
    both = [mail_user(name, office.imap(name.lower()), office.smtp(name.lower()), tmp_path) for name in ("Ann", "Bob")]
    yield both
    for person in both:
        await person.close()


async def test_the_first_pass_sends_the_first_reports(table: GameTable, people: list[MailClient]) -> None:
    await table.one_pass()
    received = [len(await person.fetch()) for person in people]
    assert (received, table.unsent) == ([1, 1], [])


async def test_orders_are_carried_out_answered_and_put_away_in_one_pass(
    table: GameTable, people: list[MailClient], office: PostOffice
) -> None:
    await table.one_pass()
    actor, mail = await asked(people)
    await actor.answer(mail, [mail.options[0]])
    await table.one_pass()
    assert (table.versions, table.dispositions, await inbox(office)) == (2, ["applied"], 0)
    assert "YOUR ORDERS" in (await actor.fetch())[0].text


async def test_two_passes_at_once_do_everything_once(
    table: GameTable, people: list[MailClient], office: PostOffice
) -> None:
    await table.one_pass()
    actor, mail = await asked(people)
    await actor.answer(mail, [mail.options[0]])
    await asyncio.gather(table.one_pass(), table.one_pass(), table.one_pass())
    assert (table.versions, await inbox(office)) == (2, 0)
    assert len(await actor.fetch()) == 1


async def test_a_mail_delivered_twice_is_carried_out_once(
    table: GameTable, people: list[MailClient], office: PostOffice
) -> None:
    await table.one_pass()
    actor, mail = await asked(people)
    await actor.answer(mail, [mail.options[0]])
    raw = await first_mail(office)
    await table.one_pass()
    await office.deliver("orders", raw)
    await table.one_pass()
    assert (table.versions, table.dispositions) == (2, ["applied", "duplicate"])


async def first_mail(office: PostOffice) -> bytes:
    """The oldest mail of the game's inbox, as it is."""
    box = Mailbox(office.imap("orders"), max_bytes=1_000_000)
    await box.connect()
    (mail,) = await box.new()
    await box.close()
    assert mail.raw is not None
    return mail.raw


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\r\n\r\n",
        b"From: x\r\n",
        b"Subject: =?utf-8?q?=ff?=\r\n\r\n\xff\xfe",
        b"Content-Type: multipart/x\r\n\r\n",
    ],
)
async def test_a_broken_mail_does_not_hold_up_the_next(
    table: GameTable, people: list[MailClient], office: PostOffice, raw: bytes
) -> None:
    await table.one_pass()
    actor, mail = await asked(people)
    await office.deliver("orders", raw)
    await actor.answer(mail, [mail.options[0]])
    await table.one_pass()
    assert (table.versions, await inbox(office)) == (2, 0)


async def test_the_moderator_is_told_once_a_day_of_mail_that_the_server_cannot_hand_out(table: GameTable) -> None:
    daemon = table.daemon()
    for uid in (1, 2):
        assert daemon.take(Fetched(uid, uidvalidity=7, size=10, raw=None)) == "Quarantine"
    with table.store.reading() as tx:
        (notice,) = [tx.outbound(mail.id) for mail in tx.sent() if mail.recipient == MODERATOR]
    assert b"cannot hand out mail 1" in notice.raw


async def test_a_mail_that_is_too_large_is_not_read(office: PostOffice, tmp_path: Path) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders"), max_bytes=2000) as table:
        await office.deliver("orders", b"From: ann@play.test\r\nSubject: x\r\n\r\n" + b"end\r\n" * 1000)
        await table.one_pass()
        assert (table.versions, await inbox(office)) == (1, 0)


async def test_a_refused_recipient_fails_alone_and_the_moderator_is_told(sunk: GameTable, sink: Sink) -> None:
    sink.will(f"RCPT {ANN}", "550 5.1.1 nobody of that name")
    await sunk.one_pass()
    assert (sunk.failed, sunk.unsent) == ([ANN], [])
    assert [to for to, _ in sink.mails] == [BOB, MODERATOR]
    assert b"nobody of that name" in sink.mails[1][1]


async def test_a_refused_moderator_is_not_told_of_it(sunk: GameTable, sink: Sink) -> None:
    sink.will(f"RCPT {ANN}", "550 5.1.1 nobody of that name")
    sink.will(f"RCPT {MODERATOR}", "550 5.1.1 nobody of that name")
    await sunk.one_pass()
    assert (sorted(sunk.failed), sunk.unsent) == ([ANN, MODERATOR], [])


async def test_a_4xx_answer_is_tried_again_later_and_later(sunk: GameTable, sink: Sink) -> None:
    sink.will(f"RCPT {ANN}", "450 4.2.0 greylisted", "450 4.2.0 greylisted")
    await sunk.one_pass()
    assert sunk.unsent == [ANN]
    sunk.clock.passes(seconds=61)
    await sunk.one_pass()
    sunk.clock.passes(seconds=61)
    await sunk.one_pass()
    assert sunk.unsent == [ANN]
    sunk.clock.passes(seconds=61)
    await sunk.one_pass()
    assert sunk.unsent == []


async def test_what_cannot_be_sent_for_a_month_is_given_up_and_marks_no_address(sunk: GameTable, sink: Sink) -> None:
    sink.will(f"RCPT {ANN}", "450 4.2.0 mailbox busy", "450 4.2.0 mailbox busy")
    sunk.clock.passes(days=29.99)
    await posted(sunk)
    assert sunk.failed == []
    sunk.clock.passes(days=0.02)
    await posted(sunk)
    assert (sunk.failed, marked(sunk)) == ([ANN], [])


async def posted(table: GameTable) -> None:
    """What is due is sent, as after a start of the program."""
    daemon = table.daemon()
    await daemon.send()
    await daemon.close()


def marked(table: GameTable) -> list[str]:
    """The addresses that are marked as coming back."""
    with table.store.reading() as tx:
        return [own.address for player in tx.players() for own in player.addresses if own.bouncing_at]


async def test_a_mail_tried_for_five_days_is_tried_daily(sunk: GameTable, sink: Sink) -> None:
    sink.will(f"RCPT {ANN}", *["450 4.2.0 mailbox busy"] * 36)
    for _ in range(35):
        await posted(sunk)
        sunk.clock.passes(hours=4)
    assert MODERATOR not in [to for to, _ in sink.mails]
    await posted(sunk)
    sunk.clock.passes(hours=23.9)
    await posted(sunk)
    assert (sunk.unsent, [to for to, _ in sink.mails]) == ([ANN], [BOB, MODERATOR])
    sunk.clock.passes(hours=0.1)
    await posted(sunk)
    assert sunk.unsent == []


REFUSALS = ["553 5.7.1 Sender address rejected: not owned by user", "550 rejected", "554 5.7.1 listed"]


@pytest.mark.parametrize("command", ["RCPT", "DATA"])
@pytest.mark.parametrize("refusal", REFUSALS)
async def test_a_refusal_that_may_be_about_us_parks_one_mail(
    sunk: GameTable, sink: Sink, command: str, refusal: str
) -> None:
    sink.will(f"{command} {ANN}", refusal, refusal)
    await posted(sunk)
    assert (sunk.failed, marked(sunk), sunk.unsent) == ([], [], [ANN])
    assert [to for to, _ in sink.mails] == [BOB, MODERATOR]
    assert refusal.encode() in sink.mails[1][1].replace(b"=\r\n", b"").replace(b"\r\n", b" ")
    sunk.clock.passes(hours=23.9)
    await posted(sunk)
    assert len(sink.mails) == 2
    sunk.clock.passes(hours=0.2)
    await posted(sunk)
    assert [to for to, _ in sink.mails] == [BOB, MODERATOR, MODERATOR]
    sunk.clock.passes(hours=24)
    await posted(sunk)
    assert (sunk.unsent, [to for to, _ in sink.mails][3:]) == ([], [ANN])


async def test_what_was_not_there_at_data_says_nothing_of_the_address(sunk: GameTable, sink: Sink) -> None:
    sink.will(f"DATA {ANN}", "550 5.1.1 no such user")
    await sunk.one_pass()
    assert (sunk.failed, marked(sunk), sunk.unsent) == ([], [], [ANN])


@pytest.fixture
def abroad(office: PostOffice, sink: Sink, tmp_path: Path) -> Iterator[GameTable]:
    """The same game, with a moderator at another domain than the players'."""
    with game_table(tmp_path, office.imap("orders"), sink.smtp(), moderator="mod@elsewhere.test") as abroad:
        yield abroad


@pytest.mark.parametrize("command", ["RCPT", "DATA"])
@pytest.mark.parametrize("refusal", REFUSALS)
async def test_when_two_domains_are_refused_alike_it_is_our_fault_and_all_recovers(
    abroad: GameTable, sink: Sink, command: str, refusal: str
) -> None:
    for to in (ANN, BOB, "mod@elsewhere.test"):
        sink.will(f"{command} {to}", refusal, refusal)
    for _ in range(2):
        with pytest.raises(OwnFault, match=refusal):
            await abroad.one_pass()
        abroad.clock.passes(hours=1)
    assert (abroad.failed, marked(abroad), sink.mails) == ([], [], [])
    await abroad.one_pass()
    assert (abroad.failed, marked(abroad), abroad.unsent) == ([], [], [])
    assert sorted(to for to, _ in sink.mails) == [ANN, BOB, *["mod@elsewhere.test"] * 4]


async def test_refused_differently_it_is_not_our_fault(abroad: GameTable, sink: Sink) -> None:
    sink.will(f"RCPT {ANN}", "550 5.7.1 no")
    sink.will(f"RCPT {BOB}", "550 5.7.1 no")
    sink.will("RCPT mod@elsewhere.test", "554 5.7.1 no", "554 5.7.1 no")
    await abroad.one_pass()
    assert abroad.unsent == [ANN, BOB, *["mod@elsewhere.test"] * 2]


async def test_what_the_moderator_cannot_be_told_by_mail_is_logged(
    sunk: GameTable, sink: Sink, caplog: pytest.LogCaptureFixture
) -> None:
    for to in (ANN, BOB, MODERATOR):
        sink.will(f"RCPT {to}", *["553 5.7.1 not your address"] * 2)
    await sunk.one_pass()
    logged = [record.message for record in caplog.records if record.levelname == "ERROR"]
    assert logged == [f"mail to the moderator is not taken: {MODERATOR}: 553 5.7.1 not your address"] * 2
    assert sunk.failed == []


async def test_refused_by_two_domains_of_players_alone_it_is_not_our_fault(abroad: GameTable, sink: Sink) -> None:
    with abroad.store.transaction() as tx:
        tx.queue(NewOutbound("cid@third.test", "<3@play.test>", "X", "notice", b"\r\n"), abroad.clock.now)
    for to in (ANN, BOB, "cid@third.test"):
        sink.will(f"RCPT {to}", "550 5.7.1 no")
    await abroad.one_pass()
    assert (abroad.unsent, len(sink.mails)) == ([ANN, BOB, "cid@third.test"], 3)


async def test_refused_with_a_mail_taken_in_between_it_is_not_our_fault(abroad: GameTable, sink: Sink) -> None:
    sink.will(f"RCPT {ANN}", "550 5.7.1 no")
    sink.will("RCPT mod@elsewhere.test", "550 5.7.1 no")
    await abroad.one_pass()
    assert (abroad.unsent, [to for to, _ in sink.mails]) == ([ANN, "mod@elsewhere.test"], [BOB])


async def test_the_time_in_which_no_mail_could_leave_is_made_good(sunk: GameTable, sink: Sink) -> None:
    await sunk.one_pass()
    with sunk.store.transaction() as tx:
        (due,) = [ask.due_at for ask in tx.open_deadlines()]
        tx.queue(NewOutbound(ANN, "<x@play.test>", "X", "notice", b"\r\n"), sunk.clock.now)
    sink.will("MAIL", *["553 5.7.1 not your address"] * 4)
    for _ in range(4):
        sunk.clock.passes(hours=25)
        with pytest.raises(OwnFault):
            await sunk.one_pass()
    assert sunk.versions == 1
    sink.answers.clear()
    sunk.clock.passes(hours=1)
    await sunk.one_pass()
    with sunk.store.reading() as tx:
        assert [ask.due_at for ask in tx.open_deadlines()] == [due + timedelta(hours=101)]
    assert sunk.versions == 1


async def test_a_mail_whose_fate_is_unknown_is_sent_again_with_the_same_id(sunk: GameTable, sink: Sink) -> None:
    sink.will(f"DATA {ANN}", "take and drop")
    await sunk.one_pass()
    sunk.clock.passes(seconds=61)
    await sunk.one_pass()
    to_ann = [raw for to, raw in sink.mails if to == ANN]
    assert len(to_ann) == 2
    assert to_ann[0] == to_ann[1]


async def test_a_refused_sender_fails_no_mail_and_the_moderator_finds_one_notice(sunk: GameTable, sink: Sink) -> None:
    sink.will("MAIL", *["553 5.7.1 not your address"] * 2)
    with pytest.raises(OwnFault):
        await sunk.one_pass()
    with pytest.raises(OwnFault):
        await sunk.one_pass()
    assert (sunk.failed, sunk.unsent) == ([], [ANN, BOB, MODERATOR])
    await sunk.one_pass()
    assert sunk.unsent == []


async def test_an_unreachable_mail_server_fails_no_mail(office: PostOffice, sink: Sink, tmp_path: Path) -> None:
    with game_table(tmp_path, office.imap("orders"), sink.smtp(port=1)) as table:
        with pytest.raises(Unreachable):
            await table.one_pass()
        assert (table.failed, table.unsent) == ([], [ANN, BOB])


async def test_a_slow_recipient_does_not_hold_the_others(
    sunk: GameTable, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "SLOW_SECONDS", 0.5)
    sink.will(f"RCPT {ANN}", "hang")
    daemon = sunk.daemon()
    await daemon.outbox.drain()
    assert ([to for to, _ in sink.mails], sunk.unsent) == ([BOB], [ANN])
    await daemon.close()


async def test_three_dead_recipients_do_not_hold_the_fourth(
    office: PostOffice, sink: Sink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "SLOW_SECONDS", 0.5)
    for name in ("ann", "bob", "cid"):
        sink.will(f"RCPT {name}@play.test", "hang")
    with game_table(tmp_path, office.imap("orders"), sink.smtp(), ("Ann", "Bob", "Cid", "Dot")) as table:
        daemon = table.daemon()
        await daemon.outbox.drain()
        assert [to for to, _ in sink.mails] == ["dot@play.test"]
        await daemon.close()


async def test_a_second_mail_to_a_slow_recipient_waits_for_the_first(
    sunk: GameTable, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "SLOW_SECONDS", 0.5)
    sink.will(f"RCPT {ANN}", "hang")
    with sunk.store.transaction() as tx:
        tx.queue(NewOutbound(ANN, "<second@play.test>", "Second", "notice", b"\r\n"), sunk.clock.now)
    daemon = sunk.daemon()
    await daemon.outbox.drain()
    assert ([to for to, _ in sink.mails], sink.connections, sunk.unsent) == ([BOB], 2, [ANN, ANN])
    await daemon.close()


async def test_a_second_mail_to_a_slow_recipient_goes_when_the_first_has_arrived(
    sunk: GameTable, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "SLOW_SECONDS", 0.5)
    sink.will(f"RCPT {ANN}", "hang")
    with sunk.store.transaction() as tx:
        tx.queue(NewOutbound(ANN, "<second@play.test>", "Second", "notice", b"\r\n"), sunk.clock.now)
    daemon = sunk.daemon()
    await daemon.outbox.drain()
    sink.go_on.set()
    await daemon.outbox.finish()
    assert ([to for to, _ in sink.mails], sunk.unsent) == ([BOB, ANN, ANN], [])
    await daemon.close()


async def test_a_slow_recipient_is_tried_again_later(
    office: PostOffice, sink: Sink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "SLOW_SECONDS", 0.5)
    sink.will(f"RCPT {ANN}", "hang")
    with game_table(tmp_path, office.imap("orders"), sink.smtp(timeout=0.2)) as table:
        await table.one_pass()
        assert (table.failed, table.unsent) == ([], [ANN])


async def test_without_a_mailbox_reports_are_still_sent(office: PostOffice, tmp_path: Path) -> None:
    with game_table(tmp_path, office.imap("orders", port=1), office.smtp("orders")) as table:
        with pytest.raises(Transient):
            await table.one_pass()
        assert table.unsent == []


async def test_without_a_mailbox_no_deadline_passes(office: PostOffice, tmp_path: Path) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        await table.one_pass()
        blind = GameTable(
            table.settings.model_copy(update={"imap": office.imap("orders", port=1)}), table.store, table.game
        )
        blind.clock.passes(hours=GameSettings().turn_hours + 1)
        with pytest.raises(MailError):
            await blind.one_pass()
        assert table.versions == 1


async def test_a_deadline_that_has_passed_moves_the_game(table: GameTable, people: list[MailClient]) -> None:
    await table.one_pass()
    for _ in range(int(GameSettings().turn_hours) * 2 + 2):  # the mailbox is read all the time
        table.clock.passes(minutes=30)
        await table.one_pass()
    assert table.versions == 2


async def test_no_deadline_passes_before_the_inbox_was_looked_at_behind_it(
    table: GameTable, people: list[MailClient]
) -> None:
    await table.one_pass()
    actor, mail = await asked(people)
    daemon = table.daemon()
    await daemon.collect()
    await actor.answer(mail, [mail.options[0]])
    due_in(table, minutes=1)
    table.clock.passes(minutes=2)
    await daemon.keep_time()
    assert (table.versions, daemon.look.is_set()) == (1, True)
    await daemon.collect()
    await daemon.keep_time()
    await daemon.close()
    assert (table.versions, table.dispositions, daemon.look.is_set()) == (2, ["applied"], False)


async def test_a_deadline_has_the_inbox_looked_at_and_then_passes(table: GameTable, people: list[MailClient]) -> None:
    daemon = table.daemon()
    running = asyncio.create_task(daemon.run())
    await asyncio.gather(*(one_mail(person) for person in people))
    due_in(table, minutes=1)
    table.clock.passes(minutes=2)
    daemon.mailed.set()
    async with asyncio.timeout(10):
        while table.versions == 1:
            await asyncio.wait({running}, timeout=0.02)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def due_in(table: GameTable, **time: float) -> None:
    """Let whoever is asked have so much time left."""
    with table.store.transaction() as tx:
        for ask in tx.open_deadlines():
            tx.move_deadline(ask.number, table.clock.now + timedelta(**time))


async def test_a_refused_login_ends_the_daemon_at_its_start(office: PostOffice, tmp_path: Path) -> None:
    imap = office.imap("orders", password=SecretStr("wrong"))
    with (
        game_table(tmp_path, imap, office.smtp("orders")) as table,
        pytest.raises(Permanent, match="refused the login"),
    ):
        await table.daemon().run()


async def test_the_daemon_answers_mail_as_it_comes(table: GameTable, people: list[MailClient]) -> None:
    running = asyncio.create_task(table.daemon().run())
    waiting = [asyncio.create_task(one_mail(person)) for person in people]
    mails = await asyncio.gather(*waiting)
    actor, asked = next((person, mail) for person, mail in zip(people, mails, strict=True) if mail.question)
    await actor.put_away()
    await actor.answer(asked, [asked.options[0]])
    await asyncio.wait_for(one_mail(actor), 10)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert table.versions == 2


async def one_mail(person: MailClient) -> Received:
    """Wait until somebody has mail; the newest."""
    while not (mails := await person.fetch()):
        await person.mailbox.wait(10)
    return mails[-1]


async def test_the_daemon_comes_back_after_its_connection_is_cut(
    office: PostOffice, wire: Wire, tmp_path: Path, people: list[MailClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.server.daemon.RETRY_SECONDS", (0.01, 0.1))
    with game_table(tmp_path, office.imap("orders", port=wire.port), office.smtp("orders")) as table:
        running = asyncio.create_task(table.daemon().run())
        mails = await asyncio.gather(*(one_mail(person) for person in people))
        actor, asked = next((person, mail) for person, mail in zip(people, mails, strict=True) if mail.question)
        await actor.put_away()
        wire.cut()
        await actor.answer(asked, [asked.options[0]])
        await asyncio.wait_for(one_mail(actor), 10)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert (table.versions, wire.connections >= 2) == (2, True)


async def test_an_idle_pass_costs_little_with_a_thousand_games(table: GameTable) -> None:
    with table.store.transaction() as tx:
        for number in range(1000):
            tx.add_game(f"Game {number}", "ankh_morpork", GameSettings(), bytes(32), table.clock.now)
    daemon = table.daemon()
    await daemon.collect()
    await daemon.send()
    began = time.process_time()
    for _ in range(10):
        await daemon.collect()
        await daemon.keep_time()
        await daemon.send()
        daemon.seconds_to_next()
    assert (time.process_time() - began) / 10 < 0.05
    await daemon.close()


async def test_the_bytes_of_old_mail_are_dropped_once_a_day(table: GameTable) -> None:
    await table.one_pass()
    table.clock.passes(days=table.settings.mail.retention_days + 1)
    await table.one_pass()
    with table.store.reading() as tx:
        oldest = tx.sent()[-1]
        assert tx.outbound(oldest.id).raw == b""


async def test_a_refused_smtp_login_ends_the_daemon_at_its_start(office: PostOffice, tmp_path: Path) -> None:
    smtp = office.smtp("orders", password=SecretStr("wrong"))
    with game_table(tmp_path, office.imap("orders"), smtp) as table, pytest.raises(OwnFault, match="refused the login"):
        await table.daemon().run()


async def test_a_folder_that_cannot_be_made_is_told_to_the_moderator_once(
    office: PostOffice, wire: Wire, sink: Sink, tmp_path: Path
) -> None:
    wire.changes[b"OK [MAILBOXID"] = b"NO [MAILBOXID"
    with game_table(tmp_path, office.imap("orders", port=wire.port), sink.smtp()) as table:
        for folder in ("Processed", "Quarantine"):
            with pytest.raises(Permanent, match=f"cannot create the folder '{folder}'"):
                await table.one_pass()
        (told,) = [raw for to, raw in sink.mails if to == MODERATOR]
        assert b"cannot create the folder" in told


async def test_a_refused_mailbox_is_told_before_the_daemon_ends(office: PostOffice, sink: Sink, tmp_path: Path) -> None:
    imap = office.imap("orders", password=SecretStr("wrong"))
    with game_table(tmp_path, imap, sink.smtp()) as table, pytest.raises(Permanent, match="refused the login"):
        await table.daemon().run()
    assert MODERATOR in [to for to, _ in sink.mails]


async def test_mail_that_comes_back_into_the_inbox_makes_no_loop(office: PostOffice, tmp_path: Path) -> None:
    with game_table(tmp_path, office.imap("orders"), office.smtp("orders")) as table:
        imap = table.settings.imap.model_copy(update={"processed": "INBOX"})  # as a filter of the server would do
        looping = GameTable(table.settings.model_copy(update={"imap": imap}), table.store, table.game)
        await office.deliver("orders", b"From: ann@play.test\r\nMessage-ID: <1@x>\r\n\r\nhello\r\n")
        with pytest.raises(Transient, match="again, in the inbox"):
            await looping.one_pass()
        assert table.dispositions == ["answered"]


async def test_a_failure_after_a_success_is_the_first_again(table: GameTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.server.daemon.RETRY_SECONDS", (0.001, 1000.0))
    left = iter(range(20))

    async def step() -> None:
        if next(left, None) is None:
            raise asyncio.CancelledError

    async def drop() -> None:
        raise Transient("the connection was lost")

    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(table.daemon().persist(step, drop), 5)


async def test_failures_without_a_success_wait_longer_each_time(
    table: GameTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.server.daemon.RETRY_SECONDS", (0.02, 0.08))
    times: list[float] = []

    async def step() -> None:
        times.append(time.monotonic())
        if len(times) == 5:
            raise asyncio.CancelledError
        raise Transient("nothing listens there")

    with pytest.raises(asyncio.CancelledError):
        await table.daemon().persist(step, step)
    waits = [after - before for before, after in pairwise(times)]
    assert all(waited >= at_least for waited, at_least in zip(waits, (0.02, 0.04, 0.08, 0.08), strict=True))


async def test_templates_are_compiled_before_a_transaction(
    table: GameTable, people: list[MailClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.one_pass()
    actor, mail = await asked(people)
    await actor.answer(mail, [mail.options[0]])
    environment.cache_clear()
    compile_all.cache_clear()
    compile_template, compiled = Environment.compile, []

    def compile_unlocked(self: Environment, *source: Any, **how: Any) -> Any:
        with table.store.transaction():  # in a transaction this would wait for itself
            compiled.append(source)
        return compile_template(self, *source, **how)

    monkeypatch.setattr("pbem.store.database.BUSY_SECONDS", 0)
    monkeypatch.setattr(Environment, "compile", compile_unlocked)
    await table.one_pass()
    assert (table.versions, table.dispositions, bool(compiled)) == (2, ["applied"], True)


async def test_what_letters_the_server_takes_is_remembered(sunk: GameTable, sink: Sink) -> None:
    await sunk.one_pass()
    with sunk.store.reading() as tx:
        assert tx.remembered("smtputf8") == "no"


@pytest.mark.parametrize(("until", "seconds"), [(3, 3.0), (5.1, 5.0), (0, 5.0), (-9, 5.0)])
def test_the_daemon_sleeps_until_something_is_due_and_never_for_what_is_held(
    sunk: GameTable, until: float, seconds: float
) -> None:
    with sunk.store.transaction() as tx:
        tx.lease(sunk.clock.now + timedelta(minutes=1))
        (ask,) = tx.open_deadlines()
        tx.change_ask(ask.number, due_at=sunk.clock.now + timedelta(seconds=until), remind_at=None)
    assert sunk.daemon().seconds_to_next() == seconds
