"""What a game and the server share: Game, Match, Decision, Option, Event, View.

A game is a pure, deterministic machine: no clock, no input or output, no global random source. Everything
above this module works on decisions and their options alone, and so works for any game: with or without turns that
go round the table, cards, dice, policies or a bot. `pbem game check NAME` proves that a game keeps what is promised
here.

What the server reads in a game, where it is there:

    event TurnBegan    begins each turn, as its first event: `turn`, its number from 1, which only grows, and `colour`,
                       the seat whose turn it is, or None where all play at once
    option `end`       ends the turn; written by a player it declines whatever may be declined until then
    option `done`      ends a decision that comes again and again until it is chosen (pick any number of things)
    option `play NAME` brings decisions whose facts hold `card`: NAME
    result details     `seats`, as `Result` says
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal, NewType, Protocol, Self, TypeAlias, runtime_checkable

from pbem.errors import ConfigError, place_of

#: A place at the table: 0 for the first in the order of play, 1 for the next, and so on.
Seat = NewType("Seat", int)

#: What one seat (or, for None, the public) may know: a JSON-able mapping whose keys the game documents, the same keys
#: for every reader. `over`, where it is there and true, says that the match has ended.
View: TypeAlias = Mapping[str, Any]


#: How windows are answered: `standing` at once, from policies; `sealed` by a mail to every seat concerned, all
#: together; `ask` by a mail to those who could do something and have no policy.
Reactions: TypeAlias = Literal["standing", "sealed", "ask"]


# Neither frozen nor compared by their fields: the rules make thousands of them a second.
@dataclass(slots=True, eq=False)
class Option:
    """One legal answer."""

    #: Its order text.
    text: str
    #: Belongs to the game and to nobody else.
    value: Any = field(default=None, repr=False)


@dataclass(slots=True, eq=False)
class Decision:
    """A question the rules put to one seat, with the complete list of its legal options."""

    #: Who must answer.
    seat: Seat
    #: One word; the wording is a template found by it.
    kind: str
    #: Everything legal and nothing else; distinct options have distinct texts.
    options: Sequence[Option]
    #: What happens when nobody ever answers (never an interrupt, never a free choice to spend).
    default: Option
    #: Taken by itself when the player's next line does not answer this decision and when the lines run out: a gain
    #: without a choice, or all that the rules allow. None when the player must say something.
    auto: Option | None = None
    #: The option that gives up what is offered (`skip`, `pass`, `done`, `end`); None when compulsory.
    decline: Option | None = None
    #: True for a reaction: it falls to somebody because of a public trigger.
    window: bool = False
    #: For a window: every seat the trigger concerns, in the order of the rules, whatever they hold.
    seats: tuple[Seat, ...] = ()
    #: JSON-able values for the wording, such as the card; for the deciding seat's eyes.
    facts: Mapping[str, Any] = field(default_factory=dict)

    def option(self, text: str) -> Option | None:
        """The option with exactly this text, or None."""
        return next((option for option in self.options if option.text == text), None)


class Event:
    """Something that happened. `kind` names it in the past tense (`MinionPlaced`) and finds its wording.

    `data` is what everybody may read; `private` holds, per seat, what that seat may read in addition
    (it is merged over `data` for that seat). All events of one kind have the same keys in `data`, so that a template
    need not ask whether one is there.
    """

    __slots__ = ("data", "kind", "private")

    def __init__(
        self, kind: str, data: Mapping[str, Any], private: Mapping[int, Mapping[str, Any]] | None = None
    ) -> None:
        self.kind = kind
        self.data = data
        self.private = private

    @classmethod
    def of(cls, fact: Any, private: Mapping[int, Mapping[str, Any]] | None = None) -> Self:
        """The event of a dataclass that is named as the kind, with its fields as data."""
        return cls(type(fact).__name__, {one.name: getattr(fact, one.name) for one in fields(fact)}, private)

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        """The data as `seat` may read it; None is the public."""
        return {**self.data, **((self.private or {}).get(seat, {}) if seat is not None else {})}

    def __repr__(self) -> str:
        return f"Event({self.kind!r}, {self.data!r})"


#: An event with its turn and the colour of whose turn it was; 0 and empty before the first turn.
Told: TypeAlias = tuple[int, str, Event]


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
    #: Verb -> nouns for what it takes, which add nothing beside it and may stand for it: {"minion": ("guy", "man")}.
    nouns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Name -> words for what it does, where a decision's facts name it as `card`: {"Nobby Nobbs": ("rob", "steal")}.
    deeds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Order text -> words for what it does, said beside its name: {"use Nap Hill": ("income",)}.
    powers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Verb -> words that decline what it offers: {"burn": ("let it stand",)}.
    refusals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Match(Protocol):
    """One match being played. A failed or abandoned match is thrown away; nothing outside it changes."""

    @property
    def pending(self) -> tuple[Decision, ...]:
        """The decisions that are open now, at most one a seat, in the order in which the rules carry them out; empty
        when the match is over.

        Several are a *group*: one sequence of decisions a seat. `choose` answers each at its own pace; the next of that
        seat's sequence takes its place, or the seat leaves `pending`. Until every sequence has ended nothing of the
        answers shows anywhere: not in views, events or `reveals`. Then all are carried out, seat by seat in this order,
        whatever the order of the answers was; one that an earlier one made moot plays and shows nothing. A group is
        closed by the choice that ends its last sequence, and closing counts as a reveal.
        """

    @property
    def result(self) -> Result | None:
        """How it ended, or None while it goes on."""

    @property
    def reveals(self) -> int:
        """How often something was revealed so far (design: randomness drawn, something hidden becoming visible
        to any seat, a window or a group closing). It only grows; what lies between two equal counts can be taken
        back."""

    @property
    def turn(self) -> int:
        """The turn now being played, counted from 1; it grows with each `TurnBegan`."""

    @property
    def actor(self) -> Seat | None:
        """The seat whose turn it is; None where all play at once."""

    @property
    def forced(self) -> Sequence[Decision]:
        """What the rules left a seat no choice in since the last choice: decisions with one option, which was taken
        without asking, in order."""

    def choose(self, seat: Seat, option: Option) -> list[Event]:
        """Take an option of the seat's pending decision and advance; what happened, nothing while a group stays open.

        Raises ValueError for a seat that is not asked, and for an option (compared by its text) that is not among its
        decision's; nothing changes then.
        """

    def opening(self) -> list[Event]:
        """What happened before the first decision (the set-up); read once after `new`."""

    def view(self, seat: Seat | None) -> View:
        """What that seat, or the public, may know."""

    def fork(self) -> Self:
        """An independent match in the same state."""

    def snapshot(self) -> dict[str, Any]:
        """A JSON-able dict from which `Game.restore` makes the same match again, with a digest of the state."""

    def choices(self) -> list[list[Any]]:
        """The choices since the match object was made, forked or restored: [seat, text, outcomes] each, with the dice
        and draws that came of it, oldest first; those of a closed group seat by seat, in the order of the group. An open group's come last."""

    def digest(self) -> str:
        """A hexadecimal digest of the complete state, the same in every process."""

    def position(self) -> str:
        """The position in one line, for errors and for moderators; it shows everything."""

    def rollback_entropy(self, entropy: bytes) -> None:
        """Draw what nobody may have seen anew from `entropy` (a rollback past a reveal). It is a choice too, of seat
        -1, with the entropy in hexadecimal as its text."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a seat's policies say to a window or a question."""

    #: The option they choose, or None when the seat wants to be asked.
    option: Option | None
    #: Words for the wording: which policy fired, or why each did not.
    why: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Goal:
    """What a seat is secretly after, and how near it is."""

    #: What it is called, such as the personality whose goal it is.
    name: str
    #: How much of it the seat has ...
    have: int
    #: ... and how much it needs, 1 or more.
    need: int


