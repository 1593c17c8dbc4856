"""Outgoing mail: from words to bytes.

Built by hand instead of with EmailMessage, which costs twenty times as much. Every header passes through one
function that lets no line break and no control character out.
"""

import base64
import binascii
import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, formataddr

from pbem.config import Mail

#: Names our own mail, so that it is recognised when it comes back.
LOOP_HEADER = "X-Loop"
#: Says to a program what a mail is: `report`, `acknowledgement`, `card` ...
KIND_HEADER = "X-Pbem-Kind"

#: Longest line that may travel unencoded (RFC 5322 section 2.1.1).
LONGEST_LINE = 998
#: Longest subject; what is longer is cut.
LONGEST_SUBJECT = 200

UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
#: What may stand in a thread header: whatever others put into a Message-ID, this harms nobody.
MESSAGE_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with a mail."""

    #: ASCII letters, digits, points and hyphens.
    name: str
    #: An HTML page.
    html: str


def new_message_id(mail: Mail, *parts: str) -> str:
    """A Message-ID that says what it belongs to (`g042-t7-n6jr3cve`) and is never used twice."""
    named = "-".join(part.lower() for part in parts if part)
    return f"<{named}-{secrets.token_hex(6)}@{mail.address.rpartition('@')[2]}>"


def compose(
    mail: Mail,
    written_at: datetime,
    *,
    to: str,
    subject: str,
    text: str,
    html: str,
    message_id: str,
    token: str = "",
    in_reply_to: str | None = None,
    kind: str = "",
    attachment: Attachment | None = None,
) -> bytes:
    """A mail to one person as it travels.

    `html` says the same as `text`. A reply's address carries the `token`, where the provider has plus-addressing.
    `kind` is what a program reads of it. `in_reply_to` is the Message-ID of the mail that this answers, which may have had none; None for a mail of our own
    accord (RFC 3834).
    """
    head = [
        f"From: {formataddr((header(mail.name), mail.address))}",
        f"To: {header(to)}",
        f"Subject: {encoded(header(subject)[:LONGEST_SUBJECT], 'Subject')}",
        f"Date: {format_datetime(written_at)}",
        f"Message-ID: {message_id}",
    ]
    if token and mail.plus_addressing:
        local, _, host = mail.address.rpartition("@")
        head.append(f"Reply-To: {formataddr((header(mail.name), f'{local}+{token}@{host}'))}")
    if in_reply_to and MESSAGE_ID.fullmatch(in_reply_to):
        head += [f"In-Reply-To: {in_reply_to}", f"References: {in_reply_to}"]
    if kind:
        head.append(f"{KIND_HEADER}: {kind}")
    auto = "auto-generated" if in_reply_to is None else "auto-replied"
    head += [f"Auto-Submitted: {auto}", f"{LOOP_HEADER}: {mail.address}", "MIME-Version: 1.0"]
    content, body = multipart("alternative", message_id, part("plain", text), part("html", html))
    if attachment:
        inside = f"{content}\r\n".encode() + body
        content, body = multipart("mixed", f"{message_id} mixed", inside, attached(attachment))
    return "\r\n".join((*head, f"{content}\r\n")).encode() + body


def multipart(subtype: str, name: str, *parts: bytes) -> tuple[str, bytes]:
    """The Content-Type and the body of parts, between lines that are made of `name` and stand in none of them."""
    boundary = "=_" + hashlib.sha256(name.encode()).hexdigest()[:24]
    rule = b"\r\n--" + boundary.encode()
    body = b"".join(rule + b"\r\n" + one for one in parts) + rule + b"--\r\n"
    return f'Content-Type: multipart/{subtype}; boundary="{boundary}"', body


def attached(attachment: Attachment) -> bytes:
    """A file as a part of a mail (RFC 2183)."""
    head = (
        "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n"
        f'Content-Disposition: attachment; filename="{attachment.name}"\r\n\r\n'
    )
    return head.encode("ascii") + base64.encodebytes(attachment.html.encode()).replace(b"\n", b"\r\n")


def part(subtype: str, words: str) -> bytes:
    """A text part with its headers: as it stands where that is safe, else quoted-printable."""
    body = words.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").rstrip("\n") + "\n"
    raw = body.encode("ascii", "xmlcharrefreplace") if subtype == "html" else body.encode("utf-8", "replace")
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
