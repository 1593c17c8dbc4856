"""The promises about keeping a match: snapshots, forks, replays, the start of the turn, and new entropy."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pbem.protocol import Match, Option, Seat
from pbem.testing.promises import APART, HasSecrets, asked, canonical, difference, excerpt

if TYPE_CHECKING:
    from pbem.testing.trial import Trial

#: The seat of a choice that is new entropy.
NOBODY = -1
#: What nobody may have seen is drawn anew.
UNSEEN = "What nobody may have seen changes nothing that anybody is shown."


def look(trial: Trial, before: Mapping[str, str]) -> None:
    """All of it, at one decision."""
    kept(trial, before)
    drawn_anew(trial)


def kept(trial: Trial, before: Mapping[str, str]) -> None:
    """A snapshot and a fork are the same match; the start of the turn leads here."""
    stored = json.loads(canonical(trial.match.snapshot()))
    restored, fork = trial.game.restore(stored), trial.match.fork()
    trial.same("restore(snapshot()) makes the same match again.", before, restored)
    trial.same("fork() makes a match in the same state.", before, fork)
    if fork is trial.match:
        raise trial.broken("fork() makes an independent match.", "it is the match itself")
    answers = len(trial.made) - trial.group.made if trial.group is not None else 0
    for name, twin in (("A restored match", restored), ("A fork", fork)):
        if len(twin.choices()) > answers:
            raise trial.broken(
                f"{name} begins with no choices(), but for the answers of an open group.", f"{twin.choices()}"
            )
    start = trial.game.turn_start(stored)
    trial.same("turn_start() is the match as it was when the turn began.", trial.turn_state, start)
    repeat(start, trial.turn_choices)
    trial.same("The start of the turn and the choices since lead to where the match stands.", before, start)


def repeat(match: Match, choices: Sequence[tuple[int, str]]) -> None:
    """Make choices again; those of seat -1 are new entropy."""
    for seat, text in choices:
        if seat == NOBODY:
            match.rollback_entropy(bytes.fromhex(text))
        else:
            match.choose(Seat(seat), Option(text))


def look_back(trial: Trial) -> None:
    """At the end: the same choices lead from the seed to the same match, and so do the recorded ones."""
    before = trial.state(trial.match)
    kept(trial, before)
    again = trial.again().retrace(trial.made)
    trial.compare(again, "The same seed and the same choices lead to the same match.")
    recorded = complete(trial)
    trial.jsonable("choices()", recorded)
    other = trial.new()
    repeat(other, [(seat, text) for seat, text, _ in recorded])
    trial.same("choices() leads from the seed to the same match.", before, other)
    if canonical(other.choices()) != canonical(recorded):
        raise trial.broken(
            "choices() records the same when it is played again.",
            excerpt(canonical(recorded), canonical(other.choices())),
        )


def complete(trial: Trial) -> list[list[Any]]:
    """The recorded choices, which are all that were made."""
    recorded = trial.match.choices()
    if sorted((seat, text) for seat, text, _ in recorded) != sorted(trial.made):
        raise trial.broken("choices() holds every choice since the match was made.", f"{recorded}")
    return recorded


def drawn_anew(trial: Trial) -> None:
    """Nobody sees that the hidden was drawn anew before the next reveal, and the match stays whole."""
    entropy = sha256(b"anew" + trial.seed + len(trial.made).to_bytes(4, "big")).digest()
    known, other = trial.match.fork(), trial.match.fork()
    other.rollback_entropy(entropy)
    alike(trial, UNSEEN, known, other)
    if other.reveals < known.reveals:
        raise trial.broken("`reveals` only grows.", "it shrank by rollback_entropy()")
    if [NOBODY, entropy.hex()] not in [list(choice[:2]) for choice in other.choices()]:
        raise trial.broken(
            "New entropy is a choice of seat -1, with the entropy as its text.", f"{other.choices()}"
        )
    stored = json.loads(canonical(other.snapshot()))
    promise = "A match whose hidden part was drawn anew is restored as it is."
    trial.same(promise, trial.state(other), trial.game.restore(stored))
    start_after(trial, stored, entropy, other)
    if isinstance(trial.game, HasSecrets):
        for reader in readers(trial):
            dealt = trial.game.dealt_anew(trial.match.fork(), reader, entropy)
            alike(
                trial, "What a seat cannot see changes nothing that it is shown.", trial.match, dealt, reader
            )
    choose_in_both(trial, known, other)


def start_after(trial: Trial, stored: Mapping[str, Any], entropy: bytes, other: Match) -> None:
    """The turn begins as it did and leads to where the match stands; the new entropy may be in its start, or follow."""
    public = {name: part for name, part in trial.turn_state.items() if name not in APART}
    reached, found = trial.state(other), ""
    for choices in (trial.turn_choices, [*trial.turn_choices, (NOBODY, entropy.hex())]):
        start = trial.game.turn_start(stored)
        if found := difference(public, trial.state(start)):
            raise trial.broken("After new entropy the turn still begins as it did.", found)
        try:
            repeat(start, choices)
        except ValueError as error:
            found = str(error)
            continue
        if not (found := difference(reached, trial.state(start))):
            return
    raise trial.broken(
        "After new entropy the start of the turn and the choices since lead to where the match stands.", found
    )


def choose_in_both(trial: Trial, known: Match, other: Match) -> None:
    """Two matches that differ in what nobody may have seen tell the same of a choice that reveals nothing."""
    reveals, group = known.reveals, trial.group is not None or len(known.pending) > 1
    decision = known.pending[0]
    option = decision.options[-1]
    told = known.choose(decision.seat, option)
    if known.reveals == reveals and not (group and told):
        also = other.choose(decision.seat, Option(option.text))
        if str(told) != str(also):
            raise trial.broken(UNSEEN, f"after {option.text!r}: {excerpt(str(told), str(also))}")
        alike(trial, UNSEEN, known, other)


def readers(trial: Trial) -> list[Seat | None]:
    """The public and every seat."""
    return [None, *map(Seat, range(trial.seats))]


def alike(trial: Trial, promise: str, one: Match, other: Match, *only: Seat | None) -> None:
    """Two matches show the same to everybody, or only to some; and ask them the same."""
    for reader in only or readers(trial):
        who = "the public" if reader is None else f"seat {reader}"
        views = [canonical(match.view(reader)) for match in (one, other)]
        if views[0] != views[1]:
            raise trial.broken(promise, f"{who} sees {excerpt(*views)}")
        questions = [
            canonical([question for question in asked(match) if question[0] == reader or not only])
            for match in (one, other)
        ]
        if questions[0] != questions[1]:
            raise trial.broken(promise, f"{who} is asked {excerpt(*questions)}")
