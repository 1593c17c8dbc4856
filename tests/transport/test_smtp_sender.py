"""Sending mail: what each kind of refusal means, and what becomes of the connection."""

from __future__ import annotations

import pytest
from pydantic import SecretStr
from servers.certificates import Authority
from servers.sink import Sink, smtp_sink
from servers.table import inbox

from pbem.demo.servers import PostOffice
from pbem.errors import Permanent, Transient
from pbem.mail.wire.smtp import OwnFault, Refused, Sender, Unreachable

ANN = "ann@example.org"
MAIL = b"From: game@example.org\r\nTo: ann@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nYour move.\r\n"


def sender_to(sink: Sink, **changes: object) -> Sender:
    return Sender(sink.smtp(**changes), "game@example.org")


async def test_a_mail_arrives_as_it_was_written(sink: Sink) -> None:
    await sender_to(sink).send(ANN, MAIL)
    assert sink.mails == [(ANN, MAIL)]


async def test_lines_that_begin_with_a_dot_and_eight_bit_letters_arrive(sink: Sink) -> None:
    mail = MAIL + ".\r\n..dots\r\nGrüße\r\n".encode()
    await sender_to(sink).send(ANN, mail)
    assert sink.mails == [(ANN, mail)]


async def test_one_connection_serves_many_mails(sink: Sink) -> None:
    sender = sender_to(sink)
    for _ in range(5):
        await sender.send(ANN, MAIL)
    await sender.close()
    assert (len(sink.mails), sink.connections) == (5, 1)


async def test_mail_lands_in_the_mailbox_of_whom_it_is_for(office: PostOffice) -> None:
    sender = Sender(office.smtp("ann"), ANN)
    await sender.send("orders+N6JR3CVE@play.example.org", MAIL)
    assert await inbox(office) == 1


async def test_a_recipient_nobody_knows_is_permanent(office: PostOffice) -> None:
    with pytest.raises(Permanent, match=r"550 5\.1\.1"):
        await Sender(office.smtp("ann"), ANN).send("nobody@example.org", MAIL)


async def test_after_a_refused_recipient_the_next_one_is_served_over_the_same_connection(sink: Sink) -> None:
    sink.will("RCPT", "550 5.1.1 unknown")
    sender = sender_to(sink)
    with pytest.raises(Permanent):
        await sender.send(ANN, MAIL)
    await sender.send("bob@example.org", MAIL)
    assert ([to for to, _ in sink.mails], sink.connections) == (["bob@example.org"], 1)


@pytest.mark.parametrize("command", ["RCPT", "DATA", "MAIL"])
async def test_a_4xx_answer_is_transient(sink: Sink, command: str) -> None:
    sink.will(command, "451 4.3.0 greylisted, come back")
    with pytest.raises(Transient, match="greylisted"):
        await sender_to(sink).send(ANN, MAIL)


@pytest.mark.parametrize("status", ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"])
async def test_these_statuses_speak_of_the_recipient(sink: Sink, status: str) -> None:
    sink.will("RCPT", f"550 {status} not here")
    with pytest.raises(Permanent, match=status):
        await sender_to(sink).send(ANN, MAIL)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("553 5.7.1 Sender address rejected: not owned by user", "553 5.7.1"),
        ("554 5.7.1 Relay access denied", "554 5.7.1"),
        ("554 5.7.1 Client host blocked by a list, as 5.1.1 is", "554 5.7.1"),
        ("550 5.1.8 Sender address has null MX", "550 5.1.8"),
        ("550 5.1.11 no such status", "550 5.1.11"),
        ("550 5.4.1 Access denied", "550 5.4.1"),
        ("552 5.2.2 mailbox full", "552 5.2.2"),
        ("550 No such user here", "550"),
    ],
)
async def test_any_other_refusal_may_be_about_us(sink: Sink, answer: str, status: str) -> None:
    sink.will("RCPT", answer)
    with pytest.raises(Refused, match=answer) as caught:
        await sender_to(sink).send(ANN, MAIL)
    assert caught.value.status == status


@pytest.mark.parametrize("answer", ["554 5.7.1 looks like spam", "550 5.1.1 no such user"])
async def test_a_refused_mail_says_nothing_of_the_recipient(sink: Sink, answer: str) -> None:
    sink.will("DATA", answer)
    with pytest.raises(Refused, match=answer):
        await sender_to(sink).send(ANN, MAIL)


async def test_a_sender_that_is_not_taken_now_says_nothing_of_the_mail(sink: Sink) -> None:
    sink.will("MAIL", "452 4.3.1 no space", "452 4.3.1 no space")
    with pytest.raises(Unreachable, match="no space"):
        await sender_to(sink).send(ANN, MAIL)


async def test_a_refused_sender_is_our_own_fault(sink: Sink) -> None:
    sink.will("MAIL", "553 5.7.1 not your address")
    with pytest.raises(OwnFault, match=r"refuses game@example\.org"):
        await sender_to(sink).send(ANN, MAIL)


