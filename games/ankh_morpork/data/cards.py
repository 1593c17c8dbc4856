"""The cards, areas, events and personalities, read from `data/*.toml`. Everywhere else they are small numbers.

A card's number is its place in the order of ids, so that "the first card by id" is the smallest number and a
sorted hand is in order. Areas, events and personalities keep the order of their files.
"""

import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Card:
    """A player card."""

    index: int
    id: str
    name: str
    deck: str
    symbols: tuple[str, ...]
    scroll: str | None
    #: The function that carries the scroll out, and its arguments.
    effect: str
    arguments: tuple[int | str, ...]
    aliases: tuple[str, ...]
    interrupt: bool
    event: bool
    two_players: bool


@dataclass(frozen=True, slots=True)
class Area:
    """One of the twelve areas of the city."""

    index: int
    number: int
    slug: str
    name: str
    cost: int
    neighbours: tuple[int, ...]
    river: bool
    start: bool
    power: str
    power_kind: str
    power_amount: int


@dataclass(frozen=True, slots=True)
class RandomEvent:
    """A random event card."""

    index: int
    id: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Personality:
    """A personality card: a secret goal."""

    index: int
    id: str
    name: str
    goal: str
    text: str
    #: The smallest number of players it is used with.
    min_players: int
    #: The figure needed, by number of players.
    thresholds: dict[int, int]


def _data(name: str) -> list[dict[str, Any]]:
    text = (files("games.ankh_morpork") / "data" / name).read_text(encoding="utf-8")
    return next(value for value in tomllib.loads(text).values() if isinstance(value, list))


def _card(index: int, *, effect: str = "", symbols: list[str], aliases: Sequence[str] = (), **row: Any) -> Card:
    effect, *arguments = effect.split(":")
    return Card(
        index=index,
        effect=effect,
        arguments=tuple(int(argument) if argument.isdigit() else argument for argument in arguments),
        symbols=tuple(symbols),
        aliases=tuple(aliases),
        interrupt="interrupt" in symbols,
        event="event" in symbols,
        **{"scroll": None, "two_players": not row.pop("removed_for_two_players", False)} | row,
    )


def _areas() -> tuple[Area, ...]:
    rows = _data("areas.toml")
    number = {row["slug"]: index for index, row in enumerate(rows)}
    return tuple(
        Area(index=index, neighbours=tuple(sorted(number[slug] for slug in row.pop("adjacent"))), **row)
        for index, row in enumerate(rows)
    )


def _personality(index: int, *, thresholds: Mapping[str, int] | None = None, **row: Any) -> Personality:
    needed = {int(players): needed for players, needed in (thresholds or {}).items()}
    return Personality(index=index, thresholds=needed, **row)


CARDS = tuple(
    _card(index, **row) for index, row in enumerate(sorted(_data("cards.toml"), key=lambda row: str(row["id"])))
)
AREAS = _areas()
EVENTS = tuple(RandomEvent(index, **row) for index, row in enumerate(_data("events.toml")))
PERSONALITIES = tuple(_personality(index, **row) for index, row in enumerate(_data("personalities.toml")))

CARD_NUMBER = {card.id: card.index for card in CARDS}
AREA_NUMBER = {area.slug: area.index for area in AREAS}

#: The names alone, by number, for the log.
CARD = tuple(card.name for card in CARDS)
AREA = tuple(area.name for area in AREAS)

INTERRUPT = tuple(card.interrupt for card in CARDS)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """A name without case, accents, apostrophes and other punctuation, for looking up."""
    folded = unicodedata.normalize("NFKD", text).casefold().replace("&", " and ").replace("-", " ")
    return " ".join("".join(c for c in folded if c.isalnum() or c.isspace()).split())


def _names(entries: tuple[Any, ...]) -> dict[str, int]:
    """Every way to say a name -> its number."""
    numbers: dict[str, int] = {}
    for entry in entries:
        ways = [entry.name, getattr(entry, "id", getattr(entry, "slug", "")), *getattr(entry, "aliases", ())]
        for way in ways:
            said = plain(way)
            numbers[said] = entry.index
            numbers.setdefault(said.removeprefix("the "), entry.index)
    return numbers


ENTRIES: dict[str, tuple[Any, ...]] = {"card": CARDS, "area": AREAS, "event": EVENTS, "personality": PERSONALITIES}
#: By kind: every way to say a name -> its number.
NAMES = {kind: _names(entries) for kind, entries in ENTRIES.items()}
