"""Players and their addresses."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Select, bindparam, insert, select

from pbem.store.rows import Rows
from pbem.store.tables import addresses, columns, players, seats
from pbem.store.values import Address, GameId, Player, PlayerId, address_key

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
        made = self.connection.execute(
            insert(players).values(name=name, created_at=now).returning(players.c.id)
        ).scalar_one()
        self.add_address(made, address, now)
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
        """Everybody who has this verified address; several may share one."""
        owners = self.connection.execute(
            select(addresses.c.player_id)
            .where(addresses.c.key == address_key(address), addresses.c.verified_at.is_not(None))
            .order_by(addresses.c.player_id)
        ).scalars()
        return tuple(self.player(owner) for owner in owners)

    def add_address(
        self, player_id: PlayerId, address: str, now: datetime, *, verified: bool = True, preferred: bool = False
    ) -> None:
        """Add an address; when the player has it already, it is only confirmed."""
        known = self.connection.execute(
            select(addresses.c.id).where(addresses.c.player_id == player_id, addresses.c.key == address_key(address))
        ).scalar_one_or_none()
        if known is None:
            self.connection.execute(
                insert(addresses).values(
                    player_id=player_id,
                    address=address.strip(),
                    key=address_key(address),
                    verified_at=now if verified else None,
                )
            )
        elif verified:
            self._change(addresses, addresses.c.id == known, addresses.c.verified_at.is_(None), verified_at=now)
        if preferred:
            self.prefer_address(player_id, address)

    def prefer_address(self, player_id: PlayerId, address: str) -> None:
        """Send this player's reports to that address from now on."""
        preferred = addresses.c.key == address_key(address)
        self._change(addresses, addresses.c.player_id == player_id, preferred=preferred)

    def mark_bouncing(self, address: str, reason: str, now: datetime) -> None:
        """Note that mail to an address comes back."""
        known = addresses.c.key == address_key(address)
        self._change(addresses, known, addresses.c.bouncing_at.is_(None), bouncing_at=now, bounce_reason=reason)

    def clear_bouncing(self, address: str) -> None:
        """Note that an address works: mail came from it, or its owner says so."""
        known = addresses.c.key == address_key(address)
        self._change(addresses, known, addresses.c.bouncing_at.is_not(None), bouncing_at=None, bounce_reason="")

    def set_timezone(self, player_id: PlayerId, timezone: str) -> None:
        """Show this player dates in that zone; an empty one means the zone of each game."""
        self._change(players, players.c.id == player_id, timezone=timezone)

    def _players(self, query: Select[Any], having: Select[Any], **values: Any) -> tuple[Player, ...]:
        owned: dict[PlayerId, list[Address]] = {}
        for row in self.connection.execute(having, values):
            owned.setdefault(row.player_id, []).append(Address(**row._mapping))
        rows = self.connection.execute(query, values)
        return tuple(Player(**row._mapping, addresses=tuple(owned.get(row.id, ()))) for row in rows)
