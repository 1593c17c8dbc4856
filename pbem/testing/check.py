"""Playing a game at random, for every number of seats and every setting, and looking at every promise."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from pbem.errors import OrderError
from pbem.protocol import Game, HasBot, HasPolicies, HasRules
from pbem.reports.samples import Samples
from pbem.testing.letters import Letters, compiled
from pbem.testing.promises import Played, PromiseBroken, place_of, source_of
from pbem.testing.trial import Memory, Trial

#: Choices in the short match of `quick`.
SHORT = 25
#: The hashes of other processes that play the same matches.
HASH_SEEDS = ("1", "2")
SCRIPT = """
import json, pickle, sys
sys.path[:] = json.loads(sys.argv[1])
from pbem.testing.check import retrace
json.dump(retrace(*pickle.load(sys.stdin.buffer)), sys.stdout)
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """How much of a game was looked at."""

    #: Matches played, those of the bot among them.
    matches: int
    #: Choices made in them.
    choices: int
    #: Kinds of events that happened.
    events: int
    #: Mails rendered, as text and HTML.
    mails: int


def check(game: Game, *, seed: int = 0, games: int = 1) -> Figures:
    """Play `games` random matches and one of the bot for every number of seats and every value of a setting, and look at
    every promise of the protocol. The same `seed` plays the same matches.

    Raises PromiseBroken for the first promise that is not kept.
    """
    described(game)
    compiled(game)
    letters = Letters(game)
    memory = Memory(game, letters)
    trials: list[Trial] = []
    for table in tables(game, seed, games):
        trials.append(Trial(memory, table))
        trials[-1].play()
    kept = len(trials)
    if isinstance(game, HasBot):
        for table in tables(game, seed + 1, 1):
            trials.append(Trial(memory, table, bot=True, thorough=False))
            trials[-1].play()
    letters.look_up(Samples(game, trials[0].seats), trials[0].match)
    elsewhere(game, trials[:kept])
    return Figures(len(trials), memory.choices, len(memory.keys) - 1, letters.mails)


def quick(game: Game) -> None:
    """The cheap part of `check`, for every installed game: its templates can be compiled, and a short match can be played and
    worded.

    Raises PromiseBroken.
    """
    described(game)
    compiled(game)
    Trial(Memory(game, Letters(game)), next(tables(game, 0, 1)), thorough=False, most=SHORT).play()


def tables(game: Game, seed: int, games: int) -> Iterator[Played]:
    """Matches to play: every number of seats, with each value of a setting beside the usual ones."""
    usual = {name: values[0] for name, values in game.settings.items()}
    settings = [usual] + [
        usual | {name: value} for name, values in game.settings.items() for value in values[1:]
    ]
    for seats in range(game.seats[0], game.seats[1] + 1):
        for chosen in settings:
            for number in range(games):
                named = json.dumps([seed, seats, chosen, number])
                yield Played(seats, chosen, sha256(named.encode()).digest())


def described(game: Game) -> None:
    """Look at what a game says of itself.

    Raises PromiseBroken.
    """

    def broken(promise: str, seen: object) -> PromiseBroken:
        return PromiseBroken(promise, str(seen), file=source_of(game))

    fewest, most = game.seats
    if not 1 <= fewest <= most:
        raise broken("`seats` is the smallest and the largest number of seats.", game.seats)
    if len(set(game.colours)) != len(game.colours) or len(game.colours) < most:
        raise broken("There is a colour of its own for each seat.", game.colours)
    for name, values in game.settings.items():
        if not values or len(set(values)) != len(values):
            raise broken("A setting has values, the usual one first.", f"{name}: {values}")
    words = game.vocabulary
    if strange := sorted(words.alone - set(words.verbs)):
        raise broken("Verbs that stand alone are verbs of the vocabulary.", strange)
    if strange := sorted(set(words.infix.values()) - set(words.names)):
        raise broken("Verbs behind a name are for a kind of names of the vocabulary.", strange)
    if isinstance(game, HasRules) and (found := game.lookup("nothing is called like this")) is not None:
        raise broken("lookup() is None for what is not there.", found)
    if isinstance(game, HasPolicies):
        _refused(game)


def _refused(game: HasPolicies) -> None:
    promise = "A policy that cannot be read is an OrderError."
    try:
        game.policy("nothing is called like this: whatever")
    except OrderError:
        return
    except Exception as error:
        raise PromiseBroken(promise, f"{type(error).__name__}: {error}", file=place_of(error)) from error
    raise PromiseBroken(promise, "none was raised", file=source_of(game))


def elsewhere(game: Game, trials: Sequence[Trial]) -> None:
    """Play the same matches in other processes, in which texts have other hashes.

    Raises PromiseBroken where one shows something else.
    """
    matches = [trial.played for trial in trials]
    for hashes in HASH_SEEDS:
        told = subprocess.run(
            [sys.executable, "-c", SCRIPT, json.dumps(sys.path)],
            input=pickle.dumps((game, matches)),
            env=os.environ | {"PYTHONHASHSEED": hashes},
            capture_output=True,
            check=False,
        )
        if told.returncode:
            said = told.stderr.decode(errors="replace").strip().splitlines()
            raise PromiseBroken(
                "Another process can play the same match.", said[-1] if said else "", file=source_of(game)
            )
        for trial, trace in zip(trials, json.loads(told.stdout), strict=True):
            trial.compare(
                trace,
                "The same choices lead to the same match in every process: no set is iterated, and no hash used.",
            )


def retrace(game: Game, matches: Sequence[Played]) -> list[list[str]]:
    """What each match showed after its set-up and each choice, as digests; runs in the other process."""
    return [Trial(Memory(game, None), match, thorough=False).retrace(match.choices) for match in matches]
