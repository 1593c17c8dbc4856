from __future__ import annotations

from datetime import datetime

from pbem.store import Game, PlayerId, Store, Tx


def test_two_players_may_share_an_address(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        tx.add_player("Ann's brother", "Ann@Example.org", now)
        assert [player.name for player in tx.players_at("ANN@example.ORG")] == ["Ann", "Ann's brother"]


def test_reports_go_to_the_preferred_address_that_arrives(store: Store, game: Game, now: datetime) -> None:
    with store.transaction() as tx:
        (ann,) = tx.players_at("ann@example.org")
        tx.use_address(ann.id, "ann@work.example")
        assert used(tx, ann.id) == "ann@work.example"
        tx.mark_bouncing("ann@work.example", "550 no such user", now)
        assert used(tx, ann.id) == "ann@example.org"
        tx.clear_bouncing("ann@work.example")
        assert used(tx, ann.id) == "ann@work.example"


def used(tx: Tx, player: PlayerId) -> str:
    """Where reports go."""
    address = tx.player(player).address
    assert address is not None
    return address.address
