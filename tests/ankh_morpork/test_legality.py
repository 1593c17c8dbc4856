"""What is offered is exactly what the rules allow, worked out a second time, slowly, from the view alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.ankh_morpork import GAME
from games.ankh_morpork.data.cards import CARDS
from pbem.protocol import Seat

EFFECT = {card.name: card.effect for card in CARDS}
INTERRUPTS = {card.name for card in CARDS if card.interrupt}
ASIDE = ("use ", "interrupt ", "skip", "pass", "done", "end")


class Board:
    """The view of the seat that decides."""

    def __init__(self, match: Any, dice: list[int]) -> None:
        decision = match.pending[0]
        #: What was rolled last.
        self.dice = dice
        self.view = match.view(decision.seat)
        self.facts = decision.facts
        self.me = GAME.colours[decision.seat]
        self.actor = self.view["actor"]
        self.areas = {area["name"]: area for area in self.view["areas"]}
        self.seat = next(seat for seat in self.view["seats"] if seat["colour"] == self.me)
        self.others = [seat for seat in self.view["seats"] if seat["colour"] != self.me]
        self.hand = [card["name"] for card in self.view["private"]["hand"]]
        self.scroll = EFFECT.get(self.facts.get("card", ""), "") if self.facts.get("symbol") == "scroll" else ""

    def pieces(self, area: str) -> list[str]:
        """Whose minion pieces stand in an area."""
        place = self.areas[area]
        strangers = ["troll"] * (place["trolls"] > 0) + ["demon"] * (place["demons"] > 0)
        return [*place["minions"], *strangers]

    def trouble(self) -> list[str]:
        return [name for name, area in self.areas.items() if area["trouble"]]

    def calm(self) -> list[str]:
        return [name for name, area in self.areas.items() if not area["trouble"]]

    def near(self, area: str) -> list[str]:
        return [area, *self.areas[area]["neighbours"]]

    def reach(self, without: str = "") -> set[str]:
        """R-MIN-1, after one minion was taken off `without` (R-MIN-2)."""
        own = {name: area["minions"].get(self.me, 0) - (name == without) for name, area in self.areas.items()}
        standing = [name for name, count in own.items() if count > 0]
        return {to for name in standing for to in self.near(name)} or set(self.areas)


def minion(board: Board) -> Iterator[str]:
    """R-MIN-1 to R-MIN-3."""
    named = {
        "place_anywhere_quiet": lambda: set(board.areas),
        "place_near": lambda: set(board.near("Unreal Estate")),
        "place_at_own_building": lambda: set(board.seat["buildings"]),
        "place_at_trouble": lambda: set(board.trouble()),
    }
    places = named[board.scroll]() if board.scroll in named else None
    if board.facts.get("cause") in ("Dolly Sisters", "Dimwell"):
        places = set(board.near(board.facts["cause"]))
    if board.seat["minions_left"]:
        yield from (f"minion {to}" for to in (board.reach() if places is None else places))
        return
    for off in [name for name in board.areas if board.areas[name]["minions"].get(board.me)]:
        for to in board.reach(off) if places is None else places:
            if to != off:
                yield f"minion {to} from {off}"


def relocate(board: Board) -> Iterator[str]:
    """R-INT-FSC, R-INT-IGO."""
    yield from (f"minion {to}" for to in board.reach() if to != board.facts["from"])


def building(board: Board) -> Iterator[str]:
    """R-BLD-1 to R-BLD-3, R-SCR-HALF."""
    half = 2 if board.scroll == "build_half_price" else 1
    for name, area in board.areas.items():
        legal = area["minions"].get(board.me) and not area["building"] and not area["trouble"]
        if legal and area["cost"] // half <= board.seat["money"]:
            yield from instead(board, f"build {name}")


def instead(board: Board, text: str) -> Iterator[str]:
    """R-BLD-3."""
    if board.seat["buildings_left"]:
        yield text
    else:
        yield from (f"{text} instead of {off}" for off in board.seat["buildings"])


def buy(board: Board) -> Iterator[str]:
    """R-SCR-BUY."""
    where = board.trouble() if board.facts["card"] == "Reacher Gilt" else board.calm()
    for name in where:
        owner = board.areas[name]["building"]
        if owner not in (None, board.me) and board.areas[name]["cost"] <= board.seat["money"]:
            yield from instead(board, f"buy {name}")


def assassinate(board: Board) -> Iterator[str]:
    """R-SYM-AS."""
    for area in board.trouble():
        yield from (f"assassinate {piece} in {area}" for piece in board.pieces(area) if piece != board.me)


def calm(board: Board) -> Iterator[str]:
    """R-SYM-CA, R-ARE-8."""
    yield from (f"calm {area}" for area in board.trouble())


def trouble(board: Board) -> Iterator[str]:
    """R-SCR-HIX, R-SCR-MOB, R-ARE-5."""
    for area in board.calm():
        beside = any(board.areas[other]["trouble"] for other in board.areas[area]["neighbours"])
        shades = area in board.near("The Shades") and bool(board.pieces(area))
        if board.scroll == "place_trouble_anywhere" or (beside if board.scroll else shades):
            yield f"trouble {area}"


def move(board: Board) -> Iterator[str]:
    """R-SCR-DUCK, R-SCR-RINCE, R-SCR-MOVE, R-SCR-HOBSON."""
    for area, place in board.areas.items():
        for piece in board.pieces(area):
            if board.scroll == "move_other_minion_adjacent":
                where = place["neighbours"] if piece != board.me else []
            elif piece != board.me:
                where = []
            elif board.scroll == "move_own_from_trouble_adjacent":
                where = place["neighbours"] if place["trouble"] else []
            else:
                where = [to for to in board.areas if to != area]
            yield from (f"move {piece} from {area} to {to}" for to in where)


def remove(board: Board) -> Iterator[str]:
    """The areas are in the facts; whose pieces is in the rules."""
    one = board.scroll == "roll_errol" and board.dice == [1]
    own = board.scroll in ("each_other_removes_own", "roll_herenow") or one
    for area in board.facts["areas"]:
        for piece in board.pieces(area):
            barred = piece == board.actor if board.scroll == "pay_player_to_remove" else own and piece != board.me
            if not barred:
                yield f"remove {piece} in {area}"


def target(board: Board) -> Iterator[str]:
    """R-SCR-1, R-SCR-4."""
    for other in board.others:
        needs = {"look_and_discard": other["hand_size"] > 0, "burn_unless_paid": bool(other["buildings"])}
        if needs.get(board.scroll, True) and affordable(board):
            yield f"target {other['colour']}"


def affordable(board: Board) -> bool:
    """R-SCR-4: the price in hand, and something legal to follow."""
    own = any(area["minions"].get(board.me) for area in board.areas.values())
    victims = any(True for _ in assassinate(board))
    follows = {"pay_then_move_own": own, "pay_then_assassinate": victims, "pay_player_to_remove": victims}
    if board.scroll == "sell_card":
        return bool(board.hand)
    return board.scroll not in follows or (board.seat["money"] >= 2 and follows[board.scroll])


def area(board: Board) -> Iterator[str]:
    """R-SCR-SLANT."""
    yield from (f"target {name}" for name in board.trouble())


def play(board: Board) -> Iterator[str]:
    """R-SYM-PL, R-SYM-IN."""
    yield from (f"play {card}" for card in board.hand if card not in INTERRUPTS)


def swap(board: Board) -> Iterator[str]:
    """R-SCR-BURSAR."""
    places = [(area, piece) for area in board.areas for piece in board.pieces(area)]
    for number, (area, piece) in enumerate(places):
        for other_area, other in places[number + 1 :]:
            if area != other_area:
                yield f"swap {piece} in {area} with {other} in {other_area}"


RULES: dict[str, Callable[[Board], Iterator[str]]] = {
    rule.__name__: rule
    for rule in (minion, relocate, building, buy, assassinate, calm, trouble, move, remove, target, area, play, swap)
} | {"turn": play}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("number", range(12))
def test_what_is_offered_is_what_the_rules_allow(seats: int, number: int) -> None:
    seed = hashlib.sha256(f"oracle {number}".encode()).digest()
    match = GAME.new(seats, seed, {})
    step, dice = 0, []
    while match.pending:
        decision = match.pending[0]
        step += 1
        if decision.kind in RULES:
            offered = sorted(o.text for o in decision.options if not o.text.startswith(ASIDE))
            assert offered == sorted(RULES[decision.kind](Board(match, dice))), match.position()
        drawn = hashlib.blake2b(seed + step.to_bytes(4, "big"), digest_size=4).digest()
        for event in match.choose(
            match.pending[0].seat, decision.options[int.from_bytes(drawn, "big") % len(decision.options)]
        ):
            if event.kind in ("DiceRolled", "CardPlayed"):
                dice = event.data.get("dice", [])


@pytest.mark.parametrize("number", range(12))
def test_the_powers_offered_are_those_of_the_rules(number: int) -> None:
    """R-ARE-1, R-ARE-2, R-ARE-3"""
    seed = hashlib.sha256(f"powers {number}".encode()).digest()
    match = GAME.new(3, seed, {})
    step, closed, turn = 0, set(), 0
    while match.pending:
        decision = match.pending[0]
        step += 1
        if match.turn != turn:
            closed, turn = set(), match.turn
        if decision.kind in ("turn", "close", "minion", "money") and decision.seat == match.actor:
            offered = {o.text.removeprefix("use ") for o in decision.options if o.text.startswith("use ")}
            if not decision.facts.get("cause") and decision.facts.get("symbol") != "scroll":
                assert offered == usable(Board(match, []), closed), match.position()
        drawn = hashlib.blake2b(seed + step.to_bytes(4, "big"), digest_size=4).digest()
        for event in match.choose(
            match.pending[0].seat, decision.options[int.from_bytes(drawn, "big") % len(decision.options)]
        ):
            if event.kind in ("PowerUsed", "BuildingBuilt", "BuildingBought") and match.turn == turn:
                closed.add(event.data["area"])


def usable(board: Board, closed: set[str]) -> set[str]:
    """R-ARE-1 to R-ARE-9, of areas not used or gained in this turn."""
    money = board.seat["money"]
    needs = {
        "Dolly Sisters": money >= 3,
        "Dimwell": money >= 3,
        "The Shades": any(n in board.calm() and board.pieces(n) for n in board.near("The Shades")),
        "The Scours": bool(board.hand),
        "Isle of Gods": money >= 2 and bool(board.trouble()),
        "Small Gods": False,
    }
    return {
        name
        for name in board.seat["city_cards"]
        if name not in closed and not board.areas[name]["demons"] and needs.get(name, True)
    }


def test_every_seat_may_look_without_changing_anything() -> None:
    match = GAME.new(4, bytes(32), {})
    before = match.digest()
    for seat in range(4):
        match.view(Seat(seat))
    assert match.digest() == before
