"""The course of a game that is over: its stored choices made again from the seed, and what stood there after each turn."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from pbem import protocol
from pbem.errors import ReplayMismatch, StoreError
from pbem.mail.wire.compose import Attachment
from pbem.play.letters import happening, places
from pbem.play.replay import repeat, replaying, restored
from pbem.protocol import Goal, HasDrawing, HasGoals, HasPolicies, Match, Seat, decision_of, game_named, settings_for
from pbem.reports.contexts import Course, Moment, Reaction, scores
from pbem.reports.page import Page, file_name, replay_page
from pbem.store import Game, LoggedEvent, SeatRecord, Store, Tx, Version


def course(tx: Tx, rules: protocol.Game, game: Game) -> Course:
    """The course of a game.

    Raises ReplayMismatch when it can neither be played again nor read from its versions.
    """
    seats, chain = len(tx.seats(game.id)), tx.chain(game.id, game.version)
    with replaying(chain[-1]):
        retelling = Retelling(rules, rules.new(seats, game.seed, settings_for(rules, game.settings.rules)), seats)
        for version in chain:
            retelling.go_on(version)
    return retelling.told(tx.events(game.id))


def ending(tx: Tx, rules: protocol.Game, game: Game, match: Match) -> dict[str, Any]:
    """What is told of a game that is over, by mail and on its page: the fields of `Final` that `Page` has too."""
    result = match.result
    assert result is not None, "the match is over"
    told = None
    with suppress(ReplayMismatch):  # the moderator sees it in `pbem verify`; the end is told all the same
        told = course(tx, rules, game)
    return {
        "reason": result.reason,
        "scores": scores(result, places(tx.seats(game.id))),
        "seed": game.seed.hex(),
        "commitment": game.commitment,
        "course": told,
        "reaction_mode": game.settings.reactions,
        "set_policies": set_policies(tx, rules, game, match),
    }


def set_policies(tx: Tx, rules: protocol.Game, game: Game, match: Match) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """The policies that were set, by colour; in a game that has any."""
    if not isinstance(rules, HasPolicies):
        return {}
    lines = tx.policies(game.id)
    told = {seat.colour: rules.policies(match, seat.seat, lines.get(seat.seat, {})) for seat in tx.seats(game.id)}
    return {colour: [policy for policy in policies if policy["set"]] for colour, policies in told.items()}


def page(rules: protocol.Game, game: Game, seats: Sequence[SeatRecord], told: Mapping[str, Any]) -> Attachment:
    """The replay page of a game of which `ending` has told this."""
    known = Page(code=game.code, game=game.name, title=rules.title, seats=places(seats), **told)
    return Attachment(file_name(game.code), replay_page(game.game_type, known))


def written_page(store: Store, code: str) -> Attachment:
    """The replay page of the game with this code (or name).

    Raises StoreError when there is no such game, or it is not over; ReplayMismatch when it can no longer be read.
    """
    with store.reading() as tx:
        game = tx.find_game(code)
        if game.status != "over":
            raise StoreError(f"{game.code} is not over; until it is, its page would show what is secret")
        rules = game_named(game.game_type)
        match = restored(rules, tx.version(game.id, game.version))
        told = ending(tx, rules, game, match)
        if told["course"] is None:
            raise ReplayMismatch(f"{game.code} can no longer be played again; `pbem verify {game.code}` says why")
        return page(rules, game, tx.seats(game.id), told)


class Retelling:
    """A match that is played again."""

    def __init__(self, rules: protocol.Game, match: Match, seats: int) -> None:
        self.rules = rules
        self.match = match
        self.seats = seats
        #: The turn that is being played, and what stood there after the turns before it.
        self._turn = 0
        self._after: dict[int, Moment] = {}
        self._reactions: list[Reaction] = []
        self._windows = 0
        self._look()

    def go_on(self, version: Version) -> None:
        """Make the choices of a version again. One that leads elsewhere, as after a change of the rules, is read as it was
        stored."""
        with suppress(ReplayMismatch), replaying(version):
            for choice in version.added:
                self._note(choice)
                repeat(self.match, choice)
                self._look()
        if version.entropy:
            self.match.rollback_entropy(bytes.fromhex(version.entropy))
        if self.match.digest() != version.digest:
            self.match = restored(self.rules, version)
        self._look()

    def _note(self, choice: Sequence[object]) -> None:
        """Count a window, and keep what is done in it."""
        seat, text = Seat(int(str(choice[0]))), str(choice[1])
        decision = decision_of(self.match, seat)
        if decision is None or not decision.window:
            return
        self._windows += 1
        if decision.decline is None or text != decision.decline.text:
            self._reactions.append(Reaction(turn=self.match.turn, colour=self.rules.colours[seat], order=text))

    def _look(self) -> None:
        """Keep what stands there, once a turn is over."""
        match = self.match
        turns = range(self._turn, match.turn + (match.result is not None))
        if not turns:
            return
        view = match.view(None)
        drawn = self.rules.drawing(view) if isinstance(self.rules, HasDrawing) else None
        goals: tuple[Goal | None, ...] = tuple(match.goals()) if isinstance(match, HasGoals) else (None,) * self.seats
        for turn in turns:
            self._after[turn] = Moment(turn=turn, actor="", view=view, drawing=drawn, goals=goals, events=())
        self._turn = turns.stop

    def told(self, events: Sequence[LoggedEvent]) -> Course:
        """The course, with the story from the log."""
        moments = []
        for turn, after in sorted(self._after.items()):
            story = tuple(happening(event, turn, event.actor, None) for event in events if event.turn == turn)
            actor = story[-1].actor if story else ""
            moments.append(
                Moment(turn=turn, actor=actor, view=after.view, drawing=after.drawing, goals=after.goals, events=story)
            )
        return Course(moments=tuple(moments), reactions=tuple(self._reactions), windows=self._windows)
