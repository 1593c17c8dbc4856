"""The promises about a group: nothing shows before its last answer, and then the order of the answers did not matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pbem.protocol import Decision, Event, Option, Seat
from pbem.testing import storing
from pbem.testing.promises import APART, difference, excerpt

if TYPE_CHECKING:
    from pbem.testing.trial import Trial


class Group:
    """An open group, from its first answer on."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        #: The match before the first answer.
        self.begun = trial.match.fork()
        self.order = [decision.seat for decision in trial.match.pending]
        self.made = len(trial.made)
        self.recorded = len(trial.match.choices())

    def closed_by(
        self, seat: Seat, pending: Sequence[Decision], before: Mapping[str, str], events: Sequence[Event]
    ) -> bool:
        """Whether this answer, which was just given, was the last; `pending` and `before` are of the time before it."""
        trial, still = self.trial, [decision.seat for decision in self.trial.match.pending]
        after = trial.state(trial.match)
        public = {name: part for name, part in before.items() if name not in APART}
        told = difference(public, after) or (f"the event {events[0].kind} was told" if events else "")
        if len(pending) > 1:
            if told:
                raise trial.broken(
                    "Until a group closes nothing of its answers shows: not in views, events or `reveals`.",
                    told,
                )
            others = [decision.seat for decision in pending if decision.seat != seat]
            if [one for one in still if one != seat] != others:
                raise trial.broken(
                    "An answer in a group changes nothing for the other seats that are asked.",
                    f"asked were {others}, and now {still}",
                )
            return False
        if not told and still == [seat]:
            return False
        if after["reveals"] == before["reveals"]:
            raise trial.broken("Closing a group counts as a reveal.", f"`reveals` stays {after['reveals']}")
        self._in_another_order(events, after)
        return True

    def _in_another_order(self, events: Sequence[Event], after: Mapping[str, str]) -> None:
        """Give the same answers once more, the last seat first."""
        trial, promise = self.trial, "The order in which the seats of a group answer changes nothing."
        told: Sequence[Event] = []
        for seat, text in sorted(
            trial.made[self.made :], key=lambda answer: -self.order.index(Seat(answer[0]))
        ):
            told = self.begun.choose(Seat(seat), Option(text))
        trial.same(promise, after, self.begun)
        recorded, again = storing.complete(trial)[self.recorded :], self.begun.choices()
        for one, other in ((events, told), (recorded, again)):
            if str(one) != str(other):
                raise trial.broken(promise, excerpt(str(one), str(other)))
        places = [self.order.index(Seat(seat)) for seat, _, _ in recorded]
        if places != sorted(places):
            raise trial.broken(
                "choices() holds those of a closed group seat by seat, in the order of the group.",
                f"{recorded}",
            )
