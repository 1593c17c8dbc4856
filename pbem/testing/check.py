"""Playing a game at random, for every number of seats and every setting, and looking at every promise."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

from jinja2 import Undefined

from pbem.errors import OrderError
from pbem.protocol import Game, HasBot, HasPolicies, HasRules, HasSecrets, game_names
from pbem.reports.render import NEEDED, environment, game_folder
from pbem.reports.samples import Samples
from pbem.testing.promises import Broken, Played, PromiseBroken, expect, no_error
from pbem.testing.trial import Memory, Trial

#: Choices in the short match of `quick`.
SHORT = 25
#: The hashes of other processes that play the same matches.
HASH_SEEDS = ("1", "2")
SCRIPT = """
import json, pickle, sys
sys.path[:] = json.loads(sys.argv[1])
from pbem.testing.check import traces
json.dump(traces(*pickle.load(sys.stdin.buffer)), sys.stdout)
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """How much of a game was looked at."""

    #: Those of the bot among them, and the choices made in them.
    matches: int
    choices: int
    #: Kinds of events that happened.
    events: int
    #: Rendered as text and HTML.
    mails: int
    #: Whether the secrets were proved; if not, keys of views and kinds of events that differ between seats.
    secrets: bool
    private: tuple[str, ...]
    #: Kinds of events that happened and have no words in `TELL`, and that have words and never happened.
    untold: tuple[str, ...]
    unseen: tuple[str, ...]


def check(game: Game, *, seed: int = 0, games: int = 1) -> Figures:
    """Play `games` random matches and one of the bot for every number of seats and every value of a setting, and look at
    every promise of the protocol. The same `seed` plays the same matches.

    Raises PromiseBroken for the first promise that is not kept.
    """
    memory, trials, traced = begun(game), [], []
    for table in tables(game, seed, games):
        traced.append(Trial(memory, table).trace())
        trials.append(Trial(memory, table))
        trials[-1].play()
    elsewhere(game, trials, traced)
    for table in tables(game, seed + 1, 1) if isinstance(game, HasBot) else ():
        trials.append(Trial(memory, table, bot=True, thorough=False))
        trials[-1].play()
    memory.render(Samples(game, trials[0].seats).reference(trials[0].match))
    happened, told = set(memory.keys) - {"view"}, worded(game)
    return Figures(
        *(len(trials), sum(len(trial.made) for trial in trials), len(happened), memory.mails),
        secrets=isinstance(game, HasSecrets),
        private=tuple(sorted(memory.private)),
        untold=tuple(sorted(happened - told - {"TurnBegan"})),
        unseen=tuple(sorted(told - happened)),
    )


def quick(game: Game) -> None:
    """The cheap part of `check`, for every installed game: its templates can be compiled, and a short match can be
    played and worded.

    Raises PromiseBroken.
    """
    Trial(begun(game), next(tables(game, 0, 1)), thorough=False).play(SHORT)


def begun(game: Game) -> Memory:
    """What a check begins with, of a game that can be played at all."""
    expect(described(game), by=game)
    compiled(game)
    return Memory(game)


def described(game: Game) -> Broken:
    """Seats, colours, settings and vocabulary fit together, and nothing is made of what does not exist."""
    fewest, most = game.seats
    if game.name not in game_names():
        yield "`name` is that of the entry point in the group pbem.games.", f"{game.name!r}, not of {game_names()}"
    if not 1 <= fewest <= most:
        yield "`seats` is the smallest and the largest number of seats.", game.seats
    if not len(set(game.colours)) == len(game.colours) >= most:
        yield "There is a colour of its own for each seat.", game.colours
    for name, values in game.settings.items():
        if not values or len(set(values)) != len(values):
            yield "A setting has values, the usual one first.", f"{name}: {values}"
    words = game.vocabulary
    if strange := sorted(words.alone - set(words.verbs)):
        yield "Verbs that stand alone are verbs of the vocabulary.", strange
    if strange := sorted(set(words.infix.values()) - set(words.names)):
        yield "Verbs behind a name are for a kind of names of the vocabulary.", strange
    if isinstance(game, HasRules) and (card := game.lookup("nothing is called like this")) is not None:
        yield "lookup() is None for what is not there.", card
    if isinstance(game, HasPolicies):
        promise = "A policy that cannot be read is an OrderError."
        with no_error(promise), suppress(OrderError):
            yield promise, game.policy("nothing is called like this: whatever")


