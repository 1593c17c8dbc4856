"""Putting a backup in the place of the database, and letting the games in it go on from the newest state that is left."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pbem.config import Settings
from pbem.errors import PbemError, StoreError
from pbem.mail.handling.pipeline import offer_again
from pbem.moderator.actions import set_back
from pbem.moderator.moderator import Moderator, record
from pbem.play.replay import newest_good
from pbem.play.table import UnitOfWork, rules_of
from pbem.store import Game, Replaced, restoring


@dataclass(frozen=True, slots=True)
class Resumed:
    """A game after a restore."""

    game: Game
    #: The version that it goes on from.
    version: int
    #: Mails whose orders were offered to their players once more.
    offered: int = 0
    #: Why it does not go on; empty when it does.
    problem: str = ""


def restore(
    settings: Settings, backup: Path, clock: Callable[[], datetime], why: str = ""
) -> tuple[Replaced, list[Resumed]]:
    """Put a backup in the place of the database, with all that the old one still holds. Each game that is not over goes
    on from its newest version that can be read and played again; what nobody may have seen is drawn anew, everybody is
    asked again and told why, and orders whose effect is lost are offered to their players for one `yes`.

    Raises StoreError when the backup cannot be used; nothing has changed then.
    """
    with restoring(settings.database, backup, clock()) as (store, replaced):
        moderator = Moderator(store, settings, clock)
        with moderator.working() as work:
            work.tx.remember("mailbox_read_at", work.now.isoformat())  # every deadline is set anew
            record(work, "restore", why, backup=str(backup), kept=str(replaced.kept or ""), taken=replaced.taken)
            games = work.tx.games("running", "paused", "over")
        return replaced, [resumed for game in games if (resumed := resume(moderator, game, why))]


def resume(moderator: Moderator, game: Game, why: str) -> Resumed | None:
    """Let a game go on; None for one that is over. One that cannot go on keeps no other from it."""
    try:
        with moderator.working() as work:
            newest = max(game.version, *(info.number for info in work.tx.versions(game.id)))
            good = newest_good(work.tx, rules_of(game.game_type), game.id, newest)
            if good is None:
                raise StoreError("none of its versions can be read and played again")
            if game.status == "over" and good.parent == newest:
                return None
            set_back(work, game, good, fresh_draws=True, reason=why, restored=True)
            offered = offer_lost(work, game, good.parent)
            record(work, "restore", why, game, to_version=good.parent, offered=offered)
            return Resumed(work.tx.game(game.id), good.parent, offered)
    except PbemError as error:
        return Resumed(game, game.version, problem=str(error))


def offer_lost(work: UnitOfWork, game: Game, version: int) -> int:
    """Offer the orders of mails that made later versions than this one; how many mails those are."""
    lost = [mail for mail in work.tx.received("applied", game_id=game.id, limit=1000) if (mail.version or 0) > version]
    return sum(offer_again(work, work.tx.inbound(mail.id)) for mail in reversed(lost))
