"""What a mail is, before anybody reads what is typed in it, and what a bounce says.

A table of rules is tried in order. A rule only looks; mail that no rule claims was written by a person.
"""

from __future__ import annotations

import email
import logging
import re
from collections.abc import Callable
from typing import NamedTuple

from flufl.bounce import all_failures

from pbem.mail.reading.data import any_of
from pbem.mail.reading.headers import ADDRESS, VALID, is_own, mailboxes
from pbem.mail.reading.message import Part
from pbem.mail.reading.values import BounceInfo, Kind, ParseSettings

DAEMONS = re.compile(
    r"(?:mailer-?daemon|postmaster|mail-?daemon|microsoftexchange[0-9a-f]+|bounces?|mdaemon|double-bounce)"
    r"(?:[+=-].*)?@|^mailer-daemon$",
    re.IGNORECASE,
)
ROBOTS = re.compile(
    r"(?:no-?_?\.?reply|do-?not-?_?reply|noresponse|auto-?(?:reply|responder|confirm)|notifications?)(?:[+._-].*)?@",
    re.IGNORECASE,
)
#: What programs wrote before RFC 3834 gave them Auto-Submitted, and some still write.
OLDER_HEADERS = (
    "x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply", "x-auto-respond", "x-autoreply-from",
    "x-mail-autoreply", "x-vacation", "x-ms-exchange-generated-message-source",
)  # fmt: skip


class Claim(NamedTuple):
    """What a rule says a mail is."""

    kind: Kind
    #: For the moderator.
    reason: str


#: A status code of RFC 3463, or an SMTP reply code before text.
STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
REPLY = re.compile(r"(?<![\d.])([45])\d\d[ -]")
MESSAGE_ID = re.compile(r"^message-id:\s*(<[^>\s]{1,200}>)", re.IGNORECASE | re.MULTILINE)
FIELD = re.compile(r"^([\w-]{1,60}):[ \t]*([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)", re.MULTILINE)
# A detector that stumbles over a broken bounce is no news to the moderator.
logging.getLogger("flufl.bounce").addHandler(logging.NullHandler())
logging.getLogger("flufl.bounce").propagate = False

MAILBOX_FULL = ("2", "2")
#: Actions of RFC 3464 after which the mail has arrived, or may still.
ARRIVED = frozenset(("delivered", "relayed", "expanded"))
GOING_ON = ARRIVED | {"delayed"}
#: Types in which a mail comes back, whole or its headers alone.
COPIES = frozenset(("message/rfc822", "text/rfc822-headers", "message/global", "message/rfc822-headers"))
WORD_LIMIT = 60_000


def subject_of(mail: Part) -> str:
    """The subject without the tags that gateways put before it."""
    return re.sub(r"^\s*(?:\[[^\]]{1,40}\]\s*)+", "", mail.header("subject")).strip()


def senders(mail: Part) -> list[str]:
    """The addresses in From, or else in Sender."""
    return [box.address for box in mailboxes(mail, "from") or mailboxes(mail, "sender")]


def is_ours(mail: Part, settings: ParseSettings) -> bool:
    """Our own mail came back."""
    return any(
        is_own(address, settings)
        for address in senders(mail)[:1] + re.findall(r"[^\s,;<>]+@[^\s,;<>]+", mail.header("x-loop"))
    )


def is_from_daemon(mail: Part) -> bool:
    """A mail system, not a person, is in From."""
    raw = " ".join(mail.all("from"))
    return bool(DAEMONS.search(raw)) or any(DAEMONS.match(address) for address in senders(mail))


def has_empty_return_path(mail: Part) -> bool:
    """The envelope said that nobody wants an answer."""
    return any(value.strip() == "<>" for value in mail.all("return-path"))


def report_type(mail: Part) -> str:
    """What a multipart/report reports; empty for other mail."""
    if mail.kind == "multipart/report":
        return mail.parameters.get("report-type", "").lower() or "delivery-status"
    if mail.kind in ("message/delivery-status", "message/disposition-notification"):
        return mail.kind.partition("/")[2]
    return ""


