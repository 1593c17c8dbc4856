"""Headers and parts: damaged transfer encodings and types that are none."""

from __future__ import annotations

import base64
from types import SimpleNamespace

import pytest

from pbem.mail.reading.parse import parse_mail

HEAD = "From: a@example.org\r\nSubject: [7K2QM9TD]\r\n"
TYPED = b"play The Beggars\xe2\x80\x99 Guild\r\nend\r\n"
ORDERS = ("play The Beggars’ Guild", "end")


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("Quoted-Printable", b"play The Beggars=e2=80=99 Gui=  \r\nld\r\nend\r\n"),
        ("quoted printable", b"play The Beggars=E2=80=99 Guild\r\nend\r\n"),
        ('"base64"; x=y', base64.encodebytes(TYPED)),
        ("BASE64 (by hand)", base64.b64encode(TYPED)),
        ("base64", base64.b64encode(TYPED) + b"\r\n" + base64.b64encode(b"\r\n-- \r\nlist")),
        ("base64", TYPED),
        ("7bit", TYPED),
        ("x-unknown", TYPED),
    ],
)
def test_a_damaged_transfer_encoding_loses_nothing(post: SimpleNamespace, encoding: str, body: bytes) -> None:
    head = f"{HEAD}Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    assert parse_mail(head.encode() + body, post.settings).orders == ORDERS


@pytest.mark.parametrize("kind", ["plain/text", "text", "text/markdown", "text/text", "x/y", ""])
def test_a_type_that_is_none_is_text(post: SimpleNamespace, kind: str) -> None:
    assert parse_mail(f"{HEAD}Content-Type: {kind}\r\n\r\n".encode() + TYPED, post.settings).orders == ORDERS
