"""Bytes to text, whatever the label says: a wrong, missing or unknown charset never loses a mail."""

import binascii
import codecs
import re
from functools import lru_cache
from itertools import groupby

#: Codecs that hold all of a narrower one, by Python's names: who labels a text with the narrow one means the wide.
WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso2022_jp": "iso2022_jp_ext",
}
#: Labels of mail programs that are no alias in Python, nor become one by what `codec_named` does to them.
ALIASES = {"windows-31j": "cp932", "cp943c": "cp932", "cp50220": "iso2022_jp", "euc-cn": "gb2312", "utf8mb4": "utf-8"}
#: Codecs that are not charsets, or that cost too much for what they are.
NO_CHARSETS = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"})

#: The charset of an encoded word (RFC 2047; behind a star, its language: RFC 2231), the encoding and the text.
ENCODED_WORD = re.compile(r"=\?([^?\s*]{1,60})[^?\s]{0,60}\?([bBqQ])\?([^?\r\n]*)\?=")
ENCODED_WORDS = re.compile(rf"{ENCODED_WORD.pattern}(?:\s*{ENCODED_WORD.pattern})*")
NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=]+")
#: HTML5 looks for it in the first 1024 bytes.
META_CHARSET = re.compile(rb"<(?:meta|\?xml)[^>]{0,200}(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
META_BYTES = 1024


def as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Read bytes that are no UTF-8 as windows-1252, one by one."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    return "".join(bytes((byte,)).decode("cp1252", "replace") for byte in wrong), error.end


codecs.register_error("pbem-windows-1252", as_windows_1252)


@lru_cache(maxsize=256)
def codec_named(label: str) -> str:
    """Python's name of the charset a label means, or an empty string."""
    label = label.strip().strip("\"'<>;,").lower()
    label = ALIASES.get(label, label)
    # `x-` is private use (RFC 2045); -i and -e say how Hebrew and Arabic are to be laid out (RFC 1556).
    for name in (label, re.sub(r"^x-|-[ie]$", "", label), re.sub(r"^(?:x-)?(?:windows|cp|ms|ibm)-?", "cp", label)):
        try:
            info = codecs.lookup(name)
        except (LookupError, ValueError, UnicodeError):
            continue
        if getattr(info, "_is_text_encoding", True) and info.name not in NO_CHARSETS:
            return WIDER.get(info.name, info.name)
    return ""


@lru_cache(maxsize=64)
def has_one_byte_a_letter(codec: str) -> bool:
    """Whether any byte is a letter in this charset, so that text in another one is never refused by it."""
    upper = bytes(range(128, 256)).decode(codec, "replace")
    return len(upper) == 128 and set(upper) != {"\ufffd"}


def utf_16_of(raw: bytes, codec: str) -> str:
    """The codec for UTF-16, by where the zeros stand when no byte order mark says it; else the codec given."""
    head = raw[:4096]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    if (even + odd) * 4 < len(head) or even == odd or codec.startswith("utf-32"):
        return codec
    return "utf-16-be" if even > odd else "utf-16-le"


def decoded(raw: bytes, label: str = "") -> str:
    """The text of these bytes: by byte order mark, by label, as UTF-8, as windows-1252.

    A label that cannot be wrong in the eyes of its codec says nothing when the bytes are UTF-8, which chance never
    makes of a text of one byte a letter.
    """
    if raw.startswith(codecs.BOM_UTF8):
        label = "utf-8"
    codec = utf_16_of(raw, codec_named(label) if label else "")
    if codec in ("", "ascii") and b"\x1b$" in raw:
        codec = "iso2022_jp_ext"  # Japanese programs of old leave the label out
    tries = ["utf-8", codec] if has_one_byte_a_letter(codec or "ascii") else [codec, "utf-8"]
    for name in tries:
        if name not in ("", "ascii", "cp1252", "iso8859-1"):
            try:
                # Line ends that were made CRLF as in ASCII shift all bytes of UTF-16 behind them.
                return (raw.replace(b"\r\n", b"\n") if name.startswith("utf-16") else raw).decode(name)
            except (UnicodeError, ValueError, LookupError):
                continue
    return raw.decode("utf-8", "pbem-windows-1252")


def charset_of_html(raw: bytes) -> str:
    """The charset that HTML names itself; empty when it names none."""
    match = META_CHARSET.search(raw[:META_BYTES])
    return match[1].decode("ascii", "replace") if match else ""


def from_base64(raw: bytes) -> bytes:
    """Decode base64 leniently: foreign characters are skipped, and so is a broken end."""
    pieces = []
    for run in NOT_BASE64.sub(b"", raw).split(b"="):  # padding in the middle: two encoded texts glued together
        usable = len(run) - (len(run) % 4 == 1)
        if usable:
            pieces.append(binascii.a2b_base64(run[:usable] + b"=" * (-usable % 4)))
    return b"".join(pieces)


def header_text(raw: str) -> str:
    """A header's text with its encoded words read; neighbours in one charset are joined before they are decoded."""
    return ENCODED_WORDS.sub(encoded_text, raw) if "=?" in raw else raw


def encoded_text(run: re.Match[str]) -> str:
    """The text of encoded words with nothing but blanks between them."""
    words = groupby(ENCODED_WORD.findall(run[0]), key=lambda word: str(word[0]).lower())
    return "".join(decoded(b"".join(encoded_bytes(*word) for word in group), label) for label, group in words)


def encoded_bytes(label: str, encoding: str, text: str) -> bytes:
    """The bytes in an encoded word."""
    raw = text.encode("latin-1", "replace")
    return from_base64(raw) if encoding in "bB" else binascii.a2b_qp(raw, header=True)
