"""Who wrote a mail, and what it may do: the tokens in it and the address it came from, together.

`From:` alone is never proof, and a token alone is none either. Nothing here changes anything.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, partial
from typing import TypeAlias

from pbem.address import address_key
from pbem.mail.reading.values import ParsedMail
from pbem.play.table import Table, UnitOfWork, load
from pbem.protocol import Seat
from pbem.reports.contexts import Past, Unproven
from pbem.store import Ask, AskKind, Game, Player, SeatRecord

#: Tokens of one mail that are looked up; a long thread carries many, the first ones count.
MOST_TOKENS = 16
#: What a one-time token of this kind asks for is a typed `yes`, in time.
YES: AskKind = "yes"
YES_LIVES = timedelta(days=7)
#: A game's code, as our subjects carry it.
CODE = re.compile(r"\bG\d{3,}\b", re.IGNORECASE)
#: What the store notes of a closed ask, where it is not simply past.
CLOSED: dict[str, Past] = {"rollback": "rolled_back", "restored": "restored", "replaced": "replaced", "over": "over"}


@dataclass(frozen=True, slots=True)
class Holder:
    """The player at a seat of a game."""

    table: Table
    seat: Seat

    @property
    def player(self) -> Player:
        return self.table.players[self.seat]


@dataclass(frozen=True, slots=True)
class Token:
    """A token that counts: who holds the seat now, and the ask it was made for."""

    holder: Holder
    ask: Ask

    @property
    def past(self) -> Past | None:
        """Why it moves nothing; None when it does."""
        if self.holder.table.game.status == "over":
            return "over"
        if not self.ask.moves:
            return "commands"
        return None if self.ask.open else CLOSED.get(self.ask.closed_why, "past")


@dataclass(frozen=True, slots=True)
class Trusted(Token):
    """A token of the seat's present tenure, from an address of its player."""

    #: Why its orders may not move; None when they may: the ask's turn or window is still open.
    why: Past | None = None
    #: What a typed `yes` confirms: the ask of the mail that is answered, and of no other in its thread.
    confirms: Ask | None = None
    #: All tokens of its seat that it carries.
    thread: tuple[str, ...] = ()

    @property
    def offer(self) -> tuple[str, ...]:
        """The orders that a typed `yes` carries out: those that a doubt kept from being done, while nothing has moved."""
        return self.ask.proposal if self.why is None and self.ask.version == self.holder.table.game.version else ()


@dataclass(frozen=True, slots=True)
class Newcomer(Token):
    """A one-time token from the very address that it was sent to, which a player wants to add: it may say `yes` to
    that and nothing else."""


@dataclass(frozen=True, slots=True)
class Untrusted:
    """Orders may be meant for this seat, but it is not proven: nothing applies, its player is asked."""

    holder: Holder
    why: Unproven


@dataclass(frozen=True, slots=True)
class Stranger:
    """Neither a token that counts nor a known address, or nothing to say whose seat is meant: no answer."""

    why: str


Identity: TypeAlias = Trusted | Untrusted | Newcomer | Stranger


def identify(work: UnitOfWork, mail: ParsedMail) -> Identity:
    """Who wrote this, and what may it do. Raises ReplayMismatch when the game it is about cannot be replayed."""
    tokens = valid_tokens(work, mail.tokens)
    own = [token for token in tokens if token.holder.player.owns(mail.sender)]
    if own:
        first = own[0]
        if mail.authenticated is False or mail.via_list:
            return Untrusted(first.holder, "failed")
        if mail.all_marked:
            return Untrusted(first.holder, "quoted")
        seat = (first.ask.game_id, first.ask.seat)
        thread = [token for token in own if (token.ask.game_id, token.ask.seat) == seat]
        # A mail may carry the tokens of its whole thread: the one that can move something counts, else the first.
        best = next((token for token in thread if token.past is None), first)
        confirms = first.ask if first.ask.kind == YES else None
        return Trusted(best.holder, best.ask, best.past, confirms, tuple(token.ask.token for token in thread))
    sender = address_key(mail.sender)
    for token in tokens:
        asked = token.ask.kind == "newcomer" and address_key(token.ask.address) == sender
        if asked and mail.authenticated is not False and not mail.all_marked:
            return Newcomer(token.holder, token.ask)
    for token in tokens:
        if token.past is None:
            return Untrusted(token.holder, "address")
    known = work.tx.players_at(mail.sender) if mail.sender else ()
    holder = seat_meant(work, known, mail.subject)
    if holder is None:
        return Stranger("unknown sender without a valid token")
    return Untrusted(holder, "failed" if mail.authenticated is False else "token")


def valid_tokens(work: UnitOfWork, candidates: Iterable[str]) -> list[Token]:
    """The tokens of a mail that count, best first: of the seats' present tenure, and not given away."""
    table_of = cache(partial(load, work))
    tokens = []
    for candidate in list(dict.fromkeys(candidates))[:MOST_TOKENS]:
        ask = work.tx.ask_for(candidate)
        if ask is None or ask.retired:
            continue
        table = table_of(ask.game_id)
        if ask.seat in table.players and table.seats[ask.seat].tenure == ask.tenure:
            tokens.append(Token(Holder(table, ask.seat), ask))
    return tokens


def seat_meant(work: UnitOfWork, players: Iterable[Player], subject: str) -> Holder | None:
    """The seat that a mail without a token is about: that of the game named in the subject, else one that is asked
    something, else the newest. It is only a guess, but nothing happens on it without a `yes`."""
    tx, codes = work.tx, {code.upper() for code in CODE.findall(subject)}

    def likely(place: tuple[Game, SeatRecord]) -> tuple[bool, bool, bool]:
        game, seat = place
        asked = any(ask.kind != "told" for ask in tx.open_asks(game.id, seat.seat))
        return game.code in codes, game.status != "over", asked

    seats = [seat for player in players for seat in tx.seats_of(player.id)]
    places = [(game, seat) for seat in reversed(seats) if (game := tx.game(seat.game_id)).version]
    if not places:
        return None
    game, seat = max(places, key=likely)
    return Holder(load(work, game.id), seat.seat)
