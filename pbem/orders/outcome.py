"""A match on which orders are carried out, and what came of them: the values and the steps of the referee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Literal, TypeAlias

from pbem.errors import Ambiguous, NotUnderstood, OrderError
from pbem.protocol import Decision, Event, Game, HasBot, HasPolicies, Match, Option, Reactions, Seat, decision_of

#: The policies of each seat: seat -> subject (a card) -> terms.
Policies: TypeAlias = Mapping[Seat, Mapping[str, Mapping[str, Any]]]

#: What became of a line: `done`; `corrected` (done, but read otherwise than written); `automatic` (done without
#: a line); `refused` (wrong, see its problem); `set_aside` (not carried out; it may be well); `chat` (not an order).
Verdict: TypeAlias = Literal["done", "corrected", "automatic", "refused", "set_aside", "chat"]


@dataclass(frozen=True, slots=True)
class Presets:
    """What answers for a seat without a mail: bots, policies, and what was written to an open group before."""

    #: The seats that a simple computer player plays, and bytes that its choices are drawn from.
    bots: frozenset[Seat] = frozenset()
    randomness: bytes = field(default=b"", repr=False)
    policies: Policies = field(default_factory=dict)
    reactions: Reactions = "standing"
    #: What seats have answered so far to the group that is pending, as order texts.
    answers: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)

    def bot(self, game: Game, match: Match, decision: Decision, number: int) -> Option:
        """What a bot takes; `number` counts the choices made with this randomness. A game without bots takes what
        happens when nobody answers."""
        if not isinstance(game, HasBot):
            return decision.default
        drawn = sha256(self.randomness + number.to_bytes(4, "big")).digest()
        return game.bot(match.view(decision.seat), decision, drawn)


#: Nobody answers for anybody.
NO_PRESETS = Presets()

#: The key in an event's private data under which a seat reads what its policies said: a list of `Answer.why`.
ANSWERS = "answers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why a line was not carried out."""

    #: One of the three kinds of errors a player meets.
    kind: Literal["not_understood", "ambiguous", "not_possible"]
    #: `OrderError.reason`; finds the wording in the errors template.
    reason: str
    #: Texts of legal options, closest first.
    suggestions: tuple[str, ...] = ()
    #: `OrderError.facts`.
    facts: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, error: OrderError) -> Problem:
        """The same as a value."""
        not_read, several = isinstance(error, NotUnderstood), isinstance(error, Ambiguous)
        return cls(
            kind="not_understood" if not_read else "ambiguous" if several else "not_possible",
            reason=error.reason,
            suggestions=error.suggestions,
            facts=error.facts,
        )


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one order, which is a line or a part of one."""

    #: The player's own words; empty for `automatic`.
    text: str
    #: What became of it.
    verdict: Verdict
    #: The text of the option it means, when that is known.
    option: str | None = None
    #: Why it was refused or set aside.
    problem: Problem | None = None
    #: For a line that declined what the rules had given up already: the kind of that decision.
    about: str = ""


@dataclass(frozen=True, slots=True)
class GroupAnswer:
    """What a seat has answered to a group that stays open: secret, and replaced by what it writes next."""

    #: The order texts, in the order of the seat's sequence.
    texts: tuple[str, ...]
    #: Whether nothing more is asked of the seat in this group.
    complete: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a mail, a deadline, or of what is answered without a mail."""

    #: The match as it now is; the one that was given when nothing changed. A group in it has no answers yet.
    match: Match
    #: What happened, oldest first.
    events: tuple[Event, ...]
    lines: tuple[Line, ...]
    #: Whether anything was chosen that stands.
    changed: bool
    #: Whether something was revealed, so that others must be told and nothing before it can be taken back.
    revealed: bool
    #: The seats to ask now, in order; empty when the match is over.
    waiting: tuple[Seat, ...]
    #: Whether the turn that was being played is over.
    turn_over: bool
    #: The choices that stand, as `Match.choices` gives them.
    added: tuple[Sequence[Any], ...] = ()
    #: What the seat has answered to a group that is still open.
    answer: GroupAnswer | None = None
    #: For a preview: whether it stopped because the next order could reveal something.
    stopped: bool = False
    #: For a preview: the match as it would be.
    ahead: Match | None = None
    #: When nothing was done because something is in doubt: the order texts that would be chosen without it.
    proposal: tuple[str, ...] = ()

    @property
    def refused(self) -> Line | None:
        """The line that was wrong, if one was."""
        return next((line for line in self.lines if line.verdict == "refused"), None)

    @property
    def accepted(self) -> bool:
        """Whether anything came of it: a choice that stands, or an answer that is kept."""
        return self.changed or self.answer is not None


