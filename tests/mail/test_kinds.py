"""What a mail is: absence notices, bounces, receipts, newsletters, what cannot be read, and what is simply empty."""

from __future__ import annotations

import textwrap
from types import SimpleNamespace

import pytest

from pbem.mail.reading.parse import BounceInfo, Understood, understand

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


@pytest.mark.parametrize("text", [
    "Thank you for your message. I am out of the office until 9 March and will reply when I return. In urgent cases please contact Tom.",
    "Vielen Dank für Ihre Nachricht. Ich bin bis 9. März nicht im Büro. In dringenden Fällen wenden Sie sich bitte an Tom.",
    "Merci pour votre message. Je suis absent jusqu'au 9 mars, de retour le 10. En cas d'urgence, appelez Tom.",
    "Gracias por su mensaje. Estoy fuera de la oficina, de vacaciones, hasta el 9 de marzo.",
    "Grazie per il tuo messaggio. Sono assente, in ferie, fino al 9 marzo. Per urgenze chiamate Tom.",
    "Bedankt voor uw bericht. Ik ben niet op kantoor, op vakantie tot 9 maart.",
    "Dziękuję za wiadomość. Jestem na urlopie, poza biurem do 9 marca. W pilnych sprawach proszę o telefon.",
])  # fmt: skip
def test_an_absence_notice_without_headers_is_known_by_its_text(post: SimpleNamespace, text: str) -> None:
    assert post.read(text + "\n").kind == "auto-reply"


@pytest.mark.parametrize(
    "text",
    [
        "I am on holiday until Monday, orders then!",
        "Sorry, I was out of the office. My move tonight.",
        "Thanks for your message, great game.",
    ],
)
def test_a_persons_excuse_is_no_absence_notice(post: SimpleNamespace, text: str) -> None:
    assert post.read(text + "\n").kind == "empty"


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
        ("failed", "5.7.1 (denied)", True),
    ],
)
def test_a_delivery_report_says_whose_address_and_whether_for_good(
    post: SimpleNamespace, action: str, status: str, hard: bool
) -> None:
    found = understand(dsn(action, status), post.reading)
    assert (found.kind, found.orders) == ("bounce", ())
    assert found.bounce == BounceInfo(
        "tom@example.com", hard, "<g042-t7-7k2qm9td@play.example.org>", given_up=action == "failed"
    )


def test_a_report_of_success_is_a_receipt(post: SimpleNamespace) -> None:
    assert understand(dsn("delivered", "2.0.0"), post.reading).kind == "receipt"


FREE_FORM = {
    "exim": ("Mail Delivery System <Mailer-Daemon@mx.example.com>", "Mail delivery failed: returning message to sender", "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  tom@example.com\n    host mx.example.com [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<tom@example.com>:\n    550 5.1.1 User unknown\n", True),
    "exim delay": ("Mail Delivery System <Mailer-Daemon@mx.example.com>", "Warning: message 1abc-000 delayed 24 hours", "This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue.\n\nThe address to which the message has not yet been delivered is:\n\n  tom@example.com\n    Delay reason: timed out\n\nDelivery attempts will continue; no action is required.\n", False),
    "sendmail": ("Mail Delivery Subsystem <MAILER-DAEMON@mx.example.com>", "Returned mail: see transcript for details", "   ----- The following addresses had permanent fatal errors -----\n<tom@example.com>\n    (reason: 550 5.1.1 <tom@example.com>... User unknown)\n\n   ----- Transcript of session follows -----\n550 5.1.1 <tom@example.com>... User unknown\n", True),
    "qmail": ("MAILER-DAEMON@mx.example.com", "failure notice", "Hi. This is the qmail-send program at mx.example.com.\nI'm afraid I wasn't able to deliver your message to the following addresses.\n\n<tom@example.com>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nMessage-ID: <g042@play.example.org>\n\nplay Rosie Palm\nend\n", True),
    "postmaster": ("postmaster@example.com", "Undeliverable: G042 turn 7", "Your message did not reach tom@example.com\n550 5.4.1 Recipient address rejected: Access denied\n", True),
    "full": ("MAILER-DAEMON@example.com", "Delivery failure", "Recipient: <tom@example.com>\nReason: 552 5.2.2 mailbox full\n", False),
    "German": ("Mail Delivery System <mailer-daemon@kundenserver.example.com>", "Unzustellbar: G042 turn 7", "Ihre Nachricht konnte nicht zugestellt werden.\n\ntom@example.com: Empfänger unbekannt\n", True),
    "French": ("postmaster@example.com", "Non remis : G042 turn 7", "Votre message n'a pas pu être remis à tom@example.com : adresse inconnue\n", True),
    "Chinese": ("PostMaster@qq.example.com", "系统退信", "您的邮件无法投递到 tom@example.com，收件人不存在\n", True),
}  # fmt: skip


