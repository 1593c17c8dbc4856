"""What a game and the server share: Game, Match, Decision, Option, Event, View.

A game is a pure, deterministic machine: no clock, no input or output, no global random source. Everything
above this module works on decisions and their options alone, and so works for any game.

What every game keeps besides, because the server goes by it:

    option `end`       ends the turn; written by a player it declines whatever may be declined until then
    option `done`      ends a decision that comes again and again until it is chosen (pick any number of things)
    option `play NAME` brings decisions whose facts hold `card`: NAME
    event TurnBegan    with `turn` and `colour`, the first event of each turn; turns go round the table
    result details     `seats`, as `Result` says
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NewType, Protocol, TypeAlias

from pbem.errors import ConfigError

#: A place at the table: 0 for the first in the order of play, 1 for the next, and so on.
Seat = NewType("Seat", int)

#: What one seat (or, for None, the public) may know: a JSON-able mapping whose keys the game documents. `over`, where
#: it is there and true, says that the match has ended.
View: TypeAlias = Mapping[str, Any]


class Option:
    """One legal answer. `text` is its order text; `value` belongs to the game and to nobody else."""

    __slots__ = ("text", "value")

    def __init__(self, text: str, value: Any = None) -> None:
        self.text = text
        self.value = value

    def __repr__(self) -> str:
        return f"Option({self.text!r})"


class Decision:
    """A question the rules put to one seat, with the complete list of its legal options.

    seat      who must answer
    kind      one word; the wording is a template found by it
    options   everything legal and nothing else; distinct options have distinct texts
    default   what happens when nobody ever answers (never an interrupt, never a free choice to spend)
    auto      taken by itself when the player's next line does not answer this decision and when the lines
              run out: a gain without a choice, or all that the rules allow. None when the player must say something
    decline   the option that gives up what is offered (`skip`, `pass`, `done`, `end`); None when compulsory
    window    True for a reaction: it falls to somebody because of a public trigger
    seats     for a window: every seat the trigger concerns, in the order asked, whatever they hold
    facts     JSON-able values for the wording, such as the card; for the deciding seat's eyes
    """

    __slots__ = ("auto", "decline", "default", "facts", "kind", "options", "seat", "seats", "window")

    def __init__(
        self,
        seat: Seat,
        kind: str,
        options: Sequence[Option],
        default: Option,
        *,
        auto: Option | None = None,
        decline: Option | None = None,
        window: bool = False,
        seats: tuple[Seat, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        self.seat = seat
        self.kind = kind
        self.options = options
        self.default = default
        self.auto = auto
        self.decline = decline
        self.window = window
        self.seats = seats
        self.facts = facts if facts is not None else {}

    def option(self, text: str) -> Option | None:
        """The option with exactly this text, or None."""
        for option in self.options:
            if option.text == text:
                return option
        return None


class Event:
    """Something that happened. `kind` names it in the past tense (`MinionPlaced`) and finds its wording.

    A turn begins with an event that every game tells: `TurnBegan`, with its number as `turn` and the actor's `colour`.

    `data` is what everybody may read; `private` holds, per seat, what that seat may read in addition
    (it is merged over `data` for that seat).
    """

    __slots__ = ("data", "kind", "private")

    def __init__(
        self, kind: str, data: Mapping[str, Any], private: Mapping[int, Mapping[str, Any]] | None = None
    ) -> None:
        self.kind = kind
        self.data = data
        self.private = private

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        """The data as `seat` may read it; None is the public."""
        seen = dict(self.data)
        if seat is not None and self.private and seat in self.private:
            seen.update(self.private[seat])
        return seen

    def __repr__(self) -> str:
        return f"Event({self.kind!r}, {self.data!r})"


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended."""

    #: The seats that won; more than one when they share the win.
    winners: tuple[Seat, ...]
    #: One word for why: finds the wording.
    reason: str
    #: Points by seat where points were counted, else None for each seat.
    scores: tuple[int | None, ...]
    #: JSON-able details for the final report. `seats` holds a mapping a seat: its colour, its `personality` (what
    #: it was secretly after, if the game has such a thing), and how its points add up.
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a game's order texts, for matching what players write.

    An order text is a verb followed by names and small words: `move Red from Dimwell to The Shades`.
    """

    #: Canonical verb -> other words for it, each of one or more words: {"minion": ("place", "put a guy in")}.
    verbs: Mapping[str, tuple[str, ...]]
    #: Names by kind ("card", "area", "colour"): canonical name -> aliases.
    names: Mapping[str, Mapping[str, tuple[str, ...]]]
    #: Verbs that take nothing and count as an order only when they stand alone: `end`, `skip`.
    alone: frozenset[str] = frozenset()
    #: Nouns that add nothing where they stand beside a name: "minion", "guy", "card".
    fillers: frozenset[str] = frozenset()
    #: Those nouns that some order texts have themselves, in place of a name: `protect building in Dimwell`.
    things: frozenset[str] = frozenset()
    #: Verbs that stand behind a name, with the kind of that name: {"pays": "colour"} for `Red pays Blue`.
    infix: Mapping[str, str] = field(default_factory=dict)


class Match(Protocol):
    """One match being played. A failed or abandoned match is thrown away; nothing outside it changes."""

    @property
    def decision(self) -> Decision | None:
        """The pending decision, or None when the match is over."""

    @property
    def result(self) -> Result | None:
        """How it ended, or None while it goes on."""

    @property
    def reveals(self) -> int:
        """How often something was revealed so far (design: randomness drawn, something hidden becoming visible
        to any seat, a window closing). It only grows; what lies between two equal counts can be taken back."""

    @property
    def turn(self) -> int:
        """The turn now being played, counted from 1."""

    @property
    def actor(self) -> Seat:
        """The seat whose turn it is."""

    @property
    def forced(self) -> Sequence[Decision]:
        """What the rules left a seat no choice in since the last choice: decisions with one option, which was taken
        without asking, in order."""

    def choose(self, option: Option) -> list[Event]:
        """Take an option of the pending decision and advance to the next.

        Raises ValueError for an option that is not among the pending decision's; nothing changes then.
        """

    def opening(self) -> list[Event]:
        """What happened before the first decision (the set-up); read once after `new`."""

    def outlook(self, option: Option) -> Mapping[str, Any]:
        """What the option would lead to, as far as nothing is revealed."""

    def view(self, seat: Seat | None) -> View:
        """What that seat, or the public, may know."""

    def fork(self) -> Match:
        """An independent match in the same state."""

    def snapshot(self) -> dict[str, Any]:
        """A JSON-able dict from which `Game.restore` makes the same match again, with a digest of the state."""

    def choices(self) -> list[list[Any]]:
        """The choices since the match object was made, forked or restored: [seat, text, outcomes] each, oldest
        first."""

    def digest(self) -> str:
        """A hexadecimal digest of the complete state, the same in every process."""

    def position(self) -> str:
        """The position in one line, for errors and for moderators; it shows everything."""

    def rollback_entropy(self, entropy: bytes) -> None:
        """Draw what nobody may have seen anew from `entropy` (a rollback past a reveal)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a seat's policies say to a window or a question."""

    #: The option they choose, or None when the seat wants to be asked.
    option: Option | None
    #: Words for the wording: which policy fired, or why each did not.
    why: Mapping[str, Any] = field(default_factory=dict)


