"""What a moderator can do to a game: each function is one transaction, leaves a line in the audit log, and puts
what the players must be told into the outbox.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from pydantic import ValidationError

from pbem.config import mistakes
from pbem.errors import ConfigError, StoreError
from pbem.moderator.inspect import GameSummary, seat_of, summary
from pbem.moderator.moderator import Moderator, record
from pbem.moderator.players import SeatSpec, occupant, plausible_name
from pbem.orders import referee
from pbem.orders.outcome import Outcome
from pbem.play import advance, replay
from pbem.play.asks import reminder
from pbem.play.table import MATCHES, UnitOfWork, load, rules_of
from pbem.protocol import Seat, seats_for, settings_for
from pbem.store import Game, GameSettings, SeatRecord


def new_game(
    moderator: Moderator,
    name: str,
    players: Sequence[SeatSpec],
    *,
    game_type: str,
    rules: Mapping[str, str] | None = None,
    seed: bytes | None = None,
    **settings: Any,
) -> Game:
    """Add a game for these people, in the order of play; `start` begins it. `rules` are the game's own settings; the
    other settings are those of pbem.toml where none is given. Raises ConfigError or StoreError."""
    game_rules, name = rules_of(game_type), plausible_name(name)
    seats_for(game_rules, len(players))
    names = [spec.name.casefold() for spec in players if spec.name]
    if len(set(names)) < len(names):
        raise ConfigError("two players have the same name; give one of them another")
    defaults = moderator.settings.defaults.model_dump()
    chosen = settings_with(defaults, {**settings, "rules": settings_for(game_rules, rules or {})})
    with moderator.working() as work:
        tx = work.tx
        if any(game.name.casefold() == name.casefold() for game in tx.games("open", "running", "paused")):
            raise StoreError(f'there is a game "{name}" already; choose another name')
        game = tx.add_game(name, game_type, chosen, seed or secrets.token_bytes(32), work.now)
        for place, spec in enumerate(players):
            tx.add_seat(game.id, Seat(place), game_rules.colours[place], *occupant(work, spec, place))
        record(work, "new", "", game, seats=[seat.name for seat in tx.seats(game.id)])
        return game


def settings_with(present: Mapping[str, Any], changes: Mapping[str, Any]) -> GameSettings:
    """The settings of a game with those changes. Raises ConfigError when one cannot be used."""
    try:
        return GameSettings.model_validate({**present, **changes})
    except ValidationError as error:
        raise ConfigError("; ".join(mistakes(error))) from error


def start(moderator: Moderator, code: str) -> Game:
    """Begin a game: everybody is welcomed, and whoever must decide first is asked."""
    with moderator.working_on(code) as (work, game):
        table = advance.start_game(work, game.id)
        record(work, "start", "", table.game)
        return work.tx.game(game.id)


def pause(moderator: Moderator, code: str, why: str = "") -> Game:
    """Stop a game's clock; the players are told."""
    with moderator.working_on(code) as (work, game):
        if game.status != "running":
            raise StoreError(f"{game.code} is {game.status}; only a running game can be paused")
        work.tx.pause_game(game.id, work.now)
        advance.notify(work, game.id, "paused", reason=why)
        record(work, "pause", why, game)
        return work.tx.game(game.id)


def resume(moderator: Moderator, code: str, why: str = "") -> Game:
    """Let a paused game go on, with deadlines later by as long as it stood; the players are told."""
    with moderator.working_on(code) as (work, game):
        if game.status != "paused":
            raise StoreError(f"{game.code} is {game.status}, not paused; there is nothing to resume")
        work.tx.resume_game(game.id, work.now)
        advance.notify(work, game.id, "resumed", reason=why, due_at=summary(work.tx, game).due_at)
        record(work, "resume", why, game)
        return work.tx.game(game.id)


