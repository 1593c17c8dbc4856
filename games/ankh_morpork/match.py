"""A match: the decisions that are pending, choosing, snapshots and replay.

A snapshot is the position at the start of the turn and the choices since; restoring replays them and compares what
came of them. Only this module knows that effects are generators.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import Any, Self

from games.ankh_morpork import view
from games.ankh_morpork.data.cards import AREAS, CARDS, EVENTS, PERSONALITIES
from games.ankh_morpork.position import notation as position
from games.ankh_morpork.position.board import HAND, Position
from games.ankh_morpork.position.dice import DECK, PICKS, Dice
from games.ankh_morpork.position.dice import EVENTS as EVENT_STREAM
from games.ankh_morpork.position.options import COLOURS
from games.ankh_morpork.position.table import GameOver, Table
from games.ankh_morpork.rules.asking import Effect, Group
from games.ankh_morpork.rules.turn import turns
from games.ankh_morpork.rules.winning import final, goals
from games.ankh_morpork.text import log
from games.ankh_morpork.why_not import why_not
from pbem.errors import ReplayMismatch
from pbem.protocol import Decision, Event, Goal, Option, Reason, Result, Seat, View, decision_of

SCHEMA = 1
STARTING_MONEY = 10
#: The seat of a choice that was the moderator's: new entropy at a rollback.
NOBODY = -1


class OpenGroup:
    """A group that is being answered: where the sequence of each seat is, and what it came to."""

    def __init__(self, group: Group) -> None:
        self.sequences = group
        self.asked: dict[Seat, Decision] = {}
        self.answers = dict.fromkeys(group)
        #: The choices of each seat, and how many of them were made before the match object was.
        self.choices: dict[Seat, list[list[Any]]] = {seat: [] for seat in group}
        self.before = dict.fromkeys(group, 0)
        for seat in group:
            self.advance(seat, None)
        #: What each seat is asked first: all that shows while the group is open.
        self.first = tuple(self.asked.values())

    def advance(self, seat: Seat, option: Option | None) -> None:
        """Go on to a seat's next decision, or to the end of its sequence."""
        try:
            self.asked[seat] = self.sequences[seat].send(option)
        except StopIteration as end:
            del self.asked[seat]
            self.answers[seat] = end.value

    def recorded(self) -> list[list[Any]]:
        """The choices since the match object was made, seat by seat."""
        return [choice for seat, choices in self.choices.items() for choice in choices[self.before[seat] :]]


