"""What can happen in a match and what can be asked, with the facts of each: a class a kind of event, one for decisions.

Facts are ready to print: colours (`Red`, or `troll`, `demon`), names of areas, cards, events and personalities. `cause`
is the name of the card, event or area that did it. A Secret is None for all but the seats that it concerns.
Templates and tests go by this module and by `data/asked.toml`, which lists the kinds of decisions and threats.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias, dataclass_transform

from pbem.protocol import Event

Facts: TypeAlias = Mapping[str, Any]
NOTHING: dict[str, int] = {}
#: Whose doing it is when no player does it.
EVENT = "event"
Secret: TypeAlias = str | list[str] | None


@dataclass_transform(frozen_default=True)
class Fact(Event):
    """An event as a value: its fields are the data. Every subclass is a dataclass."""

    private: Mapping[int, Mapping[str, Any]] | None = None

    def __init_subclass__(cls) -> None:
        EVENTS[cls.__name__] = dataclass(cls)  # frozen for the type checker alone: they must be cheap

    def showing(self, private: Mapping[int, Mapping[str, Any]]) -> Self:
        """This event, with what single seats may know of it besides."""
        self.private = private
        return self

    @property
    def kind(self) -> str:  # type: ignore[override]
        """The name of the class."""
        return type(self).__name__

    @property
    def data(self) -> dict[str, Any]:  # type: ignore[override]
        """The fields."""
        return {name: value for name, value in vars(self).items() if name != "private"}


#: Kind of event -> its class.
EVENTS: dict[str, type[Fact]] = {}

# One kind a line, as in a table.
# ruff: noqa: E701, E702
# fmt: off

# Set-up and turns
class GameBegan(Fact): seats: list[str]; first: str
class PersonalityDealt(Fact): colour: str; personality: Secret = None
class TurnBegan(Fact): turn: int; colour: str
class TurnEnded(Fact): turn: int; colour: str
class GameEnded(Fact): reason: str; winners: list[str]  # goal, vimes, pile or riots

# Playing
class CardPlayed(Fact): colour: str; card: str
class CardTakenBack(Fact): colour: str; card: str  # into the hand (Doctor Mossy Lawn)
class Passed(Fact): colour: str  # no card could be played
class SymbolSkipped(Fact): colour: str; card: str; symbol: str; possible: bool  # as far as everybody can see
class ScrollRead(Fact): colour: str; card: str  # a scroll that begins without a choice was begun
class PowerUsed(Fact): colour: str; area: str
class TargetNamed(Fact): colour: str; target: str; card: str

# Minions and trouble; `by` is a colour or an event, `trouble` says that a marker was put there
class MinionPlaced(Fact): colour: str; area: str; trouble: bool
class MinionTakenOff(Fact): colour: str; area: str; trouble: bool  # to be placed anew; True: a marker left
class MinionMoved(Fact): by: str; colour: str; area: str; to: str; trouble: bool  # from `area`
class MinionRemoved(Fact): by: str; colour: str; area: str; cause: str
class MinionRelocated(Fact): colour: str; left: str; area: str; trouble: bool; card: str
class MinionsSwapped(Fact): by: str; first: str; first_area: str; second: str; second_area: str  # that they left
class TroublePlaced(Fact): area: str; by: str
class TroubleRemoved(Fact): area: str; by: str
class TrollPlaced(Fact): area: str; trouble: bool
class DemonPlaced(Fact): area: str; trouble: bool
class DemonRefused(Fact): colour: str; area: str

# Buildings; `colour` is the owner
class BuildingBuilt(Fact): colour: str; area: str; cost: int
class BuildingTakenOff(Fact): colour: str; area: str  # to be built anew
class BuildingRemoved(Fact): colour: str; area: str; cause: str
class BuildingBought(Fact): colour: str; owner: str; area: str; cost: int  # `colour` bought it from `owner`
class CityCardGone(Fact): colour: str; area: str

# Money
class MoneyTaken(Fact): colour: str; amount: int; cause: str
class MoneyPaid(Fact): colour: str; to: str; amount: int; cause: str  # to a colour or the `bank`
class PaymentRefused(Fact): colour: str; to: str; amount: int; possible: bool; cause: str  # else too poor
class LoanTaken(Fact): colour: str; card: str; amount: int

# Cards
class CardsDrawn(Fact): colour: str; count: int; cause: str; cards: Secret = None
class CardsRecovered(Fact): colour: str; count: int; cards: Secret = None  # from the discard pile
class CardGiven(Fact): colour: str; to: str; count: int; cause: str; cards: Secret = None
class CardDiscarded(Fact): colour: str; card: str; by: str  # from the hand of `colour`
class HandsSwapped(Fact): colour: str; other: str; cards: Secret = None  # to each what it received
class HandSeen(Fact): colour: str; whose: str; cards: Secret = None
class CardsSeen(Fact): colour: str; whose: str; count: int; cards: Secret = None
class CardStuck(Fact): colour: str; card: str  # in front of `colour`
class FogDiscarded(Fact): cards: list[str]
class PersonalitySwapped(Fact): colour: str; old: Secret = None; new: Secret = None
class PersonalitiesSeen(Fact): colour: str; count: int; personalities: Secret = None

# Dice and random events
class DiceRolled(Fact): colour: str; dice: list[int]; areas: list[str]; cause: str  # no areas: rolled for luck
class EventDrawn(Fact): colour: str; event: str; left: int  # event cards
class NoEventLeft(Fact): colour: str
class NothingHappened(Fact): cause: str
class AreaFlooded(Fact): area: str
class FireSpread(Fact): area: str  # where the next building burns

# Reactions
class InterruptPlayed(Fact): colour: str; card: str
class PieceProtected(Fact): colour: str; piece: str; area: str; card: str  # a colour, `building` or `card`
class ScrollBlocked(Fact): colour: str; card: str; ended: bool  # by `colour`; True: for all
# fmt: on


def asked(
    card: str | None = None,
    symbol: str | None = None,
    *,
    cause: str | None = None,
    amount: int | None = None,
    left: int | None = None,
    to: str | None = None,
    target: str | None = None,
    from_: str | None = None,
    instead: str | None = None,
    areas: Sequence[str] = (),
    costs: Mapping[str, int] = NOTHING,
    amounts: Mapping[str, int] = NOTHING,
) -> dict[str, Any]:
    """The facts of a decision that is no window; all keys are always there.

    card, symbol    the card that is being carried out and its symbol
    cause           else the area or event whose doing it is
    amount, left    dollars; how many are still to be chosen, this one included
    to, target      who gets it; whom it is done to
    from            the area a minion leaves, or the colour whose card is discarded
    instead         what happens if it is not paid: `stick` or `burn`
    areas           those it must come from
    costs, amounts  prices, and what it brings, by area
    """
    facts = locals()
    facts["from"] = facts.pop("from_")
    return facts


def threatened(
    threat: str,
    card: str,
    by: str = EVENT,
    symbol: str = "scroll",
    *,
    piece: str | None = None,
    area: str | None = None,
    to: str | None = None,
    amount: int | None = None,
    areas: Sequence[str] = (),
    again: bool = False,
) -> Facts:
    """The facts of a window: what is about to happen to a seat; all keys are always there.

    threat          what happens: one of those in `data/asked.toml`
    card, by        the card or event that does it, and whose doing it is: a colour, or `event`
    symbol          what of the card does it: `scroll`, `assassinate` or `event`
    piece, area, to the colour of the minion, the area it stands in, and where it is bound for
    amount          dollars or cards
    areas           those that an event hits
    again           whether the seat could end this scroll before
    """
    return locals()
