"""The moderator's desk: everything that `pbem admin` can do, as functions that take and give plain values.

Each function is one transaction, leaves a line in the audit log when it changes or reveals anything, and puts
what the players must be told into the outbox. Nothing here prints.
"""

from __future__ import annotations

import getpass
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import ValidationError

from pbem.config import Settings, known_zone, plausible_address
from pbem.errors import ConfigError, ReplayMismatch, StoreError
from pbem.moderator.overview import Standing, running, seat_called, standing
from pbem.moderator.players import Sitter, person, plausible_name
from pbem.orders import referee
from pbem.orders.outcome import Outcome
from pbem.play import advance, rollback
from pbem.play.table import MATCHES, UnitOfWork, load, rules_of
from pbem.protocol import Seat
from pbem.store import (
    Game,
    GameSettings,
    Player,
    SeatRecord,
    Store,
)


@contextmanager
def at_desk(store: Store, settings: Settings, now: datetime | None = None) -> Iterator[UnitOfWork]:
    """A transaction at the moderator's desk.

    Raises StoreError for a game that no longer replays. (The mismatch itself shows the position, which is secret.)
    """
    try:
        with store.transaction() as tx:
            yield UnitOfWork(tx, settings, now or datetime.now(UTC))
    except ReplayMismatch as error:
        raise StoreError(
            "the stored choices are not possible under the present rules; "
            "`pbem admin rollback GAME --turn N` sets the game back to before them"
        ) from error


def note(work: UnitOfWork, what: str, why: str, game: Game | None = None, **facts: Any) -> None:
    """Write into the audit log what the moderator does, and under which login."""
    work.tx.audit(
        f"moderator ({login()})",
        what,
        why,
        work.now,
        game_id=game.id if game else None,
        version=game.version if game else None,
        facts={key: value for key, value in facts.items() if value is not None},
    )


def login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container's user may have no name
        return "?"


def new_game(
    store: Store,
    settings: Settings,
    name: str,
    sitters: Sequence[Sitter],
    *,
    game_type: str = "ankh_morpork",
    options: GameSettings | None = None,
    seed: bytes | None = None,
    now: datetime | None = None,
) -> Game:
    """Add a game for these people, in the order of play; `start` begins it.

    Raises ConfigError or StoreError.
    """
    rules, name = rules_of(game_type), plausible_name(name)
    least, most = rules.seats
    if not least <= len(sitters) <= most:
        raise ConfigError(f"{rules.title} is for {least} to {most}, not for {len(sitters)}")
    names = [one.name.casefold() for one in sitters if one.name]
    if len(set(names)) < len(names):
        raise ConfigError("two players have the same name; give one of them another")
    with at_desk(store, settings, now) as work:
        tx = work.tx
        if any(game.name.casefold() == name.casefold() for game in tx.games("open", "running", "paused")):
            raise StoreError(f'there is a game "{name}" already; choose another name')
        game = tx.add_game(
            name, game_type, options or options_for(settings), seed or secrets.token_bytes(32), work.now
        )
        for place, one in enumerate(sitters):
            player_id = person(work, one).id if one.address else None
            bot_name = "" if one.address else one.name or f"Bot {place + 1}"
            tx.add_seat(game.id, Seat(place), rules.colours[place], player_id, bot_name)
        note(work, "new", "", game, seats=[seat.name for seat in tx.seats(game.id)])
        return game


def options_for(settings: Settings, **wanted: Any) -> GameSettings:
    """The settings of a new game: what is wanted, and for what is None what pbem.toml says.

    Raises ConfigError when one cannot be used.
    """
    said = {key: value for key, value in wanted.items() if value is not None}
    try:
        return GameSettings.model_validate(settings.defaults.model_dump() | said)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(f"{first['loc'][0]}: {first['msg'].removeprefix('Value error, ')}") from error


def start(store: Store, settings: Settings, text: str, now: datetime | None = None) -> Game:
    """Begin a game: everybody is welcomed, and the first player asked."""
    with at_desk(store, settings, now) as work:
        game = work.tx.find_game(text)
        table = advance.start_game(work, game.id)
        note(work, "start", "", table.game)
        return work.tx.game(game.id)


def pause(store: Store, settings: Settings, text: str, why: str = "", now: datetime | None = None) -> Game:
    """Stop a game's clock; the players are told."""
    with at_desk(store, settings, now) as work:
        game = work.tx.find_game(text)
        if game.status != "running":
            raise StoreError(f"{game.code} is {game.status}; only a running game can be paused")
        work.tx.pause_game(game.id, work.now)
        advance.notify(work, game.id, "paused", reason=why)
        note(work, "pause", why, game)
        return work.tx.game(game.id)


