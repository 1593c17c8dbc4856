"""The city as one seat sees it, and what each area is worth to that seat's secret goal. The unit is about a dollar."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from games.ankh_morpork.data.cards import PERSONALITIES
from pbem.protocol import View


@dataclass(frozen=True, slots=True)
class Aims:
    """How much a seat cares for each thing."""

    #: One more minion on the board.
    minion: float = 1.0
    #: An area without a demon in which a minion of one's own stands.
    presence: float = 1.0
    #: An area controlled, and each piece of the lead in it (up to two).
    control: float = 1.5
    lead: float = 0.4
    #: Each dollar of a building's printed cost, and the building itself, for its power.
    building: float = 0.55
    power: float = 2.0
    #: A trouble marker, while there are few.
    trouble: float = -0.2
    #: A dollar and a card.
    money: float = 0.5
    card: float = 0.7
    #: Harm done to somebody who seems close to a goal.
    harm: float = 1.0


#: By goal, as in `personalities.toml`.
AIMS = {
    "areas_with_minion": Aims(presence=6.0, control=0.5, lead=0.1, minion=0.5),
    "areas_controlled": Aims(control=6.0, lead=1.2, presence=1.5, building=0.7),
    "trouble_on_board": Aims(trouble=7.0, minion=1.5, building=0.3, power=0.5, harm=0.5),
    "net_worth": Aims(money=1.2, building=1.2, power=3.0),
    "draw_pile_empty": Aims(card=2.5, harm=2.0, trouble=-1.0),
}
#: Goals to which everybody can see somebody come near: how many steps before one are feared, and how much each.
FEARED = {"areas_with_minion": (3, 1.5), "areas_controlled": (2, 3.0), "net_worth": (20, 0.2)}
#: What the last marker before the eighth costs whoever wants no trouble, and how much of that each one before it.
DREAD, EBB = 9.0, 0.4
#: Who does not collect money cares less for each dollar when there are more than these.
PLENTY = 15

GOALS = {person.name: person.goal for person in PERSONALITIES}
NEEDED = {person.goal: person.thresholds for person in PERSONALITIES}


@dataclass(frozen=True, slots=True)
class Area:
    """An area as it is or might be."""

    name: str
    cost: int
    neighbours: tuple[str, ...]
    #: By owner: the colours, `troll` and `demon`.
    pieces: Mapping[str, int]
    building: str | None
    trouble: bool

    def put(self, owner: str, *, quietly: bool = False) -> Self:
        """With one more piece, and trouble where another stands."""
        trouble = self.trouble or (not quietly and any(self.pieces.values()))
        return replace(self, pieces={**self.pieces, owner: self.pieces.get(owner, 0) + 1}, trouble=trouble)

    def lift(self, owner: str) -> Self:
        """With one piece fewer, and without trouble."""
        return replace(self, pieces={**self.pieces, owner: self.pieces[owner] - 1}, trouble=False)

    def build(self, owner: str | None) -> Self:
        """With a building of this owner, or with none."""
        return replace(self, building=owner)

    def holder(self) -> tuple[str | None, int]:
        """Who controls the area, if anybody, and by how many pieces over the next."""
        strength = dict(self.pieces)
        if self.building:
            strength[self.building] = strength.get(self.building, 0) + 1
        first, second, *_ = sorted(strength, key=strength.__getitem__, reverse=True)
        lead = strength[first] - strength[second]
        return (first, lead) if lead and first != "troll" and not strength["demon"] else (None, 0)


class Sight:
    """A view, ready to be weighed by the seat it belongs to."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.me: str = view["seat"]
        self.seats: dict[str, Mapping[str, Any]] = {seat["colour"]: seat for seat in view["seats"]}
        self.rivals = len(self.seats) - 1
        self.money: int = self.seats[self.me]["money"]
        self.hand: dict[str, Mapping[str, Any]] = {card["name"]: card for card in view["private"]["hand"]}
        self.areas = {
            area["name"]: Area(
                area["name"],
                area["cost"],
                tuple(area["neighbours"]),
                {**area["minions"], "troll": area["trolls"], "demon": area["demons"]},
                area["building"],
                area["trouble"],
            )
            for area in view["areas"]
        }
        self.aims = self._aims()
        #: What an area costs that a rival stands in or controls.
        self.spread = {seat: 0.2 + self._fear("areas_with_minion", self._present(seat)) for seat in self.seats}
        self.control = {seat: 0.8 + self._fear("areas_controlled", self._held(seat)) for seat in self.seats}
        self._worth = {name: self.worth(area) for name, area in self.areas.items()}

    def _aims(self) -> Aims:
        person = self.view["private"]["personality"]
        aims = AIMS[GOALS[person["name"]]] if person else Aims()
        if aims.trouble < 0:
            aims = replace(aims, trouble=aims.trouble - DREAD * EBB ** max(0, 7 - self.view["trouble_count"]))
        if aims.money < 1:
            aims = replace(aims, money=aims.money * PLENTY / max(PLENTY, self.money))
        return aims

    def _present(self, colour: str) -> int:
        return sum(area.pieces.get(colour, 0) > 0 == area.pieces["demon"] for area in self.areas.values())

    def _held(self, colour: str) -> int:
        return sum(area["controller"] == colour for area in self.view["areas"])

    def _fear(self, goal: str, have: int) -> float:
        steps, each = FEARED[goal]
        need = NEEDED[goal].get(len(self.seats))
        return each * max(0, have - need + steps) if need else 0.0

    def worth(self, area: Area) -> float:
        """What an area in this state is worth to me."""
        me, aims, harm = self.me, self.aims, 0.0
        own = area.pieces.get(me, 0)
        value = aims.minion * own + aims.trouble * area.trouble
        if not area.pieces["demon"]:
            holder, lead = area.holder()
            value += aims.presence * (own > 0)
            if area.building == me:
                value += aims.building * area.cost + aims.power
            if holder == me:
                value += aims.control + aims.lead * min(lead, 2)
            elif holder:
                harm += self.control[holder]
        for colour, count in area.pieces.items():
            if count and colour != me and colour in self.seats:
                harm += self.spread[colour] + 0.3 * count
        if area.building and area.building != me:
            harm += 0.1 * area.cost
        return value - aims.harm * harm

    def gain(self, *changed: Area) -> float:
        """How much better the city is with these areas so changed."""
        return sum(self.worth(area) - self._worth[area.name] for area in changed)

    def danger(self, colour: str) -> float:
        """How close a rival seems to a goal that everybody can see."""
        seat = self.seats[colour]
        wealth = seat["money"] + sum(self.areas[area].cost for area in seat["buildings"])
        return self.spread[colour] + self.control[colour] + self._fear("net_worth", wealth)
