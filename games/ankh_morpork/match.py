"""A match: the decision that is pending, choosing, snapshots and replay.

A snapshot is the position at the start of the turn and the choices since; restoring replays them and compares what
came of them. Only this module knows that effects are generators.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from games.ankh_morpork import view
from games.ankh_morpork.data.cards import AREAS, CARDS, EVENTS, PERSONALITIES
from games.ankh_morpork.position import notation as position
from games.ankh_morpork.position.board import HAND, Position
from games.ankh_morpork.position.dice import DECK, PICKS, Dice
from games.ankh_morpork.position.dice import EVENTS as EVENT_STREAM
from games.ankh_morpork.position.ledger import GameOver
from games.ankh_morpork.position.options import COLOURS
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules.asking import Effect
from games.ankh_morpork.rules.turn import turns
from games.ankh_morpork.rules.winning import final
from pbem.errors import ReplayMismatch
from pbem.protocol import Decision, Event, Option, Result, Seat, View

SCHEMA = 1
STARTING_MONEY = 10
#: The seat of a choice that was the moderator's: new entropy at a rollback.
NOBODY = -1


class Match(Table):
    """One match being played."""

    __slots__ = ("_opening", "_recorded", "_since", "_start", "_start_dice", "_turns", "decision", "result")

    def __init__(self, seats: int, dice: Dice) -> None:
        super().__init__(seats, dice)
        self.decision: Decision | None = None
        self.result: Result | None = None
        #: The choices since the turn began, and since this object was made: [seat, text, outcomes].
        self._since: list[list[Any]] = []
        self._recorded: list[list[Any]] = []
        self._opening: list[Event] = []
        self._start: Position = self
        self._start_dice = dice
        self._turns: Effect = turns(self, self._begin_turn)

    # Making a match

    @classmethod
    def new(cls, seats: int, seed: bytes) -> Match:
        """Set a match up (R-SET)."""
        match = cls(seats, Dice(seed))
        match._set_up()
        match._go()
        match._opening = match.log
        return match

    @classmethod
    def from_position(cls, text: str, dice: Sequence[int] = (), seed: bytes = bytes(32)) -> Match:
        """A match that begins in a written position. `dice` are rolled before any from the seed: for tests only."""
        return cls._at(position.read(text), Dice(seed, scripted=dice))

    @classmethod
    def restore(cls, data: Mapping[str, Any]) -> Match:
        """Make a match from its snapshot."""
        match = cls.turn_start(data)
        for seat, text, outcomes in data["choices"]:
            match._repeat(seat, text)
            if match.outcomes != outcomes:
                raise ReplayMismatch(f"{text!r} led to {match.outcomes}, not to {outcomes}")
        if match.digest() != data["digest"]:
            raise ReplayMismatch(f"the choices no longer lead to the stored state but to {match.position()}")
        match._recorded = []
        match._opening = []
        return match

    @classmethod
    def turn_start(cls, data: Mapping[str, Any]) -> Match:
        """The match at the start of a snapshot's turn, whatever was chosen since."""
        if data.get("schema") != SCHEMA:
            raise ReplayMismatch(f"snapshot of schema {data.get('schema')!r}; this version reads {SCHEMA}")
        try:
            start = position.read(data["position"])
        except ValueError as mistake:
            raise ReplayMismatch(f"the stored position cannot be read: {mistake}") from mistake
        start.reveals = data["reveals"]
        return cls._at(start, Dice(bytes.fromhex(data["seed"]), data["used"], data.get("scripted", ())))

    @classmethod
    def _at(cls, start: Position, dice: Dice) -> Match:
        """A match at the start of a turn."""
        match = cls.__new__(cls)
        match.take_over(start)
        match.dice = dice
        match.card = -1
        match.log = []
        match.outcomes = []
        match.forced = []
        match.decision = None
        match.result = None
        match._since = []
        match._recorded = []
        match._start = start
        match._start_dice = dice
        match._go()
        match._opening = match.log
        return match

    def _set_up(self) -> None:
        cards = [card for card in CARDS if card.two_players or self.seats > 2]
        green = [card.index for card in cards if card.deck == "green"]
        brown = [card.index for card in cards if card.deck == "brown"]
        self.dice.shuffle(DECK, green)
        self.dice.shuffle(DECK, brown)
        self.draw = brown + green
        people = [person.index for person in PERSONALITIES if person.players <= self.seats]
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
        self.tell("GameBegan", seats=list(COLOURS[: self.seats]), first=colours[0])
        for seat in range(self.seats):
            name = {"personality": PERSONALITIES[self.personality[seat]].name}
            self.log.append(Event("PersonalityDealt", {"colour": COLOURS[seat]}, {seat: name}))

    # Playing

    def _begin_turn(self) -> None:
        """Where a snapshot may begin: remember the position."""
        start = Position.__new__(Position)
        start.take_over(self)
        self._start = start
        self._start_dice = self.dice.copy()
        self._since = []

    def _go(self) -> None:
        """Begin with the turn of the position, and stop at the first decision or at the end."""
        self._turns = turns(self, self._begin_turn)
        try:
            self.decision = next(self._turns)
        except GameOver:
            self._end()

    def _end(self) -> None:
        self.decision = None
        self.result = result = final(self)
        self.tell("GameEnded", reason=result.reason, winners=[COLOURS[seat] for seat in result.winners])

    def choose(self, option: Option) -> list[Event]:
        """Take an option of the pending decision and go on to the next; what happened."""
        decision = self.decision
        if decision is None:
            raise ValueError(f"illegal choice {option.text!r}: the match is over in {self.position()}")
        if option not in decision.options:
            same = decision.option(option.text)
            if same is None:
                raise ValueError(f"illegal choice {option.text!r} in {self.position()}")
            option = same
        outcomes: list[list[object]] = []
        self.outcomes = outcomes
        entry = [decision.seat, option.text, outcomes]
        self._since.append(entry)
        self._recorded.append(entry)
        log: list[Event] = []
        self.log = log
        self.forced = []
        try:
            self.decision = self._turns.send(option)
        except GameOver:
            self._end()
        return log

    def _repeat(self, seat: int, text: str) -> None:
        """Make a recorded choice again."""
        if seat == NOBODY:
            self.rollback_entropy(bytes.fromhex(text))
            return
        decision = self.decision
        option = decision.option(text) if decision is not None and decision.seat == seat else None
        if option is None:
            raise ReplayMismatch(f"{text!r} is no longer possible in {self.position()}")
        self.choose(option)

    def opening(self) -> list[Event]:
        """What happened before the first decision."""
        return self._opening

    def outlook(self, option: Option) -> Mapping[str, Any]:
        """What an option would lead to, as far as nothing is revealed: a card's symbols and today's targets."""
        if self.decision is None:
            return {}
        return view.outlook(self, self.decision.seat, self.decision.option(option.text) or option)

    def view(self, seat: Seat | None) -> View:
        """What that seat, or the public, may know."""
        return view.view(self, seat, self.decision)

    # Keeping

    def fork(self) -> Match:
        """An independent match in the same state."""
        twin = Match._at(self._start, self._start_dice.copy())
        for seat, text, _ in self._since:
            twin._repeat(seat, text)
        twin._recorded = []
        twin._opening = []
        return twin

    def snapshot(self) -> dict[str, Any]:
        """The position at the start of the turn, the choices since, and a digest of where they led."""
        dice = self._start_dice
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "seed": dice.seed.hex(),
            "used": list(dice.used),
            "reveals": self._start.reveals,
            "position": position.write(self._start),
            "choices": [
                [seat, text, [list(outcome) for outcome in outcomes]] for seat, text, outcomes in self._since
            ],
            "digest": self.digest(),
        }
        if dice.scripted:
            data["scripted"] = list(dice.scripted)
        return data

    def choices(self) -> list[list[Any]]:
        """The choices since this object was made or restored. One of seat -1 is a moderator's: its text is the
        hexadecimal entropy for `rollback_entropy`."""
        return [
            [seat, text, [list(outcome) for outcome in outcomes]] for seat, text, outcomes in self._recorded
        ]

    def digest(self) -> str:
        """A digest of the complete state."""
        decision = self.decision
        asked = [decision.seat, decision.kind, [o.text for o in decision.options]] if decision else None
        state = [self.position(), self.dice.seed.hex(), self.dice.used, self.reveals, asked]
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
        self.reshuffle_unseen(entropy)
