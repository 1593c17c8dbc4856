"""Everything that is kept: games, players, mails, and who did what.

    store = Store(settings.database)
    store.open()                        # or create(), where there is none; upgrade(), which migrates
    with store.transaction() as tx:     # all of it or nothing
        game = tx.find_game("G042")

Plain frozen values go in and come out; nothing outside this package knows which database it is.
"""

from pbem.store.restore import Replaced as Replaced
from pbem.store.restore import restoring as restoring
from pbem.store.restore import unreadable as unreadable
from pbem.store.store import Store as Store
from pbem.store.store import Tx as Tx
from pbem.store.values import Address as Address
from pbem.store.values import Ask as Ask
from pbem.store.values import AskKind as AskKind
from pbem.store.values import AuditEntry as AuditEntry
from pbem.store.values import Cause as Cause
from pbem.store.values import Disposition as Disposition
from pbem.store.values import Game as Game
from pbem.store.values import GameId as GameId
from pbem.store.values import GameSettings as GameSettings
from pbem.store.values import Inbound as Inbound
from pbem.store.values import InboundId as InboundId
from pbem.store.values import LoggedEvent as LoggedEvent
from pbem.store.values import NewInbound as NewInbound
from pbem.store.values import NewOutbound as NewOutbound
from pbem.store.values import Outbound as Outbound
from pbem.store.values import OutboundId as OutboundId
from pbem.store.values import OutboundStatus as OutboundStatus
from pbem.store.values import Player as Player
from pbem.store.values import PlayerId as PlayerId
from pbem.store.values import SeatRecord as SeatRecord
from pbem.store.values import Status as Status
from pbem.store.values import Version as Version
from pbem.store.values import VersionInfo as VersionInfo
