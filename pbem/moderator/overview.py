"""What a moderator sees without anybody being told, for nothing in it is secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pbem.errors import StoreError
from pbem.store import Ask, AuditEntry, Game, Player, SeatRecord, Store, Tx, VersionInfo


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands, without anything secret."""

    game: Game
    seats: tuple[SeatRecord, ...]
    #: The asks that the game waits for.
    asks: tuple[Ask, ...]

    @property
    def due_at(self) -> datetime | None:
        """The next deadline."""
        return min((ask.due_at for ask in self.asks if ask.due_at), default=None)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The colours of the seats that must answer."""
        return tuple(dict.fromkeys(self.seats[ask.seat].colour for ask in self.asks))


def games(store: Store, *, everything: bool = False) -> tuple[Standing, ...]:
    """How each game stands; those that are over only on demand."""
    with store.reading() as tx:
        found = tx.games() if everything else tx.games("open", "running", "paused")
        return tuple(standing(tx, game) for game in found)


def standing(tx: Tx, game: Game) -> Standing:
    asks = tuple(ask for ask in tx.open_asks(game.id) if ask.moves and ask.due_at)
    return Standing(game, tx.seats(game.id), asks)


def versions(store: Store, text: str) -> tuple[VersionInfo, ...]:
    """Every stored version of a game."""
    with store.reading() as tx:
        return tx.versions(tx.find_game(text).id)


def players(store: Store) -> tuple[Player, ...]:
    """Everybody who ever had a seat."""
    with store.reading() as tx:
        return tx.players()


def log(store: Store, text: str | None = None, limit: int = 100) -> tuple[AuditEntry, ...]:
    """The audit log, of one game or of all, newest last."""
    with store.reading() as tx:
        return tx.audit_log(tx.find_game(text).id if text else None, limit)


def running(game: Game) -> Game:
    """The game, when it has begun and is not over.

    Raises StoreError otherwise.
    """
    if game.status == "open":
        raise StoreError(f"{game.code} has not begun; `pbem admin start {game.code}` starts it")
    if game.status == "over":
        raise StoreError(f"{game.code} is over; `pbem admin rollback {game.code} --turn N` sets it back")
    return game


def seat_called(seats: Sequence[SeatRecord], colour: str) -> SeatRecord:
    """The seat of a colour.

    Raises StoreError.
    """
    for seat in seats:
        if seat.colour.casefold() == colour.strip().casefold():
            return seat
    raise StoreError(f'no seat "{colour}"; there are {", ".join(seat.colour for seat in seats)}')
