"""Hostile mail costs little and raises nothing: size, nesting, headers, quotes, charsets, and whatever fuzzing finds."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.mail.reading.parse import parse_mail, without_report
from pbem.mail.reading.typed import MOST_ORDERS
from pbem.mail.reading.values import ParseSettings

SENT = "play Groat if you like, and use the card well\n" * 50
SETTINGS = ParseSettings(
    own_addresses=("orders@play.example.org",),
    words=frozenset(("play", "minion", "use", "end", "tell")),
    alone=frozenset(("end",)),
    free=frozenset(("tell",)),
    trusted_authserv_id="mx.ours",
)
HEAD = b"From: a@example.org\r\nTo: orders@play.example.org\r\nSubject: [7K2QM9TD]\r\n"
TEXT = HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
HTML = HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n"


def nested(levels: int) -> bytes:
    head = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(levels))
    return HEAD + head + b"Content-Type: text/plain\r\n\r\nplay A\r\n" * 3000


def attached(levels: int) -> bytes:
    return HEAD + b"Content-Type: message/rfc822\r\n\r\n" * levels + b"play A"


HOSTILE = {
    "500 nested parts": lambda: nested(500),
    "500 attached mails": lambda: attached(500),
    "5000 parts": lambda: HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nplay A\r\n" * 5000,
    "50000 headers": lambda: b"X-A: b\r\n" * 50_000 + TEXT + b"play A",
    "50000 headers in a part": lambda: HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + b"X-A: b\r\n" * 50_000 + b"\r\nplay A\r\n--b--",
    "a header of a megabyte": lambda: b"Subject: " + b"a" * 1_000_000 + b"\r\n" + TEXT + b"play A",
    "20 MB of text": lambda: TEXT + b"play A\r\n" * 2_500_000,
    "20 MB of line ends": lambda: TEXT + b"\n" * 20_000_000,
    "20 MB in one line": lambda: TEXT + b"a" * 20_000_000,
    "20 MB of base64": lambda: HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"cGxheSBBCg==" * 1_600_000,
    "20 MB of quoted-printable": lambda: HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=41=\r\n" * 3_000_000,
    "20 MB of HTML": lambda: HTML + b"<p>play A</p>" * 1_500_000,
    "20 MB beside the text": lambda: HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nplay A\r\n--b\r\nContent-Type: image/png\r\n\r\n" + b"\xff" * 20_000_000 + b"\r\n--b--",
    "100000 lines": lambda: TEXT + b"hello\r\n" * 100_000,
    "100000 blank quoted lines": lambda: TEXT + b">\r\n" * 100_000 + b"play A",
    "quadratic quotes": lambda: TEXT + b"".join(b">" * n + b" x\r\n" for n in range(2_000)),
    "deep quotes with blanks": lambda: TEXT + (b"> " * 2_000 + b"x\r\n") * 400,
    "20000 commas in To": lambda: b"To: " + b"," * 20_000 + b"\r\n" + TEXT + b"play A",
    "commas over many lines": lambda: b"To: a@example.org" + b",\r\n a@example.org" * 20_000 + b"\r\n" + TEXT + b"play A",
    "parentheses": lambda: b"Content-Type: " + b"(" * 30_000 + b"\r\n" + HEAD + b"\r\nplay A",
    "parentheses in From": lambda: b"From: " + b"(" * 2_000 + b"\r\n" + TEXT + b"play A",
    "quotes in From": lambda: b"From: " + b'"\\' * 1_000 + b"\r\n" + TEXT + b"play A",
    "angles": lambda: b"From: " + b"<" * 2_000 + b"\r\n" + TEXT + b"play A",
    "parameters": lambda: b"Content-Type: text/plain" + b";a*0*=b" * 4_000 + b"\r\n" + HEAD + b"\r\nplay A",
    "encoded words": lambda: b"Subject: " + b"=?utf-8?b?QQ==?= " * 120 + b"=?x?q?" * 300 + b"\r\n" + TEXT + b"play A",
    "unknown charset": lambda: TEXT.replace(b"utf-8", b"x-\xff\x00;") + b"play \xff\xfe A",
    "idna charset": lambda: TEXT.replace(b"utf-8", b"idna") + b"play A" * 100_000,
    "hex charset": lambda: TEXT.replace(b"utf-8", b"hex") + b"play A",
    "undefined charset": lambda: TEXT.replace(b"utf-8", b"undefined") + b"play A",
    "invalid bytes": lambda: TEXT + b"play A\xff\xfe\xc3\r\n" * 100_000,
    "NUL": lambda: TEXT + b"pl\x00ay A\x00\r\n\x00end\r\n" * 1_000,
    "injected headers": lambda: b"Subject: =?utf-8?q?a=0D=0ABcc=3A_x=40y.example?= [7K2QM9TD]\r\n" + TEXT + b"play A",
    "open tags": lambda: HTML + b"<a " * 300_000,
    "open comments": lambda: HTML + b"<!--" * 200_000 + b"<!" * 200_000,
    "open scripts": lambda: HTML + b"<script>" * 100_000,
    "open hidden": lambda: HTML + b'<div style="display:none">' * 60_000 + b"play A",
    "nested tables": lambda: HTML + b"<table><tr><td>" * 60_000 + b"play A",
    "nested blockquotes": lambda: HTML + b"<blockquote>" * 80_000 + b"play A" + b"</blockquote>" * 80_000,
    "end tags": lambda: HTML + b"<b>" * 500 + b"</i>" * 200_000,
    "entities": lambda: HTML + b"&#x10FFFF;&amp;&lt;&bogus" * 40_000,
    "attributes": lambda: HTML + b"<p " + b"a=b " * 200_000 + b">play A",
    "orders on one line": lambda: TEXT + b"play A; " * 100_000,
    "ends on one line": lambda: TEXT + b"end; " * 100_000,
    "numbers on one line": lambda: TEXT + b"1;" * 100_000,
    "numbers with commas": lambda: TEXT + (b"1, " * 1_200 + b"x\r\n") * 2_000,
    "rules": lambda: TEXT + (b"- " * 2_000 + b"x\r\n") * 500 + b"-" * 100_000,
    "marker lines": lambda: TEXT + b"==== ORDERS START ====\r\nplay A\r\n" * 5_000,
    "half marker lines": lambda: TEXT + b"==== ORDERS " * 80_000,
    "attributions": lambda: TEXT + b"On Mon, Mar 2, 2026 at 9:14 AM a@example.org wrote:\r\n" * 15_000,
    "half attributions": lambda: TEXT + b"On Mon, Mar 2, 2026 at 9:14 AM a@example.org\r\n" * 15_000,
    "header blocks": lambda: TEXT + b"From: a@example.org\r\nSent: 2026\r\nTo: b@example.org\r\nSubject: x\r\n" * 5_000,
    "labels": lambda: TEXT + (b"a" * 40 + b" " * 1_000 + b"a:\r\n") * 2_000,
    "addresses": lambda: TEXT + (b"a." * 1_900 + b"@ \r\n") * 500,
    "initials": lambda: TEXT + b"".join(b"A%d> x\r\n" % n for n in range(20_000)),
    "armour": lambda: TEXT + b"-----BEGIN PGP SIGNED MESSAGE-----\r\n" * 20_000,
    "disclaimers": lambda: TEXT + b"This e-mail is confidential and intended for the recipient, click links with caution.\r\n" * 10_000,
    "flowed": lambda: TEXT.replace(b"charset", b"format=flowed; charset") + b"play \r\n" * 100_000,
    "a bounce of megabytes": lambda: b"Return-Path: <>\r\nFrom: MAILER-DAEMON@x.example\r\nSubject: failure notice\r\n" + b"\r\n" + b"<a@example.net>: user unknown\r\n" * 300_000,
    "a report of megabytes": lambda: b"Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n" + b"Final-Recipient: rfc822; a@example.net\r\nAction: failed\r\n\r\n" * 60_000,
    "authentication": lambda: b"Authentication-Results: mx.ours; " + b"(" * 1_900 + b"\r\n" + TEXT + b"play A",
    "nothing": lambda: b"",
    "a line end": lambda: b"\r\n",
    "no headers": lambda: b"play A\nend",
    "no boundary": lambda: HEAD + b"Content-Type: multipart/mixed\r\n\r\nplay A",
    "a boundary of nothing": lambda: HEAD + b'Content-Type: multipart/mixed; boundary=""\r\n\r\n--\r\n\r\nplay A\r\n----\r\n',
    "beyond the limit": lambda: TEXT + b"a" * 31_000_000,
}  # fmt: skip


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_hostile_mail_is_read_in_little_time(make: object) -> None:
    raw = make()  # type: ignore[operator]
    start = time.process_time()
    found = without_report(parse_mail(raw, SETTINGS), SENT)
    assert time.process_time() - start < 5
    assert len(found.orders) <= MOST_ORDERS
    assert found.subject == " ".join(found.subject.split())


#: Not by getrusage: its figure for a new process is at least that of the process it came from.
STATUS = Path("/proc/self/status")
CHILD = f"""
import sys
from pbem.mail.reading.parse import parse_mail
from pbem.mail.reading.values import ParseSettings
raw = sys.stdin.buffer.read()
parse_mail(raw, ParseSettings(own_addresses=("orders@play.example.org",), words=frozenset(("play", "end"))))
print(*(line.split()[1] for line in open("{STATUS}") if line.startswith("VmHWM:")))
"""


@pytest.mark.skipif(not STATUS.exists(), reason="only Linux tells the most memory that a process had")
@pytest.mark.parametrize("name", [
    "20 MB in one line", "open tags",
    *(pytest.param(name, marks=pytest.mark.slow) for name in (
        "20 MB of line ends", "20 MB of HTML", "20 MB of text", "20 MB beside the text", "20 MB of base64", "500 nested parts", "nested tables", "quadratic quotes",
    )),
])  # fmt: skip
def test_hostile_mail_is_read_in_little_memory(name: str) -> None:
    made = HOSTILE[name]()
    result = subprocess.run([sys.executable, "-c", CHILD], input=made, capture_output=True, check=True, timeout=60)
    assert 10 < int(result.stdout) / 1024 < 300


def test_a_mail_beyond_the_limit_is_oversize(post: SimpleNamespace) -> None:
    found = parse_mail(TEXT + b"a" * 31_000_000, SETTINGS)
    assert (found.kind, found.sender, found.tokens) == ("oversize", "a@example.org", ("7K2QM9TD",))


FRAGMENTS = st.sampled_from(
    [
        b"play A\r\n", b"end\r\n", b"> ", b">", b"\r\n", b"\r", b"\n\n", b"-- \r\n", b"---", b"==== ORDERS START ====\r\n", b"==== ORDERS END ====\r\n", b"From: ", b"a@example.org", b"On Mon, 2 Mar 2026 at 09:14 ",
        b" wrote:\r\n", b"orders+7K2QM9TD@play.example.org", b"[7K2QM9TD]", b"Subject: ", b"Content-Type: text/html\r\n", b"Content-Type: multipart/mixed; boundary=b\r\n", b"--b\r\n", b"--b--\r\n", b"Content-Type: message/delivery-status\r\n", b"multipart/report",
        b"Content-Transfer-Encoding: base64\r\n", b"=?utf-8?b?", b"?=", b"<blockquote>", b"<table><tr><td>", b"</td>", b"<!--", b"-->", b"<div style='display:none'>", b"&nbsp;", b"\xff", b"\x00", b"\xe2\x80\x8b", "１．ｐｌａｙ　Ａ；".encode(), b"1, 2;", b"; ", b". ", b"|", b"TC> ",
        b"-----BEGIN PGP SIGNED MESSAGE-----\r\n", b"Sent from my iPhone\r\n", b"Auto-Submitted: ", b"Return-Path: <>\r\n", b"format=flowed; delsp=yes", b"charset=utf-16", b"(", b'"', b"\\", b"*", b"Authentication-Results: mx.ours; dkim=pass ",
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.one_of(FRAGMENTS, st.binary(max_size=12)), max_size=60).map(b"".join))
def test_any_bytes_are_understood(raw: bytes) -> None:
    for text in (raw, TEXT + raw, HTML + raw, HEAD + raw):
        found = without_report(parse_mail(text, SETTINGS), SENT)
        assert found.kind in ("orders", "empty", "unsupported", "auto-reply", "bounce", "receipt", "bulk", "loop")
        assert bool(found.orders) == (found.kind == "orders")
