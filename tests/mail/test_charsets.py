"""Text in every charset, with right, wrong and missing labels and transfer encodings."""

from __future__ import annotations

import base64
import quopri
from types import SimpleNamespace

import pytest

from pbem.mail.reading.charsets import decoded, from_base64, header_text
from pbem.mail.reading.parse import parse_mail

CHARSETS = {
    "koi8-r": "Привет, мой ход", "windows-1251": "Привет, мой ход", "iso-8859-5": "Привет", "iso-2022-jp": "こんにちは", "shift_jis": "こんにちは", "euc-jp": "こんにちは", "gb2312": "你好", "gbk": "你好", "gb18030": "你好", "hz-gb-2312": "你好", "big5": "你好嗎",
    "euc-kr": "안녕하세요", "ks_c_5601-1987": "안녕하세요", "iso-2022-kr": "안녕하세요", "iso-8859-8-i": "שלום", "windows-1255": "שלום", "windows-1256": "مرحبا", "windows-1253": "Γεια σας", "iso-8859-7": "Γεια", "iso-8859-2": "Cześć", "windows-1250": "Cześć", "iso-8859-9": "Merhaba ış",
    "windows-1258": "Xin chào", "tis-620": "สวัสดี", "utf-7": "Grüße", "utf-8": "Grüße – “ja”", "utf-16": "Grüße", "utf-16le": "Grüße", "utf-16be": "Grüße", "utf-32": "Grüße", "macintosh": "Grüße", "iso-8859-15": "Grüße €", "cp850": "Grüße",
}  # fmt: skip


@pytest.mark.parametrize(("charset", "greeting"), CHARSETS.items(), ids=CHARSETS)
@pytest.mark.parametrize("encoding", ["base64", "quoted-printable"])
def test_every_charset_is_read(post: SimpleNamespace, charset: str, greeting: str, encoding: str) -> None:
    names = {"ks_c_5601-1987": "euc-kr", "iso-8859-8-i": "iso-8859-8", "hz-gb-2312": "hz", "macintosh": "mac_roman"}
    raw = f"{greeting}\r\n{post.typed}\r\n".encode(names.get(charset, charset))
    body = base64.encodebytes(raw) if encoding == "base64" else quopri.encodestring(raw, quotetabs=True)
    head = f"From: a@example.org\r\nSubject: [{post.token}]\r\nContent-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    found = parse_mail(head.encode() + body, post.settings)
    assert (found.orders, found.chat) == (post.orders, (greeting,))


@pytest.mark.parametrize(
    "label",
    [
        "",
        "; charset=us-ascii",
        "; charset=iso-8859-1",
        "; charset=windows-1252",
        '; charset="x-unknown"',
        "; charset=",
        "; charset=utf-8",
        "; charset=iso-8859-1; charset=x",
    ],
)
@pytest.mark.parametrize("real", ["utf-8", "cp1252"])
@pytest.mark.parametrize("encoding", ["8bit", "x-who-knows", "binary", ""])
def test_labels_that_say_nothing_are_overruled(post: SimpleNamespace, label: str, real: str, encoding: str) -> None:
    head = f"From: a@example.org\r\nSubject: [{post.token}]\r\nContent-Type: text/plain{label}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    text = "Grüße – “ja”\r\nplay The Beggars’ Guild\r\nend…\r\n"
    found = parse_mail(head.encode() + text.encode(real), post.settings)
    assert (found.orders, found.chat) == (("play The Beggars’ Guild", "end"), ("Grüße – “ja”",))


@pytest.mark.parametrize("label", ["iso-8859-2", "windows-1250", "koi8-r", "x-unknown", "us-ascii", "cp850"])
def test_a_label_of_one_byte_a_letter_is_overruled_by_valid_utf_8(label: str) -> None:
    assert decoded("Beggars’ Guild".encode(), label) == "Beggars’ Guild"


@pytest.mark.parametrize(("label", "codec"), [
    ("gb2312", "gbk"), ("shift_jis", "cp932"), ("euc-kr", "cp949"), ("utf-7", "utf-7"), ("iso-2022-jp", "iso2022_jp"), ("koi8-r", "koi8-r"),
    ("x-gbk", "gbk"), ("x-sjis", "cp932"), ("windows-31j", "cp932"), ("ks_c_5601-1987", "cp949"), ("x-windows-949", "cp949"), ("windows1251", "cp1251"), ("iso-8859-8-i", "iso8859_8"),
])  # fmt: skip
def test_a_label_that_fits_is_believed(label: str, codec: str) -> None:
    letters = {"cp949": "안녕", "koi8-r": "мой", "cp1251": "мой", "utf-7": "Grüße", "iso8859_8": "שלום"}.get(
        codec, "日本"
    )
    assert decoded(letters.encode(codec), label) == letters


@pytest.mark.parametrize("label", ["utf-16", "utf-16le", "utf-16be", "utf-8", "", "x-unknown"])
@pytest.mark.parametrize("real", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_told_by_its_zeros(label: str, real: str) -> None:
    assert decoded("play A’s\nend\n".encode(real), label) == "play A’s\nend\n"
    assert decoded("play A\nend\n".encode(real).replace(b"\n", b"\r\n"), label) == "play A\nend\n"


@pytest.mark.parametrize("meta", [
    '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">', "<meta charset='Shift_JIS'>", '<?xml version="1.0" encoding="shift_jis"?>',
])  # fmt: skip
@pytest.mark.parametrize("label", ["", "; charset=us-ascii", "; charset=x-unknown"])
def test_html_may_name_its_charset_itself(post: SimpleNamespace, meta: str, label: str) -> None:
    head = f"From: a@example.org\r\nSubject: [{post.token}]\r\nContent-Type: text/html{label}\r\n\r\n"
    found = parse_mail(head.encode() + f"{meta}<p>こんにちは</p>".encode("shift_jis"), post.settings)
    assert found.chat == ("こんにちは",)


def test_a_stray_byte_does_not_spoil_the_rest() -> None:
    assert decoded("Grüße ".encode() + b"\x93hi\x94") == "Grüße “hi”"


def test_base64_is_read_leniently() -> None:
    assert from_base64(b"cGxh eSBB\r\n*IQ") == b"play A!"
    assert from_base64(base64.b64encode(b"play A") + b"\n" + base64.b64encode(b"end")) == b"play Aend"
    assert from_base64(b"A") == b""


def test_encoded_words_are_joined_before_they_are_decoded() -> None:
    raw = "für".encode()
    words = f"=?utf-8?b?{base64.b64encode(raw[:2]).decode()}?= =?utf-8?b?{base64.b64encode(raw[2:]).decode()}?= x"
    assert header_text(words) == "für x"
    assert header_text("=?utf-8?q?a_b=5B?==?iso-8859-1*en?q?=FC?=") == "a b[ü"
    assert header_text("=?x?q?=?= =?broken") != ""


def test_line_ends_of_every_sort_end_lines(post: SimpleNamespace) -> None:
    for end in ("\n", "\r", "\r\n"):
        head = f"From: a@example.org{end}Subject: [{post.token}]{end}{end}"
        assert parse_mail((head + post.typed.replace("\n", end)).encode(), post.settings).orders == post.orders