@pytest.mark.parametrize(("sender", "subject", "text", "hard"), FREE_FORM.values(), ids=FREE_FORM)
def test_free_form_bounces_are_read(
    post: SimpleNamespace, sender: str, subject: str, text: str, hard: bool
) -> None:
    found = post.read(
        text + f"\n{post.report}", subject=subject, sender=sender, headers={"Return-Path": "<>"}
    )
    assert (found.kind, found.orders) == ("bounce", ())
    assert found.bounce is not None
    assert (found.bounce.address, found.bounce.hard) == ("tom@example.com", hard)


@pytest.mark.parametrize(
    "subject",
    [
        "Read: G042 turn 7",
        "Gelesen: G042",
        "Lu : G042",
        "Leído: G042",
        "Letto: G042",
        "Przeczytano: G042",
        "Прочитано: G042",
        "開封済み: G042",
    ],
)
def test_receipts_without_a_report_are_known(post: SimpleNamespace, subject: str) -> None:
    text = "This is a return receipt.\nYour message was read on Monday.\nend\n"
    assert post.read(text, subject=subject).kind == "receipt"


def test_a_disposition_notification_is_a_receipt(post: SimpleNamespace) -> None:
    raw = post.mail(
        "Displayed.\nend\n",
        extra="--=b=\nContent-Type: message/disposition-notification\n\nDisposition: manual-action/MDN-sent-manually; displayed\n",
    )
    assert understand(raw, post.reading).kind == "receipt"
    raw = raw.replace(b"multipart/mixed", b"multipart/report; report-type=disposition-notification")
    assert understand(raw, post.reading).kind == "receipt"


ATTACHMENT = '--=b=\nContent-Type: {}; name="x"\nContent-Disposition: attachment; filename="x"\nContent-Transfer-Encoding: base64\n\nAAAA\n'


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("application/pdf", "", "unsupported"), ("text/plain", "\n", "unsupported"), ("image/jpeg", "", "unsupported"), ("audio/amr", "", "unsupported"), ("application/msword", "\n\nSent from my iPhone\n", "unsupported"), ("application/ms-tnef", " ", "unsupported"),
        ("application/pgp-encrypted", "", "unsupported"), ("application/pkcs7-mime", "", "unsupported"), ("application/x-microsoft-rpmsg-message", "Open https://x.example.com", "unsupported"),
        ("text/vcard", "", "empty"), ("text/calendar", "", "empty"), ("application/pgp-keys", "", "empty"), ("application/pkcs7-signature", "", "empty"), ("application/ics", "", "empty"),
        ("application/pdf", "here you are", "empty"), ("message/rfc822", "", "empty"), ("application/pdf", "play Groat", "orders"), ("application/ms-tnef", "play Groat", "orders"),
    ],
)  # fmt: skip
def test_attachments_are_never_read(post: SimpleNamespace, kind: str, body: str, expected: str) -> None:
    assert understand(post.mail(body, extra=ATTACHMENT.format(kind)), post.reading).kind == expected


@pytest.mark.parametrize("text", [
    "Tom has sent you an encrypted message.\nOpen it: https://secure.example.com/r/1", "You have received a secure message from Tom.\n\nRead your secure message by opening the attachment, or at https://res.example.com/", "Tom hat Ihnen eine verschlüsselte E-Mail gesendet.\nhttps://sicher.example.com/",
    "Vous avez reçu un message chiffré de Tom : https://secure.example.com/", "Ha recibido un mensaje cifrado: https://seguro.example.com/", "Otrzymano zaszyfrowaną wiadomość: https://bezpieczne.example.com/", "あなたに暗号化されたメッセージが届いています。https://secure.example.com/",
])  # fmt: skip
def test_a_message_behind_a_link_cannot_be_read(post: SimpleNamespace, text: str) -> None:
    assert post.read(text).kind == "unsupported"


