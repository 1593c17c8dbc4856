"""`pbem simulate` counts what happened."""

from __future__ import annotations

import pytest

from pbem.errors import ConfigError
from pbem.play.simulate import simulate


def test_every_simulated_game_ends_and_is_counted_once() -> None:
    figures = simulate("ankh_morpork", games=3, players=3, seed=5)
    assert figures["games"] == 3
    assert sum(figures["reasons"].values()) == 3
    assert sum(figures["wins_by_seat"].values()) >= 3
    assert sum(figures["wins_by_personality"].values()) == sum(figures["wins_by_seat"].values())
    assert figures["decisions"] > 100


def test_the_same_number_gives_the_same_games() -> None:
    first, second = (simulate("ankh_morpork", games=2, players=2, seed=8) for _ in range(2))
    for same in ("decisions", "wins_by_personality", "wins_by_seat", "reasons"):
        assert first[same] == second[same]


def test_too_many_players_are_refused_in_a_sentence() -> None:
    with pytest.raises(ConfigError, match="is for 2 to 4, not for 5"):
        simulate("ankh_morpork", games=1, players=5, seed=1)
