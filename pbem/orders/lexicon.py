"""A game's vocabulary, ready to be looked up: spellings of names, verbs and nouns, parts of names, likely typos."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.orders.words import TITLES, key
from pbem.protocol import Vocabulary

#: What a small word before a name says about it.
ROLES = {
    word: role
    for role, words in {
        "in": "in at on inside near beside next by im a en dans w na nel",
        "from": "from off out von aus de del desde da z",
        "to": "to into onto towards toward nach zu zum zur vers hacia naar do till",
        "with": "with for against versus vs mit con avec",
        "and": "and",
        "instead": "instead replacing",
    }.items()
    for word in words.split()
}
#: What a spelling costs: the name in full, several words of it, one word of it, an abbreviation, each slip of the pen.
FULL, RUN, PART, SHORT, SLIP = 0.0, 0.5, 1.0, 1.5, 4.0
#: What has been done, where the form is not regular.
IRREGULAR = {"build": "built", "take": "taken", "put": "put", "send": "sent", "give": "given", "get": "gotten"} | {
    "make": "made",
    "sell": "sold",
    "buy": "bought",
    "throw": "thrown",
    "set": "set",
    "let": "let",
    "hit": "hit",
}
#: The shortest text that is compared for typos, and the shortest part of a name that stands for it.
SHORTEST_TYPO = 4
SHORTEST_PART = 3


class Spelling(NamedTuple):
    """What some words stand for."""

    #: `name`, `verb`, `past` (a verb's), `noun`, `deed`, `power` or `refusal`.
    sort: str
    #: The canonical name or verb; of a noun, the verb that takes it (empty: every verb); of a deed, whose it is; of a power, the order text;
    #: of a refusal, the verb that it declines.
    value: str
    cost: float


class Mention(NamedTuple):
    """A name in an order text, with what the small word before it says."""

    name: str
    role: str
    kind: str


class Phrase(NamedTuple):
    """An option's text, taken apart."""

    verb: str
    mentions: tuple[Mention, ...]


def slips(length: int) -> int:
    """How many slips of the pen a text of this length may hold and still be recognised."""
    if length < SHORTEST_TYPO:
        return 0
    return 1 if length <= 5 else 2 if length <= 9 else 3


def inflected(word: str) -> Iterator[str]:
    """The other forms of an English verb or noun that speak of the present."""
    if len(word) > 1:
        yield word + "s"
    if len(word) > 2:
        yield word + "ing"
        yield word.removesuffix("e") + "ing"
        yield word + word[-1] + "ing"
        if word.endswith(("s", "h", "x")):
            yield word + "es"


