"""What a mail says, with all that the server knows beforehand: its words, its addresses, the report that is answered."""

from dataclasses import replace
from functools import lru_cache

from pbem.config import Mail as MailSettings
from pbem.config import Settings
from pbem.mail.handling.identify import Holder
from pbem.mail.reading.parse import parse_mail, without_report
from pbem.mail.reading.values import MACHINE_KINDS, ParsedMail, ParseSettings
from pbem.orders.commands import all_order_words
from pbem.play.table import UnitOfWork

#: A long thread carries the tokens of many reports; so many are looked up.
MOST_REPORTS = 3


def read(settings: Settings, raw: bytes, *, oversize: bool = False) -> ParsedMail:
    """What a mail says, of which only the headers are here when it is too large."""
    mail = parse_mail(raw, parse_settings(settings.mail))
    if oversize and mail.kind not in MACHINE_KINDS:
        return replace(mail, kind="oversize", orders=(), chat=(), typed=())
    return mail


@lru_cache(maxsize=4)
def parse_settings(mail: MailSettings) -> ParseSettings:
    """What is known of any mail beforehand; the order words are those of every installed game."""
    return ParseSettings(
        (mail.address, *mail.aliases),
        *all_order_words(),
        begin_marker=mail.begin_marker,
        end_marker=mail.end_marker,
        trusted_authserv_id=mail.authserv_id or None,
        max_bytes=mail.max_bytes,
    )


def compared(work: UnitOfWork, mail: ParsedMail, holder: Holder) -> ParsedMail:
    """What a mail says without the lines of the report that it answers: of one to this very player, and no other."""
    game, seat = holder.table.game, holder.table.seats[holder.seat]
    for token in mail.tokens[:MOST_REPORTS]:
        ask = work.tx.ask_for(token)
        if ask and (ask.game_id, ask.seat, ask.tenure) == (game.id, seat.seat, seat.tenure):
            return without_report(mail, work.tx.sent_text(ask.number) or "")
    return mail
