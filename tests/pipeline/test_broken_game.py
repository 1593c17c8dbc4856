"""A game that no longer replays, as after a repair of the rules in the middle of a turn, harms nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.moderator import actions
from pbem.moderator.moderator import Moderator
from pbem.play import advance
from pbem.play.table import Matches, UnitOfWork


@pytest.fixture
def broken(world: Any, begin: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A game whose stored state does not follow from its choices."""
    begin(2)
    world.whose().writes(world.first_order())
    table = world.whole = world.table
    snapshot = table.match.snapshot()
    with world.store.transaction() as tx:
        tx.save_version(
            world.game_id,
            parent=table.game.version,
            cause="mail",
            turn=table.game.turn,
            snapshot={**snapshot, "digest": "0" * 64},
            added=[],
            digest="0" * 64,
            now=world.now,
        )
    monkeypatch.setattr("pbem.play.table.MATCHES", Matches())
    return world


def test_a_mail_to_it_is_kept_and_the_moderator_told(broken: Any) -> None:
    ann = broken.people["ann@example.org"]
    assert ann.writes("play Groat") == "quarantined"
    broken.moderator.receives("stands still")


def test_neither_log_nor_store_nor_notice_names_a_hidden_card(broken: Any, caplog: pytest.LogCaptureFixture) -> None:
    hands = [card["name"] for seat in (0, 1) for card in hand(broken, seat)]
    broken.people["ann@example.org"].writes("play nothing I hold")
    with broken.store.reading() as tx:
        (kept,) = tx.received("quarantined")
    told = caplog.text + kept.error + broken.moderator.newest.text
    told = told.replace("-", " ").lower()
    assert "replaymismatch" in told
    assert not [name for name in hands if name.lower() in told]


def test_pausing_it_logs_no_hidden_card(broken: Any, caplog: pytest.LogCaptureFixture) -> None:
    hands = [card["name"] for seat in (0, 1) for card in hand(broken, seat)]
    actions.pause(Moderator(broken.store, broken.settings, lambda: broken.now), "G001")
    said = caplog.text.replace("-", " ").lower()
    assert "no longer replays" in said
    assert not [name for name in hands if name.lower() in said]


def hand(world: Any, seat: int) -> list[dict[str, Any]]:
    table = world.whole
    return list(table.match.view(seat)["private"]["hand"])


def test_its_deadline_pauses_it_and_no_other_game(broken: Any) -> None:
    broken_id = broken.game_id
    broken.start(3)
    assert broken.wait(73) == 1
    assert broken.game.turn == 2
    with broken.store.reading() as tx:
        assert tx.game(broken_id).status == "paused"
    broken.moderator.receives("stands still")


def test_its_moderator_can_still_tell_that_it_is_paused(broken: Any) -> None:
    with broken.store.transaction() as tx:
        advance.notify(UnitOfWork(tx, broken.settings, broken.now), broken.game_id, "paused")
