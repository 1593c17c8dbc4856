"""IMAP as it is written on the wire (RFC 3501): what commands take, and what is in the answers to FETCH."""

import base64
import imaplib
import re
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import zip_longest

MESSAGE = re.compile(rb"\d+ FETCH \(")
UID = re.compile(rb"\bUID (\d+)")
SIZE = re.compile(rb"\bRFC822\.SIZE (\d+)")
QUOTED = re.compile(rb'\bBODY\[[A-Z]*\](?:<0>)? "((?:[^"\\]|\\.)*)"', re.DOTALL)


def quoted(text: str) -> str:
    """A quoted string of RFC 3501."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def mailbox_name(folder: str) -> str:
    """A folder's name as it is written in a command: modified UTF-7 (RFC 3501, section 5.1.3), quoted."""
    parts = re.split(r"([^\x20-\x7e]+)", folder.replace("&", "&-"))
    coded = (
        "&" + base64.b64encode(part.encode("utf-16-be")).decode().rstrip("=").replace("/", ",") + "-"
        for part in parts[1::2]
    )
    return quoted("".join(part for pair in zip_longest(parts[::2], coded, fillvalue="") for part in pair))


def number_set(uids: Sequence[int]) -> str:
    """UIDs as a command takes them: `3,7:9`."""
    runs: list[list[int]] = []
    for uid in sorted(uids):
        if runs and uid == runs[-1][1] + 1:
            runs[-1][1] = uid
        else:
            runs.append([uid, uid])
    return ",".join(str(first) if first == last else f"{first}:{last}" for first, last in runs)


def messages(lines: Sequence[bytes | bytearray]) -> Iterator[tuple[int, list[bytes | bytearray]]]:
    """The UID and the lines of each message in a FETCH answer; only a bytearray is a literal."""
    groups: list[list[bytes | bytearray]] = []
    for line in lines:
        if not isinstance(line, bytearray) and MESSAGE.match(line):
            groups.append([])
        if groups:
            groups[-1].append(line)
    for group in groups:
        if uid := UID.search(b" ".join(line for line in group if not isinstance(line, bytearray))):
            yield int(uid[1]), group


def sizes(lines: Sequence[bytes | bytearray]) -> dict[int, int]:
    """The size of each message by its UID."""
    return {uid: int(size[1]) for uid, group in messages(lines) if (size := SIZE.search(b" ".join(group)))}


def dates(lines: Sequence[bytes | bytearray]) -> dict[int, datetime]:
    """When each message came, by its UID."""
    found = {uid: imaplib.Internaldate2tuple(b" ".join(group)) for uid, group in messages(lines)}
    return {uid: datetime.fromtimestamp(time.mktime(at), UTC) for uid, at in found.items() if at}


def literals(lines: Sequence[bytes | bytearray]) -> Iterator[tuple[int, bytes]]:
    """UID and body of each message that has both; a very short body may come as a quoted string."""
    for uid, group in messages(lines):
        for line in group:
            if isinstance(line, bytearray):
                yield uid, bytes(line)
            elif short := QUOTED.search(line):
                yield uid, re.sub(rb"\\(.)", rb"\1", short[1])
