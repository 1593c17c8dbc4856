"""The Game object: everything `pbem` knows of Ankh-Morpork."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from games.ankh_morpork.bot.choose import bot
from games.ankh_morpork.data.cards import AREA, ENTRIES, NAMES, plain
from games.ankh_morpork.match import Match
from games.ankh_morpork.policies import answer, in_force, read_policy
from games.ankh_morpork.position.options import COLOURS
from games.ankh_morpork.text.words import TOPICS, VOCABULARY


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
        for kind, entries in ENTRIES.items():
            if said in NAMES[kind]:
                return _shown(kind, entries[NAMES[kind][said]])
        for kind, entries in ENTRIES.items():
            for entry in entries:
                if said in map(plain, VOCABULARY.names[kind][entry.name]):
                    return _shown(kind, entry)
        return None


def _shown(kind: str, entry: Any) -> dict[str, Any]:
    shown = {"kind": kind, **asdict(entry)}
    if kind == "area":
        shown["neighbours"] = [AREA[other] for other in entry.neighbours]
    return shown


GAME = AnkhMorpork()
