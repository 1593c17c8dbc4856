"""The people: names and addresses as a moderator writes them, and the players they belong to."""

from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parseaddr
from functools import partial
from itertools import islice

from pbem.address import address_key, plausible_address
from pbem.config import known_zone
from pbem.errors import ConfigError, StoreError
from pbem.moderator.moderator import Moderator, record
from pbem.play import moving
from pbem.play.letters import Letters
from pbem.play.table import UnitOfWork
from pbem.reports import contexts
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
    address = usable(partial(plausible_address, smtputf8=True), address)
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
    deliverable(work, spec.address)
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


def deliverable(work: UnitOfWork, text: str) -> str:
    """An address as it is stored, which our mail server can write to. Raises ConfigError."""
    utf8 = work.tx.remembered("smtputf8") == "yes"
    address = usable(partial(plausible_address, smtputf8=utf8), text)
    if work.settings.mail.is_own(address):
        raise ConfigError(f"{address} is the address of the game itself; no player reads there")
    return address


def add_address(moderator: Moderator, known: str, address: str, why: str) -> Player:
    """Send the reports of a player, named by one of the present addresses, to another one: a day from now, or at once
    when it is known, or when nothing else works. An address that bounced is taken to work again. Raises ConfigError or
    StoreError."""
    with moderator.working() as work:
        address, player = deliverable(work, address), player_at(work, known)
        before = [own.address for own in player.addresses]
        if not player.owns(address):
            moving.move(work, player, address, why)
        else:
            if player.address is None or address_key(player.address.address) != address_key(address):
                moving.tell(work, player, "moved", address, why)
            moving.arrive(work, player.id, address)
        record(work, "address", why, player=player.name, address=address, before=before)
        return work.tx.player(player.id)


def remove_address(moderator: Moderator, address: str, why: str) -> Player:
    """Take an address away from a player who has another one, or one that reports were only to go to. Raises StoreError."""
    with moderator.working() as work:
        waiting = [player for player in work.tx.players() if address_key(player.moving_to) == address_key(address)]
        player = waiting[0] if waiting else player_at(work, address)
        before = [own.address for own in player.addresses]
        if len(before) == 1 and player.owns(address):
            advice = (
                "`pbem admin address` gives one, which counts after a day, and `replace` gives the seat away at once"
            )
            raise StoreError(f"{address} is the only address of {player.name}; {advice}")
        moving.remove(work, player, address, why)
        record(work, "address removed", why, player=player.name, address=address, before=before)
        return work.tx.player(player.id)


def set_timezone(moderator: Moderator, known: str, zone: str) -> Player:
    """Show a player, named by one of their addresses, the dates of reports in that zone; an empty one means the zone of
    each game. Raises ConfigError or StoreError."""
    zone = usable(known_zone, zone) if zone else ""
    with moderator.working() as work:
        player = player_at(work, known)
        work.tx.set_timezone(player.id, zone)
        for table, seat in islice(moving.seats_of(work, player.id), 1):
            Letters(work, table).post(seat, contexts.Notice, what="timezone", settings={"timezone": zone})
        record(work, "timezone", "", player=player.name, zone=zone)
        return work.tx.player(player.id)
