"""A game taken out of the store: its record, who sits where, and the match itself.

Everything that changes a game works on a `Table` inside one transaction, held together by an `UnitOfWork`.
"""

import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from pbem import protocol
from pbem.config import Settings
from pbem.orders.outcome import Policies, Presets
from pbem.play.replay import restored
from pbem.protocol import Decision, Match, Option, Seat, decision_of
from pbem.store import Game, GameId, Player, SeatRecord, Tx, Version

#: Live matches that are kept in memory, newest last; 26 KB each.
KEPT_MATCHES = 512


@dataclass(frozen=True, slots=True)
class UnitOfWork:
    """Where one thing is being done: the open transaction, the settings, and the time."""

    tx: Tx
    settings: Settings
    now: datetime
    #: The seats that were written to.
    written: set[tuple[GameId, Seat]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Table:
    """A game in progress with everybody at it. The match is shared: fork it, never change it."""

    game: Game
    rules: protocol.Game
    match: Match
    seats: tuple[SeatRecord, ...]
    #: Who plays each seat; bots have none.
    players: Mapping[Seat, Player]
    policies: Policies
    #: What seats have answered to the group of decisions that is pending, as order texts.
    answers: Mapping[Seat, tuple[str, ...]]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self.match.pending

    @property
    def actor(self) -> str:
        """The colour of the seat whose turn it is; empty where all play at once."""
        return "" if self.match.actor is None else self.colour(self.match.actor)

    @property
    def names(self) -> dict[str, str]:
        """The colour of each player by name, for orders that say a name."""
        return {seat.name: seat.colour for seat in self.seats}

    def presets(self) -> Presets:
        """What answers without a mail at this table, with randomness of its own."""
        return Presets(
            bots=frozenset(seat.seat for seat in self.seats if seat.bot),
            randomness=secrets.token_bytes(32),
            policies=self.policies,
            reactions=self.game.settings.reactions,
            answers=self.answers,
        )

    def decision(self, seat: Seat) -> Decision | None:
        """What a seat is asked, behind what it has answered so far to an open group; when that is all, the first
        question again, for it may answer anew. None when it is not asked."""
        first = decision_of(self.match, seat)
        if first is None or seat not in self.answers:
            return first
        ahead = self.match.fork()
        for text in self.answers[seat]:
            ahead.choose(seat, Option(text))
        return decision_of(ahead, seat) or first

    def in_own_turn(self, decision: Decision) -> bool:
        """Whether a decision is a move of a turn, and not an answer in somebody else's or in everybody's."""
        if decision.window:
            return False
        return self.match.actor is None or (decision.seat == self.match.actor and len(self.match.pending) == 1)

    def colour(self, seat: Seat) -> str:
        return self.seats[seat].colour

    def timezone(self, seat: Seat) -> str:
        """The zone of the dates that this seat reads."""
        player = self.players.get(seat)
        return (player.timezone if player else "") or self.game.settings.timezone


class Matches:
    """The matches of the versions used last, so that a mail does not replay a turn that is in memory.

    They are found by game, version and the digest of the stored state, so a database put back from a backup
    is never mistaken for another.
    """

    def __init__(self, size: int = KEPT_MATCHES) -> None:
        self._size = size
        self._kept: dict[tuple[int, int, str], Match] = {}
        self._lock = threading.Lock()

    def get(self, rules: protocol.Game, version: Version) -> Match:
        """The match of this version, from memory or restored.

        Raises ReplayMismatch.
        """
        match = self.find(version.game_id, version.number, version.digest)
        return self.keep(version, restored(rules, version)) if match is None else match

    def find(self, game_id: GameId, number: int, digest: str) -> Match | None:
        """The match of this version, if it is in memory; it is the newest then."""
        with self._lock:
            match = self._kept.pop((game_id, number, digest), None)
            if match is not None:
                self._kept[game_id, number, digest] = match
            return match

    def keep(self, version: Version, match: Match) -> Match:
        """Keep the match of this version, and forget the oldest."""
        with self._lock:
            self._kept[version.game_id, version.number, version.digest] = match
            while len(self._kept) > self._size:
                del self._kept[next(iter(self._kept))]
        return match


MATCHES = Matches()


def load(work: UnitOfWork, game_id: GameId) -> Table:
    """The game as it now stands.

    Raises StoreError when it has not begun, ReplayMismatch when it cannot be replayed.
    """
    game = work.tx.game(game_id)
    rules = rules_of(game.game_type)
    digest = work.tx.digest(game_id, game.version)
    match = MATCHES.find(game_id, game.version, digest) if digest else None  # so its snapshot need not be read
    if match is None:
        match = MATCHES.get(rules, work.tx.version(game_id, game.version))
    return seated(work, game, rules, match)


def seated(work: UnitOfWork, game: Game, rules: protocol.Game, match: Match) -> Table:
    """A match with the people who play it."""
    seats, people, policies = (work.tx.seats(game.id), work.tx.players_of(game.id), work.tx.policies(game.id))
    players = {seat.seat: people[seat.player_id] for seat in seats if seat.player_id is not None}
    answers = {
        ask.seat: ask.answer
        for ask in work.tx.open_asks(game.id)
        if ask.answer is not None and ask.version == game.version
    }
    return Table(
        game=game,
        rules=rules,
        match=match,
        seats=seats,
        players=players,
        policies={seat.seat: policies.get(seat.seat, {}) for seat in seats},
        answers=answers,
    )


@lru_cache(maxsize=16)
def rules_of(game_type: str) -> protocol.Game:
    """The installed game of this name; looking for it among all packages takes long, so once is enough."""
    return protocol.game_named(game_type)