#: A place on a drawing: so many units from the left and from the top.
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Plot:
    """An area of a drawn board."""

    name: str
    #: Its corners, in order; the last is joined to the first.
    outline: tuple[Point, ...]
    #: The middle of its name; its pieces stand below.
    label: Point


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line that is drawn over the areas."""

    #: What it shows.
    kind: Literal["water", "bridge"]
    points: tuple[Point, ...]
    width: float


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands in an area; several of a kind are one piece."""

    #: The name of a plot.
    area: str
    #: What it is; the game's template `pieces` has its words.
    kind: str
    #: Whose it is: a name of the game's template `html/colours`; empty for what is nobody's.
    colour: str
    #: How it is drawn, and what is written on it: nothing is told by its colour alone.
    shape: Literal["disc", "house", "triangle", "square", "diamond"]
    mark: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board as it is drawn, with what stands on it."""

    width: float
    height: float
    #: The same ones in the same order in every view.
    plots: tuple[Plot, ...]
    strokes: tuple[Stroke, ...]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why what a player's words mean is no option."""

    #: One word for the rule that forbids it: finds the wording in the game's template `own_errors`.
    word: str
    #: JSON-able values for the wording.
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something that can be looked up, by its name or by a question."""

    #: What is shown as its source: the id of a rule (`R-MIN-1`), a card or area, or `mail:X` for a custom of the server.
    id: str
    #: One word: `rule`, `procedure`, or what it is in the game, such as `card`.
    kind: str
    #: Its name, or the question that it answers.
    title: str
    #: What it says; of a thing with a name, the words that are searched, for `Game.lookup` says what is shown.
    text: str
    #: Other names of it, or other questions that it answers.
    titles: tuple[str, ...] = ()
    #: Ids that it rests on besides, the weightiest first.
    rests_on: tuple[str, ...] = ()
    #: Whether it answers a question, as against telling a rule or a thing.
    answers: bool = False

    @classmethod
    def of_topic(cls, topic: Mapping[str, Any], kind: str = "rule") -> Self:
        """A topic of frequent questions, as data holds it: `titles`, `answer`, `rules` and, where there are any, `see`."""
        return cls(
            id=topic["rules"][0],
            kind=kind,
            title=topic["titles"][0],
            titles=tuple(topic["titles"][1:]),
            text=topic["answer"],
            rests_on=(*topic["rules"][1:], *topic.get("see", ())),
            answers=True,
        )


#: The words of a question, as they are compared; in place of words that name something, all the names they may stand for.
Asked: TypeAlias = Sequence[str | tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a game found out about a position in answer to a question."""

    #: One word: finds the wording in the game's template `own_answers`.
    word: str
    #: JSON-able values for the wording.
    facts: Mapping[str, Any]
    #: The ids that it rests on, the weightiest first; at least one.
    rests_on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Untold:
    """Why a game does not answer a question."""

    #: One word: finds the wording in the game's template `own_answers`.
    word: str
    #: The ids of rules that say so.
    rests_on: tuple[str, ...] = ()


