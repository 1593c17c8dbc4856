"""What a mail is, before anybody reads what is typed in it, and what a bounce says.

A table of rules is tried in order. A rule only looks; mail that no rule claims was written by a person.
"""

import email
import logging
import os
import re
from collections.abc import Callable

from flufl.bounce import all_failures

from pbem.mail.reading.data import any_of
from pbem.mail.reading.headers import ADDRESS, VALID, is_own, mailboxes
from pbem.mail.reading.message import Part
from pbem.mail.reading.values import BounceInfo, Kind, ParseSettings

#: What programs wrote before RFC 3834 gave them Auto-Submitted, and some still write.
OLDER_HEADERS = (
    "x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply", "x-auto-respond", "x-autoreply-from",
    "x-mail-autoreply", "x-vacation", "x-ms-exchange-generated-message-source",
)  # fmt: skip
#: RFC 3834: a keyword other than "no", perhaps between comments.
AUTOMATIC = r"(?:\([^)]*\)|\s)*(?!no\b)\w"
#: What gateways and lists put before a subject: `[EXTERNAL]`.
TAGS = re.compile(r"\s*(?:\[[^\]]{1,40}\]\s*)+")
#: Types of parts, behind `message/`, that are reports.
REPORTS = frozenset(("delivery-status", "global-delivery-status", "disposition-notification"))
#: Actions of RFC 3464 after which the mail has arrived, or may still.
ARRIVED = frozenset(("delivered", "relayed", "expanded"))
GOING_ON = ARRIVED | {"delayed"}

Rule = Callable[[Part, ParseSettings], bool]


def senders(mail: Part) -> list[str]:
    """The addresses in From, or else in Sender."""
    return [box.address for box in mailboxes(mail, "from") or mailboxes(mail, "sender")]


def reports_in(mail: Part) -> set[str]:
    """What a mail reports (RFC 6522), by its report-type and by the types of its parts; empty for other mail."""
    reports = {part.kind.removeprefix("message/") for part in (mail, *mail.parts)} & REPORTS
    if mail.kind == "multipart/report":
        reports.add(mail.parameters.get("report-type", "").lower() or "delivery-status")
    return reports


def is_ours(mail: Part, settings: ParseSettings) -> bool:
    """Our own address is in From, or in a header against loops."""
    addresses = senders(mail)[:1] + [box.address for box in mailboxes(mail, "x-loop")]
    return any(is_own(address, settings) for address in addresses)


def is_delivery_receipt(mail: Part, settings: ParseSettings) -> bool:
    """A delivery report that says it went well."""
    actions = actions_in(mail)
    return "delivery-status" in reports_in(mail) and bool(actions) and actions <= ARRIVED


def is_bounce(mail: Part, settings: ParseSettings) -> bool:
    """A report of RFC 3464, or a daemon's own words. Before auto-reply: bounces are auto-submitted too."""
    if reports_in(mail) & {"delivery-status", "global-delivery-status"} or mail.all("x-failed-recipients"):
        return True
    return is_from_daemon(mail) and not is_absence(mail, settings)


def is_from_daemon(mail: Part) -> bool:
    """Whether From names a mail system."""
    daemons = any_of("daemons")
    return any(map(daemons.search, mail.all("from"))) or any(map(daemons.match, senders(mail)))


def is_sent_by_daemon(mail: Part) -> bool:
    """Whether the topmost Return-Path, which our own server wrote, is empty (RFC 5321, 4.5.5) or that of a mail system;
    where there is none, From is that of one."""
    paths = mail.all("return-path")
    return (
        not (path := paths[0].strip("<> \t")) or bool(any_of("daemons").match(path)) if paths else is_from_daemon(mail)
    )


def is_receipt(mail: Part, settings: ParseSettings) -> bool:
    """RFC 8098 says so."""
    return bool(reports_in(mail) & {"disposition-notification", "mail-receipt"})


def is_other_report(mail: Part, settings: ParseSettings) -> bool:
    """Feedback reports and whatever else comes as a report."""
    return mail.kind == "multipart/report"


def is_absence(mail: Part, settings: ParseSettings) -> bool:
    """The subject says that nobody is there."""
    subject = mail.header("subject")
    return any(any_of("absence").match(text) for text in (subject, TAGS.sub("", subject, 1)))


def is_robot(mail: Part, settings: ParseSettings) -> bool:
    """An address that nobody reads."""
    return any(any_of("robots").match(address) for address in senders(mail)[:1])


def says(pattern: str, *names: str) -> Rule:
    """A rule for mail in which one of these headers begins so."""
    begins = re.compile(pattern, re.IGNORECASE)
    return lambda mail, settings: any(begins.match(value) for name in names for value in mail.all(name))


