"""The promises about keeping a match: snapshots, forks, replays, the start of the turn, and new entropy."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pbem.protocol import HasSecrets, Match, Option, Seat
from pbem.testing.promises import Broken, no_error
from pbem.testing.states import APART, canonical, difference, excerpt, jsonable, readers, shown, state

if TYPE_CHECKING:
    from pbem.testing.trial import Trial

#: What nobody may have seen is drawn anew.
UNSEEN = "What nobody may have seen changes nothing that anybody is shown."
UNCOUNTED = "A choice shows nothing of what nobody may have seen: keep it hidden, or count it in `reveals`."
#: How often outcomes may be the same after new entropy before that is no accident, and how often a choice is tried.
ALIKE, TRIES = 32, 4


def stored(trial: Trial) -> Broken:
    """A snapshot and a fork are the same match; the start of the turn leads here."""
    game, match = trial.game, trial.match
    taken, snapshot = json.loads(json.dumps(match.snapshot())), as_stored(match)
    twin, fork = game.restore(taken), match.fork()
    yield from trial.same("restore(snapshot()) makes the same match again.", twin)
    yield from trial.same("fork() makes a match in the same state.", fork)
    answer_all(twin)
    if differs := excerpt(canonical(snapshot), canonical(taken)):
        yield "restore() copies what it takes out of a snapshot.", differs
    answer_all(match.fork())
    promise = "fork() makes an independent match: what is chosen there changes nothing here."
    yield from trial.same(promise, match)
    if fork is match:
        yield promise, "it is the match itself"
    with no_error("A snapshot is stored with its keys sorted: nothing depends on their order, no digest either."):
        restored, start = game.restore(snapshot), game.turn_start(snapshot)
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
    yield from choose_in_both(trial, anew)


def choose_in_both(trial: Trial, anew: Match) -> Broken:
    """A match that differs in what nobody may have seen tells the same of each choice that reveals nothing."""
    decision, group = trial.match.pending[0], trial.group is not None or len(trial.match.pending) > 1
    for text in (option.text for option in decision.options):
        known = trial.match.fork()
        told = known.choose(decision.seat, Option(text))
        if known.reveals == trial.match.reveals and not (group and told):
            other = anew.fork()
            if differs := excerpt(str(told), str(other.choose(decision.seat, Option(text)))):
                yield UNCOUNTED, f"after {text!r}: {differs}"
            yield from alike(UNCOUNTED, known, other, readers(trial.seats))


def redrawn(trial: Trial, before: Match, seat: Seat, option: Option) -> Broken:
    """Sooner or later a choice that had outcomes has others after new entropy."""

    def outcomes(entropy: bytes) -> list[Any]:
        match = before.fork()
        if entropy:
            match.rollback_entropy(entropy)
        match.choose(seat, Option(option.text))
        return [drawn for who, _, drawn in match.choices() if who >= 0 and drawn]

    memory = trial.memory
    if memory.alike is not None and (drawn := outcomes(b"")):
        if any(outcomes(trial.entropy(bytes([number]))) != drawn for number in range(TRIES)):
            memory.alike = None
            return
        memory.alike += TRIES
        if memory.alike >= ALIKE:
            yield "rollback_entropy() draws anew what is to come: other dice, other cards.", f"{drawn} every time"


def alike(promise: str, mine: Match, other: Match, to: Sequence[Seat | None]) -> Broken:
    """Two matches show the same to readers, and ask them the same."""
    if differs := difference(shown(mine, to), shown(other, to)):
        yield promise, differs


def as_stored(match: Match) -> Any:
    """The snapshot of a match as it comes back from storage."""
    return json.loads(canonical(match.snapshot()))


def answer_all(match: Match) -> None:
    """Let every seat that is asked take its first option."""
    for decision in match.pending:
        match.choose(decision.seat, Option(decision.options[0].text))


def repeat(match: Match, choices: Iterable[tuple[int, str]]) -> None:
    """Make choices again."""
    for seat, text in choices:
        match.choose(Seat(seat), Option(text))
