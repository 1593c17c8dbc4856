"""The promises about a decision: its options, what is refused, and what the parts of a game do with it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, get_args

from pbem.errors import OrderError
from pbem.orders.commands import Card, Yes, order_words, recognise
from pbem.orders.match import match_line
from pbem.protocol import Decision, HasBot, HasOutlook, HasPolicies, Option, Reactions, Seat
from pbem.testing.promises import Broken

if TYPE_CHECKING:
    from pbem.testing.trial import Trial


def complete(trial: Trial, decision: Decision) -> Broken:
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
    yield from trial.jsonable(f"`facts` of the decision {decision.kind}", decision.facts)


def readable(trial: Trial, decision: Decision) -> Broken:
    """An option is taken for an order and nothing else, and read as itself; a number is one of the menu anyway."""
    words, alone, _ = order_words(trial.game.vocabulary)
    for text in (option.text for option in decision.options if option.text not in trial.memory.read):
        trial.memory.read.add(text)
        if not isinstance(recognise(text), Yes | Card | None):
            yield "No option is called like a mail command (pbem.testing.RESERVED has the words).", text
        if text.isdigit():
            continue
        if text.casefold() not in alone and text.casefold().partition(" ")[0] not in words:
            yield "Every option begins with a verb of the vocabulary, or with a name that one follows.", text
        try:
            meant = match_line(text.upper(), decision, trial.game.vocabulary).option.text
        except OrderError as error:
            meant = str(error)
        if meant != text:
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
                yield from trial.jsonable("outlook()", trial.match.outlook(decision.seat, option))
        if isinstance(trial.game, HasPolicies):
            yield from policies(trial, trial.game, decision)


def policies(trial: Trial, game: HasPolicies, decision: Decision) -> Broken:
    """Without any policy set the answer is still an option, or none; and those in force can be listed."""
    for reactions in get_args(Reactions):
        answer = game.answer(trial.match, decision, {}, reactions)
        if answer.option is not None and decision.option(answer.option.text) is None:
            yield "A policy takes an option of the decision.", answer.option
        yield from trial.jsonable("The reasons of a policy", answer.why)
    listed = game.policies(trial.match, decision.seat, {})
    yield from trial.jsonable("policies()", listed)
    for policy in listed:
        if not {"subject", "terms", "held", "set"} <= set(policy):
            yield "A policy in force has subject, terms, held and set.", policy
