"""The answer to a question: what is asked, by whom it is answered, and the nearest other answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from pbem.protocol import Asked, Entry, Finding, Game, HasAnswers, Untold, View
from pbem.questions.reference import Question, Reference, reference
from pbem.questions.speech import asks, beyond, is_everyday, is_social, subjects
from pbem.questions.values import Answer
from pbem.questions.words import sentences, spoken

#: How many answers are shown.
MOST_ANSWERS = 3
#: How many words a mail may have that asks nothing and is looked up all the same: `hand limit`.
LONGEST_TOPIC = 5
#: How many words that say something a text needs that asks nothing, and is no topic.
FEWEST_WORDS = 3
#: How many words that nobody knows may stand in a question beside each that is known.
MOST_STRANGE = 2
#: Who asks them speaks to somebody.
YOU = frozenset(("you", "your", "youre"))
#: Words of a sentence that says something, and is no name.
SPEAKING = frozenset(
    [
        "i",
        "im",
        "ive",
        "you",
        "youre",
        "he",
        "she",
        "we",
        "they",
        "it",
        "was",
        "were",
        "is",
        "are",
        "that",
        "thats",
        "this",
        "my",
        "your",
        "his",
        "her",
        "me",
        "has",
        "had",
    ]
)
#: How well an entry fits that is asked for nearly word by word.
SURE_FIT = 1.4
#: How well one fits that words of everyday subjects alone may ask for.
FAIR_FIT = 1.0
#: How well an entry has to fit a question that names nothing of the game, lest it be about something else.
LEAST_FIT = 0.3


def answer(game: Game, text: str, view: View | None = None, names: Mapping[str, str] | None = None) -> Answer:
    """Answer a question about a game, from a seat's `view` where there is one.

    `names` holds the colour of each player by name. Nothing is looked up for what asks nothing about the game.
    """
    known = reference(game)
    asked = known.understood(text, names)
    parts = [known.understood(sentence, names) for sentence in sentences(text) if asks(sentence)]
    fit = known.fit(asked)
    said = [word for word in asked.terms if known.index.knows(word)]
    if not parts and (fit < SURE_FIT or len(said) < FEWEST_WORDS) and not _is_topic(known, asked):
        return Answer("chat")
    untold = next((why for part in (*parts, asked) if (why := _untold(game, part))), None)
    if untold:
        rules = tuple(_entries(known, untold.rests_on))
        return Answer("unanswerable", rules, untold=untold, rule=rules[0] if rules else None)
    finding = _found(game, [*map(as_asked, parts), *_called(parts, asked), as_asked(asked)], view)
    if finding:
        return _from_finding(known, asked, finding)
    if parts and fit < SURE_FIT and not asked.things and not any(_about_the_game(known, part) for part in parts):
        return Answer("chat")
    entries = tuple(islice(known.looked_up(asked), MOST_ANSWERS))
    if not asked.things and fit < LEAST_FIT:
        return Answer("unanswerable", untold=Untold("elsewhere"))
    return Answer(entries[0].kind, entries, rule=_rule_of(known, entries[0]))


def about(game: Game, words: str) -> Answer:
    """What a few words that need not be a question are about: the id of a rule, a topic, a name."""
    known = reference(game)
    rule = known.by_id.get(words.strip().upper())
    if rule:
        return Answer("rule", (rule,))
    asked = known.understood(words)
    entries = tuple(islice(known.looked_up(asked), MOST_ANSWERS)) if known.fit(asked) >= LEAST_FIT else ()
    return Answer(entries[0].kind, entries, rule=_rule_of(known, entries[0])) if entries else Answer("chat")


def named(game: Game, words: str) -> tuple[str, ...]:
    """The names of the things that some words may stand for, when they are nothing but a name."""
    things = reference(game).names.all_called(spoken(words))
    exact = [entry.title for entry in things if spoken(entry.title) == spoken(words)]
    return tuple(exact[:1] or (entry.title for entry in things))


def _from_finding(known: Reference, asked: Question, finding: Finding) -> Answer:
    """The answer that a view gives, with the rules it rests on and what else is near."""
    near = {entry.id: entry for entry in (*_entries(known, finding.rests_on), *known.looked_up(asked))}
    entries = tuple(islice(near.values(), MOST_ANSWERS))
    rule = next((entry for entry in _entries(known, finding.rests_on) if entry.kind == "rule"), None)
    return Answer("position", entries, finding=finding, rule=rule)


def _rule_of(known: Reference, entry: Entry) -> Entry | None:
    """The rule that an answer rests on."""
    ids = (entry.id, *entry.rests_on) if entry.answers else ()
    return next((rule for rule in _entries(known, ids) if rule.kind == "rule"), None)


def _is_topic(known: Reference, asked: Question) -> bool:
    """Whether a text that asks nothing is the name of something: a card, or a few words of the rules."""
    words = [word for word in asked.terms if known.index.knows(word) or not is_everyday(word)]
    if (
        not words
        or not SPEAKING.isdisjoint(asked.words)
        or len(asked.words) > LONGEST_TOPIC
        or (is_social(asked.words) and not asked.things)
    ):
        return False
    return bool(asked.things) or all(known.index.knows(word) for word in words)


def _about_the_game(known: Reference, asked: Question) -> bool:
    """Whether a question has words of the game or of its customs, as against one about the weather."""
    words = [word for word in asked.terms if known.index.knows(word)]
    strange = [word for word in asked.terms if not known.index.is_written(word)]
    if not YOU.isdisjoint(asked.words) and subjects(asked.words) >= len(words):
        return known.fit(asked) >= SURE_FIT
    if words and all(subjects([word]) and known.index.is_rare(word) for word in words) and known.fit(asked) < FAIR_FIT:
        return bool(asked.things)
    return bool(asked.things or (words and MOST_STRANGE * len(words) >= len(strange)))


def _found(game: Game, parts: list[Asked], view: View | None) -> Finding | None:
    if view is None or not isinstance(game, HasAnswers):
        return None
    return next((found for part in parts if (found := game.finding(part, view))), None)


def _called(parts: list[Question], asked: Question) -> Iterator[Asked]:
    """The questions that name nothing, with the one name of the whole text in place of `her` or `him`."""
    if len(asked.things) == 1:
        for part in parts:
            if not part.named:
                yield [(asked.things[0].title,) if word in ("her", "him") else word for word in part.words]


def _untold(game: Game, asked: Question) -> Untold | None:
    why = game.untold(as_asked(asked)) if isinstance(game, HasAnswers) else None
    word = beyond(asked.words)
    return why or (Untold(word) if word else None)


def as_asked(asked: Question) -> Asked:
    """The words of a question, with the names in place of the words for them."""
    words: list[str | tuple[str, ...]] = list(asked.words)
    for name in reversed(asked.named):
        if name.sure:
            words[name.start : name.end] = [tuple(entry.title for entry in name.entries)]
    return words


def _entries(known: Reference, ids: tuple[str, ...]) -> Iterator[Entry]:
    return (known.by_id[id] for id in ids if id in known.by_id)
