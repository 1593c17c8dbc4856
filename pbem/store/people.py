"""Players and their addresses."""

from datetime import datetime
from typing import Any

from sqlalchemy import Select, bindparam, delete, select

from pbem.address import address_key
from pbem.store.rows import Rows
from pbem.store.tables import addresses, columns, players, seats
from pbem.store.values import Address, GameId, Player, PlayerId

# Those who sit at a game: made once, for every mail needs them.
SEATED = select(seats.c.player_id).where(seats.c.game_id == bindparam("game"))
PLAYERS = select(*columns(players, Player, "addresses")).order_by(players.c.id)
# The preferred address of each player comes first.
ADDRESSES = select(*columns(addresses, Address)).order_by(addresses.c.preferred.desc(), addresses.c.id)
PLAYERS_AT = PLAYERS.where(players.c.id.in_(SEATED))
ADDRESSES_AT = ADDRESSES.where(addresses.c.player_id.in_(SEATED))


class People(Rows):
    """Part of a transaction: persons, and how mail reaches them."""

    def add_player(self, name: str, address: str, now: datetime) -> Player:
        """Add a person with a first address, which the moderator vouches for."""
        made = PlayerId(self._add(players, name=name, created_at=now))
        self.use_address(made, address)
        return self.player(made)

    def player(self, player_id: PlayerId) -> Player:
        """The player with this id."""
        (player,) = self._players(
            PLAYERS.where(players.c.id == player_id), ADDRESSES.where(addresses.c.player_id == player_id)
        )
        return player

    def players_of(self, game_id: GameId) -> dict[PlayerId, Player]:
        """Everybody who plays in a game."""
        return {player.id: player for player in self._players(PLAYERS_AT, ADDRESSES_AT, game=game_id)}

    def players(self) -> tuple[Player, ...]:
        """Everybody, in the order of appearance."""
        return self._players(PLAYERS, ADDRESSES)

    def players_at(self, address: str) -> tuple[Player, ...]:
        """Everybody who has this address; several may share one."""
        owners = select(addresses.c.player_id).where(addresses.c.key == address_key(address))
        return tuple(self.player(owner) for owner in self.connection.scalars(owners.order_by(addresses.c.player_id)))

    def use_address(self, player_id: PlayerId, address: str) -> None:
        """Send a player's reports to an address from now on; a new one is added."""
        mine, key = {"player_id": player_id}, address_key(address)
        if not self.player(player_id).owns(address):
            self._add(addresses, **mine, address=address.strip(), key=key)
        self._change(addresses, mine, preferred=False)
        self._change(addresses, mine | {"key": key}, preferred=True)
        self._change(players, {"id": player_id}, moving_to="", moving_at=None)

    def use_address_later(self, player_id: PlayerId, address: str, at: datetime) -> None:
        """Note an address that a player's reports are to go to from then on."""
        self._change(players, {"id": player_id}, moving_to=address.strip(), moving_at=at)

    def due_moves(self, now: datetime) -> tuple[Player, ...]:
        """The players whose reports are to go elsewhere by now."""
        moving = select(players.c.id).where(players.c.moving_at.is_not(None), players.c.moving_at <= now)
        return tuple(self.player(moved) for moved in self.connection.scalars(moving.order_by(players.c.moving_at)))

    def remove_address(self, player_id: PlayerId, address: str) -> None:
        """Forget an address of a player, or one that is only to become so."""
        mine, key = {"player_id": player_id}, address_key(address)
        self.connection.execute(delete(addresses).filter_by(**mine, key=key))
        if address_key(self.player(player_id).moving_to) == key:
            self._change(players, {"id": player_id}, moving_to="", moving_at=None)

    def mark_bouncing(self, address: str, reason: str, now: datetime) -> None:
        """Note that mail to an address comes back; reports that were to go there later do not."""
        self._change(players, {"moving_to": address}, moving_to="", moving_at=None)
        known = {"key": address_key(address), "bouncing_at": None}
        self._change(addresses, known, bouncing_at=now, bounce_reason=reason)

    def clear_bouncing(self, address: str) -> None:
        """Note that an address works: mail came from it, or its owner says so."""
        self._change(addresses, {"key": address_key(address)}, bouncing_at=None, bounce_reason="")

    def set_timezone(self, player_id: PlayerId, timezone: str) -> None:
        """Show this player dates in that zone; an empty one means the zone of each game."""
        self._change(players, {"id": player_id}, timezone=timezone)

    def _players(self, query: Select[Any], having: Select[Any], **values: Any) -> tuple[Player, ...]:
        owned: dict[PlayerId, list[Address]] = {}
        for row in self.connection.execute(having, values):
            owned.setdefault(row.player_id, []).append(Address(**row._mapping))
        rows = self.connection.execute(query, values)
        return tuple(Player(**row._mapping, addresses=tuple(owned.get(row.id, ()))) for row in rows)
