"""A match of Goofspiel; a snapshot is its whole state. The numbers of rules are those of RULES.md."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pbem.errors import ReplayMismatch
from pbem.protocol import Decision, Event, Option, Result, Seat, View, decision_of

SCHEMA = 1
COLOURS = ("Red", "Green", "Blue", "Yellow", "Purple", "Orange")
#: What a snapshot holds of a match: the whole state, and with it the digest.
STATE = ("cards", "prizes", "stakes", "hands", "won", "bids", "turn", "reveals")


@dataclass(frozen=True, slots=True)
class GameBegan:
    """Everybody has a suit of so many cards (rules 1 and 2)."""

    seats: list[str]
    cards: int


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A prize is turned up and lies on the table with those that were left (rule 3); all play at once: no colour."""

    turn: int
    prize: int
    stakes: list[int]
    colour: None = None


@dataclass(frozen=True, slots=True)
class BidsShown:
    """Who bid what in the order of the seats, and for which prizes (rule 5); when several bid highest the prizes
    stay, or are lost after the last bid (rule 6)."""

    bids: dict[str, int]
    highest: list[str]
    prizes: list[int]
    lost: bool


@dataclass(frozen=True, slots=True)
class GameEnded:
    """All prizes have been bid for (rule 8)."""

    winners: list[str]


def shuffled(cards: Sequence[int], entropy: bytes) -> list[int]:
    """The cards in an order that depends on the entropy alone, not on their order before."""
    return sorted(cards, key=lambda card: sha256(b"prizes" + entropy + bytes((card,))).digest())


