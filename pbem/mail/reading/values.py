"""What reading a mail needs to know, and what it yields: plain values and nothing else."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

#: What a mail is. `rejected` and `duplicate` need seats and a history, so they are decided by the pipeline.
Kind: TypeAlias = Literal[
    "orders", "empty", "unsupported", "auto-reply", "bounce", "receipt", "bulk", "loop", "oversize"
]

#: Mail that a machine wrote: never answered, never holds orders.
MACHINE_KINDS: frozenset[str] = frozenset({"auto-reply", "bounce", "receipt", "bulk", "loop"})


@dataclass(frozen=True, slots=True)
class ParseSettings:
    """What is known beforehand about the mail to be read."""

    #: The addresses the game writes from, without any `+TOKEN`.
    own_addresses: tuple[str, ...] = ()
    #: Every word an order line may begin with, lower case; those of `alone` and `free` included.
    words: frozenset[str] = frozenset()
    #: Words that take nothing and so count only when they stand alone: `end`, `undo`.
    alone: frozenset[str] = frozenset()
    #: Words followed by free text, which is not split into several orders: `tell`.
    free: frozenset[str] = frozenset()
    #: The lines round the section to fill in at the end of each report.
    begin_marker: str = "==== ORDERS START ===="
    end_marker: str = "==== ORDERS END ===="
    #: The authserv-id whose Authentication-Results are believed; None to believe none.
    trusted_authserv_id: str | None = None
    #: A mail larger than this is `oversize`, and not read at all.
    max_bytes: int = 30_000_000


@dataclass(frozen=True, slots=True)
class Fetched:
    """A mail in the inbox."""

    uid: int
    uidvalidity: int
    #: Its size in bytes, as the server counts.
    size: int
    #: The mail; only its headers when it is larger than is read; None when the server cannot hand it out.
    raw: bytes | None
    #: Whether `raw` holds headers only, because of the size.
    oversize: bool = False


@dataclass(frozen=True, slots=True)
class BounceInfo:
    """What a bounce says."""

    #: The address that could not be reached; empty when the bounce does not say.
    address: str
    #: True when trying again will not help.
    hard: bool
    #: The Message-ID, with its angle brackets, of the mail of ours that came back; empty when not given.
    original_message_id: str
    #: Whether no server goes on trying to deliver that mail.
    given_up: bool = True
    #: Whether it was sent as mail systems send bounces: without an address to answer to, or by a daemon.
    from_daemon: bool = False


class Typed(NamedTuple):
    """A line of the player's own."""

    #: As typed, without list marks and emphasis when it is an order; inner blanks collapsed.
    text: str
    #: `order`: it begins like one. `withdrawn`: it was struck out, or is the box that was not ticked. Else `chat`.
    kind: Literal["order", "chat", "withdrawn"]


@dataclass(frozen=True, slots=True)
class ParsedMail:
    """What a mail says. Nothing here is trusted yet: who may do what is decided by the pipeline."""

    kind: Kind
    #: The address of who sent it, lower case; empty when there is none.
    sender: str
    #: The order lines, in order, as typed, inner blanks collapsed; only for kind `orders`.
    orders: tuple[str, ...] = ()
    #: Lines typed by the player that are no orders, signature and quotes excluded.
    chat: tuple[str, ...] = ()
    #: All of these in the order written, and those that were withdrawn; only when the text can be read.
    typed: tuple[Typed, ...] = ()
    #: Token candidates, canonical (upper case, Crockford), best first: subject, address, In-Reply-To, References.
    tokens: tuple[str, ...] = ()
    #: Of the decision that a tapped link stood beside (`pbem.orders.marks`); empty in what was not tapped.
    mark: str = ""
    #: With its angle brackets; empty when the mail has none.
    message_id: str = ""
    subject: str = ""
    #: Addresses in To, Cc and Bcc, and in those of RFC 5322, 3.6.6, that are neither ours nor the sender's.
    third_parties: tuple[str, ...] = ()
    #: Whether all that it says stands behind marks of a list, or of a quote.
    all_marked: bool = False
    #: Whether a filter on its way took it for spam (X-Spam-Flag).
    marked_spam: bool = False
    #: Whether a mailing list put itself into From, so that nobody is proven to have sent it.
    via_list: bool = False
    #: SHA-256 of the body, hexadecimal; with the Message-ID it recognises a mail seen before.
    digest: str = ""
    bounce: BounceInfo | None = None
    #: Whether the trusted server vouches for the sender's domain; None when none is trusted.
    authenticated: bool | None = None
    #: Why it is this kind, in a few words for the moderator.
    reason: str = ""
