"""A match on which orders are being carried out, and what came of them: the values and the steps of the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Literal, TypeAlias

from pbem.errors import OrderError
from pbem.protocol import Decision, Event, Game, Match, Option, Seat

#: The policies of each seat: seat -> subject (a card) -> terms.
Policies: TypeAlias = Mapping[Seat, Mapping[str, Mapping[str, Any]]]

#: What became of a line: `done`; `corrected` (done, but read otherwise than written); `automatic` (done without
#: a line); `refused` (wrong, see its error); `set_aside` (not carried out; it may be well); `chat` (not an order).
Verdict: TypeAlias = Literal["done", "corrected", "automatic", "refused", "set_aside", "chat"]


@dataclass(frozen=True, slots=True)
class Bots:
    """The seats that a simple computer player plays, and where its randomness comes from."""

    seats: frozenset[Seat] = frozenset()
    #: Bytes from the operating system (or a test), stretched for each choice.
    randomness: bytes = b""

    def option(self, game: Game, match: Match, number: int) -> Option:
        """What the bot of the deciding seat takes; `number` counts the choices made with this randomness."""
        decision = match.decision
        assert decision is not None, "a match that is over asks nothing"
        drawn = sha256(self.randomness + number.to_bytes(4, "big")).digest()
        return game.bot(match.view(decision.seat), decision, drawn)


NO_BOTS = Bots()

#: The key in an event's private data under which a seat reads what its policies said: a list of `Answer.why`.
ANSWERS = "answers"


@dataclass(frozen=True, slots=True)
class LineResult:
    """What became of one order, which is a line or a part of one."""

    #: The player's own words; empty for `automatic`.
    text: str
    verdict: Verdict
    #: The text of the option it means, when that is known.
    option: str | None = None
    #: Why it was refused.
    error: OrderError | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a mail, a deadline or a settling."""

    #: The match as it now is; the one that was given when nothing changed.
    match: Match
    #: What happened, oldest first.
    events: tuple[Event, ...]
    lines: tuple[LineResult, ...]
    #: Whether anything was chosen at all.
    changed: bool
    #: Whether something was revealed, so that others must be told and nothing before it can be taken back.
    revealed: bool
    #: The seats to ask now, in order; empty when the match is over.
    waiting: tuple[Seat, ...]
    #: Whether the turn that was being played is over.
    turn_over: bool
    #: For a preview: whether it stopped because the next order could reveal something.
    stopped: bool = False
    #: For a preview: the match as it would be.
    ahead: Match | None = None

    @property
    def refused(self) -> LineResult | None:
        """The line that was wrong, if one was."""
        return next((line for line in self.lines if line.verdict == "refused"), None)


def with_answer(event: Event, seat: Seat, why: Mapping[str, Any]) -> Event:
    """The event, with what a seat's policies said before it for that seat's own eyes, as `answers`."""
    private = dict(event.private or {})
    own = private.get(seat, {})
    private[seat] = {**own, ANSWERS: [*own.get(ANSWERS, ()), dict(why)]}
    return Event(event.kind, event.data, private)


