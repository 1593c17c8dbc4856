"""What kind of mail it is: orders, what cannot be read, and what is simply empty; which part is read."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pbem.mail.reading.parse import parse_mail

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
    assert parse_mail(post.mail(body, extra=ATTACHMENT.format(kind)), post.settings).kind == expected


@pytest.mark.parametrize("text", [
    "Tom has sent you an encrypted message.\nOpen it: https://secure.example.com/r/1", "You have received a secure message from Tom.\n\nRead your secure message by opening the attachment, or at https://res.example.com/", "Tom hat Ihnen eine verschlüsselte E-Mail gesendet.\nhttps://sicher.example.com/",
    "Vous avez reçu un message chiffré de Tom : https://secure.example.com/", "Ha recibido un mensaje cifrado: https://seguro.example.com/", "Otrzymano zaszyfrowaną wiadomość: https://bezpieczne.example.com/", "あなたに暗号化されたメッセージが届いています。https://secure.example.com/",
])  # fmt: skip
def test_a_message_behind_a_link_cannot_be_read(post: SimpleNamespace, text: str) -> None:
    assert post.read(text).kind == "unsupported"


@pytest.mark.parametrize(("length", "kind"), [(1500, "unsupported"), (1501, "empty")])
def test_only_a_short_note_points_to_a_message_behind_a_link(post: SimpleNamespace, length: int, kind: str) -> None:
    lines = ["A message for you: https://secure.example.com/".ljust(999, "x")]
    lines.append("y" * (length - 1000))
    assert post.read("\n".join(lines)).kind == kind


def test_inline_pgp_cannot_be_read(post: SimpleNamespace) -> None:
    assert post.read("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n=AbCd\n-----END PGP MESSAGE-----\n").kind == "unsupported"


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
    headers = {"List-Unsubscribe": "<https://x.example.com/>", "In-Reply-To": "", "To": "orders@play.example.org"}
    assert post.read("Great offers!\n", subject="Sale", headers=headers).kind == "bulk"
