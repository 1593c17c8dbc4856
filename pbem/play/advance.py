"""What follows from a change to a game: the new version, the asks, and who gets told what.

Every change goes through `advance`, whatever caused it: a mail, a deadline, the moderator, the start. All of
it happens in the transaction of the `UnitOfWork`, so it is committed as one or not at all.
"""

import logging
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbem.errors import ReplayMismatch, StoreError
from pbem.orders import referee
from pbem.orders.outcome import Line, Outcome
from pbem.play import queued
from pbem.play.asks import ask_again, ask_seats, close_answered, keep_answer
from pbem.play.course import ending, page
from pbem.play.letters import Answering, Letters, chat_lines, queue
from pbem.play.replay import Reached
from pbem.play.reveal import Revealed
from pbem.play.table import MATCHES, Table, UnitOfWork, load, rules_of, seated
from pbem.protocol import Seat, commitment, in_turns, settings_for
from pbem.reports import contexts
from pbem.store import Ask, Cause, Game, GameId, InboundId, Player, Version

log = logging.getLogger(__name__)


def start_game(work: UnitOfWork, game_id: GameId) -> Table:
    """Set the match up from the game's seed and welcome everybody.

    Raises StoreError when the game has begun already, ConfigError for settings that its rules do not have.
    """
    tx = work.tx
    game = tx.game(game_id)
    if game.status != "open":
        raise StoreError(f"{game.code} has begun already; `pbem admin show {game.code}` says how it stands")
    rules = rules_of(game.game_type)
    count, settings = len(tx.seats(game_id)), settings_for(rules, game.settings.rules)
    match = rules.new(count, game.seed, settings)
    seal = commitment(rules, count, game.seed, settings)
    tx.change_game(game_id, status="running", commitment=seal, started_at=work.now)
    table = seated(work, tx.game(game_id), rules, match)
    table = saved(work, table, Reached(match, 0, (), [*in_turns(match.opening())]), "start")
    outcome = referee.answer_presets(rules, match, table.presets())
    if outcome.changed:
        table = stored(work, table, outcome, "start")
    asks = ask_seats(work, table, outcome.waiting, ())
    letters = Letters(work, table, asks.values())
    for seat in table.players:
        letters.post(
            seat,
            contexts.Welcome,
            ask=asks.get(seat),
            after=0,
            commitment=seal,
            turn_hours=table.game.settings.turn_hours,
            reaction_hours=table.game.settings.reaction_hours,
            nmr=table.game.settings.nmr,
            reaction_mode=table.game.settings.reactions,
        )
    letters.remember(table.players)
    if table.over:
        finish(letters)
    return table


def advance(
    work: UnitOfWork,
    table: Table,
    outcome: Outcome,
    *,
    cause: Cause,
    seat: Seat | None = None,
    answering: Answering | None = None,
    missed: Collection[Seat] = (),
    inbound_id: InboundId | None = None,
) -> Table:
    """Store what came of something, ask whoever must decide next, and tell everybody what is theirs to know.

    `seat` is whose choices these are, `answering` the mail in which it wrote them; `missed` are seats whose deadline
    has passed.
    """
    before, turn = work.tx.open_asks(table.game.id), table.match.turn
    asked: dict[Seat, Ask] = {}
    waited: tuple[Seat | None, tuple[Line, ...]] = (None, ())
    if outcome.changed:
        table = stored(work, table, outcome, cause, inbound_id)
        rest = outcome if answering and seat == table.match.actor else None
        if rest is None and outcome.turn_over:
            waited = queued.lost(before)
        elif rest is None and (rest := queued.go_on(work, table, before)):
            waited = table.match.actor, rest.lines
            if rest.changed:
                table = stored(work, table, rest, "mail")
                events = (*outcome.events, *rest.events)
                outcome = replace(rest, events=events, lines=outcome.lines, revealed=True)
            else:
                queued.drop(work, table)
        kept = close_answered(work, table, outcome.turn_over, before)
        if rest and not outcome.turn_over and (rest.answer or queued.waits_for_others(table)):
            queued.keep(work, table, kept, queued.left(rest))
        asked = ask_seats(work, table, outcome.waiting, before)
        before = (*kept, *asked.values())
    letters = Letters(work, table, before)
    if outcome.answer and seat is not None and (ask := letters.ask_of(seat)):
        table, ask = keep_answer(work, table, ask, outcome.answer)
        letters = Letters(work, table, (*(other for other in before if other.number != ask.number), ask))
        asked[seat] = ask
    tell(letters, outcome, turn, asked, seat, answering, missed, waited)
    return table


