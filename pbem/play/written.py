"""What a mail's typed orders would do in a written position, and how a question is answered there: the same code as for a
mail, without a store."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.errors import ConfigError
from pbem.orders import referee
from pbem.orders.commands import sort_typed
from pbem.orders.outcome import Line, Outcome
from pbem.play.letters import chat_lines
from pbem.protocol import Game, HasPositions, Match, Seat, decision_of
from pbem.questions.answer import answer as answered
from pbem.questions.mails import asking
from pbem.questions.values import Answer
from pbem.reports import contexts
from pbem.reports.render import Renderer
from pbem.reports.samples import Samples


def position_for(game: Game, position: str, colour: str | None = None, dice: Sequence[int] = ()) -> tuple[Match, Seat]:
    """A written position, and the seat of a colour in it, by default the one that is asked first.

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
    return match, seat


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
    match, seat = position_for(game, position, colour, dice)
    decision = decision_of(match, seat)
    menu = [option.text for option in decision.options] if decision else []
    told = sort_typed(typed, game.vocabulary, decision, names)
    asks = asking(game, told.orders or told.chat, names)
    if asks.only:
        told = told._replace(orders=(), chat=(*told.orders, *told.chat))
    elif asks.orders and told.orders:
        told = told._replace(orders=asks.orders)
    outcome = referee.carry_out(game, match, seat, told.orders, menu=menu, names=names)
    alone = asks.only or (asks.alone and not (outcome.accepted or outcome.proposal))
    kind = "answered" if alone else kind_of(outcome, bool(told.commands))
    texts = outcome.answer.texts if outcome.answer else [text for whose, text, _ in outcome.added if whose == seat]
    results = outcome.lines + chat_lines(told.chat)
    return {
        "outcome": kind,
        "choices": list(texts),
        "lines": [{"line": line.text, "verdict": line.verdict, "read_as": line.option} for line in results],
        "answer": answer(
            game, match, outcome, seat, results, names or {}, asks.questions if alone else asks.beside, alone=alone
        ),
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
    game: Game,
    match: Match,
    outcome: Outcome,
    seat: Seat,
    results: tuple[Line, ...],
    names: Mapping[str, str],
    questions: Sequence[str],
    *,
    alone: bool,
) -> str:
    """The text of the mail that would go back."""
    seats = len(match.view(None).get("seats", game.colours))
    samples = Samples(game, seats)
    state = samples.on_the_state(outcome.match, seat, outcome.events)
    players = {colour: name for name, colour in names.items()}
    state["seats"] = tuple(replace(p, player=players.get(p.colour, p.player)) for p in state["seats"])
    view = outcome.match.view(seat)
    asked = [contexts.Answered(question=text, answer=answered(game, text, view, names)) for text in questions]
    state["answered"] = tuple(asked)
    context: contexts.GameMail
    if alone:
        on_the_game = samples.on_the_game(match, seat) | {"seats": state["seats"]}
        context = contexts.Answers(**on_the_game, answered=state["answered"])
    elif outcome.accepted:
        complete = outcome.turn_over or seat not in outcome.waiting
        context = contexts.Acknowledgement(**state, lines=results, complete=complete, revealed=outcome.revealed)
    elif outcome.refused:
        context = contexts.Refusal(**state, lines=results)
    else:
        context = contexts.Nothing(**state, what="chat", lines=results)
    return Renderer(game.name, "orders@play.example.org").render(context).text


def asked(
    game: Game, question: str, position: str = "", colour: str | None = None, names: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The kind of a question and its answers, the best first: each with its id, title and text, and the ids it rests on.

    `names` has the colour of each player by name. Raises ConfigError for a position or a colour that the game does not
    know.
    """
    match: Match = game.new(game.seats[0], bytes(32), {})
    seat: Seat | None = None
    if position:
        match, seat = position_for(game, position, colour)
    known = answered(game, question, match.view(seat) if position else None, names)
    on_the_game = Samples(game, len(game.colours)).on_the_game(match, seat)
    mail, words = contexts.Status(**on_the_game, view={}), Renderer(game.name, "")
    answers = [
        {"id": id, "title": title, "text": words.said(part, mail), "rests_on": list(rests_on)}
        for id, title, rests_on, part in parts(known)
    ]
    return {"kind": known.kind, "answers": answers}


def parts(known: Answer) -> Iterator[tuple[str, str, Sequence[str], Answer]]:
    """The answer and the nearest others, each with its id, title and what it rests on."""
    told: set[str] = set()
    if known.finding:
        told = {known.finding.rests_on[0]}
        title = known.rule.title if known.rule else ""
        yield known.finding.rests_on[0], title, known.finding.rests_on[1:], known
    elif known.untold:
        rests_on = known.untold.rests_on or (f"mail:{known.untold.word}",)
        yield rests_on[0], known.rule.title if known.rule else "", rests_on[1:], known
        return
    for entry in known.entries:
        if entry.id not in told:
            yield entry.id, entry.title, entry.rests_on, Answer(entry.kind, (entry,))
