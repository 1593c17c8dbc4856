"""The city as one seat sees it, for the rules to judge: nothing that the seat may not know is in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.ankh_morpork.data.cards import AREA, AREAS, CARD, CARDS, Card
from games.ankh_morpork.position.board import AFFORDABLE, AROUND, Position, union
from games.ankh_morpork.position.options import BITS, COLOURS, DEMON, OWNERS, TROLL
from games.ankh_morpork.rules.legal import Options, assassinations
from games.ankh_morpork.why_not import why_not
from pbem.protocol import Decision, Option, Reason, Seat, View


def position_of(view: View) -> Position:
    """The board and what lies open before the seats, as a view shows them; hands, piles and personalities are not in it."""
    there = Position(len(view["seats"]))
    there.actor = Seat(COLOURS.index(view["actor"]))
    for area in view["areas"]:
        number = AREA.index(area["name"])
        counts = {**area["minions"], OWNERS[TROLL]: area["trolls"], OWNERS[DEMON]: area["demons"]}
        for owner, count in counts.items():
            for _ in range(count):
                there.put_quietly(OWNERS.index(owner), number)
        if area["building"]:
            there.raise_building(COLOURS.index(area["building"]), number)
        there.trouble |= area["trouble"] << number
        there.gone |= area["card_gone"] << number
    for number, seat in enumerate(view["seats"]):
        there.money[number] = seat["money"]
        there.loans[number] = tuple(CARD.index(card) for card in seat["loans"])
        there.penalties[number] = tuple(CARD.index(card) for card in seat["stuck"])
    return there


@dataclass(frozen=True)
class City:
    """What a seat sees."""

    view: View

    @cached_property
    def position(self) -> Position:
        return position_of(self.view)

    @property
    def me(self) -> str:
        return str(self.view["seat"])

    @property
    def number(self) -> Seat:
        return Seat(COLOURS.index(self.me))

    @property
    def colours(self) -> Sequence[str]:
        return [seat["colour"] for seat in self.view["seats"]]

    @property
    def private(self) -> Mapping[str, Any]:
        private: Mapping[str, Any] = self.view["private"]
        return private

    @property
    def hand(self) -> Sequence[Card]:
        return [CARDS[CARD.index(card["name"])] for card in self.private["hand"]]

    @property
    def own(self) -> Mapping[str, Any]:
        return self.seat(self.me)

    def seat(self, colour: str) -> Mapping[str, Any]:
        """What is seen of a seat."""
        return next(seat for seat in self.view["seats"] if seat["colour"] == colour)

    def at(self, area: str) -> Mapping[str, Any]:
        """What is seen of an area."""
        there: Mapping[str, Any] = self.view["areas"][AREA.index(area)]
        return there

    def count(self, owner: str, area: str) -> int:
        """How many minion pieces of an owner stand in an area."""
        return self.position.pieces[OWNERS.index(owner)][AREA.index(area)]

    def standing(self, owner: str) -> list[str]:
        """The areas where an owner has minion pieces."""
        return named(self.position.presence[OWNERS.index(owner)])

    @property
    def troubled(self) -> list[str]:
        return named(self.position.trouble)

    def reach(self, without: str = "") -> list[str]:
        """R-MIN-1, R-MIN-2: where the seat may place a minion, once one of it has left the area `without`."""
        presence = self.position.presence[self.number]
        if not without:
            return named(self.position.reach(self.number))
        left = AREA.index(without)
        if self.count(self.me, without) == 1:
            presence &= ~(1 << left)
        return named((union(presence, AROUND) if presence else (1 << len(AREA)) - 1) & ~(1 << left))

    def sites(self, more: int = 0, affordable: tuple[int, ...] = AFFORDABLE) -> list[str]:
        """R-BLD-1, R-BLD-2: where the seat may build with the money it has, and some more."""
        there = position_of(self.view)
        there.money[self.number] += more
        return named(there.sites(self.number, affordable))

    def victims(self) -> Options:
        """R-SYM-AS: the pieces that an assassin can meet."""
        return assassinations(self.position, self.number)

    def reason(self, kind: str, text: str) -> Reason | None:
        """Why an order text would be no option, if a symbol asked for it now; None when no rule forbids it."""
        facts: dict[str, Any] = {
            "card": None,
            "cause": None,
            "symbol": kind,
            "costs": {},
            "areas": [],
            "target": None,
            "from": None,
        }
        skip = Option("skip")
        return why_not(self.view, Decision(self.number, kind, (skip,), skip, facts=facts), text)


def named(areas: int) -> list[str]:
    """The names of the areas of a mask."""
    return [AREA[area] for area in BITS[areas]]


def cost(area: str) -> int:
    """What a building costs in an area (R-BLD-2)."""
    return AREAS[AREA.index(area)].cost
