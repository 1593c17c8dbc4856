from __future__ import annotations

from datetime import datetime

import pytest

from pbem.errors import StoreError
from pbem.protocol import Event, Seat
from pbem.store import Game, GameSettings, Store, Tx

RED, GREEN = Seat(0), Seat(1)


def save(tx: Tx, game: Game, parent: int | None, now: datetime, *happened: str) -> int:
    return tx.save_version(
        game.id,
        parent=parent,
        cause="mail",
        turn=1,
        snapshot={"after": list(happened)},
        added=[[0, text, []] for text in happened],
        digest="d",
        now=now,
        happened=[(1, "Red", Event(kind, {"who": "Red"}, {0: {"card": "Groat"}})) for kind in happened],
    ).number


def test_games_are_numbered_and_found_by_code_and_name(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        second = tx.add_game("Friday", "ankh_morpork", GameSettings(turn_hours=24), b"s" * 32, now)
        assert (game.code, second.code) == ("G001", "G002")
        assert [tx.find_game(text).code for text in ("G002", "g2", "2", "FRIDAY")] == ["G002"] * 4
        assert second.settings.turn_hours == 24


def test_a_game_that_is_not_there_is_said_with_what_to_do(store: Store) -> None:
    with store.reading() as tx, pytest.raises(StoreError, match='no game "thursday"; pbem admin games lists them'):
        tx.find_game("thursday")


def test_a_name_that_two_games_have_is_asked_back(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        tx.add_game("thursday night", "ankh_morpork", GameSettings(), b"s" * 32, now)
        with pytest.raises(StoreError, match="by its code: G001, G002"):
            tx.find_game("Thursday Night")


def test_settings_of_an_older_pbem_take_defaults() -> None:
    assert GameSettings.model_validate({"turn_hours": 5, "forgotten": 1}) == GameSettings(turn_hours=5)


def test_versions_are_numbered_and_the_newest_is_current(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        assert save(tx, game, 1, now, "play Groat") == 2
        assert tx.game(game.id).version == 2
        found = tx.version(game.id, 2)
        assert found.snapshot == {"after": ["play Groat"]}
        assert found.added == [[0, "play Groat", []]]
        assert [info.number for info in tx.versions(game.id)] == [1, 2]


def test_the_chain_follows_parents_past_what_was_rolled_back(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        save(tx, game, 1, now, "good")
        save(tx, game, 2, now, "mistake")
        save(tx, game, 2, now)
        save(tx, game, 4, now, "better")
        assert [version.number for version in tx.chain(game.id, 5)] == [1, 2, 4, 5]


def test_a_version_that_is_not_there_is_said(store: Store, game: Game) -> None:
    with store.reading() as tx, pytest.raises(StoreError, match="no version 7"):
        tx.version(game.id, 7)


def test_events_come_in_order_with_what_a_seat_may_read(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        save(tx, game, 1, now, "CardsDrawn", "MoneyTaken")
        first, second = tx.events(game.id)
        assert (first.sequence, first.kind, second.sequence) == (1, "CardsDrawn", 2)
        assert (first.turn, first.actor) == (1, "Red")
        assert first.seen_by(0) == {"who": "Red", "card": "Groat"}
        assert first.seen_by(1) == first.seen_by(None) == {"who": "Red"}
        assert [event.kind for event in tx.events(game.id, after=1)] == ["MoneyTaken"]
        assert tx.last_event(game.id) == 2


def test_undone_events_are_not_told_again(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        save(tx, game, 1, now, "Kept")
        save(tx, game, 2, now, "Undone")
        rollback = save(tx, game, 2, now)
        tx.follow_events(game.id, rollback)
        save(tx, game, rollback, now, "Next")
        assert [(event.sequence, event.kind) for event in tx.events(game.id)] == [(1, "Kept"), (3, "Next")]
        assert [tx.last_event_of(game.id, version) for version in (1, 2, 4, 5)] == [0, 1, 1, 3]


def test_what_was_undone_is_told_again_when_the_game_is_set_forward(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        save(tx, game, 1, now, "Second")
        save(tx, game, 2, now, "Third")
        tx.follow_events(game.id, save(tx, game, 1, now))
        save(tx, game, 4, now, "Other")
        assert [event.kind for event in tx.events(game.id)] == ["Other"]
        tx.follow_events(game.id, save(tx, game, 3, now))
        assert [event.kind for event in tx.events(game.id)] == ["Second", "Third"]
        tx.follow_events(game.id, save(tx, game, 5, now))
        assert [event.kind for event in tx.events(game.id)] == ["Other"]


def test_a_new_tenure_begins_when_a_seat_changes_hands(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        tx.change_seat(game.id, GREEN, nmr_count=3, stand_in=True)
        assert tx.seat(game.id, GREEN).bot
        cyd = tx.add_player("Cyd", "cyd@example.org", now)
        tx.reseat(game.id, GREEN, cyd.id)
        after = tx.seat(game.id, GREEN)
    assert (after.name, after.tenure, after.nmr_count, after.bot) == ("Cyd", 2, 0, False)


def test_a_bot_has_a_seat_without_a_player(store: Store, game: Game) -> None:
    with store.transaction() as tx:
        tx.add_seat(game.id, Seat(2), "Blue", None, "Dibbler")
        assert [(seat.name, seat.bot) for seat in tx.seats(game.id)] == [
            ("Ann", False),
            ("Bob", False),
            ("Dibbler", True),
        ]


def test_secrets_are_not_in_what_is_printed(store: Store, game: Game) -> None:
    with store.reading() as tx:
        assert "seed" not in repr(tx.game(game.id))
        assert "snapshot" not in repr(tx.version(game.id, 1))
