"""The position with its dice and its log: what people are told, what is rolled, and the end of the match."""

from __future__ import annotations

from games.ankh_morpork.data.cards import AREA, EVENTS
from games.ankh_morpork.position.board import Position
from games.ankh_morpork.position.dice import Dice
from games.ankh_morpork.position.options import OWNERS
from pbem.protocol import Decision, Event

#: An event concerns all seats.
EVERYBODY = -1


class GameOver(Exception):
    """The match ended; `Position.over` says why. It unwinds whatever was being carried out."""


class Ledger(Position):
    """A position with its dice and its log."""

    __slots__ = ("aimed", "card", "dice", "forced", "log", "outcomes")

    def __init__(self, seats: int, dice: Dice) -> None:
        super().__init__(seats)
        self.dice = dice
        #: The card whose symbols are being carried out.
        self.card = -1
        #: The seats at which its symbol was aimed, as a mask: those, and the actor, may be asked something.
        self.aimed = 0
        #: What happened since the last choice.
        self.log: list[Event] = []
        #: The dice and draws that followed the last choice.
        self.outcomes: list[list[object]] = []
        #: What the rules left a seat no choice in since the last choice: taken without asking.
        self.forced: list[Decision] = []

    def tell(self, kind: str, **data: object) -> None:
        """Log what everybody may know."""
        self.log.append(Event(kind, data))

    def finish(self, reason: str) -> None:
        """End the match at once."""
        self.over = reason
        raise GameOver

    def roll(self, seat: int, count: int, cause: str) -> list[int]:
        """Roll dice for all to see; the areas (numbers from 0) that the dice name."""
        dice = [self.dice.die() for _ in range(count)]
        self.outcomes.extend(["die", number] for number in dice)
        self.reveals += 1
        self.log.append(
            Event(
                "DiceRolled",
                {
                    "colour": OWNERS[seat],
                    "dice": dice,
                    "areas": [AREA[number - 1] for number in dice],
                    "cause": cause,
                },
            )
        )
        return [number - 1 for number in dice]

    def turn_up_event(self, seat: int) -> int:
        """Turn up the top event card; -1 when none is left."""
        if not self.events:
            self.tell("NoEventLeft", colour=OWNERS[seat])
            return -1
        event = self.events.pop()
        self.happened.append(event)
        self.outcomes.append(["event", EVENTS[event].id])
        self.reveals += 1
        self.tell("EventDrawn", colour=OWNERS[seat], event=EVENTS[event].name, left=len(self.events))
        return event
