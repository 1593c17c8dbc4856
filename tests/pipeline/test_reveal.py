"""A reveal in the middle of a mail: what others may see, and what can still be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.play.reveal import last_reveal
from pbem.play.table import UnitOfWork

#: With this seed these orders reveal something last but one; then comes `money`, which can be taken back.
SEED = bytes([31]) * 32
ORDERS = "play Drumknott\nplay The Fire Brigade\nplay The Bank of Ankh-Morpork\nskip\nplay Mrs Cake"


@pytest.fixture
def half(world: Any, begin: Any) -> Any:
    """A turn that was revealed in part and is not over."""
    begin(3, seed=SEED)
    assert world.whose().writes(ORDERS) == "applied"
    assert world.game.turn == 1
    return world


def test_the_choices_since_the_reveal_are_found(half: Any) -> None:
    with half.store.reading() as tx:
        revealed = last_reveal(UnitOfWork(tx, half.settings, half.now), half.table)
    assert revealed.since == ("money",)
    assert revealed.match.reveals == half.table.match.reveals
    assert revealed.inside == half.game.version


def test_undo_goes_back_to_the_reveal_and_no_further(half: Any) -> None:
    asked = half.whose()
    assert asked.writes("undo") == "applied"
    assert "money" in asked.newest.text
    choices = [choice[1] for version in half.chain() for choice in version.added]
    assert choices[-2:] == ["play Mrs Cake", "scroll"]
    assert asked.writes("undo") == "answered"
    assert "nothing" in asked.newest.text.lower()


def test_after_undo_the_game_still_replays_from_its_seed(half: Any) -> None:
    half.whose().writes("undo")
    half.play_turn()
    match = half.table.rules.new(3, half.game.seed, {})
    for version in half.chain():
        for choice in version.added:
            match.choose(choice[0], match.pending[0].option(choice[1]))
        assert match.digest() == version.digest


def test_others_see_what_was_revealed_and_no_more(half: Any) -> None:
    other = half.others()[0]
    other.writes("history")
    history = other.newest.text
    assert "Mrs Cake" in " ".join(history.split())
    half.whose().writes("history")
    assert len(half.whose().newest.text) > len(history)


def test_the_log_after_undo_holds_each_event_once(half: Any) -> None:
    with half.store.reading() as tx:
        before = [(one.kind, one.data) for one in tx.events(half.game_id)]
    half.whose().writes("undo")
    with half.store.reading() as tx:
        after = [(one.kind, one.data) for one in tx.events(half.game_id)]
    assert after == before[: len(after)]
    assert len(after) < len(before)


def test_a_turn_that_is_over_cannot_be_taken_back(half: Any) -> None:
    asked = half.whose()
    half.play_turn()
    digest = half.table.match.digest()
    asked.writes("undo")
    assert half.table.match.digest() == digest


def test_whoever_waits_cannot_undo(half: Any) -> None:
    digest = half.table.match.digest()
    assert half.others()[0].writes("undo") == "answered"
    assert half.table.match.digest() == digest
