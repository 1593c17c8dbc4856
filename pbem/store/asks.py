"""Asks and their tokens, the clock's view of them, and policies."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, exists, func, insert, select, text, update

from pbem.protocol import Seat
from pbem.store.rows import Rows
from pbem.store.tables import asks, columns, games, policies, seats
from pbem.store.values import Ask, AskKind, GameId

#: Crockford's base 32: no I, L, O or U, so that a token survives being copied by hand.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TOKEN_LENGTH = 8

OPEN = asks.c.closed_at.is_(None)
# The words of the partial indexes, so that the planner recognises them.
TICKING = OPEN & text("NOT ask.paused")

# What every mail needs is made once: building a statement takes three times as long as carrying it out.
SELECT = select(*columns(asks, Ask))
NEW_ASK = insert(asks).returning(*columns(asks, Ask))
OPEN_ASKS = SELECT.where(asks.c.game_id == bindparam("game"), OPEN).order_by(asks.c.number)
WITH_TOKEN = SELECT.where(asks.c.token == bindparam("wanted"))
HOLDER = (
    select(seats.c.tenure, games.c.status, exists().where(asks.c.token == bindparam("token")).label("taken"))
    .join(games, games.c.id == seats.c.game_id)
    .where(seats.c.game_id == bindparam("game"), seats.c.seat == bindparam("holder"))
)
CLOSE = (
    update(asks)
    .where(asks.c.number == bindparam("ask"), OPEN)
    .values(closed_at=bindparam("now"), closed_why=bindparam("why"))
)
FIRST_DEADLINE = select(func.min(asks.c.due_at)).where(TICKING)
FIRST_REMINDER = select(func.min(asks.c.remind_at)).where(TICKING, asks.c.reminded_at.is_(None))
POLICIES = (
    select(policies.c.seat, policies.c.subject, policies.c.terms)
    .join(seats, (seats.c.game_id == policies.c.game_id) & (seats.c.seat == policies.c.seat))
    .where(policies.c.game_id == bindparam("game"), policies.c.tenure == seats.c.tenure)
    .order_by(policies.c.seat, policies.c.subject)
)


class Asks(Rows):
    """Part of a transaction: requests for orders, and answers given in advance."""

    def open_ask(
        self,
        game_id: GameId,
        seat: Seat,
        *,
        version: int,
        turn: int,
        kind: AskKind,
        now: datetime,
        menu: Sequence[str] = (),
        **fields: Any,
    ) -> Ask:
        """Make an ask with a new number and token for whoever holds the seat now; `fields` are others of its value."""
        while True:
            token = "".join(secrets.choice(ALPHABET) for _ in range(TOKEN_LENGTH))
            holder = self.connection.execute(HOLDER, {"game": game_id, "holder": seat, "token": token}).one()
            if not holder.taken:
                break
        values = {
            "token": token,
            "game_id": game_id,
            "seat": seat,
            "tenure": holder.tenure,
            "version": version,
            "turn": turn,
            "kind": kind,
            "menu": menu,
            "opened_at": now,
            "paused": holder.status == "paused",
        }
        return Ask(**self.connection.execute(NEW_ASK, values | fields).one()._mapping)

    def ask(self, number: int) -> Ask:
        """The ask with this number, open or closed."""
        (ask,) = self._all(Ask, SELECT.where(asks.c.number == number))
        return ask

    def ask_for(self, token: str) -> Ask | None:
        """The ask with this token, open or closed; None when there is none."""
        return self._first(Ask, WITH_TOKEN, wanted=token.upper())

    def open_asks(self, game_id: GameId, seat: Seat | None = None) -> tuple[Ask, ...]:
        """The asks of a game, or of one seat, that wait for an answer; oldest first."""
        query = OPEN_ASKS if seat is None else OPEN_ASKS.where(asks.c.seat == seat)
        return self._all(Ask, query, game=game_id)

    def close_ask(self, number: int, why: str, now: datetime) -> None:
        """Close an ask: its token moves nothing any more."""
        self.connection.execute(CLOSE, {"ask": number, "now": now, "why": why})

    def close_asks(
        self, game_id: GameId, why: str, now: datetime, *, seat: Seat | None = None, kind: str | None = None
    ) -> None:
        """Close all open asks of a game, of one of its seats, or of one kind."""
        which = [asks.c.game_id == game_id, OPEN]
        if seat is not None:
            which.append(asks.c.seat == seat)
        if kind is not None:
            which.append(asks.c.kind == kind)
        self._change(asks, *which, closed_at=now, closed_why=why)

    def open_deadlines(self) -> tuple[Ask, ...]:
        """Open asks with a deadline, the next one first; never those of a paused game."""
        return self._all(Ask, SELECT.where(TICKING, asks.c.due_at.is_not(None)).order_by(asks.c.due_at))

    def due_asks(self, now: datetime, limit: int = 100) -> tuple[Ask, ...]:
        """Open asks whose deadline is past, longest first; never those of a paused game. Some of them may have
        to be held: see `report_accepted_at`."""
        query = SELECT.where(TICKING, asks.c.due_at <= now).order_by(asks.c.due_at)
        return self._all(Ask, query.limit(limit))

    def due_reminders(self, now: datetime, limit: int = 100) -> tuple[Ask, ...]:
        """Open asks that a reminder is due for, longest first; never those of a paused game."""
        query = SELECT.where(TICKING, asks.c.reminded_at.is_(None), asks.c.remind_at <= now)
        return self._all(Ask, query.order_by(asks.c.remind_at).limit(limit))

    def next_deadline(self) -> datetime | None:
        """When the clock has something to do next; None when nothing waits."""
        times = [self.connection.execute(first).scalar_one() for first in (FIRST_DEADLINE, FIRST_REMINDER)]
        return min((at for at in times if at is not None), default=None)

    def change_ask(self, number: int, **values: Any) -> None:
        """Give fields of an ask other values."""
        self._change(asks, asks.c.number == number, **values)

    def move_deadline(self, number: int, due_at: datetime | None, remind_at: datetime | None = None) -> None:
        """Give an ask another deadline; with a new time for the reminder, it is sent again."""
        again = {} if remind_at is None else {"remind_at": remind_at, "reminded_at": None}
        self.change_ask(number, due_at=due_at, **again)

    def pause_game(self, game_id: GameId, now: datetime) -> None:
        """Stop a game's clock."""
        self._change(games, games.c.id == game_id, status="paused", paused_at=now)
        self._change(asks, asks.c.game_id == game_id, OPEN, paused=True)

    def resume_game(self, game_id: GameId, now: datetime) -> None:
        """Let a game's clock go on; deadlines move by as long as it stood."""
        paused_at = self.connection.execute(select(games.c.paused_at).where(games.c.id == game_id)).scalar_one()
        self._change(games, games.c.id == game_id, status="running", paused_at=None)
        for ask in self.open_asks(game_id):
            pause = now - max(paused_at, ask.opened_at)
            self.change_ask(
                ask.number,
                paused=False,
                due_at=ask.due_at and ask.due_at + pause,
                remind_at=ask.remind_at and ask.remind_at + pause,
            )

    def all_policies(self, game_id: GameId) -> dict[Seat, dict[str, dict[str, Any]]]:
        """The policies that the present players of a game have set: seat -> subject -> terms."""
        of_seat: dict[Seat, dict[str, dict[str, Any]]] = {}
        for row in self.connection.execute(POLICIES, {"game": game_id}):
            of_seat.setdefault(row.seat, {})[row.subject] = row.terms
        return of_seat

    def policies(self, game_id: GameId, seat: Seat) -> dict[str, dict[str, Any]]:
        """The policies that a seat's present player has set: subject -> terms."""
        return self.all_policies(game_id).get(seat, {})

    def set_policy(self, game_id: GameId, seat: Seat, subject: str, terms: Mapping[str, Any], now: datetime) -> None:
        """Set a policy of a seat's present player, in the place of an earlier one."""
        holder = select(seats.c.tenure).where(seats.c.game_id == game_id, seats.c.seat == seat)
        place = {
            "game_id": game_id,
            "seat": seat,
            "tenure": self.connection.execute(holder).scalar_one(),
            "subject": subject,
        }
        self.connection.execute(delete(policies).filter_by(**place))
        self.connection.execute(insert(policies).values(**place, terms=dict(terms), set_at=now))
