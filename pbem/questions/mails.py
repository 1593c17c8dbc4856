"""The questions in a mail, told apart from its orders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pbem.orders.commands import order_words
from pbem.orders.words import key
from pbem.protocol import Game
from pbem.questions.answer import answer
from pbem.questions.speech import asks, certainly_asks, is_social, requests
from pbem.questions.words import data, sentences

#: The code of a mail, as its subject has it, says nothing.
CODE = re.compile(r"\[\w{8}(?:\.\w+)?\]")
#: Questions of one mail that are answered.
MOST_QUESTIONS = 3


class Asking(NamedTuple):
    """What a mail asks in plain words."""

    #: Each question, with what is said before it: what is asked where the mail orders nothing.
    questions: tuple[str, ...] = ()
    #: The sentences that ask: what is asked beside orders.
    beside: tuple[str, ...] = ()
    #: Whether every sentence of it asks, or is small talk: such a mail orders nothing, whatever words it begins with.
    only: bool = False
    #: Whether no sentence besides begins like an order.
    alone: bool = False
    #: The lines without the questions that no order can hang on.
    orders: tuple[str, ...] = ()


#: A mail without a question.
NOTHING_ASKED = Asking()


def asking(game: Game, lines: Sequence[str], names: Mapping[str, str] | None = None) -> Asking:
    """What the typed lines of a mail ask about the game, but for its commands; `names` has the colour of each player by
    name."""
    parts = sentences(CODE.sub("", "\n".join(lines)))
    verbs = order_words(game.vocabulary).words
    questions = [
        asks(sentence) and not (requests(sentence) and not verbs.isdisjoint(key(sentence))) for sentence in parts
    ]
    if not any(questions):
        return NOTHING_ASKED
    rest = [sentence for sentence, question in zip(parts, questions, strict=True) if not question]
    only = all(is_social(key(sentence)) for sentence in rest) and all(
        certainly_asks(sentence) for sentence, question in zip(parts, questions, strict=True) if question
    )
    alone = only or not any(key(sentence)[:1] and key(sentence)[0] in verbs for sentence in rest)

    def about(asked: Iterable[str]) -> tuple[str, ...]:
        return tuple(text for text in asked if answer(game, text, names=names).kind != "chat")

    beside = about(sentence for sentence, question in zip(parts, questions, strict=True) if question)
    if not beside:
        return NOTHING_ASKED
    orders = () if only else without(lines, [sentence for sentence in beside if hangs_on_nothing(sentence)])
    return Asking(about(_with_context(parts, questions)), beside, only, alone, orders)


def hangs_on_nothing(question: str) -> bool:
    """Whether a question is about the rules alone, so that no order beside it can depend on the answer: it speaks neither of
    its writer nor of anything said before, and holds no condition."""
    return certainly_asks(question) and set(data("asking")["pointing"]).isdisjoint(key(question))


def without(lines: Sequence[str], questions: Sequence[str]) -> tuple[str, ...]:
    """Some lines without these sentences."""
    text = "\n".join(lines)
    for question in questions:
        text = re.sub(r"\s+".join(map(re.escape, question.split())), "", text, count=1)
    return tuple(line for line in text.split("\n") if key(line))


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
