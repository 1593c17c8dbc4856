"""Mails about a game, from the state of its table to rows in the outbox.

One `Letters` serves one transaction: what several mails share (places, events, asks) is looked up once. What a
seat may not know never enters its context: views, events and questions are taken per seat.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, Self

from pbem.config import Mail as MailSettings
from pbem.mail.wire.compose import Attachment, compose, new_message_id
from pbem.orders.outcome import Line
from pbem.orders.referee import CAUSES
from pbem.play.reveal import Revealed, shown_to
from pbem.play.table import Table, UnitOfWork
from pbem.protocol import Decision, Event, HasPolicies, HasSuggestions, Seat, Suggestion, decision_of
from pbem.questions.answer import answer
from pbem.reports import contexts
from pbem.reports.contexts import Happening, Place, Question, Situation
from pbem.reports.render import Renderer
from pbem.store import Ask, AskKind, Inbound, InboundId, LoggedEvent, NewOutbound, SeatRecord

#: Asks that move nothing by themselves: the token of mails to who only waits, another one in each turn.
TOLD: AskKind = "told"


@dataclass(frozen=True, slots=True)
class Answering:
    """The mail that is being answered."""

    inbound_id: InboundId
    #: The address it came from, which is registered for the reader.
    address: str
    message_id: str = ""
    #: What was typed in it, but not read as orders.
    chat: tuple[str, ...] = ()
    #: It was copied to others, so the token it carried is worth nothing any more.
    token_retired: bool = False
    #: What it asks in plain words beside its orders.
    questions: tuple[str, ...] = ()


class Letters:
    """Writes the mails of one table in one transaction."""

    def __init__(
        self, work: UnitOfWork, table: Table, asks: Iterable[Ask] | None = None, revealed: Revealed | None = None
    ) -> None:
        self.work = work
        self.table = table
        #: Where the events to be told end, when a half-finished turn is hidden from the reader.
        self._revealed = revealed
        self._asks = list(asks if asks is not None else work.tx.open_asks(table.game.id))
        self.places = places(table.seats)
        self._events: tuple[LoggedEvent, ...] | None = None
        self._events_from = 0
        #: The last event that a mail of this transaction told each seat of.
        self._told: dict[Seat, int] = {}

    @classmethod
    def seen_by(cls, work: UnitOfWork, table: Table, seat: Seat) -> Self:
        """The letters to a seat at any time: a half-finished turn of somebody else is not in them."""
        table, revealed = shown_to(work, table, seat)
        return cls(work, table, revealed=revealed)

    def ask_of(self, seat: Seat) -> Ask | None:
        """The newest open ask of a seat that wants an answer by the rules."""
        mine = [ask for ask in self._asks if ask.seat == seat and ask.moves]
        return mine[-1] if mine else None

    def pending(self, seat: Seat) -> Ask | None:
        """The ask that this seat must answer now, or may answer anew."""
        return self.ask_of(seat) if decision_of(self.table.match, seat) else None

    def token(self, seat: Seat) -> str:
        """The token for a mail to a seat that need not answer: it serves for commands only."""
        game, tenure = self.table.game, self.table.seats[seat].tenure
        for ask in self._asks:
            if (ask.seat, ask.kind, ask.tenure, ask.turn) == (seat, TOLD, tenure, game.turn) and ask.open:
                return ask.token
        self.work.tx.close_asks("past", self.work.now, game_id=game.id, seat=seat, kind=TOLD)
        ask = self.work.tx.open_ask(game.id, seat, version=game.version, turn=game.turn, kind=TOLD, now=self.work.now)
        self._asks.append(ask)
        return ask.token

    def on_the_game(self, seat: Seat | None) -> dict[str, Any]:
        """The fields of every mail about this game, but for the token; None is the public."""
        table = self.table
        return {
            "player": table.seats[seat].name if seat is not None else "Moderator",
            "now": self.work.now,
            "timezone": table.timezone(seat) if seat is not None else table.game.settings.timezone,
            "code": table.game.code,
            "game": table.game.name,
            "colour": table.colour(seat) if seat is not None else None,
            "seats": self.places,
            "turn": table.match.turn,
            "actor": table.actor,
            "situation": self.situation(seat),
        }

    def situation(self, seat: Seat | None) -> Situation:
        """What the game waits for, as this seat or the public may know it."""
        table = self.table
        pending, own = table.match.pending, decision_of(table.match, seat)
        windows = any(decision.window for decision in pending)
        alone = len(pending) == 1 and (own is not None or table.in_own_turn(pending[0]))
        group = () if windows or alone else tuple(table.colour(decision.seat) for decision in pending)
        ask = self.ask_of(own.seat if own else pending[0].seat) if pending else None
        kind: Any
        if not pending:
            kind = "over"
        elif own is not None and ask is not None and ask.answered:
            kind = "answered"
        elif own is not None and own.window:
            kind = "react"
        elif own is not None and not table.in_own_turn(own):
            kind = "answer"
        elif own is not None:
            kind = "move" if self.at_start_of_turn else "continues"
        elif group:
            kind = "group"
        else:
            kind = "reactions" if windows else "waiting"
        causes = [str(pending[0].facts[fact]) for fact in CAUSES if group and pending[0].facts.get(fact)]
        return Situation(
            kind=kind,
            due_at=ask.due_at if ask else None,
            group=group,
            about=causes[0] if causes else "",
            paused=table.game.status == "paused",
        )

    @cached_property
    def at_start_of_turn(self) -> bool:
        """Whether nothing has been chosen in this turn yet."""
        match = self.table.match
        return self.table.rules.turn_start(match.snapshot()).digest() == match.digest()

    def on_the_state(self, seat: Seat | None, ask: Ask | None) -> dict[str, Any]:
        """The fields of a mail that shows the whole state, but for the token; with the question of `ask`."""
        return self.on_the_game(seat) | {
            "view": self.table.match.view(seat),
            "question": self.question(self.table.decision(ask.seat), self.suggested(ask.seat)) if ask else None,
            "policies": self.policies(seat) if seat is not None else (),
        }

    def question(self, decision: Decision | None, turns: tuple[Suggestion, ...] = ()) -> Question | None:
        """A decision, as mails put it, with the whole turns that are suggested."""
        if decision is None:
            return None
        return Question.of(decision, self.table.game.settings.nmr, self.table.answers.get(decision.seat, ()), turns)

    def suggested(self, seat: Seat) -> tuple[Suggestion, ...]:
        """Whole turns that the game suggests to a seat that is asked; none where the table wants none."""
        rules = self.table.rules
        if not (self.table.game.settings.suggestions and isinstance(rules, HasSuggestions)):
            return ()
        return tuple(rules.suggest(self.table.match, seat))

    def policies(self, seat: Seat) -> tuple[Mapping[str, Any], ...]:
        """The policies in force at a seat; none in a game that has none."""
        table = self.table
        if not isinstance(table.rules, HasPolicies):
            return ()
        return tuple(table.rules.policies(table.match, seat, table.policies[seat]))

    def happenings(self, seat: Seat, after: int, until: int | None = None) -> tuple[Happening, ...]:
        """What happened after an event, up to the end of a turn if one is given, as this seat may know it."""
        if self._events is None or after < self._events_from:
            start = min([after, *(place.last_reported for place in self.table.seats if place.player_id is not None)])
            self._events, self._events_from = self.events(start), start
        news = [event for event in self._events if event.sequence > after and (until is None or event.turn <= until)]
        self._told[seat] = news[-1].sequence if news else after
        return tuple(happening(event, event.turn, event.actor, seat) for event in news)

    def reported(self, seat: Seat) -> int:
        """The last event that a seat has been told of."""
        return self._told.get(seat, self.table.seats[seat].last_reported)

    def last_round(self, seat: Seat) -> tuple[Happening, ...]:
        """What happened since the table went round once: what a reader who lost a mail may have missed."""
        first = self.table.match.turn - len(self.table.seats)
        return tuple(event for event in self.happenings(seat, 0) if event.turn >= first)

    def events(self, after: int) -> tuple[LoggedEvent, ...]:
        """The log after an event, as far as this table shows it."""
        tx, game, revealed = self.work.tx, self.table.game, self._revealed
        if revealed is None:
            return tx.events(game.id, after=after)
        return tuple(event for event in revealed.shown(tx.events(game.id)) if event.sequence > after)

    def remember(self, seats: Iterable[Seat]) -> None:
        """These seats have been told what happened, as far as their mails went; or all of it, by what stands now."""
        last = self._events[-1].sequence if self._events else self.work.tx.last_event(self.table.game.id)
        for seat in seats:
            told = self._told.get(seat, last)
            if self.table.seats[seat].last_reported != told:
                self.work.tx.set_reported(self.table.game.id, [seat], told)

    def post(
        self,
        seat: Seat,
        mail: type[contexts.GameMail],
        *,
        ask: Ask | None = None,
        after: int | None = None,
        until: int | None = None,
        answering: Answering | None = None,
        kind: str = "",
        to: str = "",
        attachment: Attachment | None = None,
        **fields: Any,
    ) -> None:
        """Queue a mail of this kind to a seat: to the address that wrote when it is an answer, else to the preferred
        one; or to one that is given. `fields` are those of its context that not all have; one that shows the whole
        state is a report of `ask`, and tells what happened after the event `after`, up to the end of the turn `until`."""
        player, game_id = self.table.players.get(seat), self.table.game.id
        # What is sent to an address that is given may be read by somebody else.
        silent = () if to else self.work.tx.take_unanswered(game_id, seat)
        preferred = player.address.address if player and player.address else ""
        to = to or (answering.address if answering else preferred)
        if not to:
            return
        self.work.written.add((game_id, seat))
        report, token = issubclass(mail, contexts.Board), ask.token if ask else self.token(seat)
        known = self.on_the_state(seat, ask) if report else self.on_the_game(seat)
        news: dict[str, Any] = {} if after is None else {"events": self.happenings(seat, after, until)}
        if report and answering and answering.questions:
            news["answered"] = self.answered(seat, answering.questions)
        context = mail(**known | {"token": token, "unanswered": unanswered(silent)} | news | fields)
        place, game_type = self.table.seats[seat], self.table.game.game_type
        queue(self.work, to, context, game_type, place, ask if report else None, answering, kind, attachment)

    def answered(self, seat: Seat, questions: Iterable[str]) -> tuple[contexts.Answered, ...]:
        """Questions with their answers, from what the seat may see."""
        table, view = self.table, self.table.match.view(seat)
        return tuple(
            contexts.Answered(question=question, answer=answer(table.rules, question, view, table.names))
            for question in questions
        )


def queue(
    work: UnitOfWork,
    to: str,
    context: contexts.Mail,
    game_type: str,
    place: SeatRecord | None = None,
    ask: Ask | None = None,
    answering: Answering | None = None,
    kind: str = "",
    attachment: Attachment | None = None,
) -> None:
    """Render a mail and put it into the outbox."""
    settings = work.settings.mail
    rendered = renderer(game_type, settings).render(context)
    turn, token = getattr(context, "turn", None), context.token or ""
    message_id = new_message_id(settings, context.code or "pbem", f"t{turn}" if turn is not None else "", token)
    raw = compose(
        settings,
        work.now,
        to=to,
        subject=rendered.subject,
        text=rendered.text,
        html=rendered.html,
        message_id=message_id,
        token=token,
        in_reply_to=answering.message_id if answering else None,
        kind=context.template,
        attachment=attachment,
    )
    mail = NewOutbound(
        recipient=to,
        message_id=message_id,
        subject=rendered.subject,
        kind=kind or context.template,
        raw=raw,
        game_id=place.game_id if place else None,
        seat=place.seat if place else None,
        ask=ask.number if ask else None,
        answers=answering.inbound_id if answering else None,
    )
    work.tx.queue(mail, work.now)


@lru_cache(maxsize=16)
def renderer(game_type: str, mail: MailSettings) -> Renderer:
    """What writes the mails of a game with these settings."""
    return Renderer(game_type, mail.address, mail.plus_addressing, mail.begin_marker, mail.end_marker)


def happening(event: Event | LoggedEvent, turn: int, actor: str, seat: Seat | None) -> Happening:
    """An event as a seat may know it, with the turn in which it happened and the colour of whose that was."""
    return Happening(turn=turn, actor=actor, kind=event.kind, data=event.seen_by(seat))


def places(seats: Iterable[SeatRecord]) -> tuple[Place, ...]:
    """The seats at a table, as everybody may see them."""
    return tuple(Place(colour=seat.colour, player=seat.name, bot=seat.bot) for seat in seats)


def unanswered(mails: Iterable[Inbound]) -> tuple[contexts.Unanswered, ...]:
    """What a player is told of mails that got no answer, by the reason."""
    times: dict[Any, list[datetime]] = {}
    for mail in mails:
        times.setdefault(mail.unanswered, []).append(mail.received_at)
    return tuple(
        contexts.Unanswered(why=why, first=received[0], last=received[-1], count=len(received))
        for why, received in times.items()
    )


def chat_lines(texts: Iterable[str]) -> tuple[Line, ...]:
    """What was not read as orders."""
    return tuple(Line(text, "chat") for text in texts)
