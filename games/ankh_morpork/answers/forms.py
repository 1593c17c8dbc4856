"""The forms of questions that a view answers: a table, a row a kind of question, with the function that answers it.

A form says which concepts a question must have and which it may have besides; one with any other is of another form. What
no form takes is not answered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from games.ankh_morpork.answers.city import City
from games.ankh_morpork.answers.reading import Reading
from pbem.protocol import Finding

#: Concepts that change no question.
AUXILIARY = frozenset(("will", "turn", "stand"))

#: What answers a form; None when the question is not of it after all.
Answering: TypeAlias = Callable[[City, Reading], Finding | None]


@dataclass(frozen=True, slots=True)
class Form:
    """What the questions of one kind are made of."""

    #: Of each of these at least one concept.
    needs: tuple[frozenset[str], ...]
    #: All of their concepts.
    all: frozenset[str]
    answer: Answering

    def fits(self, concepts: frozenset[str]) -> bool:
        return concepts <= self.all | AUXILIARY and all(not concepts.isdisjoint(need) for need in self.needs)


#: All forms; the first that fits and answers counts.
FORMS: list[Form] = []


def form(*needs: str, allows: str = "") -> Callable[[Answering], Answering]:
    """Register a function for questions with one of the concepts of each of `needs`, and no others than those and
    `allows`; concepts are separated by blanks."""

    def register(function: Answering) -> Answering:
        groups = tuple(frozenset(need.split()) for need in needs)
        FORMS.append(Form(groups, frozenset().union(*groups, allows.split()), function))
        return function

    return register


def whose(city: City, said: Reading) -> str:
    """The colour that is asked about: the one named, else the asker's."""
    return said.colours[0] if len(said.colours) == 1 else city.me
