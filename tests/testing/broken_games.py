"""Goofspiel with one fault each: a match (or a game) that breaks one promise of the protocol."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.goofspiel.game import Goofspiel
from games.goofspiel.match import Match
from pbem.errors import NotPossible
from pbem.protocol import Answer, Decision, Event, Option, Result, Seat, View, Vocabulary

#: What a game must not have: a memory outside of its matches.
CALLS = itertools.count()


class Broken(Goofspiel):
    """Goofspiel for two or three, with five cards, played with a match that has a fault."""

    seats = (2, 3)
    settings: Mapping[str, tuple[str, ...]] = {"cards": ("5",)}

    def __init__(self, match: type[Match] = Match) -> None:
        self.match = match

    def new(self, seats: int, seed: bytes, settings: Mapping[str, str]) -> Match:
        return self.match.new(seats, 5, seed)

    def restore(self, snapshot: Mapping[str, Any]) -> Match:
        return self.match.restore(snapshot)

    def turn_start(self, snapshot: Mapping[str, Any]) -> Match:
        return self.match.turn_start(snapshot)


class Asking(Match):
    """A match whose decisions are made over."""

    @property
    def pending(self) -> tuple[Decision, ...]:
        return tuple(self.made_over(decision) for decision in super().pending)

    def made_over(self, decision: Decision) -> Decision:
        raise NotImplementedError

    def again(self, decision: Decision, options: list[Option], **more: Any) -> Decision:
        return Decision(decision.seat, decision.kind, options, options[0], facts=decision.facts, **more)


class DefaultIsNoOption(Asking):
    def made_over(self, decision: Decision) -> Decision:
        decision.default = Option("bid 99")
        return decision


class DeclineIsNoOption(Asking):
    def made_over(self, decision: Decision) -> Decision:
        return self.again(decision, list(decision.options), decline=Option("pass"))


class TwoOptionsOfOneText(Asking):
    def made_over(self, decision: Decision) -> Decision:
        return self.again(decision, [*decision.options, Option(decision.options[-1].text)])


class NoOptions(Asking):
    def made_over(self, decision: Decision) -> Decision:
        decision.options = []
        return decision


class OptionOnTwoLines(Asking):
    def made_over(self, decision: Decision) -> Decision:
        return self.again(decision, [*decision.options, Option("bid\n6")])


class OptionIsACommand(Asking):
    def made_over(self, decision: Decision) -> Decision:
        return self.again(decision, [*decision.options, Option("undo that")])


class FactsAreNoJson(Asking):
    def made_over(self, decision: Decision) -> Decision:
        decision.facts = {"stakes": self.stakes, "by seat": {0: 1}}
        return decision


class SetIterated(Asking):
    def made_over(self, decision: Decision) -> Decision:
        return self.again(decision, [Option(text, int(text[4:])) for text in {one.text for one in decision.options}])


class DealFromElsewhere(Match):
    @classmethod
    def new(cls, seats: int, cards: int, seed: bytes) -> Match:
        return super().new(seats, cards, seed + bytes((next(CALLS) % 256,)))


class OrderFromElsewhere(Match):
    def _begin_turn(self) -> list[Event]:
        if self.turn:
            here = next(CALLS) % max(len(self.prizes), 1)
            self.prizes = self.prizes[here:] + self.prizes[:here]
        return super()._begin_turn()


class NoTurnEvent(Match):
    def _begin_turn(self) -> list[Event]:
        told = super()._begin_turn()
        return told if self.turn == 1 else []


class NoTurnEventInTheOpening(Match):
    def opening(self) -> list[Event]:
        return super().opening()[:1]


class TurnGoesBack(Match):
    def _begin_turn(self) -> list[Event]:
        if self.turn == 2:
            self.turn = 0
        return super()._begin_turn()


class TurnOfNobody(Match):
    def _begin_turn(self) -> list[Event]:
        return [Event(one.kind, {**one.data, "colour": "Pink"}) for one in super()._begin_turn()]


class KeysDiffer(Match):
    def _show_bids(self) -> list[Event]:
        told = super()._show_bids()
        return [Event(told[0].kind, {**told[0].data, "last": True})] if len(self.prizes) < 2 else told


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
        assert isinstance(match, cls)
        match.before = snapshot["before"]
        return match

    @classmethod
    def turn_start(cls, snapshot: Mapping[str, Any]) -> Match:
        match = super().turn_start(snapshot)
        if snapshot["before"]:
            match.stakes[-1], match.prizes = snapshot["before"][-1], snapshot["before"][:-1]
        return match


class StartOfTurnKeepsBids(Match):
    @classmethod
    def turn_start(cls, snapshot: Mapping[str, Any]) -> Match:
        match = super().turn_start(snapshot)
        match.bids = list(snapshot["bids"])
        return match


class EntropyForgotten(Match):
    def rollback_entropy(self, entropy: bytes) -> None:
        super().rollback_entropy(entropy)
        self._recorded.pop()


class EntropyNotStored(Match):
    def rollback_entropy(self, entropy: bytes) -> None:
        self.stored = super().snapshot()
        super().rollback_entropy(entropy)

    def snapshot(self) -> dict[str, Any]:
        return getattr(self, "stored", None) or super().snapshot()


class PrizeSeenAhead(Match):
    def view(self, seat: Seat | None) -> View:
        return {**super().view(seat), "next": self.prizes[-1] if self.prizes and seat == 1 else None}


class KeyMissingFromThePublicView(Match):
    def view(self, seat: Seat | None) -> View:
        view = dict(super().view(seat))
        if seat is None:
            del view["hand"]
        return view


class ViewWithNumbersAsKeys(Match):
    def view(self, seat: Seat | None) -> View:
        return {**super().view(seat), "points": dict(enumerate(map(sum, self.won)))}


class BidShownInViews(Match):
    def view(self, seat: Seat | None) -> View:
        return {**super().view(seat), "have bid": sum(bid is not None for bid in self.bids)}


class BidTold(Match):
    def choose(self, seat: Seat, option: Option) -> list[Event]:
        return super().choose(seat, option) or [Event("BidMade", {"seat": seat})]


class BidReveals(Match):
    def choose(self, seat: Seat, option: Option) -> list[Event]:
        told = super().choose(seat, option)
        self.reveals += 1
        return told


class ClosingIsNoReveal(Match):
    def _close(self) -> list[Event]:
        reveals = self.reveals
        told = super()._close()
        self.reveals = reveals
        return told


class BidEndsTheGroup(Match):
    @property
    def pending(self) -> tuple[Decision, ...]:
        return super().pending if any(bid is not None for bid in self.bids) is False else super().pending[:1]


class FirstBidWinsTies(Match):
    """Who bid first wins a tie: the order in which a group answers matters."""

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
        assert isinstance(match, cls)
        match.first = snapshot["first"]
        return match

    @classmethod
    def turn_start(cls, snapshot: Mapping[str, Any]) -> Match:
        match = super().turn_start(snapshot)
        assert isinstance(match, cls)
        match.first = snapshot["first"] if not any(snapshot["bids"]) else None
        return match


class ChoicesTheOtherWayRound(Match):
    def _close(self) -> list[Event]:
        told = super()._close()
        seats = len(self.hands)
        self._recorded[-seats:] = reversed(self._recorded[-seats:])
        return told


class RestoreForgets(Match):
    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Match:
        match = super().restore(snapshot)
        match.reveals = 0
        return match


class RestoreRemembersTooMuch(Match):
    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Match:
        match = super().restore(snapshot)
        match._recorded = [[0, "bid 1", []]]
        return match


class ForkIsTheSame(Match):
    def fork(self) -> Match:
        return self


class IllegalIsTaken(Match):
    def choose(self, seat: Seat, option: Option) -> list[Event]:
        try:
            return super().choose(seat, option)
        except ValueError:
            return []


class IllegalChanges(Match):
    def choose(self, seat: Seat, option: Option) -> list[Event]:
        self.reveals += 1
        told = super().choose(seat, option)
        self.reveals -= 1
        return told


class IllegalIsAKeyError(Match):
    def choose(self, seat: Seat, option: Option) -> list[Event]:
        try:
            return super().choose(seat, option)
        except ValueError as error:
            raise KeyError(option.text) from error


class RevealsShrink(Match):
    def _show_bids(self) -> list[Event]:
        self.reveals -= 4
        return super()._show_bids()


class Endless(Match):
    def _begin_turn(self) -> list[Event]:
        if len(self.prizes) == 2:
            self.hands = [list(range(1, 6)) for _ in self.hands]
            self.prizes = list(range(1, 6))
        return super()._begin_turn()


class RaisesAmidTheMatch(Match):
    def _show_bids(self) -> list[Event]:
        told = super()._show_bids()
        return told if len(self.prizes) > 2 else [told[1]]


class NoChoicesKept(Match):
    def choices(self) -> list[list[Any]]:
        return super().choices()[:1]


class ResultTooSoon(Match):
    @property
    def result(self) -> Result | None:
        return super().result or Result((), "soon", ())


class AskedTwice(Match):
    @property
    def pending(self) -> tuple[Decision, ...]:
        return (*super().pending, *super().pending[:1])


class Ended(Match):
    """A match whose result is made over."""

    @property
    def result(self) -> Result | None:
        result = super().result
        return result and self.made_over(result)

    def made_over(self, result: Result) -> Result:
        raise NotImplementedError


class WinnerWithoutASeat(Ended):
    def made_over(self, result: Result) -> Result:
        return replace(result, winners=(Seat(5),))


class WinnerTwice(Ended):
    def made_over(self, result: Result) -> Result:
        return replace(result, winners=result.winners * 2)


class ScoreMissing(Ended):
    def made_over(self, result: Result) -> Result:
        return replace(result, scores=result.scores[1:])


class DetailsMissing(Ended):
    def made_over(self, result: Result) -> Result:
        return replace(result, details={"seats": result.details["seats"][1:]})


class ForcedWithAChoice(Match):
    def choose(self, seat: Seat, option: Option) -> list[Event]:
        told = super().choose(seat, option)
        self.forced = list(self.pending)
        return told


class PrivateForNobody(Match):
    def _begin_turn(self) -> list[Event]:
        return [Event(one.kind, one.data, {9: {}}) for one in super()._begin_turn()]


class WindowWithoutItsSeat(Asking):
    def made_over(self, decision: Decision) -> Decision:
        return self.again(decision, list(decision.options), window=True)


class ForkSharesTheHands(Match):
    def fork(self) -> Match:
        fork = super().fork()
        fork.hands = self.hands
        return fork


class ForkRemembers(Match):
    def fork(self) -> Match:
        fork = super().fork()
        fork._recorded = list(self._recorded)
        return fork


class RevealsShrinkByEntropy(Match):
    def rollback_entropy(self, entropy: bytes) -> None:
        super().rollback_entropy(entropy)
        self.reveals -= 1


class OutlookChanges(Match):
    def outlook(self, seat: Seat, option: Option) -> Mapping[str, Any]:
        self.reveals += 1
        return {}


class BotMakesThingsUp(Broken):
    def bot(self, view: Mapping[str, Any], decision: Decision, randomness: bytes) -> Option:
        return Option("bid 99")


class VocabularyWithoutTheVerb(Broken):
    vocabulary = Vocabulary(verbs={"offer": ()}, names=Goofspiel.vocabulary.names)


class ColourTwice(Broken):
    colours = ("Red", "Red", "Blue")


class LookupKnowsEverything(Broken):
    def lookup(self, name: str) -> Mapping[str, Any] | None:
        return super().lookup(name) or {}


class BotCounts(Broken):
    def bot(self, view: Mapping[str, Any], decision: Decision, randomness: bytes) -> Option:
        return decision.options[next(CALLS) % len(decision.options)]


class NoSeats(Broken):
    seats = (3, 2)


class SettingWithoutValues(Broken):
    settings: Mapping[str, tuple[str, ...]] = {"cards": ()}


class VerbAloneUnknown(Broken):
    vocabulary = replace(Goofspiel.vocabulary, alone=frozenset(("pass",)))


class InfixOfNoNames(Broken):
    vocabulary = replace(Goofspiel.vocabulary, infix={"pays": "colour"})


class NotEveryTable(Broken):
    def new(self, seats: int, seed: bytes, settings: Mapping[str, str]) -> Match:
        if seats == 3:
            raise KeyError(seats)
        return super().new(seats, seed, settings)


class Secretive(Broken):
    """What it takes for another seat's secrets shows."""

    def dealt_anew(self, match: Match, seat: Seat | None, entropy: bytes) -> Match:
        match.won[0].append(7)
        return match


class WithPolicies(Broken):
    """Goofspiel with policies, which are all as they should be."""

    def policy(self, text: str) -> tuple[str, dict[str, Any]]:
        raise NotPossible(text, "policy-terms")

    def answer(self, match: Match, decision: Decision, policies: Any, *reactions: Any, **unset: Any) -> Answer:
        return Answer(None)

    def policies(self, match: Match, seat: Seat, policies: Any) -> list[dict[str, Any]]:
        return [{"subject": "ties", "terms": {}, "held": True, "set": False}]


class PolicyOfAnything(WithPolicies):
    def policy(self, text: str) -> tuple[str, dict[str, Any]]:
        return text, {}


class PolicyMakesThingsUp(WithPolicies):
    def answer(self, match: Match, decision: Decision, policies: Any, *reactions: Any, **unset: Any) -> Answer:
        return Answer(Option("bid 99"))


class PolicyWithoutASubject(WithPolicies):
    def policies(self, match: Match, seat: Seat, policies: Any) -> list[dict[str, Any]]:
        return [{"terms": {}, "held": True, "set": False}]
