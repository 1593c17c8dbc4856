"""The people: names and addresses as a moderator writes them, and the players they belong to."""

from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parseaddr

from pbem.address import plausible_address
from pbem.config import known_zone
from pbem.errors import ConfigError, StoreError
from pbem.moderator.moderator import Moderator, record
from pbem.play.table import UnitOfWork
from pbem.store import Player, PlayerId

#: Longest name of a game or a player.
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """Who is to have a seat: a person with an address, or a bot without."""

    name: str
    address: str = ""


def seat_spec(text: str) -> SeatSpec:
    """Read `Ann <ann@example.org>`, `ann@example.org`, `bot` or `bot:NAME`. Raises ConfigError."""
    kind, _, name = text.strip().partition(":")
    if kind.strip().casefold() == "bot":
        return SeatSpec(plausible_name(name) if name.strip() else "")
    name, address = parseaddr(text)
    if "@" not in address:
        raise ConfigError(f"{text!r} is no player; write 'Ann <ann@example.org>', or 'bot'")
    address = usable(plausible_address, address)
    return SeatSpec(plausible_name(name or address.partition("@")[0]), address)


def plausible_name(text: str) -> str:
    """A name in one line. Raises ConfigError."""
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise ConfigError(f"{text!r} is no name; a name has 1 to {LONGEST_NAME} ordinary characters")
    return name


def usable(checked: Callable[[str], str], text: str) -> str:
    """An address or a time zone as it is stored. Raises ConfigError."""
    try:
        return checked(text)
    except ValueError as error:
        raise ConfigError(str(error)) from error


def occupant(work: UnitOfWork, spec: SeatSpec, place: int) -> tuple[PlayerId | None, str]:
    """Who takes a place: the player of this name and address, added when new; or a bot, by its name."""
    if not spec.address:
        return None, spec.name or f"Bot {place + 1}"
    for player in work.tx.players_at(spec.address):
        if player.name.casefold() == spec.name.casefold():
            return player.id, ""
    return work.tx.add_player(spec.name, spec.address, work.now).id, ""


def player_at(work: UnitOfWork, address: str) -> Player:
    """The player who has this address. Raises StoreError when nobody has it, or several."""
    owners = work.tx.players_at(address)
    if len(owners) == 1:
        return owners[0]
    if not owners:
        raise StoreError(f"no player has the address {address}; pbem admin players lists them")
    names = ", ".join(player.name for player in owners)
    raise StoreError(f"{names} share the address {address}; give one that only one of them has")


def add_address(moderator: Moderator, known: str, address: str) -> Player:
    """Let a player, named by one of the present addresses, use another one too; reports go there from now on. An address
    that bounced is taken to work again. Raises ConfigError or StoreError."""
    address = usable(plausible_address, address)
    with moderator.working() as work:
        player = player_at(work, known)
        work.tx.use_address(player.id, address)
        work.tx.clear_bouncing(address)
        record(work, "address", "", player=player.name)
        return work.tx.player(player.id)


def set_timezone(moderator: Moderator, known: str, zone: str) -> Player:
    """Show a player, named by one of their addresses, the dates of reports in that zone; an empty one means the zone of
    each game. Raises ConfigError or StoreError."""
    zone = usable(known_zone, zone) if zone else ""
    with moderator.working() as work:
        player = player_at(work, known)
        work.tx.set_timezone(player.id, zone)
        record(work, "timezone", "", player=player.name, zone=zone)
        return work.tx.player(player.id)
