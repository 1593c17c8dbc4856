"""Tokens: eight characters of Crockford's base 32 that say which question a mail answers."""

from __future__ import annotations

import re

from pbem.mail.reading.addresses import without_tag
from pbem.mail.reading.message import Part
from pbem.mail.reading.values import Reading

#: Crockford's alphabet has no I, L, O and U; what people read for them is taken for what they mean.
SHAPE = r"[0-9A-HJKMNP-TV-Za-hjkmnp-tv-zILOilo]{8}"
BRACKETED = re.compile(rf"[\[［【(（]\s*({SHAPE})\s*[\]］】)）]")
WORD = re.compile(rf"(?<![\w@.-])({SHAPE})(?![\w@-])")
IN_MESSAGE_ID = re.compile(rf"(?:^|[^0-9A-Za-z])({SHAPE})(?=[^0-9A-Za-z]|$)")
MEANT = str.maketrans("ILO", "110")


def canonical(token: str) -> str:
    """The token as it is stored: upper case, look-alikes replaced."""
    return token.upper().translate(MEANT)


def is_mixed(token: str) -> bool:
    """Letters and digits both: what no ordinary word is."""
    return any(c.isdigit() for c in token) and any(c.isalpha() for c in token)


def bracketed(subject: str) -> list[re.Match[str]]:
    """What stands in brackets and may be a token, likelier ones first.

    Words of eight letters may be tokens too, but tags of gateways and lists look the same: `[EXTERNAL]`.
    """
    found = [one for one in BRACKETED.finditer(subject) if one[0][0] in "[［【" or is_mixed(one[1])]
    return sorted(found, key=lambda one: not follows_a_number(one, subject))


def follows_a_number(token: re.Match[str], subject: str) -> bool:
    """Whether it has digits, or stands behind some, as a token stands behind the game and the turn."""
    return is_mixed(token[1]) or any(c.isdigit() for c in subject[: token.start()])


def tokens_of(mail: Part, reading: Reading) -> tuple[str, ...]:
    """Every candidate, best first: subject in brackets, our address, what it answers, a bare word of the subject."""
    subject = mail.header("subject")
    found = [match[1] for match in bracketed(subject)]
    own = {without_tag(address).lower() for address in reading.own_addresses}
    boxes = mail.mailboxes(
        "to", "cc", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "apparently-to"
    )
    for box in boxes:
        if without_tag(box.address) in own:
            tag = box.address.partition("@")[0].partition("+")[2]
            if re.fullmatch(SHAPE, tag):
                found.append(tag)
    domains = {address.rpartition("@")[2] for address in own}
    for name in ("in-reply-to", "references"):
        for identity in reversed(re.findall(r"<([^<>\s]{1,300})>", mail.header(name))):
            local, _, domain = identity.rpartition("@")
            if domain.lower() in domains:
                found += IN_MESSAGE_ID.findall(local)
    found += [match[1] for match in WORD.finditer(subject) if is_mixed(match[1])]
    return tuple(dict.fromkeys(canonical(token) for token in found))[:20]


def behind_token(subject: str) -> str:
    """What stands in a subject behind the token; empty without a token."""
    last = next((match for match in bracketed(subject) if follows_a_number(match, subject)), None)
    if last is None:
        last = next((match for match in WORD.finditer(subject) if is_mixed(match[1])), None)
    return subject[last.end() :].lstrip(" :-–—)]") if last else ""
