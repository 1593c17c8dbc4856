"""The promises about keeping a match: snapshots, forks, replays, the start of the turn, and new entropy."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pbem.protocol import Match, Option, Seat
from pbem.testing.promises import Broken, HasSecrets
from pbem.testing.states import APART, canonical, difference, excerpt, jsonable, readers, shown, state

if TYPE_CHECKING:
    from pbem.testing.trial import Trial

#: What nobody may have seen is drawn anew.
UNSEEN = "What nobody may have seen changes nothing that anybody is shown."


def stored(trial: Trial) -> Broken:
    """A snapshot and a fork are the same match; the start of the turn leads here."""
    snapshot = as_stored(trial.match)
    restored, fork, start = trial.game.restore(snapshot), trial.match.fork(), trial.game.turn_start(snapshot)
    yield from trial.same("restore(snapshot()) makes the same match again.", restored)
    yield from trial.same("fork() makes a match in the same state.", fork)
    if fork is trial.match:
        yield "fork() makes an independent match.", "it is the match itself"
    answers = len(trial.made) - trial.group.made if trial.group is not None else 0
    for name, twin in (("A restored match", restored), ("A fork", fork)):
        if len(twin.choices()) > answers:
            yield f"{name} begins with no choices(), but for the answers of an open group.", twin.choices()
    yield from trial.same("turn_start() is the match as it was when the turn began.", start, trial.turn_state)
    repeat(start, trial.made[trial.turn_made :])
    yield from trial.same("The start of the turn and the choices since lead to where the match stands.", start)


def recorded(trial: Trial) -> Broken:
    """At the end: what was recorded leads from the seed to the same match."""
    yield from stored(trial)
    record, again = trial.match.choices(), trial.new()
    yield from jsonable("choices()", record)
    repeat(again, [(seat, text) for seat, text, _ in record])
    yield from trial.same("choices() leads from the seed to the same match.", again)
    if differs := excerpt(canonical(record), canonical(again.choices())):
        yield "choices() records the same when it is played again.", differs


def drawn_anew(trial: Trial) -> Broken:
    """Nobody sees that the hidden was drawn anew before the next reveal, and the match stays whole."""
    entropy, match, everybody = trial.entropy(b"anew"), trial.match, readers(trial.seats)
    anew = match.fork()
    anew.rollback_entropy(entropy)
    yield from alike(UNSEEN, match, anew, everybody)
    if anew.reveals < match.reveals:
        yield "`reveals` only grows.", "it shrank by rollback_entropy()"
    if [-1, entropy.hex()] not in [choice[:2] for choice in anew.choices()]:
        yield "New entropy is a choice of seat -1, with the entropy as its text.", anew.choices()
    snapshot, reached = as_stored(anew), state(anew, trial.seats)
    restored, start = trial.game.restore(snapshot), state(trial.game.turn_start(snapshot), trial.seats)
    yield from trial.same("A match whose hidden part was drawn anew is restored as it is.", restored, reached)
    if differs := difference(trial.turn_state, start, APART):
        yield "After new entropy the turn still begins as it did.", differs
    if isinstance(trial.game, HasSecrets):
        for reader in everybody:
            dealt = trial.game.dealt_anew(match.fork(), reader, entropy)
            yield from alike("What a seat cannot see changes nothing that it is shown.", match, dealt, [reader])
    yield from choose_in_both(trial, match.fork(), anew)


def choose_in_both(trial: Trial, known: Match, anew: Match) -> Broken:
    """Two matches that differ in what nobody may have seen tell the same of a choice that reveals nothing."""
    reveals, group = known.reveals, trial.group is not None or len(known.pending) > 1
    seat, option = known.pending[0].seat, known.pending[0].options[-1]
    told = known.choose(seat, option)
    if known.reveals == reveals and not (group and told):
        if differs := excerpt(str(told), str(anew.choose(seat, Option(option.text)))):
            yield UNSEEN, f"after {option}: {differs}"
        yield from alike(UNSEEN, known, anew, readers(trial.seats))


def alike(promise: str, mine: Match, other: Match, to: Sequence[Seat | None]) -> Broken:
    """Two matches show the same to readers, and ask them the same."""
    if differs := difference(shown(mine, to), shown(other, to)):
        yield promise, differs


def as_stored(match: Match) -> Any:
    """The snapshot of a match as it comes back from storage."""
    return json.loads(canonical(match.snapshot()))


def repeat(match: Match, choices: Iterable[tuple[int, str]]) -> None:
    """Make choices again."""
    for seat, text in choices:
        match.choose(Seat(seat), Option(text))
