"""The promises about a decision: its options, what is refused, and what the parts of a game do with it."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

from pbem.errors import OrderError
from pbem.protocol import Decision, HasBot, HasOutlook, HasPolicies, Option, Seat, decision_of
from pbem.testing.answering import answered
from pbem.testing.promises import PromiseBroken, is_command, source_of

if TYPE_CHECKING:
    from pbem.testing.trial import Trial

#: An option that no game has.
NO_OPTION = Option("no game has this option")


def look(trial: Trial, decision: Decision) -> None:
    """The options are complete and distinct, and the default and the others are among them."""
    texts = [option.text for option in decision.options]
    where = f"the decision {decision.kind!r} of seat {decision.seat}: "
    if not texts:
        raise trial.broken("A decision has options.", f"{where}none")
    for text in texts:
        if not text or text != " ".join(text.split()) or not text.isprintable():
            raise trial.broken(
                "The text of an option is one line of words with single blanks.", f"{where}{text!r}"
            )
        if is_command(text):
            raise trial.broken(
                "No option is called like a mail command (pbem.testing.RESERVED has the words).",
                f"{where}{text!r} would be read as one",
            )
    if len(set(texts)) != len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise trial.broken("Distinct options have distinct texts.", f"{where}{twice!r} twice")
    special = {"default": decision.default, "auto": decision.auto, "decline": decision.decline}
    for name, option in special.items():
        if option is not None and option.text not in texts:
            raise trial.broken(f"The {name} of a decision is one of its options.", f"{where}{option.text!r}")
    if decision.window and decision.seat not in decision.seats:
        raise trial.broken(
            "`seats` of a window names every seat concerned, the one that is asked among them.",
            f"{where}{decision.seats}",
        )
    trial.jsonable(f"`facts` of the decision {decision.kind}", decision.facts)
    for text in texts:
        if text not in trial.memory.read and not text.isdigit():
            trial.memory.read.add(text)
            understood(trial, decision, text)
    if trial.memory.letters is not None:
        trial.memory.letters.ask(trial.samples, trial.match, decision)


def understood(trial: Trial, decision: Decision, text: str) -> None:
    """An option is read as itself, in capitals too: so the vocabulary has its words."""
    for written in (text, text.upper()):
        try:
            meant = answered(written, decision, trial.game.vocabulary)
        except OrderError as error:
            meant = str(error)
        if meant != text:
            raise PromiseBroken(
                "The vocabulary has the words of every option, so that it is understood however it is written.",
                f"{written!r} was read as: {meant}",
                played=trial.played,
                file=source_of(trial.game),
            )


def refuse(trial: Trial, before: Mapping[str, str]) -> None:
    """What is not legal raises ValueError and changes nothing."""
    promise = "A choice that is not legal raises ValueError."
    match = trial.match
    idle = [Seat(seat) for seat in range(trial.seats) if decision_of(match, Seat(seat)) is None]
    tries = [(one.seat, NO_OPTION) for one in match.pending]
    for seat, option in [*tries, *((seat, match.pending[0].options[0]) for seat in idle)]:
        try:
            match.choose(seat, option)
        except ValueError:
            trial.same("A choice that is not legal changes nothing.", before, match)
            continue
        asked = "is not asked" if seat in idle else "has no such option"
        raise trial.broken(promise, f"{option.text!r} of seat {seat}, which {asked}, was taken")


def parts(trial: Trial) -> None:
    """What a bot, an outlook and policies make of the pending decisions."""
    game, match = trial.game, trial.match
    for decision in match.pending:
        if isinstance(game, HasBot):
            chance = sha256(trial.seed + b"bot").digest()
            first, again = (bots(trial, game, decision, chance) for _ in range(2))
            if first.text != again.text:
                raise trial.broken(
                    "The bot takes the same option for the same bytes.", f"{first} and {again}"
                )
        if isinstance(match, HasOutlook):
            for option in decision.options:
                trial.jsonable("outlook()", match.outlook(decision.seat, option))
        if isinstance(game, HasPolicies):
            policies(trial, game, decision)


def bots(trial: Trial, game: HasBot, decision: Decision, chance: bytes) -> Option:
    """What the bot takes: one of the options."""
    option = game.bot(trial.match.view(decision.seat), decision, chance)
    if decision.option(option.text) is None:
        raise trial.broken("The bot takes an option of the decision.", f"{option.text!r}")
    return option


def policies(trial: Trial, game: HasPolicies, decision: Decision) -> None:
    """Without any policy set the answer is still an option, or none; and those in force can be listed."""
    for unset in (False, True):
        answer = game.answer(trial.match, decision, {}, unset=unset)
        if answer.option is not None and decision.option(answer.option.text) is None:
            raise trial.broken("A policy takes an option of the decision.", f"{answer.option.text!r}")
        trial.jsonable("The reasons of a policy", answer.why)
    listed = game.policies(trial.match, decision.seat, {})
    trial.jsonable("policies()", listed)
    for policy in listed:
        if not {"subject", "terms", "held", "set"} <= set(policy):
            raise trial.broken("A policy in force has subject, terms, held and set.", f"{policy}")
