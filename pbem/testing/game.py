"""The promises about a game itself, before any match of it is played: what it says of itself, and its templates."""

from __future__ import annotations

from contextlib import suppress

from pbem.errors import OrderError
from pbem.protocol import Game, HasPolicies, HasRules
from pbem.reports.render import NEEDED, environment, game_folder
from pbem.testing.promises import Broken, PromiseBroken, no_error


def described(game: Game) -> Broken:
    """Seats, colours, settings and vocabulary fit together, and nothing is made of what does not exist."""
    fewest, most = game.seats
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