def is_delivery_receipt(mail: Part, settings: ParseSettings) -> bool:
    """A delivery report that says it went well."""
    if report_type(mail) != "delivery-status":
        return False
    texts = [part.text(20_000) for part in mail.walk() if part.kind == "message/delivery-status"]
    actions = {
        action.lower()
        for text in texts
        for action in re.findall(r"^action:\s*(\w+)", text, re.IGNORECASE | re.MULTILINE)
    }
    return bool(actions) and actions <= ARRIVED


def is_bounce(mail: Part, settings: ParseSettings) -> bool:
    """A report of RFC 3464, or a daemon's own words. Before auto-reply: bounces are auto-submitted too."""
    if report_type(mail) in ("delivery-status", "global-delivery-status"):
        return True
    if mail.has("x-failed-recipients") or any(part.kind == "message/delivery-status" for part in mail.parts):
        return True
    return is_from_daemon(mail) and not is_absence(mail, settings)


def is_receipt(mail: Part, settings: ParseSettings) -> bool:
    """RFC 8098 says so."""
    if report_type(mail) in ("disposition-notification", "mail-receipt"):
        return True
    return any(part.kind == "message/disposition-notification" for part in mail.parts)


def is_other_report(mail: Part, settings: ParseSettings) -> bool:
    """Feedback reports and whatever else comes as a report."""
    return mail.kind == "multipart/report"


def is_spam(mail: Part, settings: ParseSettings) -> bool:
    """A filter we pass mail through says so."""
    return mail.header("x-spam-flag").lower().startswith("yes")


def is_auto_submitted(mail: Part, settings: ParseSettings) -> bool:
    """RFC 3834 says so."""
    value = re.sub(r"\([^)]*\)", " ", mail.header("auto-submitted")).split(";")[0].strip().lower()
    return value not in ("", "no")


def is_marked_auto(mail: Part, settings: ParseSettings) -> bool:
    """One of the older headers says so."""
    if any(mail.header(name) and mail.header(name).lower() not in ("no", "false") for name in OLDER_HEADERS):
        return True
    return mail.header("precedence").lower() in ("auto_reply", "auto-reply", "autoreply")


def is_absence(mail: Part, settings: ParseSettings) -> bool:
    """The subject says that nobody is there."""
    subject = mail.header("subject").strip()
    return bool(any_of("absence").match(subject_of(mail)) or any_of("absence").match(subject))


def is_bulk(mail: Part, settings: ParseSettings) -> bool:
    """Sent to many by a machine."""
    return mail.header("precedence").lower() in ("bulk", "junk")


def is_nobodys(mail: Part, settings: ParseSettings) -> bool:
    """An empty return path: whatever it is, it wants no answer."""
    return has_empty_return_path(mail)


def is_robot(mail: Part, settings: ParseSettings) -> bool:
    """An address that nobody reads."""
    return any(ROBOTS.match(address) for address in senders(mail)[:1])


Rule = Callable[[Part, ParseSettings], bool]

#: Tried in order. The reason stands beside each and is what the moderator reads.
RULES: tuple[tuple[Rule, Claim], ...] = (
    (is_ours, Claim("loop", "our own mail came back")),
    (is_delivery_receipt, Claim("receipt", "a delivery receipt")),
    (is_bounce, Claim("bounce", "a mail of ours could not be delivered")),
    (is_receipt, Claim("receipt", "a read receipt")),
    (is_other_report, Claim("receipt", "a report of a mail system")),
    (is_spam, Claim("bulk", "X-Spam-Flag says that it is spam")),
    (is_auto_submitted, Claim("auto-reply", "Auto-Submitted says that a machine wrote it")),
    (is_marked_auto, Claim("auto-reply", "a header says that it is an automatic reply")),
    (is_absence, Claim("auto-reply", "the subject is that of an absence notice")),
    (is_bulk, Claim("bulk", "Precedence says that it was sent in bulk")),
    (is_nobodys, Claim("auto-reply", "the return path is empty")),
    (is_robot, Claim("auto-reply", "the sender is an address that nobody reads")),
)


def machine_kind(mail: Part, settings: ParseSettings) -> Claim | None:
    """The kind of a mail that a machine wrote, or None when a person did."""
    for rule, claim in RULES:
        if rule(mail, settings):
            return claim
    return None


