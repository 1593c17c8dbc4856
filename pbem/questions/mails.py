"""The questions in a mail, told apart from its orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbem.orders.commands import order_words
from pbem.orders.words import key
from pbem.protocol import Game
from pbem.questions.answer import answer
from pbem.questions.speech import asks, certainly_asks, is_social
from pbem.questions.words import sentences

#: Questions of one mail that are answered.
MOST_QUESTIONS = 3


class Asking(NamedTuple):
    """What a mail asks in plain words."""

    #: Each question, with what is said before it where the mail says nothing else.
    questions: tuple[str, ...] = ()
    #: Whether every sentence of it asks, or is small talk: such a mail orders nothing, whatever words it begins with.
    only: bool = False
    #: Whether no sentence besides begins like an order.
    alone: bool = False


#: A mail without a question.
NOTHING_ASKED = Asking()


def asking(game: Game, lines: Sequence[str], names: Mapping[str, str] | None = None) -> Asking:
    """What the typed lines of a mail ask about the game, but for its commands; `names` has the colour of each player by
    name."""
    parts = sentences("\n".join(lines))
    questions = [asks(sentence) for sentence in parts]
    if not any(questions):
        return NOTHING_ASKED
    rest = [sentence for sentence, question in zip(parts, questions, strict=True) if not question]
    only = all(is_social(key(sentence)) for sentence in rest) and all(
        certainly_asks(sentence) for sentence, question in zip(parts, questions, strict=True) if question
    )
    verbs = order_words(game.vocabulary).words
    alone = only or not any(key(sentence)[:1] and key(sentence)[0] in verbs for sentence in rest)
    asked = (
        _with_context(parts, questions)
        if alone
        else [s for s, question in zip(parts, questions, strict=True) if question]
    )
    about = tuple(question for question in asked if answer(game, question, names=names).kind != "chat")
    return Asking(about, only, alone) if about else NOTHING_ASKED


def _with_context(parts: Sequence[str], asked: Sequence[bool]) -> list[str]:
    """The questions, each with the sentences before it; what stands behind the last belongs to that."""
    questions: list[str] = []
    said: list[str] = []
    for sentence, question in zip(parts, asked, strict=True):
        said.append(sentence)
        if question:
            questions.append(" ".join(said))
            said = []
    if said and questions:
        questions[-1] = " ".join((questions[-1], *said))
    return questions
