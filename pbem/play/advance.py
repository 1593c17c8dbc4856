"""What follows from a change to a game: the new version, the asks, and who gets told what.

Every change goes through `advance`, whatever caused it: a mail, a deadline, the moderator, the start. All of
it happens in the transaction of the `UnitOfWork`, so it is committed as one or not at all.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pbem.errors import ReplayMismatch, StoreError
from pbem.orders import referee
from pbem.orders.referee import Bots, Outcome
from pbem.play import queued
from pbem.play.letters import Answering, Letters, lines, queue, scores
from pbem.play.table import MATCHES, Table, UnitOfWork, load, rules_of, seated
from pbem.play.undo import Revealed
from pbem.protocol import Event, Seat
from pbem.reports import contexts
from pbem.store import Ask, Cause, Game, GameId, InboundId

log = logging.getLogger(__name__)

#: Asks that the rules put; other kinds (`told`, `yes`) are ours and live longer.
MOVING = ("turn", "window")
#: Whoever has just written part of a turn has at least so long for the rest.
GRACE = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote the orders that changed the game, and how the answer finds back."""

    seat: Seat
    answering: Answering
    #: Lines that were typed but not read as orders.
    chat: tuple[str, ...] = ()
    #: The mail was copied to others, so the token it carried is worth nothing any more.
    token_retired: bool = False


def bots(table: Table) -> Bots:
    return Bots(table.bots, secrets.token_bytes(32))


def orders_for(table: Table, seat: Seat, orders: Sequence[str], menu: Sequence[str] = ()) -> Outcome:
    """What comes of a seat's orders; nothing is stored yet."""
    return referee.carry_out(table.rules, table.match, seat, orders, table.said, bots=bots(table), menu=menu)


def start_game(work: UnitOfWork, game_id: GameId) -> Table:
    """Set the match up from the game's seed and welcome everybody.

    Raises StoreError when the game has begun already.
    """
    tx, now = work.tx, work.now
    game = tx.game(game_id)
    if game.status != "open":
        raise StoreError(f"{game.code} has begun already; `pbem admin show {game.code}` says how it stands")
    rules = rules_of(game.game_type)
    count = len(tx.seats(game_id))
    match = rules.new(count, game.seed)
    tx.start_game(game_id, rules.commitment(count, game.seed), now)
    version = tx.save_version(
        game_id,
        parent=None,
        cause="start",
        turn=match.turn,
        snapshot=match.snapshot(),
        added=[],
        digest=match.digest(),
        now=now,
        happened=list(in_turns(match.opening(), 0)),
    )
    MATCHES.keep(version, match)
    table = seated(work, tx.game(game_id), rules, match)
    outcome = referee.settle(rules, match, table.said, bots=bots(table))
    if outcome.changed:
        table = stored(work, table, outcome, "start", None)
    letters = Letters(work, table, ())
    asked = ask_next(work, table, letters, ())
    for seat in table.players:
        ask = asked if asked and asked.seat == seat else None
        welcome = contexts.Welcome(
            **letters.board(seat, ask=ask, after=0),
            commitment=table.game.commitment,
            turn_hours=table.game.settings.turn_hours,
            reaction_hours=table.game.settings.reaction_hours,
            nmr=table.game.settings.nmr,
            reaction_mode=table.game.settings.reactions,
        )
        letters.post(seat, welcome, ask=ask)
    letters.remember(table.players)
    if match_over(table):
        finish(work, table, letters)
    return table


def advance(
    work: UnitOfWork,
    table: Table,
    outcome: Outcome,
    *,
    cause: Cause,
    writer: Writer | None = None,
    missed: Seat | None = None,
    inbound_id: InboundId | None = None,
) -> Table:
    """Store what came of something, ask whoever must decide next, and tell everybody what is theirs to know."""
    before = work.tx.open_asks(table.game.id)
    table = stored(work, table, outcome, cause, inbound_id)
    behind = outcome if writer and writer.seat == table.match.actor else None
    if behind is None and not outcome.turn_over:
        behind = queued.go_on(table, before, bots(table))
        if behind:
            table = stored(work, table, behind, "mail", None)
            outcome = followed(outcome, behind)
    kept = close_answered(work, table, outcome, before)
    if behind and queued.waits_for_others(table) and not outcome.turn_over:
        queued.keep(work, table, kept, queued.left(behind))
    letters = Letters(work, table, kept)
    asked = ask_next(work, table, letters, before)
    told: list[Seat] = []
    for seat in table.players:
        ask = asked if asked and asked.seat == seat else None
        last = table.seats[seat].last_reported
        if writer and seat == writer.seat:
            acknowledgement = contexts.Acknowledgement(
                **letters.board(seat, ask=ask, after=last),
                lines=lines(outcome.lines, writer.chat),
                complete=outcome.turn_over or (ask is None and seat != table.match.actor),
                revealed=outcome.revealed,
                token_retired=writer.token_retired,
            )
            letters.post(seat, acknowledgement, ask=ask, answering=writer.answering)
            told.append(seat)
        elif match_over(table):
            continue
        elif ask or outcome.turn_over:
            report = contexts.Report(
                **letters.board(seat, ask=ask, after=last), occasion="missed" if seat == missed else "turn"
            )
            letters.post(seat, report, ask=ask)
            told.append(seat)
    if match_over(table):
        finish(work, table, letters, told)
        told = list(table.players)
    letters.remember(told)
    return table