def compiled(game: Game) -> None:
    """Every template that a game needs is there, and every one that is there can be compiled, for text and for HTML.

    Raises PromiseBroken.
    """
    topics = game.topics() if isinstance(game, HasRules) else ()
    for kind in ("text", "html"):
        templates = environment(game.name, kind)
        names = templates.list_templates(extensions=["j2"])
        for needed in (*NEEDED, *(f"rules/{topic}" for topic in topics)):
            if f"{needed}.j2" not in names:
                promise = "A game has a template for everything that it is asked to word."
                file = str(game_folder(game.name) / f"{needed}.j2")
                raise PromiseBroken(promise, f"{needed}.j2 is missing", file=file)
        for name in names:
            with no_error("Every template can be compiled.", f", in {name} for {kind}"):
                templates.get_template(name)
    worded(game)


def worded(game: Game) -> set[str]:
    """The kinds of events that have words.

    Raises PromiseBroken when one of them has a macro that does not exist.
    """
    promise = "TELL in events.j2 maps kinds of events to macros."
    with no_error(promise):
        told: dict[str, object] = vars(environment(game.name, "text").get_template("events.j2").module)["TELL"]
    for kind, macro in told.items():
        if isinstance(macro, Undefined):
            file = game_folder(game.name) / "events.j2"
            raise PromiseBroken(promise, f"there is no macro {macro._undefined_name}, of {kind}", file=str(file))
    return set(told)


def tables(game: Game, seed: int, games: int) -> Iterator[Played]:
    """Matches to play: every number of seats, with each value of a setting beside the usual ones."""
    usual = {name: values[0] for name, values in game.settings.items()}
    others = [usual | {name: value} for name, values in game.settings.items() for value in values[1:]]
    for seats in range(game.seats[0], game.seats[1] + 1):
        for chosen in [usual, *others]:
            for number in range(games):
                named = json.dumps([seed, seats, chosen, number])
                yield Played(seats, chosen, sha256(named.encode()).digest())


def elsewhere(game: Game, trials: Sequence[Trial], traced: Sequence[Sequence[str]]) -> None:
    """Play the same matches in other processes, in which texts have other hashes, and compare what they trace.

    Raises PromiseBroken.
    """
    for hashes in HASH_SEEDS:
        told = subprocess.run(
            [sys.executable, "-c", SCRIPT, json.dumps(sys.path)],
            input=pickle.dumps((game, [trial.table for trial in trials])),
            env=os.environ | {"PYTHONHASHSEED": hashes},
            capture_output=True,
            check=False,
        )
        if told.returncode:
            error = told.stderr.decode(errors="replace").strip().splitlines()[-1:]
            expect([("Another process can play the same match.", error)], by=game)
        for trial, here, there in zip(trials, traced, json.loads(told.stdout), strict=True):
            promise = "The same choices lead to the same match in every process: no set is iterated, and no hash used."
            differs = [at for at, (mine, other) in enumerate(zip(here, there, strict=False)) if mine != other]
            if differs:
                trial.made = trial.made[: differs[0]]
                with trial.reporting():
                    trial.expect([(promise, "played again it shows something else from there on")])


def traces(game: Game, matches: Sequence[Played]) -> list[list[str]]:
    """What was shown in each match, as digests; runs in the other process."""
    memory = Memory(game)
    return [Trial(memory, table).trace() for table in matches]
