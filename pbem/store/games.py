"""Games, seats, versions and the event log."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any

from sqlalchemy import CTE, bindparam, func, insert, or_, select, update

from pbem.errors import StoreError
from pbem.protocol import Event, Seat
from pbem.store.rows import Rows, one_of
from pbem.store.tables import SILENT, columns, events, games, inbound, players, seats, versions
from pbem.store.values import (
    Game,
    GameId,
    GameSettings,
    LoggedEvent,
    PlayerId,
    SeatRecord,
    Status,
    Version,
    VersionInfo,
)

GAMES = select(*columns(games, Game)).order_by(games.c.id)
SEATS = (
    select(*columns(seats, SeatRecord, "name"), func.coalesce(players.c.name, seats.c.bot_name).label("name"))
    .outerjoin(players, players.c.id == seats.c.player_id)
    .order_by(seats.c.game_id, seats.c.seat)
)
VERSIONS, INFOS = (select(*columns(versions, of)).order_by(versions.c.number) for of in (Version, VersionInfo))
DIGESTS = select(versions.c.digest).where(
    versions.c.game_id == bindparam("game"), versions.c.number == bindparam("wanted")
)
EVENTS = select(*columns(events, LoggedEvent)).where(events.c.undone_by.is_(None)).order_by(events.c.sequence)
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


class Games(Rows):
    """Part of a transaction: what is played, by whom, and how it stands."""

    def add_game(self, name: str, game_type: str, settings: GameSettings, seed: bytes, now: datetime) -> Game:
        """Add a game with the next free code; its seats follow with `add_seat`."""
        chosen = {"name": name, "game_type": game_type, "settings": settings, "seed": seed}
        # The code is that of the row's number, which is not known yet.
        state = {"code": token_hex(8), "status": "open", "created_at": now, "last_version": 0, "last_event": 0}
        made = self._add(games, **chosen, **state)
        self.change_game(made, code=f"G{made:03d}")
        return self.game(made)

    def game(self, game_id: GameId) -> Game:
        """The game with this id.

        Raises StoreError when there is none.
        """
        return self._wanted(Game, GAMES, f"no game with id {game_id}; pbem admin games lists them", id=game_id)

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
        return self._all(Game, GAMES.where(one_of(games.c.status, *statuses)))

    def game_types(self) -> tuple[str, ...]:
        """Which games are being played."""
        return tuple(self.connection.scalars(select(games.c.game_type).where(games.c.status != "over").distinct()))

    def change_game(self, game_id: GameId, **values: Any) -> None:
        """Give fields of a game other values."""
        self._change(games, {"id": game_id}, **values)

    def add_seat(
        self, game_id: GameId, seat: Seat, colour: str, player_id: PlayerId | None, bot_name: str = ""
    ) -> None:
        """Add a seat for a player, or for a bot when there is none."""
        self._add(seats, game_id=game_id, seat=seat, colour=colour, player_id=player_id, bot_name=bot_name)

    def seats(self, game_id: GameId) -> tuple[SeatRecord, ...]:
        """The seats of a game in the order of play."""
        return self._all(SeatRecord, SEATS, game_id=game_id)

    def seat(self, game_id: GameId, seat: Seat) -> SeatRecord:
        """One seat of a game."""
        (record,) = self._all(SeatRecord, SEATS, game_id=game_id, seat=seat)
        return record

    def seats_of(self, player_id: PlayerId) -> tuple[SeatRecord, ...]:
        """Every seat that a player holds, in games that are over too."""
        return self._all(SeatRecord, SEATS, player_id=player_id)

    def change_seat(self, game_id: GameId, seat: Seat, **values: Any) -> None:
        """Give fields of a seat other values."""
        self._change(seats, {"game_id": game_id, "seat": seat}, **values)

    def reseat(self, game_id: GameId, seat: Seat, player_id: PlayerId | None, bot_name: str = "") -> None:
        """Give a seat to somebody else. A new tenure begins: tokens and policies of the old one are void."""
        tenure = self.seat(game_id, seat).tenure + 1
        self.change_seat(
            game_id, seat, player_id=player_id, bot_name=bot_name, tenure=tenure, nmr_count=0, stand_in=False
        )
        before = inbound.c.game_id == game_id, inbound.c.seat == seat, SILENT
        self.connection.execute(update(inbound).where(*before).values(unanswered=""))

    def set_reported(self, game_id: GameId, told: Iterable[Seat], sequence: int) -> None:
        """Note the last event that some seats were told."""
        for seat in told:
            self.change_seat(game_id, seat, last_reported=sequence)

    def save_version(
        self,
        game_id: GameId,
        *,
        turn: int,
        now: datetime,
        happened: Sequence[tuple[int, str, Event]] = (),
        **fields: Any,
    ) -> Version:
        """Store a version, make it the current one, and log what happened: (turn, colour of the seat
        whose turn it was, event) each. `fields` are others of its value."""
        last = self.connection.execute(
            NEXT_VERSION, {"game": game_id, "in_turn": turn, "happened": len(happened)}
        ).one()
        values = {"game_id": game_id, "number": last.last_version, "turn": turn, "created_at": now, **fields}
        self._add(versions, **values)
        logged = [
            {
                "game_id": game_id,
                "sequence": sequence,
                "version": last.last_version,
                "turn": in_turn,
                "actor": actor,
                "kind": event.kind,
                "data": dict(event.data),
                "private": event.private or {},
            }
            for sequence, (in_turn, actor, event) in enumerate(happened, last.last_event - len(happened) + 1)
        ]
        if logged:
            self.connection.execute(insert(events), logged)
        return Version(**values)

    def version(self, game_id: GameId, number: int) -> Version:
        """One version with its snapshot.

        Raises StoreError when the game has no such version.
        """
        missing = f"there is no version {number}; pbem admin versions lists them"
        return self._wanted(Version, VERSIONS, missing, game_id=game_id, number=number)

    def digest(self, game_id: GameId, number: int) -> str | None:
        """The digest of a version, which tells whether its match is at hand; None when there is no such version."""
        return self.connection.execute(DIGESTS, {"game": game_id, "wanted": number}).scalar_one_or_none()

    def versions(self, game_id: GameId) -> tuple[VersionInfo, ...]:
        """Every version of a game, oldest first, without snapshots."""
        return self._all(VersionInfo, INFOS, game_id=game_id)

    def chain(self, game_id: GameId, number: int) -> tuple[Version, ...]:
        """The versions from the start to `number` along their parents: what a replay from the seed follows."""
        link = self._link(game_id, number)
        query = VERSIONS.join(link, versions.c.number == link.c.number)
        return self._all(Version, query.where(versions.c.game_id == game_id))

    def events(self, game_id: GameId, after: int = 0, turn: int | None = None) -> tuple[LoggedEvent, ...]:
        """What happened after an event and was not undone, or what happened in one turn; oldest first."""
        which = events.c.game_id == game_id, events.c.sequence > after, one_of(events.c.turn, turn)
        return self._all(LoggedEvent, EVENTS.where(*which))

    def last_event(self, game_id: GameId) -> int:
        """The sequence of the newest event; 0 when nothing happened yet."""
        last: int = self.connection.execute(select(games.c.last_event).where(games.c.id == game_id)).scalar_one()
        return last

    def last_event_of(self, game_id: GameId, version: int) -> int:
        """The sequence of the last event up to a version; 0 when nothing had happened yet."""
        newest = select(func.max(events.c.sequence)).where(
            events.c.game_id == game_id, events.c.version <= version, events.c.undone_by.is_(None)
        )
        return self.connection.execute(newest).scalar_one() or 0

    def follow_events(self, game_id: GameId, by_version: int) -> None:
        """Mark what happened in versions that do not lead to `by_version` as undone; what happened in those that
        do is in force again."""
        leads = events.c.version.in_(select(self._link(game_id, by_version).c.number))
        logged, undone = update(events).where(events.c.game_id == game_id), events.c.undone_by.is_not(None)
        self.connection.execute(logged.where(~leads, ~undone).values(undone_by=by_version))
        self.connection.execute(logged.where(leads, undone).values(undone_by=None))

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
