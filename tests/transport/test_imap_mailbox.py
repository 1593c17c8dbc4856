"""Reading a mailbox, on the IMAP server in this process and over a wire that misbehaves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from pydantic import SecretStr
from servers.certificates import Authority
from servers.proxy import Wire

from pbem.config import Imap
from pbem.demo.servers import PostOffice, post_office
from pbem.errors import ConfigError, Permanent, Transient
from pbem.mail.reading.values import Fetched
from pbem.mail.wire.imap import Mailbox
from pbem.mail.wire.imap_syntax import literals, mailbox_name, number_set

SMALL = b"From: ann@example.org\r\nSubject: hello\r\n\r\nplay Groat\r\n"


@pytest.fixture
async def mailbox(office: PostOffice) -> AsyncIterator[Mailbox]:
    box = Mailbox(office.imap("orders"), max_bytes=10_000)
    await box.connect()
    yield box
    await box.close()


async def over(wire: Wire, office: PostOffice, **changes: object) -> Mailbox:
    """A connected mailbox at the other end of the wire."""
    box = Mailbox(office.imap("orders", port=wire.port, **{"timeout": 1.0, **changes}), max_bytes=10_000)
    await box.connect()
    return box


def raws(mails: list[Fetched]) -> list[bytes | None]:
    return [mail.raw for mail in mails]


async def test_new_mail_is_fetched_whole_and_left_where_it_is(office: PostOffice, mailbox: Mailbox) -> None:
    await office.deliver("orders", SMALL)
    first, second = await mailbox.new(), await mailbox.new()
    assert raws(first) == [SMALL]
    assert first == second


async def test_fetching_tells_uid_and_uidvalidity_and_size(office: PostOffice, mailbox: Mailbox) -> None:
    await office.deliver("orders", SMALL)
    (mail,) = await mailbox.new()
    assert (mail.uid, mail.uidvalidity, mail.size) == (101, mailbox.uidvalidity, len(SMALL))
    assert mailbox.uidvalidity > 0


async def test_done_moves_mail_out_of_the_inbox_marked_as_seen(office: PostOffice, mailbox: Mailbox) -> None:
    await office.deliver("orders", SMALL)
    (mail,) = await mailbox.new()
    await mailbox.done([mail.uid], "Processed")
    assert await mailbox.new() == []
    processed = Mailbox(office.imap("orders", inbox="Processed", processed="Elsewhere"), max_bytes=10_000)
    await processed.connect()
    assert raws(await processed.new()) == [SMALL]
    seen = await processed._call(processed._live().uid_search("SEEN", charset=None), "looking")
    assert seen.lines[0] == b"101"
    await processed.close()


async def test_mail_that_is_gone_already_is_no_trouble(office: PostOffice, mailbox: Mailbox) -> None:
    await office.deliver("orders", SMALL)
    (mail,) = await mailbox.new()
    await mailbox.done([mail.uid], "Processed")
    await mailbox.done([mail.uid, 4711], "Processed")
    assert mailbox.connected


async def test_a_hundred_and_twenty_mails_come_in_batches(office: PostOffice, mailbox: Mailbox) -> None:
    for number in range(120):
        await office.deliver("orders", SMALL.replace(b"hello", b"%d" % number))
    for size in (50, 50, 20, 0):
        batch = await mailbox.new()
        assert len(batch) == size
        await mailbox.done([mail.uid for mail in batch], "Processed")


async def test_of_a_mail_that_is_too_large_only_the_headers_are_fetched(office: PostOffice, mailbox: Mailbox) -> None:
    await office.deliver("orders", SMALL + b"x" * 20_000)
    await office.deliver("orders", SMALL)
    large, small = await mailbox.new()
    assert large.oversize
    assert large.size == len(SMALL) + 20_000
    assert large.raw == b"From: ann@example.org\r\nSubject: hello\r\n\r\n"
    assert small.raw == SMALL


async def test_missing_folders_are_created_whatever_their_name(office: PostOffice) -> None:
    box = Mailbox(office.imap("orders", processed="Erledigt & weg", quarantine="Quarantäne"), max_bytes=10_000)
    await box.connect()
    await office.deliver("orders", SMALL)
    await box.done([101], "Quarantäne")
    listed = await box._call(box._live().list('""', "*"), "listing")
    assert any(b"Quarant&AOQ-ne" in line for line in listed.lines)
    assert any(b"Erledigt &- weg" in line for line in listed.lines)
    await box.close()


async def test_a_folder_that_vanished_is_created_again(office: PostOffice, mailbox: Mailbox) -> None:
    await mailbox._call(mailbox._live().delete('"Processed"'), "deleting")
    await office.deliver("orders", SMALL)
    await mailbox.done([101], "Processed")
    assert await mailbox.new() == []


async def test_waiting_ends_when_mail_arrives(office: PostOffice, mailbox: Mailbox) -> None:
    await mailbox.new()
    waiting = asyncio.create_task(mailbox.wait(30))
    await mailbox._live().protocol.wait_for_idle_response()
    await office.deliver("orders", SMALL)
    assert await asyncio.wait_for(waiting, 5)
    assert raws(await mailbox.new()) == [SMALL]


async def test_mail_that_came_before_the_wait_ends_it_at_once(office: PostOffice, mailbox: Mailbox) -> None:
    await mailbox.new()
    await office.deliver("orders", SMALL)
    assert await asyncio.wait_for(mailbox.wait(30), 5)


async def test_waiting_in_vain_keeps_the_connection(office: PostOffice, mailbox: Mailbox) -> None:
    await mailbox.new()
    assert not await mailbox.wait(0.05)
    await office.deliver("orders", SMALL)
    assert raws(await mailbox.new()) == [SMALL]


async def test_a_cancelled_wait_keeps_the_connection(office: PostOffice, mailbox: Mailbox) -> None:
    await mailbox.new()
    waiting = asyncio.create_task(mailbox.wait(30))
    await mailbox._live().protocol.wait_for_idle_response()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await office.deliver("orders", SMALL)
    assert raws(await mailbox.new()) == [SMALL]


async def test_without_push_waiting_is_polling(wire: Wire, office: PostOffice) -> None:
    wire.changes[b" IDLE"] = b""
    box = await over(wire, office, poll_seconds=0.05)
    await box.new()
    assert await asyncio.wait_for(box.wait(30), 5)
    await box.close()


async def test_without_move_mail_is_copied_and_deleted(wire: Wire, office: PostOffice) -> None:
    wire.changes[b" MOVE"] = b""
    box = await over(wire, office)
    await office.deliver("orders", SMALL)
    await box.done([101], "Processed")
    assert await box.new() == []
    await box.close()


async def test_without_move_and_uidplus_mail_is_copied_and_deleted(wire: Wire, office: PostOffice) -> None:
    wire.changes |= {b" MOVE": b"", b" UIDPLUS": b""}
    box = await over(wire, office)
    await office.deliver("orders", SMALL)
    await box.done([101], "Processed")
    assert await box.new() == []
    await box.close()


async def test_a_connection_cut_in_the_middle_of_a_mail_is_transient(wire: Wire, office: PostOffice) -> None:
    box = await over(wire, office)
    await office.deliver("orders", SMALL + b"x" * 5000)
    wire.cut_after = 1500
    with pytest.raises(Transient, match="lost"):
        await box.new()
    assert not box.connected


async def test_after_a_lost_connection_a_new_one_finds_everything(wire: Wire, office: PostOffice) -> None:
    box = await over(wire, office)
    await office.deliver("orders", SMALL)
    wire.cut_after = 300
    with pytest.raises(Transient):
        await box.new()
    await box.connect()
    assert raws(await box.new()) == [SMALL]
    await box.close()


async def test_a_connection_lost_during_the_wait_is_noticed_at_once(wire: Wire, office: PostOffice) -> None:
    box = await over(wire, office)
    await box.new()
    waiting = asyncio.create_task(box.wait(600))
    await box._live().protocol.wait_for_idle_response()
    wire.cut()
    with pytest.raises(Transient, match="lost"):
        await asyncio.wait_for(waiting, 5)


async def test_a_server_that_falls_silent_is_given_up(wire: Wire, office: PostOffice) -> None:
    box = await over(wire, office, timeout=0.2)
    wire.silent = True
    with pytest.raises(Transient, match="no answer in time"):
        await box.new()
    assert not box.connected


async def test_a_wrong_password_is_permanent_and_not_repeated_in_the_error(office: PostOffice) -> None:
    box = Mailbox(office.imap("orders", password=SecretStr("wrong-secret")), max_bytes=10_000)
    with pytest.raises(Permanent, match="refused the login") as caught:
        await box.connect()
    assert "wrong-secret" not in str(caught.value)


async def test_passwords_and_names_with_blanks_and_quotes_are_sent_right() -> None:
    async with post_office({"ann lee": 'a "b" \\c'}) as office:
        box = Mailbox(office.imap("ann lee"), max_bytes=10_000)
        await box.connect()
        await box.close()


async def test_a_missing_inbox_is_permanent(office: PostOffice) -> None:
    with pytest.raises(Permanent, match="no folder 'Orders'"):
        await Mailbox(office.imap("orders", inbox="Orders"), max_bytes=10_000).connect()


async def test_a_server_that_is_not_there_is_transient(office: PostOffice) -> None:
    with pytest.raises(Transient, match=r"connecting to 127\.0\.0\.1:1: nothing listens there"):
        await Mailbox(office.imap("orders", port=1), max_bytes=10_000).connect()


async def test_a_server_that_speaks_no_imap_is_told_by_its_greeting(office: PostOffice) -> None:
    with pytest.raises(Transient, match="it greets with '220 localhost"):
        await Mailbox(office.imap("orders", port=office.smtp_port), max_bytes=10_000).connect()


async def test_tls_with_a_private_authority(authority: Authority) -> None:
    async with post_office({"orders": "secret"}, tls=authority.server()) as office:
        settings = office.imap("orders", tls=True, host="localhost", ca_file=authority.ca_file)
        box = Mailbox(settings, max_bytes=10_000)
        await box.connect()
        await office.deliver("orders", SMALL)
        assert raws(await box.new()) == [SMALL]
        await box.close()


async def test_a_certificate_nobody_vouches_for_is_refused(authority: Authority) -> None:
    async with post_office({"orders": "secret"}, tls=authority.server()) as office:
        box = Mailbox(office.imap("orders", tls=True, host="localhost"), max_bytes=10_000)
        with pytest.raises(Transient, match="its certificate is not accepted"):
            await box.connect()


def test_a_broken_ca_file_is_a_configuration_error(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from pbem.mail.wire.connection import tls_context

    (tmp_path / "ca.pem").write_text("not a certificate")
    with pytest.raises(ConfigError, match="not a readable PEM file"):
        tls_context(Imap(host="localhost", ca_file=tmp_path / "ca.pem"))


def test_uids_are_written_as_ranges() -> None:
    assert number_set([9, 3, 7, 8]) == "3,7:9"


def test_folder_names_are_written_in_modified_utf_7() -> None:
    assert mailbox_name('Tür & "Tor"/台北') == '"T&APw-r &- \\"Tor\\"/&U,BTFw-"'


def test_the_uid_may_stand_after_the_mail_and_other_lines_between() -> None:
    lines = [
        b"1 FETCH (BODY[] {5}",
        bytearray(b"hello"),
        b" UID 7)",
        b"3 FETCH (FLAGS (\\Seen))",
        b"2 FETCH (UID 8 BODY[] {0}",
        bytearray(b""),
        b")",
        b'4 FETCH (UID 9 BODY[] "a \\"b\\"")',
        b"Fetch completed.",
    ]
    assert dict(literals(lines)) == {7: b"hello", 8: b"", 9: b'a "b"'}
