"""What a bounce says: whose address, for good or for now, and which mail of ours. RFC 3464 first, then free form."""

from __future__ import annotations

import email
import logging
import re

from flufl.bounce import all_failures

from pbem.mail.reading.addresses import ADDRESS, VALID, without_tag
from pbem.mail.reading.message import Part
from pbem.mail.reading.values import BounceInfo, Reading

#: A status code of RFC 3463, or an SMTP reply code before text.
STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
REPLY = re.compile(r"(?<![\d.])([45])\d\d[ -]")
MESSAGE_ID = re.compile(r"^message-id:\s*(<[^>\s]{1,200}>)", re.IGNORECASE | re.MULTILINE)
FIELD = re.compile(r"^([\w-]{1,60}):[ \t]*([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)", re.MULTILINE)
GONE = re.compile(
    r"user unknown|unknown user|no such (?:user|mailbox|recipient|person)|does(?:n't| not) exist|not found|no mailbox here|"
    r"unknown (?:address|recipient|mailbox)|invalid (?:address|recipient|mailbox)|address rejected|account (?:is |has been )?(?:disabled|closed|deactivated)|"
    r"mailbox (?:is )?(?:unavailable|disabled|not found)|unrouteable|host (?:or domain name )?not found|recipient rejected|permanent|"
    r"unbekannt|existiert nicht|inconnu|n'existe pas|desconocid|no existe|sconosciut|inesistente|onbekend|okänd|ukendt|ukjent|nieznan|не существует|不存在|見つかりません",
    re.IGNORECASE,
)
FOR_NOW = re.compile(
    r"delay|will (?:be )?(?:retr|keep trying)|warning|not yet been delivered|try again|temporar|over ?quota|quota exceeded|mailbox (?:is )?full|greylist|"
    r"verzögert|postfach (?:ist )?voll|retard|boîte pleine|retraso|buzón lleno|ritardo|casella piena|vertraag|försena|opóźni|задерж|переполнен",
    re.IGNORECASE,
)
#: Said by a server that goes on trying by itself.
TRYING = re.compile(
    r"delayed|delay reason|will (?:be )?(?:retr|keep trying|continue)|attempts will continue|not yet been delivered|"
    r"warning only|verzögert|retardé|retrasad|ritardo|vertraagd|försena|opóźni|задерж",
    re.IGNORECASE,
)
# A detector that stumbles over a broken bounce is no news to the moderator.
logging.getLogger("flufl.bounce").addHandler(logging.NullHandler())
logging.getLogger("flufl.bounce").propagate = False

MAILBOX_FULL = ("2", "2")
#: Actions of RFC 3464 after which the mail may still arrive, or has.
GOING_ON = ("delayed", "delivered", "relayed", "expanded")
WORD_LIMIT = 60_000


def bounce_info(mail: Part, reading: Reading) -> BounceInfo:
    """Read a mail known to be a bounce."""
    own = {without_tag(address).lower() for address in reading.own_addresses}
    report = next(
        (
            part
            for part in mail.walk()
            if part.kind in ("message/delivery-status", "message/global-delivery-status")
        ),
        None,
    )
    original = _original_message_id(mail)
    if report is not None:
        text = report.text(WORD_LIMIT)
        address, status, action = _delivery_status(text)
        if address:
            return BounceInfo(address, _is_hard(status, action, text), original, action not in GOING_ON)
    address = _failed_address(mail, own)
    words = " ".join(part.text(WORD_LIMIT) for part in list(mail.walk())[:6] if part.kind.startswith("text/"))
    head = words.partition("copy of the message")[0][:8_000] + " " + mail.header("subject")
    status_match = STATUS.search(head)
    status = status_match[0] if status_match else ""
    hard = _is_hard(status, "", head) if status else _hard_by_words(head)
    return BounceInfo(address, hard, original, hard or not TRYING.search(head))


def _delivery_status(text: str) -> tuple[str, str, str]:
    """Address, status and action of the first recipient that failed."""
    best = ("", "", "")
    for block in re.split(r"\r?\n\r?\n|\r\r", text)[:50]:
        fields = {match[1].lower(): " ".join(match[2].split()) for match in FIELD.finditer(block)}
        recipient = fields.get("original-recipient") or fields.get("final-recipient") or ""
        found = ADDRESS.search(recipient.partition(";")[2] or recipient)
        if not found:
            continue
        this = (found[0].lower(), fields.get("status", ""), fields.get("action", "").lower())
        if this[2] == "failed":
            return this
        best = best if best[0] else this
    return best


def _is_hard(status: str, action: str, text: str) -> bool:
    match = STATUS.search(status)
    if action in GOING_ON:
        return False
    if match:
        return match[1] == "5" and (match[2], match[3]) != MAILBOX_FULL
    return action == "failed" or _hard_by_words(text)


def _hard_by_words(text: str) -> bool:
    if FOR_NOW.search(text):
        return False
    reply = REPLY.search(text)
    return bool(GONE.search(text)) or (reply is not None and reply[1] == "5")


def _original_message_id(mail: Part) -> str:
    """The Message-ID in the returned copy, or what the bounce refers to."""
    for part in mail.walk():
        if part.kind in ("message/rfc822", "text/rfc822-headers", "message/global", "message/rfc822-headers"):
            found = MESSAGE_ID.search(part.text(WORD_LIMIT))
            if found:
                return found[1]
    for part in mail.walk():
        if part.kind == "text/plain":
            found = MESSAGE_ID.search(part.text(WORD_LIMIT))
            if found:
                return found[1]
    match = re.search(r"<[^<>\s]{1,200}>", mail.header("in-reply-to") or mail.header("references"))
    return match[0] if match else ""


def _failed_address(mail: Part, own: set[str]) -> str:
    """The address that failed, from headers, from flufl.bounce, from the text."""
    for name in ("x-failed-recipients", "x-actual-recipient", "final-recipient"):
        found = ADDRESS.search(mail.header(name))
        if found:
            return found[0].lower()
    try:
        temporary, permanent = all_failures(email.message_from_bytes(mail.raw[:100_000]))
    except Exception:  # noqa: BLE001 - two dozen scanners for other people's formats; any may stumble
        temporary, permanent = frozenset(), frozenset()
    addresses = [
        found.decode("ascii", "replace") if isinstance(found, bytes) else str(found)
        for found in sorted(permanent) + sorted(temporary)
    ]
    for part in mail.walk():
        if part.kind == "text/plain":
            text = part.text(WORD_LIMIT)[:8_000]
            addresses += [match[0] for match in ADDRESS.finditer(text)]
            break
    senders = {box.address for box in mail.mailboxes("from")}
    for address in addresses:
        address = address.lower().strip("<>")
        local = address.partition("@")[0]
        if (
            VALID.fullmatch(address)
            and without_tag(address) not in own
            and address not in senders
            and local != "postmaster"
        ):
            return address
    return ""