def resume(store: Store, settings: Settings, text: str, why: str = "", now: datetime | None = None) -> Game:
    """Let a paused game go on, with deadlines later by as long as it stood; the players are told."""
    with at_desk(store, settings, now) as work:
        game = work.tx.find_game(text)
        if game.status != "paused":
            raise StoreError(f"{game.code} is {game.status}, not paused; there is nothing to resume")
        work.tx.resume_game(game.id, work.now)
        advance.notify(work, game.id, "resumed", reason=why, due_at=standing(work.tx, game).due_at)
        note(work, "resume", why, game)
        return work.tx.game(game.id)


def extend(
    store: Store, settings: Settings, text: str, hours: float, why: str = "", now: datetime | None = None
) -> Standing:
    """Give everybody who must answer so many hours more; the players are told."""
    if not 0 < hours <= 24 * 366:
        raise ConfigError("give the hours to add as a number above 0, at most a year")
    with at_desk(store, settings, now) as work:
        game = running(work.tx.find_game(text))
        more = timedelta(hours=hours)
        found = standing(work.tx, game)
        if not found.asks:
            raise StoreError(f"{game.code} waits for nobody; there is no deadline to extend")
        for ask in found.asks:
            assert ask.due_at is not None, "a standing holds asks with a deadline"
            due_at = max(ask.due_at, work.now) + more
            remind_at = due_at - timedelta(hours=game.settings.reminder_hours)
            still_to_remind = work.now < remind_at < due_at
            work.tx.move_deadline(ask.number, due_at, remind_at if still_to_remind else None)
        after = standing(work.tx, game)
        advance.notify(work, game.id, "extended", reason=why, due_at=after.due_at)
        note(work, "extend", why, game, hours=hours)
        return after


def act_as(
    store: Store,
    settings: Settings,
    text: str,
    colour: str,
    orders: Sequence[str],
    why: str,
    now: datetime | None = None,
) -> Outcome:
    """Carry out orders in the place of a seat, as if its player had mailed them. Nothing is stored when a line
    is refused before anything was revealed."""
    with at_desk(store, settings, now) as work:
        game = running(work.tx.find_game(text))
        table = load(work, game.id)
        seat = seat_called(table.seats, colour)
        if table.decision(seat.seat) is None:
            who = ", ".join(table.colour(decision.seat) for decision in table.match.pending) or "nobody"
            raise StoreError(f"{game.code} does not wait for {seat.colour} but for {who}")
        ask = next((one for one in reversed(standing(work.tx, game).asks) if one.seat == seat.seat), None)
        outcome = referee.carry_out(
            table.rules, table.match, seat.seat, orders, table.presets(), menu=ask.menu if ask else ()
        )
        if outcome.accepted:
            advance.advance(work, table, outcome, cause="moderator", seat=seat.seat)
            note(work, "act-as", why, game, seat=seat.colour, orders=list(orders))
        return outcome


def roll_back(
    store: Store,
    settings: Settings,
    text: str,
    *,
    version: int | None = None,
    turn: int | None = None,
    keep_draws: bool = False,
    why: str = "",
    now: datetime | None = None,
) -> Game:
    """Set a game back to a version, or to the start of a turn (the present one when neither is given).

    Past a reveal, what nobody may have seen is drawn anew, unless `keep_draws`. All players are told, old
    tokens end, and whoever must decide is asked.
    """
    with at_desk(store, settings, now) as work:
        tx, game = work.tx, work.tx.find_game(text)
        if game.status == "open":
            raise StoreError(f"{game.code} has not begun; there is nothing to set back")
        if version == game.version:
            raise StoreError(f"{game.code} stands at version {version}; choose an earlier one")
        rules = rules_of(game.game_type)
        target = (
            rollback.version_as_it_was(rules, tx.version(game.id, version))
            if version is not None
            else rollback.start_of_turn(rules, tx.chain(game.id, game.version), turn or game.turn)
        )
        match, entropy = target.match.fork(), b""
        if not keep_draws and match.reveals < reveals_now(work, game, match.reveals + 1):
            entropy = secrets.token_bytes(32)
            match.rollback_entropy(entropy)
        stored = tx.save_version(
            game.id,
            parent=target.parent,
            cause="rollback",
            turn=match.turn,
            snapshot=match.snapshot(),
            added=target.added,
            digest=match.digest(),
            now=work.now,
            happened=target.happened,
            entropy=entropy.hex(),
        )
        tx.follow_events(game.id, stored.number)
        if game.status == "over":
            tx.reopen_game(game.id)
        MATCHES.get(rules, stored)  # a state that does not replay is not stored
        advance.rolled_back(work, game.id, from_turn=game.turn, reason=why, reshuffled=bool(entropy))
        advance.play_on(work, game.id)
        note(work, "rollback", why, game, to_version=version, to_turn=turn, fresh_draws=bool(entropy))
        return tx.game(game.id)