class Game(Protocol):
    """A game the server can run; the entry-point group `pbem.games` names its object.

    `HasBot`, `HasSuggestions`, `HasPolicies`, `HasRules`, `HasPositions`, `HasSecrets` and `HasDrawing` are parts that a
    game may have besides, and `HasForesight`, `HasOutlook`, `HasDetails`, `HasReasons` and `HasGoals` its matches; they are
    used where they are there.
    """

    #: The entry-point name, such as `ankh_morpork`; also the folder of its templates.
    name: str
    #: The name people read.
    title: str
    #: Smallest and largest number of seats.
    seats: tuple[int, int]
    #: The colours of the seats in the order of play, as people read them; at least the largest number of seats.
    colours: tuple[str, ...]
    #: What can be chosen about the rules when a match is set up: name -> the values there are, the usual one first.
    settings: Mapping[str, tuple[str, ...]]
    vocabulary: Vocabulary

    def new(self, seats: int, seed: bytes, settings: Mapping[str, str]) -> Match:
        """Set a match up from a 32-byte seed; `settings` has a value of `Game.settings` for any of its names."""

    def restore(self, snapshot: Mapping[str, Any]) -> Match:
        """Make a match from `Match.snapshot()`, which stays as it is; its keys come back sorted.

        Raises ReplayMismatch when its choices no longer lead to its digest.
        """

    def turn_start(self, snapshot: Mapping[str, Any]) -> Match:
        """The match at the start of the turn of `Match.snapshot()`; what was chosen since is left out, so this works
        when a change of the rules made the choices impossible.

        Raises ReplayMismatch when even the state at the start can no longer be read.
        """


