"""One frozen dataclass for each kind of mail a person receives: all that its template may know.

Plain values only: no store object, no match, no clock. What a seat must not know is never in its context,
so no template can give it away. Every field is documented, for the people who write templates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Literal, Self, TypeAlias

from pbem.orders.outcome import Line
from pbem.protocol import Decision, Drawing, Goal, Reactions, Result, Suggestion, View
from pbem.questions.values import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One seat at the table, as everybody may see it."""

    #: The colour of the seat, such as `Red`.
    colour: str
    #: The name of the player; never an address.
    player: str
    #: Whether a bot plays the seat.
    bot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One event, as this mail's reader may know it."""

    #: The turn in which it happened; 0 for the set-up.
    turn: int
    #: The colour of the seat whose turn it was; empty where all play at once.
    actor: str
    #: The kind of event; finds the wording.
    kind: str
    #: `Event.seen_by(seat)` for the reader.
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A pending decision that the reader must answer."""

    #: `Decision.kind`; finds the wording.
    kind: str
    #: The order texts of all options, in the decision's order: number 1 is the first.
    options: tuple[str, ...]
    #: `Decision.facts`.
    facts: Mapping[str, Any] = field(default_factory=dict)
    #: Text of `Decision.auto`, or None.
    auto: str | None = None
    #: Text of `Decision.decline`, or None when something must be chosen.
    decline: str | None = None
    #: Text of `Decision.default`: what the rules take when nobody ever answers.
    default: str = ""
    #: What happens at the deadline: `bot` or `default`.
    nmr: Literal["bot", "default"] = "bot"
    #: What the reader has answered so far, where several are asked together: it can be replaced until all have.
    answer: tuple[str, ...] = ()
    #: Whole turns that the game suggests.
    turns: tuple[Suggestion, ...] = ()

    @classmethod
    def of(
        cls,
        decision: Decision,
        nmr: Literal["bot", "default"] = "bot",
        answer: tuple[str, ...] = (),
        turns: tuple[Suggestion, ...] = (),
    ) -> Self:
        """A decision, as mails put it."""
        return cls(
            kind=decision.kind,
            options=tuple(option.text for option in decision.options),
            facts=decision.facts,
            auto=decision.auto.text if decision.auto else None,
            decline=decision.decline.text if decision.decline else None,
            default=decision.default.text,
            nmr=nmr,
            answer=answer,
            turns=turns,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What the game waits for, as the reader may know it: subject, first sentence and waiting line go by it."""

    #: For a reader who is asked: `move` (the turn begins), `continues` (it goes on), `react` (a window), `answer` (a
    #: question in somebody else's turn, or one for several). For others: `answered` (the reader's own answer is in,
    #: others have still to answer), `reactions` (others may react; no seat is ever named), `group` (others must
    #: answer what everybody knows of), `waiting` (another seat moves), `over`.
    kind: Literal["move", "continues", "react", "answer", "answered", "reactions", "group", "waiting", "over"]
    #: When the reader's answer is due, or that of who is waited for; None without a deadline.
    due_at: datetime | None = None
    #: The colours of the one who must answer in another's turn, or of all who are asked together, whether or not they have answered; empty for a window.
    group: tuple[str, ...] = ()
    #: What brought up the question that they must answer, as everybody knows: a card, an event or another thing's name.
    about: str = ""
    #: Whether the moderator has stopped the game's clock.
    paused: bool = False

    @property
    def asked(self) -> bool:
        """Whether the reader is asked something."""
        return self.kind in ("move", "continues", "react", "answer")


