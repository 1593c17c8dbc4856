"""What a place on the map is worth to somebody with a secret goal, from their own view alone. For the bots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pbem.protocol import View


@dataclass(frozen=True, slots=True)
class Aims:
    """How much a seat cares for each thing; the unit is roughly a dollar."""

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


AIMS = {
    "Lord Vetinari": Aims(presence=6.0, control=0.5, lead=0.1, minion=0.5),
    "Lord Selachii": Aims(control=6.0, lead=1.2, presence=1.5, building=0.7),
    "Lord Rust": Aims(control=6.0, lead=1.2, presence=1.5, building=0.7),
    "Lord de Worde": Aims(control=6.0, lead=1.2, presence=1.5, building=0.7),
    "Dragon King of Arms": Aims(trouble=7.0, minion=1.5, building=0.3, power=0.5, harm=0.5),
    "Chrysoprase": Aims(money=1.2, building=1.2, power=3.0, presence=1.0),
    "Commander Vimes": Aims(card=2.5, harm=2.0, trouble=-1.0),
}
#: Goals of the others that everybody must reckon with: areas with a minion, areas controlled, by players.
SPREAD = {2: 11, 3: 10, 4: 9}
CONTROL = {2: 7, 3: 5, 4: 4}
#: What a marker is worth to whoever does not want eight of them, by the number already there.
DREAD = (0.0, 0.0, 0.0, -0.2, -0.6, -1.5, -4.0, -9.0, -9.0)


class Ground:
    """One area, to be changed in thought."""

    __slots__ = ("building", "cost", "demons", "minions", "name", "neighbours", "trolls", "trouble")

    def __init__(self, area: Mapping[str, Any]) -> None:
        self.name: str = area["name"]
        self.cost: int = area["cost"]
        self.neighbours: list[str] = area["neighbours"]
        self.minions: dict[str, int] = dict(area["minions"])
        self.trolls: int = area["trolls"]
        self.demons: int = area["demons"]
        self.building: str | None = area["building"]
        self.trouble: bool = area["trouble"]

    def copy(self) -> Ground:
        """Another one in the same state."""
        twin: Ground = Ground.__new__(Ground)
        for slot in Ground.__slots__:
            setattr(twin, slot, getattr(self, slot))
        twin.minions = dict(self.minions)
        return twin

    def put(self, colour: str, quietly: bool = False) -> None:
        """A piece arrives."""
        if not quietly and (self.demons or self.trolls or any(self.minions.values())):
            self.trouble = True
        self._add(colour, 1)

    def lift(self, colour: str) -> None:
        """A piece leaves, and any trouble with it."""
        self.trouble = False
        self._add(colour, -1)

    def _add(self, colour: str, count: int) -> None:
        if colour == "troll":
            self.trolls += count
        elif colour == "demon":
            self.demons += count
        else:
            self.minions[colour] = self.minions.get(colour, 0) + count

    def holder(self) -> tuple[str | None, int]:
        """Who controls the area, if anybody, and by how many pieces over the next."""
        strength = {colour: count for colour, count in self.minions.items() if count}
        if self.building:
            strength[self.building] = strength.get(self.building, 0) + 1
        best = max(strength, key=strength.__getitem__, default=None)
        if best is None or self.demons:
            return None, 0
        others = [count for colour, count in strength.items() if colour != best]
        lead = strength[best] - max([self.trolls, *others])
        return (best, lead) if lead > 0 else (None, 0)


class Sight:
    """A view, ready to be weighed by the seat it belongs to."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.me: str = view["seat"]
        self.players = len(view["seats"])
        self.seats: dict[str, Mapping[str, Any]] = {seat["colour"]: seat for seat in view["seats"]}
        self.money: int = self.seats[self.me]["money"]
        self.aims = self._aims()
        self.grounds = {area["name"]: Ground(area) for area in view["areas"]}
        self.spread: dict[str, float] = {}
        self.control: dict[str, float] = {}
        for colour in self.seats:
            present = sum(1 for g in self.grounds.values() if g.minions.get(colour) and not g.demons)
            held = sum(1 for area in view["areas"] if area["controller"] == colour)
            self.spread[colour] = 0.2 + 1.5 * max(0, present - SPREAD[self.players] + 3)
            self.control[colour] = 0.8 + 3.0 * max(0, held - CONTROL[self.players] + 2)

    def _aims(self) -> Aims:
        aims = AIMS[self.view["private"]["personality"]["name"]]
        if aims.trouble <= 0:
            aims = replace(aims, trouble=aims.trouble + DREAD[min(self.view["trouble_count"], 8)])
        if aims.money < 1 and self.money > 15:
            aims = replace(aims, money=aims.money * (0.6 if self.money < 30 else 0.3))
        return aims

    def worth(self, ground: Ground) -> float:
        """What an area in this state is worth to me."""
        me, aims = self.me, self.aims
        own = ground.minions.get(me, 0)
        value = aims.minion * own + (aims.trouble if ground.trouble else 0.0)
        if not ground.demons:
            holder, lead = ground.holder()
            if own:
                value += aims.presence
            if ground.building == me:
                value += aims.building * ground.cost + aims.power
            if holder == me:
                value += aims.control + aims.lead * min(lead, 2)
            elif holder:
                value -= aims.harm * self.control[holder]
        for colour, count in ground.minions.items():
            if count and colour != me:
                value -= aims.harm * (self.spread[colour] + 0.3 * count)
        if ground.building and ground.building != me:
            value -= aims.harm * 0.1 * ground.cost
        return value

    def gain(self, *changed: Ground) -> float:
        """How much better the map is with these areas so changed."""
        return sum(self.worth(ground) - self.worth(self.grounds[ground.name]) for ground in changed)

    def threat(self, colour: str) -> float:
        """How close a rival seems to a goal that everybody can see."""
        seat = self.seats[colour]
        wealth: int = seat["money"] + sum(self.grounds[area].cost for area in seat["buildings"])
        rich = max(0, wealth - 30) * 0.2
        return self.spread[colour] + self.control[colour] + rich
