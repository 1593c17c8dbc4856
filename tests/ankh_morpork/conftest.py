"""A table to play at: matches from the position notation, and orders written as in scenarios.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from importlib.resources import files
from typing import Any

import pytest

from games.ankh_morpork.match import Match
from pbem.protocol import Decision, Event, Option, Seat, decision_of

COLOURS = ("Red", "Green", "Blue", "Yellow")
DATA = files("games.ankh_morpork") / "data"


def data(kind: str) -> list[dict[str, Any]]:
    """The entries of a data file: `data("card")`."""
    name = {"personality": "personalities"}.get(kind, f"{kind}s")
    entries: list[dict[str, Any]] = tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))[kind]
    return entries


NAMES = {entry["id"]: entry["name"] for entry in data("card")}


class Table:
    """A match, what has happened in it, and a way to write orders for its seats."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.events: list[Event] = []
        self.asked: list[Decision] = []

    def write(self, *orders: str) -> Table:
        """Carry out orders and checks in order; see the top of scenarios.toml."""
        for order in orders:
            self._line(order)
        return self

    def settle(self) -> Table:
        """Pass every window that is open."""
        while self.match.pending and self.decision.window:
            self._take(self.decision.seat, self.decision.default)
        return self

    @property
    def decision(self) -> Decision:
        """The pending decision, the first of a group."""
        assert self.match.pending, f"the match is over: {self.match.position()}"
        return self.match.pending[0]

    def offered(self) -> list[str]:
        """The texts of the pending decision's options; none when the match is over."""
        return [option.text for option in self.decision.options] if self.match.pending else []

    def happened(self, kind: str) -> list[Event]:
        """The events of this kind so far."""
        return [event for event in self.events if event.kind == kind]

    def view(self, colour: str | None = None) -> dict[str, Any]:
        """What that colour, or the public, may know."""
        return dict(self.match.view(None if colour is None else Seat(COLOURS.index(colour))))

    def seat(self, colour: str) -> dict[str, Any]:
        """The public line about a seat."""
        return next(seat for seat in self.view()["seats"] if seat["colour"] == colour)

    def area(self, name: str) -> dict[str, Any]:
        """The public line about an area."""
        return next(area for area in self.view()["areas"] if name in (area["name"], area["slug"]))

    def hand(self, colour: str) -> list[str]:
        """The ids of the cards in a hand."""
        return [card["id"] for card in self.view(colour)["private"]["hand"]]

    def _line(self, line: str) -> None:
        if line.startswith("("):
            self._optional(line.strip("()"))
        elif line.split()[0] in CHECKS:
            word, _, rest = line.partition(" ")
            CHECKS[word](self, rest)
        elif line.startswith("no events "):
            assert not self.happened(line.removeprefix("no events ")), line
        elif " may not: " in line:
            assert line.partition(" may not: ")[2] not in self.offered(), self._told(line)
        elif " may: " in line:
            colour, _, text = line.partition(" may: ")
            assert self._find(colour, text) is not None, self._told(line)
        elif line.endswith(" defaults"):
            self._defaults(line.removesuffix(" defaults"))
        else:
            colour, _, text = line.partition(": ")
            option = self._find(colour, text)
            assert option is not None, self._told(line)
            self._take(COLOURS.index(colour), option)

    def _optional(self, line: str) -> None:
        colour, _, text = line.partition(": ")
        if Table(self.match.fork())._find(colour, text) is not None:
            option = self._find(colour, text)
            assert option is not None, self._told(line)
            self._take(COLOURS.index(colour), option)

    def _find(self, colour: str, text: str) -> Option | None:
        """The option of that colour's decision, passing windows that nobody wrote for on the way."""
        while self.match.pending:
            asked = decision_of(self.match, Seat(COLOURS.index(colour)))
            for option in asked.options if asked else ():
                if option.text == text or (text.endswith("*") and option.text.startswith(text[:-1])):
                    return option
            if not self.decision.window:
                return None
            self._take(self.decision.seat, self.decision.default)
        return None

    def _defaults(self, colour: str) -> None:
        turn, seat = self.match.turn, COLOURS.index(colour)
        self._find(colour, "")
        while (decision := decision_of(self.match, Seat(seat))) and self.match.turn == turn:
            self._take(seat, decision.default)

    def _take(self, seat: int, option: Option) -> None:
        self.asked += [decision for decision in self.match.pending if decision.seat == seat]
        self.events += self.match.choose(Seat(seat), option)

    def _told(self, line: str) -> str:
        seat = COLOURS[self.decision.seat] if self.match.pending else "nobody"
        return f"{line!r}: {seat} is offered {self.offered()}"


def _hand(table: Table, rest: str) -> None:
    colour, count = rest.split()
    assert table.settle().seat(colour)["hand_size"] == int(count), rest


def _money(table: Table, rest: str) -> None:
    colour, amount = rest.split()
    assert table.settle().seat(colour)["money"] == int(amount), rest


def _discards(table: Table, rest: str) -> None:
    expected = [NAMES[card] for card in rest.split(", ") if card]
    assert table.view()["discards"][: len(expected) or None] == expected


def _draw(table: Table, rest: str) -> None:
    assert table.view()["draw_pile"] == int(rest)


def _events(table: Table, rest: str) -> None:
    assert table.happened(rest), rest


CHECKS: dict[str, Callable[[Table, str], None]] = {
    "hand": _hand,
    "money": _money,
    "discards": _discards,
    "draw": _draw,
    "events": _events,
}


def sit_down(position: str, dice: Iterable[int] = ()) -> Table:
    """A table with this position, at which these dice will be rolled."""
    return Table(Match.from_position(position, dice=tuple(dice)))


@pytest.fixture
def table() -> Callable[..., Table]:
    """Build a table from a position and the dice to come."""
    return sit_down
