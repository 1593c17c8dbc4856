"""What a mail's typed orders would do in a written position: the same code as for a mail, without a store."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.errors import ConfigError
from pbem.orders import referee
from pbem.orders.commands import sort_typed
from pbem.orders.outcome import Line, Outcome
from pbem.play.letters import chat_lines
from pbem.protocol import Game, HasPositions, Match, Seat, decision_of
from pbem.reports import contexts
from pbem.reports.render import Renderer
from pbem.reports.samples import Samples


def in_position(
    game: Game,
    position: str,
    typed: Sequence[tuple[str, bool]],
    *,
    colour: str | None = None,
    dice: Sequence[int] = (),
    names: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """What typed lines, each with whether it begins like an order, would do for a seat, by default the one that is
    asked first; `names` has the colour of each player by name.

    `outcome` is done, asked, refused, answered or nothing; `choices` are the order texts chosen for the seat; `lines`
    has for each part of the text its verdict and what it was read as; `answer` is the text of the mail that would go
    back.

    Raises ConfigError for a position or a colour that the game does not know.
    """
    if not isinstance(game, HasPositions):
        raise ConfigError(f"{game.title} has no notation of positions")
    try:
        match = game.position(position, dice)
    except ValueError as error:
        raise ConfigError(f"this is no position of {game.title}: {error}") from error
    known = {name.casefold(): Seat(seat) for seat, name in enumerate(game.colours)}
    seat = match.pending[0].seat if colour is None and match.pending else known.get((colour or "").casefold())
    if seat is None:
        raise ConfigError(f"{game.title} has no seat {colour}")
    decision = decision_of(match, seat)
    menu = [option.text for option in decision.options] if decision else []
    told = sort_typed(typed, game.vocabulary, decision, names)
    outcome = referee.carry_out(game, match, seat, told.orders, menu=menu, names=names)
    kind = kind_of(outcome, bool(told.commands))
    texts = outcome.answer.texts if outcome.answer else [text for whose, text, _ in outcome.added if whose == seat]
    results = outcome.lines + chat_lines(told.chat)
    return {
        "outcome": kind,
        "choices": list(texts),
        "lines": [{"line": line.text, "verdict": line.verdict, "read_as": line.option} for line in results],
        "answer": answer(game, match, outcome, seat, results, names or {}),
    }


def kind_of(outcome: Outcome, commanded: bool) -> str:
    """What a mail came to, in one word."""
    if outcome.accepted:
        return "done"
    if outcome.refused:
        problem = outcome.refused.problem
        return "asked" if problem and problem.kind == "ambiguous" else "refused"
    return "answered" if commanded else "nothing"


def answer(
    game: Game, match: Match, outcome: Outcome, seat: Seat, results: tuple[Line, ...], names: Mapping[str, str]
) -> str:
    """The text of the mail that would go back."""
    seats = len(match.view(None).get("seats", game.colours))
    samples = Samples(game, seats)
    state = samples.on_the_state(outcome.match, seat, outcome.events)
    players = {colour: name for name, colour in names.items()}
    state["seats"] = tuple(replace(p, player=players.get(p.colour, p.player)) for p in state["seats"])
    context: contexts.Board
    if outcome.accepted:
        complete = outcome.turn_over or seat not in outcome.waiting
        context = contexts.Acknowledgement(**state, lines=results, complete=complete, revealed=outcome.revealed)
    elif outcome.refused:
        context = contexts.Refusal(**state, lines=results)
    else:
        context = contexts.Nothing(**state, what="chat", lines=results)
    return Renderer(game.name, "orders@play.example.org").render(context).text
