"""Typed lines that do not begin with an order word: an order all the same, a slip of the pen, or a remark.

`please play Groat`, `My move: play Groat` and `biuld Longwall` must not be lost, and `Good move, Red` must move
nothing. Where that cannot be told, the line is a `Doubt`: it is never carried out, and asked about if it could be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pbem.orders.clauses import (
    Texts,
    is_idiom,
    is_in_front,
    is_past_or_not,
    is_uncertain,
    order_starts,
    without_tail,
)
from pbem.orders.match import LONGEST, MENU
from pbem.orders.reading import MINE, PLEASANTRIES
from pbem.orders.speech import (
    ASKING_FOR_IT,
    BEFORE_NOUNS,
    COMMON,
    FRONT,
    FRONT_PHRASES,
    HEDGES,
    POINTING,
)
from pbem.orders.vocabulary import ROLES, SHORTEST_ABBREVIATION, Lexicon, lexicon
from pbem.orders.words import BREAKS, POLITE, SMALL_TALK, Word, clean, unmarked, words
from pbem.protocol import Vocabulary

#: Where one sentence ends and the next may be an order: not behind `Mr.`, nor amid `12:30`.
SENTENCE_END = re.compile(
    r"(?<=[!?:])\s+|(?<!\bMr)(?<!\bMrs)(?<!\bDr)(?<!\bSt)(?<!\bSgt)(?<!\bCapt)(?<!\bCpt)(?<!\bProf)(?<!\b\w)\.+\s+"
    r"|\s+[-\u2013\u2014]+>?\s+|\s*;\s*",
    re.IGNORECASE,
)
#: Words that may be unknown in a line that is asked about.
MOST_UNKNOWN = 3
#: Characters of a line that is looked at, and sentences of it.
LONGEST_LINE = 400
MOST_SENTENCES = 20

#: `placed` is no slip for `place`.
PAST_ENDINGS = ("ed", "d", "er", "ers")


class Typo(str):
    """An order with a mistyped first word. It is carried out when one option is clearly meant, and else refused."""

    __slots__ = ()


class Doubt(str):
    """A line that may be an order or a remark. It is never carried out; it is asked about if it could be."""

    __slots__ = ("sense", "weak")
    #: The words in it that say something to the game.
    sense: str
    #: Whether it names nothing for certain, so that it is worth a question only where an order follows.
    weak: bool

    def __new__(cls, text: str, sense: str, *, weak: bool = False) -> Doubt:
        self = super().__new__(cls, text)
        self.sense = sense
        self.weak = weak
        return self


class Chat(str):
    """No order."""

    __slots__ = ()


class Front(NamedTuple):
    """What stands before an order."""

    #: Where the order begins.
    end: int
    #: Whether it was said outright, and not only thought about.
    sure: bool
    #: Whether it is polite or a sequence, and not about who writes.
    plain: bool


class Heard(NamedTuple):
    """What the words behind a verb say."""

    #: How many of them are names or figures of the game.
    names: int
    known: Texts
    unknown: Texts


def judged(line: str, vocabulary: Vocabulary) -> list[str]:
    """The orders, slips, doubts and remarks in a typed line that does not begin like an order."""
    if len(line) > LONGEST_LINE:
        return [Chat(line)]
    ear = Ear(lexicon(vocabulary))
    text = unmarked(clean(line)).strip()
    found: list[str] = []
    for sentence in SENTENCE_END.split(text, maxsplit=MOST_SENTENCES):
        one = ear.sentence(sentence)
        if isinstance(one, Chat) and found and isinstance(found[-1], Chat):
            found.pop()
        elif isinstance(one, Chat) and not sentence:
            continue
        found.append(one)
    return [Chat(line)] if all(isinstance(one, Chat) for one in found) else found


def hesitant(line: str) -> bool:
    """Whether a line that begins like an order asks more than it says: `Play Groat?`"""
    return line.rstrip().endswith("?")


def only_names(line: str, vocabulary: Vocabulary) -> bool:
    """Whether a line is nothing but names of the game."""
    known = lexicon(vocabulary)
    nothing = BREAKS | FRONT | PLEASANTRIES | known.fillers | ROLES.keys()
    texts = tuple(word.text for word in words(unmarked(clean(line))))
    return bool(known.exact(tuple(word for word in texts if word not in nothing)))


def begins_with_idiom(line: str) -> bool:
    """Whether a line that begins like an order is none in any game."""
    return is_idiom(tuple(word.text for word in words(unmarked(clean(line)))))


def unadorned(line: str) -> str:
    """A line without polite words at either end: `please undo`."""
    text = unmarked(clean(line))
    found = words(text)
    while found and found[0].text in POLITE | BREAKS:
        found = found[1:]
    end = without_tail(tuple(word.text for word in found), 0)
    return text[found[0].start : found[end - 1].end] if end else ""


class Ear:
    """Listens to one sentence after another with a game's words in mind."""

    def __init__(self, known: Lexicon) -> None:
        self.lexicon = known

    def sentence(self, text: str) -> str:
        """What one sentence is."""
        found = words(text)
        texts = tuple(word.text for word in found)
        if not texts or len(texts) > 4 * LONGEST:
            return Chat(text)
        asks = "?" in text
        for start, sure in order_starts(texts):
            if is_idiom(texts[start:]):
                continue
            heard = self._from(text, found, start, sure=sure and not asks)
            if not isinstance(heard, Chat):
                return heard
        return self._amid(text, texts)

    def _from(self, text: str, found: Sequence[Word], start: int, *, sure: bool) -> str:
        """What the words from here on are, if an order begins here."""
        texts = tuple(word.text for word in found)
        front = self._front(texts, start)
        end = without_tail(texts, front.end)
        body = texts[front.end : end]
        if not body or len(body) > LONGEST:
            return Chat(text)
        written = text[found[front.end].start : found[end - 1].end]
        sure = sure and front.sure
        if MENU.fullmatch(written) and front.end + len(texts) - end and sure:
            return written
        verbs = self.lexicon.verb_at(body, 0)
        if verbs and self._stands_alone(body, *verbs[0]):
            return written if sure else Doubt(text, " ".join(body))
        if is_past_or_not(texts[start:end], body):
            return Chat(text)
        sure = sure and not is_uncertain(texts[start:])
        return self._order(text, written, body, verbs, sure=sure, plain=front.plain)

    def _order(
        self,
        text: str,
        written: str,
        body: Texts,
        verbs: list[tuple[int, Texts]],
        *,
        sure: bool,
        plain: bool,
    ) -> str:
        if verbs and self.lexicon.alone.issuperset(verbs[0][1]):
            return Chat(text)
        verb_end = verbs[0][0] if verbs else 1
        heard = self._heard(body[verb_end:])
        if verbs and heard.names:
            if sure and not heard.unknown:
                return written
            if len(heard.unknown) <= MOST_UNKNOWN:
                return Doubt(text, " ".join(body[:verb_end] + heard.known))
        elif verbs and plain and sure and 0 < len(heard.unknown) < MOST_UNKNOWN:
            if COMMON.isdisjoint(heard.unknown):
                return Doubt(text, " ".join(body), weak=True)
        elif not verbs:
            return self._mistyped(text, written, body, heard, sure=sure)
        return Chat(text)

    def _mistyped(self, text: str, written: str, body: Texts, heard: Heard, *, sure: bool) -> str:
        """A line whose first word is no order word."""
        first = body[0]
        base = self._base(first)
        names_it = bool(heard.names) or self._are_nouns(body[1:])
        if len(heard.unknown) >= MOST_UNKNOWN or len(body) == 1:
            return Chat(text)
        if base and names_it:  # `playing Groat`, `minions Dimwell`
            if len(heard.unknown) > first.endswith("ing"):
                return Chat(text)
            return Doubt(text, " ".join((base, *heard.known)))
        known = first in COMMON or first.isdigit() or self.lexicon.exact((first,))
        if known or self._base(first, PAST_ENDINGS) or not self.lexicon.near_verbs(first):
            return Chat(text)
        if not names_it:
            weak = sure and COMMON.isdisjoint(heard.unknown)
            return Doubt(text, " ".join(body), weak=True) if weak else Chat(text)
        if sure and not heard.unknown:
            return Typo(written)
        return Doubt(text, " ".join((first, *heard.known)))

    def _amid(self, text: str, texts: Texts) -> str:
        """A sentence in which an order may stand with something before it: `Tom wants to play Groat`."""
        if "?" in text or len(texts) > LONGEST or is_past_or_not(texts, ()):
            return Chat(text)
        for place in range(1, len(texts)):
            if texts[place - 1] in BEFORE_NOUNS:
                continue
            for verb_end, verbs in self.lexicon.verb_at(texts, place):
                following = texts[verb_end : verb_end + 3]
                if not self.lexicon.alone.isdisjoint(verbs) or not self._names_at_once(following):
                    continue
                heard = self._heard(texts[verb_end:])
                if len(heard.unknown) < MOST_UNKNOWN:
                    return Doubt(text, " ".join(texts[place:verb_end] + heard.known))
        return Chat(text)

    # -- parts of a sentence -----------------------------------------------------------------------------------

    def _front(self, texts: Texts, start: int) -> Front:
        """How far what may stand before an order goes."""
        place, said = start, []
        while place < len(texts):
            phrase = next((n for n in (4, 3, 2) if texts[place : place + n] in FRONT_PHRASES), 0)
            if not phrase:
                if self.lexicon.verb_at(texts, place):
                    break
                if not is_in_front(texts, place):
                    break
                phrase = 1
                said.append(texts[place])
            place += phrase
        wishing = not {"like", "want"}.isdisjoint(said) and ("to" in said or "would" in said or "id" in said)
        hedges = HEDGES.intersection(said) - ({"would", "want"} if wishing else set())
        if not ASKING_FOR_IT.isdisjoint(said):
            hedges -= {"can", "could", "would", "you", "may"}
        bare_to = bool(said) and said[0] == "to"
        conditional = "id" in said and not wishing
        plain = {"i", "id", "ill", "im", "we", "me", "you"}.isdisjoint(said)
        return Front(place, not (hedges or bare_to or conditional), plain and place > start)

    def _stands_alone(self, body: Texts, verb_end: int, verbs: Texts) -> bool:
        """Whether it is a verb that takes nothing, with nothing behind it, or only what it is about."""
        if self.lexicon.alone.isdisjoint(verbs):
            return False
        rest = tuple(word for word in body[verb_end:] if word not in BREAKS)
        if not rest or self._are_nouns(rest):
            return True
        names = rest[0] not in ROLES and (rest[0].isdigit() or self._names_at_once(rest))
        return names and not self._heard(rest).unknown

    def _are_nouns(self, rest: Texts) -> bool:
        """Whether these words say what is asked, without a name: `the building`, `this`."""
        return bool(rest) and all(
            word in POINTING or word in PLEASANTRIES or self.lexicon.is_noun(word) for word in rest
        )

    def _heard(self, rest: Texts) -> Heard:
        """What the words behind a verb say."""
        names, place = 0, 0
        known: list[str] = []
        unknown: list[str] = []
        while place < len(rest):
            end = self._name_at(rest, place)
            if end:
                names += 1
            elif ends := self.lexicon.verb_at(rest, place):
                end = ends[0][0]
            elif self._says_nothing(rest[place]):
                end = place + 1
            else:
                unknown.append(rest[place])
                place += 1
                continue
            known += rest[place:end]
            place = end
        return Heard(names, tuple(known), tuple(unknown))

    def _says_nothing(self, word: str) -> bool:
        return (
            word in BREAKS
            or word in ROLES
            or word in PLEASANTRIES
            or word in POLITE
            or word in MINE
            or word in self.lexicon.fillers
        )

    def _name_at(self, rest: Texts, place: int) -> int:
        """Where the name that begins here ends; 0 when none does."""
        for end in range(min(len(rest), place + self.lexicon.longest_name), place, -1):
            part = tuple(word for word in rest[place:end] if word not in BREAKS or word == "and")
            if (
                part
                and rest[end - 1] not in BREAKS
                and rest[place] not in BREAKS
                and self.lexicon.exact(part)
            ):
                return end
        word = rest[place]
        if word.isdigit():
            return place + 1
        if (
            len(word) < SHORTEST_ABBREVIATION
            or word in SMALL_TALK
            or word in POLITE
            or self._says_nothing(word)
        ):
            return 0
        if self.lexicon.verb_at(rest, place):
            return 0
        mistyped = word not in COMMON and self.lexicon.misspelt((word,))
        return place + 1 if mistyped or self.lexicon.abbreviated((word,)) else 0

    def _names_at_once(self, following: Texts) -> bool:
        """Whether a name in full stands here, perhaps behind a small word."""
        while following and (following[0] in ROLES or following[0] in self.lexicon.fillers):
            following = following[1:]
        return any(self.lexicon.exact(following[:n]) for n in range(1, len(following) + 1))

    def _base(self, word: str, endings: Sequence[str] = ("ing", "s", "es")) -> str:
        """The verb of which a word is another form; empty when it is none."""
        for ending in endings:
            stem = word.removesuffix(ending)
            if stem != word and len(stem) > 2:
                for base in (stem, stem + "e", stem[:-1] if stem[-1] == stem[-2] else stem):
                    if (base,) in self.lexicon.verbs:
                        return base
        return ""
