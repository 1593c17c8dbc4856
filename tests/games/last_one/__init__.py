"""Last One, a game for the tests: turns do not go round, seats drop out, and its options look like other things.

In a turn a seat puts one of its two hidden cards down (`card 1`), names a number (`4`) and a die of four sides is
rolled. It loses a life unless the die shows the card or the number; without lives it is out. Whoever was right may take
another turn at once (`yes`). The last one wins.

A snapshot is the start of the turn and the choices since, unlike that of Goofspiel.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from pbem.errors import ReplayMismatch
from pbem.protocol import Decision, Event, Game, Option, Result, Seat, View, Vocabulary, decision_of

COLOURS = ("Black", "White", "Grey", "Brown")
LIVES = 2
SIDES = 4


def number(entropy: bytes, *purpose: object) -> int:
    """A number from 1 to the sides of the die."""
    return sha256(entropy + repr(purpose).encode()).digest()[0] % SIDES + 1


@dataclass(slots=True)
class State:
    """All there is at the start of a turn, or amid one."""

    seed: str
    lives: list[int]
    hands: list[list[int]]
    turn: int = 1
    actor: int = 0
    rolls: int = 0
    reveals: int = 0
    card: int | None = None

    def digest(self) -> str:
        return sha256(repr(self).encode()).hexdigest()


@dataclass(slots=True)
class Match:
    """One match being played."""

    state: State
    start: State = field(init=False)
    since: list[tuple[int, str]] = field(default_factory=list)
    recorded: list[list[Any]] = field(default_factory=list)
    log: list[Event] = field(default_factory=list)
    outcomes: list[Any] = field(default_factory=list)
    decision: Decision | None = None
    forced: Sequence[Decision] = ()
    running: Generator[Decision, str, None] = field(init=False)
    first: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.running = self._turns()
        self._go_on(None)
        self.first = self.log

    # The rules

    def _turns(self) -> Generator[Decision, str, None]:
        state = self.state
        while True:
            self.start, self.since = copy.deepcopy(state), []
            self._tell("TurnBegan", turn=state.turn, colour=COLOURS[state.actor])
            again = yield from self._turn()
            left = [seat for seat, lives in enumerate(state.lives) if lives]
            if len(left) == 1:
                return
            if not again:
                state.actor = min((seat for seat in left if seat > state.actor), default=left[0])
            state.turn += 1
            state.card = None

    def _turn(self) -> Generator[Decision, str, bool]:
        state, me = self.state, self.state.actor
        chosen = yield self._ask("card", [f"card {card}" for card in state.hands[me]])
        state.card = int(chosen.removeprefix("card "))
        self.log.append(Event("CardPut", {"colour": COLOURS[me]}, {me: {"card": state.card}}))
        named = int((yield self._ask("number", [str(side) for side in range(1, SIDES + 1)])))
        state.rolls += 1
        state.reveals += 1
        die = number(bytes.fromhex(state.seed), "roll", state.rolls)
        self.outcomes.append(die)
        right = die in (state.card, named)
        self._tell("Rolled", colour=COLOURS[me], card=state.card, named=named, die=die, right=right)
        if right:
            return (yield self._ask("again", ["yes", "no"])) == "yes"
        state.lives[me] -= 1
        if not state.lives[me]:
            self._tell("WentOut", colour=COLOURS[me])
        return False

    def _ask(self, kind: str, texts: Sequence[str]) -> Decision:
        options = [Option(text) for text in texts]
        decline = options[-1] if kind == "again" else None
        return Decision(Seat(self.state.actor), kind, options, options[-1], decline=decline)

    def _tell(self, kind: str, **data: Any) -> None:
        self.log.append(Event(kind, data))

    def _go_on(self, answer: str | None) -> None:
        try:
            self.decision = next(self.running) if answer is None else self.running.send(answer)
        except StopIteration:
            self.decision = None

    # The protocol

    @property
    def pending(self) -> tuple[Decision, ...]:
        return (self.decision,) if self.decision else ()

    @property
    def result(self) -> Result | None:
        winners = tuple(Seat(seat) for seat, lives in enumerate(self.state.lives) if lives)
        return None if self.decision else Result(winners, "last", (None,) * len(self.state.lives))

    @property
    def reveals(self) -> int:
        return self.state.reveals

    @property
    def turn(self) -> int:
        return self.state.turn

    @property
    def actor(self) -> Seat:
        return Seat(self.state.actor)

    def choose(self, seat: Seat, option: Option) -> list[Event]:
        decision = decision_of(self, seat)
        if decision is None or decision.option(option.text) is None:
            raise ValueError(f"illegal choice {option.text!r} of {seat} in {self.position()}")
        self.since.append((seat, option.text))
        self.log, self.outcomes = [], []
        self.recorded.append([seat, option.text, self.outcomes])
        self._go_on(option.text)
        return self.log

    def opening(self) -> list[Event]:
        return self.first

    def view(self, seat: Seat | None) -> View:
        state = self.state
        return {
            "turn": state.turn,
            "over": None if self.decision else "last",
            "seats": [{"colour": COLOURS[at], "lives": lives} for at, lives in enumerate(state.lives)],
            "hand": [] if seat is None else state.hands[seat],
            "put": state.card if seat == state.actor else None,
        }

    def fork(self) -> Match:
        return restored(type(self), self.start, self.since)

    def snapshot(self) -> dict[str, Any]:
        start = {name: getattr(self.start, name) for name in State.__slots__}
        return json.loads(json.dumps({"start": start, "since": self.since, "digest": self.digest()}))  # type: ignore[no-any-return]

    def choices(self) -> list[list[Any]]:
        return self.recorded

    def digest(self) -> str:
        return self.state.digest()

    def position(self) -> str:
        return repr(self.state)

    def rollback_entropy(self, entropy: bytes) -> None:
        self.since.append((-1, entropy.hex()))
        self.recorded.append([-1, entropy.hex(), []])
        self.state.seed = sha256(bytes.fromhex(self.state.seed) + entropy).hexdigest()


def restored(kind: type[Match], start: State, since: Sequence[Sequence[Any]]) -> Match:
    """The match that these choices lead to from the start of a turn."""
    match = kind(copy.deepcopy(start))
    for seat, text in since:
        if seat < 0:
            match.rollback_entropy(bytes.fromhex(text))
        else:
            match.choose(Seat(seat), Option(text))
    match.recorded = []
    return match


class LastOne:
    """Last One, for two to four players."""

    name = "last_one"
    title = "Last One"
    seats = (2, 4)
    colours: tuple[str, ...] = COLOURS
    settings: Mapping[str, tuple[str, ...]] = {}
    match: type[Match] = Match
    vocabulary = Vocabulary(
        verbs={"card": (), "yes": ("again",), "no": ()},
        names={"number": dict.fromkeys(map(str, range(1, SIDES + 1)), ())},
        alone=frozenset(("yes", "no")),
    )

    def new(self, seats: int, seed: bytes, settings: Mapping[str, str]) -> Match:
        hands = [self.hand(seed, seat) for seat in range(seats)]
        return self.match(State(seed.hex(), [LIVES] * seats, hands))

    def hand(self, entropy: bytes, seat: int) -> list[int]:
        """Two different cards."""
        first = number(entropy, "hand", seat)
        return sorted((first, (first + number(entropy, "second", seat) % (SIDES - 1)) % SIDES + 1))

    def turn_start(self, snapshot: Mapping[str, Any]) -> Match:
        return restored(self.match, State(**snapshot["start"]), ())

    def restore(self, snapshot: Mapping[str, Any]) -> Match:
        match = restored(self.match, State(**snapshot["start"]), snapshot["since"])
        if match.digest() != snapshot["digest"]:
            raise ReplayMismatch("the choices lead elsewhere")
        return match

    def dealt_anew(self, match: Match, seat: Seat | None, entropy: bytes) -> Match:
        """The same match for one seat; the others' hands, and what they put down, may be others."""
        start = copy.deepcopy(match.start)
        shown = start.actor if len(match.since) > 1 else None  # the roll showed the card
        for other in range(len(start.hands)):
            if other not in (seat, shown):
                start.hands[other] = self.hand(entropy, other)
        since = [
            (who, f"card {start.hands[who][0]}" if text.startswith("card ") and who not in (seat, shown) else text)
            for who, text in match.since
        ]
        return restored(self.match, start, since)


GAME: Game = LastOne()
