"""What `pbem check` prints: what the server would understand of mails in files. It changes nothing."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from pbem.errors import ConfigError
from pbem.mail.reading.parse import parse_mail, without_report
from pbem.mail.reading.values import ParseSettings
from pbem.orders.commands import all_order_words


def check(
    files: Iterable[Path],
    words: Iterable[str] | None = None,
    own_addresses: Iterable[str] = (),
    markers: tuple[str, str] | None = None,
    sent: Path | None = None,
) -> Iterator[dict[str, Any]]:
    """One mapping a file, in order; files named earlier count as received, any well-formed token as valid.

    `sent` holds the text of the report that the mails answer; its lines are taken out of what they say. Raises
    ConfigError when a file cannot be read.
    """
    settings = settings_for(words, own_addresses, markers)
    report = contents(sent).decode("utf-8", "replace") if sent else ""
    seen: set[tuple[str, str]] = set()
    for file in files:
        mail = without_report(parse_mail(contents(file), settings), report)
        kind, reason = str(mail.kind), mail.reason
        if mail.message_id and (mail.message_id, mail.digest) in seen:
            kind, reason = "duplicate", "the same Message-ID and the same text came before"
        elif kind == "orders" and mail.via_list:
            kind, reason = "rejected", "a mailing list is in From, so nobody is proven to have sent it"
        elif kind == "orders" and not mail.tokens:
            kind, reason = "rejected", "there is no token in it"
        seen.add((mail.message_id, mail.digest))
        yield {
            "file": str(file),
            "kind": kind,
            "sender": mail.sender,
            "orders": list(mail.orders) if kind == "orders" else [],
            "reason": reason,
            "chat": list(mail.chat),
            "subject": mail.subject,
        }


def typed_in(text: str) -> list[tuple[str, bool]]:
    """The lines that a mail with this text holds, as the server reads them, each with whether it begins like an order."""
    mail = EmailMessage()
    mail.set_content(text)
    typed = parse_mail(mail.as_bytes(), settings_for()).typed
    return [(line.text, line.kind == "order") for line in typed if line.kind != "withdrawn"]


def contents(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from error


def settings_for(
    words: Iterable[str] | None = None, own_addresses: Iterable[str] = (), markers: tuple[str, str] | None = None
) -> ParseSettings:
    """What to read mails with: these order words, or those of every installed game and of the commands."""
    every, alone, free = all_order_words()
    if words is not None:
        every = frozenset(word.strip().casefold() for word in words if word.strip())
        alone, free = (alone | {"end"}) & every, free & every
    settings = ParseSettings(tuple(own_addresses), every, alone, free)
    return replace(settings, begin_marker=markers[0], end_marker=markers[1]) if markers else settings
