"""The words of a sentence: where an order may begin and end in it, and what speaks against one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from pbem.orders.speech import (
    ASKING_FOR_IT,
    FRONT,
    GREETING,
    HEDGES,
    IDIOMS,
    NEGATION,
    PAST,
    PAST_PHRASES,
    TAIL_PHRASES,
    UNCERTAIN,
    UNCERTAIN_PHRASES,
)
from pbem.orders.words import BREAKS

Texts: TypeAlias = tuple[str, ...]


def is_idiom(texts: Texts) -> bool:
    """Whether a clause begins like an order and is none."""
    return any(texts[:n] in IDIOMS and (len(texts) == n or texts[n] in BREAKS) for n in (2, 3, 4))


def order_starts(texts: Texts) -> Iterator[tuple[int, bool]]:
    """Where an order may begin in a sentence, and whether that is sure."""
    yield 0, True
    polite = texts[0] in GREETING and not is_uncertain(texts)
    for place in range(1, len(texts)):
        if texts[place - 1] == "," or texts[place] in ASKING_FOR_IT:
            yield place, polite


def is_in_front(texts: Texts, place: int) -> bool:
    """Whether a word may stand before an order."""
    word = texts[place]
    if word == "like" and texts[place - 1 : place] not in (("would",), ("id",)):
        return False
    return word in FRONT or word in HEDGES or word in BREAKS


def without_tail(texts: Texts, start: int) -> int:
    """Where the words end when politeness behind them is left out."""
    end = len(texts)
    while end > start:
        length = next((n for n in (3, 2, 1) if texts[max(start, end - n) : end] in TAIL_PHRASES), 0)
        if not length:
            if texts[end - 1] not in BREAKS:
                break
            length = 1
        end -= length
    return end


def is_past_or_not(texts: Texts, body: Texts) -> bool:
    """Whether a sentence, as far as its first clause goes, is about the past or about what is not to happen."""
    clause = texts[: len(texts) - len(body)] + _first_clause(body)
    return not (NEGATION | PAST).isdisjoint(clause) or _has(clause, PAST_PHRASES)


def _first_clause(body: Texts) -> Texts:
    stop = next((n for n, word in enumerate(body) if word in BREAKS and word != "and"), len(body))
    return body[:stop]


def is_uncertain(texts: Texts) -> bool:
    """Whether something is said of later, or on a condition."""
    return not UNCERTAIN.isdisjoint(texts) or _has(texts, UNCERTAIN_PHRASES)


def _has(texts: Texts, phrases: frozenset[Texts]) -> bool:
    return any(texts[n : n + 2] in phrases for n in range(len(texts) - 1))
