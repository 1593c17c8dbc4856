"""What a machine wrote: absence notices, bounces, receipts, spam; and what a bounce says."""

from __future__ import annotations

import textwrap
from types import SimpleNamespace

import pytest

from pbem.mail.reading.parse import parse_mail
from pbem.mail.reading.values import BounceInfo

ABSENCES = (
    "Automatic reply: G042 turn 7", "Auto-Reply: Re: G042", "Out of office: G042", "Out of Office Re: G042", "OOO Re: G042", "Autoreply: G042", "Auto: G042", "Auto Response: G042",
    "Abwesenheitsnotiz: G042", "Automatische Antwort: G042", "Abwesend: G042", "AW: Automatische Antwort", "Réponse automatique : G042", "Absence du bureau : G042", "Respuesta automática: G042", "Fuera de la oficina: G042",
    "Resposta automática: G042", "Fora do escritório", "Resposta automàtica: G042", "Risposta automatica: G042", "Fuori sede: G042", "Fuori ufficio", "Răspuns automat: G042", "Automatisch antwoord: G042", "Afwezig: G042",
    "Autosvar: G042", "Automatiskt svar: G042", "Frånvaro: G042", "Automatisk svar: G042", "Fraværende", "Automaattinen vastaus: G042", "Poissaolo: G042", "Odpowiedź automatyczna: G042", "Autoodpowiedź: G042", "Poza biurem",
    "Automatická odpověď: G042", "Automatická odpoveď: G042", "Automatikus válasz: G042", "Házon kívül", "Automatski odgovor: G042", "Samodejni odgovor: G042", "Автоматический ответ: G042", "Автоответ", "Нет на работе: G042", "Автоматична відповідь: G042", "Автоматичен отговор: G042",
    "Αυτόματη απάντηση: G042", "Εκτός γραφείου", "Otomatik yanıt: G042", "Ofis dışında", "رد تلقائي: G042", "תשובה אוטומטית: G042", "מחוץ למשרד", "پاسخ خودکار: G042", "स्वचालित उत्तर: G042", "ตอบกลับอัตโนมัติ: G042", "Trả lời tự động: G042", "Balasan otomatis: G042",
    "自動応答: G042", "自動返信: G042", "不在通知", "自动答复: G042", "自动回复: G042", "自動回覆: G042", "자동 회신: G042", "부재중: G042",
)  # fmt: skip


@pytest.mark.parametrize("subject", ABSENCES)
def test_an_absence_subject_makes_an_auto_reply(post: SimpleNamespace, subject: str) -> None:
    found = post.read("play dead\nend\n", subject=subject)
    assert (found.kind, found.orders) == ("auto-reply", ())
    assert post.read("I am away.\n", subject=f"[EXTERNAL] {subject}").kind == "auto-reply"


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("Auto-Submitted", "auto-replied", "auto-reply"), ("Auto-Submitted", "auto-generated; owner=x", "auto-reply"), ("Auto-Submitted", "no", "orders"), ("Auto-Submitted", "No (really)", "orders"),
        ("Precedence", "bulk", "bulk"), ("Precedence", "JUNK", "bulk"), ("Precedence", "list", "orders"), ("Precedence", "auto_reply", "auto-reply"), ("X-Autoreply", "yes", "auto-reply"), ("X-Autorespond", "vacation", "auto-reply"),
        ("X-Auto-Response-Suppress", "All", "orders"), ("X-Spam-Flag", "YES", "bulk"), ("X-Spam-Flag", "NO", "orders"), ("Return-Path", "<>", "auto-reply"), ("X-Loop", "orders@play.example.org", "loop"), ("X-Loop", "someone@example.net", "orders"),
        ("From", "Helpdesk <no-reply@example.net>", "auto-reply"), ("From", "The Clacks Office <orders+AAAAAAAA@play.example.org>", "loop"), ("List-Id", "<x.lists.example.org>", "orders"), ("List-Unsubscribe", "<mailto:x@lists.example.org>", "orders"),
    ],
)  # fmt: skip
def test_headers_of_machines_are_known(post: SimpleNamespace, name: str, value: str, kind: str) -> None:
    assert post.read(post.typed, headers={name: value}).kind == kind


def dsn(
    action: str,
    status: str,
    *,
    sender: str = "MAILER-DAEMON@mx.example.com",
    recipient: str = "rfc822; tom@example.com",
) -> bytes:
    return textwrap.dedent(f"""\
        Return-Path: <>
        From: Mail Delivery System <{sender}>
        To: orders@play.example.org
        Subject: Undelivered Mail Returned to Sender
        Auto-Submitted: auto-replied
        Content-Type: multipart/report; report-type=delivery-status; boundary="b"

        --b

        Sorry. play dead
        end

        --b
        Content-Type: message/delivery-status

        Reporting-MTA: dns; mx.example.com

        Final-Recipient: {recipient}
        Action: {action}
        Status: {status}

        --b
        Content-Type: message/rfc822

        From: orders@play.example.org
        Message-ID: <g042-t7-7k2qm9td@play.example.org>
        Subject: G042 turn 7 [7K2QM9TD]

        play Rosie Palm
        --b--
        """).encode()


