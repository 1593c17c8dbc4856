"""Looking into a game. What is secret is shown only for a reason, which is recorded and told to the players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.config import Settings
from pbem.errors import ConfigError
from pbem.moderator.actions import at_desk, note
from pbem.moderator.overview import Standing, seat_called, standing
from pbem.play import advance
from pbem.play.letters import Letters, renderer
from pbem.play.table import MATCHES, Table, UnitOfWork, rules_of, seated
from pbem.protocol import Seat
from pbem.reports import contexts
from pbem.store import Game, LoggedEvent, Store, VersionInfo


@dataclass(frozen=True, slots=True)
class Shown:
    """A game as a moderator looks at it."""

    standing: Standing
    #: The version looked at; None before the start.
    version: VersionInfo | None
    #: The report that the seat asked for, or the public, would get; empty before the start.
    text: str
    #: Everything in one line; empty unless secrets are shown.
    position: str


def show(
    store: Store,
    settings: Settings,
    text: str,
    *,
    version: int | None = None,
    colour: str = "",
    reveal: str = "",
    now: datetime | None = None,
) -> Shown:
    """A game as everybody may see it; with a reason to reveal it, as one seat sees it, and the whole position.

    Raises ConfigError when something secret is asked for without a reason.
    """
    with at_desk(store, settings, now) as work:
        tx = work.tx
        game = tx.find_game(text)
        stands = standing(tx, game)
        seat = seat_called(stands.seats, colour).seat if colour else None
        secrets_seen = may_see_secrets(work, game, reveal, "show", seat=colour, shown_version=version)
        if seat is not None and not secrets_seen:
            raise ConfigError(
                f"what {colour} sees is secret; add --reveal REASON (it is recorded and told to the players)"
            )
        if not game.version:
            return Shown(stands, None, "", "")
        found = tx.version(game.id, version or game.version)
        rules = rules_of(game.game_type)
        table = seated(work, game, rules, MATCHES.get(rules, found))
        return Shown(
            stands,
            next(info for info in tx.versions(game.id) if info.number == found.number),
            report(work, table, seat, stands if found.number == game.version else None),
            table.match.position() if secrets_seen else "",
        )


def may_see_secrets(work: UnitOfWork, game: Game, reveal: str, what: str, **facts: Any) -> bool:
    """Whether secrets may be shown: of a game that is over, or for a reason, which is recorded and told."""
    if game.status == "over":
        return True
    if not reveal.strip():
        return False
    note(work, what, reveal, game, revealed=True, **facts)
    if game.version:
        advance.notify(work, game.id, "secrets_shown", reason=reveal)
    return True


def report(work: UnitOfWork, table: Table, seat: Seat | None, stands: Standing | None) -> str:
    """The text of the report that a seat, or the public, would get; with the question while it is asked."""
    letters = Letters(work, table, stands.asks if stands else ())
    ask = letters.pending(seat) if seat is not None else None
    context = contexts.Report(**letters.unaddressed(seat), **letters.state(seat, ask))
    return renderer(table.game.game_type, work.settings.mail).render(context).text


def export(
    store: Store, settings: Settings, text: str, *, reveal: str = "", now: datetime | None = None
) -> dict[str, Any]:
    """A game as JSON-able values, without addresses. While it is not over, what is secret (seed, choices,
    snapshots, private parts of events) is left out unless there is a reason to reveal it."""
    with at_desk(store, settings, now) as work:
        tx = work.tx
        game = tx.find_game(text)
        secrets_seen = may_see_secrets(work, game, reveal, "export")
        data: dict[str, Any] = {
            "format": 1,
            "code": game.code,
            "name": game.name,
            "game_type": game.game_type,
            "status": game.status,
            "settings": game.settings.model_dump(),
            "commitment": game.commitment,
            "version": game.version,
            "turn": game.turn,
            "created_at": moment(game.created_at),
            "started_at": moment(game.started_at),
            "ended_at": moment(game.ended_at),
            "seats": [
                {"colour": one.colour, "name": one.name, "bot": one.player_id is None, "tenure": one.tenure}
                for one in tx.seats(game.id)
            ],
            "events": [told(event, secrets_seen) for event in tx.events(game.id)],
        }
        if not secrets_seen:
            data["versions"] = [described(info) for info in tx.versions(game.id)]
            return data
        data["seed"] = game.seed.hex()
        data["versions"] = [
            {
                **described(info),
                "entropy": info.entropy,
                "added": stored.added,
                "snapshot": stored.snapshot,
            }
            for info in tx.versions(game.id)
            for stored in [tx.version(game.id, info.number)]
        ]
        return data


def described(info: VersionInfo) -> dict[str, Any]:
    return {
        "number": info.number,
        "parent": info.parent,
        "cause": info.cause,
        "turn": info.turn,
        "digest": info.digest,
        "created_at": moment(info.created_at),
    }


def told(event: LoggedEvent, secrets_seen: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "sequence": event.sequence,
        "version": event.version,
        "turn": event.turn,
        "kind": event.kind,
        "data": event.data,
    }
    private: Mapping[int, Mapping[str, Any]] = event.private if secrets_seen else {}
    if private:
        data["private"] = {str(seat): what for seat, what in private.items()}
    return data


def moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
