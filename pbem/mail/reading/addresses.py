"""Addresses in headers: names and mailboxes, read forgivingly and in linear time."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.mail.reading.charsets import header_text

#: An address in running text. Bounded on both sides, so that it costs linear time.
ADDRESS = re.compile(r"(?<![\w.+%-])[\w.+%=~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250})\b")
VALID = re.compile(r"[^\s@<>()\[\],;:\"\x00-\x1f]{1,64}@[^\s@<>()\[\],;:\"\x00-\x1f]{1,253}")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[,;:<>()]|[^",;:<>()]+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One address as a header gives it."""

    name: str
    #: Lower case.
    address: str


def mailboxes(raw: str) -> list[Mailbox]:
    """Every mailbox of an address header; what is no address is left out."""
    found: list[Mailbox] = []
    name: list[str] = []
    angle: list[str] | None = None
    address = ""
    comments = 0

    def finish() -> None:
        nonlocal address, angle
        if angle is not None:  # `<a@example.org` without its other half
            address = "".join(angle)
        text = "".join(name).strip()
        if not address and VALID.fullmatch(text):
            address, text = text, ""
        address = address.rpartition(":")[2].strip()  # RFC 5322 source route: <@relay:a@example.org>
        if VALID.fullmatch(address):
            found.append(Mailbox(" ".join(header_text(text).split()), address.lower()))
        name.clear()
        angle, address = None, ""

    for token in TOKEN.findall(raw):
        if token == "(":
            comments += 1
        elif token == ")":
            comments = max(0, comments - 1)
        elif comments:
            continue
        elif token == "<":
            angle = []
        elif token == ">":
            if angle is not None and not address:
                address = "".join(angle)
            angle = None
        elif angle is not None:
            angle.append(token)
        elif token in ",;":
            finish()
        elif token == ":":
            name.clear()  # the name of a group
        elif token.startswith('"'):
            name.append(token.strip('"').replace("\\", ""))
        else:
            name.append(token)
    finish()
    return found


def without_tag(address: str) -> str:
    """The address without `+TOKEN`."""
    local, at, domain = address.partition("@")
    return local.partition("+")[0] + at + domain