@runtime_checkable
class HasBot(Protocol):
    """A game with a computer player: bots can sit at its seats and move for who does not write in time."""

    def bot(self, view: View, decision: Decision, randomness: bytes) -> Option:
        """The option a simple computer player takes, from its own view and the decision alone."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A turn that a seat could play."""

    #: Order texts, from the seat's pending decision to the first choice that could reveal something, at most.
    orders: tuple[str, ...]
    #: For each of them what else could be said in its place, behind those before it.
    others: tuple[tuple[str, ...], ...] = ()

    @property
    def line(self) -> str:
        """The whole turn on one line."""
        return "; ".join(self.orders)

    @property
    def variants(self) -> Iterator[tuple[str, str]]:
        """Each of the others, and the line that says it behind the orders before it."""
        for place, texts in enumerate(self.others):
            for text in texts:
                yield text, "; ".join((*self.orders[:place], text))


@runtime_checkable
class HasSuggestions(Protocol):
    """A game that suggests whole turns to whoever is asked."""

    def suggest(self, match: Match, seat: Seat) -> Sequence[Suggestion]:
        """Sensible turns of a seat. They are those of what the seat may know, whatever else is so."""


@runtime_checkable
class HasPolicies(Protocol):
    """A game whose windows can be answered in advance, by the mail command `standing`."""

    def policy(self, text: str) -> tuple[str, dict[str, Any]]:
        """Read what follows `standing`: the policy's subject (a card) and its JSON-able terms.

        Raises OrderError when it cannot be read.
        """

    def answer(
        self, match: Match, decision: Decision, policies: Mapping[str, Mapping[str, Any]], reactions: Reactions
    ) -> Answer:
        """What a seat's policies say to one of the pending decisions, judged on what that seat may know. A subject
        without a policy is answered by the game's own rule for it in `standing`; it means asking in `sealed`, and in
        `ask` if the seat could act. Whether the seat is asked depends on what it holds in `ask` alone."""

    def policies(self, match: Match, seat: Seat, policies: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Each policy in force at a seat, set or unset, for its report: subject, terms, held, set."""


@runtime_checkable
class HasRules(Protocol):
    """A game whose rules can be asked for by mail, by `rules TOPIC` and `card NAME`."""

    def topics(self) -> Mapping[str, tuple[str, ...]]:
        """Rules topics for `rules TOPIC`: name -> aliases; each has a template `rules/NAME`."""

    def lookup(self, name: str) -> Mapping[str, Any] | None:
        """What `card NAME` shows about a card, area, event or personality; None when there is no such thing."""


@runtime_checkable
class HasAnswers(Protocol):
    """A game that can be asked about in plain words."""

    def entries(self) -> Sequence[Entry]:
        """All that may be looked up: answers to frequent questions, rules, and everything that has a name."""

    def synonyms(self) -> Mapping[str, Sequence[str]]:
        """What people say in questions for a word of the entries, in any language: word -> other words and phrases."""

    def finding(self, question: Asked, view: View) -> Finding | None:
        """What a seat's view says about a question on the position; None for any other question, and for one of which a
        word stays unexplained."""

    def untold(self, question: Asked) -> Untold | None:
        """Why a question is not answered: it asks for a secret, or for what chance decides; None for any other."""


@runtime_checkable
class HasPositions(Protocol):
    """A game whose positions can be written in one line, for trying orders out."""

    def position(self, text: str, dice: Sequence[int] = ()) -> Match:
        """A match that begins in a written position; `dice` are rolled before any others.

        Raises ValueError for what is not in the notation.
        """


@runtime_checkable
class HasSecrets(Protocol):
    """A game that can deal anew what one seat does not know; without it `pbem game check` cannot prove its secrets."""

    def dealt_anew(self, match: Match, seat: Seat | None, entropy: bytes) -> Match:
        """A match that is the same for that seat (or the public) and may differ in all that it cannot see."""


@runtime_checkable
class HasDrawing(Protocol):
    """A game whose board can be drawn."""

    def drawing(self, view: View) -> Drawing:
        """The board with what stands on it in a view."""


@runtime_checkable
class HasForesight(Protocol):
    """A match that reveals something when a turn ends, such as a refilled hand, and says when that end could be
    foreseen: orders for which the turn has no room are refused then before anything is done."""

    @property
    def foreseeable_end(self) -> bool:
        """Whether the last choice ended its turn before anything was revealed."""


@runtime_checkable
class HasOutlook(Protocol):
    """A match that says what an option would lead to."""

    def outlook(self, seat: Seat, option: Option) -> Mapping[str, Any]:
        """What the option would lead to, as far as nothing is revealed."""


@runtime_checkable
class HasDetails(Protocol):
    """A match that knows what people say beside a name."""

    def details(self, name: str) -> Sequence[str]:
        """What is public about a named thing, and said of it though no order text does: names of whose it is, amounts
        as `$12`, numbers as `3`."""


@runtime_checkable
class HasReasons(Protocol):
    """A match that says why something is no option."""

    def why_not(self, decision: Decision, text: str) -> Reason | None:
        """Why an order text, or as much of one as was said (`build The Hippo`, a name alone), is no option of a decision
        that a seat is, or with one option left would have been, asked; None when no rule is known that forbids it. It is
        judged on what everybody knows and what that seat itself does, for a refusal is free."""


@runtime_checkable
class HasGoals(Protocol):
    """A match in which each seat is after something of its own."""

    def goals(self) -> Sequence[Goal | None]:
        """How near each seat is to its goal, None for one without; secret until the match is over."""


def decision_of(match: Match, seat: Seat | None) -> Decision | None:
    """The pending decision of a seat; None when it is not asked."""
    return next((decision for decision in match.pending if decision.seat == seat), None)


def in_turns(events: Sequence[Event], turn: int = 0, actor: str = "") -> Iterator[Told]:
    """Each event with its turn and the colour of whose turn it is: a new one begins at `TurnBegan`."""
    for event in events:
        if event.kind == "TurnBegan":
            turn, actor = int(event.data["turn"]), event.data["colour"] or ""
        yield turn, actor, event


def seats_for(game: Game, players: int | None) -> int:
    """How many play: as many as are wanted, else three where the game allows.

    Raises ConfigError when the game does not take that many.
    """
    fewest, most = game.seats
    wanted = min(max(3, fewest), most) if players is None else players
    if not fewest <= wanted <= most:
        raise ConfigError(f"{game.title} is for {fewest} to {most}, not for {wanted}")
    return wanted


def settings_for(game: Game, chosen: Mapping[str, str]) -> dict[str, str]:
    """The chosen settings of a game's rules, with the usual value for those that are not chosen.

    Raises ConfigError for a setting or a value that the game does not have.
    """
    for name, value in chosen.items():
        if name not in game.settings:
            there = ", ".join(game.settings) or "none"
            raise ConfigError(f'{game.title} has no setting "{name}"; it has: {there}')
        if value not in game.settings[name]:
            raise ConfigError(f"{name} of {game.title} is one of {', '.join(game.settings[name])}, not {value}")
    return {name: chosen.get(name, values[0]) for name, values in game.settings.items()}


def commitment(game: Game, seats: int, seed: bytes, settings: Mapping[str, str]) -> str:
    """The SHA-256, in hexadecimal, that players get at the start: of the JSON of `game`, `seats`, `seed` (hexadecimal)
    and, in a game that has any, `settings`; keys sorted, without blanks."""
    promise: dict[str, Any] = {"game": game.name, "seats": seats, "seed": seed.hex()}
    if settings:
        promise["settings"] = dict(settings)
    return sha256(json.dumps(promise, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def game_names() -> list[str]:
    """The entry-point names of the games that are installed, in order, whether or not they can be loaded."""
    return sorted(point.name for point in entry_points(group="pbem.games"))


def installed_games() -> dict[str, Game]:
    """Every installed game that can be loaded, by entry-point name."""
    games = {}
    for name in game_names():
        with suppress(ConfigError):
            games[name] = game_named(name)
    return games


def game_named(name: str) -> Game:
    """The installed game of this name.

    Raises ConfigError when there is none, and when it cannot be loaded.
    """
    for point in entry_points(group="pbem.games", name=name):
        try:
            game: Game = point.load()
        except Exception as error:  # a game is somebody else's program and fails in its own way
            raise ConfigError(f"{name} cannot be loaded: {type(error).__name__}, {place_of(error) or error}") from error
        return game
    raise ConfigError(f'no game "{name}" is installed; installed: {", ".join(game_names()) or "none"}')


def templates_folder() -> Path:
    """Where the templates lie: `pbem/templates` when installed, `templates/` beside the package in a checkout."""
    installed = Path(__file__).parent / "templates"
    return installed if installed.is_dir() else Path(__file__).parent.parent / "templates"
