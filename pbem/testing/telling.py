"""The promises about what a match tells and asks: events, turns, views and result; decisions, and their groups."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, get_args

from pbem.orders.commands import Card, Yes, order_words, recognise
from pbem.orders.referee import carry_out, preview
from pbem.protocol import (
    Decision,
    Event,
    HasBot,
    HasOutlook,
    HasPolicies,
    HasReasons,
    HasSecrets,
    HasSuggestions,
    Option,
    Reactions,
    Seat,
)
from pbem.reports.render import environment
from pbem.testing.promises import Broken
from pbem.testing.states import APART, State, difference, excerpt, jsonable, readers

if TYPE_CHECKING:
    from pbem.testing.trial import Trial

#: Options of other decisions of which is asked why they are none of a decision.
OTHER_OPTIONS = 12


def happened(trial: Trial, events: Sequence[Event]) -> Broken:
    """Events have the keys of their kind, and turns begin as they should."""
    match, colours = trial.match, trial.game.colours[: trial.seats]
    for event in events:
        yield from jsonable(f"The event {event.kind}", event.data)
        yield from trial.same_keys("All events of one kind have the same keys.", event.kind, event.data)
        for seat, more in (event.private or {}).items():
            if seat not in range(trial.seats):
                yield "`Event.private` is for seats of the match.", f"{event.kind}: {seat!r}"
            yield from jsonable(f"The private part of {event.kind}", more)
            trial.memory.private.add(event.kind)
        if event.kind == "TurnBegan":
            number, colour = event.data.get("turn"), event.data.get("colour", "missing")
            if not isinstance(number, int) or number <= trial.turn_told[0]:
                yield (
                    "TurnBegan holds `turn`, a number from 1 that only grows.",
                    f"{number!r} after {trial.turn_told[0]}",
                )
            elif colour is not None and colour not in colours:
                yield "TurnBegan holds `colour`: that of a seat of the match, or None where all play at once.", colour
            else:
                trial.turn_told, trial.turn_state, trial.turn_made = (number, colour), trial.now, len(trial.made)
    if trial.turn_told[0] == 0:
        yield "Every turn begins with the event TurnBegan; the first one is told in the opening.", events
    stands = match.turn, None if match.actor is None else colours[match.actor]
    if stands != trial.turn_told:
        promise = "Every turn begins with the event TurnBegan; without it neither `turn` nor `actor` changes."
        yield promise, f"turn and actor are {stands}, and {trial.turn_told} in the last TurnBegan"


def shows(trial: Trial, before: State) -> Broken:
    """Who is asked, what everybody sees, and what was recorded and forced."""
    match, record = trial.match, trial.match.choices()
    if before and match.reveals < int(before["reveals"]):
        yield "`reveals` only grows.", f"it went from {before['reveals']} to {match.reveals}"
    if bool(match.pending) == (match.result is not None):
        yield "A match has a result when nothing is pending, and only then.", (match.pending, match.result)
    seats = [decision.seat for decision in match.pending]
    if len(set(seats)) != len(seats) or not set(seats) <= set(range(trial.seats)):
        yield "Each seat of the match has at most one pending decision.", f"asked: {seats}"
    public, *views = map(match.view, readers(trial.seats))
    for view in (public, *views):
        yield from jsonable("A view", view)
        yield from trial.same_keys("Every view has the same keys, the public one too.", "view", view)
    for key in public:
        shown = [view[key] for view in views]
        if shown != shown[:1] * trial.seats and shown != list(trial.game.colours[: trial.seats]):
            trial.memory.private.add(key)
    if sorted((seat, text) for seat, text, _ in record) != sorted(trial.made):
        yield "choices() holds every choice since the match was made.", record
    for decision in match.forced:
        if len(decision.options) != 1:
            yield "`forced` holds decisions with one option.", decision.options


def ended(trial: Trial) -> Broken:
    """The result says who won, and has the scores and details of every seat."""
    result = trial.match.result
    assert result is not None, trial.match.position()
    seats = result.details.get("seats", ())
    if len(set(result.winners)) != len(result.winners) or not set(result.winners) <= set(range(trial.seats)):
        yield "The winners are seats of the match, each once.", result.winners
    if len(result.scores) != trial.seats:
        yield "A result has a score a seat.", result.scores
    yield from jsonable("A result", {"scores": result.scores, "details": result.details})
    if len(seats) not in (0, trial.seats):
        yield "`seats` in the details of a result holds a mapping a seat.", seats


def distinct(trial: Trial, decision: Decision) -> Broken:
    """The options are distinct lines of words, and the special ones are among them."""
    texts = [option.text for option in decision.options]
    for text in texts:
        if not text or text != " ".join(text.split()) or not text.isprintable():
            yield "The text of an option is one line of words with single blanks.", repr(text)
    if len(set(texts)) != len(texts):
        yield "Distinct options have distinct texts.", texts
    special = {"default": decision.default, "auto": decision.auto, "decline": decision.decline}
    for name, option in special.items():
        if option is not None and option.text not in texts:
            yield f"The {name} of a decision is one of its options.", f"{option}, not of {texts}"
    if decision.window and decision.seat not in decision.seats:
        promise = "`seats` of a window names every seat concerned, the one that is asked among them."
        yield promise, f"{decision.seats} for seat {decision.seat}"
    yield from jsonable(f"`facts` of the decision {decision.kind}", decision.facts)


def ordered(trial: Trial, decision: Decision) -> Broken:
    """An option is taken for an order and nothing else."""
    words, alone, _ = order_words(trial.game.vocabulary)
    for text in (option.text for option in decision.options):
        if not isinstance(recognise(text), Yes | Card | None):
            yield "No option is called like a mail command (pbem.testing.RESERVED has the words).", text
        if not text.isdigit() and text.casefold() not in alone and text.casefold().partition(" ")[0] not in words:
            yield "Every option begins with a verb of the vocabulary, or with a name that one follows.", text


def readable(trial: Trial, decision: Decision) -> Broken:
    """An option is read as itself; a number is one of the menu anyway."""
    for text in (option.text for option in decision.options if option.text not in trial.memory.read):
        trial.memory.read.add(text)
        if text.isdigit():
            continue
        lines = preview(trial.game, trial.match, decision.seat, [text.upper()]).lines
        meant = [line.option or line.problem for line in lines if line.verdict != "automatic"]
        if meant != [text]:
            yield "Every option is understood when it is written in capitals.", f"{text!r} was read as: {meant}"


def illegal(trial: Trial) -> Broken:
    """A seat that is not asked and an option that is not there are refused."""
    match = trial.match
    asked = [decision.seat for decision in match.pending]
    choices = [(seat, Option("no game has this option")) for seat in asked]
    choices += [(Seat(seat), match.pending[0].options[0]) for seat in range(trial.seats) if seat not in asked]
    for seat, option in choices:
        with suppress(ValueError):
            match.choose(seat, option)
            yield "A choice that is not legal raises ValueError.", f"{option} of seat {seat} was taken"
    yield from trial.same("A choice that is not legal changes nothing.", match)


def parts(trial: Trial) -> Broken:
    """What a bot, an outlook and policies make of the pending decisions."""
    for decision in trial.match.pending:
        if isinstance(trial.game, HasBot):
            view, chance = trial.match.view(decision.seat), trial.table.seed
            first, again = (trial.game.bot(view, decision, chance).text for _ in range(2))
            if first != again:
                yield "The bot takes the same option for the same bytes.", f"{first!r} and {again!r}"
        if isinstance(trial.match, HasOutlook):
            for option in decision.options:
                yield from jsonable("outlook()", trial.match.outlook(decision.seat, option))
        if isinstance(trial.match, HasReasons):
            yield from reasons(trial, trial.match, decision)
        if isinstance(trial.game, HasSuggestions):
            yield from suggestions(trial, trial.game, decision)
        if isinstance(trial.game, HasPolicies):
            yield from policies(trial, trial.game, decision)


def reasons(trial: Trial, match: HasReasons, decision: Decision) -> Broken:
    """Why options of other decisions are none of this one has words, and depends on nothing but the match."""
    worded = environment(trial.game.name, "text").get_template("own_errors.j2").make_module()
    for text in sorted(trial.memory.read)[-OTHER_OPTIONS:]:
        reason = None if decision.option(text) else match.why_not(decision, text)
        if reason is None:
            continue
        yield from jsonable("The facts of a reason", reason.facts)
        if reason != match.why_not(decision, text):
            yield "The reason why something is no option stays the same.", f"{text!r}: {reason}"
        if reason.word not in vars(worded)["WHY"]:
            yield "WHY in own_errors.j2 has words for every reason why something is no option.", reason.word


def suggestions(trial: Trial, game: HasSuggestions, decision: Decision) -> Broken:
    """Each is carried out as it is written, and nothing that is hidden has a part in it."""
    match, seat = trial.match, decision.seat
    suggested = game.suggest(match, seat)
    for text in (text for turn in suggested for text in (turn.line, *(text for _, text in turn.variants))):
        lines = carry_out(trial.game, match, seat, [text]).lines
        if {line.verdict for line in lines} - {"done", "automatic"}:
            yield "A suggested turn is carried out as it is written.", f"{text}: {lines}"
    if isinstance(game, HasSecrets):
        dealt = game.dealt_anew(match.fork(), seat, trial.entropy(b"suggested"))
        if differs := excerpt(str(suggested), str(game.suggest(dealt, seat))):
            yield "What a seat cannot see changes nothing that is suggested to it.", differs


def policies(trial: Trial, game: HasPolicies, decision: Decision) -> Broken:
    """Without any policy set the answer is still an option, or none; and those in force can be listed."""
    for reactions in get_args(Reactions):
        answer = game.answer(trial.match, decision, {}, reactions)
        if answer.option is not None and decision.option(answer.option.text) is None:
            yield "A policy takes an option of the decision.", answer.option
        yield from jsonable("The reasons of a policy", answer.why)
    listed = game.policies(trial.match, decision.seat, {})
    yield from jsonable("policies()", listed)
    for policy in listed:
        if not {"subject", "terms", "held", "set"} <= set(policy):
            yield "A policy in force has subject, terms, held and set.", policy


class Group:
    """An open group, from its first answer on: nothing shows before the last one, and their order does not matter."""

    def __init__(self, trial: Trial) -> None:
        self.trial, self.closed = trial, False
        #: The match before the first answer, the seats that it asks, and how much was made and recorded by then.
        self.begun = trial.match.fork()
        self.order = [decision.seat for decision in trial.match.pending]
        self.made, self.recorded = len(trial.made), len(trial.match.choices())

    def answered(self, seat: Seat, asked: Sequence[Seat], before: State, events: Sequence[Event]) -> Broken:
        """A seat has just answered; `asked` and `before` are of the time before it."""
        still = [decision.seat for decision in self.trial.match.pending]
        told = difference(before, self.trial.now, APART) or [event.kind for event in events]
        others = [[other for other in seats if other != seat] for seats in (asked, still)]
        if len(asked) == 1:
            self.closed = bool(told) or still != [seat]
        elif told:
            yield "Until a group closes nothing of its answers shows: not in views, events or `reveals`.", told
        elif others[0] != others[1]:
            yield "An answer in a group changes nothing for the other seats that are asked.", others
        if self.closed:
            if self.trial.now["reveals"] == before["reveals"]:
                yield "Closing a group counts as a reveal.", f"`reveals` stays {before['reveals']}"
            yield from self.in_another_order(events)

    def in_another_order(self, events: Sequence[Event]) -> Broken:
        """The same answers once more, the last seat first."""
        promise = "The order in which the seats of a group answer changes nothing."
        told: Sequence[Event] = []
        for seat, text in sorted(self.trial.made[self.made :], key=lambda answer: -self.order.index(Seat(answer[0]))):
            told = self.begun.choose(Seat(seat), Option(text))
        yield from self.trial.same(promise, self.begun)
        recorded = self.trial.match.choices()[self.recorded :]
        if differs := excerpt(str([*events, recorded]), str([*told, self.begun.choices()])):
            yield promise, differs
        places = [self.order.index(Seat(seat)) for seat, *_ in recorded]
        if places != sorted(places):
            yield "choices() holds those of a closed group seat by seat, in the order of the group.", recorded