def extend(moderator: Moderator, code: str, hours: float, why: str = "") -> GameSummary:
    """Give everybody who must answer so many hours more; the players are told."""
    if not 0 < hours <= 24 * 366:
        raise ConfigError("give the hours to add as a number above 0, at most a year")
    with moderator.working_on(code) as (work, game):
        require_going(game)
        asks = summary(work.tx, game).asks
        if not asks:
            raise StoreError(f"{game.code} waits for nobody; there is no deadline to extend")
        for ask in asks:
            assert ask.due_at is not None, "a summary holds asks with a deadline"
            due_at = max(ask.due_at, work.now) + timedelta(hours=hours)
            work.tx.move_deadline(ask.number, due_at, reminder(work, game, due_at))
        after = summary(work.tx, game)
        advance.notify(work, game.id, "extended", reason=why, due_at=after.due_at)
        record(work, "extend", why, game, hours=hours)
        return after


#: Settings that a player goes by; the others change only what their mails look like.
TOLD_SETTINGS = ("turn_hours", "reaction_hours", "nmr", "reactions")


def change_settings(moderator: Moderator, code: str, why: str = "", **changes: Any) -> Game:
    """Give a game other settings, which hold from the next question on. The players are told when it is about them.
    Raises ConfigError for a value that cannot be used, StoreError for a game that is over."""
    with moderator.working_on(code) as (work, game):
        if game.status == "over":
            raise StoreError(f"{game.code} is over; its settings do not matter any more")
        settings = settings_with(game.settings.model_dump(), changes)
        changed = {name: value for name, value in changes.items() if value != getattr(game.settings, name)}
        if not changed:
            raise ConfigError(f"{game.code} has these settings already; `pbem admin settings --help` lists them")
        work.tx.change_game(game.id, settings=settings)
        told = {name: value for name, value in changed.items() if name in TOLD_SETTINGS}
        if told and game.status != "open":
            advance.notify(work, game.id, "settings", reason=why, settings=told)
        record(work, "settings", why, game, **changed)
        return work.tx.game(game.id)


def act_as(moderator: Moderator, code: str, colour: str, orders: Sequence[str], why: str) -> Outcome:
    """Carry out orders in the place of a seat, as if its player had mailed them. Nothing is stored when a line
    is refused before anything was revealed; but a refusal shows what the seat could do, so all are told of the try."""
    with moderator.working_on(code) as (work, game):
        require_going(game)
        seat = seat_of(work.tx.seats(game.id), colour)
        record(work, "act-as", why, game, seat=seat.colour, orders=list(orders), address=address_of(work, seat))
        advance.notify(work, game.id, "acted", about=seat.colour, reason=why)
    with moderator.working_on(code) as (work, game):
        table = load(work, game.id)
        if table.decision(seat.seat) is None:
            raise StoreError(f"{game.code} does not wait for {seat.colour}; `pbem admin games` says for whom it waits")
        menu = next((ask.menu for ask in reversed(summary(work.tx, game).asks) if ask.seat == seat.seat), ())
        outcome = referee.carry_out(
            table.rules, table.match, seat.seat, orders, table.presets(), menu=menu, names=table.names
        )
        if outcome.accepted:
            advance.advance(work, table, outcome, cause="moderator", seat=seat.seat)
        return outcome


@dataclass(frozen=True, slots=True)
class SetBack:
    """A game that was set back."""

    game: Game
    #: The version it goes on from, and the one that was the present one, where that is broken.
    to_version: int
    broken: int | None


def roll_back(
    moderator: Moderator,
    code: str,
    *,
    version: int | None = None,
    turn: int | None = None,
    keep_draws: bool = False,
    why: str = "",
) -> SetBack:
    """Set a game back to a version, or to the start of a turn. When neither is given it is the start of the present one;
    or, where the present version is broken, the last that is not.

    Past a reveal, what nobody may have seen is drawn anew, unless `keep_draws`. All players are told, old tokens end,
    and whoever must decide is asked.
    """
    with moderator.working_on(code) as (work, game):
        tx = work.tx
        if game.status == "open":
            raise StoreError(f"{game.code} has not begun; there is nothing to set back")
        if version == game.version:
            raise StoreError(f"{game.code} stands at version {version}; choose an earlier one")
        rules = rules_of(game.game_type)
        good = replay.newest_good(tx, rules, game.id, game.version)
        broken = good is None or good.parent != game.version
        if version is not None:
            target = replay.version_as_it_was(rules, tx.version(game.id, version))
        elif good is not None and broken and turn is None:
            target = good
        else:
            target = replay.start_of_turn(rules, tx.chain(game.id, game.version), turn or game.turn)
        # What the present version revealed is not known when it is broken.
        fresh = not keep_draws and (good is None or broken or target.match.reveals < good.match.reveals)
        set_back(work, game, target, fresh_draws=fresh, reason=why)
        record(work, "rollback", why, game, to_version=version, to_turn=turn, fresh_draws=fresh)
        return SetBack(tx.game(game.id), target.parent, game.version if broken else None)


