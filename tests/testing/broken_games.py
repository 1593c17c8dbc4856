"""Goofspiel with one fault each: a match (or a game) that breaks one promise of the protocol."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from games.goofspiel.game import Goofspiel
from games.goofspiel.match import Match
from pbem.errors import NotPossible
from pbem.protocol import Answer, Decision, Event, Option, Reason, Result, Seat, Suggestion, Vocabulary

#: What a game must not have: a memory outside of its matches.
CALLS = itertools.count()
#: Promises, each with a game whose match breaks it, and with one that breaks it itself.
OF_MATCHES: list[tuple[str, Callable[[], Broken]]] = []
OF_GAMES: list[tuple[str, Callable[[], Broken]]] = []
Fault = TypeVar("Fault", bound="type[Match] | type[Broken]")


class Broken(Goofspiel):
    """Goofspiel for two or three, with five cards, played with a match that has a fault."""

    seats = (2, 3)
    settings: Mapping[str, tuple[str, ...]] = {"cards": ("5",)}

    def __init__(self, match: type[Match] = Match, **own: Any) -> None:
        self.match = match
        vars(self).update(own)

    def new(self, seats: int, seed: bytes, settings: Mapping[str, str]) -> Match:
        return self.match.new(seats, 5, seed)

    def restore(self, snapshot: Mapping[str, Any]) -> Match:
        return self.match.restore(snapshot)

    def turn_start(self, snapshot: Mapping[str, Any]) -> Match:
        return self.match.turn_start(snapshot)


def breaks(promise: str) -> Callable[[Fault], Fault]:
    """A match or a game that breaks a promise."""

    def kept(fault: Fault) -> Fault:
        if issubclass(fault, Broken):
            OF_GAMES.append((promise, fault))
        else:
            OF_MATCHES.append((promise, partial(Broken, fault)))
        return fault

    return kept


def changed(name: str, change: Callable[..., Any]) -> type[Match]:
    """A match one of whose answers is what `change` makes of it; None leaves it as it is."""
    usual = vars(Match)[name]
    inner = getattr(usual, "fget", None) or getattr(usual, "__func__", usual)

    def answer(match: Any, *args: Any) -> Any:
        was = inner(match, *args)
        now = change(match, was, *args)
        return was if now is None else now

    return type("Changed", (Match,), {name: answer if inspect.isfunction(usual) else type(usual)(answer)})


def asking(change: Callable[[Decision], object]) -> type[Match]:
    """A match whose decisions are changed."""
    return changed("pending", lambda match, asked: [change(decision) for decision in asked] and tuple(asked))


def put(part: Match | Decision, **values: Any) -> None:
    for name, value in values.items():
        setattr(part, name, value)


def offer(text: str, decision: Decision) -> None:
    decision.options = [*decision.options, Option(text)]


# Faults that change one answer of the match

SECRET = "Until a group closes nothing of its answers shows: not in views, events or `reveals`."
INDEPENDENT = "fork() makes an independent match: what is chosen there changes nothing here."
WINNERS = "The winners are seats of the match, each once."
ANSWERS: list[tuple[str, str, Callable[..., Any]]] = [
    (
        "What nobody may have seen changes nothing that anybody is shown.",
        "view",
        lambda match, view, seat: {**view, "next": match.prizes[-1:] if seat == 1 else []},
    ),
    (
        "Every view has the same keys, the public one too.",
        "view",
        lambda match, view, seat: {key: view[key] for key in view if key != "hand" or seat is not None},
    ),
    (
        "A view holds JSON-able values with text as keys.",
        "view",
        lambda match, view, seat: {**view, "points": dict(enumerate(map(sum, match.won)))},
    ),
    (SECRET, "view", lambda match, view, seat: {**view, "have bid": len(match.bids) - match.bids.count(None)}),
    (SECRET, "choose", lambda match, told, seat, option: told or [Event("BidMade", {"seat": seat})]),
    (SECRET, "choose", lambda match, told, seat, option: put(match, reveals=match.reveals + 1)),
    (
        "`forced` holds decisions with one option.",
        "choose",
        lambda match, told, seat, option: put(match, forced=list(match.pending)),
    ),
    ("Closing a group counts as a reveal.", "_close", lambda match, told: put(match, reveals=match.reveals - 2)),
    (
        "choices() holds those of a closed group seat by seat, in the order of the group.",
        "_close",
        lambda match, told: match._recorded.reverse(),
    ),
    ("choices() holds every choice since the match was made.", "choices", lambda match, choices: choices[:1]),
    (
        "An answer in a group changes nothing for the other seats that are asked.",
        "pending",
        lambda match, asked: asked[:1] if any(match.bids) else asked,
    ),
    ("Each seat of the match has at most one pending decision.", "pending", lambda match, asked: (*asked, *asked[:1])),
    (
        "Every turn begins with the event TurnBegan; without it neither `turn` nor `actor` changes.",
        "_begin_turn",
        lambda match, told: told if match.turn == 1 else [],
    ),
    (
        "Every turn begins with the event TurnBegan; the first one is told in the opening.",
        "opening",
        lambda match, told: told[:1],
    ),
    (
        "TurnBegan holds `turn`, a number from 1 that only grows.",
        "_begin_turn",
        lambda match, told: [Event("TurnBegan", {**told[0].data, "turn": 1})],
    ),
    (
        "TurnBegan holds `colour`: that of a seat of the match, or None where all play at once.",
        "_begin_turn",
        lambda match, told: [Event("TurnBegan", {**told[0].data, "colour": "Pink"})],
    ),
    (
        "`Event.private` is for seats of the match.",
        "_begin_turn",
        lambda match, told: [Event("TurnBegan", told[0].data, {9: {}})],
    ),
    (
        "All events of one kind have the same keys.",
        "_show_bids",
        lambda match, told: None if match.prizes[1:] else [Event("BidsShown", {**told[0].data, "last": True})],
    ),
    ("`reveals` only grows.", "_show_bids", lambda match, told: put(match, reveals=match.reveals - 4)),
    ("`reveals` only grows.", "rollback_entropy", lambda match, _, entropy: put(match, reveals=match.reveals - 1)),
    (
        "What the protocol allows raises no error.",
        "_show_bids",
        lambda match, told: told if len(match.prizes) > 2 else [told[1]],
    ),
    (
        "New entropy is a choice of seat -1, with the entropy as its text.",
        "rollback_entropy",
        lambda match, _, entropy: match._recorded.pop(),
    ),
    (
        "turn_start() is the match as it was when the turn began.",
        "turn_start",
        lambda kind, match, snapshot: put(match, bids=list(snapshot["bids"])),
    ),
    ("restore(snapshot()) makes the same match again.", "restore", lambda kind, match, snapshot: put(match, reveals=0)),
    (
        "A restored match begins with no choices(), but for the answers of an open group.",
        "restore",
        lambda kind, match, snapshot: put(match, _recorded=[[0, "bid 1", []]]),
    ),
    (INDEPENDENT, "fork", lambda match, fork: match),
    (INDEPENDENT, "fork", lambda match, fork: put(fork, hands=match.hands)),
    (
        "restore() copies what it takes out of a snapshot.",
        "restore",
        lambda kind, match, snapshot: put(match, hands=snapshot["hands"]),
    ),
    (
        "A snapshot is stored with its keys sorted: nothing depends on their order, no digest either.",
        "restore",
        lambda kind, match, snapshot: None if next(iter(snapshot)) == "schema" else 1 / 0,
    ),
    (
        "A fork begins with no choices(), but for the answers of an open group.",
        "fork",
        lambda match, fork: put(fork, _recorded=list(match._recorded)),
    ),
    (
        "A match has a result when nothing is pending, and only then.",
        "result",
        lambda match, result: result or Result((), "soon", ()),
    ),
    (WINNERS, "result", lambda match, result: result and replace(result, winners=(Seat(5),))),
    (WINNERS, "result", lambda match, result: result and replace(result, winners=result.winners * 2)),
    (
        "A result has a score a seat.",
        "result",
        lambda match, result: result and replace(result, scores=result.scores[1:]),
    ),
    (
        "`seats` in the details of a result holds a mapping a seat.",
        "result",
        lambda match, result: result and replace(result, details={"seats": result.details["seats"][1:]}),
    ),
]
OF_MATCHES += [(promise, partial(Broken, changed(name, change))) for promise, name, change in ANSWERS]

# Faults of each decision: what it holds, and an option too many

DECISIONS: dict[str, dict[str, Any]] = {
    "The default of a decision is one of its options.": {"default": Option("bid 99")},
    "The decline of a decision is one of its options.": {"decline": Option("pass")},
    "A decision has options.": {"options": []},
    "`facts` of the decision bid holds JSON-able values with text as keys.": {"facts": {"by seat": {0: 1}}},
    "`seats` of a window names every seat concerned, the one that is asked among them.": {"window": True},
}
OPTIONS = {
    "Distinct options have distinct texts.": "bid 1",
    "The text of an option is one line of words with single blanks.": "bid\n6",
    "No option is called like a mail command (pbem.testing.RESERVED has the words).": "undo that",
}
OF_MATCHES += [(promise, partial(Broken, asking(partial(put, **values)))) for promise, values in DECISIONS.items()]
OF_MATCHES += [(promise, partial(Broken, asking(partial(offer, text)))) for promise, text in OPTIONS.items()]

# Faults of what a game says of itself

DESCRIBED: dict[str, dict[str, Any]] = {
    "`name` is that of the entry point in the group pbem.games.": {"name": "goofspeil"},
    "There is a colour of its own for each seat.": {"colours": ("Red", "Red", "Blue")},
    "`seats` is the smallest and the largest number of seats.": {"seats": (3, 2)},
    "A setting has values, the usual one first.": {"settings": {"cards": ()}},
    "Every option begins with a verb of the vocabulary, or with a name that one follows.": {
        "vocabulary": Vocabulary(verbs={"offer": ()}, names=Goofspiel.vocabulary.names)
    },
    "Verbs that stand alone are verbs of the vocabulary.": {
        "vocabulary": replace(Goofspiel.vocabulary, alone=frozenset(("pass",)))
    },
    "Verbs behind a name are for a kind of names of the vocabulary.": {
        "vocabulary": replace(Goofspiel.vocabulary, infix={"pays": "colour"})
    },
}
OF_GAMES += [(promise, partial(Broken, **own)) for promise, own in DESCRIBED.items()]

# Other faults of a match


@breaks("The same choices lead to the same match in every process: no set is iterated, and no hash used.")
class SetIterated(Match):
    @property
    def pending(self) -> tuple[Decision, ...]:
        asked = super().pending
        for decision in asked:
            decision.options = [Option(text, int(text[4:])) for text in {option.text for option in decision.options}]
            decision.default = decision.options[0]
        return asked


@breaks("The same seed makes the same match.")
class DealFromElsewhere(Match):
    @classmethod
    def new(cls, seats: int, cards: int, seed: bytes) -> Match:
        return super().new(seats, cards, seed + bytes((next(CALLS) % 256,)))


@breaks("The same choice leads from the same state to the same match.")
class OrderFromElsewhere(Match):
    def _begin_turn(self) -> list[Event]:
        if self.turn:
            here = next(CALLS) % max(len(self.prizes), 1)
            self.prizes = self.prizes[here:] + self.prizes[:here]
        return super()._begin_turn()


@breaks("After new entropy the turn still begins as it did.")
class StartOfTurnDrawnAnew(Match):
    """The turn is stored as it was before its prize came up, and new entropy shuffles that too."""

    before: list[int] | None = None

    def rollback_entropy(self, entropy: bytes) -> None:
        super().rollback_entropy(entropy)
        self.before = [self.stakes[-1], *self.prizes]

    def snapshot(self) -> dict[str, Any]:
        return {**super().snapshot(), "before": self.before}

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Match:
        match = super().restore({**snapshot, "before": None})
        put(match, before=snapshot["before"])
        return match

    @classmethod
    def turn_start(cls, snapshot: Mapping[str, Any]) -> Match:
        match = super().turn_start(snapshot)
        if snapshot["before"]:
            match.stakes[-1], match.prizes = snapshot["before"][-1], snapshot["before"][:-1]
        return match


@breaks("A match whose hidden part was drawn anew is restored as it is.")
class EntropyNotStored(Match):
    def rollback_entropy(self, entropy: bytes) -> None:
        self.stored = super().snapshot()
        super().rollback_entropy(entropy)

    def snapshot(self) -> dict[str, Any]:
        return getattr(self, "stored", None) or super().snapshot()


@breaks("The order in which the seats of a group answer changes nothing.")
class FirstBidWinsTies(Match):
    first: int | None = None

    def choose(self, seat: Seat, option: Option) -> list[Event]:
        begins = not any(self.bids)
        told = super().choose(seat, option)
        self.first = seat if begins else self.first
        return told

    def _show_bids(self) -> list[Event]:
        bids = list(self.bids)
        told = super()._show_bids()
        if self.first is not None and bids.count(max(bid or 0 for bid in bids)) > 1:
            self.won[self.first] += told[0].data["prizes"]
        return told

    def snapshot(self) -> dict[str, Any]:
        return {**super().snapshot(), "first": self.first}

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Match:
        match = super().restore(snapshot)
        put(match, first=snapshot["first"])
        return match

    @classmethod
    def turn_start(cls, snapshot: Mapping[str, Any]) -> Match:
        match = super().turn_start(snapshot)
        put(match, first=snapshot["first"] if not any(snapshot["bids"]) else None)
        return match


@breaks("A choice that is not legal raises ValueError.")
class IllegalIsTaken(Match):
    def choose(self, seat: Seat, option: Option) -> list[Event]:
        try:
            return super().choose(seat, option)
        except ValueError:
            return []


@breaks("A choice that is not legal changes nothing.")
class IllegalChanges(Match):
    def choose(self, seat: Seat, option: Option) -> list[Event]:
        self.reveals += 1
        told = super().choose(seat, option)
        self.reveals -= 1
        return told


@breaks("What the protocol allows raises no error.")
class IllegalIsAKeyError(Match):
    def choose(self, seat: Seat, option: Option) -> list[Event]:
        try:
            return super().choose(seat, option)
        except ValueError as error:
            raise KeyError(option.text) from error


@breaks("A match comes to an end.")
class Endless(Match):
    def _begin_turn(self) -> list[Event]:
        if len(self.prizes) == 2:
            self.hands = [list(range(1, 6)) for _ in self.hands]
            self.prizes = list(range(1, 6))
        return super()._begin_turn()


@breaks("Looking, storing, forking and refused choices change nothing.")
class OutlookChanges(Match):
    def outlook(self, seat: Seat, option: Option) -> Mapping[str, Any]:
        self.reveals += 1
        return {}


@breaks("WHY in own_errors.j2 has words for every reason why something is no option.")
class ReasonWithoutWords(Match):
    def why_not(self, decision: Decision, text: str) -> Reason:
        return Reason("played", {"card": text})


@breaks("The reason why something is no option stays the same.")
class ReasonWavers(Match):
    def why_not(self, decision: Decision, text: str) -> Reason:
        return Reason("played", {"card": next(CALLS)})


# Other faults of a game


@breaks("The bot takes an option of the decision.")
class BotMakesThingsUp(Broken):
    def bot(self, view: Mapping[str, Any], decision: Decision, randomness: bytes) -> Option:
        return Option("bid 99")


@breaks("The bot takes the same option for the same bytes.")
class BotCounts(Broken):
    def bot(self, view: Mapping[str, Any], decision: Decision, randomness: bytes) -> Option:
        return decision.options[next(CALLS) % len(decision.options)]


@breaks("lookup() is None for what is not there.")
class LookupKnowsEverything(Broken):
    def lookup(self, name: str) -> Mapping[str, Any] | None:
        return super().lookup(name) or {}


@breaks("What the protocol allows raises no error.")
class NotEveryTable(Broken):
    def new(self, seats: int, seed: bytes, settings: Mapping[str, str]) -> Match:
        if seats == 3:
            raise KeyError(seats)
        return super().new(seats, seed, settings)


@breaks("What a seat cannot see changes nothing that it is shown.")
class Secretive(Broken):
    """What it takes for another seat's secrets shows."""

    def dealt_anew(self, match: Match, seat: Seat | None, entropy: bytes) -> Match:
        match.won[0].append(7)
        return match


