"""Goofspiel keeps what `pbem.protocol` promises."""

from __future__ import annotations

import pytest

from games.goofspiel import GAME
from pbem.protocol import game_named
from pbem.testing import check


@pytest.mark.slow
def test_the_game_keeps_its_promises() -> None:
    figures = check(GAME)
    assert (figures.matches, figures.events) == (40, 4)


def test_the_game_is_installed_by_its_name() -> None:
    assert game_named("goofspiel") is GAME