class Play:
    """Orders being carried out on a fork of a match."""

    def __init__(
        self,
        game: Game,
        match: Match,
        seat: Seat | None,
        policies: Policies,
        bots: Bots,
        *,
        cautious: bool = False,
    ) -> None:
        self.game = game
        self.start = match
        self.match = match.fork()
        self.seat = seat
        self.policies = policies
        self.bots = bots
        #: A cautious play stops before anything that could reveal something.
        self.cautious = cautious
        self.stopped = False
        self.events: list[Event] = []
        #: What policies said to windows, until something happens that it can be told with: whose, and why.
        self.answers: list[tuple[Seat, Mapping[str, Any]]] = []
        self.lines: list[LineResult] = []
        self.taken = 0
        #: What the rules left the seat no choice in since its last order; a line that says it is well. A refusal at
        #: the head of a mail is about what was asked, and not about what went by itself before that.
        self.forced = [one for one in match.forced if one.seat == seat and one.decline is None]

    @property
    def decision(self) -> Decision | None:
        return self.match.decision

    @property
    def turn_over(self) -> bool:
        """Whether the turn is over: what was chosen in it stands, as after a reveal."""
        return self.match.turn != self.start.turn or self.match.decision is None

    @property
    def revealed(self) -> bool:
        return self.match.reveals != self.start.reveals or self.turn_over

    @property
    def just_begun(self) -> bool:
        """Whether the pending decision is the one that the seat was asked."""
        return not self.taken

    def asks_me(self) -> bool:
        """Whether the pending decision is the seat's own, in the turn that this is about."""
        return self.decision is not None and self.decision.seat == self.seat and not self.turn_over

    def choose(self, option: Option) -> bool:
        """Take an option, unless this is a cautious play and it could reveal something."""
        if self.cautious and self.may_reveal(option):
            self.stopped = True
            return False
        self._tell(self.match.choose(option))
        self.taken += 1
        self.forced += [one for one in self.match.forced if one.seat == self.seat]
        return True

    def _tell(self, events: list[Event]) -> None:
        """Take note of what happened; each seat is told with it, privately, how its own policies had a part in it."""
        if events and self.answers:
            for seat, why in self.answers:
                events[0] = with_answer(events[0], seat, why)
            self.answers.clear()
        self.events += events

    def said_in_advance(self) -> Option | None:
        """What a policy or a bot answers to the pending decision; None when its seat must be asked."""
        decision = self.match.decision
        assert decision is not None, "a match that is over asks nothing"
        if decision.seat in self.bots.seats:
            return self.bots.option(self.game, self.match, self.taken)
        if decision.window or decision.seat != self.match.actor:
            answer = self.game.answer(self.match, self.policies.get(decision.seat, {}))
            if answer.option is not None and answer.why:
                self.answers.append((decision.seat, answer.why))
            return answer.option
        return None

    def answer_others(self) -> bool:
        """Answer the pending decision from what was said in advance; False when its seat must be asked."""
        option = self.said_in_advance()
        return option is not None and self.choose(option)

    def outcome(self) -> Outcome:
        """What came of it all."""
        decision = self.match.decision
        waits = () if decision is None else (decision.seat,)
        if self.cautious:
            return Outcome(
                self.start,
                tuple(self.events),
                tuple(self.lines),
                False,
                False,
                waits,
                False,
                self.stopped,
                self.match,
            )
        return Outcome(
            self.match if self.taken else self.start,
            tuple(self.events),
            tuple(self.lines),
            changed=bool(self.taken),
            revealed=self.revealed or (bool(self.taken) and waits != (self.seat,)),
            waiting=waits,
            turn_over=self.turn_over,
        )

    def nothing(self) -> Outcome:
        """The outcome when nothing happens after all: what was understood is set aside."""
        lines = tuple(
            line if line.verdict in ("refused", "set_aside", "chat") else replace(line, verdict="set_aside")
            for line in self.lines
            if line.verdict != "automatic"
        )
        decision = self.start.decision
        waits = () if decision is None else (decision.seat,)
        return Outcome(self.start, (), lines, changed=False, revealed=False, waiting=waits, turn_over=False)

    def ends_turn(self, option: Option) -> bool:
        """Whether the turn is over with this option, so that a line behind it would come too late."""
        ahead = self.match.fork()
        ahead.choose(option)
        return ahead.decision is None or ahead.turn != self.match.turn

    def may_reveal(self, option: Option) -> bool:
        """Whether the option draws, shows, or hands over to anybody else."""
        ahead = self.match.fork()
        decision = ahead.decision
        assert decision is not None, "a match that is over asks nothing"
        ahead.choose(option)
        after = ahead.decision
        return (
            ahead.reveals != self.match.reveals
            or ahead.turn != self.match.turn
            or after is None
            or after.seat != decision.seat
            or after.window
        )
