"""One match, played from its set-up to its end, with every promise looked at on the way."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from pbem.protocol import Decision, Event, Game, HasBot, Match, Option
from pbem.reports.contexts import Mail
from pbem.reports.filters import LONG_MENU
from pbem.reports.page import replay_page
from pbem.reports.render import Renderer
from pbem.reports.samples import Samples
from pbem.testing import storing, telling
from pbem.testing.promises import Broken, Played, PromiseBroken, expect, no_error
from pbem.testing.states import State, canonical, difference, readers, state

#: Choices after which a match must have ended.
MOST = 5_000


class Memory:
    """The mails of a game that were rendered, as text and HTML, and the words that it was found to use."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.renderer = Renderer(game.name, "games@example.org")
        self.mails = 0
        #: The decisions that were put to a seat, and the numbers of seats for which every kind of mail was written.
        self.decisions: set[str] = set()
        self.sizes: set[int] = set()
        #: The keys of the events of each kind, and of views; the option texts whose reading was tried.
        self.keys: dict[str, list[str]] = {}
        self.read: set[str] = set()
        #: Keys of views and kinds of events that differ between seats.
        self.private: set[str] = set()
        #: How often outcomes were the same after new entropy; None once they were not.
        self.alike: int | None = 0

    def ask(self, samples: Samples, match: Match, decision: Decision) -> None:
        """Put a decision to its seat."""
        key = canonical([decision.kind, decision.window, decision.facts, len(decision.options) > LONG_MENU])
        if key not in self.decisions:
            self.decisions.add(key)
            self.render([samples.report(match, decision.seat)])

    def tell(self, samples: Samples, match: Match, events: Sequence[Event]) -> None:
        """Every kind of mail for the first match of so many seats, else a report at the end; to seats and others."""
        for reader in readers(samples.seats):
            if samples.seats not in self.sizes:
                self.render(samples.every_kind(match, reader, events))
            elif match.result is not None:
                self.render([samples.report(match, reader, events)])
        if match.result is not None and samples.seats not in self.sizes:
            self.sizes.add(samples.seats)
            with no_error("The page to look through a game that is over can be written."):
                replay_page(self.game.name, samples.page(match, match.result))

    def render(self, mails: Iterable[Mail]) -> None:
        """Render mails, and count them."""
        for mail in mails:
            with no_error("Every template can word whatever happens in the game.", f", in the mail `{mail.template}`"):
                self.renderer.render(mail)
            self.mails += 1


