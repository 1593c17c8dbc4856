"""A toy game that keeps the protocol: two or three seats play cards, place counters and take them off.

A card's letters are done from left to right: m places a counter, k takes somebody's off (its owner may save it:
a window), g makes somebody give a coin or a card (a question), c takes a coin by itself, w draws by itself, s is
a symbol that may be bought with the power of the Mill. The turn ends with a draw, unless the hand is full.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from pbem.protocol import Answer, Decision, Event, Option, Result, Seat, Vocabulary

PLACES = ("Mill", "Old Bridge", "New Bridge", "Market")
COLOURS = ("Red", "Green", "Blue")
CARDS = {
    "Baker": "m",
    "Sweep": "mm",
    "Tax": "cm",
    "Rogue": "km",
    "Beggar": "gm",
    "Owl": "wm",
    "Gull": "mc",
    "Ferry": "dm",
}
FULL = 3

WORDS = Vocabulary(
    verbs={
        "play": (),
        "use": (),
        "place": ("put", "put in"),
        "take": ("kill",),
        "skip": (),
        "end": ("end turn", "finish"),
        "give": (),
        "coin": ("money",),
        "draw": (),
        "save": (),
        "pass": (),
        "drop": ("discard",),
        "done": (),
    },
    names={
        "place": dict.fromkeys(PLACES, ()),
        "colour": dict.fromkeys(COLOURS, ()),
        "card": dict.fromkeys(CARDS, ()),
    },
    alone=frozenset(("skip", "end", "coin", "draw", "pass", "done", "save")),
    fillers=frozenset(("counter",)),
)


class ToyMatch:
    def __init__(
        self, hands: list[list[str]], pile: list[str], counters: Mapping[str, str] | None = None
    ) -> None:
        self.hands = hands
        self.pile = pile
        self.counters: dict[str, str] = dict(counters or {})
        self.coins = [0] * len(hands)
        self.savers = [True] * len(hands)
        self.turn, self.actor, self.reveals = 1, Seat(0), 0
        self.result: Result | None = None
        self.made: list[tuple[Any, ...]] = [(hands, pile, counters)]
        self.start = ([list(hand) for hand in hands], list(pile), dict(self.counters))
        self.taken: list[list[Any]] = []
        self.forced: list[Decision] = []
        self.log: list[Event] = []
        self.running = self._turns()
        self.decision: Decision | None = next(self.running)

    def choose(self, option: Option) -> list[Event]:
        decision = self.decision
        if decision is None or decision.option(option.text) is None:
            raise ValueError(f"illegal choice {option.text!r}")
        self.taken.append([decision.seat, option.text, []])
        self.log = []
        self.forced = []
        try:
            self.decision = self.running.send(option)
        except StopIteration:
            self.decision = None
            self.result = Result((self.actor,), "pile", (None,) * len(self.hands))
        return self.log

    def opening(self) -> list[Event]:
        return []

    def outlook(self, option: Option) -> Mapping[str, Any]:
        return {}

    def view(self, seat: Seat | None) -> Mapping[str, Any]:
        return {"counters": dict(self.counters), "hand": self.hands[seat] if seat is not None else []}

    def fork(self) -> ToyMatch:
        hands, pile, counters = self.start
        twin = ToyMatch([list(hand) for hand in hands], list(pile), counters)
        for _, text, _ in self.taken:
            assert twin.decision is not None
            twin.choose(Option(text))
        return twin

    def snapshot(self) -> dict[str, Any]:
        return {"start": self.start, "choices": self.taken}

    def choices(self) -> list[list[Any]]:
        return self.taken

    def digest(self) -> str:
        return self.position()

    def position(self) -> str:
        return (
            f"{self.turn} {self.actor} {self.hands} {self.pile} {self.counters} {self.coins} {self.reveals}"
        )

    def rollback_entropy(self, entropy: bytes) -> None:
        raise AssertionError("the toy game is not asked for this")

    # the rules

    def _ask(self, seat: int, kind: str, texts: list[str], **more: Any) -> Generator[Decision, Option, str]:
        options = [Option(text) for text in texts]
        known = {option.text: option for option in options}
        decline = known.get(more.pop("decline", ""))
        auto = known.get(more.pop("auto", ""))
        decision = Decision(
            Seat(seat), kind, options, decline or options[0], decline=decline, auto=auto, **more
        )
        if len(options) == 1 and not decision.window:
            self.forced.append(decision)
            return options[0].text
        chosen = yield decision
        return chosen.text

    def _turns(self) -> Generator[Decision, Option, None]:
        while True:
            yield from self._turn()
            if not self.pile and not any(self.hands):
                return
            self.turn += 1
            self.actor = Seat((self.actor + 1) % len(self.hands))

    def _turn(self) -> Generator[Decision, Option, None]:
        hand = self.hands[self.actor]
        if hand:
            card = (
                yield from self._ask(self.actor, "turn", [f"play {c}" for c in hand] + ["play nothing much"])
            )[5:]
            if card in hand:
                hand.remove(card)
                self.tell("Played", card=card)
                for symbol in CARDS[card]:
                    yield from getattr(self, f"_{symbol}")()
        if len(hand) < FULL and self.pile:
            self._draw()

    def _draw(self) -> None:
        self.hands[self.actor].append(self.pile.pop())
        self.reveals += 1
        self.tell("Drew")

    def _m(self) -> Generator[Decision, Option, None]:
        free = [place for place in PLACES if place not in self.counters]
        if free:
            texts = [f"place {place}" for place in free]
            chosen = yield from self._ask(self.actor, "place", [*texts, "skip"], decline="skip")
            if chosen != "skip":
                self.counters[chosen[6:]] = COLOURS[self.actor]
                self.tell("Placed", at=chosen[6:])

    def _k(self) -> Generator[Decision, Option, None]:
        texts = [f"take {colour} in {place}" for place, colour in self.counters.items()]
        if not texts:
            return
        chosen = yield from self._ask(self.actor, "take", [*texts, "skip"], decline="skip")
        if chosen == "skip":
            return
        colour, place = chosen[5:].split(" in ")
        owner = COLOURS.index(colour)
        options = ["save", "pass"] if self.savers[owner] else ["pass"]
        saved = yield from self._ask(
            owner,
            "react",
            options,
            decline="pass",
            window=True,
            seats=(Seat(owner),),
            facts={"threat": "take"},
        )
        self.reveals += 1
        if saved == "save":
            self.savers[owner] = False
        else:
            del self.counters[place]
        self.tell("Taken", at=place, saved=saved == "save")

    def _g(self) -> Generator[Decision, Option, None]:
        others = [seat for seat in range(len(self.hands)) if seat != self.actor]
        named = yield from self._ask(self.actor, "target", [f"take {COLOURS[seat]}" for seat in others])
        victim = COLOURS.index(named[5:])
        options = ["give coin", *(f"give {card}" for card in self.hands[victim])]
        given = yield from self._ask(victim, "give", options)
        self.reveals += 1
        self.tell("Given", what=given)

    def _d(self) -> Generator[Decision, Option, None]:
        hand = self.hands[self.actor]
        while hand:
            chosen = yield from self._ask(
                self.actor, "drop", [*(f"drop {c}" for c in hand), "done"], decline="done"
            )
            if chosen == "done":
                return
            hand.remove(chosen[5:])
            self.tell("Dropped", card=chosen[5:])

    def _c(self) -> Generator[Decision, Option, None]:
        if (
            yield from self._ask(self.actor, "coin", ["coin", "skip"], auto="coin", decline="skip")
        ) == "coin":
            self.coins[self.actor] += 1
            self.tell("Coin")

    def _w(self) -> Generator[Decision, Option, None]:
        if (
            yield from self._ask(self.actor, "draw", ["draw", "skip"], auto="draw", decline="skip")
        ) == "draw":
            self._draw()

    def tell(self, kind: str, **data: Any) -> None:
        self.log.append(Event(kind, data))


class ToyGame:
    name = "toy"
    title = "Toy"
    seats = (2, 3)
    colours = COLOURS
    vocabulary = WORDS

    def new(self, seats: int, seed: bytes) -> ToyMatch:
        return ToyMatch([["Baker", "Tax"] for _ in range(seats)], ["Sweep"] * 4)

    def restore(self, snapshot: Mapping[str, Any]) -> ToyMatch:
        raise AssertionError("the toy game is not asked for this")

    def turn_start(self, snapshot: Mapping[str, Any]) -> ToyMatch:
        raise AssertionError("the toy game is not asked for this")

    def commitment(self, seats: int, seed: bytes) -> str:
        return ""

    def policy(self, text: str) -> tuple[str, dict[str, Any]]:
        raise AssertionError("the toy game is not asked for this")

    def answer(self, match: Any, policies: Mapping[str, Mapping[str, Any]]) -> Answer:
        terms = policies.get(match.decision.kind)
        if terms is None:
            return Answer(None)
        return Answer(match.decision.option(terms["say"]) or match.decision.decline)

    def policies(self, match: Any, seat: Seat, policies: Any) -> list[dict[str, Any]]:
        return []

    def bot(self, view: Mapping[str, Any], decision: Decision, randomness: bytes) -> Option:
        return decision.options[0]

    def topics(self) -> Mapping[str, tuple[str, ...]]:
        return {}

    def lookup(self, name: str) -> Mapping[str, Any] | None:
        return None


GAME = ToyGame()
