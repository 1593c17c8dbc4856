"""From the bytes of a mail to what it says: kind, sender, orders, tokens. Pure and total: it never raises."""

import hashlib
import re
from dataclasses import replace

from pbem.mail.reading.data import any_of
from pbem.mail.reading.headers import authenticated, behind_token, is_own, mailboxes, mark_in, sender_of, tokens_in
from pbem.mail.reading.html import lines_of_html
from pbem.mail.reading.lines import MOST_LINES, Line, lines_of
from pbem.mail.reading.machine import bounce_info, machine_kind
from pbem.mail.reading.message import MOST_HEADER_BYTES, Part, message_of
from pbem.mail.reading.quotes import people_of
from pbem.mail.reading.typed import Text, classified, text_of, without_sent
from pbem.mail.reading.values import BounceInfo, Kind, ParsedMail, ParseSettings

#: Attachments that belong to a mail program and not to the person.
ACCESSORIES = re.compile(
    r"text/(?:calendar|x-vcalendar|vcard|x-vcard|directory|x-amp-html|vnd\.google\.email-reaction\+json)|"
    r"application/(?:ics|pgp-signature|pgp-keys|pkcs7-signature|x-pkcs7-signature)|message/.*|multipart/.*"
)
ENCRYPTED = re.compile(
    r"multipart/encrypted|application/(?:pgp-encrypted|x-pkcs7-mime|pkcs7-mime|x-microsoft-rpmsg-message)"
)
MESSAGE_ID = re.compile(r"<[^<>\s]{1,300}>")
#: Bytes of one text part that are read.
MOST_TEXT_BYTES = 1_000_000
#: Bytes of a text that are looked at to see why it cannot be read.
LOOK_AT = 20_000
#: A note with a link to the message itself is not longer.
LONGEST_NOTE = 1_500
WEB_LINK = re.compile(r"https?://", re.IGNORECASE)


def parse_mail(raw: bytes, settings: ParseSettings) -> ParsedMail:
    """Read one mail, whatever its bytes are."""
    if len(raw) > settings.max_bytes:
        mail = message_of(raw[:MOST_HEADER_BYTES])
        return with_headers(mail, raw, settings, "oversize", f"{len(raw)} bytes")
    mail = message_of(raw)
    if machine := machine_kind(mail, settings):
        bounce = bounce_info(mail, settings) if machine[0] == "bounce" else None
        return with_headers(mail, raw, settings, *machine, bounce)
    parsed = with_headers(mail, raw, settings, "empty", "no order in it")
    text = text_in(mail, parsed.tokens, settings)
    if not text.typed:
        typed_in_subject = [(0, behind_token(mail.header("subject")))]
        text = Text(tuple(classified(typed_in_subject, settings)), text.quotes_us)
    orders, chat = text.of_kind("order"), text.of_kind("chat")
    parsed = replace(parsed, all_marked=text.all_marked)
    if orders:
        return replace(parsed, kind="orders", reason="", orders=orders, chat=chat, typed=text.typed)
    if why := unreadable(mail, text):
        return replace(parsed, kind="unsupported", reason=why, chat=chat)
    if not parsed.tokens and (mail.all("list-id") or mail.all("list-unsubscribe")):
        return replace(parsed, kind="bulk", reason="sent through a list, without a token")
    return replace(parsed, chat=chat, typed=text.typed)


def without_report(mail: ParsedMail, sent: str) -> ParsedMail:
    """What a mail says when the lines of the report that it answers are taken out of it."""
    text = Text(without_sent(mail.typed, sent))
    if not sent or text.typed == mail.typed:
        return mail
    orders = text.of_kind("order")
    kind: Kind = "empty" if mail.kind == "orders" and not orders else mail.kind
    return replace(mail, kind=kind, orders=orders, chat=text.of_kind("chat"), typed=text.typed)


def with_headers(
    mail: Part, raw: bytes, settings: ParseSettings, kind: Kind, reason: str, bounce: BounceInfo | None = None
) -> ParsedMail:
    """What every mail has."""
    sender = sender_of(mail)
    people = [box.address for box in mailboxes(mail, "to", "cc", "bcc", "resent-to", "resent-cc")]
    message_id = MESSAGE_ID.search(mail.header("message-id"))
    return ParsedMail(
        kind=kind,
        sender=sender,
        tokens=tokens_in(mail, settings),
        mark=mark_in(mail),
        message_id=message_id[0] if message_id else mail.header("message-id")[:300],
        subject=" ".join(mail.header("subject").split())[:1_000],
        third_parties=tuple(dict.fromkeys(a for a in people if a != sender and not is_own(a, settings))),
        marked_spam=kind == "bulk" and mail.header("x-spam-flag").lower().startswith("yes"),
        via_list=is_the_list(mail, sender),
        digest=hashlib.sha256(raw[mail.start :].replace(b"\r\n", b"\n").strip()).hexdigest(),
        bounce=bounce,
        authenticated=authenticated(mail, sender, settings.trusted_authserv_id),
        reason=reason,
    )