class WithPolicies(Broken):
    """Goofspiel with policies, which are all as they should be."""

    def policy(self, text: str) -> tuple[str, dict[str, Any]]:
        raise NotPossible(text, "policy-terms")

    def answer(self, match: Match, decision: Decision, policies: Any, reactions: str) -> Answer:
        return Answer(None)

    def policies(self, match: Match, seat: Seat, policies: Any) -> list[dict[str, Any]]:
        return [{"subject": "ties", "terms": {}, "held": True, "set": False}]


@breaks("A policy that cannot be read is an OrderError.")
class PolicyOfAnything(WithPolicies):
    def policy(self, text: str) -> tuple[str, dict[str, Any]]:
        return text, {}


@breaks("A policy takes an option of the decision.")
class PolicyMakesThingsUp(WithPolicies):
    def answer(self, match: Match, decision: Decision, policies: Any, reactions: str) -> Answer:
        return Answer(Option("bid 99"))


@breaks("A policy in force has subject, terms, held and set.")
class PolicyWithoutASubject(WithPolicies):
    def policies(self, match: Match, seat: Seat, policies: Any) -> list[dict[str, Any]]:
        return [{"terms": {}, "held": True, "set": False}]


@breaks("A suggested turn is carried out as it is written.")
class SuggestsTheImpossible(Broken):
    def suggest(self, match: Match, seat: Seat) -> list[Suggestion]:
        return [Suggestion(("bid 99",))]


@breaks("What a seat cannot see changes nothing that is suggested to it.")
class SuggestsByWhatComes(Broken):
    def suggest(self, match: Match, seat: Seat) -> list[Suggestion]:
        return [Suggestion((f"bid {match.hands[seat][0]}",))] * sum(match.prizes[-1:])
