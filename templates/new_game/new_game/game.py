"""The rules of New Game: in turn, take one to three sticks; whoever takes the last one wins."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from pbem.errors import ReplayMismatch
from pbem.protocol import Decision, Event, Game, Option, Result, Seat, View, Vocabulary, decision_of, settings_for

COLOURS = ("Red", "Green", "Blue", "Yellow")
#: The most that may be taken at once.
MOST = 3


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """The first event of every turn; the server reads it."""

    turn: int
    colour: str


@dataclass(frozen=True, slots=True)
class SticksTaken:
    """Somebody took some, and so many are left."""

    colour: str
    number: int
    left: int


@dataclass(slots=True)
class State:
    """All that a match is. A game with chance keeps what the seed made of it here, such as the order of a deck."""

    seats: int
    sticks: int
    turn: int = 1
    actor: int = 0
    #: How often something was revealed; nothing ever is in this game.
    reveals: int = 0
    #: How many the last choice of the match took: with them back the turn begins again.
    last: int = 0


class Match:
    """One match being played."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.forced: tuple[Decision, ...] = ()
        self._recorded: list[list[Any]] = []

    @property
    def pending(self) -> tuple[Decision, ...]:
        """The one decision of whose turn it is; several, when a game asks several seats at once."""
        if not self.state.sticks:
            return ()
        options = [Option(f"take {number}", number) for number in range(1, min(MOST, self.state.sticks) + 1)]
        return (Decision(Seat(self.state.actor), "take", options, options[0]),)

    @property
    def result(self) -> Result | None:
        """The seat that took the last stick has won."""
        if self.state.sticks:
            return None
        return Result((Seat(self.state.actor),), "last", (None,) * self.state.seats)

    @property
    def reveals(self) -> int:
        """How often something was revealed."""
        return self.state.reveals

    @property
    def turn(self) -> int:
        """The number of the turn."""
        return self.state.turn

    @property
    def actor(self) -> Seat | None:
        """The seat whose turn it is."""
        return Seat(self.state.actor)

    def choose(self, seat: Seat, option: Option) -> list[Event]:
        """Take sticks, and pass the turn on."""
        decision = decision_of(self, seat)
        chosen = decision.option(option.text) if decision else None
        if chosen is None:
            raise ValueError(f"illegal choice {option.text!r} of seat {seat} in {self.position()}")
        state = self.state
        self._recorded.append([seat, chosen.text, []])
        state.sticks -= chosen.value
        events = [Event.of(SticksTaken(COLOURS[seat], chosen.value, state.sticks))]
        if state.sticks:
            state.turn += 1
            state.actor = (state.actor + 1) % state.seats
            events.append(Event.of(TurnBegan(state.turn, COLOURS[state.actor])))
        else:
            state.last = chosen.value
        return events

    def opening(self) -> list[Event]:
        """The first turn begins."""
        return [Event.of(TurnBegan(1, COLOURS[0]))]

    def view(self, seat: Seat | None) -> View:
        """What that seat, or the public, may know: all of it. The same keys for every reader."""
        return {
            "over": self.result.reason if self.result else None,
            "sticks": self.state.sticks,
            "seat": None if seat is None else COLOURS[seat],
        }

    def fork(self) -> Match:
        """An independent match in the same state."""
        return Match(State(**asdict(self.state)))

    def snapshot(self) -> dict[str, Any]:
        """The state, with its digest."""
        return {**asdict(self.state), "digest": self.digest()}

    def choices(self) -> list[list[Any]]:
        """The choices since this object was made."""
        return [list(choice) for choice in self._recorded]

    def digest(self) -> str:
        """A digest of the complete state."""
        return sha256(self.position().encode()).hexdigest()

    def position(self) -> str:
        """The state in one line."""
        return json.dumps(asdict(self.state))

    def rollback_entropy(self, entropy: bytes) -> None:
        """Draw what nobody may have seen anew: there is nothing of that kind in this game."""
        self._recorded.append([-1, entropy.hex(), []])


class NewGame:
    """New Game, for two to four players."""

    name = "new_game"
    title = "New Game"
    seats = (2, 4)
    colours: tuple[str, ...] = COLOURS
    settings: Mapping[str, tuple[str, ...]] = {"sticks": ("21", "10")}
    vocabulary = Vocabulary(
        verbs={"take": ("remove", "draw")},
        names={"number": {str(number): () for number in range(1, MOST + 1)}},
        fillers=frozenset(("stick", "sticks")),
    )

    def new(self, seats: int, seed: bytes, settings: Mapping[str, str]) -> Match:
        """Set a match up."""
        return Match(State(seats, int(settings_for(self, settings)["sticks"])))

    def restore(self, snapshot: Mapping[str, Any]) -> Match:
        """The match of a snapshot."""
        match = Match(State(**{name: value for name, value in snapshot.items() if name != "digest"}))
        if match.digest() != snapshot["digest"]:
            raise ReplayMismatch(f"the stored state is not that of its digest: {match.position()}")
        return match

    def turn_start(self, snapshot: Mapping[str, Any]) -> Match:
        """The match at the start of the turn. A turn is one choice here: only that which ended the match is left out."""
        match = self.restore(snapshot)
        match.state.sticks, match.state.last = match.state.sticks + match.state.last, 0
        return match

    def dealt_anew(self, match: Match, seat: Seat | None, entropy: bytes) -> Match:
        """The same match for that seat, with other secrets of the others: nothing is hidden in this game."""
        return match

    def bot(self, view: View, decision: Decision, randomness: bytes) -> Option:
        """Leave a multiple of four if that is possible, else take some by chance."""
        wanted = view["sticks"] % (MOST + 1)
        return decision.option(f"take {wanted}") or decision.options[randomness[0] % len(decision.options)]


GAME: Game = NewGame()
