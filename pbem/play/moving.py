"""Where a player's mail goes. A change of it waits a day, and everybody who plays with them is told: whoever got hold of
one mail of a player must not get all that follow.
"""

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from pbem.address import address_key
from pbem.errors import ReplayMismatch
from pbem.play import advance
from pbem.play.letters import Letters
from pbem.play.table import Table, UnitOfWork, load
from pbem.protocol import Seat
from pbem.reports import contexts
from pbem.store import Player, PlayerId

log = logging.getLogger(__name__)

#: So long whoever reads a player's present address can object to another one.
WAITS = timedelta(hours=24)


def reachable(player: Player) -> bool:
    """Whether a player has an address that does not bounce."""
    return player.address is not None and player.address.bouncing_at is None


def move(work: UnitOfWork, player: Player, address: str, why: str = "") -> None:
    """Send a player's reports to another address: after a day, or at once when they reach nobody now or hold no secret
    yet. All old addresses and all seats are told."""
    if not reachable(player) or not list(seats_of(work, player.id)):
        tell(work, player, "moved", address, why)
        return arrive(work, player.id, address)
    work.tx.use_address_later(player.id, address, work.now + WAITS)
    return tell(work, player, "moving", address, why)


def arrive(work: UnitOfWork, player_id: PlayerId, address: str) -> None:
    """Send a player's reports to an address from now on."""
    advance.give_back(work, work.tx.player(player_id))
    work.tx.use_address(player_id, address)
    work.tx.clear_bouncing(address)
    renew(work, player_id)


def remove(work: UnitOfWork, player: Player, address: str, why: str = "") -> None:
    """Take an address away from a player who has another one; it is told as well."""
    tell(work, player, "removed", address, why)
    work.tx.remove_address(player.id, address)
    renew(work, player.id)


def renew(work: UnitOfWork, player_id: PlayerId) -> None:
    """End all tokens that a player has got, and send full reports with new ones."""
    for table, seat in seats_of(work, player_id):
        work.tx.end_tokens(table.game.id, seat)
        advance.reask(work, table.game.id, seat)


def tell(work: UnitOfWork, player: Player, what: contexts.AddressStep, address: str, why: str) -> None:
    """Tell a player, at every address, and all who play with them. These mails carry no token: not all who read them may
    be whom we think."""
    told: dict[str, Any] = {"what": what, "address": address, "reason": why, "token": None, "kind": "address"}
    for number, (table, seat) in enumerate(seats_of(work, player.id)):
        letters = Letters(work, table)
        if number == 0:
            from_when = work.now + WAITS if what == "moving" else None
            everywhere = {address_key(to): to for to in [address, *(own.address for own in player.addresses)]}
            for to in everywhere.values():
                letters.post(seat, contexts.NewAddress, to=to, from_when=from_when, **told)
        for other in table.players:
            if other != seat:
                about: dict[str, Any] = {"about": table.colour(seat), "name": table.seats[seat].name, "reason": why}
                letters.post(other, contexts.Notice, what="address", **about)


def seats_of(work: UnitOfWork, player_id: PlayerId) -> Iterator[tuple[Table, Seat]]:
    """The seats of a player in games that are being played and can be."""
    for place in work.tx.seats_of(player_id):
        if work.tx.game(place.game_id).status in ("running", "paused"):
            try:
                yield load(work, place.game_id), place.seat
            except ReplayMismatch:  # its words show the position, hands and all
                log.warning("game %s no longer replays; its players are told nothing", place.game_id)