class Match:
    """One match being played."""

    def __init__(self, seats: int, cards: int) -> None:
        self.cards = cards
        #: The prizes to come, face down; the next one is the last.
        self.prizes: list[int] = []
        #: The prizes on the table.
        self.stakes: list[int] = []
        self.hands = [list(range(1, cards + 1)) for _ in range(seats)]
        #: The prizes each seat has won.
        self.won: list[list[int]] = [[] for _ in range(seats)]
        #: What each seat has bid in this turn, in secret; None before it has.
        self.bids: list[int | None] = [None] * seats
        self.turn = 0
        self.reveals = 0
        self.actor: Seat | None = None
        self.forced: list[Decision] = []
        self._opening: list[Event] = []
        self._recorded: list[list[Any]] = []

    @classmethod
    def new(cls, seats: int, cards: int, seed: bytes) -> Match:
        """Set a match up, and turn up the first prize."""
        match = cls(seats, cards)
        match.prizes = shuffled(match.hands[0], seed)
        match._opening = [Event.of(GameBegan(list(COLOURS[:seats]), cards)), *match._begin_turn()]
        return match

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Match:
        """Make a match from its snapshot."""
        match = cls.turn_start(snapshot)
        match.bids = list(snapshot["bids"])
        if match.digest() != snapshot["digest"]:
            raise ReplayMismatch(f"the stored state is not that of its digest: {match.position()}")
        return match

    @classmethod
    def turn_start(cls, snapshot: Mapping[str, Any]) -> Match:
        """The match before anybody has bid in the turn of a snapshot."""
        if snapshot.get("schema") != SCHEMA:
            raise ReplayMismatch(f"snapshot of schema {snapshot.get('schema')!r}; this version reads {SCHEMA}")
        match = cls(len(snapshot["hands"]), snapshot["cards"])
        for name in STATE:
            setattr(match, name, copy.deepcopy(snapshot[name]))
        match.bids = [None] * len(match.hands)
        return match

    # Playing

    @property
    def pending(self) -> tuple[Decision, ...]:
        """A bid of every seat that has not made it yet (rule 4)."""
        decisions = []
        for seat, (hand, bid) in enumerate(zip(self.hands, self.bids, strict=True)):
            if hand and bid is None:
                options = [Option(f"bid {card}", card) for card in hand]
                facts = {"stakes": list(self.stakes)}
                decisions.append(Decision(Seat(seat), "bid", options, options[0], facts=facts))  # rule 9
        return tuple(decisions)

    def choose(self, seat: Seat, option: Option) -> list[Event]:
        """Bid in secret; the last bid of a turn shows all of them."""
        decision = decision_of(self, seat)
        chosen = decision.option(option.text) if decision else None
        if chosen is None:
            raise ValueError(f"illegal choice {option.text!r} of seat {seat} in {self.position()}")
        self.bids[seat] = chosen.value
        self.forced = []
        return [] if None in self.bids else self._close()

    def _close(self) -> list[Event]:
        """Show the bids and go on, to the end if only last cards are left."""
        self._recorded = self.choices()
        log = self._show_bids()
        if len(self.prizes) == 1:  # rule 7
            log += self._begin_turn()
            self.forced = list(self.pending)
            self.bids = [hand[0] for hand in self.hands]
            log += self._show_bids()
        if (result := self.result) is None:
            return [*log, *self._begin_turn()]
        return [*log, Event.of(GameEnded([COLOURS[seat] for seat in result.winners]))]

    def _begin_turn(self) -> list[Event]:
        self.turn += 1
        self.reveals += 1
        self.stakes.append(self.prizes.pop())
        return [Event.of(TurnBegan(self.turn, self.stakes[-1], list(self.stakes)))]

    def _show_bids(self) -> list[Event]:
        bids = [bid for bid in self.bids if bid is not None]
        for hand, bid in zip(self.hands, bids, strict=True):
            hand.remove(bid)
        self.bids = [None] * len(self.hands)
        self.reveals += 1
        highest = [seat for seat, bid in enumerate(bids) if bid == max(bids)]
        tied, prizes = len(highest) > 1, list(self.stakes)
        if not tied:
            self.won[highest[0]] += prizes
        if not tied or not self.prizes:
            self.stakes = []
        shown, best = dict(zip(COLOURS, bids, strict=False)), [COLOURS[seat] for seat in highest]
        return [Event.of(BidsShown(shown, best, prizes, tied and not self.prizes))]

    @property
    def result(self) -> Result | None:
        """The points, when nothing is left to bid (rule 8)."""
        if any(self.hands):
            return None
        points = tuple(map(sum, self.won))
        winners = tuple(Seat(seat) for seat, count in enumerate(points) if count == max(points))
        seats = [{"colour": COLOURS[seat], "won": list(won)} for seat, won in enumerate(self.won)]
        return Result(winners, "points", points, {"seats": seats})

    def opening(self) -> list[Event]:
        """The deal, and the first prize."""
        return self._opening

    def view(self, seat: Seat | None) -> View:
        """What that seat, or the public, may know:

        turn      number of the turn, from 1
        over      None, or the reason the match ended
        seats     in seating order: {colour, cards (in hand), won (prizes), points}
        stakes    the prizes on the table
        to_come   the prizes that have not been turned up, in order of size
        seat      the colour of the reader, None for the public
        hand      the reader's cards; empty for the public
        """
        return {
            "turn": self.turn,
            "over": self.result.reason if self.result else None,
            "seats": [
                {"colour": COLOURS[at], "cards": list(hand), "won": list(won), "points": sum(won)}
                for at, (hand, won) in enumerate(zip(self.hands, self.won, strict=True))
            ],
            "stakes": list(self.stakes),
            "to_come": sorted(self.prizes),
            "seat": None if seat is None else COLOURS[seat],
            "hand": [] if seat is None else list(self.hands[seat]),
        }

    # Keeping

    def fork(self) -> Match:
        """An independent match in the same state."""
        return self.restore(self.snapshot())

    def snapshot(self) -> dict[str, Any]:
        """The state, with its digest."""
        return {"schema": SCHEMA, **json.loads(self.position()), "digest": self.digest()}

    def choices(self) -> list[list[Any]]:
        """The choices since this object was made, forked or restored."""
        mine = [[seat, f"bid {bid}", []] for seat, bid in enumerate(self.bids) if bid is not None]
        return [list(one) for one in self._recorded] + mine

    def digest(self) -> str:
        """A digest of the complete state."""
        return sha256(self.position().encode()).hexdigest()

    def position(self) -> str:
        """The state as JSON, in one line."""
        return json.dumps({name: getattr(self, name) for name in STATE}, separators=(",", ":"))

    def rollback_entropy(self, entropy: bytes) -> None:
        """Shuffle the prizes that are face down."""
        self._recorded.append([-1, entropy.hex(), []])
        self.prizes = shuffled(self.prizes, entropy)
