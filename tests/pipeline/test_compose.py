"""Outgoing mail is well-formed, safe and says what it was given."""

from __future__ import annotations

import email
import email.policy
from datetime import UTC, datetime
from typing import Any

import pytest

from pbem.config import Mail
from pbem.mail.wire.compose import Attachment, compose, new_message_id

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
MAIL = Mail(address="orders@play.example.org", moderator="mod@example.org", plus_addressing=True)


def written(mail: Mail = MAIL, **changes: Any) -> bytes:
    known = {
        "to": "ann@example.org",
        "subject": "[G042] Thursday night, turn 9: your move [N6JR3CVE]",
        "text": "Ann, it is your move.\n  play Groat\n",
        "html": "<p>Ann, it is your move.</p>\n",
        "message_id": "<g042-t9-n6jr3cve-abc123@play.example.org>",
    }
    return compose(mail, NOW, **{**known, **changes})


def read(mail: Mail = MAIL, **changes: Any) -> email.message.EmailMessage:
    raw = written(mail, **changes).replace(b"\r\n", b"\n")
    return email.message_from_bytes(raw, policy=email.policy.default)


def test_text_and_html_come_out_as_they_went_in() -> None:
    message = read()
    assert message.get_body(("plain",)).get_content() == "Ann, it is your move.\n  play Groat\n"
    assert message.get_body(("html",)).get_content() == "<p>Ann, it is your move.</p>\n"
    assert message["Subject"] == "[G042] Thursday night, turn 9: your move [N6JR3CVE]"
    assert not message.defects


def test_every_line_ends_in_crlf_and_none_is_too_long() -> None:
    raw = written(text="é" * 5000, html="<p>" + "x" * 5000)
    lines = raw.split(b"\r\n")
    assert b"\n" not in b"".join(lines)
    assert max(map(len, lines)) <= 998


def test_letters_beyond_ascii_survive_in_text_html_and_subject() -> None:
    message = read(text="Grüße – “so”\n", html="<p>Grüße €</p>\n", subject="Spieß ☃ Zug")
    assert message.get_body(("plain",)).get_content() == "Grüße – “so”\n"
    assert "Gr&#252;&#223;e &#8364;" in message.get_body(("html",)).get_content()
    assert message["Subject"] == "Spieß ☃ Zug"


def test_a_line_break_in_a_subject_opens_no_header() -> None:
    message = read(subject="Hello\r\nBcc: eve@example.org\r\n\r\nbody")
    assert message["Bcc"] is None
    assert message["Subject"] == "Hello Bcc: eve@example.org body"


def test_a_long_foreign_subject_is_folded_and_cut() -> None:
    message = read(subject="Ä" * 1000)
    assert message["Subject"] == "Ä" * 200


def test_a_reply_goes_to_the_address_with_the_token() -> None:
    assert read(token="N6JR3CVE")["Reply-To"].endswith("<orders+N6JR3CVE@play.example.org>")


def test_without_plus_addressing_there_is_no_reply_to() -> None:
    plain = MAIL.model_copy(update={"plus_addressing": False})
    assert read(plain, token="N6JR3CVE")["Reply-To"] is None


def test_an_answer_is_threaded_and_says_a_machine_wrote_it() -> None:
    message = read(in_reply_to="<m2@example.org>")
    assert message["In-Reply-To"] == message["References"] == "<m2@example.org>"
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["X-Loop"] == "orders@play.example.org"


@pytest.mark.parametrize("in_reply_to", ["<a@b>\r\nX-Evil: yes", "x" * 5000, "<ä@b>"])
def test_a_hostile_message_id_cannot_break_the_thread_header(in_reply_to: str) -> None:
    message = read(in_reply_to=in_reply_to)
    assert message["X-Evil"] is None
    assert message["In-Reply-To"] is None
    assert message["References"] is None


@pytest.mark.parametrize("name", ['Ann "the" Clacks', "Ann, Bob", "Änne", "a@b.c", "\u202eevil"])
def test_any_sender_name_is_read_back(name: str) -> None:
    sender = read(MAIL.model_copy(update={"name": name}))["From"].addresses[0]
    assert sender.addr_spec == "orders@play.example.org"
    assert sender.display_name == name.replace("\u202e", "").strip()


def test_a_message_id_holds_the_token_and_is_new_each_time() -> None:
    first, second = (new_message_id(MAIL, "G042", "t9", "N6JR3CVE") for _ in range(2))
    assert first.startswith("<g042-t9-n6jr3cve-")
    assert first.endswith("@play.example.org>")
    assert first != second


def test_an_address_of_any_alphabet_stands_in_the_header_as_it_is() -> None:
    assert "\r\nTo: jörg@example.org\r\n".encode() in written(to="jörg@example.org")


def test_an_attachment_stands_beside_the_words_and_comes_out_as_it_went_in() -> None:
    page = "<p>Grüße</p>\n" * 200
    message = read(attachment=Attachment("g042-replay.html", page))
    (attached,) = message.iter_attachments()
    assert (attached.get_filename(), attached.get_content_type()) == ("g042-replay.html", "text/html")
    assert attached.get_content() == page
    assert message.get_body(("html",)).get_content() == "<p>Ann, it is your move.</p>\n"
    assert message.get_body(("plain",)).get_content() == "Ann, it is your move.\n  play Groat\n"
    assert not message.defects
    assert max(map(len, written(attachment=Attachment("a.html", page)).split(b"\r\n"))) <= 998
