from __future__ import annotations

from datetime import datetime

from pbem.store import Game, Store


def test_the_audit_log_reads_oldest_first(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        tx.audit("moderator", "pause", "holiday", now, game_id=game.id)
        tx.audit("moderator", "show", "a complaint", now, facts={"seat": "Red"})
        assert [(line.what, line.why) for line in tx.audit_log()] == [("pause", "holiday"), ("show", "a complaint")]
        assert [line.what for line in tx.audit_log(game.id)] == ["pause"]


def test_what_is_remembered_can_be_changed(store: Store) -> None:
    with store.transaction() as tx:
        tx.remember("mailbox_read_at", "1")
        tx.remember("mailbox_read_at", "2")
        assert tx.remembered("mailbox_read_at") == "2"
