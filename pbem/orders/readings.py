"""The options of a decision against the words of a mail: which words each explains where they stand, at what cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.orders.lattice import ALL, TIMES, Edge, Lattice, union
from pbem.orders.lexicon import SHORT, Mention, Phrase
from pbem.orders.ways import BARE_ROLES, JOINTS, MISSING, NEAR_ROLE, TOWARDS, Way, Ways, covered
from pbem.orders.words import SENTENCE_MARKS, key
from pbem.protocol import Decision, HasDetails, Match, Option

#: What it costs when the verb is not said (again), and when a name is not said that was just before.
NO_VERB, SAME_VERB, REMEMBERED = 1.0, 0.5, 2.0
#: For a name by itself: of a place to which something goes, where an option puts nothing anywhere; that says something
#: else than what is asked.
MISPLACED, SIDE = 1.5, 0.75
#: For a mark or another option's word amid an option's words, and for words left behind.
MARK, COMMA, STRANGER, LEFT_BEHIND = 1.0, 0.25, 1.0, 1.25
#: For saying yes or no and nothing else, for declining a gain that goes by itself, and for what names nothing too early.
BARE, NO_GAIN, TOO_EARLY = 0.25, 0.25, 3.0
#: Options of which only the verb is said, and ways that are looked at in one mail: whatever is typed, a reading takes
#: no longer. An option that is taken apart counts as some ways.
MOST_VERB_ONLY, MOST_LOOKED_AT, WORK = 13, 6000, 2
#: The shortest word that is hardly another one by chance when it is a slip of the pen for a name: `Groan` is no Groat.
SURE_SLIP = 7
#: Roles that a name by itself has only where the option says so.
AWAY = ("from", "instead")
#: What a decision names in its facts of the others whom it is about.
PARTIES = ("to", "from")

YES, NO, END = "yes", "no", "end"
#: The option that ends a sequence in which several things are picked.
DONE = "done"
#: The symbol of a card, as decisions name it in their facts, that does what the card's deeds say.
SCROLL = "scroll"


class Memory(NamedTuple):
    """What the orders before spoke of, for pronouns."""

    #: The last name of each kind.
    names: tuple[tuple[str, str], ...] = ()
    verb: str = ""

    def after(self, phrase: Phrase) -> Memory:
        """What is remembered after an option."""
        names = dict(self.names) | {mention.kind: mention.name for mention in phrase.mentions}
        return Memory(tuple(names.items()), phrase.verb)


class Reading(NamedTuple):
    """An option, and the words that say it."""

    option: Option
    mask: int
    cost: float
    #: Whether a slip was corrected or a gap filled.
    corrected: bool = False
    #: The other options that have all names that are said, where one is left out.
    alike: tuple[str, ...] = ()


class Question(NamedTuple):
    """What a decision says whatever is answered; the decision is kept with it, so that its identity stays its own."""

    decision: Decision
    #: The options that have each name, and under None all; without the one that declines.
    bearers: Mapping[Mention | None, set[str]]
    #: The verbs of its options and of its kind, and those that are of both.
    verbs: frozenset[str]
    own: frozenset[str]
    #: Whose deeds the verbs of its options are.
    owner: str


class Asked(NamedTuple):
    """A question, and the words that may stand beside those of an option, by what they are."""

    question: Question
    used: int
    meant: int
    memory: Memory
    #: Pronouns, the amount that it is about, the symbol that asks.
    beside: int
    #: Where something is declined: the words for what is offered.
    declined: int
    #: Nouns that some options have themselves in place of a name: `protect building` is not `protect Red`.
    things: int
    #: What tells what else may be said of a name.
    details: HasDetails | None

    @property
    def decision(self) -> Decision:
        return self.question.decision


class Explainer:
    """Explains the options of one decision after another by the words of one mail."""

    def __init__(self, lattice: Lattice, clauses: Sequence[int]) -> None:
        self.lattice = lattice
        self.clauses = clauses
        self.ways = Ways(lattice)
        self._looked_at = 0
        self._questions: dict[int, Question] = {}

    def readings(
        self, decision: Decision, used: int, meant: int, memory: Memory, match: Match | None = None
    ) -> list[Reading]:
        """The ways in which unused words say an option of a decision, the cheapest first; `match` tells what may be
        said beside it."""
        asked = self._asked(decision, used, meant, memory, match)
        recalled = frozenset(name for _, name in memory.names)
        readings = [*self._said_no(asked), *self._said_yes(asked)]
        names = frozenset(recalled) | self._named_now(used)
        said: list[Option] = []
        unsaid: list[Option] = []
        for option in decision.options:
            mentions = self.lattice.lexicon.phrase(option.text).mentions
            menu = option.text in self.lattice.menu
            (said if menu or not mentions or any(m.name in names or not m.kind for m in mentions) else unsaid).append(
                option
            )
        readings += self._all_fitted(said, asked, recalled)
        if not any(reading.cost < MISSING and reading.option in said for reading in readings):
            readings += self._all_fitted(unsaid[:MOST_VERB_ONLY], asked, recalled)
        readings.sort(key=lambda reading: reading.cost)
        own = {r.mask: r.option.text for r in readings if self._is_own_text(r)}
        cheapest: dict[tuple[str, int], Reading] = {}
        for reading in readings:
            if own.get(reading.mask, reading.option.text) == reading.option.text:
                cheapest.setdefault((reading.option.text, reading.mask & meant), reading)
        return list(cheapest.values())

    def _named_now(self, used: int) -> frozenset[str]:
        """The names for which there are unused words."""
        lattice = self.lattice
        names = {name for name, edges in lattice.names.items() if any(not edge.mask & used for edge in edges)}
        return frozenset(names | {lattice.me}) if lattice.said["mine"] else frozenset(names)

    def _all_fitted(self, options: Sequence[Option], asked: Asked, recalled: frozenset[str]) -> Iterator[Reading]:
        verb_only = 0
        for option in options:
            if option.text == END or self._looked_at + WORK * self.ways.work > MOST_LOOKED_AT:
                continue
            declines = option is asked.decision.decline or option.text == DONE
            for way in self.ways.of(
                option, "" if declines else asked.question.owner, asked.used, asked.meant, recalled
            ):
                self._looked_at += 1
                nameless = bool(way.missing and not way.places)
                if nameless and (self._said_elsewhere(way, asked.used) or self._shared(option, way, asked.question)):
                    continue
                verb_only += nameless
                if nameless and verb_only > MOST_VERB_ONLY:
                    continue
                reading = self._fitted(option, way, asked, declines)
                if reading:
                    yield reading

    def _said_elsewhere(self, way: Way, used: int) -> bool:
        """Whether a name that is left out stands somewhere else: `I start with ... Next comes Hubert`."""
        edges = (edge for mention in way.missing for edge in self.lattice.names.get(mention.name, ()))
        return any(edge.cost < SHORT and not edge.mask & (used | way.mask) for edge in edges)

    def _shared(self, option: Option, way: Way, question: Question) -> bool:
        """Whether words are a power that several of the options have, or say too little to be one by themselves."""
        powers = self.lattice.powers
        if way.mask.bit_count() < 2 and any(edge.mask & way.mask for edge in powers.get(option.text, ())):
            return True
        own = [edge for edge in powers.get(option.text, ()) if edge.mask & way.mask]
        others = question.bearers[None] - {option.text}
        return any(edge in powers.get(text, ()) for edge in own for text in others)

    def may_say(self, option: Option, left: int) -> bool:
        """Whether any of some words may be part of a way to say an option of no card's."""
        phrase = self.lattice.lexicon.phrase(option.text)
        return bool(self.ways.about(option, phrase, "", frozenset()) & left or self.lattice.union(NO) & left)

    def is_aside(self, decision: Decision, option: Option) -> bool:
        """Whether an option is another thing than what is asked, as the power of an area is where a minion is."""
        own = self._question(decision).own
        return bool(own) and self.lattice.lexicon.phrase(option.text).verb not in own

    def _is_own_text(self, reading: Reading) -> bool:
        """Whether words are an option's own text, so that they are nothing else."""
        return reading.cost < NO_VERB and tuple(self.lattice.words(reading.mask)) == key(reading.option.text)

    def _asked(self, decision: Decision, used: int, meant: int, memory: Memory, match: Match | None) -> Asked:
        lattice, facts, question = self.lattice, decision.facts, self._question(decision)
        beside = lattice.union("mine") | lattice.union("person") | lattice.nouns.get("", 0)
        beside |= covered(
            edge for amount in facts.values() if isinstance(amount, int) for edge in self.ways.literal(f"${amount}")
        )
        beside |= covered(lattice.verbs.get(str(facts.get("symbol", "")), ()))
        beside |= covered(lattice.deeds.get(question.owner, ()))
        things = declined = 0
        negative = lattice.union(NO) | lattice.union(YES)
        if decision.decline is not None:
            negative |= covered(lattice.verbs.get(lattice.lexicon.phrase(decision.decline.text).verb, ()))
        if any(lattice.nouns.values()) or negative:
            things, declined = self._offered(question)
        details = match if isinstance(match, HasDetails) else None
        return Asked(question, used, meant, memory, beside, declined, things, details)

    def _question(self, decision: Decision) -> Question:
        known = self._questions.get(id(decision))
        if known is None:
            lexicon, facts = self.lattice.lexicon, decision.facts
            bearers: defaultdict[Mention | None, set[str]] = defaultdict(set)
            phrases = [lexicon.phrase(option.text) for option in decision.options]
            for option, phrase in zip(decision.options, phrases, strict=True):
                for mention in (None, *phrase.mentions) if option is not decision.decline else ():
                    bearers[mention].add(option.text)
            verbs = frozenset(phrase.verb for phrase in phrases)
            kind = {value for _, (sort, value, _) in lexicon.at((decision.kind,), 0) if sort != "name"}
            owner = str(facts.get("card", "")) if facts.get("symbol", SCROLL) == SCROLL else ""
            known = self._questions[id(decision)] = Question(decision, bearers, verbs | kind, verbs & kind, owner)
        return known

    def _offered(self, question: Question) -> tuple[int, int]:
        """Words that some options have themselves in place of a name, and the words for what is offered."""
        lattice = self.lattice
        named = (mention for mention in question.bearers if mention and not mention.kind)
        things = union(covered(self.ways.literal(mention.name)) for mention in named)
        declined = lattice.union(NO) | lattice.union(YES) | covered(lattice.deeds.get(question.owner, ()))
        for verb in question.verbs:
            declined |= lattice.nouns.get(verb, 0) | covered(lattice.verbs.get(verb, ()))
        return things, declined

    # -- a way where it stands -----------------------------------------------------------------------------------

    def _fitted(self, option: Option, way: Way, asked: Asked, declines: bool) -> Reading | None:
        """A way to say an option, where it stands and with what was said before."""
        if not way.mask & asked.meant or (way.weak and not way.pronouns and not self._in_company(way.mask)):
            return None
        lattice, phrase, cost = self.lattice, self.lattice.lexicon.phrase(option.text), way.cost
        bare = {mention.kind for mention, edge in way.places if mention.role and edge.role in BARE_ROLES}
        left_out = bool(way.places and way.missing)
        for mention in way.missing:
            bearers = asked.question.bearers
            if len(bearers[mention]) == len(bearers[None]):
                cost += NEAR_ROLE - MISSING
            elif mention.kind in bare:
                return None  # what stands first is meant first
            elif way.places and mention.kind == "colour" and (mention.kind, mention.name) in asked.memory.names:
                cost += REMEMBERED - MISSING
                left_out = False
            elif not way.verb and not self._tells(way, asked.question.bearers):
                return None  # a name by itself must say everything
        if (way.missing and self._cut_off(way, asked.used)) or self._tears(way, asked.used):
            return None
        if any(self._is_object(edge, phrase.verb, 0 if way.verb else ~asked.used) for _, edge in way.places):
            return None
        if not way.verb and (way.places or way.pronouns):
            away = asked.memory.verb != phrase.verb
            if any(
                (away and self._away(m, e, len(phrase.mentions) == 1)) or self._only_counts(m, e) for m, e in way.places
            ):
                return None
            cost += SIDE * self.is_aside(asked.decision, option)
            roles = lattice.lexicon.roles.get(phrase.verb) or {"in"}
            cost += MISPLACED * any(e.role in TOWARDS and not m.role and "in" not in roles for m, e in way.places)
            exact = len(phrase.mentions) == 1 and phrase.mentions[0].name.isdigit()
            cost += 0.0 if exact else SAME_VERB if asked.memory.verb == phrase.verb else NO_VERB
        names = covered(edge for m, _ in way.places for edge in lattice.names.get(m.name, ()) if edge.cost)
        beside = lattice.nouns.get(phrase.verb, 0) | covered(lattice.menu.get(option.text, ()))
        beside |= self._details(phrase, asked)
        mask = self._absorbed(way.mask, asked, names, beside | (asked.declined if declines else 0))
        others = any(mention.kind == "colour" and mention.name != lattice.me for mention in way.missing)
        somebody = lattice.my_own & mask or lattice.yours & union(clause for clause in self.clauses if clause & mask)
        if (others and somebody) or (not declines and self._denied(mask)):
            return None
        if declines or not phrase.mentions:
            cost += self._too_early(mask, asked) + NO_GAIN * (declines and asked.decision.auto not in (None, option))
        corrected = bool(way.missing or mask & lattice.slips)
        alike = self._alike(way, asked.question.bearers) - {option.text} if left_out else set()
        return Reading(option, mask, cost + self._spread(mask, asked), corrected, tuple(sorted(alike)))

    def _details(self, phrase: Phrase, asked: Asked) -> int:
        """Words for what is true of what an option names, though its text does not say so: whose it is, what it costs."""
        if not (self.lattice.persons | self.lattice.amounts) & ~asked.used:
            return 0
        facts, kinds = asked.decision.facts, self.lattice.lexicon.kinds
        said = {str(facts[fact]) for fact in PARTIES if facts.get(fact)}
        for mention in phrase.mentions:
            costs = [fact for fact in facts.values() if isinstance(fact, Mapping) and mention.name in fact]
            said.update(f"${cost[mention.name]}" for cost in costs)
            said.update(asked.details.details(mention.name) if asked.details and mention.kind else ())
        own = {mention.kind for mention in phrase.mentions}
        names = [edge for text in said if kinds.get(text) not in own for edge in self.lattice.names.get(text, ())]
        return covered(
            (*names, *(edge for text in said if text[0] in "$0123456789" for edge in self.ways.literal(text)))
        )

    def _tells(self, way: Way, bearers: Mapping[Mention | None, set[str]]) -> bool:
        """Whether the names that are said are those of one option only, or of as many as a word beside them says."""
        several = len(self._alike(way, bearers))
        said = union(clause for clause in self.clauses if clause & way.mask)
        return several < 2 or any(
            TIMES.get(text) == several or text in ALL for text in self.lattice.words(said & ~way.mask)
        )

    def _alike(self, way: Way, bearers: Mapping[Mention | None, set[str]]) -> set[str]:
        """The options that have all the names that are said."""
        return bearers[None].intersection(*(bearers[mention] for mention, _ in way.places))

    def _denied(self, mask: int) -> bool:
        """Whether `no` stands right before the words of an option that declines nothing."""
        lattice = self.lattice
        for place in range((mask & -mask).bit_length() - 2, -1, -1):
            if lattice.union(NO) >> place & 1:
                return True
            if lattice.marks >> place & 1 or lattice.texts[place] in JOINTS or not lattice.light >> place & 1:
                return False
        return False

    def _cut_off(self, way: Way, used: int) -> bool:
        """Whether a name like one that is left out stands right beside the words of an option."""
        wanted = 0
        for mention in way.missing:
            wanted |= self.lattice.kinds[mention.kind] & ~used & ~way.mask
            wanted |= (
                self.lattice.union("place") & ~(way.mask | self.lattice.union("person"))
                if mention.kind != "colour"
                else 0
            )
        for step, place in ((-1, (way.mask & -way.mask).bit_length() - 2), (1, way.mask.bit_length())):
            while wanted and 0 <= place < len(self.lattice.texts):
                if self.lattice.texts[place] in SENTENCE_MARKS | {",", "/", *JOINTS}:
                    break
                if wanted >> place & 1:
                    return True
                place += step
        return False

    def _tears(self, way: Way, used: int) -> bool:
        """Whether a verb is taken out of a clause that has a name for it."""
        clauses = [clause for clause in self.clauses if clause & way.mask]
        if len(clauses) < 2:
            return False
        names = covered(edge for _, edge in way.places)
        others = (self.lattice.named | self.lattice.persons) & ~used & ~way.mask
        return any(not clause & names and clause & others for clause in clauses)

    def _in_company(self, mask: int) -> bool:
        """Whether something besides speaks for a slip of the pen: a sure word or a title in its clause, a second slip
        for the same, another order; or it is all there is, and long enough to be hardly another word by chance."""
        lattice = self.lattice
        sure = lattice.game | lattice.titles
        here = union(clause for clause in self.clauses if clause & mask)
        if len(self.clauses) == 1 and not here & ~(mask | lattice.light):
            return all(len(text) >= SURE_SLIP for text in lattice.words(mask & lattice.slips))
        return bool(here & sure or any(clause & sure for clause in self.clauses)) or mask.bit_count() > 1

    def _is_object(self, name: Edge, verb: str, unused: int) -> bool:
        """Whether right before a name stands another order's own verb, or other words for it that nothing has used:
        `calm Dimwell` is no minion."""
        lattice, place = self.lattice, name.start - 1
        while place >= 0 and not lattice.marks >> place & 1 and lattice.speech["function"] >> place & 1:
            place -= 1
        if place < 0 or union(lattice.nouns.values()) >> place & 1 or name.mask & lattice.persons:
            return False  # `give Bob Groat`
        verbs = {v for v, edges in lattice.verbs.items() for e in edges if e.end == place + 1 and not e.cost}
        taking = verbs & lattice.lexicon.taking
        told = lattice.texts[place] in taking or bool(unused >> place & 1)
        return bool(taking) and told and verb not in {*verbs, lattice.texts[place]}

    def _away(self, mention: Mention, edge: Edge, alone: bool) -> bool:
        """Whether a place is said to be left that an option does not leave."""
        return edge.role in AWAY and not mention.role and not (mention.kind == "colour" and alone)

    def _only_counts(self, mention: Mention, edge: Edge) -> bool:
        """Whether a number stands for what is only numbered by it: by itself it would be one of the menu."""
        return edge.mask & self.lattice.numbers == edge.mask and not (mention.name.isdigit() or edge.role)

    def _said_no(self, asked: Asked) -> Iterator[Reading]:
        """`no`, alone or with what is declined: `no minion`, `not paying`, `discard nothing`."""
        declining = asked.decision.option(DONE) or asked.decision.decline
        if declining is None:
            return
        if declining.text == END:
            mask = self.lattice.bare_no()
            if mask and asked.meant == mask and not asked.used & mask:
                yield Reading(declining, mask, BARE)  # there is nothing else to say it to
            return
        refusals = [edge for verb in asked.question.verbs for edge in self.lattice.refusals.get(verb, ())]
        for edge in (*self.lattice.said[NO], *refusals):
            mask = 0 if edge.mask & asked.used else self._absorbed(edge.mask, asked, 0, asked.declined)
            if mask and not self._goes_on(mask, asked.meant, edge.end):
                cost = BARE + NO_GAIN * (asked.decision.auto not in (None, declining))
                yield Reading(declining, mask, cost + self._too_early(mask, asked) + self._spread(mask, asked))

    def _too_early(self, mask: int, asked: Asked) -> float:
        """What it costs besides when something that names nothing is said before its turn."""
        return TOO_EARLY if asked.meant & ~asked.used & ((mask & -mask) - 1) else 0.0

    def _goes_on(self, mask: int, meant: int, place: int) -> bool:
        """Whether something else follows at once, so that it is that which is not to be: `not 3`."""
        while not self.lattice.marks >> place & 1 and self.lattice.texts[place] not in JOINTS:
            if (meant & ~mask) >> place & 1:
                return True
            place += 1
        return False

    def _said_yes(self, asked: Asked) -> Iterator[Reading]:
        """`yes` to a question with two answers, or the amount that it is about: `here's 5 bucks`."""
        decision = asked.decision
        accepting = self._accepting(decision)
        if accepting is None:
            return
        amounts = [f"${fact}" for fact in decision.facts.values() if isinstance(fact, int)]
        paid = [
            edge for amount in amounts for edge in self.ways.literal(amount) if self.lattice.texts[edge.start] == amount
        ]
        for edge in (*(self.lattice.said[YES] if len(decision.options) == 2 else ()), *paid):
            if not edge.mask & asked.used and not asked.meant & asked.used >> edge.end << edge.end:
                mask = self._absorbed(edge.mask, asked, 0, asked.declined & ~self.lattice.union(NO))
                yield Reading(accepting, mask, BARE + self._spread(mask, asked))

    def _accepting(self, decision: Decision) -> Option | None:
        """The option that is meant by what it is about, its amount: the one besides declining, or that names nothing."""
        offers = [option for option in decision.options if option is not decision.decline]
        if len(offers) > 1:
            offers = [option for option in offers if not self.lattice.lexicon.phrase(option.text).mentions]
        declinable = decision.decline is not None and decision.decline.text != END
        return offers[0] if len(offers) == 1 and (declinable or len(decision.options) > 2) else None

    def _absorbed(self, mask: int, asked: Asked, names: int, beside: int) -> int:
        """The words of an option with the nouns, pronouns, amounts and parts of its names beside them."""
        lattice = self.lattice
        beside = (beside | asked.beside) & ~asked.things
        light = lattice.light | lattice.spelt
        for step, place in ((-1, mask.bit_length() - 2), (1, (mask & -mask).bit_length())):
            crossed = False
            while 0 <= place < len(lattice.texts):
                bit = 1 << place
                if not mask & bit:
                    if asked.used & bit or lattice.texts[place] in SENTENCE_MARKS:
                        break
                    if names & bit or (beside & bit and not crossed):
                        mask |= bit
                    elif lattice.texts[place] in (",", "/", *JOINTS):
                        crossed = True
                    elif not (light | lattice.marks) & bit:
                        break
                place += step
        return mask

    def _spread(self, mask: int, asked: Asked) -> float:
        """What it costs that words stand apart, or behind others that are still unused."""
        low, high = (mask & -mask).bit_length() - 1, mask.bit_length()
        between = ((1 << high) - 1) & ~((1 << low) - 1) & ~mask
        cost = 0.0
        if between:
            strangers = between & asked.meant
            cost += STRANGER * ((strangers & ~asked.used).bit_count() + (strangers & asked.used).bit_count() / 2)
            for place in range(low, high):
                if between & self.lattice.marks & 1 << place:
                    cost += MARK if self.lattice.texts[place] in SENTENCE_MARKS else COMMA
        if asked.meant & ~asked.used & ((1 << low) - 1):
            cost += LEFT_BEHIND
        return cost
