"""The phrasings of `tests/orders/phrasings`: a written position, what was typed, and what came of it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from games.ankh_morpork import GAME
from games.ankh_morpork.match import Match
from pbem.orders import referee
from pbem.orders.commands import Preview, Undo, sort_typed
from pbem.orders.outcome import Outcome, Presets
from pbem.play.queued import left
from pbem.protocol import Option, Seat, decision_of

FOLDER = Path(__file__).parent / "phrasings"
#: Several choices of one of these verbs, one after another, are a set.
PICKING = ("discard", "give", "move", "remove", "calm", "protect")


@dataclass(frozen=True, slots=True)
class Phrasing:
    """An order at its position."""

    position: Mapping[str, Any]
    order: Mapping[str, Any]
    #: What any order at the position is to begin with: a window that none of them answers has passed.
    firsts: frozenset[str] = frozenset()

    @property
    def seat(self) -> Seat:
        return Seat([colour.casefold() for colour in GAME.colours].index(self.position["seat"].casefold()))

    @property
    def text(self) -> str:
        return str(self.order["text"])

    @property
    def must_move(self) -> bool:
        """Whether asking back is not as good as moving."""
        return self.order["outcome"] == "done" and [] not in self.order.get("may_also", ())

    def match(self) -> Match:
        """The match at the position, behind the choices made since it."""
        match = Match.from_position(self.position["position"], self.position.get("dice", ()))
        for choice in self.position.get("before", ()):
            colour, _, text = choice.partition(": ")
            seat = Seat(GAME.colours.index(colour))
            while True:
                decision = decision_of(match, seat)
                if decision is not None and decision.option(text) is not None:
                    match.choose(seat, Option(text))
                    break
                other = match.pending[0]
                match.choose(other.seat, other.auto or other.decline or other.default)
        while match.pending and all(decision.window for decision in match.pending):
            decision = decision_of(match, self.seat) or match.pending[0]
            if decision.seat == self.seat and any(decision.option(text) for text in self.firsts):
                break
            match.choose(decision.seat, decision.default)
        return match

    def presets(self) -> Presets:
        """Other seats let everything happen; in a window that is put to the writer, policies ask."""
        own = dict(GAME.policy(text) for text in self.position.get("policies", ()))
        asked = own if own else {subject: {"act": "ask"} for subject in SUBJECTS}
        never = {subject: {"act": "never"} for subject in SUBJECTS}
        policies = {Seat(seat): never for seat in range(4) if seat != self.seat}
        return Presets(policies=policies | {self.seat: asked})

    def carried_out(self) -> tuple[Outcome | None, list[str]]:
        """What comes of it, and the seat's choices but for those that go by themselves; those too that wait for an
        answer of others, who give what nobody's answer comes to."""
        match, seat = self.match(), self.seat
        names = {name: colour.capitalize() for colour, name in self.position.get("names", {}).items()}
        decision = decision_of(match, seat)
        lines = [(line, True) for line in self.text.splitlines() if line.strip()]
        told = sort_typed(lines, GAME.vocabulary, decision, names)
        if any(isinstance(command, Preview | Undo) for command in told.commands) or not told.orders:
            return None, []
        kept, choices = list(told.orders), []
        while kept:
            menu = self.position.get("menu", ()) if not choices else ()
            outcome = referee.carry_out(GAME, match, seat, kept, self.presets(), menu=menu, names=names)
            for who, text, *_ in outcome.added:
                decision = decision_of(match, who)
                by_itself = decision is not None and decision.auto is not None and decision.auto.text == text
                if who == seat and not by_itself:
                    choices.append(text)
                match.choose(who, Option(text))
            waits = match.actor == seat and not outcome.turn_over and decision_of(match, seat) is None
            kept = left(outcome) if waits else []
            while kept and match.pending and decision_of(match, seat) is None:
                match.choose(match.pending[0].seat, match.pending[0].default)
        choices += outcome.answer.texts if outcome.answer else ()
        return outcome, choices

    def judged(self) -> str:
        """`moved`, `asked` (nothing was done), `part` or `wrong`; for those that are to do nothing `right` or `wrong`."""
        _, choices = self.carried_out()
        wanted = [self.order["should"], *self.order.get("may_also", ())]
        if any(normal(choices) == normal(one) for one in wanted):
            return "moved" if choices else "right"
        if not choices:
            return "asked"
        begun = any(normal(choices) == normal(one[: len(choices)]) for one in wanted if one)
        return "part" if begun else "wrong"


SUBJECTS = ("Small Gods", "Wallace Sonky", "Gaspode", "Susan", "Fresh Start Club", "Igor")


def normal(choices: Sequence[str]) -> list[str]:
    """Choices with those of one picking verb in the order of the alphabet."""
    told: list[str] = []
    run: list[str] = []
    for choice in [*choices, ""]:
        verb = choice.partition(" ")[0]
        if run and verb != run[0].partition(" ")[0]:
            told += sorted(run)
            run = []
        if verb in PICKING:
            run.append(choice)
        elif choice:
            told.append(choice)
    return told


def phrasings() -> Iterator[Phrasing]:
    """All of them, file by file."""
    for file in sorted(FOLDER.glob("*.toml")):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        positions = {position["id"]: position for position in data.get("position", ())}
        firsts: dict[str, set[str]] = {name: set() for name in positions}
        for order in data.get("order", ()):
            readings = [order["should"], *order.get("may_also", ())]
            firsts[order["position"]].update(reading[0] for reading in readings if reading)
        for order in data.get("order", ()):
            place = order["position"]
            yield Phrasing(positions[place], order, frozenset(firsts[place] - {"pass"}))


@cache
def moving() -> list[Phrasing]:
    """Some of the orders that have to move, and do."""
    return [phrasing for phrasing in list(phrasings())[::3] if phrasing.must_move and phrasing.judged() == "moved"][:40]


def among_orders(kind: str) -> Iterator[tuple[str, Phrasing]]:
    """The lines of `chat.toml` of a kind (`doubt` or `chat`), each behind and in front of orders that move."""
    orders = moving()
    lines = tomllib.loads((FOLDER / "chat.toml").read_text(encoding="utf-8"))[kind]
    for number, line in enumerate(text for one in lines for text in (one["text"], one["text"])):
        phrasing = orders[number % len(orders)]
        typed = [line, phrasing.text] if number % 2 else [phrasing.text, line]
        yield line, replace(phrasing, order={**phrasing.order, "text": "\n".join(typed)})