def test_inline_pgp_cannot_be_read(post: SimpleNamespace) -> None:
    assert (
        post.read("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n=AbCd\n-----END PGP MESSAGE-----\n").kind
        == "unsupported"
    )


def test_clear_signed_text_is_read(post: SimpleNamespace) -> None:
    text = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- - play Mr Boggis\nminion The Hippo\nuse Nap Hill\nend\n\n- -- \nplay fair\n-----BEGIN PGP SIGNATURE-----\n\nplay\n=end\n-----END PGP SIGNATURE-----\n\n{post.quoted(post.report)}\n"
    assert post.read(text).orders == post.orders


@pytest.mark.parametrize(
    "text",
    [
        "👍\n\nTom reacted via Gmail\n",
        "Tom Okafor reacted to your message:\n❤️\n",
        "Thanks!",
        "OK",
        "Accepted: Game night\nWhen: Monday\nEnd: 20:00\n",
        'Tom would like to recall the message, "orders".\n',
        "",
        "Merci !",
        "😀",
    ],
)
def test_what_holds_no_order_is_empty(post: SimpleNamespace, text: str) -> None:
    assert post.read(text).kind == "empty"


@pytest.mark.parametrize("heading", [
    "---------- Forwarded message ---------\nFrom: Tom <tom@example.com>\nDate: Mon, Mar 2, 2026 at 9:40 AM\nSubject: my turn\nTo: Ilse <ilse.brandt@example.net>", "Begin forwarded message:\n\nFrom: Tom <tom@example.com>\nSubject: my turn\nDate: 2 March 2026 at 09:40:00 GMT\nTo: Ilse <ilse.brandt@example.net>",
    "-------- Weitergeleitete Nachricht --------\nBetreff: \tmy turn\nDatum: \tMon, 2 Mar 2026 09:40:00 +0000\nVon: \tTom <tom@example.com>\nAn: \tilse.brandt@example.net", "-------- Пересылаемое сообщение --------\nОт кого: Tom <tom@example.com>\nКому: ilse.brandt@example.net\nДата: Понедельник, 2 марта 2026, 9:40 +03:00\nТема: my turn",
    "---------- Message transféré ---------\nDe : Tom <tom@example.com>\nDate: lun. 2 mars 2026 à 09:40\nSubject: my turn\nTo: <ilse.brandt@example.net>",
])  # fmt: skip
def test_forwarded_orders_are_not_the_senders(post: SimpleNamespace, heading: str) -> None:
    assert post.read(f"{heading}\n\n\n{post.typed}\n").orders == ()


def test_text_parts_win_when_they_hold_an_order_else_html(post: SimpleNamespace) -> None:
    assert post.read("play A\n", html="<p>play B</p>").orders == ("play A",)
    assert post.read("\n", html="<p>play B</p>").orders == ("play B",)
    assert post.read("This is an HTML message.\n", html="<p>play B</p>").orders == ("play B",)
    assert post.read("hello\n", html="<p>hello there</p>").chat == ("hello",)


def test_newsletters_without_a_token_are_bulk(post: SimpleNamespace) -> None:
    headers = {
        "List-Unsubscribe": "<https://x.example.com/>",
        "In-Reply-To": "",
        "To": "orders@play.example.org",
    }
    assert post.read("Great offers!\n", subject="Sale", headers=headers).kind == "bulk"