def tell(
    letters: Letters,
    outcome: Outcome,
    turn: int,
    asked: Mapping[Seat, Ask],
    seat: Seat | None,
    answering: Answering | None,
    missed: Collection[Seat],
    waited: tuple[Seat | None, tuple[Line, ...]],
) -> None:
    """Write to everybody whom a change in a turn concerns: an acknowledgement to who wrote, which ends with that turn, a
    report to who is asked, and to all when a turn is over. Who wrote and is asked in a later turn gets a report that
    acknowledges. `waited` is whose orders had waited for an answer, and what became of them."""
    table = letters.table
    told: list[Seat] = []
    for reader in table.players:
        ask, last = asked.get(reader), table.seats[reader].last_reported
        if answering and reader == seat:
            lines = outcome.lines + chat_lines(answering.chat)
            known: dict[str, Any] = {"ask": ask, "after": last, "answering": answering, "lines": lines}
            known |= {"token_retired": answering.token_retired}
            if ask and outcome.turn_over:
                letters.post(reader, contexts.Report, occasion="next", **known)
            else:
                known |= {"until": turn, "revealed": outcome.revealed}
                known |= {"complete": outcome.turn_over or (ask is None and reader != table.match.actor)}
                letters.post(reader, contexts.Acknowledgement, **known)
        elif not table.over and outcome.changed and (ask or outcome.turn_over):
            occasion = "missed" if reader in missed else "turn"
            lines = waited[1] if reader == waited[0] else ()
            letters.post(reader, contexts.Report, ask=ask, after=last, occasion=occasion, lines=lines)
        else:
            continue
        told.append(reader)
    if table.over:
        finish(letters)
        told = list(table.players)
    letters.remember(told)


def stored(
    work: UnitOfWork, table: Table, outcome: Outcome, cause: Cause, inbound_id: InboundId | None = None
) -> Table:
    """The table after what came of something, as a new version."""
    happened = [*in_turns(outcome.events, table.match.turn, table.actor)]
    return saved(work, table, Reached(outcome.match, table.game.version, outcome.added, happened), cause, inbound_id)


def saved(work: UnitOfWork, table: Table, reached: Reached, cause: Cause, inbound_id: InboundId | None = None) -> Table:
    """The table in another state, which is stored as a new version."""
    version = save(work, table.game.id, reached, cause, inbound_id=inbound_id)
    MATCHES.keep(version, reached.match)
    game = replace(table.game, version=version.number, turn=version.turn)
    return replace(table, match=reached.match, game=game, answers={})


def save(
    work: UnitOfWork,
    game_id: GameId,
    reached: Reached,
    cause: Cause,
    *,
    inbound_id: InboundId | None = None,
    entropy: str = "",
) -> Version:
    """Store a state of a game as a new version, with the log of what happened."""
    match = reached.match
    return work.tx.save_version(
        game_id,
        parent=reached.parent or None,
        cause=cause,
        turn=match.turn,
        snapshot=match.snapshot(),
        added=reached.added,
        digest=match.digest(),
        now=work.now,
        happened=reached.happened,
        entropy=entropy,
        inbound_id=inbound_id,
    )


def finish(letters: Letters) -> None:
    """The match is over: everybody gets the result, the seed and how to verify it."""
    table, work = letters.table, letters.work
    told_of = ending(work.tx, table.rules, table.game, table.match)
    attachment = None
    if table.game.settings.replay_page and told_of["course"]:
        attachment = page(table.rules, table.game, table.seats, told_of)
    work.tx.change_game(table.game.id, status="over", ended_at=work.now)
    for seat in table.players:
        letters.post(
            seat,
            contexts.Final,
            after=letters.reported(seat),
            page=attachment.name if attachment else "",
            attachment=attachment,
            **told_of,
        )
    tell_moderator(work, "over", {}, table.game)


def rolled_back(work: UnitOfWork, game_id: GameId, **facts: Any) -> None:
    """The moderator has set the game back: old tokens end, everybody is told, the deciding seat is asked. `facts` are
    the fields of `contexts.RolledBack`."""
    for kind in ("turn", "window", "yes"):
        work.tx.close_asks("restored" if facts.get("restored") else "rollback", work.now, game_id=game_id, kind=kind)
    table = load(work, game_id)
    asked = ask_seats(work, table, [decision.seat for decision in table.match.pending], ())
    letters = Letters(work, table)
    for seat in table.players:
        letters.post(seat, contexts.RolledBack, ask=asked.get(seat), **facts)
    letters.remember(table.players)


