"""How a game stands where something was revealed last: what others may be shown of a half-finished turn, and
what `undo` goes back to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pbem.errors import ReplayMismatch
from pbem.office import MATCHES, Office, Table
from pbem.protocol import Event, Match, Seat
from pbem.store import LoggedEvent, Version


@dataclass(frozen=True, slots=True)
class Revealed:
    """The state just after the last reveal, and how it hangs on the stored versions."""

    match: Match
    #: The version it continues, with the choices from there to the reveal, and what came of them.
    parent: int
    added: list[list[Any]]
    events: list[Event]
    #: Texts of the choices made since.
    since: tuple[str, ...]
    #: The version that the reveal lies inside; 0 when it lies at the end of `parent`.
    inside: int = 0

    def shows(self, event: LoggedEvent, place: int) -> bool:
        """Whether an event, the so many-th of its version, had happened by then."""
        return event.version <= self.parent or (event.version == self.inside and place < len(self.events))


def last_reveal(office: Office, table: Table) -> Revealed:
    """Go back from the current version to the choice that revealed something last, or to the start of the turn
    when nothing was; the choices since can be taken back.

    Raises ReplayMismatch.
    """
    goal = table.match
    version = office.tx.version(table.game.id, table.game.version)
    since: list[str] = []
    while True:
        earlier = continued(office, table, version)
        if earlier is None:
            return Revealed(MATCHES.get(table.rules, version), version.number, [], [], tuple(since))
        if reached(earlier, goal):
            since = [str(choice[1]) for choice in version.added] + since
            version = office.tx.version(table.game.id, version.parent or 0)
            continue
        return replayed(earlier, goal, version, since)


def reached(match: Match, goal: Match) -> bool:
    """Whether nothing was revealed between the two."""
    return match.reveals == goal.reveals and match.turn == goal.turn


def continued(office: Office, table: Table, version: Version) -> Match | None:
    """The match that a version continues by its choices; None for the first, and for what the moderator set."""
    if version.parent is None or version.cause == "rollback":
        return None
    return MATCHES.get(table.rules, office.tx.version(table.game.id, version.parent))


def replayed(earlier: Match, goal: Match, version: Version, since: list[str]) -> Revealed:
    """Make the choices of a version again, up to the one that revealed something last."""
    again = earlier.fork()
    events: list[Event] = []
    made = 0
    while made < len(version.added) and not reached(again, goal):
        text = str(version.added[made][1])
        option = again.decision.option(text) if again.decision else None
        if option is None:
            raise ReplayMismatch(f"version {version.number} does not follow from version {version.parent}")
        events += again.choose(option)
        made += 1
    rest = [str(choice[1]) for choice in version.added[made:]]
    if not rest:
        return Revealed(again, version.number, [], [], tuple(since))
    added = [list(choice) for choice in version.added[:made]]
    return Revealed(again, version.parent or 0, added, events, tuple(rest + since), version.number)


def shown_to(office: Office, table: Table, seat: Seat) -> tuple[Table, Revealed | None]:
    """The table as a seat may see it now: a half-finished turn of somebody else stays hidden."""
    decision = table.match.decision
    if decision is None or seat in (table.match.actor, decision.seat):
        return table, None
    revealed = last_reveal(office, table)
    if not revealed.since:
        return table, None
    return replace(table, match=revealed.match), revealed
