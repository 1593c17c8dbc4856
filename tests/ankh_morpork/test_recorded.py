"""Finished games are played again: a change of the rules that alters an old game is a decision, not an accident.

`python tests/ankh_morpork/record_games.py` records them anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.ankh_morpork import GAME
from games.ankh_morpork.position.options import COLOURS
from pbem.protocol import Seat, decision_of

GAMES = sorted(Path(__file__).with_name("recorded").glob("*.json"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_goes_as_it_went(path: Path) -> None:
    game = json.loads(path.read_text("utf-8"))
    match = GAME.new(game["seats"], bytes.fromhex(game["seed"]), {})
    for seat, text, _ in game["choices"]:
        decision = decision_of(match, Seat(seat))
        assert decision is not None, f"{COLOURS[seat]} is not asked in {match.position()}"
        option = decision.option(text)
        assert option is not None, f"{text!r} is no longer possible in {match.position()}"
        match.choose(Seat(seat), option)
    assert match.choices() == game["choices"]
    assert match.result is not None
    assert (list(match.result.winners), match.result.reason) == (game["winners"], game["reason"])
    assert [seat["total"] for seat in match.result.details["seats"]] == game["points"]


def test_games_are_recorded_for_every_number_of_seats() -> None:
    assert {json.loads(path.read_text("utf-8"))["seats"] for path in GAMES} == {2, 3, 4}
