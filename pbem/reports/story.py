"""What happened, sentence by sentence: in turns, without repeats, and apart what was done to the reader. No words here:
each sentence is a macro of the game's `events.j2`, found by the kind of event.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol, TypeAlias

from pbem.reports.contexts import Happening

#: Kind and data of an event.
Fact: TypeAlias = tuple[str, Mapping[str, Any]]


class Words(Protocol):
    """The game's `events.j2`. It may also have `CAUSES`, the kinds that bring others about, and `FOLDED`, the kinds that
    are told as one when several colours in a row did the same."""

    #: Kind of event -> its sentence: a macro that gets the data, the colour of whose turn it was and the reader's.
    TELL: Mapping[str, Callable[[Mapping[str, Any], str, str | None], str]]
    #: What the reader's policies had to do with an event.
    answer: Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class Turn:
    """What happened in one turn, or in several in a row that are told as one."""

    first: int
    last: int
    #: The colour of whose turn it was; empty where all play at once.
    actor: str
    facts: list[Fact]


@dataclass(frozen=True, slots=True)
class Told:
    """The sentences on a turn, each with how often it comes in a row."""

    first: int
    last: int
    sentences: Sequence[tuple[str, int]]


def story(
    events: Iterable[Happening], said: Words, me: str | None, *, apart: bool = False
) -> tuple[list[Told], list[Told]]:
    """What others did to the reader, where that is told apart, and all the rest; each behind what brought it about, which is
    told by itself where nothing came of it."""
    yours, rest = [], []
    causes, folded = getattr(said, "CAUSES", ()), getattr(said, "FOLDED", ())
    for turn in turns(events, said.TELL, folded):
        mine: list[str] = []
        others: list[str] = []
        cause = ""
        splits = apart and me is not None and turn.actor not in ("", me)
        for kind, data in turn.facts:
            words = said.TELL[kind](data, turn.actor, me).strip()
            news = mine if splits and concerns(data, me) else others
            if kind in causes:
                others += [] if cause in (*mine, *others) else [cause]
                cause = words
            elif words:
                news += [words] if cause in news else [cause, words]
            (mine if splits else others).extend(said.answer(why).strip() for why in data.get("answers", ()))
        others += [] if cause in (*mine, *others) else [cause]
        yours += told(turn, mine)
        rest += told(turn, others)
    return yours, rest


def told(turn: Turn, sentences: Iterable[str]) -> list[Told]:
    """The sentences on a turn that say anything, if there are any."""
    runs = [(sentence, len(list(run))) for sentence, run in groupby(filter(None, sentences))]
    return [Told(turn.first, turn.last, runs)] if runs else []


def turns(events: Iterable[Happening], kinds: Container[str], folded: Container[str]) -> list[Turn]:
    """Events of some kinds by turn. Those of a folded kind that come in a row and differ in their `colour` alone become
    one, with `colours`; so do turns in which nothing else happened."""
    made: list[Turn] = []
    for (number, actor), run in groupby(events, key=lambda event: (event.turn, event.actor)):
        facts: list[Fact] = []
        for event in run:
            if event.kind in kinds:
                facts.append((event.kind, event.data))
                if event.kind in folded:
                    fold(facts)
        if len(facts) == 1 and facts[0][0] in folded and made and len(made[-1].facts) == 1:
            both = [*made[-1].facts, *facts]
            fold(both)
            if len(both) == 1:
                made[-1] = Turn(made[-1].first, number, actor, both)
                continue
        made.append(Turn(number, number, actor, facts))
    return made


def fold(facts: list[Fact]) -> None:
    """Make one of the last two, if they tell the same of several colours."""
    kind, data = facts[-1]
    colours = data.get("colours") or [data["colour"]]
    if len(facts) > 1 and facts[-2][0] == kind:
        before = facts[-2][1]
        if all(data[key] == before[key] for key in data if key not in ("colour", "colours")):
            colours = [*before["colours"], *colours]
            del facts[-2]
    facts[-1] = kind, {**data, "colours": colours}


def concerns(data: Mapping[str, Any], colour: str | None) -> bool:
    """Whether an event has to do with a seat: one of its facts is the colour of it, or holds that."""
    return any(value == colour or (type(value) is list and colour in value) for value in data.values())
