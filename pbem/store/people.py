"""Players and their addresses."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, insert, select, update

from pbem.store.tables import addresses, players, seats
from pbem.store.values import Address, GameId, Player, PlayerId, address_key

# Those who sit at a game: made once, for every mail needs them.
SEATED = select(seats.c.player_id).where(seats.c.game_id == bindparam("game"))
PLAYERS_AT = select(players).where(players.c.id.in_(SEATED)).order_by(players.c.id)
ADDRESSES_AT = (
    select(addresses)
    .where(addresses.c.player_id.in_(SEATED))
    .order_by(addresses.c.preferred.desc(), addresses.c.id)
)


class People:
    """Part of a transaction: persons, and how mail reaches them."""

    connection: Connection

    def add_player(self, name: str, address: str, now: datetime) -> Player:
        """Add a person with a first address, which the moderator vouches for."""
        made = self.connection.execute(
            insert(players).values(name=name, timezone="", created_at=now).returning(players.c.id)
        ).scalar_one()
        self.add_address(made, address, now)
        return self.player(made)

    def player(self, player_id: PlayerId) -> Player:
        return self._players(
            self.connection.execute(select(players).where(players.c.id == player_id)),
            self.connection.execute(ordered_addresses().where(addresses.c.player_id == player_id)),
        )[0]

    def players_of(self, game_id: GameId) -> dict[PlayerId, Player]:
        """Everybody who plays in a game."""
        found = self._players(
            self.connection.execute(PLAYERS_AT, {"game": game_id}),
            self.connection.execute(ADDRESSES_AT, {"game": game_id}),
        )
        return {one.id: one for one in found}

    def players(self) -> tuple[Player, ...]:
        """Everybody, in the order of appearance."""
        return self._players(
            self.connection.execute(select(players).order_by(players.c.id)),
            self.connection.execute(ordered_addresses()),
        )

    def players_at(self, address: str) -> tuple[Player, ...]:
        """Everybody who has this verified address; several may share one."""
        owners = self.connection.execute(
            select(addresses.c.player_id)
            .where(addresses.c.key == address_key(address), addresses.c.verified_at.is_not(None))
            .order_by(addresses.c.player_id)
        ).scalars()
        return tuple(self.player(owner) for owner in owners)

    def add_address(
        self,
        player_id: PlayerId,
        address: str,
        now: datetime,
        *,
        verified: bool = True,
        preferred: bool = False,
    ) -> None:
        """Add an address; when the player has it already, it is only confirmed."""
        known = self.connection.execute(
            select(addresses.c.id).where(
                addresses.c.player_id == player_id, addresses.c.key == address_key(address)
            )
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
            self.connection.execute(
                update(addresses)
                .where(addresses.c.id == known, addresses.c.verified_at.is_(None))
                .values(verified_at=now)
            )
        if preferred:
            self.prefer_address(player_id, address)

    def prefer_address(self, player_id: PlayerId, address: str) -> None:
        """Send this player's reports to that address from now on."""
        self.connection.execute(
            update(addresses)
            .where(addresses.c.player_id == player_id)
            .values(preferred=addresses.c.key == address_key(address))
        )

    def mark_bouncing(self, address: str, reason: str, now: datetime) -> tuple[Player, ...]:
        """Note that mail to an address comes back; the players concerned."""
        self.connection.execute(
            update(addresses)
            .where(addresses.c.key == address_key(address), addresses.c.bouncing_at.is_(None))
            .values(bouncing_at=now, bounce_reason=reason)
        )
        return self.players_at(address)

    def clear_bouncing(self, address: str) -> None:
        """Note that an address works: mail came from it, or its owner says so."""
        self.connection.execute(
            update(addresses)
            .where(addresses.c.key == address_key(address), addresses.c.bouncing_at.is_not(None))
            .values(bouncing_at=None, bounce_reason="")
        )

    def set_timezone(self, player_id: PlayerId, timezone: str) -> None:
        """Show this player dates in that zone; an empty one means the zone of each game."""
        self.connection.execute(update(players).where(players.c.id == player_id).values(timezone=timezone))

    def _players(self, rows: Iterable[Row[Any]], having: Iterable[Row[Any]]) -> tuple[Player, ...]:
        found: dict[int, list[Address]] = {}
        for row in having:
            found.setdefault(row.player_id, []).append(
                Address(
                    player_id=row.player_id,
                    address=row.address,
                    verified_at=row.verified_at,
                    bouncing_at=row.bouncing_at,
                    bounce_reason=row.bounce_reason,
                    preferred=row.preferred,
                )
            )
        return tuple(
            Player(id=row.id, name=row.name, timezone=row.timezone, addresses=tuple(found.get(row.id, ())))
            for row in rows
        )


def ordered_addresses() -> Any:
    """Addresses, the preferred one of each player first."""
    return select(addresses).order_by(addresses.c.preferred.desc(), addresses.c.id)
