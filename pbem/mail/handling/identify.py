"""Who wrote a mail, and what it may do: the tokens in it and the address it came from, together.

`From:` alone is never proof, and a token alone is none either. Nothing here changes anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypeAlias

from pbem.mail.reading.values import Understood
from pbem.play.table import Table, UnitOfWork, load
from pbem.protocol import Seat
from pbem.store import Ask, AskKind, GameId, Player, address_key

#: Tokens of one mail that are looked up; a long thread carries many, the first ones count.
MOST_TOKENS = 16
#: What a one-time token of this kind asks for is a typed `yes`, in time.
YES: AskKind = "yes"
YES_LIVES = timedelta(days=7)
#: A game's code, as our subjects carry it.
CODE = re.compile(r"\bG\d{3,}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Holder:
    """The player at a seat of a game."""

    table: Table
    seat: Seat

    @property
    def game_id(self) -> GameId:
        return self.table.game.id

    @property
    def player(self) -> Player:
        return self.table.players[self.seat]


@dataclass(frozen=True, slots=True)
class Trusted:
    """A token of the seat's present tenure, from an address of its player."""

    holder: Holder
    ask: Ask
    #: Why its orders may not move; None when they may: the ask's turn or window is still open.
    why: Why | None = None
    #: What a typed `yes` confirms: the ask of the mail that is answered, and of no other in its thread.
    confirms: Ask | None = None


@dataclass(frozen=True, slots=True)
class Untrusted:
    """Orders may be meant for this seat, but it is not proven: nothing applies, its player is asked."""

    holder: Holder
    why: Literal["address", "token", "failed"]


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A one-time token from the very address that it was sent to, which a player wants to add: it may say `yes` to
    that and nothing else."""

    holder: Holder
    ask: Ask


@dataclass(frozen=True, slots=True)
class Stranger:
    """Neither a token that counts nor a known address, or nothing to say whose seat is meant: no answer."""

    why: str


#: What a token can have become: its turn or window is over; the moderator set the game back; somebody else has
#: the seat or a newer mail took its place; the game is over; it was made for commands only; or it is good, but others
#: have to react first (and its orders are kept until then).
Why: TypeAlias = Literal["past", "rolled_back", "replaced", "over", "commands", "reactions", "kept"]

#: What the store notes of a closed ask, where it is not simply past.
CLOSED: dict[str, Why] = {"rollback": "rolled_back", "replaced": "replaced", "over": "over"}

Identity: TypeAlias = Trusted | Untrusted | Newcomer | Stranger


@dataclass(frozen=True, slots=True)
class Place:
    """A token that counts: its ask, and who holds the seat now."""

    ask: Ask
    holder: Holder


def identify(work: UnitOfWork, mail: Understood) -> Identity:
    """Who wrote this, and what may it do.

    Raises ReplayMismatch when the game it is about cannot be replayed.
    """
    places = places_of(work, mail.tokens)
    own = [place for place in places if place.holder.player.owns(mail.sender)]
    if own:
        first = own[0]
        if mail.authenticated is False or mail.via_list:
            return Untrusted(first.holder, "failed")
        place = best([one for one in own if one.ask.game_id == first.ask.game_id and one.ask.seat == first.ask.seat])
        return Trusted(place.holder, place.ask, past(place), first.ask if first.ask.kind == YES else None)
    for place in places:
        if asks_address(place.ask, mail.sender) and mail.authenticated is not False:
            return Newcomer(place.holder, place.ask)
    for place in places:
        if past(place) is None:
            return Untrusted(place.holder, "address")
    known = work.tx.players_at(mail.sender) if mail.sender else ()
    holder = seat_meant(work, known, mail.subject)
    if holder is None:
        return Stranger("unknown sender without a valid token")
    return Untrusted(holder, "failed" if mail.authenticated is False else "token")


def places_of(work: UnitOfWork, tokens: Iterable[str]) -> list[Place]:
    """The tokens of a mail that count, best first: of the seats' present tenure, and not given away."""
    tables: dict[GameId, Table] = {}
    found = []
    for token in list(dict.fromkeys(tokens))[:MOST_TOKENS]:
        ask = work.tx.ask_for(token)
        if ask is None or ask.retired:
            continue
        if ask.game_id not in tables:
            tables[ask.game_id] = load(work, ask.game_id)
        table = tables[ask.game_id]
        if ask.seat in table.players and table.seats[ask.seat].tenure == ask.tenure:
            found.append(Place(ask, Holder(table, ask.seat)))
    return found


def best(places: list[Place]) -> Place:
    """The one that can move something, else the first: a mail may carry the tokens of its whole thread."""
    return next((one for one in places if past(one) is None), places[0])


def asks_address(ask: Ask, address: str) -> bool:
    """Whether this ask went to an address, to be confirmed from there."""
    return ask.kind == YES and ask.address != "" and address_key(ask.address) == address_key(address)


def past(place: Place) -> Why | None:
    """Why a token moves nothing; None when it does."""
    if place.holder.table.game.status == "over":
        return "over"
    if not place.ask.moves:
        return "commands"
    if place.ask.open:
        return None
    return CLOSED.get(place.ask.closed_why, "past")


def seat_meant(work: UnitOfWork, players: Iterable[Player], subject: str) -> Holder | None:
    """The seat that a mail without a token is about: that of the game named in the subject, else one that is asked
    something, else the newest. It is only a guess, but nothing happens on it without a `yes`."""
    tx = work.tx
    codes = {code.upper() for code in CODE.findall(subject)}
    places = [
        (game, seat) for player in players for seat in tx.seats_of(player.id) if (game := tx.game(seat.game_id)).version
    ]
    for narrower in (
        lambda game, seat: game.code in codes,
        lambda game, seat: game.status != "over",
        lambda game, seat: any(ask.kind != "told" for ask in tx.open_asks(game.id, seat.seat)),
    ):
        if len(places) > 1:
            places = [place for place in places if narrower(*place)] or places
    if not places:
        return None
    game, seat = places[-1]
    return Holder(load(work, game.id), seat.seat)
