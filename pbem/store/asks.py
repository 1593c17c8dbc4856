"""Asks and their tokens, the clock's view of them, and policies."""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, exists, insert, select, text, update

from pbem.protocol import Seat
from pbem.store.rows import Rows
from pbem.store.tables import asks, columns, games, policies, seats
from pbem.store.values import Ask, AskKind, GameId, PlayerId

#: Crockford's base 32: no I, L, O or U, so that a token survives being copied by hand.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TOKEN_LENGTH = 8
#: So many asks are handed to the clock at once.
AT_ONCE = 100

# The words of the partial indexes, so that the planner recognises them.
TICKING = asks.c.closed_at.is_(None) & text("NOT ask.paused")
TO_REMIND = TICKING & asks.c.reminded_at.is_(None)

ASKS = select(*columns(asks, Ask))
OPEN_ASKS = ASKS.where(asks.c.closed_at.is_(None)).order_by(asks.c.number)
NEW_ASK = insert(asks).returning(*columns(asks, Ask))
HOLDER = (
    select(seats.c.tenure, games.c.status, exists().where(asks.c.token == bindparam("token")).label("taken"))
    .join(games, games.c.id == seats.c.game_id)
    .where(seats.c.game_id == bindparam("game"), seats.c.seat == bindparam("holder"))
)
POLICIES = (
    select(policies.c.seat, policies.c.subject, policies.c.terms)
    .join(seats, (seats.c.game_id == policies.c.game_id) & (seats.c.seat == policies.c.seat))
    .where(policies.c.game_id == bindparam("game"), policies.c.tenure == seats.c.tenure)
    .order_by(policies.c.seat, policies.c.subject)
)


