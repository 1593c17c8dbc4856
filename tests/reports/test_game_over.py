"""What a mail says of the move once the game is over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.reports.contexts import Acknowledgement, Mail, Situation
from pbem.reports.render import Renderer


def test_nobody_is_on_the_move_when_the_last_orders_end_the_game(
    samples: dict[str, Mail], renderer: Renderer
) -> None:
    last: Any = samples["acknowledgement"]
    assert isinstance(last, Acknowledgement)
    assert "'s move" in renderer.render(last).text
    over = renderer.render(replace(last, situation=Situation(kind="over"))).text
    assert "The game is over." in over
    assert "'s move" not in over
