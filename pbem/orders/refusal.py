"""Why some words of a mail are not understood: the rule that forbids what they say, and what would be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from pbem.errors import NotPossible, NotUnderstood, OrderError
from pbem.orders.lattice import Lattice, union
from pbem.orders.readings import DONE, END
from pbem.orders.search import Choice, Node, Sought
from pbem.protocol import Decision, HasForesight, HasReasons, Match, Option, Reason, Seat, decision_of

#: Legal options that are told with a refusal.
MOST_SUGGESTIONS = 4
#: How the small word before a name is written in an order text, between names and before the first one.
BETWEEN = {"in": "in ", "from": "from ", "to": "to ", "with": "with ", "instead": "instead of "}
FIRST = {role: BETWEEN[role] for role in ("from", "instead")}
#: The order texts chosen so far.
Path: TypeAlias = tuple[str, ...]


class Named(NamedTuple):
    """A name that words say, with the small word before it."""

    name: str
    role: str

    @property
    def leaves(self) -> bool:
        """Whether it is what is left or given up."""
        return self.role in FIRST


class Asked(NamedTuple):
    """What a seat is asked at some point before anything is revealed."""

    match: Match
    decision: Decision
    #: Whether the rules leave no choice in it.
    forced: bool = False
    #: Whether it comes behind something that is chosen.
    moved: bool = False


class Try(NamedTuple):
    """Some words, taken for one order behind the choices that come before it."""

    mask: int
    #: What is asked there, and behind what goes by itself.
    points: list[Asked]
    #: Whether the turn is over by then.
    over: bool


class Refusal:
    """Why some words of a mail are not understood, by the sequence of options that explains most of it."""

    def __init__(
        self,
        lattice: Lattice,
        menu: Sequence[str],
        sought: Sought,
        match: Match,
        seat: Seat,
        virtual: Sequence[Decision],
    ) -> None:
        self.lattice = lattice
        self.menu = menu
        self.sought = sought
        self.match = match
        self.seat = seat
        self.virtual = virtual

    def of(self, mask: int, clause: int) -> OrderError:
        """Why no option explains the words of `mask`, which stand in a clause."""
        lattice, text = self.lattice, self.lattice.written([mask])[0]
        tries = [Try(words, *self.reached(path)) for words, path in self.tries(mask, clause, self.sought.furthest)]
        reasons = (self.why(attempt) for attempt in tries)
        why, attempt = next((pair for pair in zip(reasons, tries, strict=False) if pair[0]), (None, tries[0]))
        names = self.names(attempt.mask) or self.names(clause)
        verbs = self.verbs(attempt.mask) or self.verbs(clause)
        asked = self.asked(attempt.points, verbs)
        suggestions = self.nearest(asked.decision if asked else None, names, verbs)
        facts = self.facts(names, verbs, asked, suggestions) | {"unknown": lattice.words(mask)}
        numbers = [lattice.tokens[place] for place in range(mask.bit_length()) if mask >> place & 1]
        if len(numbers) == 1 and numbers[0].is_number and not verbs:
            number = int(numbers[0].text[:4])
            known = 0 < number <= len(self.menu)
            facts |= {"number": number, "numbers": len(self.menu)} | (
                {"option": self.menu[number - 1]} if known else {}
            )
            reason = "menu_past" if known else "menu"
            suggestions = self.nearest(asked.decision if asked else None, (), ())
            return NotPossible(text, reason, suggestions=suggestions, facts=facts)
        if mask & ~lattice.explainable():
            facts["unknown"] = lattice.words(mask & ~lattice.explainable())
            reason = "unknown_name" if verbs else "unknown"
            suggestions = suggestions or self.nearest(asked.decision if asked else None, (), ())
            return NotUnderstood(text, reason, suggestions=suggestions, facts=facts)
        if why:
            return NotPossible(text, why.word, suggestions=suggestions, facts={**facts, **why.facts})
        if not names and {END, DONE, "skip"} & {*verbs}:
            return NotPossible(text, "compulsory", facts=facts)
        if asked is None and attempt.over:
            reason = "together" if self.was_possible(names, verbs) else "turn_over"
            return NotPossible(text, reason, facts=facts)
        offered = self.offered(asked.decision if asked else None, verbs)
        if names and asked and self.order(next(iter(offered), ""), names) in facts["asked"]["options"]:
            return NotPossible(text, "together", facts=facts)
        reason = "not_now" if verbs and not offered else "not_this"
        return NotPossible(text, reason, suggestions=suggestions, facts=facts)

    def was_possible(self, names: Sequence[Named], verbs: Sequence[str]) -> bool:
        """Whether an order might have been given in the place of one of the choices."""
        texts = {self.order(verb, names) for verb in verbs}
        node = self.sought.furthest
        paths = [path_of(node, place) for place in range(len(node.choices))] if node and names else []
        points = (point for path in paths for point in self.reached(path)[0])
        return any(option.text in texts for point in points for option in point.decision.options)

    def facts(
        self, names: Sequence[Named], verbs: Sequence[str], asked: Asked | None, suggestions: Sequence[str]
    ) -> dict[str, Any]:
        """What is said, and what is asked."""
        decision = asked.decision if asked else None
        facts: dict[str, Any] = {"names": [named.name for named in names], "asked": None, "moved": False}
        if decision:
            texts = [option.text for option in decision.options]
            facts["asked"] = {"kind": decision.kind, "facts": decision.facts, "options": texts}
            facts["moved"] = asked is not None and asked.moved
        if verbs:
            facts["verb"] = self.lattice.lexicon.phrase(suggestions[0]).verb if suggestions else verbs[0]
        return facts

    def overlooked(self, best: Node, choice: Choice, clause: int, meant: int) -> tuple[int, OrderError] | None:
        """A name in the clause of a choice, or among words that are left, that none of several options has, and the rule
        that forbids it; None when there is no such name, or no rule is known."""
        phrase = self.lattice.lexicon.phrase
        place = best.choices.index(choice)
        before = best.choices[:place]
        has = [m for text in (*(c.text for c in before), *choice.rivals) for m in phrase(text).mentions]
        words = (clause | meant & ~best.used) & ~masks(before)
        said = self.names(words)
        told = any(named.leaves for named in said)  # else `move Red Dimwell Longwall` may leave either
        offered = {(m.name, m.role == "instead" or (told and m.role in FIRST)) for m in has}
        named = [named for named in said if (named.name, named.leaves) not in offered]
        if not named:
            return None
        mask = words & self.line_of(named[0])
        attempt = Try(mask, *self.reached(path_of(best, place)))
        why = self.why(attempt)
        if why is None:
            return None
        names, verbs = self.names(mask), self.verbs(mask)
        asked = self.asked(attempt.points, verbs)
        suggestions = self.nearest(asked.decision if asked else None, names, verbs)
        facts = {**self.facts(names, verbs, asked, suggestions), **why.facts}
        return mask, NotPossible(self.lattice.written([mask])[0], why.word, suggestions=suggestions, facts=facts)

    # -- where words may stand -----------------------------------------------------------------------------------------

    def tries(self, mask: int, clause: int, node: Node | None) -> list[tuple[int, Path]]:
        """The words, behind all choices of a sequence and behind fewer: a choice that took a part of the clause may
        have taken what belongs to the rest of it."""
        choices = node.choices if node else ()
        dropped = [place for place, choice in enumerate(choices) if choice.mask & clause]
        behind = [(mask, path_of(node, len(choices)))]
        for place in reversed(dropped):
            behind.append((clause & ~masks(choices[:place]), path_of(node, place)))
        if len(behind) > 1 and not self.verbs(mask) and self.verbs(behind[1][0]):
            behind[:2] = reversed(behind[:2])
        if len(self.names(clause)) == 1:
            behind.append((clause, path_of(node, len(choices))))
        return behind

    def reached(self, path: Path) -> tuple[list[Asked], bool]:
        """What the seat is asked behind some choices, behind what goes by itself there, and what was forced on the way,
        up to the first reveal; and whether anybody could foresee that the turn is over there."""
        ahead = self.match.fork()
        points: list[Asked] = []
        forced = list(self.virtual)
        for text in path:
            ahead.choose(self.seat, Option(text))
            forced = [decision for decision in ahead.forced if decision.seat == self.seat]
        while True:
            decision = decision_of(ahead, self.seat)
            over = isinstance(ahead, HasForesight) and ahead.foreseeable_end
            if over or ahead.reveals != self.match.reveals or ahead.turn != self.match.turn:
                return points, over
            points += [Asked(ahead, decision, forced=True) for decision in forced]
            if decision is None:
                return points, over
            points.append(Asked(ahead, decision, moved=bool(path or points)))
            if decision.auto is None or decision.window:
                return points, over
            ahead = ahead.fork()
            ahead.choose(self.seat, Option(decision.auto.text))
            forced = [decision for decision in ahead.forced if decision.seat == self.seat]

    # -- what words say ----------------------------------------------------------------------------------------------

    def names(self, mask: int) -> list[Named]:
        """The names that some words say, in the order written: where several fit the same words, the likeliest, and none
        when that is not clear."""
        mask &= ~self.amounts()
        every = [(edge, name) for name, edges in self.lattice.names.items() for edge in edges if not edge.mask & ~mask]
        every.sort(key=lambda entry: (-entry[0].mask.bit_count(), entry[0].cost))
        taken, said = 0, []
        for edge, name in every:
            same = {other for beside, other in every if (beside.mask, beside.cost) == (edge.mask, edge.cost)}
            if not edge.mask & taken and same == {name}:
                said.append((edge, name))
            taken |= edge.mask
        return [Named(name, edge.role) for edge, name in sorted(said, key=lambda entry: entry[0].start)]

    def amounts(self) -> int:
        """Numbers, where nothing is asked that has one: `pay 3` speaks of no area."""
        lexicon, asked = self.lattice.lexicon, self.sought.asked
        options = asked.options if asked else ()
        kinds = {mention.kind for option in options for mention in lexicon.phrase(option.text).mentions}
        return self.lattice.numbers & ~union(self.lattice.kinds.get(kind, 0) for kind in kinds) if asked else 0

    def verbs(self, mask: int) -> list[str]:
        """The verbs that some words say, the likeliest first."""
        named = {edge.mask for edges in self.lattice.names.values() for edge in edges if edge.cost < 1}

        def likely(verb: str) -> list[tuple[float, int, bool]]:
            fitting = [edge for edge in self.lattice.verbs[verb] if not edge.mask & ~mask and edge.mask not in named]
            return sorted((e.cost, -e.mask.bit_count(), self.lattice.words(e.mask) != [verb]) for e in fitting)[:1]

        ranked = {verb: likely(verb) for verb in list(self.lattice.verbs)}
        return sorted((verb for verb in ranked if ranked[verb]), key=lambda verb: ranked[verb])

    # -- what is asked -----------------------------------------------------------------------------------------------

    def offered(self, decision: Decision | None, verbs: Sequence[str]) -> list[str]:
        """Those verbs that an option has."""
        phrase = self.lattice.lexicon.phrase
        has = {phrase(option.text).verb for option in decision.options} if decision else set()
        return [verb for verb in verbs if verb in has]

    def asked(self, points: Sequence[Asked], verbs: Sequence[str]) -> Asked | None:
        """The first point at which an option has one of these verbs, else the first at which there is a choice."""
        open_points = [point for point in points if not point.forced]
        return next((p for p in open_points if self.offered(p.decision, verbs)), next(iter(open_points), None))

    def why(self, attempt: Try) -> Reason | None:
        """The rule that a game knows against what the words say."""
        names, verbs = self.names(attempt.mask), self.verbs(attempt.mask)
        asked = self.asked(attempt.points, verbs)
        if asked is None:
            return None
        ranked = [*self.offered(asked.decision, verbs), *verbs]
        if not verbs or self.does(asked.decision, attempt.mask):
            ranked.append(self.own_verb(asked.decision, names))
        texts = [self.order(verb, names) for verb in dict.fromkeys(ranked if verbs else [*ranked, ""])]
        if any(asked.decision.option(text) for text in texts):
            return None
        for point in (*(point for point in attempt.points if point.forced), asked):
            for text in filter(None, texts):
                match = point.match
                reason = match.why_not(point.decision, text) if isinstance(match, HasReasons) else None
                if reason:
                    return reason
        return None

    def does(self, decision: Decision, mask: int) -> bool:
        """Whether some words are said of what the card does that asks."""
        return any(edge.mask & mask for edge in self.lattice.deeds.get(decision.facts.get("card") or "", ()))

    def own_verb(self, decision: Decision, names: Sequence[Named]) -> str:
        """The verb of most options that take a name of the kinds that are said; of none when it is not the decision's
        own, as that of its first option is."""
        lexicon = self.lattice.lexicon
        kinds = {lexicon.kinds[named.name] for named in names}
        phrases = [lexicon.phrase(option.text) for option in decision.options]
        fitting = Counter(phrase.verb for phrase in phrases if kinds & {mention.kind for mention in phrase.mentions})
        verb = max(fitting, key=lambda verb: fitting[verb], default="")
        return verb if verb == phrases[0].verb else ""

    def order(self, verb: str, names: Sequence[Named]) -> str:
        """An order text as far as it is said."""
        parts = [(BETWEEN if place else FIRST).get(named.role, "") + named.name for place, named in enumerate(names)]
        return " ".join([verb, *parts] if verb else parts)

    def nearest(self, decision: Decision | None, names: Sequence[Named], verbs: Sequence[str]) -> list[str]:
        """The options that come nearest to what is said, all of one verb: of one that is said, if any is."""
        phrase, kinds = self.lattice.lexicon.phrase, self.lattice.lexicon.kinds
        said = {named.name for named in names}
        alike = {kinds[name] for name in said}
        options = [option.text for option in decision.options] if decision else []
        if verbs:
            options = [option for option in options if phrase(option).verb in verbs]
        elif names:
            options = [option for option in options if any(m.kind in alike for m in phrase(option).mentions)]

        def far(option: str) -> tuple[int, int]:
            mentions = phrase(option).mentions
            return -sum(m.name in said for m in mentions), -sum(m.kind in alike for m in mentions)

        ranked = sorted(options, key=far)
        return [option for option in ranked if phrase(option).verb == phrase(ranked[0]).verb][:MOST_SUGGESTIONS]

    def beside(self, mask: int) -> list[str]:
        """The options asked about that come nearest to some words."""
        return self.nearest(self.sought.asked, self.names(mask), self.verbs(mask))

    def line_of(self, named: Named) -> int:
        """The words of the line in which a name stands."""
        tokens = self.lattice.tokens
        place = min(edge.start for edge in self.lattice.names[named.name])
        return sum(1 << at for at, token in enumerate(tokens) if token.line == tokens[place].line)


def masks(choices: Sequence[Choice]) -> int:
    """The words of some choices."""
    return union(choice.mask for choice in choices)


def path_of(node: Node | None, count: int) -> Path:
    """The options to choose for the first choices of a sequence, without those at the end that go by themselves."""
    taken = [choice for choice in (node.choices[:count] if node else ()) if not choice.forced and choice.text != END]
    while taken and taken[-1].automatic:
        taken.pop()
    return tuple(choice.text for choice in taken)
