"""Setting a game back: by version, by turn, past reveals, and what follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.errors import ReplayMismatch, StoreError
from pbem.moderator import actions, inspect
from pbem.play import replay
from pbem.play.table import MATCHES, rules_of
from pbem.play.verify import verify


def back(club, **wanted: Any):
    return actions.roll_back(club.moderator, "G001", **wanted).game


@pytest.fixture
def played(club, game):
    """Two turns have been played; it is Red's third."""
    club.moves("Red")
    club.moves("Green")
    return game


def test_a_rollback_adds_a_version_and_keeps_the_others(club, played) -> None:
    before = club.versions
    after = back(club, version=1)
    now = club.versions
    assert now[:-1] == before
    assert (now[-1].number, now[-1].parent, now[-1].cause) == (len(now), 1, "rollback")
    assert (after.version, after.turn) == (len(now), 1)


def test_everybody_is_told_and_who_must_decide_is_asked_afresh(club, played) -> None:
    with club.store.reading() as tx:
        old = [ask for ask in tx.open_asks(played.id) if ask.due_at]
    back(club, version=1, why="the flood was wrong")
    told = [mail for mail in club.mails() if mail.kind == "rolled_back"]
    assert [mail.recipient for mail in told] == ["ann@example.org", "bob@example.org"]
    assert all("the flood was wrong" in " ".join(mail.text.split()) for mail in told)
    (stands,) = inspect.games(club.moderator)
    assert stands.waiting == ("Red",)
    assert told[0].ask == stands.asks[0].number
    with club.store.reading() as tx:
        assert [tx.ask(ask.number).closed_why for ask in old] == ["rollback"]


def test_past_a_reveal_what_nobody_saw_is_drawn_anew_and_still_verifies(club, played) -> None:
    back(club, version=1)
    info = club.versions[-1]
    assert info.entropy
    club.moves("Red")
    club.moves("Green")
    assert verify(club.store, "G001").agrees


def test_draws_are_kept_when_the_moderator_says_so(club, played) -> None:
    back(club, version=1, keep_draws=True)
    first, *_, last = club.versions
    assert (last.entropy, last.digest) == ("", first.digest)


def test_a_turn_can_be_played_again_from_its_start(club, played) -> None:
    back(club, turn=2, keep_draws=True)
    (stands,) = inspect.games(club.moderator)
    assert (stands.game.turn, stands.waiting) == (2, ("Green",))
    assert club.versions[-1].digest == club.versions[1].digest


def test_without_a_word_the_present_turn_is_set_back(club, game) -> None:
    with club.store.reading() as tx:
        menu = tx.open_asks(game.id)[0].menu
    club.acts("Red", menu[0])
    back(club)
    first, *_, last = club.versions
    assert last.turn == 1
    assert verify(club.store, "G001").agrees
    assert first.turn == 1


def test_a_turn_that_began_inside_a_version_is_found(club, played) -> None:
    """A mail may end one turn, and bots play several more, before the next version is stored."""
    with club.store.reading() as tx:
        first, second, third = tx.chain(played.id, tx.game(played.id).version)
        after = second.added
    merged = [first, third.__class__(**{**fields_of(third), "added": [*after, *third.added], "parent": 1})]
    target = replay.start_of_turn(rules_of("ankh_morpork"), merged, 2)
    assert (target.match.turn, target.parent, list(target.added)) == (2, 1, list(after))
    assert target.match.digest() == second.digest
    turns = {event.kind: turn for turn, _, event in target.happened}
    assert (turns["TurnEnded"], turns["TurnBegan"]) == (1, 2)


def fields_of(version: Any) -> dict[str, Any]:
    return {name: getattr(version, name) for name in version.__dataclass_fields__}


@pytest.mark.parametrize("turn", [0, 4, 99])
def test_a_turn_that_was_not_played_is_refused(club, played, turn: int) -> None:
    with pytest.raises(StoreError, match=f"no turn {turn} to go back to"), club.store.reading() as tx:
        replay.start_of_turn(rules_of("ankh_morpork"), tx.chain(played.id, 3), turn)


def test_the_present_version_is_no_rollback(club, played) -> None:
    with pytest.raises(StoreError, match="stands at version 3; choose an earlier one"):
        back(club, version=3)
    with pytest.raises(StoreError, match="no version 9"):
        back(club, version=9)


def test_a_game_can_be_set_forward_again(club, played) -> None:
    back(club, version=1)
    after = back(club, version=3)
    assert after.turn == 3
    assert verify(club.store, "G001").agrees
    with club.store.reading() as tx:
        assert {event.version for event in tx.events(played.id)} == {1, 2, 3}


def test_undone_events_are_in_no_later_report(club, played) -> None:
    with club.store.reading() as tx:
        undone = {event.sequence for event in tx.events(played.id) if event.version > 1}
    back(club, version=1)
    club.moves("Red")
    with club.store.reading() as tx:
        assert undone.isdisjoint(event.sequence for event in tx.events(played.id))


def test_a_game_that_is_over_goes_on(club, played) -> None:
    with club.store.transaction() as tx:
        tx.change_game(played.id, status="over", ended_at=club.now)
    assert back(club, turn=2).status == "running"


def test_a_paused_game_stays_paused(club, played) -> None:
    actions.pause(club.moderator, "G001")
    assert back(club, version=1).status == "paused"
    club.passes(1000)
    with club.store.reading() as tx:
        assert tx.due_asks(club.now) == ()


def no_longer_replay(monkeypatch: pytest.MonkeyPatch, which: Callable[[int], bool]) -> None:
    """Put the rules right, so that the past of some turns is not theirs any more."""
    rules = type(rules_of("ankh_morpork"))
    restore = rules.restore

    def strict(self: Any, snapshot: Any) -> Any:
        match = restore(snapshot)
        if which(match.turn):
            raise ReplayMismatch("the rules were put right")
        return match

    monkeypatch.setattr(rules, "restore", strict)
    MATCHES._kept.clear()


def test_a_game_that_no_longer_replays_is_set_back_to_where_it_does(
    club, played, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_longer_replay(monkeypatch, lambda turn: turn == 3)
    with pytest.raises(StoreError, match="not be played again under the present rules"):
        actions.act_as(club.moderator, "G001", "Red", ["end"], "test")
    assert back(club, turn=2).turn == 2
    assert club.versions[-1].entropy


def test_a_turn_whose_past_no_longer_replays_begins_as_its_snapshot_says(
    club, played, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_longer_replay(monkeypatch, lambda turn: turn != 2)
    assert back(club, turn=2).turn == 2
    second, last = (club.versions[number] for number in (1, -1))
    assert (last.parent, last.turn) == (second.number, 2)
    club.moves("Green")
    with pytest.raises(StoreError, match="not be played again under the present rules"):
        back(club, version=1)


def test_a_first_turn_that_no_longer_replays_begins_as_its_snapshot_says(
    club, game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def strict(self: Any, snapshot: Any) -> Any:
        raise ReplayMismatch("the rules were put right")

    rules = rules_of("ankh_morpork")
    with club.store.reading() as tx:
        chain = tx.chain(game.id, 1)
    monkeypatch.setattr(type(rules), "restore", strict)
    target = replay.start_of_turn(rules, chain, 1)
    assert (target.match.turn, target.parent) == (1, 1)
