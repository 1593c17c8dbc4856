"""Lines as people write them in a game: what is done for each, or that it is asked about; never anything else."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from games.ankh_morpork.game import GAME
from games.ankh_morpork.match import Match
from pbem.orders.referee import carry_out
from pbem.protocol import Option, Seat, decision_of

NAMES = {"Ann": "Red", "Bob": "Green", "Cat": "Blue", "Dan": "Yellow"}
GROUPS = tomllib.loads((Path(__file__).parent / "in_play.toml").read_text(encoding="utf-8"))["group"]
LINES = [(group, *line) for group in GROUPS for line in group["lines"]]


def begun(group: dict[str, Any]) -> Match:
    """The match when what comes before has been chosen; a reaction is passed unless `policies` names its card."""
    match = Match.from_position(group["position"])
    waiting = list(group.get("before", ()))
    while waiting or any(decision.window for decision in match.pending):
        decision = match.pending[0]
        wanted = [o for o in decision.options if group.get("policies", "pass") in o.text.lower()]
        if decision.window:
            option = wanted[0]
        elif decision.option(waiting[0]):
            option = Option(waiting.pop(0))
        else:
            option = next(o for o in decision.options if o.text in ("scroll", "money"))
        match.choose(decision.seat, option)
    return match


def came_of(group: dict[str, Any], text: str) -> str:
    """What a mail came to: the choices that its words made, `ask` or `nothing`."""
    match = begun(group)
    seat = Seat(GAME.colours.index(group.get("seat", GAME.colours[match.actor])))
    decision = decision_of(match, seat)
    assert decision is not None, "the seat is asked"
    menu = [option.text for option in decision.options]
    outcome = carry_out(GAME, match, seat, text.split("\n"), menu=menu, names=NAMES)
    if outcome.refused and not outcome.changed:
        return "ask"
    said = [line.option for line in outcome.lines if line.verdict in ("done", "corrected") and line.option]
    chosen = [choice for whose, choice, _ in outcome.added if whose == seat and choice in said]
    return "; ".join(chosen + ["end"] * ("end" in said and "end" not in chosen)) or "nothing"


@pytest.mark.parametrize(("group", "text", "wanted"), LINES, ids=[text for _, text, _ in LINES])
def test_a_line_in_play_is_read_as_it_was_meant(group: dict[str, Any], text: str, wanted: str) -> None:
    assert came_of(group, text) in wanted.split(" | ")
