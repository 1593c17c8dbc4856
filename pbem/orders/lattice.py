"""A mail's words with all that each may stand for: names, verbs, nouns, numbers of the menu, pronouns, everyday speech.

Sets of words are bit masks: bit `n` is the word at place `n`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import NamedTuple

from rapidfuzz.distance import OSA

from pbem.orders.lexicon import PART, ROLES, SHORT, SLIP, Lexicon, slips
from pbem.orders.speech import answers, everyday, is_light_slip
from pbem.orders.words import MARKS, TITLES, Token, key, shown, tokens

#: Words that are looked at; what lies behind is in doubt.
MOST_TOKENS = 400
#: How far before a name its role may stand, with nouns and pronouns between: `in my old area The Shades`.
ROLE_REACH = 4

PERSONS = frozenset(["him", "her", "them", "he", "she", "they", "one", "hers", "theirs", "it", "guy"])
#: Words before what has been done to something.
PASSIVE = frozenset(["is", "are", "gets"])
YOUR = frozenset(["your", "yours"])
MINE = frozenset(["my", "mine", "me", "myself", "i", "own"])
PLACES = (
    ("there",),
    ("here",),
    ("same", "place"),
    ("same", "area"),
    ("that", "area"),
    ("that", "place"),
    ("same", "spot"),
)
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": 0}
#: Words for all that there is, and behind which stands what is kept back: `everything but Modo`.
ALL = frozenset(
    (
        "all",
        "everything",
        "everyone",
        "everybody",
        "every",
        "rest",
        "lot",
        "others",
        "remaining",
        "alle",
        "alles",
        "tout",
        "tous",
        "todo",
        "todos",
        "tutto",
        "tutti",
    )
)
EXCEPT = frozenset(
    ("except", "but", "apart", "besides", "save", "excluding", "ausser", "sauf", "salvo", "menos", "tranne")
)
#: Words that say of what is picked that it is all.
ONLY = frozenset(("only", "just", "nur", "seulement", "solo", "solamente", "alleen"))
#: Words that say of an order how often it is given: `both to the Shades`.
TIMES = {
    "both": 2,
    "2": 2,
    "twice": 2,
    "pair": 2,
    "couple": 2,
    "3": 3,
    "beide": 2,
    "beiden": 2,
    "ambos": 2,
    "entrambi": 2,
}
COUNTED = frozenset(("1", "option", "choice", "number", "entry"))
#: Words of order texts that decline: they are orders, and never said to what somebody else says.
DECLINING = frozenset(("pass", "skip", "decline"))
#: Words before a number that count what is played.
COUNTING = frozenset(("turn", "round"))
#: Words before a number that make it one of the menu.
NUMBERED = frozenset(("option", "choice", "number", "nr", "no", "entry", "menu"))


def union(masks: Iterable[int]) -> int:
    """All words of some sets."""
    return reduce(or_, masks, 0)


class Edge(NamedTuple):
    """Some words that may stand for something."""

    mask: int
    start: int
    end: int
    cost: float
    #: What a small word before it says: `in`, `from`, `to`, `with`, `instead`, or nothing.
    role: str = ""


class Lattice:
    """The words of a mail and what they may stand for."""

    def __init__(
        self,
        lines: Sequence[str],
        lexicon: Lexicon,
        *,
        menu: Sequence[str] = (),
        me: str = "",
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.lexicon = lexicon
        self.lines = lines
        self.tokens: list[Token] = tokens(lines)[:MOST_TOKENS]
        self.texts = [token.text for token in self.tokens]
        self.me = me
        self.names: defaultdict[str, list[Edge]] = defaultdict(list)
        self.verbs: defaultdict[str, list[Edge]] = defaultdict(list)
        self.deeds: defaultdict[str, list[Edge]] = defaultdict(list)
        self.powers: defaultdict[str, list[Edge]] = defaultdict(list)
        self.refusals: defaultdict[str, list[Edge]] = defaultdict(list)
        self.menu: defaultdict[str, list[Edge]] = defaultdict(list)
        #: For `yes`, `no`, `end`, and for pronouns by what they stand in for: `person`, `place`, `mine`.
        self.said: defaultdict[str, list[Edge]] = defaultdict(list)
        #: Verb -> the words that are nouns for what it takes.
        self.nouns: defaultdict[str, int] = defaultdict(int)
        #: Words for whoever is spoken to, where nobody is named.
        self.yours = 0
        #: Words that are part of something that the game knows, of a name of anything but a seat, of a seat's name.
        self.game = self.named = self.persons = self.weak = 0
        #: Words that are looked at as slips of the pen.
        self.slips = 0
        #: Words that may be a verb that was mistyped.
        self.mistyped = 0
        #: Words that may be part of a name, whatever else they are.
        self.named_too = 0
        #: Words of everyday speech that speak of orders where they stand: `that's it`, `the last one`.
        self.firm = 0
        #: Kind of name -> the words that are part of one for certain.
        self.kinds: defaultdict[str, int] = defaultdict(int)
        #: Kind of everyday speech -> its words.
        self.speech: defaultdict[str, int] = defaultdict(int)
        self._unions: dict[str, int] = {}
        self._spoken = self._listen()
        self._answers()
        self._look_up({word + s for name in names or () for word in key(name) for s in ("", "s")})
        self._ends()
        self._people(names or {})
        self._pronouns()
        self._called()
        self._numbers(menu)
        #: Words that say nothing to a game by themselves.
        self.speech["social"] |= self.speech["closing"]
        self.titles = sum(1 << place for place, text in enumerate(self.texts) if text in TITLES)
        self.light = self.speech["please"] | self.speech["social"] | self.speech["function"] | self.titles
        #: Words of everyday speech of any kind.
        self.heard = union(self.speech.values())
        self.spelt = sum(1 << place for place, token in enumerate(self.tokens) if token.spelt)
        self.numbers = sum(1 << place for place, token in enumerate(self.tokens) if token.is_number)
        self.amounts = self.numbers | sum(1 << place for place, token in enumerate(self.tokens) if token.is_money)
        self.marks = sum(1 << place for place, token in enumerate(self.tokens) if token.is_mark)
        pieces = union(self.nouns.values())
        #: Words with an `of` behind, which are no verbs then: `end of the week`.
        self.matters = self._matters()
        oneself = sum(1 << place for place, text in enumerate(self.texts) if text in ("me", "myself"))
        self.initials = sum(1 << place for place, text in enumerate(self.texts) if len(text) == 1 and text.isalpha())
        #: Words for all that there is.
        self.all = sum(1 << place for place, text in enumerate(self.texts) if text in ALL) & ~self._spoken
        #: Words of `my guy`, `my own minion`, `me`.
        self.my_own = oneself | self.union("mine") & (pieces >> 1 | (self.union("mine") & pieces >> 1) >> 1)

    def _matters(self) -> int:
        known = [edge.mask for edges in (*self.verbs.values(), *self.said.values()) for edge in edges]
        together = union(mask for mask in known if mask & mask - 1)  # `end of turn`
        mask = 0
        for place, (token, following) in enumerate(pairwise(self.tokens)):
            between = shown(self.lines[token.line])[token.end : following.start]
            mask |= (1 << place) * (token.line == following.line and "of" in between.casefold().split())
        return mask & ~together

    # -- everyday speech ---------------------------------------------------------------------------------------

    def _listen(self) -> int:
        """Take note of everyday speech; the words of phrases of several words mean nothing else."""
        place = phrases = 0
        while place < len(self.texts):
            token = self.tokens[place]
            figure = token.is_number and not token.spelt  # `1` is not the `one` of a sentence
            spoken = None if figure else everyday().at(self.texts, place)
            length = spoken.length if spoken else 1
            if length > 1 and self._overlaps(place, place + length):
                spoken, length = everyday().at(self.texts[: place + 1], place), 1
            if spoken and not self._is_order(place, place + length):
                mask = ((1 << length) - 1) << place
                self.speech[spoken.kind] |= mask
                if length > 1:
                    phrases |= mask
            place += length
        return phrases

    def _overlaps(self, start: int, end: int) -> bool:
        """Whether something that the game knows begins within a phrase and ends behind it: `let's go with Hex`."""
        return any(
            behind > end
            for place in range(start, end)
            for behind, (sort, _, _) in self.lexicon.at(self.texts, place)
            if sort != "name"
        )

    def _is_order(self, start: int, end: int) -> bool:
        """Whether a phrase is a verb and a name in full, as `play fair` is where a card is called Fair."""
        return any(
            sort == "verb" and behind == end and named == "name" and cost == 0
            for middle, (sort, _, _) in self.lexicon.at(self.texts, start)
            if middle < end
            for behind, (named, _, cost) in self.lexicon.at(self.texts, middle)
        )

    # -- what the game knows -----------------------------------------------------------------------------------

    def _look_up(self, called: Container[str]) -> None:
        """Everything that words may stand for; no player is called by a slip of the pen."""
        heard = sum(self.speech.values()) | union(edge.mask for edges in self.said.values() for edge in edges)
        ends: dict[str, int] = {}
        for place, token in enumerate(self.tokens):
            if token.is_mark:
                continue
            known, role = False, self._role(place)
            spelled = list(self.lexicon.at(self.texts, place))
            names = {value: end for end, (sort, value, _) in spelled if sort == "name"}  # the longest comes last
            for end, (sort, value, cost) in spelled:
                if sort == "name" and (end < names[value] or end <= ends.get(value, 0)):
                    known = True
                    continue  # a part of what is said in full
                alone = token.spelt and token.text == "1" and end - place == 1
                if sort == "name" and alone and self.texts[max(place - 1, 0)] not in ("area", *NUMBERED):
                    continue  # `one to Longwall` says how many
                if sort == "past":
                    passive = self.texts[max(place - 1, 0)] in PASSIVE
                    before = 1 << place >> 1 + passive
                    noun = union(self.nouns.values()) & before
                    if not (passive or (noun | self.named) & before):
                        continue  # `I placed one`, but `a minion placed in`
                    self.speech["said"] &= ~(1 << place)
                    self.speech["function"] |= 1 << place
                    if noun and not self.nouns[value] & before:
                        continue
                    sort = "verb"
                end += sort == "name" and self._abbreviates(value, place, end)
                mask = ((1 << end - place) - 1) << place
                if mask & self._spoken and (end - place == 1 or sort == "noun"):
                    continue
                known = True
                self.named_too |= mask if sort == "name" else 0
                ordinary = self.speech["social"] if cost == 0 and sort == "name" else heard
                everyday_word = (
                    end - place == 1 and sort in ("name", "deed", "power", "refusal") and ordinary >> place & 1
                )
                counting = everyday_word or (token.spelt and end - place == 1)  # `one of the greens`
                self._add(sort, value, Edge(mask, place, end, cost, role), sure=not counting)
                ends |= {value: end} if sort == "name" else {}
                if sort == "name" and end - place > 1:
                    self.firm |= mask  # `here and now`
            known |= token.spelt or token.text in TITLES or token.text in called
            if known or heard >> place & 1 or not token.text.isalpha():
                continue
            near = self.lexicon.near(token.text)
            if not near and is_light_slip(token.text):
                self.speech["function"] |= 1 << place
            for sort, value, cost in near:
                self.weak |= 1 << place
                self.mistyped |= (1 << place) * (sort == "verb")
                self.slips |= (1 << place) * (cost >= SLIP)
                self._add(sort, value, Edge(1 << place, place, place + 1, cost, role))

    def _ends(self) -> None:
        """A game's own words for the end."""
        for edge in self.verbs.get("end", ()):
            if edge.cost < SHORT:
                self.said["end"].append(edge)
                self.game |= edge.mask
                self.firm |= edge.mask

    def _abbreviates(self, name: str, place: int, end: int) -> bool:
        """Whether the next word of a name follows as its first letter: `Queen M`."""
        words, said = key(name), tuple(self.texts[place:end])
        following = self.texts[end] if end < len(self.texts) else ""
        if len(following) != 1:
            return False
        starts = (n + len(said) for n in range(len(words)) if words[n : n + len(said)] == said)
        return any(n < len(words) and words[n][0] == following for n in starts)

    def _add(self, sort: str, value: str, edge: Edge, sure: bool = False) -> None:
        known = edge.mask if sure else 0
        if sort == "noun":
            self.nouns[value] |= edge.mask
        elif sort == "verb":
            self.verbs[value].append(edge)
        elif sort in ("deed", "power", "refusal"):
            {"deed": self.deeds, "power": self.powers, "refusal": self.refusals}[sort][value].append(edge)
        else:
            self.names[value].append(edge)
            self.kinds[self.lexicon.kinds[value]] |= known
            if self.lexicon.kinds.get(value) == "colour":
                self.persons |= known
            else:
                self.named |= known
        self.game |= known

    def _role(self, place: int) -> str:
        """What the small word before a name says."""
        for before in range(place - 1, max(-1, place - 1 - ROLE_REACH), -1):
            text = self.texts[before]
            if text in ROLES:
                return ROLES[text]
            if self.tokens[before].is_mark or not self._is_light(before):
                return ""
        return ""

    def _is_light(self, place: int) -> bool:
        bit = 1 << place
        return bool(self.speech["function"] & bit) or any(mask & bit for mask in self.nouns.values())

    # -- what the mail brings ----------------------------------------------------------------------------------

    def _people(self, names: Mapping[str, str]) -> None:
        """Players' names wherever a colour is; one's own is a signature. Whoever is called like a colour is not meant by it."""
        colours = {key(colour) for colour in names.values()}
        for name, colour in names.items():
            words = key(name)
            for spelling in {words, words[:1]} - {()} - colours:
                for form in (spelling, (*spelling[:-1], spelling[-1] + "s")):
                    for place in range(len(self.texts) - len(form) + 1):
                        if tuple(self.texts[place : place + len(form)]) == form:
                            self._person(colour, place, len(form))
            for place in range(len(self.texts) if len(words) == 1 else 0):
                if self._is_slip(place, words[0]):
                    self.weak |= 1 << place
                    self.slips |= 1 << place
                    self.names[colour].append(Edge(1 << place, place, place + 1, SLIP, self._role(place)))

    def _is_slip(self, place: int, name: str) -> bool:
        """Whether a word that nothing explains is a player's name with a slip of the pen."""
        text, known = self.texts[place], self.game | self.weak | union(self.speech.values())
        return text.isalpha() and not known >> place & 1 and OSA.distance(text, name) <= slips(len(text))

    def _person(self, colour: str, place: int, length: int) -> None:
        mask = ((1 << length) - 1) << place
        for kind in self.speech:
            self.speech[kind] &= ~mask  # Dan is no Dutch `then`
        if colour == self.me:
            self.speech["social"] |= mask
        self.kinds[self.lexicon.kinds[colour]] |= mask
        self.persons |= mask
        self.game |= mask
        self.named &= ~mask
        self.weak &= ~mask
        self.names[colour].append(Edge(mask, place, place + length, 0.0, self._role(place)))

    def _called(self) -> None:
        """`your` is the one's who is called by name before it, or who alone is named in the mail."""
        others = [(e, colour) for colour, edges in self.names.items() for e in edges if e.mask & self.persons]
        others = sorted((e, colour) for e, colour in others if colour != self.me and e.cost < SHORT)
        for place, text in enumerate(self.texts):
            if text in YOUR:
                line = self.tokens[place].line
                before = [colour for e, colour in others if e.end <= place and self.tokens[e.start].line == line]
                alone = {colour for _, colour in others}
                called = before[-1:] or (list(alone) if len(alone) == 1 else [])
                self.yours |= (1 << place) * (not called)
                for colour in called:
                    self.names[colour].append(Edge(1 << place, place, place + 1, PART, self._role(place)))

    def _answers(self) -> None:
        for kind in ("yes", "no", "end"):
            for place in range(len(self.texts)):
                spoken = answers(kind).at(self.texts, place)
                if spoken:
                    mask = ((1 << spoken.length) - 1) << place
                    if spoken.length == 1 and mask & self._spoken:
                        continue
                    if kind == "yes" and tuple(self.texts[place : place + spoken.length]) in self.lexicon.verbs:
                        continue  # an option is called so
                    self.said[kind].append(Edge(mask, place, place + spoken.length, 0.0))
        for edge in (*self.said["no"], *self.said["end"]):
            self.game |= edge.mask
            self.firm |= edge.mask

    def _pronouns(self) -> None:
        for place, text in enumerate(self.texts):
            bit = 1 << place
            if text in PERSONS:
                self.said["person"].append(Edge(bit, place, place + 1, 1.0, self._role(place)))
            if text == "it":
                self.said["place"].append(Edge(bit, place, place + 1, 1.5, self._role(place)))
            if text in MINE:
                self.said["mine"].append(Edge(bit, place, place + 1, 0.0))
            for words in PLACES:
                if tuple(self.texts[place : place + len(words)]) == words:
                    mask = ((1 << len(words)) - 1) << place
                    self.said["place"].append(Edge(mask, place, place + len(words), 1.0, self._role(place)))

    def _numbers(self, menu: Sequence[str]) -> None:
        """Numbers of the newest ask's menu, as figures or in words: `3`, `option 3`, `third one`, `the last one`."""
        begun = {edge.start for edges in self.verbs.values() for edge in edges}
        ended: defaultdict[int, set[str]] = defaultdict(set)
        for verb, edges in self.verbs.items():
            for edge in edges:
                ended[edge.end - 1].add(verb)
        for place, token in enumerate(self.tokens):
            start, end, number = place, place + 1, -1
            following = self.texts[end] if end < len(self.texts) else "\n"
            before = self.texts[place - 1] if place else "\n"
            counts = following.endswith("s") and any(mask >> end & 1 for mask in self.nouns.values())  # `3 cards`
            counts |= any(self.speech[kind] >> end & 1 for kind in ("time", "topics"))  # `two weeks`
            if token.is_number and not (menu or counts) and before == "\n" and end in begun:
                self.speech["function"] |= 1 << place  # `1 play Groat` numbers a list
                self.firm &= ~(1 << place)
                self.named &= ~(1 << place)
            if token.is_number and before in COUNTING:
                self.speech["function"] |= 1 << place  # `Turn 5: play Groat`
                self.named &= ~(1 << place)
                self.game &= ~(1 << place)
                continue
            if token.is_money:
                self.game |= 1 << place
                self.named |= 1 << place
            if token.is_number:
                number = int(token.text) if len(token.text) < 4 else 0
                start -= before in NUMBERED
            elif token.text in ORDINALS and following in COUNTED:
                number, end = ORDINALS[token.text] or len(menu), end + 1
            elif token.text in ORDINALS and before == following == "\n":
                number = ORDINALS[token.text] or len(menu)  # `the third`
            if not 0 < number <= len(menu) or (counts and start == place):
                continue
            glued = (
                place and start == place and not (self._is_light(place - 1) or before in MARKS or place - 1 in ended)
            )
            if (start == place and glued) or (token.spelt and end == place + 1 and following in PERSONS):
                continue  # `Groat 2`, `two of them`
            if (
                place - 1 in ended
                and start == place
                and self.lexicon.phrase(menu[number - 1]).verb not in ended[place - 1]
            ):
                continue  # `draw four`
            mask = ((1 << end - start) - 1) << start
            self.menu[menu[number - 1]].append(Edge(mask, start, end, 0.0))
            if not token.spelt or start < place:
                self.game |= mask
                self.named |= mask
                self.firm |= mask

    def union(self, kind: str) -> int:
        """All words of `yes`, `no`, `end` or of pronouns of a kind."""
        mask = self._unions.get(kind)
        if mask is None:
            mask = self._unions[kind] = union(edge.mask for edge in self.said[kind])
        return mask

    def bare_no(self) -> int:
        """The words of `no` that may be said to anybody."""
        declining = sum(1 << place for place, text in enumerate(self.texts) if text in DECLINING)
        return self.union("no") & ~declining

    def explainable(self) -> int:
        """The words for which there is something that they may stand for."""
        mask = self.game | self.weak | self.named_too
        mask |= sum(1 << place for place, text in enumerate(self.texts) if text in TIMES or text in ALL)
        for kind in list(self.said):
            mask |= self.union(kind)
        return mask

    def words(self, mask: int) -> list[str]:
        """Words as they are compared."""
        return [token.text for place, token in enumerate(self.tokens) if mask >> place & 1]

    def written(self, parts: Sequence[int]) -> list[str]:
        """Sets of words as they were written: a line that belongs to one of them alone is given whole."""
        owners: dict[int, int] = {}
        for number, mask in enumerate(parts):
            for place in range(mask.bit_length()):
                if mask >> place & 1:
                    owners.setdefault(place, number)
        runs: list[list[str]] = [[] for _ in parts]
        for line, text in enumerate(self.lines):
            places = [place for place, token in enumerate(self.tokens) if token.line == line and not token.is_mark]
            here = {owners[place] for place in places if place in owners}
            if len(here) == 1:
                runs[here.pop()].append(text.strip())
                continue
            first: int | None = None
            for place in places:
                first = place if first is None else first
                owner = owners.get(place)
                if owner is None:
                    continue
                following = next((owners[n] for n in places if n > place and n in owners), None)
                if following != owner:
                    runs[owner].append(shown(text)[self.tokens[first].start : self.tokens[place].end])
                    first = None
        return [" ".join(run) for run in runs]
