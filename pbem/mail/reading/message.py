"""A mail as it lies on the wire: headers and parts, cut to size. The defensive code is here, once.

The standard library's parser tries every line against every enclosing boundary, keeps twenty million empty
lines as twenty million strings, and raises on some headers; what is read here is found by searching bytes, so
that it costs linear time whatever arrives, and nothing raises.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pbem.mail.reading.charsets import charset_of_html, codec_named, decoded, from_base64, header_text

#: Header bytes of one part that are read, and of one header line; the rest is cut, never refused.
MOST_HEADER_BYTES = 32_768
LONGEST_HEADER_LINE = 2_048
#: Parts that are looked at, and how deep they may be nested.
MOST_PARTS = 100
DEEPEST = 20
NO_HEADERS = re.compile(rb"(?=[\r\n])")
END_OF_HEADERS = re.compile(rb"\r?\n\r?\n|\r\r(?!\n)")
LINE_END = re.compile(rb"\r\n|\n|\r")
PARAMETER = re.compile(r';\s*([\w.-]+?)(?:\*\d{0,2})?\*?\s*=\s*("(?:[^"\\]|\\.)*"?|[^;\s]*)')
#: `base64`, whatever stands round it: quotes, a semicolon, a comment.
ENCODING = re.compile(r"[\s\"';]*([\w-]+)")
CONTENT_TYPE = re.compile(r"\s*([\w.+-]+/[\w.+-]+)")
AFTER_BOUNDARY = re.compile(rb"(--)?[ \t]*(?:\r\n|\n|\r|\Z)")
BLANK_IN_FIRST_LINE = re.compile(rb"\s*[^\s=]+[ \t]+[^\s=]")
#: RFC 2045, 6.7: blanks at the end of an encoded line were put there on the way.
BLANKS_BEHIND_SOFT_BREAK = re.compile(rb"=[ \t]+(?=\r?\n)")
#: RFC 2046, 4.1.4: text in a format that is not known is plain text; of these that is true.
READ_AS_PLAIN = frozenset(("text/markdown", "text/x-markdown", "text/x-web-markdown", "text/text"))
#: Types of RFC 2046 and later; another one in front of the slash is no type, and such a part is text (RFC 2045, 5.2).
TYPES = frozenset(
    ("text", "image", "audio", "video", "application", "message", "multipart", "model", "font", "chemical")
)
CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
#: Quoted-printable has three letters for a byte.
MOST_BYTES_A_BYTE = 3


@dataclass(slots=True)
class Part:
    """One part of a mail; the mail itself is the outermost."""

    #: (name in lower case, raw value unfolded), in order.
    headers: list[tuple[str, str]]
    #: The whole mail, and where the undecoded body of this part lies in it: no part is ever copied.
    raw: bytes
    start: int
    end: int
    kind: str = "text/plain"
    parameters: dict[str, str] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)

    def header(self, name: str) -> str:
        """The first header of this name, as text on one line; empty when there is none."""
        return CONTROL.sub(" ", header_text(next(iter(self.all(name)), ""))).strip()

    def all(self, name: str) -> list[str]:
        """Every header of this name, raw."""
        return [value for known, value in self.headers if known == name]

    @property
    def is_attachment(self) -> bool:
        """Marked as something to save rather than to read."""
        return self.header("content-disposition").lower().startswith("attachment")

    def walk(self) -> Iterator[Part]:
        """The part and all below it, in order; attached mails are not entered."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def content(self, limit: int) -> bytes:
        """The decoded body, at most about `limit` bytes of it."""
        encoding = ENCODING.match(self.header("content-transfer-encoding").lower())
        body = self.raw[self.start : min(self.end, self.start + limit * MOST_BYTES_A_BYTE)]
        # Base64 has no blanks between its letters: a text that has them was labelled wrongly.
        if encoding and encoding[1].startswith("base") and not BLANK_IN_FIRST_LINE.match(body):
            body = from_base64(body)
        elif encoding and encoding[1].startswith("quoted"):
            body = binascii.a2b_qp(BLANKS_BEHIND_SOFT_BREAK.sub(b"=", body))
        return body[:limit]

    def text(self, limit: int) -> str:
        """The body as text."""
        content = self.content(limit)
        label = self.parameters.get("charset", "")
        if self.kind == "text/html" and codec_named(label) in ("", "ascii"):
            label = charset_of_html(content)
        return decoded(content, label)


