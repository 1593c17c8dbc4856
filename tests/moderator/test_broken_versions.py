"""A version that cannot be read or played again is named, and the game goes back to the last good one."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest
from sqlalchemy import text

from pbem.errors import StoreError
from pbem.moderator import actions, inspect
from pbem.play.table import MATCHES
from pbem.play.verify import verify


@pytest.fixture
def club(played_to):
    """Two turns have been played; it is Red's third, in version 3."""
    return played_to(3)


def damage(club, number: int, **values: Any) -> None:
    """Change what is stored of a version, as a bad disk would."""
    columns = ", ".join(f"{column} = :{column}" for column in values)
    with club.store.transaction() as tx:
        tx.connection.execute(text(f"UPDATE version SET {columns} WHERE number = :number"), values | {"number": number})
    MATCHES._kept.clear()


def packed(value: Any) -> bytes:
    return zlib.compress(json.dumps(value).encode())


DAMAGES = {
    "no bytes": {"snapshot": b""},
    "other bytes": {"snapshot": b"x" * 40},
    "half of it": {"snapshot": packed(list(range(1000)))[:60]},
    "no JSON": {"snapshot": zlib.compress(b"{")},
    "no text": {"snapshot": zlib.compress(b"\xff")},
    "words": {"snapshot": "words"},
    "another value": {"snapshot": packed([])},
    "nothing in it": {"snapshot": packed({"schema": 1})},
    "another state": {"digest": "0" * 64},
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_broken_version_is_set_back_from_and_the_game_goes_on(club, kind: str) -> None:
    damage(club, 3, **DAMAGES[kind])
    back = actions.roll_back(club.moderator, "G001")
    assert (back.to_version, back.broken, back.game.turn) == (2, 3, 2)
    assert club.versions[-1].entropy, "what came of version 3 may have been seen"
    club.moves("Green")
    assert verify(club.store, "G001").agrees


@pytest.mark.parametrize("kind", DAMAGES)
def test_each_broken_version_is_named_where_versions_are_listed(club, kind: str) -> None:
    damage(club, 2, **DAMAGES[kind])
    assert [(info.number, good) for info, good in inspect.versions(club.moderator, "G001")] == [
        (1, True), (2, False), (3, True),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", [*DAMAGES, "added"])
def test_verify_names_the_version_that_is_broken(club, kind: str) -> None:
    damage(club, 2, **DAMAGES.get(kind, {"added": b"x"}))
    comparison = verify(club.store, "G001")
    assert not comparison.agrees
    assert comparison.sentence.startswith("G001 differs at version 2, turn 2: ")
    assert comparison.sentence.endswith("; all before it agrees")


def test_the_last_good_version_is_shown_in_the_place_of_a_broken_one(club) -> None:
    damage(club, 3, **DAMAGES["other bytes"])
    shown = inspect.show(club.moderator, "G001")
    assert shown.version is not None
    assert (shown.version.number, shown.summary.game.version) == (2, 3)
    with pytest.raises(StoreError, match=r"version 3 cannot be read, .* `pbem admin rollback GAME` goes back"):
        inspect.show(club.moderator, "G001", version=3)


def test_several_broken_versions_are_passed_over(club) -> None:
    damage(club, 3, **DAMAGES["other bytes"])
    damage(club, 2, **DAMAGES["another state"])
    assert actions.roll_back(club.moderator, "G001").to_version == 1


def test_a_version_that_is_gone_is_passed_over(club) -> None:
    with club.store.transaction() as tx:
        tx.connection.execute(text("DELETE FROM event WHERE version = 3"))
        tx.connection.execute(text("DELETE FROM version WHERE number = 3"))
    MATCHES._kept.clear()
    back = actions.roll_back(club.moderator, "G001")
    assert (back.to_version, back.broken, back.game.version) == (2, 3, 4)


def test_verify_names_a_version_that_is_gone(club) -> None:
    with club.store.transaction() as tx:
        tx.connection.execute(text("DELETE FROM event WHERE version = 2"))
        tx.connection.execute(text("DELETE FROM version WHERE number = 2"))
    assert verify(club.store, "G001").sentence == "G001 differs: version 2 is gone"


def test_from_a_broken_rollback_it_is_what_that_went_back_to(club) -> None:
    actions.roll_back(club.moderator, "G001", version=1)
    damage(club, 4, **DAMAGES["other bytes"])
    assert actions.roll_back(club.moderator, "G001").to_version == 1


def test_a_broken_version_elsewhere_keeps_nobody_from_going_back_to_a_turn(club) -> None:
    club.moves("Red")
    damage(club, 3, **DAMAGES["other bytes"])
    assert actions.roll_back(club.moderator, "G001", turn=2).to_version in (1, 2)


def test_when_no_version_is_good_the_first_is_named(club) -> None:
    for number in (1, 2, 3):
        damage(club, number, **DAMAGES["other bytes"])
    with pytest.raises(StoreError, match=r"version \d cannot be read"):
        actions.roll_back(club.moderator, "G001")


@pytest.mark.parametrize("act", [actions.pause, lambda moderator, code: actions.extend(moderator, code, 5)])
def test_a_game_with_a_broken_version_can_be_paused_and_extended(club, act: Any) -> None:
    damage(club, 3, **DAMAGES["other bytes"])
    act(club.moderator, "G001")


def test_a_command_that_needs_the_broken_version_names_it(club) -> None:
    damage(club, 3, **DAMAGES["other bytes"])
    with pytest.raises(StoreError, match="version 3 cannot be read"):
        actions.act_as(club.moderator, "G001", "Red", ["end"], "test")
