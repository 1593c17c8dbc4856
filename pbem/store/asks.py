"""Asks and their tokens, the clock's view of them, and policies."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, exists, func, insert, select, update

from pbem.protocol import Seat
from pbem.store.tables import asks, games, policies, seats
from pbem.store.values import Ask, GameId

#: Crockford's base 32: no I, L, O or U, so that a token survives being copied by hand.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TOKEN_LENGTH = 8

OPEN = asks.c.closed_at.is_(None)
# The words of the partial indexes, so that the planner recognises them.
TICKING = OPEN & (asks.c.paused == False)  # noqa: E712

# What every mail needs is made once: building a statement takes three times as long as carrying it out.
NEW_ASK = insert(asks).returning(asks.c.number)
OPEN_ASKS = select(asks).where(asks.c.game_id == bindparam("game"), OPEN).order_by(asks.c.number)
ASKS_FOR = select(asks).where(asks.c.token_hash == bindparam("wanted"))
HOLDER = (
    select(
        seats.c.tenure,
        games.c.status,
        exists().where(asks.c.token == bindparam("token")).label("taken"),
    )
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


def new_token() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(TOKEN_LENGTH))


def token_hash(token: str) -> str:
    """What an ask is found by: how long the search takes says nothing about the token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()[:16]


class Asks:
    """Part of a transaction: requests for orders, and answers given in advance."""

    connection: Connection

    def open_ask(
        self,
        game_id: GameId,
        seat: Seat,
        *,
        version: int,
        turn: int,
        kind: str,
        now: datetime,
        menu: Sequence[str] = (),
        due_at: datetime | None = None,
        remind_at: datetime | None = None,
        terms: Mapping[str, Any] | None = None,
    ) -> Ask:
        """Make an ask with a new number and token for whoever holds the seat now."""
        while True:
            token = new_token()
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
            "menu": tuple(menu),
            "terms": dict(terms or {}),
            "opened_at": now,
            "due_at": due_at,
            "remind_at": remind_at,
        }
        number = self.connection.execute(
            NEW_ASK,
            {**values, "token_hash": token_hash(token), "paused": holder.status == "paused"},
        ).scalar_one()
        return Ask(
            **values, number=number, reminded_at=None, report_accepted_at=None, closed_at=None, closed_why=""
        )

    def ask(self, number: int) -> Ask:
        return ask_from(self.connection.execute(select(asks).where(asks.c.number == number)).one())

    def ask_for(self, token: str) -> Ask | None:
        """The ask with this token, open or closed; None when there is none."""
        return find_ask(self.connection, token)

    def open_asks(self, game_id: GameId, seat: Seat | None = None) -> tuple[Ask, ...]:
        """The asks of a game, or of one seat, that wait for an answer; oldest first."""
        query = OPEN_ASKS if seat is None else OPEN_ASKS.where(asks.c.seat == seat)
        return tuple(ask_from(row) for row in self.connection.execute(query, {"game": game_id}))

    def close_ask(self, number: int, why: str, now: datetime) -> None:
        """Close an ask: its token moves nothing any more."""
        self.connection.execute(CLOSE, {"ask": number, "now": now, "why": why})

    def close_asks(
        self, game_id: GameId, why: str, now: datetime, *, seat: Seat | None = None, kind: str | None = None
    ) -> None:
        """Close all open asks of a game, of one of its seats, or of one kind."""
        query = update(asks).where(asks.c.game_id == game_id, OPEN)
        if seat is not None:
            query = query.where(asks.c.seat == seat)
        if kind is not None:
            query = query.where(asks.c.kind == kind)
        self.connection.execute(query.values(closed_at=now, closed_why=why))

    def due_asks(self, now: datetime, limit: int = 100) -> tuple[Ask, ...]:
        """Open asks whose deadline is past, longest first; never those of a paused game. Some of them may have
        to be held: see `report_accepted_at`."""
        query = select(asks).where(TICKING, asks.c.due_at <= now).order_by(asks.c.due_at).limit(limit)
        return tuple(ask_from(row) for row in self.connection.execute(query))

    def due_reminders(self, now: datetime, limit: int = 100) -> tuple[Ask, ...]:
        """Open asks that a reminder is due for, longest first; never those of a paused game."""
        query = (
            select(asks)
            .where(TICKING, asks.c.reminded_at.is_(None), asks.c.remind_at <= now)
            .order_by(asks.c.remind_at)
            .limit(limit)
        )
        return tuple(ask_from(row) for row in self.connection.execute(query))

    def next_deadline(self) -> datetime | None:
        """When the clock has something to do next; None when nothing waits."""
        deadline = self.connection.execute(FIRST_DEADLINE).scalar_one()
        reminder = self.connection.execute(FIRST_REMINDER).scalar_one()
        times = [one for one in (deadline, reminder) if one is not None]
        return min(times) if times else None

    def mark_reminded(self, number: int, now: datetime) -> None:
        self.connection.execute(update(asks).where(asks.c.number == number).values(reminded_at=now))

    def move_deadline(self, number: int, due_at: datetime | None, remind_at: datetime | None = None) -> None:
        """Give an ask another deadline; with a new time for the reminder, it is sent again."""
        values: dict[str, Any] = {"due_at": due_at}
        if remind_at is not None:
            values |= {"remind_at": remind_at, "reminded_at": None}
        self.connection.execute(update(asks).where(asks.c.number == number).values(**values))

    def set_terms(self, number: int, terms: Mapping[str, Any]) -> None:
        """Replace what else belongs to an ask."""
        self.connection.execute(update(asks).where(asks.c.number == number).values(terms=dict(terms)))

    def pause_game(self, game_id: GameId, now: datetime) -> None:
        """Stop a game's clock."""
        self.connection.execute(
            update(games).where(games.c.id == game_id).values(status="paused", paused_at=now)
        )
        self.connection.execute(update(asks).where(asks.c.game_id == game_id, OPEN).values(paused=True))

    def resume_game(self, game_id: GameId, now: datetime) -> None:
        """Let a game's clock go on; deadlines move by as long as it stood."""
        paused_at = self.connection.execute(
            select(games.c.paused_at).where(games.c.id == game_id)
        ).scalar_one()
        self.connection.execute(
            update(games).where(games.c.id == game_id).values(status="running", paused_at=None)
        )
        for ask in self.open_asks(game_id):
            pause = now - max(paused_at, ask.opened_at)
            self.connection.execute(
                update(asks)
                .where(asks.c.number == ask.number)
                .values(
                    paused=False,
                    due_at=ask.due_at and ask.due_at + pause,
                    remind_at=ask.remind_at and ask.remind_at + pause,
                )
            )

    def all_policies(self, game_id: GameId) -> dict[Seat, dict[str, dict[str, Any]]]:
        """The policies that the present players of a game have set: seat -> subject -> terms."""
        found: dict[Seat, dict[str, dict[str, Any]]] = {}
        for row in self.connection.execute(POLICIES, {"game": game_id}):
            found.setdefault(row.seat, {})[row.subject] = dict(row.terms)
        return found

    def policies(self, game_id: GameId, seat: Seat) -> dict[str, dict[str, Any]]:
        """The policies that a seat's present player has set: subject -> terms."""
        return self.all_policies(game_id).get(seat, {})

    def set_policy(
        self, game_id: GameId, seat: Seat, subject: str, terms: Mapping[str, Any] | None, now: datetime
    ) -> None:
        """Set a policy in the place of an earlier one; None takes it away."""
        tenure = self.connection.execute(
            select(seats.c.tenure).where(seats.c.game_id == game_id, seats.c.seat == seat)
        ).scalar_one()
        self.connection.execute(
            delete(policies).where(
                policies.c.game_id == game_id,
                policies.c.seat == seat,
                policies.c.tenure == tenure,
                policies.c.subject == subject,
            )
        )
        if terms is not None:
            self.connection.execute(
                insert(policies).values(
                    game_id=game_id, seat=seat, tenure=tenure, subject=subject, terms=dict(terms), set_at=now
                )
            )


def find_ask(connection: Connection, token: str) -> Ask | None:
    """The ask with this token. How long the search takes says nothing about any token."""
    wanted = token.upper()
    found = None
    for row in connection.execute(ASKS_FOR, {"wanted": token_hash(wanted)}):
        if hmac.compare_digest(row.token.encode(), wanted.encode("utf-8", "replace")):
            found = ask_from(row)
    return found


def ask_from(row: Row[Any]) -> Ask:
    return Ask(
        number=row.number,
        token=row.token,
        game_id=row.game_id,
        seat=row.seat,
        tenure=row.tenure,
        version=row.version,
        turn=row.turn,
        kind=row.kind,
        menu=tuple(row.menu),
        terms=row.terms,
        opened_at=row.opened_at,
        due_at=row.due_at,
        remind_at=row.remind_at,
        reminded_at=row.reminded_at,
        report_accepted_at=row.report_accepted_at,
        closed_at=row.closed_at,
        closed_why=row.closed_why,
    )