async def test_a_missing_login_is_our_own_fault() -> None:
    async with smtp_sink(password="secret") as sink:
        with pytest.raises(OwnFault, match="login"):
            await sender_to(sink).send(ANN, MAIL)


async def test_a_wrong_password_is_our_own_fault_and_not_repeated() -> None:
    async with smtp_sink(password="secret") as sink:
        with pytest.raises(OwnFault, match="refused the login") as caught:
            await sender_to(sink, user="game", password=SecretStr("wrong-secret")).send(ANN, MAIL)
    assert "wrong-secret" not in str(caught.value)


async def test_a_login_is_made_with_the_password() -> None:
    async with smtp_sink(password="secret") as sink:
        await sender_to(sink, user="game", password=SecretStr("secret")).send(ANN, MAIL)
        assert len(sink.mails) == 1


async def test_a_drop_after_data_is_transient_though_the_mail_may_have_been_taken(sink: Sink) -> None:
    sink.will("DATA", "take and drop")
    sender = sender_to(sink)
    with pytest.raises(Transient, match="did not confirm"):
        await sender.send(ANN, MAIL)
    await sender.send(ANN, MAIL)
    assert sink.mails == [(ANN, MAIL), (ANN, MAIL)]


async def test_a_recipient_who_takes_for_ever_is_given_up(sink: Sink) -> None:
    sink.will(f"RCPT {ANN}", "hang")
    sender = sender_to(sink, timeout=0.1)
    with pytest.raises(Transient, match="no answer in time"):
        await sender.send(ANN, MAIL)
    await sender.send("bob@example.org", MAIL)
    assert [to for to, _ in sink.mails] == ["bob@example.org"]


async def test_a_kept_connection_that_the_server_closed_is_made_again(sink: Sink) -> None:
    sender = sender_to(sink)
    await sender.send(ANN, MAIL)
    sink.will("MAIL", "drop")
    await sender.send(ANN, MAIL)
    assert (len(sink.mails), sink.connections) == (2, 2)


async def test_a_server_that_says_421_is_left(sink: Sink) -> None:
    sink.will("RCPT", "421 4.3.2 closing")
    sender = sender_to(sink)
    with pytest.raises(Transient):
        await sender.send(ANN, MAIL)
    assert not sender.connected


async def test_a_server_that_is_not_there_says_nothing_about_the_mail(sink: Sink) -> None:
    with pytest.raises(Unreachable, match=r"connecting to 127\.0\.0\.1:1: nothing listens there"):
        await sender_to(sink, port=1).send(ANN, MAIL)


@pytest.mark.parametrize(
    "recipient", ["ann@example.org, bob@example.org", "ann@example.org\r\nRCPT TO:<bob@x.org>", "", "ann"]
)
async def test_what_is_not_one_address_is_never_sent(sink: Sink, recipient: str) -> None:
    with pytest.raises(Permanent, match="not a mail address"):
        await sender_to(sink).send(recipient, MAIL)
    assert (sink.mails, sink.connections) == ([], 0)


async def test_implicit_tls_with_a_private_authority(authority: Authority) -> None:
    async with smtp_sink(tls=authority.server()) as sink:
        sender = sender_to(sink, host="localhost", tls="implicit", ca_file=authority.ca_file)
        await sender.send(ANN, MAIL)
        await sender.close()
        assert len(sink.mails) == 1


async def test_starttls_with_a_private_authority(authority: Authority) -> None:
    async with smtp_sink(starttls=authority.server(), password="secret") as sink:
        sender = sender_to(
            sink, host="localhost", tls="starttls", ca_file=authority.ca_file,
            user="game", password=SecretStr("secret"),
        )  # fmt: skip
        await sender.send(ANN, MAIL)
        await sender.close()
        assert len(sink.mails) == 1


async def test_a_certificate_nobody_vouches_for_stops_everything(authority: Authority) -> None:
    async with smtp_sink(starttls=authority.server()) as sink:
        with pytest.raises(Unreachable, match="its certificate is not accepted"):
            await sender_to(sink, host="localhost", tls="starttls").send(ANN, MAIL)
        assert sink.mails == []


async def test_starttls_is_never_left_out(sink: Sink) -> None:
    with pytest.raises(Unreachable, match="STARTTLS"):
        await sender_to(sink, tls="starttls").send(ANN, MAIL)
    assert sink.mails == []


async def test_letters_before_the_at_go_to_a_server_that_takes_them() -> None:
    mail = MAIL.replace(b"ann@", "jörg@".encode())
    async with smtp_sink(smtputf8=True) as sink:
        sender = sender_to(sink)
        await sender.send("jörg@example.org", mail)
        assert sender.smtputf8
        assert sink.mails == [("jörg@example.org", mail)]
        await sender.close()


async def test_letters_before_the_at_are_refused_where_the_server_does_not_take_them(sink: Sink) -> None:
    sender = sender_to(sink)
    with pytest.raises(Refused, match="takes only plain letters before the @"):
        await sender.send("jörg@example.org", MAIL)
    assert not sender.smtputf8
    await sender.send(ANN, MAIL)
    assert [to for to, _ in sink.mails] == [ANN]
