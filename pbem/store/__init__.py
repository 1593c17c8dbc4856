"""Everything that is kept: games, players, mails, and who did what.

    store = Store(settings.database)
    store.open()                        # or upgrade(), which also sets up and migrates
    with store.transaction() as tx:     # all of it or nothing
        game = tx.find_game("G042")

Plain frozen values go in and come out; nothing outside this package knows which database it is.
"""

from __future__ import annotations

from pbem.store.store import Store, Tx
from pbem.store.values import (
    Address,
    Ask,
    AskKind,
    AuditEntry,
    Cause,
    Disposition,
    Game,
    GameId,
    GameSettings,
    Inbound,
    InboundId,
    LoggedEvent,
    NewInbound,
    NewOutbound,
    Outbound,
    OutboundId,
    OutboundStatus,
    Player,
    PlayerId,
    SeatRecord,
    Status,
    Version,
    VersionInfo,
    address_key,
)

__all__ = [
    "Address",
    "Ask",
    "AskKind",
    "AuditEntry",
    "Cause",
    "Disposition",
    "Game",
    "GameId",
    "GameSettings",
    "Inbound",
    "InboundId",
    "LoggedEvent",
    "NewInbound",
    "NewOutbound",
    "Outbound",
    "OutboundId",
    "OutboundStatus",
    "Player",
    "PlayerId",
    "SeatRecord",
    "Status",
    "Store",
    "Tx",
    "Version",
    "VersionInfo",
    "address_key",
]