@pytest.mark.parametrize(
    ("action", "status", "hard"),
    [
        ("failed", "5.1.1", True),
        ("failed", "5.2.2", False),
        ("failed", "4.4.1", False),
        ("delayed", "4.0.0", False),
        ("failed", "5.1.10 (null MX)", True),
        ("failed", "5.2.1", True),
        ("failed", "5.7.1 (denied)", False),
        ("failed", "5.4.4", False),
        ("failed", "5.1.8", False),
        ("failed", "", True),
    ],
)
def test_a_delivery_report_says_whose_address_and_whether_for_good(
    post: SimpleNamespace, action: str, status: str, hard: bool
) -> None:
    found = parse_mail(dsn(action, status), post.settings)
    assert (found.kind, found.orders) == ("bounce", ())
    assert found.bounce == BounceInfo(
        "tom@example.com", hard, "<g042-t7-7k2qm9td@play.example.org>", given_up=action == "failed", from_daemon=True
    )


def test_the_status_of_a_report_counts_and_no_other_number(post: SimpleNamespace) -> None:
    raw = dsn("failed", "4.4.1").replace(b"Action:", b"Reporting-UA: mailer 5.1.2\nAction:")
    found = parse_mail(raw, post.settings).bounce
    assert found is not None
    assert not found.hard


def test_a_report_in_any_script_names_the_address(post: SimpleNamespace) -> None:
    raw = dsn("failed", "5.1.1").replace(b"message/delivery-status", b"message/global-delivery-status")
    found = parse_mail(raw, post.settings).bounce
    assert found is not None
    assert found.address == "tom@example.com"


def test_a_report_of_success_is_a_receipt(post: SimpleNamespace) -> None:
    assert parse_mail(dsn("delivered", "2.0.0"), post.settings).kind == "receipt"


FREE_FORM = {
    "exim": ("Mail Delivery System <Mailer-Daemon@mx.example.com>", "Mail delivery failed: returning message to sender", "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  tom@example.com\n    host mx.example.com [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<tom@example.com>:\n    550 5.1.1 User unknown\n", True),
    "exim delay": ("Mail Delivery System <Mailer-Daemon@mx.example.com>", "Warning: message 1abc-000 delayed 24 hours", "This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue.\n\nThe address to which the message has not yet been delivered is:\n\n  tom@example.com\n    Delay reason: timed out\n\nDelivery attempts will continue; no action is required.\n", False),
    "sendmail": ("Mail Delivery Subsystem <MAILER-DAEMON@mx.example.com>", "Returned mail: see transcript for details", "   ----- The following addresses had permanent fatal errors -----\n<tom@example.com>\n    (reason: 550 5.1.1 <tom@example.com>... User unknown)\n\n   ----- Transcript of session follows -----\n550 5.1.1 <tom@example.com>... User unknown\n", True),
    "qmail": ("MAILER-DAEMON@mx.example.com", "failure notice", "Hi. This is the qmail-send program at mx.example.com.\nI'm afraid I wasn't able to deliver your message to the following addresses.\n\n<tom@example.com>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nMessage-ID: <g042@play.example.org>\n\nplay Rosie Palm\nend\n", True),
    "postmaster": ("postmaster@example.com", "Undeliverable: G042 turn 7", "Your message did not reach tom@example.com\n550 5.4.1 Recipient address rejected: Access denied\n", False),
    "full": ("MAILER-DAEMON@example.com", "Delivery failure", "Recipient: <tom@example.com>\nReason: 552 5.2.2 mailbox full\n", False),
    "German": ("Mail Delivery System <mailer-daemon@kundenserver.example.com>", "Unzustellbar: G042 turn 7", "Ihre Nachricht konnte nicht zugestellt werden.\n\ntom@example.com: Empfänger unbekannt\n", True),
    "French": ("postmaster@example.com", "Non remis : G042 turn 7", "Votre message n'a pas pu être remis à tom@example.com : adresse inconnue\n", True),
    "Chinese": ("PostMaster@qq.example.com", "系统退信", "您的邮件无法投递到 tom@example.com，收件人不存在\n", True),
}  # fmt: skip


@pytest.mark.parametrize(("sender", "subject", "text", "hard"), FREE_FORM.values(), ids=FREE_FORM)
def test_free_form_bounces_are_read(post: SimpleNamespace, sender: str, subject: str, text: str, hard: bool) -> None:
    found = post.read(text + f"\n{post.report}", subject=subject, sender=sender, headers={"Return-Path": "<>"})
    assert (found.kind, found.orders) == ("bounce", ())
    assert found.bounce is not None
    assert (found.bounce.address, found.bounce.hard) == ("tom@example.com", hard)


def test_a_disposition_notification_is_a_receipt(post: SimpleNamespace) -> None:
    raw = post.mail(
        "Displayed.\nend\n",
        extra="--=b=\nContent-Type: message/disposition-notification\n\nDisposition: manual-action/MDN-sent-manually; displayed\n",
    )
    assert parse_mail(raw, post.settings).kind == "receipt"
    raw = raw.replace(b"multipart/mixed", b"multipart/report; report-type=disposition-notification")
    assert parse_mail(raw, post.settings).kind == "receipt"


@pytest.mark.parametrize(
    ("path", "from_daemon"),
    [
        (b"Return-Path: <>", True),
        (b"Return-Path:", True),
        (b"Return-Path: <MAILER-DAEMON@example.com>", True),
        (b"Return-Path: <tom@example.com>", False),
        (b"Return-Path: <tom@example.com>\nReturn-Path: <>", False),
        (b"X-Path: <tom@example.com>", True),
    ],
)
def test_a_bounce_is_sent_by_a_mail_system(post: SimpleNamespace, path: bytes, from_daemon: bool) -> None:
    bounce = parse_mail(path + b"\n" + dsn("failed", "5.1.1"), post.settings).bounce
    assert bounce is not None
    assert bounce.from_daemon == from_daemon
