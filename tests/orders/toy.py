"""A toy game that keeps the protocol: two or three seats play cards, place counters and take them off.

A card's letters are done from left to right: m places a counter, k takes somebody's off (its owner may save it:
a window), g makes somebody give a coin or a card (a question), c takes a coin by itself, w draws by itself, d drops any
number of cards. The turn ends with a draw, unless the hand is full.

Asked together are: a, all others give something and place a counter; e, the same with the actor; t, each counter of the
others is blown away unless its owner, who needs a card in hand, saves it (windows).
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, TypeAlias

from pbem.protocol import Answer, Decision, Event, Option, Reactions, Result, Seat, Vocabulary, decision_of

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
    "Fair": "am",
    "Fairs": "aa",
    "Feast": "em",
    "Storm": "tm",
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
    names={"place": dict.fromkeys(PLACES, ()), "colour": dict.fromkeys(COLOURS, ()), "card": dict.fromkeys(CARDS, ())},
    alone=frozenset(("skip", "end", "coin", "draw", "pass", "done", "save")),
    fillers=frozenset(("counter",)),
)

#: The answers of one seat in a group, one decision after another.
Sequence: TypeAlias = Generator[Decision, Option, list[str]]


class ToyMatch:
    def __init__(self, hands: list[list[str]], pile: list[str], counters: Mapping[str, str] | None = None) -> None:
        self.start = ([list(hand) for hand in hands], list(pile), dict(counters or {}))
        self.hands, self.pile, self.counters = hands, pile, dict(counters or {})
        self.coins = [0] * len(hands)
        self.savers = [True] * len(hands)
        self.turn, self.actor, self.reveals = 1, Seat(0), 0
        self.result: Result | None = None
        #: The choices so far, how many of them the match was made with, and how many came before the open group.
        self.taken: list[list[Any]] = []
        self.made = self.before = 0
        self.forced: list[Decision] = []
        self.log: list[Event] = []
        self.unrevealed, self.foreseeable_end = 0, False
        self.sequences: dict[Seat, Sequence] = {}
        self.answers: dict[Seat, list[str]] = {}
        self.running = self._turns()
        self._go_on(None)

    def choose(self, seat: Seat, option: Option) -> list[Event]:
        decision = decision_of(self, seat)
        chosen = decision.option(option.text) if decision else None
        if chosen is None:
            raise ValueError(f"illegal choice {option.text!r} of seat {seat}")
        self.taken.append([seat, option.text, []])
        self.log = []
        self.forced = []
        self.unrevealed, self.foreseeable_end = self.reveals, False
        if not self.sequences:
            self._go_on(chosen)
        else:
            self._answer(seat, chosen)
        return self.log

    def _go_on(self, answer: Any) -> None:
        self.sequences = {}
        try:
            asked = self.running.send(answer)
        except StopIteration:
            self.pending: tuple[Decision, ...] = ()
            self.result = Result((self.actor,), "pile", (None,) * len(self.hands))
            return
        if isinstance(asked, Decision):
            self.pending = (asked,)
        else:
            self.sequences, self.answers, self.before = asked, {}, len(self.taken)
            self.pending = tuple(next(sequence) for sequence in asked.values())

    def _answer(self, seat: Seat, option: Option) -> None:
        try:
            following = (self.sequences[seat].send(option),)
        except StopIteration as end:
            self.answers[seat] = end.value
            following = ()
        at = [decision.seat for decision in self.pending].index(seat)
        self.pending = (*self.pending[:at], *following, *self.pending[at + 1 :])
        if not self.pending:
            order = list(self.sequences)
            self.taken[self.before :] = sorted(self.taken[self.before :], key=lambda one: order.index(one[0]))
            self.reveals += 1
            self._go_on({seat: self.answers[seat] for seat in order})

    def opening(self) -> list[Event]:
        return []

    def view(self, seat: Seat | None) -> Mapping[str, Any]:
        return {"counters": dict(self.counters), "hand": self.hands[seat] if seat is not None else []}

    def fork(self) -> ToyMatch:
        hands, pile, counters = self.start
        twin = ToyMatch([list(hand) for hand in hands], list(pile), counters)
        for seat, text, _ in self.taken:
            twin.choose(seat, Option(text))
        twin.made = len(twin.taken)
        return twin

    def snapshot(self) -> dict[str, Any]:
        raise AssertionError("the toy game is not asked for this")

    def choices(self) -> list[list[Any]]:
        return self.taken[self.made :]

    def digest(self) -> str:
        return self.position()

    def position(self) -> str:
        return f"{self.turn} {self.actor} {self.hands} {self.pile} {self.counters} {self.coins} {self.reveals}"

    def rollback_entropy(self, entropy: bytes) -> None:
        raise AssertionError("the toy game is not asked for this")

    # the rules

    def _ask(self, seat: int, kind: str, texts: list[str], **more: Any) -> Generator[Decision, Option, str]:
        options = [Option(text) for text in texts]
        known = {option.text: option for option in options}
        decline = known.get(more.pop("decline", ""))
        auto = known.get(more.pop("auto", ""))
        decision = Decision(Seat(seat), kind, options, decline or options[0], decline=decline, auto=auto, **more)
        if len(options) == 1 and not decision.window:
            self.forced.append(decision)
            return options[0].text
        chosen = yield decision
        return chosen.text

    def _turns(self) -> Generator[Decision | dict[Seat, Sequence], Any, None]:
        while True:
            yield from self._turn()
            if not self.pile and not any(self.hands):
                return
            self.turn += 1
            self.actor = Seat((self.actor + 1) % len(self.hands))

    def _turn(self) -> Generator[Decision | dict[Seat, Sequence], Any, None]:
        hand = self.hands[self.actor]
        if hand:
            card = (yield from self._ask(self.actor, "turn", [f"play {c}" for c in hand] + ["play nothing much"]))[5:]
            if card in hand:
                hand.remove(card)
                self.tell("Played", card=card)
                for symbol in CARDS[card]:
                    yield from getattr(self, f"_{symbol}")()
        self.foreseeable_end |= self.reveals == self.unrevealed
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
            owner, "react", options, decline="pass", window=True, seats=(Seat(owner),), facts={"threat": "take"}
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

    def _a(self) -> Generator[dict[Seat, Sequence], dict[Seat, list[str]], None]:
        yield from self._together([seat for seat in self._all() if seat != self.actor])

    def _e(self) -> Generator[dict[Seat, Sequence], dict[Seat, list[str]], None]:
        yield from self._together(self._all())

    def _all(self) -> list[Seat]:
        return [Seat(seat) for seat in range(len(self.hands))]

    def _together(self, seats: list[Seat]) -> Generator[dict[Seat, Sequence], dict[Seat, list[str]], None]:
        answers = yield {seat: self._gift(seat) for seat in seats}
        for seat, (given, placed) in answers.items():
            self.tell("Given", what=given)
            place = placed.removeprefix("place ")
            if placed != "skip" and place not in self.counters:
                self.counters[place] = COLOURS[seat]
                self.tell("Placed", at=place)

    def _gift(self, seat: Seat) -> Sequence:
        given = yield from self._ask(seat, "give", ["give coin", *(f"give {card}" for card in self.hands[seat])])
        free = [f"place {place}" for place in PLACES if place not in self.counters]
        return [given, (yield from self._ask(seat, "place", [*free, "skip"], decline="skip"))]

    def _t(self) -> Generator[dict[Seat, Sequence], dict[Seat, list[str]], None]:
        owned: dict[Seat, list[str]] = {}
        for place, colour in self.counters.items():
            if colour != COLOURS[self.actor]:
                owned.setdefault(Seat(COLOURS.index(colour)), []).append(place)
        if owned:
            answers = yield {seat: self._shelter(seat, places, tuple(owned)) for seat, places in owned.items()}
            for seat, places in owned.items():
                for place, saved in zip(places, answers[seat], strict=True):
                    if saved == "pass":
                        del self.counters[place]
                    self.tell("Blown", at=place, saved=saved == "save")

    def _shelter(self, seat: Seat, places: list[str], seats: tuple[Seat, ...]) -> Sequence:
        options = ["save", "pass"] if self.hands[seat] else ["pass"]
        answers = []
        for place in places:
            window: dict[str, Any] = {"window": True, "seats": seats, "facts": {"place": place}}
            answers.append((yield from self._ask(seat, "shelter", options, decline="pass", **window)))
        return answers

    def _d(self) -> Generator[Decision, Option, None]:
        hand = self.hands[self.actor]
        while hand:
            chosen = yield from self._ask(self.actor, "drop", [*(f"drop {c}" for c in hand), "done"], decline="done")
            if chosen == "done":
                return
            hand.remove(chosen[5:])
            self.tell("Dropped", card=chosen[5:])

    def _c(self) -> Generator[Decision, Option, None]:
        if (yield from self._ask(self.actor, "coin", ["coin", "skip"], auto="coin", decline="skip")) == "coin":
            self.coins[self.actor] += 1
            self.tell("Coin")

    def _w(self) -> Generator[Decision, Option, None]:
        if (yield from self._ask(self.actor, "draw", ["draw", "skip"], auto="draw", decline="skip")) == "draw":
            self._draw()

    def tell(self, kind: str, **data: Any) -> None:
        self.log.append(Event(kind, data))


class ToyGame:
    name = "toy"
    title = "Toy"
    seats = (2, 3)
    colours = COLOURS
    settings: Mapping[str, tuple[str, ...]] = {}
    vocabulary = WORDS

    def new(self, seats: int, seed: bytes, settings: Mapping[str, str]) -> ToyMatch:
        return ToyMatch([["Baker", "Tax"] for _ in range(seats)], ["Sweep"] * 4)

    def restore(self, snapshot: Mapping[str, Any]) -> ToyMatch:
        raise AssertionError("the toy game is not asked for this")

    def turn_start(self, snapshot: Mapping[str, Any]) -> ToyMatch:
        raise AssertionError("the toy game is not asked for this")

    def policy(self, text: str) -> tuple[str, dict[str, Any]]:
        raise AssertionError("the toy game is not asked for this")

    def answer(
        self, match: Any, decision: Decision, policies: Mapping[str, Mapping[str, Any]], reactions: Reactions
    ) -> Answer:
        """A policy is set for a kind of decision; unset, every counter is saved from a storm."""
        terms = policies.get(decision.kind)
        if terms is None:
            return Answer(decision.options[0] if reactions == "standing" and decision.kind == "shelter" else None)
        return Answer(decision.option(terms["say"]) or decision.decline, {"said": terms["say"]})

    def policies(self, match: Any, seat: Seat, policies: Any) -> list[dict[str, Any]]:
        return []

    def bot(self, view: Mapping[str, Any], decision: Decision, randomness: bytes) -> Option:
        return decision.options[0]


GAME = ToyGame()
