"""The last reveal of a game: what others may be shown of a half-finished turn, and what `undo` goes back to, which is at
most one mail."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.play.replay import Reached, repeat, told_again
from pbem.play.table import MATCHES, Table, UnitOfWork
from pbem.protocol import Match, Seat, decision_of
from pbem.store import LoggedEvent, Version


@dataclass(frozen=True, slots=True)
class Revealed(Reached):
    """The state just after the last reveal."""

    #: Texts of the choices made since.
    since: tuple[str, ...] = ()
    #: The version that the reveal lies inside; 0 when it lies at the end of `parent`.
    inside: int = 0

    def shown(self, log: Sequence[LoggedEvent]) -> list[LoggedEvent]:
        """What of a game's log had happened by then."""
        inside = [event for event in log if event.version == self.inside]
        return [event for event in log if event.version <= self.parent] + inside[: len(self.happened)]


def last_mail(work: UnitOfWork, table: Table, number: int = 0) -> Revealed:
    """Go back from a version, by default the current one, over the choices of the newest mail that made any: to its
    beginning, or to the choice in it that revealed something last.

    Raises ReplayMismatch.
    """
    version = work.tx.version(table.game.id, number or table.game.version)
    while (earlier := continued(work, table, version)) and not version.added:  # what was taken back left no choices
        version = work.tx.version(table.game.id, version.parent or 0)
    kept = told_of(earlier, version) if earlier else len(version.added)
    since = tuple(str(choice[1]) for choice in version.added[kept:])
    if earlier is None or not since:
        return Revealed(MATCHES.get(table.rules, version), version.number)
    if not kept:
        return Revealed(earlier, version.parent or 0, since=since)
    match = earlier.fork()
    added = version.added[:kept]
    happened = [told for choice in added for told in told_again(table.rules, match, choice)]
    return Revealed(match, version.parent or 0, added, happened, since, version.number)


def last_reveal(work: UnitOfWork, table: Table) -> Revealed:
    """Go back from the current version to the choice that revealed something last, or to the start of the turn
    when nothing was.

    Raises ReplayMismatch.
    """
    revealed = last_mail(work, table)
    since = revealed.since
    while revealed.since and not revealed.inside:
        revealed = last_mail(work, table, revealed.parent)
        since = (*revealed.since, *since)
    return replace(revealed, since=since)


def continued(work: UnitOfWork, table: Table, version: Version) -> Match | None:
    """The match that a version continues by its choices; None for the first, and for what the moderator set."""
    if version.parent is None or version.cause == "rollback":
        return None
    return MATCHES.get(table.rules, work.tx.version(table.game.id, version.parent))


def told_of(earlier: Match, version: Version) -> int:
    """How many of a version's choices stand: up to the last that revealed something, ended a turn, or was
    somebody else's."""
    match = earlier.fork()
    kept = 0
    for number, choice in enumerate(version.added, start=1):
        before = (match.reveals, match.turn)
        own = choice[0] == match.actor
        repeat(match, choice)
        if not own or (match.reveals, match.turn) != before:
            kept = number
    return kept


def shown_to(work: UnitOfWork, table: Table, seat: Seat) -> tuple[Table, Revealed | None]:
    """The table as a seat may see it now: a half-finished turn of somebody else stays hidden."""
    if table.over or seat == table.match.actor or decision_of(table.match, seat):
        return table, None
    revealed = last_reveal(work, table)
    if not revealed.since:
        return table, None
    return replace(table, match=revealed.match), revealed
