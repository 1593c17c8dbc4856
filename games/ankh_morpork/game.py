"""The Game object: everything `pbem` knows of Ankh-Morpork."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from games.ankh_morpork.answers import entries as reference
from games.ankh_morpork.answers.position import finding, untold
from games.ankh_morpork.bot.choose import bot
from games.ankh_morpork.bot.suggest import suggest
from games.ankh_morpork.data.cards import AREA, ENTRIES, NAMES, plain
from games.ankh_morpork.drawing import drawing
from games.ankh_morpork.match import Match
from games.ankh_morpork.policies import answer, in_force, read_policy
from games.ankh_morpork.position import notation
from games.ankh_morpork.position.dice import Dice
from games.ankh_morpork.position.options import COLOURS
from games.ankh_morpork.text.words import TOPICS, VOCABULARY
from pbem.protocol import Seat


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
    suggest = staticmethod(suggest)
    entries = staticmethod(reference.entries)
    synonyms = staticmethod(reference.synonyms)
    finding = staticmethod(finding)
    untold = staticmethod(untold)
    drawing = staticmethod(drawing)

    def dealt_anew(self, match: Match, seat: Seat | None, entropy: bytes) -> Match:
        """The same match for that seat: where the turn begins, what neither it nor the actor can see is dealt anew. That the
        actor plays on is no secret; and what was chosen since may be possible with these hands alone."""
        start = match.snapshot()
        if start["choices"]:
            return match
        there = notation.read(start["position"])
        there.deal_anew((seat, there.actor), () if seat is None else there.seen[seat], Dice(entropy))
        return Match.turn_start({**start, "position": notation.write(there)})

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