def participle(word: str) -> str:
    """The form of an English verb that says what has been done."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    doubled = (
        len(word) < 5
        and word[-1] not in "aeiouwxy"
        and word[-2:-1] in tuple("aeiou")
        and word[-3:-2] not in tuple("aeiou")
    )
    return word + "d" if word.endswith("e") else word + (word[-1] if doubled else "") + "ed"


class Lexicon:
    """Every verb, noun and name of a game, and the ways people write them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._known: defaultdict[tuple[str, ...], dict[tuple[str, str], float]] = defaultdict(dict)
        self._squeezed: defaultdict[str, list[Spelling]] = defaultdict(list)
        #: Words that may be shortened or mistyped, and such as may only be mistyped.
        self._starts: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        self._forms: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        self.kinds: dict[str, str] = {}
        self.verbs = {key(verb): verb for verb in vocabulary.verbs}
        #: Verbs of one word that take something.
        self.taking = vocabulary.verbs.keys() - vocabulary.alone
        for verb, others in vocabulary.verbs.items():
            for phrase in (verb, *others):
                self._add(key(phrase), "verb", verb)
        for verb, nouns in (*vocabulary.nouns.items(), ("", tuple(vocabulary.fillers))):
            for noun in nouns:
                self._add(key(noun), "noun", verb)
        #: Verb -> the roles of the names behind it: `in` for `put a minion in`.
        self.roles = {
            verb: {ROLES[words[-1]] for words in map(key, phrases) if words and words[-1] in ROLES}
            for verb, phrases in vocabulary.verbs.items()
        }
        #: What some order texts say in place of a name -> other words for it.
        self.alike = {
            thing: frozenset((thing, *nouns))
            for thing in vocabulary.things
            for nouns in vocabulary.nouns.values()
            if thing in nouns
        }
        more = {"deed": vocabulary.deeds, "power": vocabulary.powers, "refusal": vocabulary.refusals}
        for sort, about in more.items():
            for value, phrases in about.items():
                for phrase in phrases:
                    self._add(key(phrase), sort, value)
        for kind, names in vocabulary.names.items():
            for name, aliases in names.items():
                self.kinds.setdefault(name, kind)
                for spelling in (name, *aliases):
                    self._add_name(key(spelling), name)
        self._spelled = {
            words: [Spelling(sort, value, cost) for (sort, value), cost in known.items()]
            for words, known in self._known.items()
        }
        #: The length of the longest spelling that begins with a word.
        self._longest: dict[str, int] = {}
        for words in self._spelled:
            self._longest[words[0]] = max(len(words), self._longest.get(words[0], 0))
        self._typed = [text for text in {**self._starts, **self._forms} if len(text) >= SHORTEST_TYPO]
        self._phrases: dict[str, Phrase] = {}
        self._near: dict[str, list[Spelling]] = {}

    def _add(self, words: tuple[str, ...], sort: str, value: str) -> None:
        if not words:
            return
        self._put(words, sort, value, FULL)
        for form in inflected(words[0]):
            self._put((form, *words[1:]), sort, value, FULL)
        if sort == "verb":
            self._put((participle(words[0]), *words[1:]), "past", value, FULL)
        if len(words) == 1:
            for form in (words[0], *inflected(words[0])):
                known = self._starts if form == words[0] and sort == "verb" else self._forms
                known[form][sort, value] = None

    def _add_name(self, words: tuple[str, ...], name: str) -> None:
        self._put(words, "name", name, FULL)
        if not words or words[-1].isdigit():
            return
        self._put((*words[:-1], words[-1] + "s"), "name", name, FULL)  # Red's, the Reds
        self._forms["".join(words) + "s"]["name", name] = None
        self._squeezed["".join(words)].append(Spelling("name", name, FULL))
        self._starts["".join(words)]["name", name] = None
        for start in range(len(words)):
            for end in range(start + 1, len(words) + 1):
                part = words[start:end]
                if end - start > 1 and all(word in TITLES or word in ROLES for word in part):
                    continue  # `and Mr`
                if end == len(words) and part[-1].endswith("s") and len(part[-1]) >= SHORTEST_TYPO:
                    self._put((*part[:-1], part[-1][:-1]), "name", name, RUN if end - start > 1 else PART)
                if end - start > 1:
                    self._put(part, "name", name, RUN)
                elif len(part[0]) >= SHORTEST_PART and part[0] not in ROLES:
                    self._put(part, "name", name, PART)
                    self._starts[part[0]]["name", name] = None

    def _put(self, words: tuple[str, ...], sort: str, value: str, cost: float) -> None:
        known = self._known[words]
        known[sort, value] = min(cost, known.get((sort, value), cost))

    def at(self, texts: Sequence[str], place: int) -> Iterator[tuple[int, Spelling]]:
        """What the words from a place on stand for, with the place where each spelling ends."""
        longest = self._longest.get(texts[place], 0)
        for end in range(place + 1, min(len(texts), place + max(longest, 2)) + 1):
            words = tuple(texts[place:end])
            spelled = self._spelled.get(words) if end - place <= longest else None
            if spelled:
                yield from ((end, spelling) for spelling in spelled)
            elif end - place <= 2:
                yield from ((end, spelling) for spelling in self._squeezed.get("".join(words), ()))

    def near(self, text: str) -> list[Spelling]:
        """What a word that is not known may be short for, or a slip of the pen for."""
        if text not in self._near:
            if len(self._near) > 4096:
                self._near.clear()
            self._near[text] = self._short(text) or self._mistyped(text)
        return self._near[text]

    def _short(self, text: str) -> list[Spelling]:
        longer = {owner: None for word in self._starts if word.startswith(text) for owner in self._starts[word]}
        if len(text) < SHORTEST_PART:  # where it might as well be another of a kind, it says nothing
            kinds = Counter(self.kinds.get(value, sort) for sort, value in longer)
            longer = {owner: None for owner in longer if kinds[self.kinds.get(owner[1], owner[0])] == 1}
        return [Spelling(sort, value, SHORT) for sort, value in longer]

    def _mistyped(self, text: str) -> list[Spelling]:
        allowed = slips(len(text)) if text.isalpha() else 0
        if not allowed:
            return []
        alike = [
            (word, int(distance))
            for word, distance, _ in process.extract(
                text, self._typed, scorer=OSA.distance, score_cutoff=allowed, limit=None
            )
            if distance <= slips(len(word))
        ]
        least = min((distance for _, distance in alike), default=0)
        words = [word for word, distance in alike if distance == least]
        meant = {o: None for word in words for known in (self._starts, self._forms) for o in known.get(word, ())}
        return [Spelling(sort, value, SLIP + least) for sort, value in meant]

    def phrase(self, text: str) -> Phrase:
        """An option's text, taken apart."""
        if text not in self._phrases:
            if len(self._phrases) > 8192:
                self._phrases.clear()
            self._phrases[text] = self._taken_apart(key(text))
        return self._phrases[text]

    def _taken_apart(self, words: tuple[str, ...]) -> Phrase:
        for length in range(len(words), 0, -1):
            if words[:length] in self.verbs:
                return Phrase(self.verbs[words[:length]], tuple(self._mentions(words[length:])))
        for place, word in enumerate(words):
            if (word,) in self.verbs:
                around = (*self._mentions(words[:place]), *self._mentions(words[place + 1 :]))
                return Phrase(self.verbs[word,], around)
        return Phrase("", tuple(self._mentions(words)))

    def _mentions(self, words: tuple[str, ...]) -> Iterator[Mention]:
        role, place = "", 0
        while place < len(words):
            for end in range(len(words), place, -1):
                spellings = self._spelled.get(words[place:end], ())
                named = [value for sort, value, cost in spellings if (sort, cost) == ("name", FULL)]
                if named:
                    yield Mention(named[0], role, self.kinds[named[0]])
                    role, place = "", end
                    break
            else:
                if words[place] in ROLES:
                    role = ROLES[words[place]]
                else:
                    yield Mention(words[place], role, "")
                    role = ""
                place += 1


_LEXICONS: dict[int, tuple[Vocabulary, Lexicon]] = {}


def lexicon(vocabulary: Vocabulary) -> Lexicon:
    """The lexicon of a vocabulary, made once: by its identity, which is kept beside it so that it stays its own."""
    known = _LEXICONS.get(id(vocabulary))
    if known is None or known[0] is not vocabulary:
        if len(_LEXICONS) >= 16:
            _LEXICONS.clear()
        known = _LEXICONS[id(vocabulary)] = (vocabulary, Lexicon(vocabulary))
    return known[1]
