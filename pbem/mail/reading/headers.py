"""What headers say: addresses, tokens, and what a trusted server found out about where a mail comes from."""

import re
from typing import Any, NamedTuple, cast

from authres import AuthenticationResultsHeader

from pbem.address import address_key
from pbem.mail.reading.charsets import header_text
from pbem.mail.reading.message import Part
from pbem.mail.reading.values import ParseSettings

#: An address in running text. Bounded on both sides, so that it costs linear time.
ADDRESS = re.compile(r"(?<![\w.+%-])[\w.+%=~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250})\b")
#: An addr-spec of RFC 5322, with a dot-atom or a quoted string before the @; letters of RFC 6532 as well.
VALID = re.compile(
    r"(?:\"(?:[^\"\\\x00-\x1f]|\\.){1,64}\"|[^\s@<>()\[\],;:\"\x00-\x1f]{1,64})@[^\s@<>()\[\],;:\"\x00-\x1f]{1,253}"
)
#: A comment, and what looks like one inside of quotation marks.
COMMENT = re.compile(r'("(?:[^"\\]|\\.)*"?)|\([^()]*(?:\)|$)')
MOST_NESTED = 4
#: A name, or an address without one; an address in angle brackets; what ends them.
BOX = re.compile(r'((?:"(?:[^"\\]|\\.)*"?|[^",;:<>]+)*)(<[^<>]*>?)?([,;:>]?)')
#: RFC 5322's obsolete route, `<@relay:a@example.org>`, and what programs take over from a link.
ROUTE = re.compile(r"^(?:@[^:\"]*|mailto):")


class Mailbox(NamedTuple):
    """One address as a header gives it."""

    name: str
    #: Lower case, with the A-label of its domain.
    address: str


def mailboxes(part: Part, *names: str) -> list[Mailbox]:
    """The addresses in all headers of these names; what is no address is left out. Linear, and never raises."""
    boxes: list[Mailbox] = []
    for raw in (value for header in names for value in part.all(header)):
        for _ in range(MOST_NESTED):
            raw = COMMENT.sub(r"\1", raw)
        for name, angle, end in BOX.findall(raw):
            if end == ":" and not angle:
                continue  # the name of a group
            if not angle and VALID.fullmatch(name.strip()):
                name, angle = "", name
            address = ROUTE.sub("", angle.strip("<> \t"))
            if VALID.fullmatch(address):
                text = header_text(name.replace('"', "").replace("\\", ""))
                boxes.append(Mailbox(" ".join(text.split()), address_key(address)))
    return boxes


def without_tag(address: str) -> str:
    """The address without `+TOKEN`."""
    local, at, domain = address.partition("@")
    return local.partition("+")[0] + at + domain


def folded_own(settings: ParseSettings) -> frozenset[str]:
    """Our addresses, lower case, without tags."""
    return frozenset(without_tag(address_key(address)) for address in settings.own_addresses)


def is_own(address: str, settings: ParseSettings) -> bool:
    """Whether an address is one of ours, with or without a token."""
    return without_tag(address_key(address)) in folded_own(settings)


def sender_of(mail: Part) -> str:
    """Who sent it: From; of several the one that is in Sender too; without any, Sender (RFC 5322, 3.6.2)."""
    authors = [box.address for box in mailboxes(mail, "from")]
    sender = [box.address for box in mailboxes(mail, "sender")]
    return next((address for address in authors if address in sender), (authors or sender or [""])[0])


#: Crockford's alphabet has no I, L, O and U; what people read for them is taken for what they mean.
SHAPE = r"[0-9A-HJKMNP-TV-Za-hjkmnp-tv-zILOilo]{8}"
#: Behind the token of a tapped link stands the mark of its decision.
BRACKETED = re.compile(rf"[\[［【(（]\s*({SHAPE})(?:\.([0-9A-Fa-f]{{4}}))?\s*[\]］】)）]")
WORD = re.compile(rf"(?<![\w@.-])({SHAPE})(?![\w@-])")
IN_MESSAGE_ID = re.compile(rf"(?:^|[^0-9A-Za-z])({SHAPE})(?=[^0-9A-Za-z]|$)")
MEANT = str.maketrans("ILO", "110")
#: Headers that may hold the address a mail was sent to, token and all.
RECIPIENTS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "apparently-to")
#: A tag that a gateway put behind what was typed in a subject: `[EXTERNAL]`, `*** SPAM ***`.
TAGS_BEHIND = re.compile(
    r"(?:\s*(?:[\[［【][^\[\]［］【】]{0,60}[\]］】]|\{[^{}]{0,60}\}|\*{2,}[^*]{1,40}\*{2,}|\((?:was|war|fwd?):[^()]*\)))+\s*$"
)


def is_mixed(token: str) -> bool:
    """Letters and digits both: what no ordinary word is."""
    return any(c.isdigit() for c in token) and any(c.isalpha() for c in token)