def is_the_list(mail: Part, sender: str) -> bool:
    """Whether a mailing list put itself into From (RFC 2919, RFC 2369)."""
    by_id = f"<{sender.replace('@', '.')}>" in mail.header("list-id").lower()
    return bool(sender) and (by_id or f"mailto:{sender}" in mail.header("list-post").lower())


def text_in(mail: Part, tokens: tuple[str, ...], settings: ParseSettings) -> Text:
    """What is typed in the text part when that holds an order, else in the HTML.

    HTML also wins when the text part has the same words but lost its lines, or what was struck out.
    """
    people = people_of(mail, settings, tokens)
    shown = shown_parts(mail)
    texts = [part for part in shown if part.kind == "text/plain"]
    plain = text_of(lines_in(texts), people, settings)
    if len(texts) == len(shown):
        return plain
    rich = text_of(lines_in(instead_of_text(mail, shown)), people, settings)
    orders, better = plain.of_kind("order"), rich.of_kind("order")
    if orders:
        same_words = " ".join(orders).split() == " ".join(better).split()
        return rich if rich.of_kind("withdrawn") or (same_words and len(better) > len(orders)) else plain
    return rich if better or not (plain.of_kind("chat") or plain.quotes_us) else plain


def shown_parts(mail: Part) -> list[Part]:
    """The parts that hold text to be read; a whole mail that is marked as something to save is read all the same."""
    texts = (part for part in mail.walk() if part.kind in ("text/plain", "text/html"))
    return [part for part in texts if part is mail or not part.is_attachment]


def instead_of_text(mail: Part, shown: list[Part]) -> list[Part]:
    """The parts to read when HTML is preferred: of alternatives the HTML, else everything in order."""
    alternatives = [part for part in mail.walk() if part.kind == "multipart/alternative"]
    rich = [part for part in alternatives if any(below.kind == "text/html" for below in part.walk())]
    left_out = [id(below) for part in rich for below in part.parts if below.kind == "text/plain"]
    return [part for part in shown if id(part) not in left_out]


def lines_in(parts: list[Part]) -> list[Line]:
    """The lines of several parts, one after the other."""
    lines: list[Line] = []
    for part in parts:
        if len(lines) < MOST_LINES:
            text = part.text(MOST_TEXT_BYTES)
            lines += lines_of_html(text) if part.kind == "text/html" else lines_of(text, part.parameters)
            lines.append(Line(""))
    return lines[:MOST_LINES]


def unreadable(mail: Part, text: Text) -> str:
    """Why a mail without orders cannot be read, or an empty string when it simply has none."""
    wrapped = next((part.kind for part in mail.walk() if ENCRYPTED.fullmatch(part.kind)), "")
    if wrapped:
        return f"encrypted or wrapped: {wrapped}"
    texts = " ".join(part.text(LOOK_AT) for part in shown_parts(mail))
    if "-----BEGIN PGP MESSAGE-----" in texts:
        return "encrypted: inline PGP"
    content = next((part.kind for part in mail.walk() if is_content(part, mail, texts)), "")
    if content and not text.of_kind("chat"):
        return f"attachment only: {content}"
    # A portal or a program says that there is a message, and where; a report of ours would stand below.
    chat = " ".join(text.of_kind("chat"))
    if text.quotes_us or len(chat) > LONGEST_NOTE or not any_of("mail_nouns").search(chat):
        return ""
    if content:
        return f"the text is inside an attachment: {content}"
    return "the text is behind a link" if WEB_LINK.search(texts) else ""


def is_content(part: Part, mail: Part, texts: str) -> bool:
    """Whether a part is something a person sent to be read: a document, a picture, a text file."""
    if part.parts or ACCESSORIES.fullmatch(part.kind):
        return False
    if part.kind in ("text/plain", "text/html"):
        return part.is_attachment and part is not mail
    if part.kind.startswith("image/"):  # one that the HTML shows belongs to it
        content_id = part.header("content-id").strip("<>")
        return "cid:" not in texts or (part.is_attachment and f"cid:{content_id}" not in texts)
    return True