def reveals_now(work: UnitOfWork, game: Game, unknown: int) -> int:
    """How often something has been revealed by now; `unknown` when the present state no longer replays."""
    try:
        return load(work, game.id).match.reveals
    except ReplayMismatch:
        return unknown


def replace_player(
    store: Store,
    settings: Settings,
    text: str,
    colour: str,
    new: Sitter,
    why: str = "",
    now: datetime | None = None,
) -> SeatRecord:
    """Give a seat to somebody else, or to a bot. The old player's tokens and policies end; everybody is told."""
    with at_desk(store, settings, now) as work:
        tx, game = work.tx, work.tx.find_game(text)
        if game.status == "over":
            raise StoreError(f"{game.code} is over; nobody is needed any more")
        seats = tx.seats(game.id)
        seat = seat_called(seats, colour)
        if any(one.name.casefold() == new.name.casefold() for one in seats if one != seat and new.name):
            raise StoreError(f"{new.name} sits in {game.code} already; give one of them another name")
        bot_name = "" if new.address else new.name or f"Bot {seat.seat + 1}"
        if game.status != "open":  # while the old player is still there to be told
            name = new.name or bot_name
            advance.notify(work, game.id, "replaced", about=seat.colour, name=name, reason=why)
        tx.reseat(game.id, seat.seat, person(work, new).id if new.address else None, bot_name)
        after = tx.seat(game.id, seat.seat)
        if game.status != "open":
            tx.close_asks(game.id, "replaced", work.now, seat=seat.seat)
            advance.reask(work, game.id, seat.seat)
            advance.play_on(work, game.id)
        note(work, "replace", why, game, seat=seat.colour, old=seat.name, new=after.name)
        return after


def resend(
    store: Store, settings: Settings, text: str, colour: str, now: datetime | None = None
) -> SeatRecord:
    """Mail a seat its report again, with a new token when it must answer."""
    with at_desk(store, settings, now) as work:
        game = running(work.tx.find_game(text))
        seat = seat_called(work.tx.seats(game.id), colour)
        if seat.player_id is None:
            raise StoreError(f"a bot plays {seat.colour} in {game.code}; bots get no mail")
        advance.reask(work, game.id, seat.seat)
        note(work, "resend", "", game, seat=seat.colour)
        return seat


def add_address(
    store: Store, settings: Settings, known: str, address: str, *, now: datetime | None = None
) -> Player:
    """Let a player, named by one of the present addresses, use another one too; reports go there from now on.
    An address that bounced is taken to work again."""
    try:
        address = plausible_address(address)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    with at_desk(store, settings, now) as work:
        player = player_at(work, known)
        work.tx.add_address(player.id, address, work.now, preferred=True)
        work.tx.clear_bouncing(address)
        note(work, "address", "", player=player.name)
        return work.tx.player(player.id)


def set_timezone(
    store: Store, settings: Settings, known: str, zone: str, *, now: datetime | None = None
) -> Player:
    """Show a player, named by one of their addresses, the dates of reports in that zone; an empty one means the
    zone of each game."""
    try:
        zone = known_zone(zone) if zone else ""
    except ValueError as error:
        raise ConfigError(str(error)) from error
    with at_desk(store, settings, now) as work:
        player = player_at(work, known)
        work.tx.set_timezone(player.id, zone)
        note(work, "timezone", "", player=player.name, zone=zone)
        return work.tx.player(player.id)


def player_at(work: UnitOfWork, address: str) -> Player:
    """The player who has this address.

    Raises StoreError when nobody has it, or several.
    """
    found = work.tx.players_at(address)
    if len(found) == 1:
        return found[0]
    names = ", ".join(one.name for one in found)
    raise StoreError(
        f"{names} share the address {address}; give one that only one of them has"
        if found
        else f"no player has the address {address}; pbem admin players lists them"
    )
