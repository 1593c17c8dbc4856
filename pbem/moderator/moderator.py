"""A moderator at work: the transaction everything is done in, and the line it leaves in the audit log."""

import getpass
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pbem.config import Settings
from pbem.errors import ReplayMismatch, StoreError
from pbem.store import Game, Store

if TYPE_CHECKING:
    from pbem.play.table import UnitOfWork


@dataclass(frozen=True, slots=True)
class Moderator:
    """Whoever runs the games of a database."""

    store: Store
    settings: Settings
    #: What tells the time.
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    @contextmanager
    def working(self) -> Iterator["UnitOfWork"]:
        """A transaction.

        Raises StoreError for a game that no longer replays. (A mismatch that names no version may show the position.)
        """
        from pbem.play.table import UnitOfWork  # it loads all that reads orders; a list needs none of that

        try:
            with self.store.transaction() as tx:
                yield UnitOfWork(tx, self.settings, self.clock())
        except ReplayMismatch as error:
            what = error if error.version else "the stored choices are not possible under the present rules"
            raise StoreError(
                f"{what}; `pbem admin versions GAME` says which are good, `pbem admin rollback GAME` goes back"
            ) from error

    @contextmanager
    def working_on(self, code: str) -> Iterator[tuple["UnitOfWork", Game]]:
        """A transaction, and the game of this code or name."""
        with self.working() as work:
            yield work, work.tx.find_game(code)


def record(work: "UnitOfWork", what: str, why: str, game: Game | None = None, **facts: Any) -> None:
    """Write into the audit log what the moderator does, and under which login."""
    try:
        login = getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container's user may have no name
        login = "?"
    known = {key: value for key, value in facts.items() if value is not None}
    game_id, version = (game.id, game.version) if game else (None, None)
    work.tx.audit(f"moderator ({login})", what, why, work.now, game_id=game_id, version=version, facts=known)
