"""Who sits at a table: names and addresses as a moderator writes them, and the persons behind them."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import parseaddr

from pbem.config import plausible_address
from pbem.errors import ConfigError
from pbem.play.table import UnitOfWork
from pbem.store import Player

#: Longest name of a game or a player.
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who is to have a seat: a person with an address, or a bot without."""

    name: str
    address: str = ""


def sitter(text: str) -> Sitter:
    """Read `Ann <ann@example.org>`, `ann@example.org`, `bot` or `bot:NAME`.

    Raises ConfigError.
    """
    kind, _, name = text.strip().partition(":")
    if kind.strip().casefold() == "bot":
        return Sitter(plausible_name(name) if name.strip() else "")
    name, address = parseaddr(text)
    if "@" not in address:
        raise ConfigError(f"{text!r} is no player; write 'Ann <ann@example.org>', or 'bot'")
    try:
        address = plausible_address(address)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    return Sitter(plausible_name(name or address.partition("@")[0]), address)


def plausible_name(text: str) -> str:
    """A name in one line.

    Raises ConfigError.
    """
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise ConfigError(f"{text!r} is no name; a name has 1 to {LONGEST_NAME} ordinary characters")
    return name


def person(work: UnitOfWork, one: Sitter) -> Player:
    """The player of this name and address, added when new."""
    for player in work.tx.players_at(one.address):
        if player.name.casefold() == one.name.casefold():
            return player
    return work.tx.add_player(one.name, one.address, work.now)
