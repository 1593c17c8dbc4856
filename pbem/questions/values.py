"""The answer to a question, as a value."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.protocol import Entry, Finding, Untold


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question is answered with."""

    #: `position`: the asker's view says it; `procedure`: a custom of the server; `chat`: nothing about the game is asked;
    #: `unanswerable`: nobody may or can say; else the kind of the entry that answers, such as `rule` or `card`.
    kind: str
    #: The answer, and the nearest others; behind a finding the rules that it rests on, and others near it.
    entries: tuple[Entry, ...] = ()
    #: What was found out about the position.
    finding: Finding | None = None
    #: Why it is not answered; the entries are the rules that say so.
    untold: Untold | None = None
    #: The rule that the answer rests on, unless it is the answer itself.
    rule: Entry | None = None

    @property
    def others(self) -> tuple[Entry, ...]:
        """The nearest other answers."""
        told = self.entries[:1] if not (self.finding or self.untold) else ()
        return tuple(entry for entry in self.entries if entry not in (*told, self.rule))
