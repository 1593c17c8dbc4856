"""Games, seats, versions and the event log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any

from sqlalchemy import CTE, bindparam, func, insert, or_, select, update

from pbem.errors import StoreError
from pbem.protocol import Event, Seat
from pbem.store.rows import Rows
from pbem.store.tables import columns, events, games, players, seats, versions
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

SEATS = (
    select(*columns(seats, SeatRecord, "name"), func.coalesce(players.c.name, seats.c.bot_name).label("name"))
    .outerjoin(players, players.c.id == seats.c.player_id)
    .order_by(seats.c.game_id, seats.c.seat)
)

# What every mail needs is made once: building a statement takes three times as long as carrying it out.
NEW_VERSION, NEW_EVENT = insert(versions), insert(events)
GAMES = select(*columns(games, Game)).order_by(games.c.id)
GAME = GAMES.where(games.c.id == bindparam("game"))
LAST_EVENT = select(games.c.last_event).where(games.c.id == bindparam("game"))
GAME_SEATS = SEATS.where(seats.c.game_id == bindparam("game"))
VERSION = select(versions).where(versions.c.game_id == bindparam("game"), versions.c.number == bindparam("wanted"))
DIGEST = VERSION.with_only_columns(versions.c.digest)
EVENTS = (
    select(*columns(events, LoggedEvent))
    .where(events.c.game_id == bindparam("game"), events.c.sequence > bindparam("after"), events.c.undone_by.is_(None))
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


class Games(Rows):
    """Part of a transaction: what is played, by whom, and how it stands."""

    def add_game(self, name: str, game_type: str, settings: GameSettings, seed: bytes, now: datetime) -> Game:
        """Add a game with the next free code; its seats follow with `add_seat`."""
        made = self.connection.execute(
            insert(games)
            .values(
                code=token_hex(8),  # until the row's number is known
                name=name,
                game_type=game_type,
                status="open",
                settings=settings,
                seed=seed,
                created_at=now,
                last_version=0,
                last_event=0,
            )
            .returning(games.c.id)
        ).scalar_one()
        self.change_game(made, code=f"G{made:03d}")
        return self.game(made)

    def game(self, game_id: GameId) -> Game:
        """The game with this id.

        Raises StoreError when there is none.
        """
        return self._wanted(Game, GAME, f"no game with id {game_id}; pbem admin games lists them", game=game_id)

    def find_game(self, text: str) -> Game:
        """The game with this code (`G042`, `g42`, `42`), or with this name in any letter case.

        Raises StoreError when there is none, or when several have the name.
        """
        wanted = text.strip()
        digits = wanted.lstrip("gG")
        code = f"G{int(digits):03d}" if digits.isascii() and digits.isdigit() else wanted.upper()
        either = or_(games.c.code == code, func.lower(games.c.name) == wanted.lower())
        named = self._all(Game, GAMES.where(either))
        meant = [game for game in named if game.code == code] or named
        if not meant:
            raise StoreError(f'no game "{wanted}"; pbem admin games lists them')
        if len(meant) > 1:
            codes = ", ".join(game.code for game in meant)
            raise StoreError(f'several games are called "{wanted}"; say which by its code: {codes}')
        return meant[0]

    def games(self, *statuses: Status) -> tuple[Game, ...]:
        """All games, or those with one of these statuses, oldest first."""
        return self._all(Game, GAMES.where(games.c.status.in_(statuses)) if statuses else GAMES)

    def change_game(self, game_id: GameId, **values: Any) -> None:
        """Give fields of a game other values."""
        self._change(games, games.c.id == game_id, **values)

    def add_seat(
        self, game_id: GameId, seat: Seat, colour: str, player_id: PlayerId | None, bot_name: str = ""
    ) -> None:
        """Add a seat for a player, or for a bot when there is none."""
        self.connection.execute(
            insert(seats).values(game_id=game_id, seat=seat, colour=colour, player_id=player_id, bot_name=bot_name)
        )

    def seats(self, game_id: GameId) -> tuple[SeatRecord, ...]:
        """The seats of a game in the order of play."""
        return self._all(SeatRecord, GAME_SEATS, game=game_id)

    def seat(self, game_id: GameId, seat: Seat) -> SeatRecord:
        """One seat of a game."""
        (record,) = self._all(SeatRecord, SEATS.where(seats.c.game_id == game_id, seats.c.seat == seat))
        return record

    def seats_of(self, player_id: PlayerId) -> tuple[SeatRecord, ...]:
        """Every seat that a player holds, in games that are over too."""
        return self._all(SeatRecord, SEATS.where(seats.c.player_id == player_id))

    def reseat(self, game_id: GameId, seat: Seat, player_id: PlayerId | None, bot_name: str = "") -> None:
        """Give a seat to somebody else. A new tenure begins: tokens and policies of the old one are void."""
        self.change_seat(
            game_id,
            seat,
            player_id=player_id,
            bot_name=bot_name,
            tenure=seats.c.tenure + 1,
            nmr_count=0,
            stand_in=False,
        )

    def set_reported(self, game_id: GameId, told: Iterable[Seat], sequence: int) -> None:
        """Note the last event that some seats were told."""
        self.connection.execute(REPORTED, {"game": game_id, "told": list(told), "last": sequence})

    def change_seat(self, game_id: GameId, seat: Seat, **values: Any) -> None:
        """Give fields of a seat other values."""
        self._change(seats, seats.c.game_id == game_id, seats.c.seat == seat, **values)

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
        happened: Sequence[tuple[int, str, Event]] = (),
        entropy: str = "",
        inbound_id: InboundId | None = None,
    ) -> Version:
        """Store a version, make it the current one, and log what happened: (turn, colour of the seat
        whose turn it was, event) each."""
        row = self.connection.execute(NEXT_VERSION, {"game": game_id, "in_turn": turn, "happened": len(happened)}).one()
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
                        "actor": actor,
                        "kind": event.kind,
                        "data": dict(event.data),
                        "private": event.private or {},
                    }
                    for place, (in_turn, actor, event) in enumerate(happened)
                ],
            )
        return Version(**values)

    def version(self, game_id: GameId, number: int) -> Version:
        """One version with its snapshot.

        Raises StoreError when the game has no such version.
        """
        missing = f"there is no version {number}; pbem admin versions lists them"
        return self._wanted(Version, VERSION, missing, game=game_id, wanted=number)

    def digest(self, game_id: GameId, number: int) -> str | None:
        """The digest of a version, which tells whether its match is at hand; None when there is no such version."""
        return self.connection.execute(DIGEST, {"game": game_id, "wanted": number}).scalar_one_or_none()

    def versions(self, game_id: GameId) -> tuple[VersionInfo, ...]:
        """Every version of a game, oldest first, without snapshots."""
        query = select(*columns(versions, VersionInfo)).where(versions.c.game_id == game_id)
        return self._all(VersionInfo, query.order_by(versions.c.number))

    def chain(self, game_id: GameId, number: int) -> tuple[Version, ...]:
        """The versions from the start to `number` along their parents: what a replay from the seed follows."""
        link = self._link(game_id, number)
        query = select(versions).join(link, versions.c.number == link.c.number)
        return self._all(Version, query.where(versions.c.game_id == game_id).order_by(versions.c.number))

    def events(self, game_id: GameId, after: int = 0, turn: int | None = None) -> tuple[LoggedEvent, ...]:
        """What happened after an event and was not undone, or what happened in one turn; oldest first."""
        query = EVENTS if turn is None else EVENTS.where(events.c.turn == turn)
        return self._all(LoggedEvent, query, game=game_id, after=after)

    def last_event(self, game_id: GameId) -> int:
        """The sequence of the newest event; 0 when nothing happened yet."""
        last: int = self.connection.execute(LAST_EVENT, {"game": game_id}).scalar_one()
        return last

    def last_event_of(self, game_id: GameId, version: int) -> int:
        """The sequence of the last event up to a version; 0 when nothing had happened yet."""
        newest = select(func.max(events.c.sequence)).where(
            events.c.game_id == game_id, events.c.version <= version, events.c.undone_by.is_(None)
        )
        return self.connection.execute(newest).scalar_one() or 0

    def undo_events(self, game_id: GameId, after_version: int, by_version: int) -> None:
        """Mark what happened in versions after `after_version`, and before `by_version`, as undone."""
        undone = events.c.version.between(after_version + 1, by_version - 1)
        in_force = events.c.undone_by.is_(None)
        self._change(events, events.c.game_id == game_id, undone, in_force, undone_by=by_version)

    def follow_events(self, game_id: GameId, by_version: int) -> None:
        """Mark what happened in versions that do not lead to `by_version` as undone; what happened in those that
        do is in force again."""
        chain = self._link(game_id, by_version)
        leads = events.c.version.in_(select(chain.c.number))
        mine = events.c.game_id == game_id
        self._change(events, mine, ~leads, events.c.undone_by.is_(None), undone_by=by_version)
        self._change(events, mine, leads, events.c.undone_by.is_not(None), undone_by=None)

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
