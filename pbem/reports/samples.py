"""Mails of every kind about a match, made up round what the match itself shows: for trying a game's templates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from pbem.protocol import Decision, Event, Game, HasPolicies, HasRules, Match, Seat, commitment, decision_of
from pbem.reports import contexts
from pbem.reports.contexts import Happening, Line, Place, Problem, Question, Score, Situation

NOW = datetime(2026, 11, 29, 15, 0, tzinfo=UTC)
DUE = NOW + timedelta(days=2)
SEED = bytes(32)


def question(decision: Decision) -> Question:
    """A decision as its mail puts it."""
    return Question(
        kind=decision.kind,
        options=tuple(option.text for option in decision.options),
        facts=decision.facts,
        auto=decision.auto.text if decision.auto else None,
        decline=decision.decline.text if decision.decline else None,
        default=decision.default.text,
    )


@dataclass(frozen=True, slots=True)
class Samples:
    """Mails about a match of a game with so many seats."""

    game: Game
    seats: int

    def story(self, events: Sequence[Event], seat: Seat | None) -> tuple[Happening, ...]:
        """All events of a match as a reader may know them, each with its turn and whose turn that was."""
        told, turn, actor = [], 0, ""
        for event in events:
            if event.kind == "TurnBegan":
                turn, actor = event.data["turn"], event.data["colour"] or ""
            told.append(Happening(turn=turn, actor=actor, kind=event.kind, data=event.seen_by(seat)))
        return tuple(told)

    def on_the_game(self, match: Match, seat: Seat | None) -> dict[str, Any]:
        """The fields of every mail about a game."""
        return {
            "player": "Rosie",
            "now": NOW,
            "code": "G042",
            "game": "Thursday night",
            "token": "N6JR3CVE",
            "colour": None if seat is None else self.game.colours[seat],
            "seats": tuple(
                Place(colour=colour, player=f"Player {colour}") for colour in self.game.colours[: self.seats]
            ),
            "turn": match.turn,
            "actor": "" if match.actor is None else self.game.colours[match.actor],
            "situation": self.situation(match, seat),
        }

    def situation(self, match: Match, seat: Seat | None) -> Situation:
        """What the match waits for."""
        asked, pending = decision_of(match, seat), match.pending
        group = tuple(self.game.colours[decision.seat] for decision in pending) if len(pending) > 1 else ()
        if not pending:
            return Situation(kind="over")
        if asked is not None:
            return Situation(kind="react" if asked.window else "move", due_at=DUE, group=group)
        return Situation(kind="group" if group else "waiting", due_at=DUE, group=group)

    def on_the_state(self, match: Match, seat: Seat | None, events: Sequence[Event] = ()) -> dict[str, Any]:
        """The fields of a mail that shows the whole state."""
        asked = decision_of(match, seat)
        policies = (
            self.game.policies(match, seat, {}) if isinstance(self.game, HasPolicies) and seat is not None else ()
        )
        return self.on_the_game(match, seat) | {
            "view": match.view(seat),
            "events": self.story(events, seat),
            "question": question(asked) if asked else None,
            "policies": tuple(policies),
        }

    def report(self, match: Match, seat: Seat | None, events: Sequence[Event] = ()) -> contexts.Report:
        """What a reader gets in the state of a match."""
        return contexts.Report(**self.on_the_state(match, seat, events))

    def every_kind(self, match: Match, seat: Seat | None, events: Sequence[Event]) -> Iterator[contexts.Mail]:
        """At least one mail of each kind that says something of the game, to a seat or to somebody without one."""
        on_game, state = self.on_the_game(match, seat), self.on_the_state(match, seat, events)
        asked = state["question"]
        options = asked.options if asked else ("an order",)
        done = Line(text=options[0].upper(), verdict="done", option=options[0])
        wrong = Problem(kind="not_possible", reason="not_this", suggestions=options, facts={"names": ["this"]})
        refused = Line(text="an order", verdict="refused", problem=wrong)
        for occasion in ("turn", "again", "missed"):
            yield contexts.Report(**state, occasion=occasion)
        yield contexts.Report(**state | {"question": None})
        yield contexts.Reminder(**state)
        yield contexts.Welcome(
            **state, commitment=commitment(self.game, self.game.seats[0], SEED, {}), turn_hours=72, reaction_hours=24
        )
        for complete in (False, True):
            yield contexts.Acknowledgement(**state, lines=(done,), complete=complete, revealed=complete)
        yield contexts.Refusal(**state, lines=(done, refused))
        for what in ("empty", "unsupported", "chat"):
            yield contexts.Nothing(**state, what=what, lines=(Line(text="Hello!", verdict="chat"),))
        yield contexts.Preview(**state, lines=(done,), next=asked)
        yield contexts.Undone(**state, choices=options[:1])
        yield contexts.Undone(**state, choices=())
        for reshuffled in (False, True):
            yield contexts.RolledBack(**state, from_turn=match.turn + 1, reshuffled=reshuffled)
        whys: tuple[Literal["past", "over", "reactions", "kept"], ...] = ("past", "over", "reactions", "kept")
        for why in whys:
            yield contexts.Stale(**state, why=why, orders=options[:1])
        yield contexts.Status(**on_game, view=state["view"], question=asked)
        yield contexts.History(**on_game, events=state["events"])
        yield contexts.Standing(**on_game, lines=(), policies=state["policies"])
        if match.result is not None:
            yield self.final(match, state)
        topics = tuple(self.game.topics()) if isinstance(self.game, HasRules) else ()
        yield contexts.Help(**on_game, topics=topics, question=asked)
        yield contexts.Rules(**on_game, topic=None, asked="", topics=topics)

    def final(self, match: Match, state: dict[str, Any]) -> contexts.Final:
        """The last report of a match that has ended."""
        result = match.result
        assert result is not None, match.position()
        told = result.details.get("seats") or [{}] * len(result.scores)
        scores = tuple(
            Score(
                colour=self.game.colours[seat],
                player=f"Player {self.game.colours[seat]}",
                winner=seat in result.winners,
                points=points,
                details=details,
            )
            for seat, (points, details) in enumerate(zip(result.scores, told, strict=True))
        )
        sealed = commitment(self.game, len(scores), SEED, {})
        return contexts.Final(**state, reason=result.reason, scores=scores, seed=SEED.hex(), commitment=sealed)

    def reference(self, match: Match) -> Iterator[contexts.Mail]:
        """The rules, topic by topic, and everything that can be looked up by a name of the vocabulary."""
        if not isinstance(self.game, HasRules):
            return
        on_game = self.on_the_game(match, None)
        topics = tuple(self.game.topics())
        for topic in topics:
            yield contexts.Rules(**on_game, topic=topic, asked=topic, topics=topics)
        for names in self.game.vocabulary.names.values():
            for name in names:
                yield contexts.Card(**on_game, asked=name, found=self.game.lookup(name))