def with_answer(event: Event, seat: Seat, why: Mapping[str, Any]) -> Event:
    """The event, with what a seat's policies said before it for that seat's own eyes, as `answers`."""
    private = dict(event.private or {})
    own = private.get(seat, {})
    private[seat] = {**own, ANSWERS: [*own.get(ANSWERS, ()), dict(why)]}
    return Event(event.kind, event.data, private)


class Play:
    """Orders being carried out on a fork of a match, for one seat or (None) for whoever needs no mail."""

    def __init__(
        self, game: Game, match: Match, seat: Seat | None, presets: Presets, *, cautious: bool = False
    ) -> None:
        self.game = game
        self.start = match
        self.match = match.fork()
        self.seat = seat
        self.presets = presets
        #: A cautious play stops before anything that could reveal something.
        self.cautious = cautious
        self.stopped = False
        self.events: list[Event] = []
        #: What policies said to windows, until something happens that it can be told with: whose, and why.
        self.reasons: list[tuple[Seat, Mapping[str, Any]]] = []
        self.lines: list[Line] = []
        #: Choices made, those in an open group included.
        self.taken = 0
        #: Choices that stand, as far as `match` does not count them itself: those before the open group.
        self.added: list[list[Any]] = []
        #: The match as an open group found it, and what each seat has answered to it since.
        self.opened: Match | None = None
        self.given: dict[Seat, list[str]] = {}
        #: What was answered to the group that this begins with, until that closes.
        self.earlier = presets.answers
        #: What the rules left the seat no choice in since its last order; a line that says it is well. A refusal at
        #: the head of a mail is about what was asked, and not about what went by itself before that.
        self.forced = [decision for decision in match.forced if decision.seat == seat and decision.decline is None]
        self._go_on_answering()

    def _go_on_answering(self) -> None:
        """Repeat what the seat has answered to an open group so far, when something of it is still asked; else its
        answer is replaced."""
        if self.seat is None or self.seat not in self.earlier:
            return
        texts = self.earlier[self.seat]
        self.earlier = {seat: given for seat, given in self.earlier.items() if seat != self.seat}
        ahead = self.match.fork()
        for text in texts:
            ahead.choose(self.seat, Option(text))
        if decision_of(ahead, self.seat) is not None:
            for text in texts:
                self.choose(self.seat, Option(text))
            self.taken = 0

    @property
    def decision(self) -> Decision | None:
        """What the seat is asked in the turn that this is about; None when somebody else comes first."""
        return None if self.turn_over else decision_of(self.match, self.seat)

    @property
    def turn_over(self) -> bool:
        """Whether the turn is over: what was chosen in it stands, as after a reveal."""
        return self.match.turn != self.start.turn or not self.match.pending

    @property
    def revealed(self) -> bool:
        return self.match.reveals != self.start.reveals or self.turn_over

    @property
    def just_begun(self) -> bool:
        """Whether the pending decision is the one that the seat was asked."""
        return not self.taken

    def take(self, option: Option) -> bool:
        """Take an option for the seat, unless this is a cautious play and it could reveal something."""
        if self.cautious and self.may_reveal(option):
            self.stopped = True
            return False
        assert self.seat is not None, "only a seat takes options"
        self.choose(self.seat, option)
        return True

    def choose(self, seat: Seat, option: Option) -> None:
        """Take an option for any seat that is asked."""
        if self.opened is None and len(self.match.pending) > 1:
            self.added += self.match.choices()
            self.opened, self.match = self.match, self.match.fork()
        self._tell(self.match.choose(seat, option))
        self.taken += 1
        self.forced += [decision for decision in self.match.forced if decision.seat == self.seat]
        if self.opened is not None:
            self.given.setdefault(seat, []).append(option.text)
            if self.match.reveals != self.opened.reveals:  # closing a group is a reveal
                self.opened = None
                self.given.clear()
                self.earlier = {}

    def _tell(self, events: list[Event]) -> None:
        """Take note of what happened; each seat is told with it, privately, how its own policies had a part in it."""
        if events and self.reasons:
            for seat, why in self.reasons:
                events[0] = with_answer(events[0], seat, why)
            self.reasons.clear()
        self.events += events

    def preset(self, decision: Decision) -> Option | None:
        """What a bot, an earlier answer or a policy says to a pending decision; None when its seat must be asked."""
        seat, match = decision.seat, self.match
        if seat in self.presets.bots:
            return self.presets.bot(self.game, match, decision, self.taken)
        earlier = self.earlier.get(seat, ())
        given = len(self.given.get(seat, ()))
        if given < len(earlier):
            return decision.option(earlier[given])
        if decision.window and self.presets.reactions == "ask" and len(decision.options) == 1:
            return decision.options[0]
        if isinstance(self.game, HasPolicies) and (decision.window or seat != match.actor):
            answer = self.game.answer(match, decision, self.presets.policies.get(seat, {}), self.presets.reactions)
            if answer.option is not None and answer.why:
                self.reasons.append((seat, answer.why))
            return answer.option
        return None

    def preset_others(self) -> bool:
        """Answer what needs no mail from anybody but the seat; whether anything was answered. A preview answers
        nothing that could reveal something."""
        if self.cautious:
            return False
        for decision in self.match.pending:
            if decision.seat == self.seat and not self.turn_over:
                continue
            option = self.preset(decision)
            if option is not None:
                self.choose(decision.seat, option)
                return True
        return False

    @property
    def changed(self) -> bool:
        """Whether a choice was made that stands."""
        return self.taken > sum(len(texts) for texts in self.given.values())

    def answer(self) -> GroupAnswer | None:
        """What the seat has answered to a group that is still open; in a later turn it has not answered itself."""
        texts = self.given.get(self.seat) if self.seat is not None and not self.turn_over else None
        if not texts:
            return None
        return GroupAnswer(tuple(texts), decision_of(self.match, self.seat) is None)

    def waiting(self) -> tuple[Seat, ...]:
        """The seats to ask: whose decision is pending and not answered without a mail. In `sealed` mode everybody whom
        a window concerns is asked, except by bots. The seat itself is when it has answered a group that its own orders
        opened, for its answer can be replaced."""
        pending = self.match.pending if self.opened is None else self.opened.pending
        open_still = {decision.seat for decision in self.match.pending}
        if self.changed and self.answer() is not None and self.seat is not None:
            open_still.add(self.seat)
        return tuple(
            decision.seat
            for decision in pending
            if decision.seat in open_still
            or (self.presets.reactions == "sealed" and decision.window and decision.seat not in self.presets.bots)
        )

    def outcome(self) -> Outcome:
        """What came of it all."""
        waiting = self.waiting()
        if self.cautious:
            return Outcome(
                self.start,
                tuple(self.events),
                tuple(self.lines),
                changed=False,
                revealed=False,
                waiting=waiting,
                turn_over=False,
                stopped=self.stopped,
                ahead=self.match,
            )
        match = self.match if self.opened is None else self.opened
        changed = self.changed
        return Outcome(
            match if changed else self.start,
            tuple(self.events),
            tuple(self.lines),
            changed=changed,
            revealed=self.revealed or (changed and waiting != (self.seat,)),
            waiting=waiting,
            turn_over=self.turn_over,
            added=(*self.added, *(self.match.choices() if self.opened is None else ())),
            answer=self.answer(),
        )

    def nothing(self, proposal: tuple[str, ...] = ()) -> Outcome:
        """The outcome when nothing happens after all: what was understood is set aside."""
        lines = tuple(
            line if line.verdict in ("refused", "set_aside", "chat") else replace(line, verdict="set_aside")
            for line in self.lines
            if line.verdict != "automatic"
        )
        waiting = tuple(decision.seat for decision in self.start.pending)
        return Outcome(
            self.start, (), lines, changed=False, revealed=False, waiting=waiting, turn_over=False, proposal=proposal
        )

    def after(self, option: Option) -> Match:
        """The match as it would be with an option of the seat's."""
        assert self.seat is not None, "only a seat takes options"
        ahead = self.match.fork()
        ahead.choose(self.seat, Option(option.text))
        return ahead

    def may_reveal(self, option: Option) -> bool:
        """Whether the option draws, shows, or hands over to anybody else. An answer in a group does not, if others
        have still to answer."""
        ahead = self.after(option)
        if ahead.reveals != self.match.reveals or ahead.turn != self.match.turn:
            return True
        if len(self.match.pending) > 1:
            return False
        following = decision_of(ahead, self.seat)
        return following is None or following.window or len(ahead.pending) > 1
