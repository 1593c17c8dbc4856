"""No mail, however broken, raises out of the pipeline or holds up the next one."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

QUICK = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
SETTLED = ("applied", "answered", "refused", "parked", "ignored", "duplicate")


@QUICK
@given(raw=st.binary(max_size=3000))
def test_any_bytes_are_settled(world: Any, raw: bytes) -> None:
    assert world.deliver(raw) in SETTLED


@QUICK
@given(data=st.data())
def test_a_damaged_order_mail_is_settled(world: Any, data: Any) -> None:
    if world.game_id == 0:
        world.start(2)
    raw = bytearray(world.whose().letter("play Groat\nminion Dimwell"))
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(raw) - 1))
        raw[place : place + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=4))
    assert world.deliver(bytes(raw)) in SETTLED


@QUICK
@given(text=st.text(max_size=400))
def test_any_text_from_a_player_is_settled(world: Any, text: str) -> None:
    if world.game_id == 0:
        world.start(2)
    assert world.whose().writes(text.encode("utf-8", "ignore").decode().replace("\r", "\n")) in SETTLED
