"""Mails of every kind about a match, made up round what the match itself shows: for trying a game's templates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.orders.outcome import Line, Problem
from pbem.protocol import (
    Event,
    Game,
    HasDrawing,
    HasGoals,
    HasPolicies,
    HasRules,
    Match,
    Result,
    Seat,
    commitment,
    decision_of,
    in_turns,
)
from pbem.reports import contexts
from pbem.reports.contexts import Happening, Place, Question, Situation
from pbem.reports.page import Page

NOW = datetime(2026, 11, 29, 15, 0, tzinfo=UTC)
DUE = NOW + timedelta(days=2)
SEED = bytes(32)


@dataclass(frozen=True, slots=True)
class Samples:
    """Mails about a match of a game with so many seats."""

    game: Game
    seats: int

    def report(self, match: Match, seat: Seat | None, events: Sequence[Event] = ()) -> contexts.Report:
        """What a reader gets in the state of a match."""
        return contexts.Report(**self.on_the_state(match, seat, events))

    def every_kind(self, match: Match, seat: Seat | None, events: Sequence[Event]) -> Iterator[contexts.Mail]:
        """A mail of each kind that says something of the game, to a seat or to somebody without one."""
        on_game, state = self.on_the_game(match, seat), self.on_the_state(match, seat, events)
        asked, sealed = state["question"], commitment(self.game, self.seats, SEED, {})
        options = asked.options if asked else ("an order",)
        done = Line(text=options[0].upper(), verdict="done", option=options[0])
        wrong = Problem(kind="not_possible", reason="not_this", suggestions=options, facts={"names": ["this"]})
        refused = Line(text="an order", verdict="refused", problem=wrong)
        yield contexts.Report(**state)
        yield contexts.Report(**state | {"question": None})
        yield contexts.Report(**state, occasion="reminder")
        yield contexts.Welcome(**state, commitment=sealed, turn_hours=72, reaction_hours=24)
        for complete in (False, True):
            yield contexts.Acknowledgement(**state, lines=(done,), complete=complete, revealed=complete)
        yield contexts.Refusal(**state, lines=(done, refused))
        yield contexts.Nothing(**state, what="chat", lines=(Line(text="Hello!", verdict="chat"),))
        yield contexts.Preview(**state, lines=(done,), next=asked)
        yield contexts.Undone(**state, choices=options[:1])
        yield contexts.RolledBack(**state, from_turn=match.turn + 1, reshuffled=True)
        yield contexts.Stale(**state, why="past", orders=options[:1])
        yield contexts.Status(**on_game, view=state["view"], question=asked)
        yield contexts.History(**on_game, events=state["events"])
        yield contexts.Standing(**on_game, lines=(), policies=state["policies"])
        if (result := match.result) is not None:
            yield contexts.Final(**state, **self.ending(match, result), page="replay.html")
        topics = tuple(self.game.topics()) if isinstance(self.game, HasRules) else ()
        yield contexts.Help(**on_game, topics=topics, question=asked)
        yield contexts.Aid(**on_game)
        yield contexts.Rules(**on_game, topic=None, asked="", topics=topics)

    def ending(self, match: Match, result: Result) -> dict[str, Any]:
        """What is told of a match that is over."""
        places = self.on_the_game(match, None)["seats"]
        return {
            "reason": result.reason,
            "scores": contexts.scores(result, places),
            "seed": SEED.hex(),
            "commitment": commitment(self.game, self.seats, SEED, {}),
            "course": self.course(match),
        }

    def course(self, match: Match) -> contexts.Course:
        """A course of the last turn alone."""
        view = match.view(None)
        moment = contexts.Moment(
            turn=match.turn,
            actor="",
            view=view,
            drawing=self.game.drawing(view) if isinstance(self.game, HasDrawing) else None,
            goals=tuple(match.goals()) if isinstance(match, HasGoals) else (None,) * self.seats,
            events=(),
        )
        return contexts.Course(moments=(moment,), reactions=(), windows=0)

    def page(self, match: Match, result: Result) -> Page:
        """The page to look through a match that is over."""
        on_game = self.on_the_game(match, None)
        known = {name: on_game[name] for name in ("code", "game", "seats")}
        return Page(title=self.game.title, **known, **self.ending(match, result))

    def reference(self, match: Match) -> Iterator[contexts.Mail]:
        """The rules, topic by topic, and everything that can be looked up by a name of the vocabulary."""
        if not isinstance(self.game, HasRules):
            return
        on_game, topics = self.on_the_game(match, None), tuple(self.game.topics())
        for topic in topics:
            yield contexts.Rules(**on_game, topic=topic, asked=topic, topics=topics)
        for name in (name for names in self.game.vocabulary.names.values() for name in names):
            yield contexts.Card(**on_game, asked=name, found=self.game.lookup(name))

    def on_the_state(self, match: Match, seat: Seat | None, events: Sequence[Event] = ()) -> dict[str, Any]:
        """The fields of a mail that shows the whole state."""
        asked, game = decision_of(match, seat), self.game
        story = [
            Happening(turn=turn, actor=actor, kind=event.kind, data=event.seen_by(seat))
            for turn, actor, event in in_turns(events)
        ]
        policies = game.policies(match, seat, {}) if isinstance(game, HasPolicies) and seat is not None else []
        return self.on_the_game(match, seat) | {
            "view": match.view(seat),
            "events": tuple(story),
            "question": Question.of(asked) if asked else None,
            "policies": tuple(policies),
        }

    def on_the_game(self, match: Match, seat: Seat | None) -> dict[str, Any]:
        """The fields of every mail about a game."""
        colours = self.game.colours[: self.seats]
        return {
            "player": "Rosie",
            "now": NOW,
            "code": "G042",
            "game": "Thursday night",
            "token": "N6JR3CVE",
            "colour": None if seat is None else colours[seat],
            "seats": tuple(Place(colour=colour, player=f"Player {colour}") for colour in colours),
            "turn": match.turn,
            "actor": "" if match.actor is None else colours[match.actor],
            "situation": self.situation(match, seat),
        }

    def situation(self, match: Match, seat: Seat | None) -> Situation:
        """What the match waits for."""
        if not match.pending:
            return Situation(kind="over")
        asked, several = decision_of(match, seat), len(match.pending) > 1
        group = tuple(self.game.colours[decision.seat] for decision in match.pending if several)
        if asked is not None:
            return Situation(kind="react" if asked.window else "move", due_at=DUE, group=group)
        return Situation(kind="group" if group else "waiting", due_at=DUE, group=group)