def followed(outcome: Outcome, behind: Outcome) -> Outcome:
    """An outcome with what came of the orders that were carried out behind it."""
    return replace(
        outcome,
        match=behind.match,
        events=(*outcome.events, *behind.events),
        revealed=True,
        waiting=behind.waiting,
        turn_over=behind.turn_over,
    )


def stored(
    work: UnitOfWork, table: Table, outcome: Outcome, cause: Cause, inbound_id: InboundId | None
) -> Table:
    """One new version with the choices made since the last, and the log of what happened."""
    before, after = table.match, outcome.match
    version = work.tx.save_version(
        table.game.id,
        parent=table.game.version,
        cause=cause,
        turn=after.turn,
        snapshot=after.snapshot(),
        added=after.choices(),
        digest=after.digest(),
        now=work.now,
        happened=list(in_turns(outcome.events, before.turn)),
        inbound_id=inbound_id,
    )
    MATCHES.keep(version, after)
    return replace(table, match=after, game=replace(table.game, version=version.number, turn=version.turn))


def in_turns(events: Sequence[Event], turn: int) -> Iterator[tuple[int, Event]]:
    """Each event with its turn: a new one begins at `TurnBegan`, which every game tells."""
    for event in events:
        if event.kind == "TurnBegan":
            turn = int(event.data["turn"])
        yield turn, event


def match_over(table: Table) -> bool:
    return table.match.decision is None


def close_answered(work: UnitOfWork, table: Table, outcome: Outcome, before: Sequence[Ask]) -> list[Ask]:
    """Close the asks whose turn or window is over; those that stay open.

    A window is over with its first answer, lest an old answer be taken for one to the next. The actor's own asks
    outlive windows in their turn, but without a deadline: the newest has it.
    """
    tx, decision = work.tx, table.match.decision
    kept = [one for one in before if one.kind not in MOVING]
    for ask in before:
        if ask.kind not in MOVING:
            continue
        if decision is None or outcome.turn_over or ask.kind == "window":
            tx.close_ask(ask.number, "over" if decision is None else "answered", work.now)
            continue
        kept.append(ask)
        if ask.due_at is not None:
            left = max(0.0, (ask.due_at - work.now).total_seconds())
            tx.set_terms(ask.number, {**ask.terms, "left": left})
            tx.move_deadline(ask.number, None)
            tx.mark_reminded(ask.number, work.now)
    return kept


def ask_next(work: UnitOfWork, table: Table, letters: Letters, before: Sequence[Ask]) -> Ask | None:
    """An ask for the seat that must decide, with a new token; None when the match is over."""
    decision = table.match.decision
    if decision is None:
        return None
    own = decision.seat == table.match.actor and not decision.window
    due_at, remind_at = deadline(work, table, decision.seat, own, before)
    ask = work.tx.open_ask(
        table.game.id,
        decision.seat,
        version=table.game.version,
        turn=table.match.turn,
        kind="turn" if own else "window",
        now=work.now,
        menu=[option.text for option in decision.options],
        due_at=due_at,
        remind_at=remind_at,
    )
    letters.opened(ask)
    return ask


def deadline(
    work: UnitOfWork, table: Table, seat: Seat, own: bool, before: Sequence[Ask]
) -> tuple[datetime, datetime | None]:
    """When an answer is due and when to remind. A turn goes on with the time it had; others' reactions in
    between do not use it up."""
    settings, now = table.game.settings, work.now
    due_at = now + timedelta(hours=settings.turn_hours if own else settings.reaction_hours)
    mine = [one for one in before if one.seat == seat and one.turn == table.match.turn and one.kind == "turn"]
    if own and mine:
        left = mine[-1].terms.get("left")
        due_at = mine[-1].due_at or (now + timedelta(seconds=left) if left is not None else due_at)
        due_at = max(due_at, now + GRACE)
    remind_at = due_at - timedelta(hours=settings.reminder_hours) if settings.reminder_hours else None
    return due_at, remind_at if remind_at and remind_at > now else None


def finish(work: UnitOfWork, table: Table, letters: Letters, told: Sequence[Seat] = ()) -> None:
    """The match is over: everybody gets the result, the seed and how to verify it."""
    result = table.match.result
    assert result is not None, "the match is over"
    work.tx.end_game(table.game.id, work.now)
    for seat in table.players:
        last = None if seat in told else table.seats[seat].last_reported
        final = contexts.Final(
            **letters.board(seat, after=last),
            reason=result.reason,
            scores=scores(table, table.match),
            seed=table.game.seed.hex(),
            commitment=table.game.commitment,
        )
        letters.post(seat, final)
    tell_moderator(work, "over", {}, table.game)


