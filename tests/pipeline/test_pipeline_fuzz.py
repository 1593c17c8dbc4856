"""No mail, however broken, raises out of the pipeline or holds up the next one."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

QUICK = settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
SETTLED = ("applied", "answered", "refused", "parked", "ignored", "duplicate")


@QUICK
@given(raw=st.binary(max_size=3000))
def test_any_bytes_are_settled(world: Any, raw: bytes) -> None:
    assert world.deliver(raw) in SETTLED


DAMAGE = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 5), st.binary(max_size=4)), min_size=1, max_size=8)


@QUICK
@given(damage=DAMAGE)
def test_a_damaged_order_mail_is_settled(world: Any, damage: list[tuple[float, int, bytes]]) -> None:
    if world.game_id == 0:
        world.start(2)
    raw = bytearray(world.whose().letter("play Groat\nminion Dimwell"))
    for where, gone, instead in damage:
        place = int(where * len(raw))
        raw[place : place + gone] = instead
    assert world.deliver(bytes(raw)) in SETTLED


@QUICK
@given(text=st.text(max_size=400))
def test_any_text_from_a_player_is_settled(world: Any, text: str) -> None:
    if world.game_id == 0:
        world.start(2)
    assert world.whose().writes(text.encode("utf-8", "ignore").decode().replace("\r", "\n")) in SETTLED
