"""One match, played from its set-up to its end, with every promise looked at on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from pbem.protocol import Event, Game, HasBot, Match, Option, Seat
from pbem.reports.samples import Samples
from pbem.testing import decisions, storing
from pbem.testing.groups import Group
from pbem.testing.letters import Letters
from pbem.testing.promises import (
    Played,
    PromiseBroken,
    canonical,
    difference,
    not_jsonable,
    place_of,
    shown,
    source_of,
    state,
)


class Memory:
    """What all trials of a game have in common."""

    def __init__(self, game: Game, letters: Letters | None) -> None:
        self.game = game
        self.letters = letters
        #: The keys of the events of each kind, and of views.
        self.keys: dict[str, list[str]] = {}
        #: The option texts whose reading was tried.
        self.read: set[str] = set()
        #: The numbers of seats for which every kind of mail was written.
        self.worded: set[int] = set()
        self.choices = 0


class Trial:
    """One match of a game, played at random or by its bot.

    `thorough` says whether storing, forking and secrets are tried at every decision, or only what is cheap; `most` is
    the number of choices after which a match must have ended.
    """

    def __init__(
        self, memory: Memory, played: Played, *, bot: bool = False, thorough: bool = True, most: int = 5_000
    ) -> None:
        self.memory, self.game = memory, memory.game
        self.seats, self.settings, self.seed = played.seats, dict(played.settings), played.seed
        self.bot, self.thorough, self.most = bot, thorough, most
        self.made: list[tuple[int, str]] = []
        self.events: list[Event] = []
        #: A digest of all that was shown after the set-up and after each choice.
        self.trace: list[str] = []
        self.samples = Samples(self.game, self.seats)
        try:
            self.match = self.new()
        except Exception as error:
            raise self.failed(error) from error
        #: What was shown when the turn began, and the choices since.
        self.turn_state: dict[str, str] = {}
        self.turn_choices: list[tuple[int, str]] = []
        #: The open group, if there is one.
        self.group: Group | None = None

    def new(self) -> Match:
        """The match before its first choice."""
        return self.game.new(self.seats, self.seed, self.settings)

    # Telling what is wrong

    @property
    def played(self) -> Played:
        """The match as far as it was played."""
        return Played(self.seats, self.settings, self.seed, tuple(self.made))

    def broken(self, promise: str, seen: str, *, by: object = None) -> PromiseBroken:
        """A promise that this match (or another part of the game) does not keep at this point."""
        return PromiseBroken(promise, seen, played=self.played, file=source_of(by or self.match))

    def failed(self, error: Exception) -> PromiseBroken:
        """The promise that an error breaks that was raised on the way."""
        if not isinstance(error, PromiseBroken):
            return PromiseBroken(
                "What the protocol allows raises no error.",
                f"{type(error).__name__}: {error}",
                played=self.played,
                file=place_of(error),
            )
        return PromiseBroken(error.promise, error.seen, played=error.played or self.played, file=error.file)

    def same(self, promise: str, before: Mapping[str, str], match: Match) -> None:
        """A match is in a state."""
        if found := difference(before, self.state(match)):
            raise self.broken(promise, found)

    def state(self, match: Match) -> dict[str, str]:
        """All that can be compared of a match of this table."""
        return state(match, self.seats)

    def jsonable(self, what: str, value: Any) -> None:
        """A value survives being stored as JSON."""
        if bad := not_jsonable(value):
            raise self.broken(f"{what} holds JSON-able values with text as keys.", bad)

    # Playing

    def play(self) -> None:
        """Play to the end, or to the most choices that a match may take.

        Raises PromiseBroken.
        """
        try:
            self._begin()
            while self.match.pending and len(self.made) < self.most:
                self._step()
            if not self.match.pending:
                self._end()
        except Exception as error:
            raise self.failed(error) from error

    def _begin(self) -> None:
        opening = list(self.match.opening())
        began = self._told(opening)
        if not began:
            raise self.broken(
                "Every turn begins with the event TurnBegan; the first one is told in the opening.",
                f"the opening tells {[event.kind for event in opening]}",
            )
        self._turn(began, 0)
        if self.thorough:
            self.same("The same seed makes the same match.", self.state(self.match), self.new())
        self._look(opening)

    def _step(self) -> None:
        before = self.state(self.match)
        for decision in self.match.pending:
            decisions.look(self, decision)
        if not self.made:
            self._word()
        if self.thorough:
            if not self.made:
                self._hurry()
            storing.look(self, before)
            decisions.refuse(self)
            decisions.parts(self)
            self.same("Looking, storing, forking and refused choices change nothing.", before, self.match)
        self._take(*self._picked(self.match, len(self.made)), before)

    def _hurry(self) -> None:
        """Make all the choices of this match without a look at anything: one that never ends is found soon."""
        match = self.new()
        made: list[tuple[int, str]] = []
        while match.pending and len(made) < self.most:
            seat, option = self._picked(match, len(made))
            made.append((seat, option.text))
            try:
                match.choose(seat, option)
            except Exception as error:
                self.made = made
                raise self.failed(error) from error
        if match.pending:
            raise self.broken("A match comes to an end.", f"it goes on after {self.most} choices")

    def _picked(self, match: Match, made: int) -> tuple[Seat, Option]:
        """A seat that is asked and its answer, by chance or by the bot."""
        chance = sha256(self.seed + made.to_bytes(4, "big")).digest()
        pending = match.pending
        decision = pending[int.from_bytes(chance[:4], "big") % len(pending)]
        if self.bot and isinstance(self.game, HasBot):
            return decision.seat, decisions.bots(self, self.game, match, decision, chance)
        return decision.seat, decision.options[int.from_bytes(chance[4:8], "big") % len(decision.options)]

    def _take(self, seat: Seat, option: Option, before: Mapping[str, str]) -> None:
        match = self.match
        pending, turn, reveals, actor = match.pending, match.turn, match.reveals, match.actor
        beside, twin = (match.fork(), match.fork()) if self.thorough else (None, None)
        if self.group is None and len(pending) > 1:
            self.group = Group(self)
        events = list(match.choose(seat, option))
        self.made.append((seat, option.text))
        self.turn_choices.append((seat, option.text))
        self.memory.choices += 1
        if match.reveals < reveals:
            raise self.broken("`reveals` only grows.", f"it went from {reveals} to {match.reveals}")
        began = self._told(events)
        if began:
            self._turn(began, turn)
        elif (match.turn, match.actor) != (turn, actor):
            raise self.broken(
                "Every turn begins with the event TurnBegan; without it neither `turn` nor `actor` changes.",
                f"turn {turn} of {actor} became turn {match.turn} of {match.actor}, told by "
                f"{[event.kind for event in events]}",
            )
        if beside is not None and twin is not None:
            self.same("A fork does not change when its match goes on.", before, beside)
            twin.choose(seat, option)
            promise = "The same choice leads from the same state to the same match."
            self.same(promise, self.state(match), twin)
        if self.group is not None and self.group.closed_by(seat, pending, before, events):
            self.group = None
        self._look(events)

    def _end(self) -> None:
        result = self.match.result
        assert result is not None
        if len(set(result.winners)) != len(result.winners) or not set(result.winners) <= set(
            range(self.seats)
        ):
            raise self.broken("The winners are seats of the match, each once.", f"{result.winners}")
        if len(result.scores) != self.seats:
            raise self.broken("A result has a score a seat.", f"{result.scores}")
        self.jsonable("A result", {"scores": result.scores, "details": result.details})
        if len(result.details.get("seats", ())) not in (0, self.seats):
            raise self.broken(
                "`seats` in the details of a result holds a mapping a seat.", f"{result.details}"
            )
        if self.thorough:
            storing.look_back(self)
        self._word()

    def _word(self) -> None:
        """Mails with all that happened: a report at the end, and for the first match of a size all other kinds too."""
        complete = self.seats not in self.memory.worded
        if self.memory.letters is not None and (complete or self.match.result is not None):
            self.memory.letters.tell(self.samples, self.match, self.events, complete=complete)
            if self.match.result is not None:
                self.memory.worded.add(self.seats)

    # What is looked at after every choice

    def _look(self, events: Sequence[Event]) -> None:
        match = self.match
        pending = match.pending
        if bool(pending) == (match.result is not None):
            raise self.broken(
                "A match has a result when nothing is pending, and only then.",
                f"{len(pending)} decisions are pending, and the result is {match.result!r}",
            )
        seats = [decision.seat for decision in pending]
        if len(set(seats)) != len(seats) or not set(seats) <= set(range(self.seats)):
            raise self.broken("Each seat of the match has at most one pending decision.", f"asked: {seats}")
        for reader in (None, *map(Seat, range(self.seats))):
            view = match.view(reader)
            self.jsonable("A view", view)
            self._same_keys("view", "Every view has the same keys, the public one too.", view)
        for decision in match.forced:
            if len(decision.options) != 1:
                raise self.broken("`forced` holds decisions with one option.", f"{decision.options}")
        told = [[event.kind, event.data, event.private and sorted(event.private.items())] for event in events]
        seen = [shown(match, self.seats), match.digest(), match.reveals, told]
        self.trace.append(sha256(canonical(seen).encode()).hexdigest())

    def _same_keys(self, what: str, promise: str, values: Mapping[str, Any]) -> None:
        known = self.memory.keys.setdefault(what, sorted(values))
        if sorted(values) != known:
            raise self.broken(promise, f"{what}: {known} and {sorted(values)}")

    def _told(self, events: Sequence[Event]) -> list[Event]:
        """Look at events; those among them that begin a turn."""
        for event in events:
            self.jsonable(f"The event {event.kind}", event.data)
            self._same_keys(event.kind, "All events of one kind have the same keys.", event.data)
            for seat, more in (event.private or {}).items():
                if seat not in range(self.seats):
                    raise self.broken("`Event.private` is for seats of the match.", f"{event.kind}: {seat!r}")
                self.jsonable(f"The private part of {event.kind}", more)
        self.events += events
        return [event for event in events if event.kind == "TurnBegan"]

    def _turn(self, began: Sequence[Event], before: int) -> None:
        """Look at the events that begin turns, and remember the start of the last one."""
        colour: object = None
        for event in began:
            number, colour = event.data.get("turn"), event.data.get("colour", "missing")
            if not isinstance(number, int) or number <= before:
                raise self.broken(
                    "TurnBegan holds `turn`, a number from 1 that only grows.", f"{number!r} after {before}"
                )
            if colour is not None and colour not in self.game.colours[: self.seats]:
                raise self.broken(
                    "TurnBegan holds `colour`: that of a seat of the match, or None where all play at once.",
                    f"{colour!r}",
                )
            before = number
        actor = None if self.match.actor is None else self.game.colours[self.match.actor]
        if (self.match.turn, actor) != (before, colour):
            raise self.broken(
                "`turn` and `actor` are those of the last TurnBegan.",
                f"turn {self.match.turn} of {actor}, told: turn {before} of {colour}",
            )
        self.turn_state, self.turn_choices = self.state(self.match), []

    # The same match once more

    def again(self) -> Trial:
        """A second match with the same seed, in which nothing was chosen yet."""
        return Trial(Memory(self.game, None), Played(self.seats, self.settings, self.seed))

    def retrace(self, choices: Sequence[tuple[int, str]]) -> list[str]:
        """Make the choices, and return a digest of what was shown after the set-up and after each."""
        self._look(list(self.match.opening()))
        for seat, text in choices:
            try:
                events = self.match.choose(Seat(seat), Option(text))
            except ValueError:
                break
            self._look(events)
        return self.trace

    def compare(self, trace: Sequence[str], promise: str) -> None:
        """Another playing of this match showed the same after each choice."""
        for at, mine in enumerate(self.trace):
            if at >= len(trace) or trace[at] != mine:
                self.made = self.made[:at]
                raise self.broken(promise, "played again it shows something else from there on")