# -- bounces ---------------------------------------------------------------------------------------------------


def bounce_info(mail: Part, settings: ParseSettings) -> BounceInfo:
    """Read a mail known to be a bounce."""
    report = next(
        (part for part in mail.walk() if part.kind in ("message/delivery-status", "message/global-delivery-status")),
        None,
    )
    original = original_message_id(mail)
    if report is not None:
        text = report.text(WORD_LIMIT)
        address, status, action = delivery_status(text)
        if address:
            return BounceInfo(address, is_hard(status, action, text), original, action not in GOING_ON)
    address = failed_address(mail, settings)
    words = " ".join(part.text(WORD_LIMIT) for part in list(mail.walk())[:6] if part.kind.startswith("text/"))
    head = words.partition("copy of the message")[0][:8_000] + " " + mail.header("subject")
    status_match = STATUS.search(head)
    status = status_match[0] if status_match else ""
    hard = is_hard(status, "", head) if status else hard_by_words(head)
    return BounceInfo(address, hard, original, hard or not any_of("bounce_trying").search(head))


def delivery_status(text: str) -> tuple[str, str, str]:
    """Address, status and action of the first recipient that failed."""
    best = ("", "", "")
    for block in re.split(r"\r?\n\r?\n|\r\r", text)[:50]:
        fields = {match[1].lower(): " ".join(match[2].split()) for match in FIELD.finditer(block)}
        recipient = fields.get("original-recipient") or fields.get("final-recipient") or ""
        address = ADDRESS.search(recipient.partition(";")[2] or recipient)
        if not address:
            continue
        this = (address[0].lower(), fields.get("status", ""), fields.get("action", "").lower())
        if this[2] == "failed":
            return this
        best = best if best[0] else this
    return best


def is_hard(status: str, action: str, text: str) -> bool:
    match = STATUS.search(status)
    if action in GOING_ON:
        return False
    if match:
        return match[1] == "5" and (match[2], match[3]) != MAILBOX_FULL
    return action == "failed" or hard_by_words(text)


def hard_by_words(text: str) -> bool:
    if any_of("bounce_for_now").search(text):
        return False
    reply = REPLY.search(text)
    return bool(any_of("bounce_gone").search(text)) or (reply is not None and reply[1] == "5")


def original_message_id(mail: Part) -> str:
    """The Message-ID in the returned copy, or what the bounce refers to."""
    parts = list(mail.walk())
    for part in (
        *(part for part in parts if part.kind in COPIES),
        *(part for part in parts if part.kind == "text/plain"),
    ):
        if match := MESSAGE_ID.search(part.text(WORD_LIMIT)):
            return match[1]
    match = re.search(r"<[^<>\s]{1,200}>", mail.header("in-reply-to") or mail.header("references"))
    return match[0] if match else ""


def failed_address(mail: Part, settings: ParseSettings) -> str:
    """The address that failed, from headers, from flufl.bounce, from the text."""
    for name in ("x-failed-recipients", "x-actual-recipient", "final-recipient"):
        if named := ADDRESS.search(mail.header(name)):
            return named[0].lower()
    try:
        temporary, permanent = all_failures(email.message_from_bytes(mail.raw[:100_000]))
    except Exception:  # noqa: BLE001 - two dozen scanners for other people's formats; any may stumble
        temporary, permanent = frozenset(), frozenset()
    addresses = [
        address.decode("ascii", "replace") if isinstance(address, bytes) else str(address)
        for address in sorted(permanent) + sorted(temporary)
    ]
    for part in mail.walk():
        if part.kind == "text/plain":
            text = part.text(WORD_LIMIT)[:8_000]
            addresses += [match[0] for match in ADDRESS.finditer(text)]
            break
    senders = {box.address for box in mailboxes(mail, "from")}
    for address in addresses:
        address = address.lower().strip("<>")
        local = address.partition("@")[0]
        if (
            VALID.fullmatch(address)
            and not is_own(address, settings)
            and address not in senders
            and local != "postmaster"
        ):
            return address
    return ""
