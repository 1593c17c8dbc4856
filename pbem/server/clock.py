"""The clock: what is due, given a game's asks and a time, and doing it.

`fate` is pure and decides; `run_deadlines` does, one ask a transaction, so it may be stopped anywhere and two
may run at once. No deadline passes on a player who could not read or answer because of a mail server.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from pbem.config import Settings
from pbem.errors import StoreError, trace
from pbem.orders import referee
from pbem.play import advance, moving
from pbem.play.letters import Letters
from pbem.play.table import Table, UnitOfWork, load
from pbem.protocol import Seat
from pbem.reports import contexts
from pbem.store import Ask, Player, Store, Tx

log = logging.getLogger(__name__)

#: Nothing is held longer than this.
HELD = timedelta(hours=72)
#: When mail could not be read and sent for so long the time does not count, unless that is nothing new: of the last
#: pauses so many were much the same. So a pass an hour or a day, as somebody may have it run, is no outage.
OUTAGE = timedelta(hours=1)
PAUSES, ALIKE, MUCH_THE_SAME = 20, 2, 1.5
#: What everybody has at least after an outage.
AFTERWARDS = timedelta(days=1)
#: No mail waits longer to be tried again.
DAILY = timedelta(days=1)
#: So many players at once, and more than half of all that are waited for, look like trouble with the mail.
MANY = 4
#: Turns in a row after which a bot keeps the seat.
SILENT_TURNS = 3

#: How exactly it is kept when mail could last be read and sent, so that an idle pass need not write.
NOTED_EVERY = timedelta(minutes=5)

Fate: TypeAlias = Literal["wait", "hold", "force"]


def fate(ask: Ask, player: Player | None, now: datetime) -> Fate:
    """What an ask has come to: there is time left, or it is held for the sake of the mail, or it is over."""
    if not ask.open or ask.answered or ask.due_at is None or ask.due_at > now:
        return "wait"
    if ask.due_at + HELD <= now:
        return "force"
    all_comes_back = player is not None and (player.address is None or player.address.bouncing_at is not None)
    return "hold" if ask.report_accepted_at is None or all_comes_back else "force"


def outage(pause: timedelta, earlier: Sequence[timedelta] = ()) -> bool:
    """Whether a pause between two times at which all mail was read and sent is to be made good, given those before."""
    return pause >= OUTAGE and sum(MUCH_THE_SAME * other >= pause for other in earlier) < ALIKE


def silence(due: Sequence[Player | None], waiting: int) -> bool:
    """Whether so many fell silent at once that it is hardly their own doing."""
    players = {player.id for player in due if player}
    return len(players) >= MANY and 2 * len(due) > waiting


def run_deadlines(store: Store, settings: Settings, now: datetime) -> int:
    """Do what is due: reminders, and the moves of who did not write in time; how many things were done.

    Only to be called when the mailbox has just been read: what lies there unread may be the orders waited for.
    """
    if not make_good(store, settings, now):
        return 0
    with store.reading() as tx:
        due = tx.due_asks(now)
        reminders = tx.due_reminders(now)
        movers = tx.due_moves(now)
    for player in movers:
        with store.transaction() as tx:
            if tx.player(player.id).moving_at == player.moving_at:  # no other pass, and no moderator, came first
                moving.arrive(UnitOfWork(tx, settings, now), player.id, player.moving_to)
    done = sum(guarded(store, settings, ask, now, remind) for ask in reminders)
    forced = to_be_forced(store, settings, due, now) if due else ()
    return done + sum(guarded(store, settings, ask, now, force) for ask in forced)


def make_good(store: Store, settings: Settings, now: datetime) -> bool:
    """Note that mail was read; when it could not be read and sent for long, every deadline moves by as long. False while
    no mail can be sent: no deadline passes then."""
    with store.reading() as tx:
        noted, stopped = tx.remembered("mailbox_read_at"), tx.remembered("sending_stopped_at")
    last = datetime.fromisoformat(noted) if noted else now
    if stopped or (noted and -OUTAGE < now - last < NOTED_EVERY):
        return not stopped
    with store.transaction() as tx:
        if tx.remembered("mailbox_read_at") != noted:
            return True  # another pass has just done it
        pauses = [timedelta(seconds=float(word)) for word in (tx.remembered("mailbox_read_every") or "").split()]
        tx.remember("mailbox_read_at", now.isoformat())
        if now < last:
            set_back(UnitOfWork(tx, settings, now), last - now)
            return True
        if noted:
            words = [str(pause.total_seconds()) for pause in (*pauses, now - last)]
            tx.remember("mailbox_read_every", " ".join(words[-PAUSES:]))
        if outage(now - last, pauses):
            postpone(UnitOfWork(tx, settings, now), last)
    return True


def postpone(work: UnitOfWork, last: datetime) -> None:
    """Make good to everybody the time since `last`, and tell the moderator once for all of them."""
    work.tx.leave_time(AFTERWARDS.total_seconds())
    asks = work.tx.open_deadlines()
    for ask in asks:
        assert ask.due_at is not None, "open_deadlines() gives no others"
        began = ask.report_accepted_at or ask.opened_at
        lost = max(work.now - max(last, began), work.now + AFTERWARDS - ask.due_at)
        # What is made good to an ask whose report is still to arrive is not made good again when it does.
        opened_at = ask.opened_at if ask.report_accepted_at else min(ask.opened_at + lost, work.now)
        work.tx.give_time(ask, lost, opened_at=opened_at)
    if asks:
        log.warning("mail could not be read and sent for %s; %d deadlines were moved", work.now - last, len(asks))
        advance.tell_moderator(work, "held", {"hours": round((work.now - last).total_seconds() / 3600)})


def set_back(work: UnitOfWork, by: timedelta) -> None:
    """The clock had been ahead by so much, and deadlines and times to send were reckoned by it: bring them back, but leave
    everybody a whole turn. The moderator is told."""
    for ask in work.tx.open_deadlines():
        assert ask.due_at is not None, "open_deadlines() gives no others"
        settings = work.tx.game(ask.game_id).settings
        whole = timedelta(hours=settings.turn_hours if ask.kind == "turn" else settings.reaction_hours)
        due_at = max(ask.due_at - by, min(ask.due_at, work.now + whole))
        work.tx.give_time(ask, due_at - ask.due_at, opened_at=min(ask.opened_at, work.now))
    work.tx.bring_forward(work.now, work.now + DAILY)
    log.warning("the clock was set back by %s", by)
    advance.tell_moderator(work, "held", {"back": max(1, round(by.total_seconds() / 3600))})


def to_be_forced(store: Store, settings: Settings, due: Sequence[Ask], now: datetime) -> list[Ask]:
    """The asks whose deadline has really passed; the moderator is told of those that are held."""
    with store.reading() as tx:
        players = {ask.number: player_of(tx, ask) for ask in due}
        fates = {ask.number: fate(ask, players[ask.number], now) for ask in due}
        forced = [ask for ask in due if fates[ask.number] == "force"]
        waiting = len(tx.open_deadlines()) if len(forced) >= MANY else 0
    for ask in due:
        if fates[ask.number] == "hold" and not ask.held:
            guarded(store, settings, ask, now, hold)
    if not silence([players[ask.number] for ask in forced], waiting):
        return forced
    with store.transaction() as tx:
        if tx.once_a_day("silence_told_at", now):
            advance.tell_moderator(UnitOfWork(tx, settings, now), "silence", {"count": len(forced)})
    return [ask for ask in forced if ask.due_at and ask.due_at + HELD <= now]


def player_of(tx: Tx, ask: Ask) -> Player | None:
    seat = tx.seat(ask.game_id, ask.seat)
    return None if seat.player_id is None else tx.player(seat.player_id)


def guarded(store: Store, settings: Settings, ask: Ask, now: datetime, do: Callable[[UnitOfWork, Ask], bool]) -> bool:
    """Do one thing in one transaction; whether anything was done. A game that makes it fail is paused, so that it
    fails once and holds up nobody else."""
    try:
        with store.transaction() as tx:
            return do(UnitOfWork(tx, settings, now), tx.ask(ask.number))
    except Exception as error:  # one game must not stop the clock of all others
        if isinstance(error, StoreError) and error.__cause__ is not None:
            raise
        failure = error
    log.error("a deadline of game %s failed; the game is paused\n%s", ask.game_id, trace(failure))
    with store.transaction() as tx:
        game = tx.game(ask.game_id)
        if game.status == "running":
            tx.pause_game(game.id, now)
            facts = {"error": type(failure).__name__}
            advance.tell_moderator(UnitOfWork(tx, settings, now), "mismatch", facts, game)
    return False


def current(work: UnitOfWork, ask: Ask) -> Table | None:
    """The game of an ask that is still to be answered; None when another pass or a mail came first."""
    if not ask.open or work.tx.game(ask.game_id).status != "running":
        return None
    table = load(work, ask.game_id)
    return table if table.decision(ask.seat) and not ask.answered else None


def remind(work: UnitOfWork, ask: Ask) -> bool:
    """Send the report once more, shortly before its deadline."""
    if ask.reminded_at is not None or ask.due_at is None or ask.due_at <= work.now:
        return False
    work.tx.change_ask(ask.number, reminded_at=work.now)
    table = current(work, ask)
    if table is None or ask.report_accepted_at is None:
        return False
    letters = Letters(work, table)
    events = letters.last_round(ask.seat)
    letters.post(ask.seat, contexts.Report, ask=ask, events=events, occasion="reminder", kind="reminder")
    return True


def hold(work: UnitOfWork, ask: Ask) -> bool:
    """Tell the moderator, once, that a deadline is held for the sake of the mail."""
    if ask.held or not ask.open:
        return False
    work.tx.change_ask(ask.number, held=True)
    game, seat = work.tx.game(ask.game_id), work.tx.seat(ask.game_id, ask.seat)
    facts = {"seat": seat.colour, "name": seat.name, "hours": round(HELD.total_seconds() / 3600)}
    advance.tell_moderator(work, "held", facts, game)
    return True


def force(work: UnitOfWork, ask: Ask) -> bool:
    """Nobody wrote in time: a bot moves, or the rules' defaults are taken, for all of a group that did not answer."""
    table = current(work, ask)
    if table is None or not overdue(work, table, ask):
        return False
    together = [
        other
        for other in work.tx.open_asks(ask.game_id)
        if other.moves and other.version == ask.version and overdue(work, table, other)
    ]
    missed = tuple(dict.fromkeys(other.seat for other in together))
    for seat in missed:
        if not count_silence(work, table, seat, ask.kind == "turn"):
            return True
    table = load(work, ask.game_id)
    for seat in missed:
        bot = table.game.settings.nmr == "bot" or table.seats[seat].stand_in
        take = referee.take_bot if bot else referee.take_defaults
        outcome = take(table.rules, table.match, seat, table.presets())
        table = advance.advance(work, table, outcome, cause="deadline", seat=seat, missed=missed)
        log.info("%s %s moved by the deadline", table.game.code, table.colour(seat))
        if outcome.changed:  # the group is closed, or there was none
            break
    return True


def overdue(work: UnitOfWork, table: Table, ask: Ask) -> bool:
    return fate(ask, table.players.get(ask.seat), work.now) == "force"


def count_silence(work: UnitOfWork, table: Table, seat: Seat, own_turn: bool) -> bool:
    """Count a missed deadline of the seat's own turn; after several in a row a bot keeps the seat. False when nobody
    is left to play with, so that the game is paused instead: bots do not play a game to its end for nobody."""
    record = table.seats[seat]
    count = record.nmr_count + own_turn
    silent = count >= SILENT_TURNS and not record.bot
    facts = {"seat": record.colour, "name": record.name, "count": count}
    if silent and all(other.bot for other in table.seats if other.seat != seat):
        work.tx.pause_game(record.game_id, work.now)
        advance.tell_moderator(work, "silence", facts | {"count": 1}, table.game)
        return False
    work.tx.change_seat(record.game_id, seat, nmr_count=count, stand_in=record.stand_in or silent)
    if silent:
        advance.tell_moderator(work, "nmr", facts, table.game)
        advance.notify(work, table.game.id, "bot_keeps", about=record.colour, name=record.name)
    return True