def set_back(work: UnitOfWork, game: Game, target: replay.Reached, *, fresh_draws: bool, **told: Any) -> None:
    """Let a game go on from an earlier state; all players are told, with other fields of `contexts.RolledBack`."""
    match, entropy = target.match.fork(), secrets.token_bytes(32) if fresh_draws else b""
    if entropy:
        match.rollback_entropy(entropy)
    stored = advance.save(work, game.id, replace(target, match=match), "rollback", entropy=entropy.hex())
    work.tx.follow_events(game.id, stored.number)
    if game.status == "over":
        work.tx.change_game(game.id, status="running", ended_at=None)
    MATCHES.get(rules_of(game.game_type), stored)  # a state that does not replay is not stored
    advance.rolled_back(work, game.id, from_turn=game.turn, reshuffled=fresh_draws, **told)
    advance.play_on(work, game.id)


def replace_player(moderator: Moderator, code: str, colour: str, new: SeatSpec, why: str = "") -> SeatRecord:
    """Give a seat to somebody else, or to a bot. The old player's tokens and policies end; everybody is told."""
    with moderator.working_on(code) as (work, game):
        tx = work.tx
        if game.status == "over":
            raise StoreError(f"{game.code} is over; nobody is needed any more")
        seats = tx.seats(game.id)
        seat = seat_of(seats, colour)
        if any(other.name.casefold() == new.name.casefold() for other in seats if other != seat and new.name):
            raise StoreError(f"{new.name} sits in {game.code} already; give one of them another name")
        player_id, bot_name = occupant(work, new, seat.seat)
        if game.status != "open":  # while the old player is still there to be told
            advance.notify(work, game.id, "replaced", about=seat.colour, name=bot_name or new.name, reason=why)
        tx.reseat(game.id, seat.seat, player_id, bot_name)
        after = tx.seat(game.id, seat.seat)
        if game.status != "open":
            tx.close_asks("replaced", work.now, game_id=game.id, seat=seat.seat)
            advance.reask(work, game.id, seat.seat)
            advance.play_on(work, game.id)
        addresses = {"old_address": address_of(work, seat), "new_address": address_of(work, after)}
        record(work, "replace", why, game, seat=seat.colour, old=seat.name, new=after.name, **addresses)
        return after


def resend(moderator: Moderator, code: str, colour: str) -> SeatRecord:
    """Mail a seat its report again, with a new token when it must answer."""
    with moderator.working_on(code) as (work, game):
        require_going(game)
        seat = seat_of(work.tx.seats(game.id), colour)
        if seat.player_id is None:
            raise StoreError(f"a bot plays {seat.colour} in {game.code}; bots get no mail")
        advance.reask(work, game.id, seat.seat)
        record(work, "resend", "", game, seat=seat.colour, address=address_of(work, seat))
        return seat


def address_of(work: UnitOfWork, seat: SeatRecord) -> str | None:
    """Where the mails for a seat go; None for a bot."""
    player = work.tx.player(seat.player_id) if seat.player_id is not None else None
    return player.address.address if player and player.address else None


def require_going(game: Game) -> None:
    """Raises StoreError for a game that has not begun, or is over."""
    if game.status == "open":
        raise StoreError(f"{game.code} has not begun; `pbem admin start {game.code}` starts it")
    if game.status == "over":
        raise StoreError(f"{game.code} is over; `pbem admin rollback {game.code} --turn N` sets it back")
