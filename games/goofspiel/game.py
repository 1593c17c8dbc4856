"""What the server sees of Goofspiel: one object, `GAME`, that keeps `pbem.protocol.Game`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.goofspiel import answers
from games.goofspiel.match import COLOURS, Match
from pbem.protocol import Decision, Game, Option, Seat, Vocabulary, settings_for

#: What people call some cards besides their number.
NAMES = {1: ("ace",), 11: ("jack", "knave"), 12: ("queen",), 13: ("king",)}


class Goofspiel:
    """Goofspiel, for two to six players."""

    name = "goofspiel"
    title = "Goofspiel"
    seats = (2, 6)
    colours: tuple[str, ...] = COLOURS
    settings: Mapping[str, tuple[str, ...]] = {"cards": ("13", "10", "7", "5")}
    vocabulary = Vocabulary(
        verbs={"bid": ("offer", "play", "bet")},
        names={"card": {str(card): NAMES.get(card, ()) for card in range(1, 14)}},
        fillers=frozenset(("card",)),
    )

    def new(self, seats: int, seed: bytes, settings: Mapping[str, str]) -> Match:
        """Set a match up from a seed."""
        if not self.seats[0] <= seats <= self.seats[1]:
            raise ValueError(f"{seats} seats; Goofspiel has 2 to 6")
        return Match.new(seats, int(settings_for(self, settings)["cards"]), seed)

    def restore(self, snapshot: Mapping[str, Any]) -> Match:
        """Make a match from `Match.snapshot()`."""
        return Match.restore(snapshot)

    def turn_start(self, snapshot: Mapping[str, Any]) -> Match:
        """The match before anybody has bid in the turn of `Match.snapshot()`."""
        return Match.turn_start(snapshot)

    def bot(self, view: Mapping[str, Any], decision: Decision, randomness: bytes) -> Option:
        """Bid about what the prizes are worth, a little more or less by chance."""
        worth = sum(decision.facts["stakes"]) + randomness[0] % 5 - 2
        return min(decision.options, key=lambda option: abs(int(option.text.removeprefix("bid ")) - worth))

    def dealt_anew(self, match: Match, seat: Seat | None, entropy: bytes) -> Match:
        """The same match for that seat: the prizes come in another order, and the others have bid other cards."""
        twin = match.fork()
        twin.rollback_entropy(entropy)
        twin.bids = [
            bid if bid is None or at == seat else hand[entropy[at] % len(hand)]
            for at, (bid, hand) in enumerate(zip(twin.bids, twin.hands, strict=True))
        ]
        return twin

    entries = staticmethod(answers.entries)
    synonyms = staticmethod(answers.synonyms)
    finding = staticmethod(answers.finding)
    untold = staticmethod(answers.untold)

    def topics(self) -> Mapping[str, tuple[str, ...]]:
        """Rules topics and their other names."""
        return {"bids": ("bid", "bidding", "turn"), "ties": ("tie", "tied"), "points": ("scoring", "winning")}

    def lookup(self, name: str) -> Mapping[str, Any] | None:
        """A card: its number, and what it is called besides."""
        cards = self.vocabulary.names["card"].items()
        return next(({"number": int(n), "aliases": list(a)} for n, a in cards if name.casefold() in (n, *a)), None)


GAME: Game = Goofspiel()