def reask(work: UnitOfWork, game_id: GameId, seat: Seat) -> None:
    """Ask a seat afresh, as after it changed hands: the same deadline, a new token, a report of all it may know."""
    table = load(work, game_id)
    ask = ask_again(work, table, seat)
    for old in work.tx.open_asks(game_id, seat):
        if ask is None or old.number != ask.number:
            work.tx.close_asks("replaced", work.now, number=old.number)
    letters = Letters.seen_by(work, table, seat)
    if seat in table.players:
        letters.post(seat, contexts.Report, ask=ask, events=letters.last_round(seat), occasion="again")
        if ask:
            letters.remember([seat])


def give_back(work: UnitOfWork, player: Player) -> None:
    """Give a player the time in which mail came back: all of it for what never arrived, else since it came back. Once a
    turn: whoever has a mail server of their own can have it refuse us as often as they like."""
    since = player.address.bouncing_at if player.address else None
    for place in work.tx.seats_of(player.id):
        game, what = work.tx.game(place.game_id), f"given_back {place.game_id} {place.seat}"
        if game.status != "running" or work.tx.remembered(what) == str(game.turn):
            continue
        for ask in work.tx.open_asks(place.game_id, place.seat):
            if ask.due_at and ask.report_accepted_at is None:
                work.tx.give_time(ask, work.now - ask.opened_at, opened_at=work.now)
            elif ask.due_at and since:
                work.tx.give_time(ask, work.now - max(since, ask.opened_at))
            else:
                continue
            work.tx.remember(what, str(game.turn))


def works_again(work: UnitOfWork, address: str) -> None:
    """Mail reaches an address that it came back from. Whoever reads nowhere else gets reports at once, and the time back."""
    for player in work.tx.players_at(address):
        if player.address is None or player.address.bouncing_at is None:
            continue
        give_back(work, player)
        for place in work.tx.seats_of(player.id):
            if work.tx.game(place.game_id).status == "running":
                letters = Letters.seen_by(work, load(work, place.game_id), place.seat)
                news = letters.last_round(place.seat)
                ask = letters.pending(place.seat)
                letters.post(place.seat, contexts.Report, ask=ask, events=news, occasion="again")
    work.tx.clear_bouncing(address)


def take_back(work: UnitOfWork, table: Table, revealed: Revealed, inbound_id: InboundId) -> Table:
    """Store the state of the last reveal as a new version; what came after it is struck from the log. What stands
    is logged anew, but whoever was told it is not told again."""
    stands = work.tx.last_event_of(table.game.id, revealed.parent)
    after = saved(work, table, revealed, "mail", inbound_id)
    work.tx.follow_events(table.game.id, after.game.version)
    told = [seat for seat in table.players if table.seats[seat].last_reported > stands]
    work.tx.set_reported(table.game.id, told, work.tx.last_event(table.game.id))
    return after


def hand_to_bot(work: UnitOfWork, table: Table, seat: Seat) -> Table:
    """A player leaves the seat for good: a bot keeps their name and plays on at once."""
    work.tx.close_asks("replaced", work.now, game_id=table.game.id, seat=seat)
    work.tx.reseat(table.game.id, seat, None, bot_name=table.seats[seat].name)
    return play_on(work, table.game.id, "mail")


def play_on(work: UnitOfWork, game_id: GameId, cause: Cause = "moderator") -> Table:
    """Let bots and policies answer what they can, as after a seat was given to a bot."""
    table = load(work, game_id)
    outcome = referee.answer_presets(table.rules, table.match, table.presets())
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
        letters.post(seat, contexts.Notice, what=what, **facts)


def may_tell_moderator(work: UnitOfWork) -> bool:
    """Whether the moderator may be told once more in this hour of what anybody can cause a thousand times."""
    mail, since = work.settings.mail, work.now - timedelta(hours=1)
    return work.tx.count_queued(mail.moderator, since, contexts.ModeratorNotice.template) < mail.answers_per_hour


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
    queue(work, work.settings.mail.moderator, context, game.game_type if game else "base")
