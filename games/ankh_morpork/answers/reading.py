"""What a question about a position is made of: names, and concepts such as `where` and `build`.

The words of each concept are data. A sentence with a word that belongs to no concept is not read: an answer must hold for
all that was said.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

from games.ankh_morpork.answers.entries import asked_words
from games.ankh_morpork.data.cards import AREA, CARD, EVENTS, PERSONALITIES
from games.ankh_morpork.position.options import COLOURS
from pbem.protocol import Asked

#: What is named -> its names.
KINDS = (
    ("AREA", frozenset(AREA)),
    ("CARD", frozenset(CARD)),
    ("PERSON", frozenset(person.name for person in PERSONALITIES)),
    ("EVENT", frozenset(event.name for event in EVENTS)),
)
PEOPLE = KINDS[2][1]
#: A concept that changes nothing wherever it stands.
FILLER = "filler"


@dataclass(frozen=True, slots=True)
class Reading:
    """A question, as far as its words are explained."""

    #: Its concepts in the order said, without fillers; names by their kind.
    concepts: tuple[str, ...]
    areas: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    #: The words that belong to no concept.
    unread: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def _phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """The phrases of all concepts by their first word, the longest first."""
    by_first: defaultdict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
    for concept, phrases in asked_words()["concepts"].items():
        for phrase in phrases:
            words = tuple(word for word in phrase.split() if word not in ("the", "a", "an", "of"))
            if words:
                by_first[words[0]].append((words, concept))
    for listed in by_first.values():
        listed.sort(key=lambda entry: -len(entry[0]))
    return by_first


def read(asked: Asked) -> Reading:
    """The concepts of a question."""
    concepts: list[str] = []
    names: defaultdict[str, list[str]] = defaultdict(list)
    unread: list[str] = []
    place = 0
    while place < len(asked):
        word = asked[place]
        phrase = _at(asked, place)
        if isinstance(word, tuple):
            kind, name = _named(word)
            names[kind].append(name)
            concepts.append(kind)
            place += 1
        elif phrase:
            concepts += [phrase[1]] if phrase[1] != FILLER else []
            place += len(phrase[0])
        else:
            place += 1
            if (colour := word.removesuffix("s").capitalize()) in COLOURS:
                names["COLOUR"].append(colour)
                concepts.append("COLOUR")
            elif word.isdigit():
                names["NUMBER"].append(word)
                concepts.append("NUMBER")
            else:
                unread.append(word)
    return Reading(
        concepts=tuple(concepts),
        areas=tuple(names["AREA"]),
        cards=tuple(names["CARD"]),
        colours=tuple(names["COLOUR"]),
        events=tuple(names["EVENT"]),
        numbers=tuple(names["NUMBER"]),
        unread=tuple(unread),
    )


def _named(names: tuple[str, ...]) -> tuple[str, str]:
    """What kind of name some words are, and which; a place before a card, a card before a person."""
    if len(names) > 1 and (person := next((name for name in names if name in PEOPLE), None)):
        return "PERSON", person
    for kind, known in KINDS:
        there = [name for name in names if name in known]
        if there:
            return (kind, there[0]) if len(there) == 1 else ("SEVERAL", there[0])
    return "SEVERAL", names[0]


def _at(asked: Asked, place: int) -> tuple[tuple[str, ...], str] | None:
    for words, concept in _phrases().get(str(asked[place]), ()):
        if tuple(asked[place : place + len(words)]) == words:
            return words, concept
    return None