class Match(Table):
    """One match being played."""

    __slots__ = ("_group", "_opening", "_recorded", "_since", "_start", "_start_dice", "_turns", "pending", "result")

    def __init__(self, start: Position, dice: Dice) -> None:
        self.take_over(start)
        self.sit_down(dice)
        self.pending: tuple[Decision, ...] = ()
        self.result: Result | None = None
        self._group: OpenGroup | None = None
        #: The choices since the turn began, and since this object was made: [seat, text, outcomes].
        self._since: list[list[Any]] = []
        self._recorded: list[list[Any]] = []
        self._turns: Effect = turns(self, self._begin_turn)

    # Making a match

    @classmethod
    def new(cls, seats: int, seed: bytes) -> Self:
        """Set a match up (R-SET)."""
        match = cls(Position(seats), Dice(seed))
        match._set_up()
        return match._begun()

    @classmethod
    def from_position(cls, text: str, dice: Sequence[int] = (), seed: bytes = bytes(32)) -> Self:
        """A match that begins in a written position. `dice` are rolled before any from the seed: for tests only."""
        return cls(position.read(text), Dice(seed, scripted=dice))._begun()

    @classmethod
    def restore(cls, data: Mapping[str, Any]) -> Self:
        """Make a match from its snapshot."""
        match = cls.turn_start(data)
        for seat, text, outcomes in data["choices"]:
            match._repeat(seat, text)
            if match.outcomes != outcomes:
                raise ReplayMismatch(f"{text!r} led to {match.outcomes}, not to {outcomes}")
        if match.digest() != data["digest"]:
            raise ReplayMismatch(f"the choices no longer lead to the stored state but to {match.position()}")
        match._begin_records()
        return match

    @classmethod
    def turn_start(cls, data: Mapping[str, Any]) -> Self:
        """The match at the start of a snapshot's turn, whatever was chosen since."""
        if data.get("schema") != SCHEMA:
            raise ReplayMismatch(f"snapshot of schema {data.get('schema')!r}; this version reads {SCHEMA}")
        try:
            start = position.read(data["position"])
        except ValueError as mistake:
            raise ReplayMismatch(f"the stored position cannot be read: {mistake}") from mistake
        start.reveals = data["reveals"]
        return cls(start, Dice(bytes.fromhex(data["seed"]), data["used"], data.get("scripted", ())))._begun()

    def _begun(self) -> Self:
        """This match, at the first decision of its turn."""
        self._go_on(None)
        self._opening = self.log
        return self

    def _set_up(self) -> None:
        cards = [card for card in CARDS if card.two_players or self.seats > 2]
        green = [card.index for card in cards if card.deck == "green"]
        brown = [card.index for card in cards if card.deck == "brown"]
        self.dice.shuffle(DECK, green)
        self.dice.shuffle(DECK, brown)
        self.draw = brown + green
        people = [person.index for person in PERSONALITIES if person.min_players <= self.seats]
        self.dice.shuffle(DECK, people)
        self.events = [event.index for event in EVENTS]
        self.dice.shuffle(EVENT_STREAM, self.events)
        for seat in range(self.seats):
            self.personality[seat] = people.pop()
            self.money[seat] = STARTING_MONEY
            self.hands[seat] = sorted(self.draw.pop() for _ in range(HAND))
            for area in AREAS:
                if area.start:
                    self.put_quietly(seat, area.index)
        self.unused = sorted(people)
        for area in AREAS:
            self.trouble |= area.start << area.index
        self.actor = Seat(self.dice.below(PICKS, self.seats))
        colours = [COLOURS[seat] for seat in self.in_turn(self.actor)]
        self.tell(log.GameBegan(seats=list(COLOURS[: self.seats]), first=colours[0]))
        for seat in range(self.seats):
            name = {"personality": PERSONALITIES[self.personality[seat]].name}
            self.tell(log.PersonalityDealt(COLOURS[seat]).showing({seat: name}))

    # Playing

    def _begin_turn(self) -> None:
        """Where a snapshot may begin: remember the position."""
        start = Position.__new__(Position)
        start.take_over(self)
        self._start = start
        self._start_dice = self.dice.state()
        self._since = []

    def _go_on(self, answer: object) -> None:
        """Go on to the next decision or group, or to the end."""
        try:
            asked = self._turns.send(answer)
            self.pending = (asked,) if isinstance(asked, Decision) else self._open(asked)
        except GameOver:
            self._end()

    def _open(self, group: Group) -> tuple[Decision, ...]:
        """Begin to ask a group: what each seat is asked first."""
        self._group = OpenGroup(group)
        return self._group.first

    def _end(self) -> None:
        self.pending = ()
        self.result = result = final(self)
        self.tell(log.GameEnded(reason=result.reason, winners=[COLOURS[seat] for seat in result.winners]))

    def choose(self, seat: Seat, option: Option) -> list[Event]:
        """Take an option of a seat's pending decision and go on to the next; what happened."""
        for decision in self.pending:
            if decision.seat == seat:
                break
        else:
            over = "the match is over" if self.result else f"seat {seat} is not asked"
            raise ValueError(f"illegal choice {option.text!r}: {over} in {self.position()}")
        if option not in decision.options:
            same = decision.option(option.text)
            if same is None:
                raise ValueError(f"illegal choice {option.text!r} in {self.position()}")
            option = same
        told: list[Event] = []
        outcomes: list[list[object]] = []
        self.log = told
        self.tell = told.append
        self.outcomes = outcomes
        self.forced = []
        self.unrevealed = self.reveals
        self.foreseeable_end = False
        entry = [seat, option.text, outcomes]
        if self._group is not None:
            self._answer(self._group, seat, option, entry)
            return told
        self._since.append(entry)
        self._recorded.append(entry)
        if decision.window:
            self.reveals += 1
        try:  # as in `_go_on`; a call costs as much as all of the above
            asked = self._turns.send(option)
            self.pending = (asked,) if isinstance(asked, Decision) else self._open(asked)
        except GameOver:
            self._end()
        return told

    def _answer(self, group: OpenGroup, seat: Seat, option: Option, entry: list[Any]) -> None:
        """Answer in a group. When all have, it is recorded in its own order, whatever the order of the answers was."""
        group.choices[seat].append(entry)
        group.advance(seat, option)
        self.pending = tuple(group.asked.values())
        if self.pending:
            return
        self._group = None
        self._since += chain(*group.choices.values())
        self._recorded += group.recorded()
        self.outcomes = self._since[-1][2]
        self.reveals += 1
        self._go_on(group.answers)

    def _repeat(self, seat: int, text: str) -> None:
        """Make a recorded choice again."""
        if seat == NOBODY:
            self.rollback_entropy(bytes.fromhex(text))
            return
        decision = decision_of(self, Seat(seat))
        option = decision.option(text) if decision is not None else None
        if option is None:
            raise ReplayMismatch(f"{text!r} is no longer possible in {self.position()}")
        self.choose(Seat(seat), option)

    def opening(self) -> list[Event]:
        """What happened before the first decision."""
        return self._opening

    def outlook(self, seat: Seat, option: Option) -> Mapping[str, Any]:
        """What an option would lead to, as far as nothing is revealed: a card's symbols and today's targets."""
        decision = decision_of(self, seat)
        return view.outlook(self, seat, (decision and decision.option(option.text)) or option)

    def details(self, name: str) -> Sequence[str]:
        """What people say beside the name of an area or a card: whose building stands there, prices, gains, counts."""
        return view.details(self, name)

    def why_not(self, decision: Decision, text: str) -> Reason | None:
        """The rule that forbids an order, by what the seat of the decision can see."""
        return why_not(self.view(decision.seat), decision, text)

    def view(self, seat: Seat | None) -> View:
        """What that seat, or the public, may know."""
        return view.view(self, seat, reactions=any(decision.window for decision in self.pending))

    def goals(self) -> tuple[Goal | None, ...]:
        """How near each seat is to the goal of its personality."""
        return goals(self)

    # Keeping

    def fork(self) -> Self:
        """An independent match in the same state."""
        twin = type(self)(self._start, Dice(*self._start_dice))._begun()
        for seat, text, _ in self._all_since():
            twin._repeat(seat, text)
        twin._begin_records()
        return twin

    def _begin_records(self) -> None:
        """What was chosen and happened so far was so before the match object was made."""
        self._recorded = []
        self._opening = []
        if self._group is not None:
            self._group.before = {seat: len(choices) for seat, choices in self._group.choices.items()}

    def _all_since(self) -> list[list[Any]]:
        """The choices since the turn began, those of an open group last, seat by seat."""
        return self._since + list(chain(*self._group.choices.values())) if self._group else self._since

    def snapshot(self) -> dict[str, Any]:
        """The position at the start of the turn, the choices since, and a digest of where they led."""
        seed, used, scripted = self._start_dice
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "seed": seed.hex(),
            "used": used[:],
            "reveals": self._start.reveals,
            "position": position.write(self._start),
            "choices": _copied(self._all_since()),
            "digest": self.digest(),
        }
        if scripted:
            data["scripted"] = scripted[:]
        return data

    def choices(self) -> list[list[Any]]:
        """The choices since this object was made or restored. One of seat -1 is a moderator's: its text is the
        hexadecimal entropy for `rollback_entropy`."""
        return _copied(self._recorded + self._group.recorded() if self._group else self._recorded)

    def digest(self) -> str:
        """A digest of the complete state; what is answered in an open group is no part of it."""
        asked = self._group.first if self._group else self.pending
        questions = [[decision.seat, decision.kind, [o.text for o in decision.options]] for decision in asked]
        state = [self.position(), self.dice.seed.hex(), self.dice.used, self.reveals, questions]
        return sha256(json.dumps(state, separators=(",", ":")).encode()).hexdigest()

    def position(self) -> str:
        """The position in one line; it shows everything."""
        return position.write(self)

    def rollback_entropy(self, entropy: bytes) -> None:
        """Draw anew what nobody may have seen: the order of the piles, and all dice to come."""
        outcomes: list[list[object]] = []
        self.outcomes = outcomes
        entry = [NOBODY, entropy.hex(), outcomes]
        self._since.append(entry)
        self._recorded.append(entry)
        self.dice.reseed(entropy)
        piles = [[card for card in self.draw if CARDS[card].deck == deck] for deck in ("brown", "green")]
        for cards in (*piles, self.events):
            cards.sort()
            self.dice.shuffle(DECK, cards)
        self.draw = piles[0] + piles[1]
        self.reveals += 1


def _copied(choices: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [[seat, text, [list(outcome) for outcome in outcomes]] for seat, text, outcomes in choices]