def bracketed(subject: str) -> list[re.Match[str]]:
    """What stands in brackets and may be a token, likelier ones first.

    Words of eight letters may be tokens too, but tags of gateways and lists look the same: `[EXTERNAL]`.
    """
    tokens = [token for token in BRACKETED.finditer(subject) if token[0][0] in "[［【" or is_mixed(token[1])]
    return sorted(tokens, key=lambda token: not follows_a_number(token, subject))


def follows_a_number(token: re.Match[str], subject: str) -> bool:
    """Whether it has digits, or stands behind some, as a token stands behind the game and the turn."""
    return is_mixed(token[1]) or any(c.isdigit() for c in subject[: token.start()])


def tokens_in(mail: Part, settings: ParseSettings) -> tuple[str, ...]:
    """Every candidate, best first: subject in brackets, our address, what it answers, a bare word of the subject."""
    subject = mail.header("subject")
    tokens = [match[1] for match in bracketed(subject)]
    own = folded_own(settings)
    for box in mailboxes(mail, *RECIPIENTS):
        tag = box.address.partition("@")[0].partition("+")[2]
        if without_tag(box.address) in own and re.fullmatch(SHAPE, tag):
            tokens.append(tag)
    domains = {address.rpartition("@")[2] for address in own}
    for name in ("in-reply-to", "references"):
        for identity in reversed(re.findall(r"<([^<>\s]{1,300})>", mail.header(name))):
            local, _, domain = identity.rpartition("@")
            if domain.lower() in domains:
                tokens += IN_MESSAGE_ID.findall(local)
    tokens += [match[1] for match in WORD.finditer(subject) if is_mixed(match[1])]
    return tuple(dict.fromkeys(token.upper().translate(MEANT) for token in tokens))[:20]


def mark_in(mail: Part) -> str:
    """The mark of the decision that a tapped link stood beside; empty in what is no tapped link."""
    return next((match[2].upper() for match in bracketed(mail.header("subject")) if match[2]), "")


def behind_token(subject: str) -> str:
    """What was typed in a subject behind the token; empty without a token."""
    tokens = [match for match in bracketed(subject) if follows_a_number(match, subject)]
    tokens += [match for match in WORD.finditer(subject) if is_mixed(match[1])]
    return TAGS_BEHIND.sub("", subject[tokens[0].end() :].lstrip(" :-–—)]")) if tokens else ""


#: RFC 8601, 2.2: the authserv-id, and perhaps a version, before the first result; comments are out already.
AUTHSERV_ID = re.compile(r'\s*"?([^\s";=]+)"?(?:\s+\d+)?\s*(?:;|$)')
#: Where a result says which domain it speaks of (RFC 8601, 2.7); Gmail gives no `header.d`, and `header.i` lies under it.
SPEAKS_OF = {"dmarc": ["header.from"], "dkim": ["header.d", "header.i"], "spf": ["smtp.mailfrom"]}


def authenticated(mail: Part, sender: str, trusted: str | None) -> bool | None:
    """Whether the trusted server says that the mail comes from the sender's domain; None when no server is trusted.

    Only its topmost header counts (RFC 8601, 5), and only a pass that is aligned; what cannot be read proves nothing.
    Nor does a result about a From of several addresses: it does not say which it speaks of (RFC 7489, 6.6.1).
    """
    if not trusted:
        return None
    if len({box.address for box in mailboxes(mail, "from")}) > 1:
        return False
    for value in mail.all("authentication-results"):
        bare = value
        for _ in range(MOST_NESTED):
            bare = COMMENT.sub(r"\1", bare)
        named = AUTHSERV_ID.match(bare)
        if named is None:
            return False  # nobody can tell whose it is
        if named[1].casefold() == trusted.casefold():
            return vouched(value.replace(f'"{named[1]}"', named[1], 1), sender.rpartition("@")[2])
    return False


def vouched(value: str, domain: str) -> bool:
    """Whether one result of a header passes for this domain, and DMARC does not fail."""
    try:
        header = cast(Any, AuthenticationResultsHeader).parse(f"Authentication-Results: {value.rstrip(' ;')}")
    except Exception:  # noqa: BLE001 - whatever it stumbles over, the header cannot be read
        return False
    passed = False
    for result in header.results:
        method, said = str(result.method).lower(), str(result.result).lower()
        if method == "dmarc" and said in ("fail", "permerror"):
            return False
        named = {f"{part.type}.{part.name}": str(part.value) for part in result.properties}
        of = next((named[name] for name in SPEAKS_OF.get(method, ()) if name in named), "")
        passed |= said == "pass" and is_aligned(of.rpartition("@")[2].lower(), domain)
    return passed


def is_aligned(where: str, domain: str) -> bool:
    """Whether one domain is the other or lies under it (RFC 7489, 3.1)."""
    return bool(where) and (where == domain or domain.endswith("." + where) or where.endswith("." + domain))