class TestIdentity:
    """Who sent it, which tokens it carries, whom it was copied to."""

    @pytest.mark.parametrize(("headers", "sender"), [
        ({"From": '"bob@example.org" <Ann@Example.ORG>'}, "ann@example.org"), ({"From": "ann@example.org (Bob <bob@example.org>)"}, "ann@example.org"), ({"From": "Ann, Bob <ann@example.org>"}, "ann@example.org"),
        ({"From": "=?utf-8?q?bob=40example=2Eorg?= <ann@example.org>"}, "ann@example.org"), ({"From": "", "Sender": "ann@example.org"}, "ann@example.org"), ({"From": "bob@example.org, ann@example.org", "Sender": "ann@example.org"}, "ann@example.org"),
        ({"From": "ann@example.org", "Sender": "bob@example.org"}, "ann@example.org"), ({"From": "<ann@example.org"}, "ann@example.org"), ({"From": "Ann <@relay.example.com:ann@example.org>"}, "ann@example.org"), ({"From": "A group: ann@example.org;"}, "ann@example.org"),
        ({"From": "nobody"}, ""), ({"From": "Ann <ann@example.org>\r\n\tfolded"}, "ann@example.org"), ({"From": '"Ann \\"A\\" <x@y.example>" <ann@example.org>'}, "ann@example.org"),
    ])  # fmt: skip
    def test_the_sender_is_the_address_in_from(
        self, post: SimpleNamespace, headers: dict[str, str], sender: str
    ) -> None:
        assert post.read("play A", headers=headers).sender == sender

    @pytest.mark.parametrize(("headers", "tokens"), [
        ({}, ("7K2QM9TD",)), ({"Subject": "Re: G042 [abcd2345]"}, ("ABCD2345", "7K2QM9TD")), ({"Subject": "hello"}, ("7K2QM9TD",)), ({"Subject": "no", "To": "orders@play.example.org"}, ("7K2QM9TD",)),
        ({"Subject": "no", "To": "orders@play.example.org", "In-Reply-To": ""}, ()), ({"Subject": "no", "To": "orders@play.example.org", "In-Reply-To": "<x-7K2QM9TD@elsewhere.example>"}, ()),
        ({"Subject": "no", "To": "x@example.org", "Delivered-To": "orders+abcd2345@play.example.org", "In-Reply-To": ""}, ("ABCD2345",)), ({"Subject": "turn 7 ABCD2345", "To": "orders@play.example.org", "In-Reply-To": ""}, ("ABCD2345",)),
        ({"Subject": "[ABCDOIL2]", "To": "orders@play.example.org", "In-Reply-To": ""}, ("ABCD0112",)), ({"Subject": "【7K2QM9TD】", "In-Reply-To": ""}, ("7K2QM9TD",)),
    ])  # fmt: skip
    def test_tokens_are_found_wherever_they_travel(
        self, post: SimpleNamespace, headers: dict[str, str], tokens: tuple[str, ...]
    ) -> None:
        assert post.read("play A", headers=headers).tokens == tokens

    def test_copies_to_others_are_seen(self, post: SimpleNamespace) -> None:
        found = post.read(
            "play A",
            headers={"Cc": "Bob <bob@example.org>, orders@play.example.org, ilse.brandt@example.net,"},
        )
        assert found.third_parties == ("bob@example.org",)

    def test_a_list_in_from_is_told(self, post: SimpleNamespace) -> None:
        headers = {
            "From": "Ilse via List <list@lists.example.org>",
            "List-Id": "List <list.lists.example.org>",
        }
        assert post.read("play A", headers=headers).via_list
        assert not post.read("play A", headers={"List-Id": "<list.lists.example.org>"}).via_list

    def test_the_digest_is_that_of_the_body(self, post: SimpleNamespace) -> None:
        one, other = post.mail("play A"), post.mail("play A", headers={"X-Original-To": "x@y.example"})
        assert understand(one, post.reading).digest == understand(other, post.reading).digest
        assert (
            understand(one.replace(b"\r\n", b"\n"), post.reading).digest
            == understand(one, post.reading).digest
        )
        assert understand(one, post.reading).digest != post.read("play B").digest


@pytest.mark.parametrize(("results", "expected"), [
    ("mx.ours; dmarc=fail header.from=example.net", False), ("mx.ours; dmarc=pass header.from=example.net", True), ("mx.ours; spf=pass smtp.mailfrom=x@example.net; dkim=none", True), ("mx.ours; spf=fail smtp.mailfrom=x@example.net; dkim=none", False),
    ("mx.ours; spf=fail smtp.mailfrom=x@example.net; dkim=pass header.d=example.net", True), ("mx.ours; none", None), ("mx.theirs; dmarc=fail", None), ("((((", None), ("mx.ours; dkim=pass header.d=elsewhere.example", None),
])  # fmt: skip
def test_only_results_of_our_own_server_count(
    post: SimpleNamespace, results: str, expected: bool | None
) -> None:
    from dataclasses import replace

    found: Understood = post.read(
        "play A",
        headers={"Authentication-Results": results},
        reading=replace(post.reading, trusted_authserv_id="mx.ours"),
    )
    assert found.authenticated is expected
    assert post.read("play A", headers={"Authentication-Results": results}).authenticated is None