class Trial:
    """A match of a game, played by chance or by the game's bot; `table` says how it is set up.

    `thorough` says whether storing, forking and secrets are tried at every decision, or only what is cheap.
    """

    def __init__(self, memory: Memory, table: Played, *, bot: bool = False, thorough: bool = True) -> None:
        self.memory, self.game, self.table = memory, memory.game, table
        self.seats, self.bot, self.thorough = table.seats, bot, thorough
        #: Seat and text of the choices so far, and what happened.
        self.made: list[tuple[int, str]] = []
        self.events: list[Event] = []
        #: The match as it stands, and as it was when the turn began, after so many choices.
        self.now: State = {}
        self.turn_state: State = {}
        self.turn_made = 0
        #: The turn that was told last: its number and its colour.
        self.turn_told: tuple[int, str | None] = (0, None)
        #: The open group, if there is one.
        self.group: telling.Group | None = None
        with self.reporting():
            self.match = self.new()

    def new(self) -> Match:
        """The match before its first choice."""
        return self.game.new(self.seats, self.table.seed, self.table.settings)

    def trace(self) -> list[str]:
        """Play to the end without a look: a digest of all there is to compare, after the set-up and each choice."""
        digests = []
        with self.reporting():
            events = self.match.opening()
            while True:
                told = [[event.kind, event.data, event.private] for event in events]
                seen = canonical([state(self.match, self.seats), told])
                digests.append(sha256(seen.encode()).hexdigest())
                if not self.match.pending:
                    return digests
                if len(self.made) == MOST:
                    self.expect([("A match comes to an end.", f"it goes on after {MOST} choices")])
                decision, option = self.picked()
                self.made.append((decision.seat, option.text))
                events = self.match.choose(decision.seat, option)

    def play(self, most: int = MOST) -> None:
        """Play to the end, or to so many choices, and look at everything.

        Raises PromiseBroken.
        """
        samples = Samples(self.game, self.seats)
        with self.reporting():
            self.look(self.match.opening())
            if self.thorough:
                self.expect(self.same("The same seed makes the same match.", self.new()))
            while self.match.pending and len(self.made) < most:
                for decision in self.match.pending:
                    self.expect(telling.distinct(self, decision))
                    self.expect(telling.ordered(self, decision), by=self.game)
                    self.memory.ask(samples, self.match, decision)
                if not self.made:
                    self.memory.tell(samples, self.match, self.events)
                if self.thorough:
                    self.expect(telling.illegal(self))
                    self.expect(storing.stored(self))
                    self.expect(storing.drawn_anew(self))
                    self.expect(telling.parts(self), by=self.game)
                    promise = "Looking, storing, forking and refused choices change nothing."
                    self.expect(self.same(promise, self.match))
                for decision in self.match.pending:  # on a fork, which has been tried by now
                    self.expect(telling.readable(self, decision), by=self.game)
                self.choose()
            if not self.match.pending:
                self.expect(telling.ended(self))
                if self.thorough:
                    self.expect(storing.recorded(self))
                self.memory.tell(samples, self.match, self.events)

    def choose(self) -> None:
        """Make a choice, and look at what came of it."""
        match, before, asked = self.match, self.now, [decision.seat for decision in self.match.pending]
        if self.group is None and len(asked) > 1:
            self.group = telling.Group(self)
        twin = match.fork() if self.thorough else None
        decision, option = self.picked()
        events = match.choose(decision.seat, option)
        self.made.append((decision.seat, option.text))
        self.look(events)
        if twin is not None:
            self.expect(self.same("A fork does not change when its match goes on.", twin, before))
            self.expect(storing.redrawn(self, twin, decision.seat, option))
            twin.choose(decision.seat, option)
            self.expect(self.same("The same choice leads from the same state to the same match.", twin))
        if self.group is not None:
            self.expect(self.group.answered(decision.seat, asked, before, events))
            self.group = None if self.group.closed else self.group

    def look(self, events: Sequence[Event]) -> None:
        """What happened, and what is shown now."""
        before, self.now = self.now, state(self.match, self.seats)
        self.events += events
        self.expect(telling.happened(self, events))
        self.expect(telling.shows(self, before))

    def picked(self) -> tuple[Decision, Option]:
        """One of the pending decisions and an answer, by chance or by the bot."""
        chance = self.entropy(b"choice")
        decision = self.match.pending[int.from_bytes(chance[:4], "big") % len(self.match.pending)]
        if not decision.options:
            self.expect([("A decision has options.", f"{decision.kind!r} of seat {decision.seat} has none")])
        if self.bot and isinstance(self.game, HasBot):
            option = self.game.bot(self.match.view(decision.seat), decision, chance)
            if decision.option(option.text) is None:
                self.expect([("The bot takes an option of the decision.", option)], by=self.game)
            return decision, option
        return decision, decision.options[int.from_bytes(chance[4:8], "big") % len(decision.options)]

    def entropy(self, purpose: bytes) -> bytes:
        """32 bytes by chance, the same at the same point of the same match."""
        return sha256(purpose + self.table.seed + len(self.made).to_bytes(4, "big")).digest()

    # What the looks share

    @property
    def played(self) -> Played:
        """The match as far as it was played."""
        return Played(self.seats, self.table.settings, self.table.seed, tuple(self.made))

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Whatever is raised inside is a broken promise, and says how far the match was played."""
        try:
            with no_error("What the protocol allows raises no error."):
                yield
        except PromiseBroken as broken:
            broken.played = broken.played or self.played
            raise

    def expect(self, broken: Broken | Sequence[tuple[str, object]], *, by: object = None) -> None:
        """Raise PromiseBroken for the first promise that the match (or the game) does not keep."""
        expect(broken, by=by or self.match)

    def same(self, promise: str, match: Match, before: State | None = None) -> Broken:
        """A match is in a state: in that of this match as it stands, if no other is given."""
        if differs := difference(before or self.now, state(match, self.seats)):
            yield promise, differs

    def same_keys(self, promise: str, kind: str, values: Mapping[str, Any]) -> Broken:
        """All mappings of one kind have the same keys, in all matches."""
        known = self.memory.keys.setdefault(kind, sorted(values))
        if sorted(values) != known:
            yield promise, f"{kind}: {known} and {sorted(values)}"
