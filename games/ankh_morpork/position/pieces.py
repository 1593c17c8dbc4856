"""Every change on the board that people are told about: minions, trouble markers, buildings. Nothing here asks."""

from __future__ import annotations

from games.ankh_morpork.data.cards import AREA, CARD
from games.ankh_morpork.position.ledger import Ledger
from games.ankh_morpork.position.options import DEMON, OWNERS, TROLL
from pbem.protocol import Event


class Pieces(Ledger):
    """Changes on the board."""

    __slots__ = ()

    def place(self, seat: int, area: int, taken_from: int = -1, quietly: bool = False) -> None:
        """Place a minion (R-MIN-1), taking one off the board first where all are out (R-MIN-2)."""
        if taken_from >= 0:
            trouble = self.lift(seat, taken_from)
            self.log.append(
                Event(
                    "MinionTakenOff", {"colour": OWNERS[seat], "area": AREA[taken_from], "trouble": trouble}
                )
            )
        if quietly:
            self.put_quietly(seat, area)
            trouble = False
        else:
            trouble = self.put(seat, area)
        self.log.append(
            Event("MinionPlaced", {"colour": OWNERS[seat], "area": AREA[area], "trouble": trouble})
        )

    def take_away(self, owner: int, area: int, by: str, cause: str) -> None:
        """Remove a piece from the board."""
        self.lift(owner, area)
        self.log.append(
            Event("MinionRemoved", {"by": by, "colour": OWNERS[owner], "area": AREA[area], "cause": cause})
        )

    def shift(self, owner: int, area: int, to: int, by: str) -> None:
        """Move a piece: departure first, then arrival (R-TRB-5)."""
        self.lift(owner, area)
        trouble = self.put(owner, to)
        self.log.append(
            Event(
                "MinionMoved",
                {"by": by, "colour": OWNERS[owner], "from": AREA[area], "to": AREA[to], "trouble": trouble},
            )
        )

    def exchange(self, owner: int, area: int, other: int, other_area: int, by: str) -> None:
        """Swap two pieces: both leave, then both arrive (R-SCR-BURSAR)."""
        self.lift(owner, area)
        self.lift(other, other_area)
        self.put(owner, other_area)
        self.put(other, area)
        self.tell(
            "MinionsSwapped",
            by=by,
            first=OWNERS[owner],
            first_area=AREA[area],
            second=OWNERS[other],
            second_area=AREA[other_area],
        )

    def add_trouble(self, area: int, by: str) -> None:
        """Put a marker into an area."""
        self.trouble |= 1 << area
        self.log.append(Event("TroublePlaced", {"area": AREA[area], "by": by}))

    def calm(self, area: int, by: str) -> None:
        """Take the marker out of an area."""
        self.trouble &= ~(1 << area)
        self.log.append(Event("TroubleRemoved", {"area": AREA[area], "by": by}))

    def add_troll(self, area: int) -> None:
        """A troll arrives (R-EVT-TRO)."""
        self.tell("TrollPlaced", area=AREA[area], trouble=self.put(TROLL, area))

    def add_demon(self, area: int) -> None:
        """A demon arrives, always with trouble (R-TRB-4)."""
        trouble = not self.trouble >> area & 1
        self.put_quietly(DEMON, area)
        self.trouble |= 1 << area
        self.tell("DemonPlaced", area=AREA[area], trouble=trouble)

    def take_building_off(self, area: int) -> None:
        """Take one's own building off the board to use it elsewhere (R-BLD-3)."""
        seat = self.raze(area)
        self.tell("BuildingTakenOff", colour=OWNERS[seat], area=AREA[area])

    def build(self, seat: int, area: int, instead: int, cost: int) -> None:
        """Pay the bank and put up a building."""
        if instead >= 0:
            self.take_building_off(instead)
        self.money[seat] -= cost
        self.raise_building(seat, area)
        self.log.append(Event("BuildingBuilt", {"colour": OWNERS[seat], "area": AREA[area], "cost": cost}))

    def buy(self, buyer: int, area: int, instead: int, cost: int) -> None:
        """A player's building takes the place of another's, who has been paid (R-SCR-BUY)."""
        if instead >= 0:
            self.take_building_off(instead)
        seller = self.raze(area)
        self.raise_building(buyer, area)
        self.tell("BuildingBought", colour=OWNERS[buyer], owner=OWNERS[seller], area=AREA[area], cost=cost)

    def lose_city_card(self, area: int) -> None:
        """A City Area card leaves the game; the building stays (R-EVT-BSJ)."""
        self.gone |= 1 << area
        self.tell("CityCardGone", colour=OWNERS[self.owner_of[area]], area=AREA[area])

    def relocate(self, seat: int, area: int, left: int, card: int) -> None:
        """A removed minion comes back elsewhere (Fresh Start Club, Igor)."""
        trouble = self.put(seat, area)
        self.log.append(
            Event(
                "MinionRelocated",
                {
                    "colour": OWNERS[seat],
                    "from": AREA[left],
                    "area": AREA[area],
                    "trouble": trouble,
                    "card": CARD[card],
                },
            )
        )

    def demolish(self, area: int, cause: str) -> None:
        """Remove a building from the board."""
        seat = self.raze(area)
        self.tell("BuildingRemoved", colour=OWNERS[seat], area=AREA[area], cause=cause)
