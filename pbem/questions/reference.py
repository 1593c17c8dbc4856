"""All that can be looked up about a game, made once: its own entries and those on playing by mail."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files

from pbem.protocol import Entry, Game, HasAnswers
from pbem.questions.index import Hit, Index
from pbem.questions.names import Named, Names
from pbem.questions.speech import asks, is_everyday, is_foreign
from pbem.questions.words import Synonyms, data, sentences, spoken

#: A word with a capital, which may be a player's name; and what stands for whoever it is.
CAPITAL = re.compile(r"(?<!\w)[A-Z]\w+(?:'s)?")
SOMEBODY = "somebody"
#: What an answer about a thing that the question names is worth more than one that is not.
ABOUT_IT, ABOUT_ANOTHER = 3.0, 2.0
#: How well an answer about a named thing has to fit to come before what is said of the thing itself.
FITTING = 0.62
#: How much better the thing's own words have to fit than an answer, to come before that.
OWN_WORDS = 0.8


@dataclass(frozen=True, slots=True)
class Question:
    """A question, taken apart."""

    text: str
    #: Its words, without what belongs to no sentence of it.
    words: tuple[str, ...]
    #: The same with slips of the pen put right, and one word for those that mean the same; those of its sentences that ask.
    terms: tuple[str, ...]
    #: Those of the sentences that only say something.
    aside: tuple[str, ...]
    #: What it names.
    named: tuple[Named, ...]

    @property
    def things(self) -> tuple[Entry, ...]:
        """What it names for sure, each once, in the order said."""
        return tuple({e.id: e for name in self.named if name.sure for e in name.entries}.values())


class Reference:
    """What a game and the customs of the server say, and how it is found."""

    def __init__(self, game: Game) -> None:
        own: Sequence[Entry] = game.entries() if isinstance(game, HasAnswers) else ()
        self._synonyms = Synonyms(data("synonyms"), game.synonyms() if isinstance(game, HasAnswers) else {})
        self._own = own
        self._last: tuple[Question | None, list[Hit]] = (None, [])
        self._colours = {word for colour in game.colours for word in spoken(colour)}
        self.index = Index([*own, *procedures()], self._synonyms)
        self.names = Names(
            own,
            self.index.is_common,
            lambda word: word in self._colours or is_everyday(word) or self.index.is_written(word),
        )

    @cached_property
    def by_id(self) -> Mapping[str, Entry]:
        """The rules and things by id."""
        return {entry.id: entry for entry in self._own if not entry.answers}

    def understood(self, text: str, names: Mapping[str, str] | None = None) -> Question:
        """A question, taken apart; `names` has the colour of each player by name."""
        players = {key: colour for name, colour in (names or {}).items() for key in spoken(name)}
        strangers = () if is_foreign(text) else self._strangers(text)
        parts = [
            tuple(players.get(word, SOMEBODY if word in strangers else word) for word in spoken(sentence))
            for sentence in sentences(text)
        ]
        asking = [asks(sentence) for sentence in sentences(text)]
        words: list[str] = []
        named: list[Named] = []
        terms: dict[bool, list[str]] = {True: [], False: []}
        for part, question in zip(parts, asking, strict=True):
            there = self.names.within(part)
            terms[question or not any(asking)] += self._terms(part, there)
            named += [name.moved(len(words)) for name in there]
            words += part
        return Question(text, tuple(words), tuple(terms[True]), tuple(terms[False]), tuple(named))

    def _terms(self, words: Sequence[str], named: Sequence[Named]) -> list[str]:
        """The words of a sentence as they are searched; a name stays as it is."""
        terms: list[str] = []
        place = 0
        for name in (*named, None):
            between = words[place : name.start if name else None]
            terms += self._synonyms.of([self._put_right(word) for word in between])
            if name:
                said = words[name.start : name.end]
                terms += said if name.sure else self._synonyms.of(said)
                place = name.end
        return terms

    def _strangers(self, text: str) -> set[str]:
        """The words with a capital that mean nothing: names of people, as it seems."""
        return {word for part in CAPITAL.findall(text) for word in spoken(part) if not self._is_word(word)}

    def _is_word(self, word: str) -> bool:
        """Whether a word means something to somebody, or may be meant for one that does."""
        if word in self._colours or is_everyday(word) or self.index.is_written(word) or self.names.within([word]):
            return True
        return self.index.put_right(word) != word

    def _put_right(self, word: str) -> str:
        known = self._synonyms.knows(word) or is_everyday(word)
        return word if known else self.index.put_right(word)

    def looked_up(self, asked: Question) -> Iterator[Entry]:
        """What answers a question best, then the nearest others: each of another page."""
        shown: set[str] = set()
        for entry in self._in_order(asked):
            things = (thing for thing in asked.things if thing.id in entry.rests_on and thing.id not in shown)
            about = next(things, entry)
            if about.id not in shown:
                shown.add(about.id)
                rests_on = tuple(id for id in (entry.id, *entry.rests_on) if id != about.id)
                yield replace(entry, id=about.id, kind=about.kind, rests_on=rests_on)

    def fit(self, asked: Question) -> float:
        """How well what fits a question best does."""
        return next((score for _, score in self._ranked(asked)), 0.0)

    def _ranked(self, asked: Question) -> list[Hit]:
        """The entries that have words of a question, those about what it names raised; the last question is remembered."""
        if self._last[0] is asked:
            return self._last[1]
        first = {entry.id for entry in asked.things[:1]}
        others = {entry.id for entry in asked.things[1:]}
        hits = []
        for hit in self.index.search(asked.terms, asked.aside):
            ids = {hit.entry.id, *hit.entry.rests_on}
            about = ABOUT_IT if ids & first else ABOUT_ANOTHER if ids & others else 1.0
            hits.append(hit._replace(score=hit.score * about))
        hits.sort(key=lambda hit: -hit.score)
        self._last = (asked, hits)
        return hits

    def _in_order(self, asked: Question) -> Iterator[Entry]:
        """What fits best and the things that are named, in turn."""
        named = list(asked.things)
        ids = {entry.id for entry in named}
        hits = self._ranked(asked)
        themselves = max((score for entry, score in hits if entry.id in ids), default=0.0)
        others = [hit for hit in hits if hit.entry.id not in ids and not (named and hit.entry.kind in self.names.kinds)]
        if named and (not others or others[0].score < max(FITTING, OWN_WORDS * themselves)):
            yield named.pop(0)
        yield from (hit.entry for hit in others[:1])
        yield from named[:2]
        yield from (hit.entry for hit in others[1:])


def procedures() -> list[Entry]:
    """The answers on playing by mail, which hold for any game."""
    text = (files("pbem.questions") / "data" / "mail.toml").read_text(encoding="utf-8")
    return [Entry.of_topic(topic, "procedure") for topic in tomllib.loads(text)["topic"]]


_REFERENCES: dict[str, tuple[Game, Reference]] = {}


def reference(game: Game) -> Reference:
    """The reference of a game, made when it is first asked for."""
    known = _REFERENCES.get(game.name)
    if known is None or known[0] is not game:
        known = _REFERENCES[game.name] = (game, Reference(game))
    return known[1]