#: Why mail got no answer. `often`: its player had had all answers of the hour; `wishes`: and all questions of the day
#: that need a `yes`; `address`: it came from an address that is not registered; `late`: the `yes` in it did; `begun`:
#: the game had not begun; `failed`: something of ours did; `part`: it got one, but not to all its questions.
Silence: TypeAlias = Literal["often", "wishes", "address", "late", "begun", "failed", "part", "spam"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """Mails of the reader that got no answer."""

    why: Silence
    #: When the first and the last of them came, aware.
    first: datetime
    last: datetime
    #: How many they are.
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """What every mail knows."""

    #: Finds the template; one for each class.
    template: ClassVar[str] = ""
    #: The name of the reader.
    player: str
    #: The time of writing, aware.
    now: datetime
    #: The time zone of the reader's dates, such as `Europe/Berlin`.
    timezone: str = "UTC"
    #: The code of the game, such as `G042`; empty when the mail belongs to none.
    code: str = ""
    #: The name of the game, such as `Thursday night`.
    game: str = ""
    #: The token for subject, Message-ID and Reply-To: that of the pending question, or one that serves for
    #: commands only; None puts none.
    token: str | None = None
    #: Whether the reader has had as many answers in this hour as anybody gets.
    last_answer: bool = False
    #: Mails of the reader that got no answer since the last mail to them.
    unanswered: tuple[Unanswered, ...] = ()

    def __init_subclass__(cls, template: str = "") -> None:
        # A dataclass with slots is made twice, the second time without its arguments.
        cls.template = template or cls.template


@dataclass(frozen=True, slots=True, kw_only=True)
class GameMail(Mail):
    """What every mail about a running game knows."""

    #: The colour of the reader's seat; None for somebody without one (the moderator).
    colour: str | None
    #: Every seat, in the order of play.
    seats: tuple[Place, ...]
    #: The turn now being played, from 1.
    turn: int
    #: The colour of the seat whose turn it is; empty where all play at once.
    actor: str
    #: What the game waits for.
    situation: Situation
    #: What the reader must answer now; None when nothing.
    question: Question | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Board(GameMail):
    """A game mail that can show the whole state: map, table and the reader's own things."""

    #: `Match.view(seat)` for the reader.
    view: View
    #: What happened since the reader's last report, oldest first.
    events: tuple[Happening, ...] = ()
    #: `Game.policies(...)` for the reader: subject, terms, held, set.
    policies: tuple[Mapping[str, Any], ...] = ()
    #: Every line of the mail that is answered, in the order written, with automatic choices where they came.
    lines: tuple[Line, ...] = ()
    #: Whether a mail of the reader went to third parties too, so that its token was retired.
    token_retired: bool = False
    #: What was asked beside the orders of the mail that is answered.
    answered: "tuple[Answered, ...]" = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Board, template="report"):
    """The state of the city, and what to do: your move, a reaction asked for, or a turn that is over."""

    #: `turn`: it is sent because things moved on; `next`: and answers orders of the reader, with which the reader's next
    #: turn began; `again`: because the player asked for it (`report`); `missed`: the reader's deadline passed, and a bot
    #: or the rules chose; `reminder`: it is about to pass.
    occasion: Literal["turn", "next", "again", "missed", "reminder"] = "turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome(Board, template="welcome"):
    """The game begins: who plays, how to play, the first hand; with the first question for who begins."""

    #: `Game.commitment(...)`.
    commitment: str
    #: Hours for a turn.
    turn_hours: float
    #: Hours for a reaction.
    reaction_hours: float
    #: What happens when a deadline passes.
    nmr: Literal["bot", "default"] = "bot"
    #: How reactions are answered.
    reaction_mode: Reactions = "standing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement(Board, template="acknowledgement"):
    """The answer to a mail with orders: what was understood, what came of it, and the next question.

    `events` holds what this mail's orders made happen.
    """

    #: Whether the reader's turn (or answer) is complete.
    complete: bool
    #: Whether something was revealed, so that it cannot be taken back any more.
    revealed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal(Board, template="refusal"):
    """Nothing of the mail was done: one of its lines could not be carried out."""

    #: What an answer of `yes` does: the orders as they are read without what is in doubt; empty when there is no offer.
    proposal: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing(Board, template="nothing"):
    """A mail in which no order was found."""

    #: `empty`: no typed text; `unsupported`: encrypted or otherwise unreadable; `oversize`: too large; `chat`: text but no order; `yes`: a `yes`
    #: to what asks for none; `no`: a `no` to what we asked about.
    what: Literal["empty", "unsupported", "oversize", "chat", "yes", "no"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview(Board, template="preview"):
    """What the orders would do; nothing was done.

    `events` is what would happen, `view` the state it would lead to, as far as nothing is revealed.
    """

    #: The first order that would reveal something, where the preview stops; None when it ran to the end.
    stops_at: str | None = None
    #: What the reader would be asked next; None when it stopped, or when the reader's turn would be over.
    next: Question | None = None


#: Why nothing can be taken back. `nothing`: nothing was done; `revealed`: it revealed something; `others`: others are
#: asked what follows from it; `past`: it is not the reader's turn.
TooLate: TypeAlias = Literal["nothing", "revealed", "others", "past"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Board, template="undone"):
    """The reader took back orders; `lines` were not carried out, because nothing could be taken back before them."""

    #: The choices taken back, oldest first; empty when there was nothing that can be taken back.
    choices: tuple[str, ...]
    #: Why there was nothing.
    late: TooLate = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack(Board, template="rolled_back"):
    """The moderator set the game back; old tokens ended."""

    #: The turn that was being played before.
    from_turn: int
    #: What the moderator says about it; may be empty.
    reason: str = ""
    #: Whether what nobody may have seen was drawn anew.
    reshuffled: bool = True
    #: The database was restored from a backup; the moderator did not choose where to go on.
    restored: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(GameMail, template="status"):
    """Short: whose move, until when, what the reader must do."""

    #: `Match.view(seat)` for the reader.
    view: View


@dataclass(frozen=True, slots=True, kw_only=True)
class Help(GameMail, template="help"):
    """The order language and the mail commands."""

    #: Rules topics that exist, for `rules TOPIC`.
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Aid(GameMail, template="aid"):
    """What a player needs at the table, on a page to print."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(GameMail, template="rules"):
    """One topic of the rules, or the list of topics."""

    #: The topic found, a key of `Game.topics()`; None when none was, or none asked for.
    topic: str | None
    #: What the player wrote after `rules`.
    asked: str = ""
    #: All topics.
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(GameMail, template="card"):
    """What a card, area, event or personality does."""

    #: What the player wrote after `card`.
    asked: str
    #: `Game.lookup(...)`; None when there is no such thing.
    found: Mapping[str, Any] | None
    #: Names that resemble what was asked for.
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A question that was answered."""

    #: What the player wrote.
    question: str
    #: What is known about it.
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers(GameMail, template="answers"):
    """The answers to what a mail asks in plain words; nothing was moved by it."""

    #: Each question with its answer, in the order asked.
    answered: tuple[Answered, ...]
    #: Whether more was asked than is answered in one mail.
    more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class History(GameMail, template="history"):
    """Everything that happened so far, as the reader may know it."""

    #: Oldest first.
    events: tuple[Happening, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing(GameMail, template="standing"):
    """The reader's policies after a change, or because they asked."""

    #: Every line in the order written; `option` holds the policy's subject.
    lines: tuple[Line, ...]
    #: `Game.policies(...)` for the reader: subject, terms, held, set.
    policies: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One seat's line in the final report."""

    #: The colour of the seat.
    colour: str
    #: The name of the player.
    player: str
    #: Whether this seat won, alone or shared.
    winner: bool
    #: Points, where points were counted.
    points: int | None
    #: What `Result.details` says of the seat: personality, and how its points add up.
    details: Mapping[str, Any] = field(default_factory=dict)


def scores(result: Result, seats: Sequence[Place]) -> tuple[Score, ...]:
    """The line of every seat in the final report."""
    details: Sequence[Mapping[str, Any]] = result.details.get("seats") or [{}] * len(seats)
    return tuple(
        Score(colour=seat.colour, player=seat.player, winner=number in result.winners, points=points, details=more)
        for number, (seat, points, more) in enumerate(zip(seats, result.scores, details, strict=True))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """How things stood when a turn was over."""

    #: The turn that was over; 0 for the set-up.
    turn: int
    #: The colour of the seat whose turn it was; empty where all play at once, and for the set-up.
    actor: str
    #: What everybody could see then.
    view: View
    #: The board as it is drawn, in a game that draws it.
    drawing: Drawing | None
    #: How near each seat was to its goal; None for one without, and where it is not known.
    goals: tuple[Goal | None, ...]
    #: What happened in that turn, as everybody could see it.
    events: tuple[Happening, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """Somebody did something in a window."""

    turn: int
    #: The colour of the seat that reacted.
    colour: str
    #: The order text.
    order: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A game from its first turn to its last."""

    moments: tuple[Moment, ...]
    #: What was done in windows, in order.
    reactions: tuple[Reaction, ...]
    #: How often a seat could have reacted.
    windows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Final(Board, template="final"):
    """The game is over: result, scores, all personalities, how it went, the seed and how to verify it."""

    #: `Result.reason`; finds the wording.
    reason: str
    #: Every seat, in the order of play.
    scores: tuple[Score, ...]
    #: The seed, in hexadecimal.
    seed: str
    #: The commitment told at the start.
    commitment: str
    #: How the game went; None where that cannot be told.
    course: Course | None = None
    #: How reactions were answered.
    reaction_mode: Reactions = "standing"
    #: The policies that were set at the end, by colour: subject, terms, held, set.
    set_policies: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    #: The name of the attached page to look through; empty without one.
    page: str = ""


#: Why nobody vouches for a mail: its `address` is not registered for the seat, it has no `token`, or authentication
#: of its sender `failed`, or all of it may be `quoted`; or it is of the time before the database was restored, which is
#: `lost`.
Unproven: TypeAlias = Literal["address", "token", "failed", "quoted", "lost"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parked(GameMail, template="parked"):
    """To the registered address: orders came from elsewhere or without a token; nothing was done."""

    #: The order lines of the mail that were kept.
    orders: tuple[str, ...]
    #: Its commands, which are void.
    void: tuple[str, ...] = ()
    #: Why.
    why: Unproven
    #: Whether answering `yes` (with this mail's token) carries them out.
    offered: bool = True
    #: The address it came from; empty when it is not to be shown (another player's).
    sender: str = ""


#: What a token has become. `past`: its turn or window is over; `rolled_back`: the moderator set the game back;
#: `replaced`: somebody else has the seat, or a newer mail took its place; `over`: the game has ended; `commands`: it
#: serves for commands only; `reactions`: it is the reader's turn, but others have to react or to answer first; `kept`:
#: the same, and the orders are kept until then; `old`: it serves for questions only; `restored`: the database was.
Past: TypeAlias = Literal["past", "rolled_back", "restored", "replaced", "over", "commands", "reactions", "kept", "old"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stale(Board, template="stale"):
    """A mail answered a question that is past; nothing was done."""

    #: Why.
    why: Past
    #: The order lines of the mail.
    orders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmResign(GameMail, template="confirm_resign"):
    """To the address that reports go to: does the reader want to give up the seat? Then answer `yes`."""


#: Two questions, each with a one-time token: `wished`, to the address that reports go to, whether they are to go
#: elsewhere; `confirm`, to the new address, whether it is the reader's. To who wished it: `first` (the address that
#: reports go to was asked), `asked` (the new one was), `moderator` (no address could be asked), `wrong` (it can be no
#: player's), `letters` (our mail server cannot write to it), `often` (too many such wishes in a day). To all addresses:
#: `moving` (reports will go there), `moved` (they do now), `removed` (it is no address of the reader any more).
AddressStep: TypeAlias = Literal[
    "wished", "confirm", "first", "asked", "moderator", "wrong", "letters", "often", "moving", "moved", "removed"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAddress(GameMail, template="new_address"):
    """The reader wants mail at another address. The one to `confirm` may be read by anybody: nothing else in it."""

    #: How far it has come.
    what: AddressStep
    #: The address that it is about.
    address: str
    #: When reports go there, where that is later.
    from_when: datetime | None = None
    #: What the moderator says about it; may be empty.
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice(GameMail, template="notice"):
    """Something about the game that is no move, told to every player; of a time zone only whose it is."""

    #: What happened; finds the wording.
    what: Literal[
        "paused",
        "resumed",
        "extended",
        "settings",
        "secrets_shown",
        "replaced",
        "resigned",
        "bot_keeps",
        "back",
        "address",
        "acted",
        "timezone",
    ]
    #: The colour of the seat it is about, if any.
    about: str = ""
    #: The name of the player it is about, if any.
    name: str = ""
    #: What the moderator says about it; may be empty.
    reason: str = ""
    #: The new deadline, where there is one.
    due_at: datetime | None = None
    #: Settings of the game that have changed, by name; or a player's `timezone`, empty for that of the game.
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoSeat(Mail, template="no_seat"):
    """To somebody who wrote from the address of a player that has no seat in any game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeratorNotice(Mail, template="moderator"):
    """To the moderator: something needs a look. Never a hand, a personality, a token or a body."""

    #: What happened; finds the wording.
    what: Literal[
        "nmr",
        "undeliverable",
        "held",
        "silence",
        "quarantined",
        "rejected",
        "mismatch",
        "own_fault",
        "mailbox",
        "unread",
        "refused",
        "over",
        "resigned",
        "trial",
        "address",
    ]
    #: Values for the wording: `seat`, `name`, `count`, `hours`, `mail` (its number), `address`, `error`.
    facts: Mapping[str, Any] = field(default_factory=dict)
