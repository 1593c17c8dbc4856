"""The numbered points between fetch and send at which a process may die, and others like them.

Points 1 to 4 lie in `pbem.server.daemon`, 5 to 7 in `pbem.server.outbox`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy.engine.default import DefaultDialect

from pbem.mail.wire.imap import Mailbox
from pbem.mail.wire.smtp import Sender
from pbem.server import daemon
from pbem.store import Tx

Die = Callable[[], None]


def before(function: Callable[..., Any], die: Die) -> Callable[..., Any]:
    """Die rather than call the function."""

    def dies(*arguments: Any, **named: Any) -> Any:
        die()
        return function(*arguments, **named)

    return dies


def after(function: Callable[..., Any], die: Die) -> Callable[..., Any]:
    """Call the function, then die."""

    def dies(*arguments: Any, **named: Any) -> Any:
        result = function(*arguments, **named)
        die()
        return result

    return dies


def after_await(function: Callable[..., Awaitable[Any]], die: Die) -> Callable[..., Awaitable[Any]]:
    """Await the function, then die."""

    async def dies(*arguments: Any, **named: Any) -> Any:
        result = await function(*arguments, **named)
        die()
        return result

    return dies


Point = tuple[Any, str, Callable[[Any, Die], Any]]

#: What is wrapped at each numbered point, and how.
NUMBERED: dict[str, Point] = {
    "1: fetched, nothing recorded": (daemon, "handle", before),
    "2: committed": (daemon, "handle", after),
    "3: nothing is put away": (Mailbox, "done", before),
    "4: marked as seen, not moved": (Mailbox, "_move", before),
    "4: put away": (Mailbox, "done", after_await),
    "5: leased, not sent": (Sender, "send", before),
    "6: sent, not marked": (Sender, "send", after_await),
    "7: sent, not marked, in the transaction": (Tx, "mark_sent", after),
}
#: Where a process passes often.
FREQUENT: dict[str, Point] = {
    "before a statement": (DefaultDialect, "do_execute", before),
    "before a commit": (DefaultDialect, "do_commit", before),
    "after a commit": (DefaultDialect, "do_commit", after),
    "before an IMAP command": (Mailbox, "_uid", before),
    "after an IMAP command": (Mailbox, "_uid", after_await),
    "before the bytes of a mail": (Sender, "_data", before),
    "while mails are leased": (Tx, "lease", after),
}
POINTS = NUMBERED | FREQUENT


def arm(name: str, die: Die, setattr: Callable[[Any, str, Any], None] = setattr) -> None:
    """Have `die` called whenever the point is passed."""
    where, attribute, how = POINTS[name]
    setattr(where, attribute, how(getattr(where, attribute), die))