def rolled_back(
    work: UnitOfWork, game_id: GameId, *, from_turn: int, reason: str = "", reshuffled: bool = True
) -> Table:
    """The moderator has set the game back: old tokens end, everybody is told, the deciding seat is asked."""
    for kind in (*MOVING, "yes"):
        work.tx.close_asks(game_id, "rollback", work.now, kind=kind)
    table = load(work, game_id)
    letters = Letters(work, table)
    asked = ask_next(work, table, letters, ())
    for seat in table.players:
        ask = asked if asked and asked.seat == seat else None
        notice = contexts.RolledBack(
            **letters.board(seat, ask=ask), from_turn=from_turn, reason=reason, reshuffled=reshuffled
        )
        letters.post(seat, notice, ask=ask)
    letters.remember(table.players)
    return table


def reask(work: UnitOfWork, game_id: GameId, seat: Seat) -> None:
    """Ask a seat afresh, as after it changed hands: the same deadline, a new token, a report of all it may know."""
    table = load(work, game_id)
    before = work.tx.open_asks(game_id)
    for ask in before:
        if ask.seat == seat:
            work.tx.close_ask(ask.number, "replaced", work.now)
    letters = Letters.seen_by(work, table, seat)
    decision = table.match.decision
    asked = ask_next(work, table, letters, before) if decision and decision.seat == seat else None
    if seat in table.players:
        letters.post(seat, contexts.Report(**letters.board(seat, ask=asked), occasion="again"), ask=asked)
        if asked:
            letters.remember([seat])


def take_back(work: UnitOfWork, table: Table, revealed: Revealed, inbound_id: InboundId) -> Table:
    """Store the state of the last reveal as a new version; what came after it is struck from the log. What stands
    is logged anew, but whoever was told it is not told again."""
    stands = max(
        (one.sequence for one in work.tx.events(table.game.id) if one.version <= revealed.parent), default=0
    )
    version = work.tx.save_version(
        table.game.id,
        parent=revealed.parent,
        cause="mail",
        turn=revealed.match.turn,
        snapshot=revealed.match.snapshot(),
        added=revealed.added,
        digest=revealed.match.digest(),
        now=work.now,
        happened=list(in_turns(revealed.events, revealed.match.turn)),
        inbound_id=inbound_id,
    )
    work.tx.undo_events(table.game.id, revealed.parent, version.number)
    told = [one for one in table.players if table.seats[one].last_reported > stands]
    work.tx.set_reported(table.game.id, told, work.tx.last_event(table.game.id))
    MATCHES.keep(version, revealed.match)
    game = replace(table.game, version=version.number, turn=version.turn)
    return replace(table, match=revealed.match, game=game)


def hand_to_bot(work: UnitOfWork, table: Table, seat: Seat) -> Table:
    """A player leaves the seat for good: a bot keeps their name and plays on at once."""
    for ask in work.tx.open_asks(table.game.id, seat):
        work.tx.close_ask(ask.number, "replaced", work.now)
    work.tx.reseat(table.game.id, seat, None, bot_name=table.seats[seat].name)
    return settle(work, table.game.id, "mail")


def settle(work: UnitOfWork, game_id: GameId, cause: Cause = "moderator") -> Table:
    """Let bots and policies answer what they can, as after a seat was given to a bot."""
    table = load(work, game_id)
    outcome = referee.settle(table.rules, table.match, table.said, bots=bots(table))
    return advance(work, table, outcome, cause=cause) if outcome.changed else table


def notify(work: UnitOfWork, game_id: GameId, what: Any, **facts: Any) -> None:
    """Tell every player something about the game that is no move. A game that no longer replays tells nothing
    more: its moderator must be able to pause it or set it back all the same."""
    try:
        table = load(work, game_id)
    except ReplayMismatch:  # its words show the position, hands and all
        log.warning("game %s no longer replays, and tells its players nothing", game_id)
        return
    letters = Letters(work, table)
    for seat in table.players:
        letters.post(seat, contexts.Notice(**letters.addressed(seat), what=what, **facts))


def tell_moderator(work: UnitOfWork, what: Any, facts: Mapping[str, Any], game: Game | None = None) -> None:
    """Put a notice to the moderator into the outbox."""
    context = contexts.ModeratorNotice(
        player="",
        now=work.now,
        timezone=game.settings.timezone if game else work.settings.defaults.timezone,
        code=game.code if game else "",
        game=game.name if game else "",
        what=what,
        facts=facts,
    )
    queue(
        work,
        work.settings.mail.moderator,
        context,
        game_type=game.game_type if game else "base",
    )
