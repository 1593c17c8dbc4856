"""Games, seats, versions and the event log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any

from sqlalchemy import CTE, Connection, Row, bindparam, func, insert, or_, select, update

from pbem.errors import StoreError
from pbem.protocol import Event, Seat
from pbem.store.tables import events, games, players, seats, versions
from pbem.store.values import (
    Cause,
    Game,
    GameId,
    GameSettings,
    InboundId,
    LoggedEvent,
    PlayerId,
    SeatRecord,
    Status,
    Version,
    VersionInfo,
)

INFO = (
    versions.c.game_id,
    versions.c.number,
    versions.c.parent,
    versions.c.cause,
    versions.c.turn,
    versions.c.digest,
    versions.c.entropy,
    versions.c.inbound_id,
    versions.c.created_at,
)
SEATS = (
    select(seats, players.c.name)
    .outerjoin(players, players.c.id == seats.c.player_id)
    .order_by(seats.c.game_id, seats.c.seat)
)

# What every mail needs is made once: building a statement takes three times as long as carrying it out.
NEW_VERSION, NEW_EVENT = insert(versions), insert(events)
GAME = select(games).where(games.c.id == bindparam("game"))
GAME_SEATS = SEATS.where(seats.c.game_id == bindparam("game"))
VERSION = select(versions).where(
    versions.c.game_id == bindparam("game"), versions.c.number == bindparam("wanted")
)
DIGEST = VERSION.with_only_columns(versions.c.digest)
EVENTS = (
    select(events)
    .where(
        events.c.game_id == bindparam("game"),
        events.c.sequence > bindparam("after"),
        events.c.undone_by.is_(None),
    )
    .order_by(events.c.sequence)
)
NEXT_VERSION = (
    update(games)
    .where(games.c.id == bindparam("game"))
    .values(
        last_version=games.c.last_version + 1,
        version=games.c.last_version + 1,
        turn=bindparam("in_turn"),
        last_event=games.c.last_event + bindparam("happened"),
    )
    .returning(games.c.last_version, games.c.last_event)
)
REPORTED = (
    update(seats)
    .where(seats.c.game_id == bindparam("game"), seats.c.seat.in_(bindparam("told", expanding=True)))
    .values(last_reported=bindparam("last"))
)


class Games:
    """Part of a transaction: what is played, by whom, and how it stands."""

    connection: Connection

    def add_game(self, name: str, game_type: str, settings: GameSettings, seed: bytes, now: datetime) -> Game:
        """Add a game with the next free code; its seats follow with `add_seat`."""
        made = self.connection.execute(
            insert(games)
            .values(
                code=token_hex(8),  # until the row's number is known
                name=name,
                game_type=game_type,
                status="open",
                settings=settings.to_json(),
                seed=seed,
                created_at=now,
            )
            .returning(games.c.id)
        ).scalar_one()
        self._change_game(GameId(made), code=f"G{made:03d}")
        return self.game(GameId(made))

    def game(self, game_id: GameId) -> Game:
        """The game with this id.

        Raises StoreError when there is none.
        """
        row = self.connection.execute(GAME, {"game": game_id}).one_or_none()
        if row is None:
            raise StoreError(f"no game with id {game_id}; pbem admin games lists them")
        return game_from(row)

    def find_game(self, text: str) -> Game:
        """The game with this code (`G042`, `g42`, `42`), or with this name in any letter case.

        Raises StoreError when there is none, or when several have the name.
        """
        wanted = text.strip()
        digits = wanted.lstrip("gG")
        code = f"G{int(digits):03d}" if digits.isascii() and digits.isdigit() else wanted.upper()
        found = self.connection.execute(
            select(games)
            .where(or_(games.c.code == code, func.lower(games.c.name) == wanted.lower()))
            .order_by(games.c.id)
        ).all()
        exact = [row for row in found if row.code == code] or found
        if not exact:
            raise StoreError(f'no game "{wanted}"; pbem admin games lists them')
        if len(exact) > 1:
            codes = ", ".join(row.code for row in exact)
            raise StoreError(f'several games are called "{wanted}"; say which by its code: {codes}')
        return game_from(exact[0])

    def games(self, *statuses: Status) -> tuple[Game, ...]:
        """All games, or those with one of these statuses, oldest first."""
        query = select(games).order_by(games.c.id)
        if statuses:
            query = query.where(games.c.status.in_(statuses))
        return tuple(game_from(row) for row in self.connection.execute(query))

    def start_game(self, game_id: GameId, commitment: str, now: datetime) -> None:
        self._change_game(game_id, status="running", commitment=commitment, started_at=now)

    def end_game(self, game_id: GameId, now: datetime) -> None:
        self._change_game(game_id, status="over", ended_at=now)

    def reopen_game(self, game_id: GameId) -> None:
        """Let a game that was over go on (a rollback)."""
        self._change_game(game_id, status="running", ended_at=None)

    def change_settings(self, game_id: GameId, settings: GameSettings) -> None:
        """Give a game other settings."""
        self._change_game(game_id, settings=settings.to_json())

    def _change_game(self, game_id: GameId, **values: Any) -> None:
        self.connection.execute(update(games).where(games.c.id == game_id).values(**values))

    def add_seat(
        self, game_id: GameId, seat: Seat, colour: str, player_id: PlayerId | None, bot_name: str = ""
    ) -> None:
        """Add a seat for a player, or for a bot when there is none."""
        self.connection.execute(
            insert(seats).values(
                game_id=game_id, seat=seat, colour=colour, player_id=player_id, bot_name=bot_name
            )
        )

    def seats(self, game_id: GameId) -> tuple[SeatRecord, ...]:
        """The seats of a game in the order of play."""
        rows = self.connection.execute(GAME_SEATS, {"game": game_id})
        return tuple(seat_from(row) for row in rows)

    def seat(self, game_id: GameId, seat: Seat) -> SeatRecord:
        row = self.connection.execute(SEATS.where(seats.c.game_id == game_id, seats.c.seat == seat)).one()
        return seat_from(row)

    def seats_of(self, player_id: PlayerId) -> tuple[SeatRecord, ...]:
        """Every seat that a player holds, in games that are over too."""
        rows = self.connection.execute(SEATS.where(seats.c.player_id == player_id))
        return tuple(seat_from(row) for row in rows)

    def reseat(self, game_id: GameId, seat: Seat, player_id: PlayerId | None, bot_name: str = "") -> None:
        """Give a seat to somebody else. A new tenure begins: tokens and policies of the old one are void."""
        self._change_seat(
            game_id,
            seat,
            player_id=player_id,
            bot_name=bot_name,
            tenure=seats.c.tenure + 1,
            nmr_count=0,
            stand_in=False,
        )

    def set_nmr(self, game_id: GameId, seat: Seat, count: int, *, stand_in: bool) -> None:
        """Note how many turns in a row the deadline made, and whether a bot keeps the seat."""
        self._change_seat(game_id, seat, nmr_count=count, stand_in=stand_in)

    def set_reported(self, game_id: GameId, told: Iterable[Seat], sequence: int) -> None:
        """Note the last event that some seats were told."""
        self.connection.execute(REPORTED, {"game": game_id, "told": list(told), "last": sequence})

    def _change_seat(self, game_id: GameId, seat: Seat, **values: Any) -> None:
        self.connection.execute(
            update(seats).where(seats.c.game_id == game_id, seats.c.seat == seat).values(**values)
        )

    def save_version(
        self,
        game_id: GameId,
        *,
        parent: int | None,
        cause: Cause,
        turn: int,
        snapshot: Mapping[str, Any],
        added: Sequence[Sequence[Any]],
        digest: str,
        now: datetime,
        happened: Sequence[tuple[int, Event]] = (),
        entropy: str = "",
        inbound_id: InboundId | None = None,
    ) -> Version:
        """Store a version, make it the current one, and log what happened: (turn, event) each."""
        row = self.connection.execute(
            NEXT_VERSION, {"game": game_id, "in_turn": turn, "happened": len(happened)}
        ).one()
        values = {
            "game_id": game_id,
            "number": row.last_version,
            "parent": parent,
            "cause": cause,
            "turn": turn,
            "digest": digest,
            "entropy": entropy,
            "inbound_id": inbound_id,
            "created_at": now,
            "snapshot": snapshot,
            "added": added,
        }
        self.connection.execute(NEW_VERSION, values)
        if happened:
            first = row.last_event - len(happened) + 1
            self.connection.execute(
                NEW_EVENT,
                [
                    {
                        "game_id": game_id,
                        "sequence": first + place,
                        "version": row.last_version,
                        "turn": in_turn,
                        "kind": event.kind,
                        "data": dict(event.data),
                        "private": {str(who): dict(what) for who, what in (event.private or {}).items()}
                        or None,
                    }
                    for place, (in_turn, event) in enumerate(happened)
                ],
            )
        return Version(**values)

    def version(self, game_id: GameId, number: int) -> Version:
        """One version with its snapshot.

        Raises StoreError when the game has no such version.
        """
        row = self.connection.execute(VERSION, {"game": game_id, "wanted": number}).one_or_none()
        if row is None:
            raise StoreError(f"there is no version {number}; pbem admin versions lists them")
        return Version(**row._mapping)

    def digest(self, game_id: GameId, number: int) -> str | None:
        """The digest of a version, which tells whether its match is at hand; None when there is no such version."""
        found = self.connection.execute(DIGEST, {"game": game_id, "wanted": number})
        return found.scalar_one_or_none()

    def versions(self, game_id: GameId) -> tuple[VersionInfo, ...]:
        """Every version of a game, oldest first, without snapshots."""
        rows = self.connection.execute(
            select(*INFO).where(versions.c.game_id == game_id).order_by(versions.c.number)
        )
        return tuple(VersionInfo(**row._mapping) for row in rows)

    def chain(self, game_id: GameId, number: int) -> tuple[Version, ...]:
        """The versions from the start to `number` along their parents: what a replay from the seed follows."""
        link = self._link(game_id, number)
        rows = self.connection.execute(
            select(versions)
            .join(link, versions.c.number == link.c.number)
            .where(versions.c.game_id == game_id)
            .order_by(versions.c.number)
        )
        return tuple(Version(**row._mapping) for row in rows)

    def events(self, game_id: GameId, after: int = 0, turn: int | None = None) -> tuple[LoggedEvent, ...]:
        """What happened after an event and was not undone, or what happened in one turn; oldest first."""
        query = EVENTS if turn is None else EVENTS.where(events.c.turn == turn)
        rows = self.connection.execute(query, {"game": game_id, "after": after})
        return tuple(event_from(row) for row in rows)

    def last_event(self, game_id: GameId) -> int:
        """The sequence of the newest event; 0 when nothing happened yet."""
        last = self.connection.execute(select(games.c.last_event).where(games.c.id == game_id)).scalar_one()
        return int(last)

    def undo_events(self, game_id: GameId, after_version: int, by_version: int) -> None:
        """Mark what happened in versions after `after_version`, and before `by_version`, as undone."""
        self.connection.execute(
            update(events)
            .where(
                events.c.game_id == game_id,
                events.c.version > after_version,
                events.c.version < by_version,
                events.c.undone_by.is_(None),
            )
            .values(undone_by=by_version)
        )

    def follow_events(self, game_id: GameId, by_version: int) -> None:
        """Mark what happened in versions that do not lead to `by_version` as undone; what happened in those that
        do is in force again."""
        chain = self._link(game_id, by_version)
        leads = events.c.version.in_(select(chain.c.number))
        mine = events.c.game_id == game_id
        self.connection.execute(
            update(events).where(mine, ~leads, events.c.undone_by.is_(None)).values(undone_by=by_version)
        )
        self.connection.execute(
            update(events).where(mine, leads, events.c.undone_by.is_not(None)).values(undone_by=None)
        )

    def _link(self, game_id: GameId, number: int) -> CTE:
        """The numbers of a version and of all that it continues."""
        link = (
            select(versions.c.number, versions.c.parent)
            .where(versions.c.game_id == game_id, versions.c.number == number)
            .cte("link", recursive=True)
        )
        return link.union_all(
            select(versions.c.number, versions.c.parent).where(
                versions.c.game_id == game_id, versions.c.number == link.c.parent
            )
        )


def game_from(row: Row[Any]) -> Game:
    return Game(
        id=row.id,
        code=row.code,
        name=row.name,
        game_type=row.game_type,
        status=row.status,
        settings=GameSettings.from_json(row.settings),
        seed=row.seed,
        commitment=row.commitment,
        version=row.version,
        turn=row.turn,
        created_at=row.created_at,
        started_at=row.started_at,
        paused_at=row.paused_at,
        ended_at=row.ended_at,
    )


def seat_from(row: Row[Any]) -> SeatRecord:
    return SeatRecord(
        game_id=row.game_id,
        seat=row.seat,
        colour=row.colour,
        player_id=row.player_id,
        name=row.name if row.player_id is not None else row.bot_name,
        tenure=row.tenure,
        nmr_count=row.nmr_count,
        stand_in=row.stand_in,
        last_reported=row.last_reported,
    )


def event_from(row: Row[Any]) -> LoggedEvent:
    return LoggedEvent(
        game_id=row.game_id,
        sequence=row.sequence,
        version=row.version,
        turn=row.turn,
        kind=row.kind,
        data=row.data,
        private={int(seat): what for seat, what in (row.private or {}).items()},
    )
