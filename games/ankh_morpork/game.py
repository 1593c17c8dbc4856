"""The Game object: everything `pbem` knows of Ankh-Morpork."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
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
from pbem.protocol import Answer, Decision, Game, Option, Seat, View
from pbem.protocol import Match as AnyMatch

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
    vocabulary = VOCABULARY

    def new(self, seats: int, seed: bytes) -> Match:
        """Set a match up from a 32-byte seed."""
        if not self.seats[0] <= seats <= self.seats[1]:
            raise ValueError(f"{seats} seats; Ankh-Morpork has 2 to 4")
        return Match.new(seats, seed)

    def restore(self, snapshot: Mapping[str, Any]) -> Match:
        """Make a match from `Match.snapshot()`."""
        return Match.restore(snapshot)

    def turn_start(self, snapshot: Mapping[str, Any]) -> Match:
        """The match at the start of the turn of `Match.snapshot()`, without its choices."""
        return Match.turn_start(snapshot)

    def commitment(self, seats: int, seed: bytes) -> str:
        """The SHA-256 of the JSON of game, seats and seed (hexadecimal), keys sorted, without blanks."""
        promise = {"game": self.name, "seats": seats, "seed": seed.hex()}
        return sha256(json.dumps(promise, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def policy(self, text: str) -> tuple[str, dict[str, Any]]:
        """Read what follows `standing`: a card and its JSON-able terms."""
        return read_policy(text)

    def answer(self, match: AnyMatch, policies: Mapping[str, Mapping[str, Any]]) -> Answer:
        """What the deciding seat's policies say to the pending window."""
        return answer(match, policies)

    def policies(
        self, match: AnyMatch, seat: Seat, policies: Mapping[str, Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Each policy in force at a seat, set or unset."""
        return in_force(match, seat, policies)

    def bot(self, view: View, decision: Decision, randomness: bytes) -> Option:
        """The option the computer player takes."""
        return bot(view, decision, randomness)

    def topics(self) -> Mapping[str, tuple[str, ...]]:
        """Rules topics and their other names."""
        return TOPICS

    def lookup(self, name: str) -> Mapping[str, Any] | None:
        """A card, area, event or personality: its fields, and `kind`."""
        said = plain(name)
        if said in CARD_NAMES:
            return {"kind": "card", **asdict(CARDS[CARD_NAMES[said]])}
        if said in AREA_NAMES:
            area = AREAS[AREA_NAMES[said]]
            return {"kind": "area", **asdict(area), "neighbours": [AREA[other] for other in area.neighbours]}
        if said in EVENT_NAMES:
            return {"kind": "event", **asdict(EVENTS[EVENT_NAMES[said]])}
        if said in PERSONALITY_NAMES:
            return {"kind": "personality", **asdict(PERSONALITIES[PERSONALITY_NAMES[said]])}
        return _by_alias(said)


def _by_alias(said: str) -> Mapping[str, Any] | None:
    """A card or area by one of the short names that orders understand."""
    for kind, things in (("card", CARDS), ("area", AREAS)):
        for thing in things:
            if any(plain(alias) == said for alias in VOCABULARY.names[kind][thing.name]):
                return GAME.lookup(thing.name)
    return None


GAME: Game = AnkhMorpork()
