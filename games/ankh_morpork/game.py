"""The Game object: everything `pbem` knows of Ankh-Morpork."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from games.ankh_morpork.bot.choose import bot
from games.ankh_morpork.data.cards import (
    AREA,
    AREA_NAMES,
    AREAS,
    CARD_NAMES,
    CARDS,
    EVENT_NAMES,
    EVENTS,
    PERSONALITIES,
    PERSONALITY_NAMES,
    plain,
)
from games.ankh_morpork.match import Match
from games.ankh_morpork.policies.policies import answer, in_force
from games.ankh_morpork.policies.standing import read_policy
from games.ankh_morpork.position.options import COLOURS
from games.ankh_morpork.text.words import VOCABULARY

#: Rules topics and their other names; each has a template in `templates/ankh_morpork/rules`.
TOPICS: dict[str, tuple[str, ...]] = {
    "turn": ("turns", "order of play", "play", "refill", "passing"),
    "symbols": ("symbol", "cards", "card", "actions", "scroll", "scrolls"),
    "minions": ("minion", "placing", "moving", "reach", "trolls", "troll"),
    "trouble": ("trouble markers", "markers", "assassination", "assassinate", "calm"),
    "buildings": ("building", "build", "building rules"),
    "areas": ("area", "powers", "power", "city area cards", "map"),
    "control": ("controlling", "controlled"),
    "demons": ("demon",),
    "events": ("event", "random events", "small gods", "dice"),
    "interrupts": ("interrupt", "reactions", "reaction", "standing", "policies", "windows"),
    "loans": ("loan", "borrowing", "stuck", "bank"),
    "winning": ("win", "personality", "personalities", "goals"),
    "scoring": ("score", "points", "end", "end of the game", "ties"),
    "mail": ("defaults", "deadlines", "nmr", "undo", "orders"),
}


class AnkhMorpork:
    """Discworld: Ankh-Morpork (2011), for two to four players."""

    name = "ankh_morpork"
    title = "Discworld: Ankh-Morpork"
    seats = (2, 4)
    colours: tuple[str, ...] = COLOURS
    settings: Mapping[str, tuple[str, ...]] = {}
    vocabulary = VOCABULARY

    def new(self, seats: int, seed: bytes, settings: Mapping[str, str]) -> Match:
        """Set a match up from a 32-byte seed."""
        if not self.seats[0] <= seats <= self.seats[1]:
            raise ValueError(f"{seats} seats; Ankh-Morpork has 2 to 4")
        return Match.new(seats, seed)

    restore = staticmethod(Match.restore)
    turn_start = staticmethod(Match.turn_start)
    position = staticmethod(Match.from_position)
    policy = staticmethod(read_policy)
    answer = staticmethod(answer)
    policies = staticmethod(in_force)
    bot = staticmethod(bot)

    def topics(self) -> Mapping[str, tuple[str, ...]]:
        """Rules topics and their other names."""
        return TOPICS

    def lookup(self, name: str) -> Mapping[str, Any] | None:
        """A card, area, event or personality by any of its names: its fields, and `kind`."""
        said = plain(name)
        for kind, numbers, entries in _ENTRIES:
            if said in numbers:
                return _shown(kind, entries[numbers[said]])
        for kind, _, entries in _ENTRIES:
            for entry in entries:
                if said in map(plain, VOCABULARY.names[kind][entry.name]):
                    return _shown(kind, entry)
        return None


_ENTRIES: tuple[tuple[str, dict[str, int], Sequence[Any]], ...] = (
    ("card", CARD_NAMES, CARDS),
    ("area", AREA_NAMES, AREAS),
    ("event", EVENT_NAMES, EVENTS),
    ("personality", PERSONALITY_NAMES, PERSONALITIES),
)


def _shown(kind: str, entry: Any) -> dict[str, Any]:
    shown = {"kind": kind, **asdict(entry)}
    if kind == "area":
        shown["neighbours"] = [AREA[other] for other in entry.neighbours]
    return shown


GAME = AnkhMorpork()
