"""Bytes to text, whatever the label says: a wrong, missing or unknown charset never loses a mail."""

from __future__ import annotations

import binascii
import codecs
import re

#: Labels that mail programs use and Python does not know, or knows by a narrower name than what they mean.
ALIASES = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb-2312": "gb18030",
    "x-gbk": "gb18030",
    "euc-cn": "gb18030",
    "hz-gb-2312": "hz",
    "big5": "big5hkscs",
    "x-big5": "big5hkscs",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "windows-932": "cp932",
    "cp943c": "cp932",
    "iso-2022-jp": "iso2022_jp_ext",
    "cp50220": "iso2022_jp_ext",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8",
    "iso-8859-6-i": "iso-8859-6",
    "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman",
    "unicode-1-1-utf-7": "utf-7",
    "utf8mb4": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
}

#: Labels that say nothing: their bytes are UTF-8 when they can be, else windows-1252.
MEANINGLESS = frozenset({"ascii", "iso8859-1", "cp1252", "utf-8"})

#: Codecs that are not charsets, or that cost too much for what they are.
NO_CHARSETS = frozenset(
    {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
)

ENCODED_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?\r\n]*)\?=")
BETWEEN_ENCODED_WORDS = re.compile(r"(\?=)\s+(?==\?)")
NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=]+")


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Read bytes that are no UTF-8 as windows-1252, one by one."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(bytes((byte,)).decode("cp1252", "replace") for byte in wrong), error.end


codecs.register_error("pbem-windows-1252", _as_windows_1252)


def codec_named(label: str) -> str:
    """Python's name of the charset a label means, or an empty string."""
    label = label.strip().strip("\"'<>;,").lower()
    label = ALIASES.get(label, label)
    try:
        info = codecs.lookup(label)
    except (LookupError, ValueError, UnicodeError):
        return ""
    is_text = getattr(info, "_is_text_encoding", True)
    return info.name if is_text and info.name not in NO_CHARSETS else ""


def decoded(raw: bytes, label: str = "") -> str:
    """The text of these bytes: by byte order mark, by label, as UTF-8, as windows-1252."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        codec = "utf-16"
    elif raw.startswith(b"\xef\xbb\xbf"):
        codec = "utf-8"
    else:
        codec = codec_named(label) if label else ""
    if codec in ("", "ascii") and b"\x1b$" in raw:
        codec = "iso2022_jp_ext"  # Japanese programs of old leave the label out
    if codec and codec not in MEANINGLESS:
        try:
            return raw.decode(codec)
        except (UnicodeError, ValueError, LookupError):
            pass
    return raw.decode("utf-8", "pbem-windows-1252")


def from_base64(raw: bytes) -> bytes:
    """Decode base64 leniently: foreign characters are skipped, and so is a broken end."""
    pieces = []
    for run in NOT_BASE64.sub(b"", raw).split(
        b"="
    ):  # padding in the middle: two encoded texts glued together
        usable = len(run) - (len(run) % 4 == 1)
        if usable:
            pieces.append(binascii.a2b_base64(run[:usable] + b"=" * (-usable % 4)))
    return b"".join(pieces)


def header_text(raw: str) -> str:
    """A header's text with its encoded words (RFC 2047) read; neighbours are joined before they are decoded."""
    if "=?" not in raw:
        return raw
    raw = BETWEEN_ENCODED_WORDS.sub(r"\1", raw)
    out: list[str] = []
    position = 0
    pending = b""
    pending_label = ""
    for word in ENCODED_WORD.finditer(raw):
        label = word[1].split("*")[0]
        if pending and (word.start() != position or label.lower() != pending_label.lower()):
            out.append(decoded(pending, pending_label))
            pending = b""
        out.append(raw[position : word.start()])
        text = word[3].encode("latin-1", "replace")
        pending += from_base64(text) if word[2] in "bB" else binascii.a2b_qp(text, header=True)
        pending_label = label
        position = word.end()
    if pending:
        out.append(decoded(pending, pending_label))
    out.append(raw[position:])
    return "".join(out)
