"""From the bytes of a mail to what it says: kind, sender, orders, tokens. Pure and total: it never raises."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from pbem.mail.reading import phrases
from pbem.mail.reading.authentication import authenticated
from pbem.mail.reading.bounces import bounce_info
from pbem.mail.reading.html import lines_of_html
from pbem.mail.reading.lines import Line, lines_of, squeezed
from pbem.mail.reading.machine import is_absence_text, machine_kind, own
from pbem.mail.reading.message import Part, parse
from pbem.mail.reading.orders import LINK, orders_of
from pbem.mail.reading.quotes import People, people_of
from pbem.mail.reading.tokens import behind_token, tokens_of
from pbem.mail.reading.typed import Typed, extract
from pbem.mail.reading.values import BounceInfo, Kind, Limits, Reading, TypedLine, Understood

__all__ = ["BounceInfo", "Kind", "Limits", "Reading", "Understood", "understand"]

#: Attachments that belong to a mail program and not to the person.
ACCESSORIES = re.compile(
    r"text/(?:calendar|x-vcalendar|vcard|x-vcard|directory|x-amp-html|vnd\.google\.email-reaction\+json)|application/(?:ics|pgp-signature|pgp-keys|pkcs7-signature|x-pkcs7-signature|ms-tnef|vnd\.ms-tnef)|message/.*|multipart/.*"
)
ENCRYPTED = re.compile(
    r"multipart/encrypted|application/(?:pgp-encrypted|x-pkcs7-mime|pkcs7-mime|x-microsoft-rpmsg-message)"
)
NOTHING = Typed((), (), False)


def understand(raw: bytes, reading: Reading) -> Understood:
    """Read one mail, whatever its bytes are."""
    if len(raw) > reading.limits.max_bytes:
        mail = parse(raw[: reading.limits.max_header_bytes], reading.limits)
        return _understood(mail, raw, reading, "oversize", reason=f"{len(raw)} bytes")
    mail = parse(raw, reading.limits)
    machine = machine_kind(mail, reading)
    if machine is not None:
        info = bounce_info(mail, reading) if machine.kind == "bounce" else None
        return _understood(mail, raw, reading, machine.kind, reason=machine.reason, bounce=info)
    tokens = tokens_of(mail, reading)
    typed = _typed(mail, reading, tokens)
    if not typed.orders and not typed.chat:
        typed = _with_subject(typed, mail, reading)
    if typed.orders:
        return _understood(mail, raw, reading, "orders", typed=typed, tokens=tokens)
    why = _unreadable(mail, typed, reading)
    if why:
        unread = replace(typed, lines=())
        return _understood(mail, raw, reading, "unsupported", typed=unread, tokens=tokens, reason=why)
    if not tokens and (mail.has("list-id") or mail.has("list-unsubscribe")):
        return _understood(mail, raw, reading, "bulk", reason="sent through a list, without a token")
    if is_absence_text(typed.chat):
        return _understood(mail, raw, reading, "auto-reply", reason="the text is that of an absence notice")
    return _understood(mail, raw, reading, "empty", typed=typed, tokens=tokens, reason="no order in it")


def _understood(
    mail: Part,
    raw: bytes,
    reading: Reading,
    kind: Kind,
    *,
    typed: Typed = NOTHING,
    tokens: tuple[str, ...] | None = None,
    reason: str = "",
    bounce: BounceInfo | None = None,
) -> Understood:
    """The result, with what every mail has."""
    sender = sender_of(mail)
    people = [box.address for box in mail.mailboxes("to", "cc")]
    message_id = re.search(r"<[^<>\s]{1,300}>", mail.header("message-id"))
    return Understood(
        kind=kind,
        sender=sender,
        orders=typed.orders,
        chat=typed.chat,
        typed=typed.lines,
        tokens=tokens_of(mail, reading) if tokens is None else tokens,
        message_id=message_id[0] if message_id else mail.header("message-id")[:300],
        subject=" ".join(mail.header("subject").split())[:1_000],
        third_parties=tuple(dict.fromkeys(a for a in people if a != sender and not own(a, reading))),
        via_list=_is_the_list(mail, sender),
        digest=hashlib.sha256(raw[mail.start :].replace(b"\r\n", b"\n").strip()).hexdigest(),
        bounce=bounce,
        authenticated=authenticated(mail, sender, reading.trusted_authserv_id),
        reason=reason,
    )


def sender_of(mail: Part) -> str:
    """Who sent it: From; of several the one that is in Sender too; without any, Sender."""
    authors = [box.address for box in mail.mailboxes("from")]
    sender = [box.address for box in mail.mailboxes("sender")]
    if len(authors) > 1:
        return next((address for address in authors if address in sender), authors[0])
    return (authors or sender or [""])[0]


def _is_the_list(mail: Part, sender: str) -> bool:
    """Whether a mailing list put itself into From."""
    if not sender:
        return False
    list_id = re.search(r"<([^<>]*)>", mail.header("list-id"))
    if list_id and list_id[1].strip().lower() == sender.replace("@", "."):
        return True
    return f"mailto:{sender}" in mail.header("list-post").lower()


# -- what is typed ---------------------------------------------------------------------------------------------


def _typed(mail: Part, reading: Reading, tokens: tuple[str, ...]) -> Typed:
    """What is typed in the text part when that holds an order, else in the HTML."""
    inline = [
        part for part in mail.walk() if part.kind in ("text/plain", "text/html") and not _saved(part, mail)
    ]
    people = _people(mail, reading, tokens)
    plain = NOTHING
    texts = [part for part in inline if part.kind == "text/plain"]
    if texts:
        plain = extract(_lines(texts, reading), people, reading)
        if plain.orders or len(texts) == len(inline):
            return plain
    rich = extract(_lines(_rich(mail, inline), reading), people, reading)
    if rich.orders or not (plain.chat or plain.quotes_us):
        return rich
    return replace(rich, orders=()) if _is_placeholder(plain) else plain


def _saved(part: Part, mail: Part) -> bool:
    """Whether a part is something to save; a whole mail marked so is read all the same."""
    return part.is_attachment and part is not mail


def _rich(mail: Part, inline: list[Part]) -> list[Part]:
    """The parts to read when HTML is preferred: of alternatives the HTML, else everything in order."""
    left_out: set[int] = set()
    for part in mail.walk():
        if part.kind == "multipart/alternative" and any(one.kind == "text/html" for one in part.walk()):
            left_out.update(id(one) for one in part.parts if one.kind == "text/plain")
    return [part for part in inline if id(part) not in left_out]


def _lines(parts: list[Part], reading: Reading) -> list[Line]:
    """The lines of several parts, one after the other."""
    limits = reading.limits
    lines: list[Line] = []
    for part in parts:
        room = limits.max_lines - len(lines)
        if room <= 0:
            break
        text = part.text(limits.max_text_bytes)
        if part.kind == "text/html":
            lines += lines_of_html(text, room)
        else:
            flowed = part.parameters.get("format", "").lower() == "flowed"
            delsp = part.parameters.get("delsp", "").lower() == "yes"
            lines += lines_of(text, flowed=flowed, delsp=delsp, max_lines=room)
        lines.append(Line(""))
    return lines[: limits.max_lines]


def _people(mail: Part, reading: Reading, tokens: tuple[str, ...]) -> People:
    """Who is who in the quoted text."""
    sender = sender_of(mail)
    own_names = [box.name for box in mail.mailboxes("to", "cc") if own(box.address, reading)]
    names = [box.name for box in mail.mailboxes("from", "sender") if box.address == sender]
    return people_of(reading.own_addresses, own_names, [sender, *names], list(tokens), mail.header("subject"))


def _with_subject(typed: Typed, mail: Part, reading: Reading) -> Typed:
    """What was typed, with what stands behind the token in the subject."""
    rest = squeezed(behind_token(mail.header("subject")))[: reading.limits.max_line]
    orders = tuple(orders_of(rest, reading)) if rest else ()
    more = tuple(TypedLine(one, True) for one in orders) or ((TypedLine(rest, False),) if rest else ())
    return replace(typed, orders=orders, lines=(*typed.lines, *more))


def _is_placeholder(typed: Typed) -> bool:
    """A text part that only says that there is HTML."""
    return any("html" in line.casefold() for line in typed.chat) and len(typed.chat) < 4


# -- what cannot be read ---------------------------------------------------------------------------------------


def _unreadable(mail: Part, typed: Typed, reading: Reading) -> str:
    """Why a mail without orders cannot be read, or an empty string when it simply has none."""
    parts = list(mail.walk())
    for part in parts:
        if ENCRYPTED.fullmatch(part.kind):
            return f"encrypted or wrapped: {part.kind}"
    texts = [
        part.text(20_000)
        for part in parts
        if part.kind in ("text/plain", "text/html") and not _saved(part, mail)
    ]
    if any("-----BEGIN PGP MESSAGE-----" in text for text in texts):
        return "encrypted: inline PGP"
    nothing = not typed.chat
    if (
        nothing
        and not typed.quotes_us
        and any(part.kind in ("application/ms-tnef", "application/vnd.ms-tnef") for part in parts)
    ):
        return "the text is inside winmail.dat only"
    html = " ".join(text for text in texts if "cid:" in text)
    shown = [part for part in parts if _is_content(part, mail, html)]
    if nothing and shown:
        return f"attachment only: {shown[0].kind}"
    if shown and not typed.quotes_us and phrases.PROTECTED.search(" ".join(texts)):
        return f"the text is inside an attachment: {shown[0].kind}"
    chat = " ".join(typed.chat)
    links = bool(LINK.search(" ".join(texts)))
    if chat and links and len(chat) < 1_500 and phrases.PROTECTED.search(chat) and not typed.quotes_us:
        return "the text is behind a link"
    return ""


def _is_content(part: Part, mail: Part, html: str) -> bool:
    """Whether a part is something a person sent to be read: a document, a picture, a text file."""
    if part.parts or ACCESSORIES.fullmatch(part.kind):
        return False
    if part.kind in ("text/plain", "text/html"):
        return _saved(part, mail)
    if part.kind.startswith("image/"):
        content_id = part.header("content-id").strip("<>")
        return not (content_id and f"cid:{content_id}" in html) and not (html and not part.is_attachment)
    return True
