"""`pbem simulate` counts what happened."""

from __future__ import annotations

import pytest

from pbem.cli.simulate import simulate as command
from pbem.errors import ConfigError
from pbem.play.simulate import simulate


def test_every_simulated_game_ends_and_is_counted_once() -> None:
    figures = simulate("ankh_morpork", games=3, players=3, seed=5)
    assert figures["games"] == 3
    assert sum(figures["ended_by"].values()) == 3
    assert sum(figures["wins_by_seat"].values()) >= 3
    assert sum(figures["wins_by_personality"].values()) == sum(figures["wins_by_seat"].values())
    assert figures["decisions"] > 100


def test_the_same_number_gives_the_same_games() -> None:
    first, second = (simulate("ankh_morpork", games=2, players=2, seed=8) for _ in range(2))
    for same in ("decisions", "wins_by_personality", "wins_by_seat", "ended_by"):
        assert first[same] == second[same]


def test_a_person_reads_what_was_played_and_how_often_it_ended_how(capsys: pytest.CaptureFixture[str]) -> None:
    command(game="goofspiel", games=2)
    told = capsys.readouterr().out.splitlines()
    assert {"games: 2", "seats: 3", "settings: cards 13", "ended by: points (2 times)"} <= set(told)
    assert not any(line.startswith("wins by personality") for line in told)


def test_too_many_players_are_refused_in_a_sentence() -> None:
    with pytest.raises(ConfigError, match="is for 2 to 4, not for 5"):
        simulate("ankh_morpork", games=1, players=5, seed=1)
