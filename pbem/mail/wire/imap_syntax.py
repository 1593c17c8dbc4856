"""IMAP as it is written on the wire (RFC 3501): what commands take, and what is in the answers to FETCH."""

import base64
import re
from collections.abc import Iterator, Sequence
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


def messages(lines: Sequence[bytes | bytearray]) -> Iterator[list[bytes | bytearray]]:
    """The lines of a FETCH answer, one list a message."""
    group: list[bytes | bytearray] = []
    for line in lines:
        if not isinstance(line, bytearray) and MESSAGE.match(line):
            if group:
                yield group
            group = []
        group.append(line)
    if group:
        yield group


def literals(lines: Sequence[bytes | bytearray]) -> Iterator[tuple[int, bytes]]:
    """UID and body of each message of a FETCH answer that has both."""
    for group in messages(lines):
        head = b" ".join(line for line in group if not isinstance(line, bytearray))
        uid = UID.search(head)
        if uid is None:
            continue
        for line in group:
            # Only a bytearray is a literal; a very short body may come as a quoted string.
            if isinstance(line, bytearray):
                yield int(uid[1]), bytes(line)
            elif short := QUOTED.search(line):
                yield int(uid[1]), re.sub(rb"\\(.)", rb"\1", short[1])