#: What each rule says a mail is, and why, for the moderator. Tried in order.
RULES: tuple[tuple[Rule, Kind, str], ...] = (
    (is_ours, "loop", "our own mail came back"),
    (is_delivery_receipt, "receipt", "a delivery receipt"),
    (is_bounce, "bounce", "a mail of ours could not be delivered"),
    (is_receipt, "receipt", "a read receipt"),
    (is_other_report, "receipt", "a report of a mail system"),
    (says("yes", "x-spam-flag"), "bulk", "X-Spam-Flag says that it is spam"),
    (says(AUTOMATIC, "auto-submitted"), "auto-reply", "Auto-Submitted says that a machine wrote it"),
    (says(r"(?!(?:no|false)$).", *OLDER_HEADERS), "auto-reply", "a header says that it is an automatic reply"),
    (says("auto[-_]?reply$", "precedence"), "auto-reply", "Precedence says that it is an automatic reply"),
    (is_absence, "auto-reply", "the subject is that of an absence notice"),
    (says("(?:bulk|junk)$", "precedence"), "bulk", "Precedence says that it was sent in bulk"),
    (says("list-unsubscribe=one-click", "list-unsubscribe-post"), "bulk", "it can be unsubscribed from (RFC 8058)"),
    (says("<>$", "return-path"), "auto-reply", "the return path is empty"),
    (is_robot, "auto-reply", "the sender is an address that nobody reads"),
)


def machine_kind(mail: Part, settings: ParseSettings) -> tuple[Kind, str] | None:
    """The kind of a mail that a machine wrote, and why; None when a person wrote it."""
    return next(((kind, reason) for rule, kind, reason in RULES if rule(mail, settings)), None)


#: A status code of RFC 3463, or an SMTP reply code before text.
STATUS = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")
#: Those that speak of the recipient: there is no such mailbox, or it takes no mail. Any other may be about us.
OF_RECIPIENT = frozenset({"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"})
STATUS_FIELD = re.compile(rf"^status:\s*{STATUS.pattern}", re.IGNORECASE | re.MULTILINE)
REPLY = re.compile(r"(?<![\d.])([45])\d\d[ -]")
ACTION = re.compile(r"^action:\s*(\w+)", re.IGNORECASE | re.MULTILINE)
MESSAGE_ID = re.compile(r"^message-id:\s*(<[^>\s]{1,200}>)", re.IGNORECASE | re.MULTILINE)
#: Types in which a mail comes back, whole or its headers alone.
COPIES = ("message/rfc822", "text/rfc822-headers", "message/global", "message/rfc822-headers")
#: Characters of a part, and of a bounce in words, that are looked at.
LOOK_AT = 60_000
LOOK_AT_WORDS = 8_000
# A detector that stumbles over a broken bounce is no news to the moderator.
logging.getLogger("flufl.bounce").addHandler(logging.NullHandler())
logging.getLogger("flufl.bounce").propagate = False


def bounce_info(mail: Part, settings: ParseSettings) -> BounceInfo:
    """Read a mail known to be a bounce."""
    report, actions = delivery_report(mail), actions_in(mail)
    words = " ".join(part.text(LOOK_AT) for part in list(mail.walk())[:6] if part.kind.startswith("text/"))
    text = f"{report} {words.partition('copy of the message')[0][:LOOK_AT_WORDS]} {mail.header('subject')}"
    given_up = not actions <= GOING_ON if actions else not any_of("bounce_trying").search(text)
    hard = (given_up or not actions) and is_hard(STATUS_FIELD.search(report) or STATUS.search(text), text)
    return BounceInfo(
        failed_address(mail, settings), hard, original_message_id(mail), hard or given_up, is_sent_by_daemon(mail)
    )


def delivery_report(mail: Part) -> str:
    """What a server reports of each recipient (RFC 3464); empty without a report."""
    return next((part.text(LOOK_AT) for part in mail.walk() if part.kind.endswith("delivery-status")), "")


def actions_in(mail: Part) -> set[str]:
    """What a report says to have been done about its recipients."""
    return {action.lower() for action in ACTION.findall(delivery_report(mail))}


def is_hard(status: re.Match[str] | None, text: str) -> bool:
    """Whether it says that there is no such recipient: by the status, else by the words of the text."""
    if status:
        return status[1] in OF_RECIPIENT
    reply = REPLY.search(text)
    gone = any_of("bounce_gone").search(text) is not None or (reply is not None and reply[1] == "5")
    return gone and any_of("bounce_for_now").search(text) is None


def original_message_id(mail: Part) -> str:
    """The Message-ID in the returned copy, or what the bounce refers to."""
    parts = list(mail.walk())
    copies = [part for part in parts if part.kind in COPIES] + [part for part in parts if part.kind == "text/plain"]
    named = (match[1] for part in copies if (match := MESSAGE_ID.search(part.text(LOOK_AT))))
    referred = re.search(r"<[^<>\s]{1,200}>", mail.header("in-reply-to") or mail.header("references"))
    return next(named, referred[0] if referred else "")


def failed_address(mail: Part, settings: ParseSettings) -> str:
    """The address that failed, from flufl.bounce, from the report, from the text."""
    try:
        temporary, permanent = all_failures(email.message_from_bytes(mail.raw[:100_000]))
    except Exception:  # noqa: BLE001 - two dozen scanners for other people's formats; any may stumble
        temporary, permanent = frozenset(), frozenset()
    scanned = [os.fsdecode(address) for address in sorted(permanent) + sorted(temporary)]
    text = next((part.text(LOOK_AT)[:LOOK_AT_WORDS] for part in mail.walk() if part.kind == "text/plain"), "")
    for address in ADDRESS.findall("\n".join((*scanned, delivery_report(mail), text)).lower()):
        is_sender = is_own(address, settings) or address in senders(mail)
        if not is_sender and VALID.fullmatch(address) and address.partition("@")[0] != "postmaster":
            return str(address)
    return ""
