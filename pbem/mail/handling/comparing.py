"""What a mail says, with all that the server knows beforehand: its words, its addresses, the report that is answered."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from pbem.config import Mail as MailSettings
from pbem.config import Settings
from pbem.mail.reading.parse import understand
from pbem.mail.reading.values import MACHINE_KINDS, Fetched, Limits, Reading, Understood
from pbem.orders.commands import all_order_words
from pbem.play.table import UnitOfWork
from pbem.store import Inbound

#: A typed line longer than this which also stands in the report was not typed; so many of its tokens are tried.
LONG_LINE = 24
MOST_REPORTS = 3


def read(settings: Settings, fetched: Fetched) -> Understood:
    """What the mail says."""
    mail = understand(fetched.raw or b"", reading(settings.mail))
    if fetched.oversize and mail.kind not in MACHINE_KINDS:
        return replace(mail, kind="oversize", orders=(), chat=(), typed=())
    return mail


@lru_cache(maxsize=4)
def reading(mail: MailSettings) -> Reading:
    """What is known of any mail beforehand; the order words are those of every installed game."""
    words = all_order_words()
    return Reading(
        own_addresses=(mail.address, *mail.aliases),
        words=words.words,
        alone=words.alone,
        free=words.free,
        begin_marker=mail.begin_marker,
        end_marker=mail.end_marker,
        trusted_authserv_id=mail.authserv_id or None,
        limits=Limits(max_bytes=mail.max_bytes),
    )


def understood(work: UnitOfWork, kept: Inbound) -> Understood:
    """What a mail that was kept says."""
    return compared(work, kept.raw, understand(kept.raw, reading(work.settings.mail)))


def compared(work: UnitOfWork, raw: bytes, mail: Understood) -> Understood:
    """What a mail says, read once more beside the report it answers when lines of that seem to be typed in it."""
    if not any(len(line) > LONG_LINE for line in mail.chat):
        return mail
    sent = next((text for token in mail.tokens[:MOST_REPORTS] if (text := work.tx.sent_text(token))), "")
    words = " ".join(sent.split())
    if not any(len(line) > LONG_LINE and line in words for line in mail.chat):
        return mail
    return understand(raw, replace(reading(work.settings.mail), sent=sent))
