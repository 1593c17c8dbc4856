"""Mails about a game, from the state of its table to rows in the outbox.

One `Letters` serves one transaction: what several mails share (places, events, asks) is looked up once. What a
seat may not know never enters its context: views, events and questions are taken per seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pbem.config import Mail as MailSettings
from pbem.mail.wire.compose import Letter, compose, new_message_id
from pbem.orders.referee import LineResult
from pbem.play.table import Table, UnitOfWork
from pbem.play.undo import Revealed, shown_to
from pbem.protocol import Decision, Match, Seat
from pbem.reports import contexts
from pbem.reports.contexts import Happening, Place, Problem, Question
from pbem.reports.render import Renderer
from pbem.store import Ask, InboundId, LoggedEvent, NewOutbound

#: Asks that move nothing by themselves and stay open for a whole tenure: the token of reports to who only waits.
TOLD = "told"


@dataclass(frozen=True, slots=True)
class Answering:
    """The mail that is being answered."""

    inbound_id: InboundId
    #: The address it came from, which is registered for the reader.
    address: str
    message_id: str = ""


class Letters:
    """Writes the mails of one table in one transaction."""

    def __init__(
        self,
        work: UnitOfWork,
        table: Table,
        asks: Iterable[Ask] | None = None,
        revealed: Revealed | None = None,
    ) -> None:
        self.work = work
        self.table = table
        #: Where the events to be told end, when a half-finished turn is hidden from the reader.
        self._revealed = revealed
        self._asks = list(asks if asks is not None else work.tx.open_asks(table.game.id))
        self._places = tuple(Place(colour=one.colour, player=one.name, bot=one.bot) for one in table.seats)
        self._events: tuple[LoggedEvent, ...] | None = None
        self._events_from = 0

    @classmethod
    def seen_by(cls, work: UnitOfWork, table: Table, seat: Seat) -> Letters:
        """The letters to a seat at any time: a half-finished turn of somebody else is not in them."""
        table, revealed = shown_to(work, table, seat)
        return cls(work, table, revealed=revealed)

    def ask_of(self, seat: Seat) -> Ask | None:
        """The newest open ask of a seat that wants an answer by the rules."""
        mine = [one for one in self._asks if one.seat == seat and one.kind in ("turn", "window")]
        return mine[-1] if mine else None

    def opened(self, ask: Ask) -> None:
        """Take note of an ask made in this transaction."""
        self._asks.append(ask)

    def token(self, seat: Seat) -> str:
        """The token for a mail to a seat that need not answer: it serves for commands only."""
        for ask in self._asks:
            if ask.seat == seat and ask.kind == TOLD and ask.tenure == self.table.seats[seat].tenure:
                return ask.token
        game = self.table.game
        ask = self.work.tx.open_ask(
            game.id, seat, version=game.version, turn=game.turn, kind=TOLD, now=self.work.now
        )
        self._asks.append(ask)
        return ask.token

    def addressed(self, seat: Seat, token: str | None = None) -> dict[str, Any]:
        """The fields that every mail about this game has."""
        table, match = self.table, self.table.match
        pending = match.decision
        asked = pending.seat if pending else None
        ask = self.ask_of(asked) if asked is not None else None
        return {
            "player": table.seats[seat].name,
            "now": self.work.now,
            "timezone": table.timezone(seat),
            "code": table.game.code,
            "game": table.game.name,
            "token": token or self.token(seat),
            "colour": table.colour(seat),
            "seats": self._places,
            "turn": match.turn,
            "actor": table.colour(match.actor),
            "reactions": bool(pending and (pending.window or pending.seat != match.actor)),
            "paused": table.game.status == "paused",
            "waiting_until": ask.due_at if ask and asked != seat else None,
        }

    def board(self, seat: Seat, *, ask: Ask | None = None, after: int | None = None) -> dict[str, Any]:
        """The fields of a mail that can show the whole state; with the question of `ask`, when there is one.

        `after` is the last event not to be told again; None tells none.
        """
        table = self.table
        return self.addressed(seat, ask.token if ask else None) | {
            "view": table.match.view(seat),
            "events": self.happenings(seat, after) if after is not None else (),
            "question": self.question(ask) if ask else None,
            "policies": tuple(table.rules.policies(table.match, seat, table.said[seat])),
        }

    def question(self, ask: Ask) -> Question | None:
        """The pending decision, as its mail puts it."""
        decision = self.table.match.decision
        if decision is None or decision.seat != ask.seat:
            return None
        return question(decision, ask, self.table.game.settings.nmr)

    def wording(self, decision: Decision) -> Question:
        """A decision that is not asked, only told about."""
        return question(decision, None, self.table.game.settings.nmr)

    def happenings(self, seat: Seat, after: int) -> tuple[Happening, ...]:
        """What happened after an event, as this seat may know it."""
        if self._events is None or after < self._events_from:
            start = min(
                [after, *(one.last_reported for one in self.table.seats if one.player_id is not None)]
            )
            self._events, self._events_from = self.events(start), start
        return self.told(seat, [one for one in self._events if one.sequence > after])

    def last_round(self, seat: Seat) -> tuple[Happening, ...]:
        """What happened since the table went round once: what a reader who lost a mail may have missed."""
        first = self.table.match.turn - len(self.table.seats)
        return tuple(one for one in self.happenings(seat, 0) if one.turn >= first)

    def events(self, after: int) -> tuple[LoggedEvent, ...]:
        """The log after an event, as far as this table shows it."""
        tx, game, revealed = self.work.tx, self.table.game, self._revealed
        if revealed is None:
            return tx.events(game.id, after=after)
        places: dict[int, int] = {}
        shown = []
        for event in tx.events(game.id):
            places[event.version] = places.get(event.version, -1) + 1
            if event.sequence > after and revealed.shows(event, places[event.version]):
                shown.append(event)
        return tuple(shown)

    def told(self, seat: Seat, events: Sequence[LoggedEvent]) -> tuple[Happening, ...]:
        return tuple(
            Happening(turn=one.turn, actor=self.actor(one.turn), kind=one.kind, data=one.seen_by(seat))
            for one in events
        )

    def actor(self, turn: int) -> str:
        """The colour of the seat whose turn that was; turns go round the table."""
        match = self.table.match
        return self.table.colour(Seat((match.actor - (match.turn - turn)) % len(self.table.seats)))

    def remember(self, seats: Iterable[Seat]) -> None:
        """These seats have now been told everything."""
        last = self._events[-1].sequence if self._events else self.work.tx.last_event(self.table.game.id)
        behind = [seat for seat in seats if self.table.seats[seat].last_reported != last]
        if behind:
            self.work.tx.set_reported(self.table.game.id, behind, last)

    def post(
        self,
        seat: Seat,
        context: contexts.Mail,
        *,
        ask: Ask | None = None,
        answering: Answering | None = None,
        kind: str = "",
        to: str = "",
    ) -> None:
        """Queue a mail to a seat: to the address that wrote when it is an answer, else to the preferred one; or to
        one that is given."""
        player = self.table.players.get(seat)
        preferred = player.address.address if player and player.address else ""
        to = to or (answering.address if answering else preferred)
        if to:
            queue(
                self.work,
                to,
                context,
                game_type=self.table.game.game_type,
                place=(self.table, seat),
                ask=ask,
                answering=answering,
                kind=kind,
            )


def queue(
    work: UnitOfWork,
    to: str,
    context: contexts.Mail,
    *,
    game_type: str,
    place: tuple[Table, Seat] | None = None,
    ask: Ask | None = None,
    answering: Answering | None = None,
    kind: str = "",
) -> None:
    """Render a mail and put it into the outbox."""
    mail = work.settings.mail
    rendered = renderer(game_type, mail).render(context)
    turn = getattr(context, "turn", None)
    letter = Letter(
        to=to,
        subject=rendered.subject,
        text=rendered.text,
        html=rendered.html,
        message_id=new_message_id(
            mail, context.code or "pbem", f"t{turn}" if turn is not None else "", context.token or ""
        ),
        token=context.token or "",
        in_reply_to=answering.message_id if answering else "",
        auto="auto-replied" if answering else "auto-generated",
    )
    work.tx.queue(
        NewOutbound(
            recipient=to,
            message_id=letter.message_id,
            subject=rendered.subject,
            kind=kind or context.template,
            raw=compose(letter, mail, work.now),
            text=rendered.text,
            game_id=place[0].game.id if place else None,
            seat=place[1] if place else None,
            ask=ask.number if ask else None,
            answers=answering.inbound_id if answering else None,
        ),
        work.now,
    )


@lru_cache(maxsize=16)
def writer(game_type: str, address: str, plus: bool, begin: str, end: str) -> Renderer:
    return Renderer(game_type, address, plus_addressing=plus, begin_marker=begin, end_marker=end)


def renderer(game_type: str, mail: MailSettings) -> Renderer:
    return writer(game_type, mail.address, mail.plus_addressing, mail.begin_marker, mail.end_marker)


def question(decision: Decision, ask: Ask | None, nmr: Any) -> Question:
    return Question(
        kind=decision.kind,
        options=tuple(option.text for option in decision.options),
        facts=decision.facts,
        auto=decision.auto.text if decision.auto else None,
        decline=decision.decline.text if decision.decline else None,
        default=decision.default.text,
        window=decision.window,
        due_at=ask.due_at if ask else None,
        nmr=nmr,
    )


def lines(results: Iterable[LineResult], chat: Iterable[str] = ()) -> tuple[contexts.Line, ...]:
    """What became of each line, then what was not read as orders."""
    return (
        *(
            contexts.Line(
                text=one.text,
                verdict=one.verdict,
                option=one.option,
                problem=Problem.of(one.error) if one.error else None,
            )
            for one in results
        ),
        *(contexts.Line(text=one, verdict="chat") for one in chat),
    )


def scores(table: Table, match: Match) -> tuple[contexts.Score, ...]:
    """Every seat's line in the final report."""
    result = match.result
    assert result is not None, "the match is over"
    details: Sequence[Mapping[str, Any]] = result.details.get("seats", [{}] * len(table.seats))
    return tuple(
        contexts.Score(
            colour=one.colour,
            player=one.name,
            winner=one.seat in result.winners,
            points=result.scores[one.seat],
            details=details[one.seat],
        )
        for one in table.seats
    )
