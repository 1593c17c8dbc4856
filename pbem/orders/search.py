"""The sequences of legal options that explain the words of a mail, up to the first reveal.

Looking ahead stops at a reveal: nothing that is found depends on what lies behind one.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple, TypeAlias

from pbem.orders.lattice import ALL, ONLY, TIMES, Lattice
from pbem.orders.lexicon import Mention, Phrase
from pbem.orders.readings import DONE, END, NO, Explainer, Memory, Reading
from pbem.orders.ways import covered
from pbem.protocol import Decision, HasForesight, Match, Option, Seat, decision_of

#: What it costs to let something go by itself, and when that reveals something, besides.
BY_ITSELF, BY_ITSELF_REVEALING = 0.5, 2.0
#: What it costs to leave words for behind a reveal.
LEFT_FOR_LATER = 0.5
#: What it costs to refuse what was not offered.
FORCED_NO = 0.75
#: What it costs to give up a gain, where the same words may be about what could not be done before it.
GAIN_GIVEN_UP = 1.5
#: What it costs to take an amount for no order.
GLOSS = 1.0
#: What `end` costs where the same words may end less than a turn.
THE_END = 1.0
#: Readings whose costs differ by less are both possible.
CLOSE = 0.5
#: How many words more a node has to explain, to be looked at before a cheaper one.
DEPTH = 3.0
#: How often an order is given that is meant for all, and more than any number says.
MOST_TIMES, MANY = 20, 5
#: Nodes that are looked at, readings of each, and options that are asked about.
MOST_NODES, MOST_READINGS, MOST_ASKED = 100, 8, 12
#: Words behind which an order may begin.
BREAKS = ("and", "then", "with", "plus", "followed")
#: What is asked once more of a card that was played.
AGAIN = "again"
#: The verb of options with which anything may be turned up.
PLAY = "play "

#: The options chosen so far, each with whether it went by itself.
Path: TypeAlias = tuple[tuple[str, bool], ...]


class Again(NamedTuple):
    """An order that is given as often as words say."""

    #: The words that say it, and how often is left.
    mask: int
    left: int
    #: What all its options have: their verb, and the names that are said.
    verb: str
    named: frozenset[Mention] = frozenset()
    #: Whether nothing more of the kind is to be.
    only: bool = False


class Choice(NamedTuple):
    """One option of a sequence, and the words that say it."""

    text: str
    mask: int = 0
    corrected: bool = False
    #: Whether it goes by itself.
    automatic: bool = False
    #: Whether the rules left no choice in it, so that it was taken already.
    forced: bool = False
    #: The kind of the decision, where it gives up what is offered.
    refuses: str = ""
    #: Whether it would have gone by itself.
    expected: bool = False
    #: Options that the same words say as well.
    rivals: tuple[str, ...] = ()
    #: How often it is to be given once more.
    again: Again | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sequence leads to."""

    match: Match
    #: What the seat is asked there; None where nobody can know, or nothing is asked of it.
    decision: Decision | None
    #: Decisions that the rules left no choice in on the way.
    virtual: tuple[Decision, ...] = ()
    #: Whether the turn is over, as far as anybody could foresee.
    over: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """A sequence of options, and the words that it explains."""

    used: int
    cost: float
    memory: Memory
    choices: tuple[Choice, ...] = ()
    path: Path = ()
    #: How many of the decisions without a choice are behind it.
    behind: int = 0
    #: The kind of the decision before, which may be asked again until `done`.
    picking: str = ""
    #: Whether the turn is to end.
    ending: bool = False
    #: How often the last order is given once more.
    again: Again | None = None

    @property
    def meaning(self) -> tuple[tuple[str, str], ...]:
        """What is chosen in words, and of a refusal what it refuses."""
        return tuple((c.text, c.refuses) for c in self.choices if not (c.forced or c.automatic or c.expected))

    @property
    def done(self) -> list[str]:
        """What is chosen, apart from what is refused or goes by itself."""
        return [c.text for c in self.choices if not (c.automatic or c.forced or c.refuses)]

    @property
    def texts(self) -> tuple[str, ...]:
        """The options that have to be chosen."""
        return tuple(choice.text for choice in self.choices if not choice.forced)


