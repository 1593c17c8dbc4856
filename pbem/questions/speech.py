"""What a text is, before anything is looked up: a question or none, small talk, or asking for what nobody can tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from pbem.orders.speech import Phrases, everyday
from pbem.orders.words import key
from pbem.questions.words import data

#: Where a question may begin within a sentence.
CLAUSE = re.compile(r"[,;:()]|\s[-\u2013\u2014]+\s|\.{2,}|\u2026")
#: Kinds of everyday speech that say nothing to a game.
POLITE = ("please", "social", "closing")
#: Auxiliaries with which one asks for something to be done.
WISHING = ("can", "could", "would", "will", "may")
#: Auxiliaries that begin no order.
STATING = ("does", "did", "is", "are")
#: Words behind one that asks which suppose something: `what if`.
SUPPOSING = ("if", "happens")
#: Words that ask with such a word in them.
CONTRACTED = ("whats", "whos", "wheres", "hows", "whens")
#: Words behind an auxiliary that make a question of it wherever they stand, and where it begins.
PERSONS = frozenset(
    ["i", "he", "she", "it", "we", "they", "ich", "er", "sie", "es", "wir", "man", "je", "il", "elle", "on"]
)
SUBJECTS = frozenset(
    [
        "i",
        "you",
        "he",
        "she",
        "it",
        "we",
        "they",
        "my",
        "the",
        "there",
        "this",
        "that",
        "these",
        "those",
        "anybody",
        "anyone",
        "somebody",
        "someone",
        "everybody",
        "everyone",
        "ich",
        "wir",
        "man",
        "er",
        "sie",
        "es",
        "je",
        "tu",
        "on",
        "nous",
    ]
)


@lru_cache(maxsize=1)
def _openings() -> tuple[frozenset[str], frozenset[str], Phrases]:
    """Words that begin a question, auxiliaries, and phrases that ask for something."""
    rows = data("asking")
    phrases = Phrases()
    for phrase in rows["request"]:
        phrases.add(key(phrase), "request")
    return frozenset(rows["interrogative"]), frozenset(rows["auxiliary"]), phrases


def asks(sentence: str) -> bool:
    """Whether a sentence asks something: by its mark, or by how one of its clauses begins."""
    if sentence.rstrip(" )\"'!").endswith("?") or _inverts(key(sentence)):
        return True
    exclaims = sentence.rstrip(" )\"'").endswith("!")
    return any(_begins(key(clause), exclaims=exclaims) for clause in CLAUSE.split(sentence))


def _inverts(words: Sequence[str]) -> bool:
    """Whether an auxiliary stands before a subject, or a word that asks before an auxiliary: `..., do I`, `how many can`."""
    interrogative, auxiliary, requests = _openings()
    pairs = list(pairwise(words))
    return (
        any(word in CONTRACTED for word in words)
        or any(
            (first in auxiliary and second in PERSONS)
            or (first in interrogative and second in (*auxiliary, "many", "much"))
            for first, second in pairs
        )
        or any(requests.at(words, place) for place in range(len(words)))
    )


def _begins(words: Sequence[str], *, exclaims: bool) -> bool:
    """Whether a clause begins like a question; one that exclaims needs an auxiliary and its subject: `What a mess!`"""
    interrogative, auxiliary, _ = _openings()
    for word, following in zip(words[:2], [*words[1:3], "", ""], strict=False):
        if word in auxiliary and following not in ("", "not") and (following in SUBJECTS or not exclaims):
            return True
        if word in interrogative and (not exclaims or following in auxiliary):
            return True
        if word not in ("and", "but", "so", "then", "now", "also", "hi", "hello", "hey", "ok", "well"):
            break
    return False


def requests(sentence: str) -> bool:
    """Whether somebody is asked to do something with cards or pieces, so that it may be an order: `Could you play Groat?`"""
    mark = sentence.rstrip(" )\"'!").endswith("?")
    return any(_requests(key(clause), mark) for clause in CLAUSE.split(sentence))


def certainly_asks(sentence: str) -> bool:
    """Whether a sentence can be nothing but a question: it is never an order, whatever words it has."""
    mark = sentence.rstrip(" )\"'!").endswith("?")
    clauses = [key(clause) for clause in CLAUSE.split(sentence)]
    if any(_requests(words, mark) for words in clauses):
        return False
    pairs = [pair for words in clauses for pair in pairwise(words)]
    _, auxiliary, _ = _openings()
    if mark and any(first in auxiliary and second in SUBJECTS for first, second in pairs):
        return True
    return any(_opens(words, mark) for words in clauses)


def _requests(words: Sequence[str], mark: bool) -> bool:
    """Whether somebody is asked to do something: `could you play Groat?`, `can I have a minion in the Shades please`."""
    first, second = (*words[:2], "", "")[:2]
    wish = not mark and not {"have", "get", "please"}.isdisjoint(words)
    return first in WISHING and (second == "you" or (second in ("i", "we") and wish))


def _opens(words: Sequence[str], mark: bool) -> bool:
    """Whether words begin as only a question does."""
    interrogative, auxiliary, _ = _openings()
    first, second = (*words[:2], "", "")[:2]
    if first in interrogative:
        return mark or second in auxiliary or second in SUPPOSING or first in CONTRACTED
    if first in STATING:
        return bool(second)
    return first in auxiliary and (second in SUBJECTS or mark)


def is_social(words: Sequence[str]) -> bool:
    """Whether any words are greetings, thanks or the like."""
    return any((said := everyday().at(words, place)) and said.kind in POLITE for place in range(len(words)))


@lru_cache(maxsize=2)
def _small_words(row: str) -> frozenset[str]:
    return frozenset(data("stop")[row])


def is_foreign(text: str) -> bool:
    """Whether a text is in another language than English: there nouns may have capitals."""
    words = key(text)
    other, english = (sum(word in _small_words(row) for word in words) for row in ("small", "little"))
    return other > 1 and other > english


def is_everyday(word: str) -> bool:
    """Whether a word is one of everyday speech."""
    return everyday().at([word], 0) is not None


def subjects(words: Sequence[str]) -> int:
    """How many words are of subjects that people write about beside a game."""
    return sum(1 for place in range(len(words)) if (said := everyday().at(words, place)) and said.kind == "topics")


@lru_cache(maxsize=1)
def _untold() -> Phrases:
    phrases = Phrases()
    for kind, listed in data("untold").items():
        for phrase in listed:
            phrases.add(key(phrase), kind)
    return phrases


def beyond(words: Sequence[str]) -> str:
    """Why no rule answers some words: `advice`, `future` or `elsewhere`; empty when one may."""
    return next((said.kind for place in range(len(words)) if (said := _untold().at(words, place))), "")
