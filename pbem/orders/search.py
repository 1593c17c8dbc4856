"""The sequences of legal options that explain the words of a mail, up to the first reveal.

Looking ahead stops at a reveal: nothing that is found depends on what lies behind one.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from pbem.orders.explain import DONE, END, Explainer, Memory, Reading
from pbem.orders.lattice import Lattice
from pbem.protocol import Decision, Match, Option, Seat, decision_of

#: What it costs to let something go by itself, and when that reveals something, besides.
BY_ITSELF, BY_ITSELF_REVEALING = 0.5, 2.0
#: What it costs to leave words for behind a reveal.
LEFT_FOR_LATER = 0.5
#: What it costs to refuse what was not offered.
FORCED_NO = 0.25
#: What `end` costs where the same words may end less than a turn.
THE_END = 1.0
#: Readings whose costs differ by less are both possible.
CLOSE = 0.5
#: How many words more a node has to explain, to be looked at before a cheaper one.
DEPTH = 3.0
#: Nodes that are looked at, readings of each, and options that are asked about.
MOST_NODES, MOST_READINGS, MOST_ASKED = 160, 8, 12
#: The verb of options with which anything may be turned up.
PLAY = "play "


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
    #: Options that the same words say as well.
    rivals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """A sequence of options, with the match after it."""

    match: Match
    used: int
    cost: float
    memory: Memory
    choices: tuple[Choice, ...] = ()
    #: Decisions that the rules left no choice in.
    virtual: tuple[Decision, ...] = ()
    #: `done` ends a decision of this kind by itself.
    picking: str = ""
    #: Whether the turn is to end.
    ending: bool = False
    #: Why it goes no further: nothing is asked of the seat any more, or something was revealed.
    stopped: bool = False

    @property
    def meaning(self) -> tuple[tuple[str, str], ...]:
        """What is chosen in words, and of a refusal what it refuses."""
        return tuple((c.text, c.refuses) for c in self.choices if not (c.forced or c.automatic))

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
    #: The node that explains most.
    furthest: Node | None = None


class Search:
    """Searches the sequences of one seat's options that words may say."""

    def __init__(
        self, lattice: Lattice, explainer: Explainer, seat: Seat, match: Match, meant: int, clauses: Sequence[int]
    ) -> None:
        self.lattice = lattice
        self.explainer = explainer
        self.seat = seat
        self.start = match
        self.meant = meant
        self.clauses = clauses
        self._heap: list[tuple[float, int, Node]] = []
        self._number = count()
        self._seen: dict[tuple[tuple[str, ...], int, bool], float] = {}
        self._complete: list[Node] = []
        self._leaving: list[Node] = []
        self._furthest: Node | None = None

    def run(self, root: Node) -> Sought:
        """The best sequences behind a node."""
        self._push(root)
        looked_at = self.looked_at = 0
        while self._heap and looked_at < MOST_NODES:
            _, _, node = heapq.heappop(self._heap)
            looked_at = self.looked_at = looked_at + 1
            if self._complete and node.cost > min(n.cost for n in self._complete) + CLOSE:
                continue
            self._look_at(node)
        ranked = sorted((*self._complete, *self._leaving), key=lambda node: (node.cost, -node.used.bit_count()))
        if not ranked:
            return Sought(None, (), self._furthest)
        close = [node for node in ranked if node.cost < ranked[0].cost + CLOSE]
        best = min(close, key=lambda node: (_done(node) != _done(ranked[0]), self._unfinished(node), node.cost))
        rivals = [
            node
            for node in close
            if node.meaning != best.meaning
            and (_done(node) != _done(best) or self._unfinished(node) <= self._unfinished(best))
        ]
        return Sought(best, tuple(rivals), self._furthest)

    def _unfinished(self, node: Node) -> bool:
        """Whether the seat would still be asked something: who refuses something means the turn to be complete."""
        decision = decision_of(node.match, self.seat)
        return decision is not None and decision.auto is None and not node.ending

    def _push(self, node: Node) -> None:
        known = self._seen.get((node.texts, node.used, node.ending))
        if known is not None and known <= node.cost:
            return
        self._seen[node.texts, node.used, node.ending] = node.cost
        if not self.meant & ~node.used:
            self._complete.append(node)
            return
        left = (self.meant & ~node.used).bit_count()
        heapq.heappush(self._heap, (DEPTH * node.cost + left, next(self._number), node))

    def _look_at(self, node: Node) -> None:
        if self._furthest is None or self._reach(node) > self._reach(self._furthest):
            self._furthest = node
        self._say_the_end(node)
        asked = None if node.stopped else decision_of(node.match, self.seat)
        offered = {option.text for option in asked.options} if asked else set()
        for number, forced in enumerate(node.virtual):
            for reading in self.explainer.readings(forced, node.used, self.meant, node.memory)[:MOST_READINGS]:
                choice = Choice(reading.option.text, reading.mask, reading.corrected, forced=True)
                self._push(
                    replace(
                        node,
                        used=node.used | reading.mask,
                        cost=node.cost + reading.cost + (FORCED_NO if reading.option.text in offered else 0.0),
                        memory=self._remembered(node, reading.option),
                        choices=(*node.choices, choice),
                        virtual=node.virtual[number + 1 :],
                    )
                )
        if node.stopped:
            self._leave(node)
            return
        decision = decision_of(node.match, self.seat)
        if decision is None:
            return
        for reading, rivals in self._distinct(
            self.explainer.readings(decision, node.used, self.meant, node.memory)
        ):
            declines = decision.decline is not None and reading.option.text == decision.decline.text
            refuses = decision.kind if declines else ""
            choice = Choice(reading.option.text, reading.mask, reading.corrected, refuses=refuses, rivals=rivals)
            self._take(node, decision, choice, reading.cost)
        option = decision.auto
        if option is None and node.picking == decision.kind and decision.decline and decision.decline.text == DONE:
            option = decision.decline
        if option is not None and node.used & self.meant:
            self._take(node, decision, Choice(option.text, automatic=True), BY_ITSELF)
        elif option is not None and node is not None and not node.choices:
            self._take(node, decision, Choice(option.text, automatic=True), BY_ITSELF)

    def _reach(self, node: Node) -> float:
        """How much a node explains, less what that costs."""
        return (node.used & self.meant).bit_count() - node.cost / 2

    def _distinct(self, readings: Sequence[Reading]) -> list[tuple[Reading, tuple[str, ...]]]:
        """The cheapest readings; those in which the same words say several options are one, with its rivals."""
        by_mask: dict[int, list[Reading]] = {}
        for reading in readings:
            by_mask.setdefault(reading.mask, []).append(reading)
        distinct = []
        for alike in by_mask.values():
            first = alike[0]
            texts = {reading.option.text: None for reading in alike if reading.cost < first.cost + CLOSE}
            rivals = tuple(texts)[:MOST_ASKED] if len(texts) > 1 else ()
            if first.corrected or len(texts) > MOST_READINGS or len(texts) == 1:
                distinct.append((first, rivals))
            else:
                distinct += [(reading, ()) for reading in {r.option.text: r for r in reversed(alike)}.values()]
        return sorted(distinct, key=lambda entry: entry[0].cost)[:MOST_READINGS]

    def _take(self, node: Node, decision: Decision, choice: Choice, cost: float) -> None:
        """Go on with an option."""
        ahead = node.match.fork()
        ahead.choose(self.seat, Option(choice.text))
        following = decision_of(ahead, self.seat)
        revealed = ahead.reveals != self.start.reveals or ahead.turn != self.start.turn
        stopped = revealed or following is None or following.window
        if choice.automatic and stopped:
            cost += BY_ITSELF_REVEALING
        virtual = [] if revealed else [forced for forced in ahead.forced if forced.seat == self.seat]
        if not choice.automatic and choice.text.startswith(PLAY):
            again = Option(choice.text)
            virtual.append(Decision(self.seat, "again", (again,), again))
        if choice.automatic:
            virtual += node.virtual
        self._push(
            Node(
                ahead,
                node.used | choice.mask,
                node.cost + cost,
                node.memory if choice.automatic else self._remembered(node, Option(choice.text)),
                (*node.choices, choice),
                tuple(virtual),
                decision.kind,
                stopped=stopped,
            )
        )

    def _remembered(self, node: Node, option: Option) -> Memory:
        return node.memory.after(self.lattice.lexicon.phrase(option.text))

    def _say_the_end(self, node: Node) -> None:
        """`end`, where all words before it are explained; what follows may only say the same."""
        used = node.used
        decision = None if node.stopped else decision_of(node.match, self.seat)
        if decision and not node.choices and decision.auto is None and decision.decline is None:
            return
        for edge in self.lattice.said[END]:
            if not edge.mask & used and (edge.mask & self.meant or not self.meant & ~used):
                used |= edge.mask
        if self._over(node):
            no = self.lattice.union("no")
            for clause in self.clauses:
                if not clause & self.meant & (used | ~no):
                    used |= clause & no
        if used != node.used and not self.meant & ~used and not node.ending:
            choice = Choice(END, used & ~node.used, forced=self._over(node))
            less = any(edge.mask & used & ~node.used for edge in self.lattice.verbs.get(DONE, ()))
            self._push(replace(node, used=used, cost=node.cost + THE_END * less, choices=(*node.choices, choice), ending=True))

    def _leave(self, node: Node) -> None:
        """Leave words for behind a reveal, where they begin at a break."""
        left = self.meant & ~node.used
        taken = self.meant & node.used
        if taken.bit_length() > (left & -left).bit_length():
            return  # what is written before a reveal is not kept for behind it
        for clause in self.clauses:
            here = left & clause
            first = (here & -here).bit_length() - 1
            if here and (here < taken & clause or not self._at_break(first)):
                return
        if self._over(node) and not node.choices[-1].text.startswith(PLAY):
            return  # nothing is left that could be asked
        if taken:
            self._leaving.append(replace(node, cost=node.cost + LEFT_FOR_LATER))

    def _over(self, node: Node) -> bool:
        """Whether the turn is over."""
        return node.match.turn != self.start.turn or not node.match.pending

    def _at_break(self, place: int) -> bool:
        for before in range(place - 1, -1, -1):
            if self.lattice.tokens[before].is_mark or self.lattice.texts[before] in ("and", "then"):
                return True
            if not (self.lattice.speech["function"] | self.lattice.speech["social"]) >> before & 1:
                return False
        return True


def _done(node: Node) -> list[str]:
    """What a sequence does, apart from what is refused or goes by itself."""
    return [c.text for c in node.choices if not (c.automatic or c.forced or c.refuses)]
