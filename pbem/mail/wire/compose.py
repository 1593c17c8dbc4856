"""Outgoing mail: one letter to one person, from words to bytes.

Built by hand instead of with EmailMessage, which costs twenty times as much. Every header passes through one
function that lets no line break and no control character out.
"""

from __future__ import annotations

import binascii
import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime
from typing import Literal

from pbem.config import Mail

#: Names our own mail, so that it is recognised when it comes back.
LOOP_HEADER = "X-Loop"

#: Longest line that may travel unencoded (RFC 5322 section 2.1.1).
LONGEST_LINE = 998
#: Longest subject; what is longer is cut.
LONGEST_SUBJECT = 200

UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
#: What may stand in a thread header: whatever others put into a Message-ID, this harms nobody.
MESSAGE_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>")
NOT_PLAIN = re.compile(r"[^A-Za-z0-9 !#$%&'*+/=?^_`{|}~.-]")


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail to one person, before it is bytes."""

    to: str
    subject: str
    text: str
    #: The same in HTML; empty for a mail of text alone.
    html: str
    message_id: str
    #: The token that a reply's address carries where the provider has plus-addressing; empty for none.
    token: str = ""
    #: Message-ID of the mail that this answers.
    in_reply_to: str = ""
    #: RFC 3834: an answer to a mail, or a mail of our own accord.
    auto: Literal["auto-replied", "auto-generated"] = "auto-generated"


def new_message_id(mail: Mail, *parts: str) -> str:
    """A Message-ID that says what it belongs to (`g042-t7-n6jr3cve`) and is never used twice."""
    named = "-".join(part.lower() for part in parts if part)
    return f"<{named}-{secrets.token_hex(6)}@{mail.address.rpartition('@')[2]}>"


def compose(letter: Letter, mail: Mail, written_at: datetime) -> bytes:
    """The letter as it travels."""
    boundary = "=_" + hashlib.sha256(letter.message_id.encode()).hexdigest()[:24]
    head = [
        f"From: {named_address(mail.name, mail.address)}",
        f"To: {header(letter.to)}",
        f"Subject: {encoded(header(letter.subject)[:LONGEST_SUBJECT], 'Subject')}",
        f"Date: {format_datetime(written_at)}",
        f"Message-ID: {letter.message_id}",
    ]
    if letter.token and mail.plus_addressing:
        local, _, host = mail.address.rpartition("@")
        head.append(f"Reply-To: {named_address(mail.name, f'{local}+{letter.token}@{host}')}")
    if MESSAGE_ID.fullmatch(letter.in_reply_to):
        head += [f"In-Reply-To: {letter.in_reply_to}", f"References: {letter.in_reply_to}"]
    head += [f"Auto-Submitted: {letter.auto}", f"{LOOP_HEADER}: {mail.address}", "MIME-Version: 1.0"]
    text = part("plain", letter.text)
    if not letter.html:
        return "\r\n".join(head).encode("ascii") + b"\r\n" + text
    head.append(f'Content-Type: multipart/alternative; boundary="{boundary}"')
    rule = b"\r\n--" + boundary.encode()
    html = part("html", letter.html)
    return b"".join(
        ("\r\n".join(head).encode("ascii"), *(b"\r\n", rule, b"\r\n", text), *(rule, b"\r\n", html), *(rule, b"--\r\n"))
    )


def part(subtype: str, words: str) -> bytes:
    """A text part with its headers: as it stands where that is safe, else quoted-printable."""
    body = words.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").rstrip("\n") + "\n"
    if subtype == "html":
        raw = body.encode("ascii", "xmlcharrefreplace")
    else:
        raw = body.encode("utf-8", "replace")
    charset = "us-ascii" if raw.isascii() else "utf-8"
    how = "7bit"
    if not raw.isascii() or max(map(len, raw.split(b"\n"))) > LONGEST_LINE:
        raw, how = binascii.b2a_qp(raw, istext=True), "quoted-printable"
    kind = f"Content-Type: text/{subtype}; charset={charset}\r\nContent-Transfer-Encoding: {how}\r\n\r\n"
    return kind.encode("ascii") + raw.replace(b"\n", b"\r\n")


def header(value: str) -> str:
    """A value without anything that could end a header or hide in it."""
    return UNSAFE.sub(" ", value).strip()


def encoded(value: str, name: str) -> str:
    """The value as it is when it is short and ASCII, else in RFC 2047 words over folded lines."""
    if value.isascii() and len(value) <= LONGEST_SUBJECT:
        return value
    value = value.encode("utf-8", "replace").decode("utf-8")
    return Header(value, "utf-8", header_name=name).encode(linesep="\r\n")


def named_address(name: str, address: str) -> str:
    """`name <address>`, quoted or encoded as the name needs."""
    name = header(name)
    if not name:
        return address
    if not name.isascii():
        return f"{encoded(name, 'From')} <{address}>"
    if NOT_PLAIN.search(name) or "." in name:
        name = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"{name} <{address}>"