class Asks(Rows):
    """Part of a transaction: requests for orders, and answers given in advance."""

    def open_ask(self, game_id: GameId, seat: Seat, kind: AskKind, now: datetime, **fields: Any) -> Ask:
        """Make an ask with a new number and token for whoever holds the seat now; `fields` are others of its value."""
        while True:
            token = "".join(secrets.choice(ALPHABET) for _ in range(TOKEN_LENGTH))
            holder = self.connection.execute(HOLDER, {"game": game_id, "holder": seat, "token": token}).one()
            if not holder.taken:
                break
        made_for = {"game_id": game_id, "seat": seat, "tenure": holder.tenure, "token": token}
        state = {"kind": kind, "opened_at": now, "paused": holder.status == "paused"}
        return Ask(**self.connection.execute(NEW_ASK, made_for | state | fields).one()._mapping)

    def ask(self, number: int) -> Ask:
        """The ask with this number, open or closed."""
        (ask,) = self._all(Ask, ASKS, number=number)
        return ask

    def ask_for(self, token: str) -> Ask | None:
        """The ask with this token, open or closed; None when there is none."""
        return self._first(Ask, ASKS, token=token.upper())

    def open_asks(self, game_id: GameId, seat: Seat | None = None) -> tuple[Ask, ...]:
        """The asks of a game, or of one seat, that wait for an answer; oldest first."""
        whose = {} if seat is None else {"seat": seat}
        return self._all(Ask, OPEN_ASKS, game_id=game_id, **whose)

    def close_asks(self, why: str, now: datetime, **which: Any) -> None:
        """Close the open asks whose fields have these values: their tokens move nothing any more."""
        self._change(asks, which | {"closed_at": None}, closed_at=now, closed_why=why)

    def end_tokens(self, game_id: GameId, seat: Seat) -> None:
        """No token that a seat has got so far is worth anything any more."""
        self._change(asks, {"game_id": game_id, "seat": seat}, retired=True)

    def count_wishes(self, player_id: PlayerId, since: datetime) -> int:
        """How often since then a player was asked whether to leave or to have another address, or a new address was."""
        seat = (seats.c.game_id == asks.c.game_id) & (seats.c.seat == asks.c.seat) & (seats.c.player_id == player_id)
        mine = asks.c.game_id.in_(select(seats.c.game_id).where(seats.c.player_id == player_id))
        wishes = mine, asks.c.kind.in_(("yes", "newcomer")), asks.c.parked.is_(None), asks.c.opened_at >= since
        return self._count(exists().where(seat), *wishes)

    def open_deadlines(self) -> tuple[Ask, ...]:
        """Open asks with a deadline, the next one first; never those of a paused game."""
        return self._all(Ask, ASKS.where(TICKING, asks.c.due_at.is_not(None)).order_by(asks.c.due_at))

    def due_asks(self, now: datetime) -> tuple[Ask, ...]:
        """Some open asks whose deadline is past, longest first; never those of a paused game. Some of them may have
        to be held: see `report_accepted_at`."""
        return self._all(Ask, ASKS.where(TICKING, asks.c.due_at <= now).order_by(asks.c.due_at).limit(AT_ONCE))

    def due_reminders(self, now: datetime) -> tuple[Ask, ...]:
        """Some open asks that a reminder is due for, longest first; never those of a paused game."""
        return self._all(Ask, ASKS.where(TO_REMIND, asks.c.remind_at <= now).order_by(asks.c.remind_at).limit(AT_ONCE))

    def next_deadline(self) -> datetime | None:
        """When the clock has something to do next; None when nothing waits."""
        return self._earliest((asks.c.due_at, TICKING), (asks.c.remind_at, TO_REMIND))

    def change_ask(self, number: int, **values: Any) -> None:
        """Give fields of an ask other values."""
        self._change(asks, {"number": number}, **values)

    def move_deadline(self, number: int, due_at: datetime | None, remind_at: datetime | None = None) -> None:
        """Give an ask another deadline, or none, of which nobody is reminded; with a new time for the reminder, it is sent
        again."""
        again = {} if due_at and remind_at is None else {"remind_at": remind_at, "reminded_at": None}
        self.change_ask(number, due_at=due_at, **again)

    def give_time(self, ask: Ask, more: timedelta, **values: Any) -> None:
        """Move the deadline of an ask, and its reminder, which is sent again; `values` are of other fields."""
        remind = {"remind_at": ask.remind_at + more, "reminded_at": None} if ask.remind_at else {}
        self.change_ask(ask.number, due_at=ask.due_at and ask.due_at + more, held=False, **remind, **values)

    def leave_time(self, seconds: float) -> None:
        """Let every turn whose clock stands have so much time left, at least."""
        short = asks.c.closed_at.is_(None), asks.c.left_seconds < seconds
        self.connection.execute(update(asks).where(*short).values(left_seconds=seconds))

    def pause_game(self, game_id: GameId, now: datetime) -> None:
        """Stop a game's clock."""
        self._change(games, {"id": game_id}, status="paused", paused_at=now)
        self._change(asks, {"game_id": game_id, "closed_at": None}, paused=True)

    def resume_game(self, game_id: GameId, now: datetime) -> None:
        """Let a game's clock go on; deadlines move by as long as it stood."""
        paused_at = self.connection.execute(select(games.c.paused_at).where(games.c.id == game_id)).scalar_one()
        self._change(games, {"id": game_id}, status="running", paused_at=None)
        for ask in self.open_asks(game_id):
            pause = now - max(paused_at, ask.opened_at)
            due_at, remind_at = (at and at + pause for at in (ask.due_at, ask.remind_at))
            self.change_ask(ask.number, paused=False, due_at=due_at, remind_at=remind_at)

    def policies(self, game_id: GameId) -> dict[Seat, dict[str, dict[str, Any]]]:
        """The policies that the present players of a game have set: seat -> subject -> terms."""
        of_seat: dict[Seat, dict[str, dict[str, Any]]] = {}
        for row in self.connection.execute(POLICIES, {"game": game_id}):
            of_seat.setdefault(row.seat, {})[row.subject] = row.terms
        return of_seat

    def set_policy(self, game_id: GameId, seat: Seat, subject: str, terms: Mapping[str, Any], now: datetime) -> None:
        """Set a policy of a seat's present player, in the place of an earlier one."""
        holder = select(seats.c.tenure).where(seats.c.game_id == game_id, seats.c.seat == seat)
        tenure = self.connection.execute(holder).scalar_one()
        place = {"game_id": game_id, "seat": seat, "tenure": tenure, "subject": subject}
        self.connection.execute(delete(policies).filter_by(**place))
        self._add(policies, **place, terms=dict(terms), set_at=now)
