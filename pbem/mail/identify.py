"""Who wrote a mail, and what it may do: the tokens in it and the address it came from, together.

`From:` alone is never proof, and a token alone is none either. Nothing here changes anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pbem.mail.values import Understood
from pbem.protocol import Seat
from pbem.store import Ask, GameId, Player, Tx

#: Tokens of one mail that are looked up; a long thread carries many, the first ones count.
MOST_TOKENS = 16
#: A game's code, as our subjects carry it.
CODE = re.compile(r"\bG\d{3,}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Holder:
    """A player at a seat, known by address."""

    game_id: GameId
    seat: Seat
    player: Player


@dataclass(frozen=True, slots=True)
class Trusted:
    """A token of the seat's present tenure, from an address of its player."""

    holder: Holder
    ask: Ask
    #: Why its orders may not move; None when they may: the ask's turn or window is still open.
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class Untrusted:
    """Orders may be meant for this seat, but it is not proven: nothing applies, its player is asked."""

    holder: Holder
    why: Literal["address", "token", "failed"]


@dataclass(frozen=True, slots=True)
class Stranger:
    """Neither a token that counts nor a known address, or nothing to say whose seat is meant: no answer."""

    why: str


#: What a token can have become: its turn or window is over; the moderator set the game back; somebody else has
#: the seat or a newer mail took its place; the game is over; it was made for commands only.
Why: TypeAlias = Literal["past", "rolled_back", "replaced", "over", "commands"]

#: What the store notes of a closed ask, where it is not simply past.
CLOSED: dict[str, Why] = {"rollback": "rolled_back", "replaced": "replaced", "over": "over"}

Identity: TypeAlias = Trusted | Untrusted | Stranger


@dataclass(frozen=True, slots=True)
class Place:
    """A token that counts: its ask, and who holds the seat now."""

    ask: Ask
    holder: Holder


def identify(tx: Tx, mail: Understood) -> Identity:
    """Who wrote this, and what may it do."""
    places = places_of(tx, mail.tokens)
    own = [place for place in places if place.holder.player.owns(mail.sender)]
    if own:
        place = best(own)
        if mail.authenticated is False:
            return Untrusted(place.holder, "failed")
        return Trusted(place.holder, place.ask, past(tx, place.ask))
    for place in places:
        if past(tx, place.ask) is None:
            return Untrusted(place.holder, "address")
    known = tx.players_at(mail.sender) if mail.sender else ()
    holder = seat_meant(tx, known, mail.subject)
    if holder is None:
        return Stranger("unknown sender without a valid token")
    return Untrusted(holder, "failed" if mail.authenticated is False else "token")


def places_of(tx: Tx, tokens: Iterable[str]) -> list[Place]:
    """The tokens of a mail that count, best first: of the seats' present tenure, and not given away."""
    found = []
    for token in list(dict.fromkeys(tokens))[:MOST_TOKENS]:
        ask = tx.ask_for(token)
        if ask is None or ask.terms.get("retired"):
            continue
        seat = tx.seat(ask.game_id, ask.seat)
        if seat.player_id is not None and seat.tenure == ask.tenure:
            found.append(Place(ask, Holder(ask.game_id, ask.seat, tx.player(seat.player_id))))
    return found


def best(places: list[Place]) -> Place:
    """The one that can move something, else the first: a mail may carry the tokens of its whole thread."""
    return next((one for one in places if one.ask.open and one.ask.kind != "told"), places[0])


def past(tx: Tx, ask: Ask) -> Why | None:
    """Why an ask moves nothing; None when it does."""
    if tx.game(ask.game_id).status == "over":
        return "over"
    if ask.kind == "told":
        return "commands"
    if ask.open:
        return None
    return CLOSED.get(ask.closed_why, "past")


def seat_meant(tx: Tx, players: Iterable[Player], subject: str) -> Holder | None:
    """The seat that a mail without a token is about: that of the game named in the subject, else one that is asked
    something, else the newest. It is only a guess, but nothing happens on it without a `yes`."""
    codes = {code.upper() for code in CODE.findall(subject)}
    places = []
    for player in players:
        for seat in tx.seats_of(player.id):
            game = tx.game(seat.game_id)
            if game.status in ("running", "paused", "over"):
                places.append((Holder(seat.game_id, seat.seat, player), game))
    for narrower in (
        lambda place: place[1].code in codes,
        lambda place: place[1].status != "over",
        lambda place: any(ask.kind != "told" for ask in tx.open_asks(place[0].game_id, place[0].seat)),
    ):
        if len(places) > 1:
            places = [place for place in places if narrower(place)] or places
    return places[-1][0] if places else None