class Game(Protocol):
    """A game the server can run; the entry-point group `pbem.games` names its object."""

    #: The entry-point name, such as `ankh_morpork`; also the folder of its templates.
    name: str
    #: The name people read.
    title: str
    #: Smallest and largest number of seats.
    seats: tuple[int, int]
    #: The colours of the seats in the order of play, as people read them.
    colours: tuple[str, ...]
    vocabulary: Vocabulary

    def new(self, seats: int, seed: bytes) -> Match:
        """Set a match up from a 32-byte seed."""

    def restore(self, snapshot: Mapping[str, Any]) -> Match:
        """Make a match from `Match.snapshot()`.

        Raises ReplayMismatch when its choices no longer lead to its digest.
        """

    def turn_start(self, snapshot: Mapping[str, Any]) -> Match:
        """The match at the start of the turn of `Match.snapshot()`; what was chosen since is left out, so this works
        when a change of the rules made the choices impossible.

        Raises ReplayMismatch when even the state at the start can no longer be read.
        """

    def commitment(self, seats: int, seed: bytes) -> str:
        """The SHA-256, in hexadecimal, of the canonical JSON of seed and set-up that players get at the start."""

    def policy(self, text: str) -> tuple[str, dict[str, Any]]:
        """Read what follows `standing`: the policy's subject (a card) and its JSON-able terms.

        Raises OrderError when it cannot be read.
        """

    def answer(self, match: Match, policies: Mapping[str, Mapping[str, Any]]) -> Answer:
        """What the deciding seat's policies say to the pending window, judged on what that seat may know."""

    def policies(
        self, match: Match, seat: Seat, policies: Mapping[str, Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Each policy in force at a seat, set or unset, for its report: subject, terms, held, set."""

    def bot(self, view: View, decision: Decision, randomness: bytes) -> Option:
        """The option a simple computer player takes, from its own view and the decision alone."""

    def topics(self) -> Mapping[str, tuple[str, ...]]:
        """Rules topics for `rules TOPIC`: name -> aliases; each has a template `rules/NAME`."""

    def lookup(self, name: str) -> Mapping[str, Any] | None:
        """What `card NAME` shows about a card, area, event or personality; None when there is no such thing."""


def installed_games() -> dict[str, Game]:
    """Every game that is installed, by entry-point name."""
    return {point.name: point.load() for point in entry_points(group="pbem.games")}


def game_named(name: str) -> Game:
    """The installed game of this name.

    Raises ConfigError when there is none.
    """
    games = installed_games()
    if name not in games:
        raise ConfigError(f'no game "{name}" is installed; installed: {", ".join(sorted(games)) or "none"}')
    return games[name]


def templates_folder() -> Path:
    """Where the templates lie: `pbem/templates` when installed, `templates/` beside the package in a checkout."""
    installed = Path(__file__).parent / "templates"
    return installed if installed.is_dir() else Path(__file__).parent.parent / "templates"
