"""The log tells everything: from its public events alone the public view can be kept, turn after turn.

The little board here knows the rules of trouble (R-TRB) and nothing else.
"""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from games.ankh_morpork import GAME

STRANGERS = {"troll": "trolls", "demon": "demons"}


class Ledger:
    """What somebody at the table would write down."""

    def __init__(self, view: Any) -> None:
        self.areas = {area["name"]: area | {"minions": dict(area["minions"])} for area in view["areas"]}
        self.seats = {seat["colour"]: dict(seat) for seat in view["seats"]}
        self.draw_pile = view["draw_pile"]
        self.discards = list(view["discards"])
        self.in_play = view["in_play"]
        self.events_used = list(view["events_used"])

    def read(self, event: Any) -> None:
        """Write down one event."""
        handler = getattr(self, event.kind, None)
        if handler is not None:
            handler(**{key: value for key, value in event.data.items() if value is not None})

    def arrive(self, colour: str, area: str, trouble: bool | None, quietly: bool = False) -> None:
        """R-TRB-1: trouble where somebody stands already."""
        place = self.areas[area]
        crowd = sum(place["minions"].values()) + place["trolls"] + place["demons"]
        made = bool(crowd) and not place["trouble"]
        assert trouble is None or quietly or trouble == made
        place["trouble"] = place["trouble"] or (made if trouble is None else trouble)
        self.count(colour, area, 1)

    def leave(self, colour: str, area: str) -> None:
        """R-TRB-3: with a piece goes the marker."""
        self.areas[area]["trouble"] = False
        self.count(colour, area, -1)

    def count(self, colour: str, area: str, by: int) -> None:
        place = self.areas[area]
        if colour in STRANGERS:
            place[STRANGERS[colour]] += by
        else:
            place["minions"][colour] = place["minions"].get(colour, 0) + by
            assert place["minions"][colour] >= 0

    def hand(self, colour: str, by: int) -> None:
        self.seats[colour]["hand_size"] += by

    def money(self, colour: str, by: int) -> None:
        self.seats[colour]["money"] += by

    def raise_building(self, colour: str | None, area: str) -> None:
        self.areas[area]["building"] = colour

    # One method a kind of event, named like it.

    def CardPlayed(self, colour: str, card: str) -> None:
        self.TurnEnded()
        self.hand(colour, -1)
        self.in_play = card

    def TurnEnded(self, **_: Any) -> None:
        if self.in_play is not None:
            self.discards.insert(0, self.in_play)
        self.in_play = None

    def CardTakenBack(self, colour: str, card: str) -> None:
        self.hand(colour, 1)
        self.in_play = None

    def MinionPlaced(self, colour: str, area: str, trouble: bool) -> None:
        self.arrive(colour, area, trouble, quietly=self.in_play in ("Deep Dwarves", "Mr Shine"))

    def MinionTakenOff(self, colour: str, area: str, trouble: bool) -> None:
        assert trouble == self.areas[area]["trouble"]
        self.leave(colour, area)

    def MinionMoved(self, by: str, colour: str, area: str, to: str, trouble: bool) -> None:
        self.leave(colour, area)
        self.arrive(colour, to, trouble)

    def MinionRemoved(self, by: str, colour: str, area: str, cause: str) -> None:
        self.leave(colour, area)

    def MinionRelocated(self, colour: str, left: str, area: str, trouble: bool, card: str) -> None:
        self.arrive(colour, area, trouble)

    def MinionsSwapped(self, by: str, first: str, first_area: str, second: str, second_area: str) -> None:
        self.leave(first, first_area)
        self.leave(second, second_area)
        self.arrive(first, second_area, None)
        self.arrive(second, first_area, None)

    def TrollPlaced(self, area: str, trouble: bool) -> None:
        self.arrive("troll", area, trouble)

    def DemonPlaced(self, area: str, trouble: bool) -> None:
        assert trouble == (not self.areas[area]["trouble"])
        self.areas[area]["trouble"] = True
        self.count("demon", area, 1)

    def TroublePlaced(self, area: str, by: str) -> None:
        assert not self.areas[area]["trouble"]
        self.areas[area]["trouble"] = True

    def TroubleRemoved(self, area: str, by: str) -> None:
        assert self.areas[area]["trouble"]
        self.areas[area]["trouble"] = False

    def BuildingBuilt(self, colour: str, area: str, cost: int) -> None:
        assert self.areas[area]["building"] is None
        self.raise_building(colour, area)
        self.money(colour, -cost)

    def BuildingTakenOff(self, colour: str, area: str) -> None:
        self.raise_building(None, area)

    def BuildingRemoved(self, colour: str, area: str, cause: str) -> None:
        self.raise_building(None, area)

    def BuildingBought(self, colour: str, owner: str, area: str, cost: int) -> None:
        assert self.areas[area]["building"] == owner
        self.raise_building(colour, area)

    def CityCardGone(self, colour: str, area: str) -> None:
        self.areas[area]["card_gone"] = True

    def MoneyTaken(self, colour: str, amount: int, cause: str) -> None:
        self.money(colour, amount)

    def MoneyPaid(self, colour: str, to: str, amount: int, cause: str) -> None:
        self.money(colour, -amount)
        if to != "bank":
            self.money(to, amount)

    def LoanTaken(self, colour: str, card: str, amount: int) -> None:
        self.money(colour, amount)
        self.seats[colour]["loans"] = [*self.seats[colour]["loans"], card]
        self.in_play = None

    def CardStuck(self, colour: str, card: str) -> None:
        self.seats[colour]["stuck"] = [*self.seats[colour]["stuck"], card]
        self.in_play = None

    def CardsDrawn(self, colour: str, count: int, cause: str) -> None:
        if cause == "refill":
            self.TurnEnded()
        self.hand(colour, count)
        self.draw_pile -= count

    def CardsRecovered(self, colour: str, count: int) -> None:
        self.hand(colour, count)
        self.discards = []

    def CardGiven(self, colour: str, to: str, count: int, cause: str) -> None:
        self.hand(colour, -count)
        self.hand(to, count)

    def CardDiscarded(self, colour: str, card: str, by: str) -> None:
        self.hand(colour, -1)
        self.discards.insert(0, card)

    def InterruptPlayed(self, colour: str, card: str) -> None:
        self.hand(colour, -1)
        self.discards.insert(0, card)

    def HandsSwapped(self, colour: str, other: str) -> None:
        first, second = self.seats[colour], self.seats[other]
        first["hand_size"], second["hand_size"] = second["hand_size"], first["hand_size"]

    def FogDiscarded(self, cards: list[str]) -> None:
        self.draw_pile -= len(cards)
        self.discards = cards[::-1] + self.discards

    def EventDrawn(self, colour: str, event: str, left: int) -> None:
        self.events_used.append(event)

    def agrees_with(self, view: Any, recovered: bool) -> None:
        """Compare with the public view; History Monks shuffle the discard pile, so that it is read anew."""
        for area in view["areas"]:
            mine = self.areas[area["name"]]
            assert {c: n for c, n in mine["minions"].items() if n} == area["minions"]
            for key in ("trolls", "demons", "trouble", "building", "card_gone"):
                assert mine[key] == area[key], (area["name"], key)
        for seat in view["seats"]:
            for key in ("money", "hand_size", "loans", "stuck"):
                assert self.seats[seat["colour"]][key] == seat[key], (seat["colour"], key)
        if recovered:
            self.discards = list(view["discards"])
        assert (self.draw_pile, self.discards) == (view["draw_pile"], view["discards"])
        assert (self.in_play, self.events_used) == (view["in_play"], view["events_used"])


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("number", range(8))
def test_the_public_view_can_be_kept_from_the_public_log(seats: int, number: int) -> None:
    """R-TRB-1, R-TRB-3, R-TRB-4, R-TRB-5, R-HID-1"""
    seed = hashlib.sha256(f"ledger {number}".encode()).digest()
    match = GAME.new(seats, seed, {})
    ledger = Ledger(match.view(None))
    step = 0
    while match.pending:
        step += 1
        drawn = hashlib.blake2b(seed + step.to_bytes(4, "big"), digest_size=4).digest()
        options = match.pending[0].options
        events = match.choose(match.pending[0].seat, options[int.from_bytes(drawn, "big") % len(options)])
        for event in events:
            ledger.read(event)
        ledger.agrees_with(match.view(None), any(event.kind == "CardsRecovered" for event in events))