def message_of(raw: bytes) -> Part:
    """The mail in these bytes."""
    return part_of(raw, 0, len(raw), DEEPEST, [MOST_PARTS], "text/plain")


def part_of(raw: bytes, start: int, end: int, depth: int, budget: list[int], default: str) -> Part:
    """The part between two places; `budget` holds how many more parts are looked at."""
    budget[0] -= 1
    blank = NO_HEADERS.match(raw, start, end) or END_OF_HEADERS.search(raw, start, end)
    head_end, body = blank.span() if blank else (end, end)
    part = Part(headers_of(raw[start : min(head_end, start + MOST_HEADER_BYTES)]), raw, body, end, default)
    value = part.header("content-type")
    if value:
        match = CONTENT_TYPE.match(value)
        part.kind = match[1].lower() if match else "text/plain"
        if part.kind.partition("/")[0] not in TYPES or part.kind in READ_AS_PLAIN:
            part.kind = "text/plain"
        part.parameters = parameters_of(value)
    if part.kind.startswith("multipart/") and depth > 0:
        inner = "message/rfc822" if part.kind == "multipart/digest" else "text/plain"
        for begin, stop in pieces_between(raw, body, end, part.parameters.get("boundary", ""), budget[0]):
            if budget[0] <= 0:
                break
            part.parts.append(part_of(raw, begin, stop, depth - 1, budget, inner))
        if not part.parts:
            part.kind = "text/plain"  # a multipart without parts: what is there is all there is to read
    return part


def headers_of(head: bytes) -> list[tuple[str, str]]:
    """Names and unfolded values; lines that are no headers are left out."""
    headers: list[tuple[str, list[bytes]]] = []
    for line in LINE_END.split(head):
        line = line[:LONGEST_HEADER_LINE]
        if line[:1] in (b" ", b"\t"):
            if headers:
                headers[-1][1].append(line.strip())
            continue
        name, colon, value = line.partition(b":")
        name = name.strip()
        if colon and name and b" " not in name:
            headers.append((name.decode("latin-1").lower(), [value.strip()]))
    joined = ((name, b" ".join(values)) for name, values in headers)
    return [(name, value.decode("ascii") if value.isascii() else decoded(value)) for name, value in joined]


def parameters_of(value: str) -> dict[str, str]:
    """The parameters of a header; pieces of a long one (RFC 2231) are joined."""
    joined: dict[str, str] = {}
    for name, text in PARAMETER.findall(value):
        if text.startswith('"'):
            text = re.sub(r"\\(.)", r"\1", text.strip('"'))
        joined[name.lower()] = joined.get(name.lower(), "") + text
    return joined


def pieces_between(raw: bytes, start: int, end: int, boundary: str, limit: int) -> Iterator[tuple[int, int]]:
    """Where each of the pieces between the boundary lines begins and ends."""
    marker = b"--" + boundary.encode("utf-8", "replace")
    begin = -1
    at = raw.find(marker, start, end) if boundary else -1
    while at >= 0 and limit > 0:
        line = AFTER_BOUNDARY.match(raw, at + len(marker), end)
        if line and (at == start or raw[at - 1] in b"\r\n"):
            if begin >= 0:
                yield begin, max(begin, at - 1 - (raw[at - 2 : at] == b"\r\n"))
                limit -= 1
            if line[1]:
                return
            begin = line.end()
        at = raw.find(marker, line.end() if line else at + len(marker), end)
    if begin >= 0 and limit > 0:
        yield begin, end