@dataclass(frozen=True, slots=True)
class Sought:
    """What a search came to."""

    #: The cheapest node whose sequence explains all words, or all but those for behind a reveal; None when none does.
    best: Node | None
    #: Other sequences that explain them as well.
    rivals: tuple[Node, ...] = ()
    #: The node that explains most, and what is asked there.
    furthest: Node | None = None
    asked: Decision | None = None


class Search:
    """Searches the sequences of one seat's options that words may say."""

    def __init__(
        self,
        lattice: Lattice,
        explainer: Explainer,
        seat: Seat,
        match: Match,
        meant: int,
        clauses: Sequence[int],
        kept: int = 0,
    ) -> None:
        self.lattice = lattice
        self.explainer = explainer
        self.seat = seat
        self.start = match
        self.meant = meant
        self.clauses = clauses
        #: Words that say how often, with how often that is, and words that say that it is all.
        self.often = {
            1 << place: TIMES.get(text, MOST_TIMES)
            for place, text in enumerate(lattice.texts)
            if text in TIMES or text in ALL
        }
        self.only = sum(1 << place for place, text in enumerate(lattice.texts) if text in ONLY)
        #: Words for what is not to be.
        self.kept = kept
        self._heap: list[tuple[float, int, Node]] = []
        self._number = count()
        self._seen: dict[tuple[Path, int, int, bool, Again | None], float] = {}
        self._places: dict[Path, Place] = {}
        self._complete: list[Node] = []
        self._cheapest = float("inf")
        self._leaving: list[Node] = []
        self._furthest: Node | None = None
        self._at_start = 0

    def run(self, root: Node, virtual: Sequence[Decision] = ()) -> Sought:
        """The best sequences behind a node."""
        self._places[()] = Place(self.start, decision_of(self.start, self.seat), tuple(virtual))
        self._at_start = root.used
        self._push(root)
        for _ in range(MOST_NODES):
            if not self._heap:
                break
            node = heapq.heappop(self._heap)[2]
            if node.cost < self._cheapest + CLOSE:
                self._look_at(node)
        return self._ranked()

    def _ranked(self) -> Sought:
        ranked = sorted((*self._complete, *self._leaving), key=lambda node: (node.cost, -node.used.bit_count()))
        furthest = self._furthest
        asked = self._place(furthest).decision if furthest else None
        if not ranked:
            return Sought(None, (), furthest, asked)
        near = [node for node in ranked if node.cost < ranked[0].cost + CLOSE]
        close = [node for node in near if not any(self._goes_further(other, node) for other in near)]
        ranked = close
        at_head = not self._at_start & self.meant and ranked[0].choices and ranked[0].choices[0].refuses
        if at_head or all(node.meaning == ranked[0].meaning for node in close):
            # a refusal at the head of a mail is about what was asked
            return Sought(ranked[0], (), furthest, asked)
        best = min(close, key=lambda node: (node.done != ranked[0].done, self._unfinished(node), node.cost))
        rivals = [
            node
            for node in close
            if node.meaning != best.meaning
            and (node.done != best.done or self._unfinished(node) <= self._unfinished(best))
        ]
        return Sought(best, tuple(rivals), furthest, asked)

    def _goes_further(self, node: Node, other: Node) -> bool:
        """Whether a sequence does at once what another one leaves for behind a reveal."""
        more = node.used & self.meant & ~other.used and not other.used & self.meant & ~node.used
        return bool(more) and len(node.done) > len(other.done) and node.done[: len(other.done)] == other.done

    def _unfinished(self, node: Node) -> bool:
        """Whether the seat would still be asked something: who refuses something means the turn to be complete."""
        place = self._place(node)
        while place.decision and place.decision.auto:
            place = self._after(place, place.decision.auto.text, True)
        return place.decision is not None and not node.ending

    def _push(self, node: Node) -> None:
        key = (node.path, node.used & self.meant, node.behind, node.ending, node.again)
        if self._seen.get(key, float("inf")) <= node.cost:
            return
        self._seen[key] = node.cost
        left = self.meant & ~node.used
        if left or node.again:
            heapq.heappush(self._heap, (DEPTH * node.cost + left.bit_count(), next(self._number), node))
        else:
            self._complete.append(node)
            self._cheapest = min(self._cheapest, node.cost)

    # -- where a sequence leads to ---------------------------------------------------------------------------------

    def _place(self, node: Node) -> Place:
        """Where a node is; the matches on the way are kept."""
        place = self._places.get(node.path)
        if place is None:
            before = self._place(replace(node, path=node.path[:-1]))
            place = self._places[node.path] = self._after(before, *node.path[-1])
        return place

    def _after(self, before: Place, text: str, automatic: bool) -> Place:
        match = before.match.fork()
        match.choose(self.seat, Option(text))
        if match.reveals != self.start.reveals:
            return Place(match, None, over=isinstance(match, HasForesight) and match.foreseeable_end)
        decision = decision_of(match, self.seat)
        if match.turn != self.start.turn or not match.pending:
            return Place(match, None, over=True)
        virtual = [forced for forced in match.forced if forced.seat == self.seat]
        if decision is None or decision.window:
            return Place(match, None, tuple(virtual))
        if automatic:
            virtual += before.virtual
        elif text.startswith(PLAY):
            again = Option(text)  # the card may be named once more
            virtual.append(Decision(self.seat, AGAIN, (again,), again))
        return Place(match, decision, tuple(virtual))

    # -- going on ----------------------------------------------------------------------------------------------------

    def _look_at(self, node: Node) -> None:
        place = self._place(node)
        if node.choices and node.choices[-1].automatic and not place.decision:
            node = replace(node, cost=node.cost + BY_ITSELF_REVEALING)
        if self._furthest is None or self._reach(node) > self._reach(self._furthest):
            self._furthest = node
        self._say_the_end(node, place)
        self._say_amounts(node)
        self._say_counts(node)
        self._say_what_was_forced(node, place)
        decision = place.decision
        self._give_again(node, decision)
        if decision is None:
            self._leave(node, place)
            return
        owed = node.again is not None and 0 < node.again.left <= MANY
        readings = [] if owed else self._readings(node, decision, place)
        readings = [reading for reading in readings if not self._overtakes(node, decision, reading)]
        for reading, rivals in self._distinct(readings):
            declines = decision.decline is not None and reading.option.text == decision.decline.text
            refuses = decision.kind if declines else ""
            expected = decision.auto is not None and reading.option.text == decision.auto.text
            choice = Choice(
                reading.option.text, reading.mask, reading.corrected, refuses=refuses, expected=expected, rivals=rivals
            )
            given_up = declines and decision.auto is not None and self._says_forced(node, place, reading)
            cost = reading.cost + GAIN_GIVEN_UP * given_up
            again = self._again(choice)
            self._take(node, decision, choice, cost, again if again.only and not rivals else None)
            self._give_several(node, decision, again, cost)
        if decision.option(DONE) or decision.facts.get("left"):
            phrases = map(self.lattice.lexicon.phrase, (option.text for option in decision.options))
            verb = next((phrase.verb for phrase in phrases if phrase.mentions and not self._is_kept(phrase)), "")
            self._give_several(node, decision, Again(0, 0, verb), 0)
        option = decision.auto
        picking = node.picking == decision.kind and not node.again
        if option is None and picking and decision.decline and decision.decline.text == DONE:
            option = decision.decline
        if option is not None:
            self._take(node, decision, Choice(option.text, automatic=True), BY_ITSELF)

    def _readings(self, node: Node, decision: Decision, place: Place) -> list[Reading]:
        return self.explainer.readings(decision, node.used, self.meant, node.memory, place.match)

    def _overtakes(self, node: Node, decision: Decision, reading: Reading) -> bool:
        """Whether a reading begins something new, though what was written behind it is done already."""
        of_the_turn = reading.option.text.startswith(PLAY) or decision.option(END) is not None
        begins = of_the_turn or self.explainer.is_aside(decision, reading.option)
        start = reading.mask & -reading.mask
        return begins and any(choice.mask & -choice.mask > start for choice in node.choices)

    def _reach(self, node: Node) -> float:
        """How much a node explains, less what that costs."""
        return (node.used & self.meant).bit_count() - node.cost / 2

    def _distinct(self, readings: Sequence[Reading]) -> list[tuple[Reading, tuple[str, ...]]]:
        """The cheapest readings; those in which the same words say several options are one, with its rivals."""
        by_mask: dict[int, list[Reading]] = {}
        for reading in readings:
            by_mask.setdefault(reading.mask, []).append(reading)
        distinct: list[tuple[Reading, tuple[str, ...]]] = []
        for alike in by_mask.values():
            close: dict[str, Reading] = {}
            for reading in alike:
                if reading.cost < alike[0].cost + CLOSE:
                    close.setdefault(reading.option.text, reading)
            if len(close) == 1 and alike[0].alike:
                distinct.append((alike[0], (alike[0].option.text, *alike[0].alike)[:MOST_ASKED]))
            elif len(close) > 1 and (alike[0].corrected or len(close) > MOST_READINGS):
                distinct.append((alike[0], tuple(close)[:MOST_ASKED]))
            else:
                distinct += [(reading, ()) for reading in close.values()]
        return sorted(distinct, key=lambda entry: entry[0].cost)[:MOST_READINGS]

    def _take(self, node: Node, decision: Decision, choice: Choice, cost: float, again: Again | None = None) -> None:
        """Go on with an option."""
        again = node.again if choice.automatic else again
        self._push(
            Node(
                node.used | choice.mask,
                node.cost + cost,
                node.memory if choice.automatic else self._remembered(node, choice.text),
                (*node.choices, choice._replace(again=again)),
                (*node.path, (choice.text, choice.automatic)),
                picking=decision.kind,
                again=again,
            )
        )

    def _clause(self, mask: int) -> int:
        return sum(clause for clause in self.clauses if clause & mask)

    def _again(self, choice: Choice) -> Again:
        """What other options have in common with one that words say, and whether they say that it is all."""
        verb, mentions = self.lattice.lexicon.phrase(choice.text)
        edges, mask = self.lattice.names, choice.mask
        named = frozenset(m for m in mentions if any(e.mask & mask for e in edges.get(m.name, ())))
        return Again(mask, 0, verb, named, bool(self.only & self._clause(mask)))

    def _give_several(self, node: Node, decision: Decision, again: Again, cost: float) -> None:
        """Give an order as often as a word beside it says: `both` of two that fit means each. All that may be picked
        need not be named."""
        left = self.meant & ~node.used & ~again.mask
        clause = self._clause(again.mask) if again.mask else left
        for word, often in self.often.items():
            if not word & left & clause or not (again.mask or often == MOST_TIMES):
                continue
            fitting = self._fitting(decision, again)
            most = decision.facts.get("left") or MOST_TIMES
            if fitting and (len(fitting) <= most if often == MOST_TIMES else len(fitting) in (1, often)):
                verbs = 0 if again.mask else covered(self.lattice.verbs.get(again.verb, ())) & self._clause(word)
                mask = (word | verbs | self._counted(often, again.verb)) & ~node.used
                choice = Choice(fitting[0], again.mask or mask)
                self._take(node, decision, choice, cost, again._replace(mask=mask, left=often - 1))

    def _counted(self, often: int, verb: str) -> int:
        """Clauses that say nothing but how many of something there are: `two minions, both in the Shades`."""
        same = sum(word for word, times in self.often.items() if times == often)
        nouns = self.lattice.nouns.get(verb, 0)
        return sum(
            clause & self.meant
            for clause in self.clauses
            if clause & same and clause & nouns and not clause & self.meant & ~(same | nouns)
        )

    def _give_again(self, node: Node, decision: Decision | None) -> None:
        """Give an order once more, as often as was said; behind it decline more of the kind, if it was to be all."""
        again = node.again
        if again is None:
            return
        fitting = self._fitting(decision, again) if decision and again.left else ()
        if decision and fitting:
            self._take(node, decision, Choice(fitting[0], again.mask), 0, again._replace(left=again.left - 1))
            return
        all_given = decision is None or again.left > MANY
        no_more = bool(self.kept) and all_given if again.left else again.only
        declined = decision.decline if decision and no_more and self._offers(decision, again.verb) else None
        if decision and declined and declined.text != END:
            words = self.only & self._clause(again.mask)
            self._take(node, decision, Choice(declined.text, words, refuses=decision.kind), 0, again)
        if not again.left or (all_given and not (declined or self.meant & ~node.used)):
            self._push(replace(node, again=None, cost=node.cost + BY_ITSELF * bool(declined)))

    def _offers(self, decision: Decision, verb: str) -> bool:
        return any(self.lattice.lexicon.phrase(option.text).verb == verb for option in decision.options)

    def _fitting(self, decision: Decision, again: Again) -> list[str]:
        """The options that an order may mean which is given several times."""
        phrases = ((option.text, self.lattice.lexicon.phrase(option.text)) for option in decision.options)
        return [
            text
            for text, phrase in phrases
            if phrase.verb == again.verb and again.named <= {*phrase.mentions} and not self._is_kept(phrase)
        ]

    def _is_kept(self, phrase: Phrase) -> bool:
        """Whether words say that what an option names is not to be."""
        names = (edge for mention in phrase.mentions for edge in self.lattice.names.get(mention.name, ()))
        return bool(self.kept & covered(names))

    def _remembered(self, node: Node, text: str) -> Memory:
        return node.memory.after(self.lattice.lexicon.phrase(text))

    def _says_forced(self, node: Node, place: Place, reading: Reading) -> bool:
        """Whether the same words say what the rules left no choice in."""
        said = any(choice.forced and choice.text == reading.option.text for choice in node.choices)
        return not said and any(
            (other.option.text, other.mask) == (reading.option.text, reading.mask)
            for forced in place.virtual
            for other in self._readings(node, forced, place)
        )

    def _say_what_was_forced(self, node: Node, place: Place) -> None:
        """What the rules left no choice in may be said all the same."""
        offered = {option.text for option in place.decision.options} if place.decision else ()
        for number, forced in enumerate(place.virtual):
            left = self.meant & ~node.used
            if forced.kind == AGAIN and any(c.text == forced.default.text and c.corrected for c in node.choices):
                continue  # who names a card in full means that, and not by the way
            if number < node.behind or not any(self.explainer.may_say(o, left) for o in forced.options):
                continue
            for reading in self._readings(node, forced, place)[:MOST_READINGS]:
                if forced.kind == AGAIN and reading.corrected and self._overtakes(node, forced, reading):
                    continue  # said once more behind it
                choice = Choice(reading.option.text, reading.mask, reading.corrected, forced=True)
                self._push(
                    replace(
                        node,
                        used=node.used | reading.mask,
                        cost=node.cost + reading.cost + FORCED_NO * (reading.option.text in offered),
                        memory=self._remembered(node, reading.option.text),
                        choices=(*node.choices, choice),
                        behind=number + 1,
                    )
                )

    def _say_amounts(self, node: Node) -> None:
        """An amount that stands alone behind orders only tells what they come to, unless another was asked for."""
        left = self.meant & ~node.used
        spare = sum(
            clause & left
            for clause in self.clauses
            if clause & left and all(text[0] == "$" for text in self.lattice.words(clause & left))
        )
        if not spare or not node.choices:
            return
        asked = {fact for decision in self._asked_before(node) for fact in decision.facts.values() if type(fact) is int}
        said = {int(text[1:]) for text in self.lattice.words(spare)}
        if not asked or all(any(amount % one == 0 for one in asked if one) for amount in said):
            self._push(replace(node, used=node.used | spare, cost=node.cost + GLOSS))

    def _say_counts(self, node: Node) -> None:
        """How often something is done, where it is then said one by one: `2 dwarves: Hippo and Longwall`."""
        if any(choice.corrected for choice in node.choices):
            return
        given = Counter(self.lattice.lexicon.phrase(choice.text).verb for choice in node.choices)
        for word, often in self.often.items():
            if word & self.meant & ~node.used and often != MOST_TIMES:
                for verb in (verb for verb, times in given.items() if times == often):
                    used = node.used | word | self._counted(often, verb)
                    self._push(replace(node, used=used, cost=node.cost + GLOSS))

    def _asked_before(self, node: Node) -> list[Decision]:
        """The decisions that a sequence answers."""
        places = (self._places.get(node.path[:length]) for length in range(len(node.path)))
        return [place.decision for place in places if place and place.decision]

    def _say_the_end(self, node: Node, place: Place) -> None:
        """`end`, where all words before it are explained; what follows may only say the same."""
        used, decision = node.used, place.decision
        if node.ending or (decision and not node.choices and decision.auto is None and decision.decline is None):
            return
        for edge in self.lattice.said[END]:
            if not edge.mask & used and (edge.mask & self.meant or not self.meant & ~used):
                used |= edge.mask
        if place.over:
            no = self.lattice.union(NO)
            for clause in self.clauses:
                behind = (clause & -clause) > used & self.meant
                if behind and not clause & self.meant & ~no:
                    used |= clause & no
        if used != node.used and not self.meant & ~used:
            choice = Choice(END, used & ~node.used, forced=place.over)
            less = any(edge.mask & choice.mask for edge in self.lattice.verbs.get(DONE, ()))
            cost = node.cost + THE_END * less
            self._push(replace(node, used=used, cost=cost, choices=(*node.choices, choice), ending=True))

    def _leave(self, node: Node, place: Place) -> None:
        """Leave words for behind a reveal: whole orders, that begin at a break and stand behind all that is done."""
        left, taken = self.meant & ~node.used, self.meant & node.used
        if taken.bit_length() > (left & -left).bit_length():
            return
        last = next((choice for choice in reversed(node.choices) if not choice.automatic), None)
        played = last.mask if last and last.text.startswith(PLAY) and not last.corrected else 0
        at_once = bool(node.choices) and last is node.choices[-1]
        for clause in self.clauses:
            here, before = left & clause, taken & clause
            about_the_card = bool(before) and not before & ~played and (at_once or not here & ~self.lattice.named)
            if here and (here < before or not (about_the_card or self._at_break((here & -here).bit_length() - 1))):
                return
        if self._lists(node, (left & -left).bit_length() - 1):
            return
        if taken and not (place.over and not node.choices[-1].text.startswith(PLAY)):
            self._leaving.append(replace(node, cost=node.cost + LEFT_FOR_LATER))
            self._cheapest = min(self._cheapest, node.cost + LEFT_FOR_LATER)

    def _lists(self, node: Node, place: int) -> bool:
        """Whether a name goes on with a list of names whose first an option took: `give Groat and Modo`."""
        answered = self._place(replace(node, path=node.path[:-1])).decision if node.path else None
        if answered is None or answered.option(DONE) or node.path[-1][0].startswith(PLAY):
            return False
        before = place - 1
        while before >= 0 and self.lattice.texts[before] in (",", "and"):
            before -= 1
        item = 1 << max(before, 0)
        mentions = (m for c in node.choices if c.mask & item for m in self.lattice.lexicon.phrase(c.text).mentions)
        named = (m for m in mentions if covered(self.lattice.names.get(m.name, ())) & item)
        return before < place - 1 and any(self.lattice.kinds[mention.kind] >> place & 1 for mention in named)

    def _at_break(self, place: int) -> bool:
        names = self.lattice.named | self.lattice.persons
        if self.lattice.union(NO) >> place & 1 and not self.meant >> place << place & names:
            return True  # `Hex without building`
        if self.lattice.texts[place] in self.lattice.lexicon.taking:
            return True  # `Hex build Dimwell`
        for before in range(place - 1, -1, -1):
            if self.lattice.tokens[before].is_mark or self.lattice.texts[before] in BREAKS:
                return True
            if self.meant >> before & 1:
                return False
        return True
