"""Looking into games. What is secret is shown only for a reason, which is recorded and told to the players."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pbem.errors import ConfigError, ReplayMismatch, StoreError
from pbem.moderator.moderator import Moderator, record
from pbem.protocol import Seat
from pbem.store import Ask, Game, LoggedEvent, SeatRecord, Tx, VersionInfo

if TYPE_CHECKING:  # lists of games need neither matches nor mails
    from pbem.play.table import Table, UnitOfWork


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game and whom it waits for, without anything secret."""

    game: Game
    seats: tuple[SeatRecord, ...]
    #: The asks that the game waits for: each has a deadline.
    asks: tuple[Ask, ...]

    @property
    def due_at(self) -> datetime | None:
        """The next deadline."""
        return min((ask.due_at for ask in self.asks if ask.due_at), default=None)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The colours of the seats that must move; who must answer in somebody else's turn is not told."""
        names = (self.seats[ask.seat].colour if ask.kind == "turn" else "reactions" for ask in self.asks)
        return tuple(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class Inspection:
    """A game as a moderator looks at it."""

    summary: GameSummary
    #: The version looked at; None before the start.
    version: VersionInfo | None
    #: The report that the seat asked for, or the public, would get; empty before the start.
    text: str
    #: Everything in one line; empty unless secrets are shown.
    position: str


def games(moderator: Moderator, *, everything: bool = False) -> tuple[GameSummary, ...]:
    """How each game stands; those that are over only on demand."""
    with moderator.store.reading() as tx:
        listed = tx.games() if everything else tx.games("open", "running", "paused")
        return tuple(summary(tx, game) for game in listed)


def summary(tx: Tx, game: Game) -> GameSummary:
    asks = tuple(ask for ask in tx.open_asks(game.id) if ask.due_at and not ask.answered)
    return GameSummary(game, tx.seats(game.id), asks)


def seat_of(seats: Sequence[SeatRecord], colour: str) -> SeatRecord:
    """The seat of a colour. Raises StoreError."""
    for seat in seats:
        if seat.colour.casefold() == colour.strip().casefold():
            return seat
    raise StoreError(f'no seat "{colour}"; there are {", ".join(seat.colour for seat in seats)}')


def may_see_secrets(work: "UnitOfWork", game: Game, reveal: str, what: str, **facts: Any) -> bool:
    """Whether secrets may be shown: of a game that is over, or for a reason, which is recorded and told."""
    if game.status == "over":
        return True
    if not reveal.strip():
        return False
    record(work, what, reveal, game, revealed=True, **facts)
    if game.version:
        from pbem.play import advance

        advance.notify(work, game.id, "secrets_shown", reason=reveal)
    return True


def show(
    moderator: Moderator, code: str, *, version: int | None = None, colour: str = "", reveal: str = ""
) -> Inspection:
    """A game as everybody may see it, in the present version or the last that is not broken; with a reason to reveal it,
    as one seat sees it, and the whole position. Raises ConfigError when something secret is asked for without a reason.
    """
    from pbem.play.replay import newest_good
    from pbem.play.table import MATCHES, rules_of, seated

    with moderator.working_on(code) as (work, game):
        stands = summary(work.tx, game)
        seat = seat_of(stands.seats, colour).seat if colour else None
        secrets_seen = may_see_secrets(work, game, reveal, "show", seat=colour, shown_version=version)
        if colour and not secrets_seen:
            advice = "add --reveal REASON (it is recorded and told to the players)"
            raise ConfigError(f"what {colour} sees is secret; {advice}")
        if not game.version:
            return Inspection(stands, None, "", "")
        rules, number = rules_of(game.game_type), version
        if number is None:
            good = newest_good(work.tx, rules, game.id, game.version)
            number = good.parent if good else game.version
        stored = work.tx.version(game.id, number)
        table = seated(work, game, rules, MATCHES.get(rules, stored))
        if not secrets_seen and stored.turn == game.turn:
            table = hidden_from_all(work, table, stored)
        text = report(work, table, seat, stands.asks if stored.number == game.version else ())
        return Inspection(stands, stored, text, table.match.position() if secrets_seen else "")


def hidden_from_all(work: "UnitOfWork", table: "Table", stored: VersionInfo) -> "Table":
    """A table in the turn that is being played, as everybody may see it: as it was when something was revealed last.
    Raises ConfigError for a version behind that, which is not the present one."""
    from pbem.play.reveal import last_reveal

    if table.over or table.match.actor is None:
        return table
    revealed = last_reveal(work, table)
    if stored.number <= revealed.parent:
        return table
    if stored.number != table.game.version:
        raise ConfigError(f"version {stored.number} lies in a half-finished turn, which is secret; add --reveal REASON")
    return replace(table, match=revealed.match)


def versions(moderator: Moderator, code: str) -> list[tuple[VersionInfo, bool]]:
    """The versions of a game, oldest first, and whether each can be read and played again."""
    from pbem.play.replay import restored
    from pbem.play.table import rules_of

    def good(number: int) -> bool:
        with suppress(ReplayMismatch):
            return bool(restored(rules, tx.version(game.id, number)))
        return False

    with moderator.store.reading() as tx:
        game = tx.find_game(code)
        rules = rules_of(game.game_type)
        return [(info, good(info.number)) for info in tx.versions(game.id)]


def report(work: "UnitOfWork", table: "Table", seat: Seat | None, asks: Sequence[Ask]) -> str:
    """The text of the report that a seat, or the public, would get; with the question while it is asked. It has no
    token, and makes none."""
    from pbem.play.letters import Letters, renderer
    from pbem.reports import contexts

    letters = Letters(work, table, asks)
    ask = letters.pending(seat) if seat is not None else None
    context = contexts.Report(**letters.on_the_state(seat, ask))
    return renderer(table.game.game_type, work.settings.mail).render(context).text


def export(moderator: Moderator, code: str, *, reveal: str = "") -> dict[str, Any]:
    """A game as JSON-able values, without addresses. While it is not over, what is secret (seed, choices, snapshots,
    digests, on which a guess could be tried, private parts of events, the turn that is being played) is left out unless
    there is a reason to reveal it."""
    with moderator.working_on(code) as (work, game):
        secrets_seen = may_see_secrets(work, game, reveal, "export")
        version = ["number", "parent", "cause", "turn", "created_at"]
        versions: Sequence[VersionInfo] = work.tx.versions(game.id)
        if secrets_seen:
            version += ["digest", "entropy", "added", "snapshot"]
            versions = [work.tx.version(game.id, info.number) for info in versions]
        return {
            "format": 1,
            **selected(game, "code", "name", "game_type", "status"),
            "settings": game.settings.model_dump(),
            **selected(game, "commitment", "version", "turn", "created_at", "started_at", "ended_at"),
            **({"seed": game.seed.hex()} if secrets_seen else {}),
            "seats": [
                {**selected(seat, "colour", "name", "tenure"), "bot": seat.player_id is None}
                for seat in work.tx.seats(game.id)
            ],
            "versions": [selected(stored, *version) for stored in versions if secrets_seen or stored.turn < game.turn],
            "events": [
                told(event, secrets_seen) for event in work.tx.events(game.id) if secrets_seen or event.turn < game.turn
            ],
        }


def selected(value: Any, *names: str) -> dict[str, Any]:
    """Some attributes as JSON-able values."""
    values = {name: getattr(value, name) for name in names}
    return {name: at.isoformat() if isinstance(at, datetime) else at for name, at in values.items()}


def told(event: LoggedEvent, secrets_seen: bool) -> dict[str, Any]:
    data = selected(event, "sequence", "version", "turn", "kind", "data")
    if secrets_seen and event.private:
        data["private"] = {str(seat): what for seat, what in event.private.items()}
    return data
