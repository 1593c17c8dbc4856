"""A mail read against a match: which options it says, up to the first reveal, or why it is not clear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from pbem.errors import Ambiguous, NotPossible, NotUnderstood, OrderError
from pbem.orders.lattice import Lattice, union
from pbem.orders.lexicon import lexicon
from pbem.orders.readings import DONE, END, Explainer, Memory
from pbem.orders.search import Again, Choice, Node, Search, Sought
from pbem.orders.statement import Clause, Statement, affirmed, state
from pbem.protocol import Decision, HasForesight, HasReasons, Match, Option, Reason, Seat, Vocabulary, decision_of

#: Legal options that are told with a refusal.
MOST_SUGGESTIONS = 4
#: How the small word before a name is written in an order text, between names and before the first one.
BETWEEN = {"in": "in ", "from": "from ", "to": "to ", "with": "with ", "instead": "instead of "}
FIRST = {role: BETWEEN[role] for role in ("from", "instead")}
#: Corrections in one mail.
MOST_CORRECTIONS = 2
#: Words that options have to explain in one mail.
MOST_MEANT = 60

#: The order texts chosen so far.
Path: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Some words that keep a mail from being carried out."""

    mask: int
    #: Kinds of doubt of the statement; none when no option explains the words.
    kinds: frozenset[str] = frozenset()


class Reader:
    """Reads one mail, again after each reveal with the words that are left."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        lines: Sequence[str],
        *,
        menu: Sequence[str] = (),
        me: str = "",
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.lattice = Lattice(lines, lexicon(vocabulary), menu=menu, me=me, names=names)
        self.menu = menu
        self.statement: Statement = state(self.lattice)
        self.masks = [clause.mask for clause in self.statement.clauses]
        self.explainer = Explainer(self.lattice, [c.mask for c in self.statement.clauses if c.sort != "chat"])
        self.memory = Memory()
        #: What is to be given once more.
        self.again: Again | None = None
        self.used = 0
        self.meant = 0
        self._picking = ""
        #: Where it was read last, and what was forced there.
        self._asked: tuple[Match, Seat, Sequence[Decision]]
        self.vetoed = 0
        self.doubts: list[Doubt] = []
        self.chat: list[int] = []
        self._begin()

    @property
    def left(self) -> int:
        """The words that are still to be explained."""
        return self.meant & ~self.used

    def _begin(self) -> None:
        """What the statement says, before any option is looked at."""
        yes = affirmed(self.lattice, self.statement)
        asking = self.statement.asking()
        for clause in self.statement.clauses:
            if clause.sort == "chat" or (clause.sort == "order" and not clause.meant):
                if not clause.mask & yes:
                    self.chat.append(clause.mask)
                    self.used |= clause.mask
            elif clause.sort == "doubt" and asking:
                self.chat.append(clause.mask)
                self.used |= clause.mask
            elif clause.sort == "doubt":
                self.doubts.append(Doubt(clause.mask, clause.doubts))
                self.used |= clause.mask
            elif clause.sort == "order":
                self.meant |= clause.meant
        if not self.meant and not self.doubts:
            self.meant = yes
        too_many = self.meant.bit_count() > MOST_MEANT
        hopeless = self.meant if too_many else self.meant & ~self.lattice.explainable()
        if hopeless:
            self.doubts.append(Doubt(hopeless))
            self.used |= hopeless
            self.meant &= ~hopeless

    # -- reading ---------------------------------------------------------------------------------------------------

    def read(self, match: Match, seat: Seat, virtual: Sequence[Decision] = (), picking: str = "") -> Sought:
        """The sequences that explain the words that are left; `picking` is the kind of the decision before, which may
        be asked again until `done`."""
        self._picking = picking
        self._asked = (match, seat, virtual)
        again, self.again = self.again, None
        if not self.left and not again:
            return Sought(Node(self.used, 0.0, self.memory))
        self.used |= self._said_twice()
        veto = sum(clause.veto for clause in self.statement.clauses) & ~self.used
        if not veto:
            return self._search(match, seat, virtual, self.meant, self.used, again)
        ways = sorted((self.used, self.used | veto), reverse=bool(self.left & ~veto))
        for used in ways[:1] if self.lattice.all & self.meant else ways:
            sought = self._search(match, seat, virtual, self.meant, used, again)
            if sought.best:
                break
        self.vetoed |= veto & used
        self.used = used
        return sought

    def _said_twice(self) -> int:
        """The second half of the orders, where it repeats the first: a mail sent again."""
        orders = [clause.meant & self.left for clause in self.statement.clauses if clause.meant & self.left]
        half = len(orders) // 2
        texts = [self.lattice.words(mask) for mask in orders]
        return sum(orders[half:]) if half > 1 and texts[:half] == texts[half:] else 0

    def _search(
        self, match: Match, seat: Seat, virtual: Sequence[Decision], meant: int, used: int, again: Again | None = None
    ) -> Sought:
        kept = sum(clause.veto for clause in self.statement.clauses) & used
        search = Search(self.lattice, self.explainer, seat, match, meant, self.masks, kept)
        return search.run(Node(used, 0.0, self.memory, again=again, picking=self._picking), virtual)

    def correct(self, match: Match, seat: Seat, virtual: Sequence[Decision] = ()) -> None:
        """Let corrections take the place of what they correct, where that is certain; else they are doubts."""
        active: list[int] = []
        correcting: list[Clause] = []
        corrected = 0
        for clause in self.statement.clauses:
            if clause.sort == "correction":
                correcting.append(clause)
                if not clause.meant:
                    continue
            elif clause.sort != "order" or not clause.meant:
                continue
            if correcting and active and corrected < MOST_CORRECTIONS:
                corrected += 1
                self._replace(match, seat, virtual, active, clause.meant, correcting)
                correcting = []
            else:
                active.append(clause.meant)
        for clause in correcting:
            self.doubts.append(Doubt(clause.mask, clause.doubts))

    def _replace(
        self, match: Match, seat: Seat, virtual: Sequence[Decision], active: list[int], new: int, said: Sequence[Clause]
    ) -> None:
        before = self._search(match, seat, virtual, sum(active), self.used | ~sum(active) & self.meant).best
        for dropped in range(1, len(active) + 1):
            kept = [*active[:-dropped], new]
            node = self._search(match, seat, virtual, sum(kept), self.used | ~sum(kept) & (self.meant | new)).best
            bare = not new & ~self.lattice.bare_no()
            if node is None or before is None or bare or not self._same_question(before, node):
                continue
            gone = sum(active[-dropped:])
            self.meant = self.meant & ~gone | new
            self.used |= gone | sum(clause.mask & ~clause.meant for clause in said)
            active[:] = kept
            if dropped > 1:
                self.doubts.append(Doubt(sum(clause.mask for clause in said), said[0].doubts))
            return
        self.doubts.append(Doubt(new | sum(clause.mask for clause in said), said[0].doubts))
        self.meant &= ~new
        self.used |= new

    def _same_question(self, before: Node, after: Node) -> bool:
        """Whether two sequences part at one question that both answer with words."""
        for old, new in zip(before.choices, after.choices, strict=False):
            if old.text != new.text:
                verb = self.lattice.lexicon.phrase
                return verb(old.text).verb == verb(new.text).verb or not verb(old.text).mentions
        return False

    def clauses(self, mask: int) -> int:
        """The clauses of some words."""
        return sum(clause.mask for clause in self.statement.clauses if clause.mask & mask)

    # -- what stands against it ------------------------------------------------------------------------------------

    def problem(self, sought: Sought) -> tuple[int, OrderError] | None:
        """The words that keep a reading from being carried out, and why; None when nothing does."""
        best = sought.best
        if self.doubts:
            doubt = self.doubts[0]
            suggestions = best.texts if best else ()
            return doubt.mask, self._doubted(doubt, suggestions, sought)
        if best is None:
            return self.unexplained(sought)
        for choice in best.choices:
            if self.vetoed and self._is_vetoed(choice.text):
                return self.vetoed, Ambiguous(self._text(self.vetoed), "remark", suggestions=(choice.text,))
            if choice.rivals:
                overlooked = self._refusal(sought).overlooked(best, choice, self.clauses(choice.mask), self.meant)
                several = Ambiguous(self._text(choice.mask), "several", suggestions=choice.rivals)
                return overlooked or (choice.mask, several)
        if sought.rivals:
            return self._between(best, sought.rivals[0])
        return None

    def _between(self, best: Node, rival: Node) -> tuple[int, OrderError]:
        """The words that say two things, and which."""
        sequences = [[c for c in node.choices if not c.forced] for node in (best, rival)]
        pairs = zip(*sequences, strict=False)
        differing = next(([a, b] for a, b in pairs if a.text != b.text), None)
        if differing is None:
            shorter, longer = sorted((best, rival), key=lambda node: len(node.texts))
            longer_still = [c for c in longer.choices if not c.forced][len(shorter.texts) :]
            differing = [c for c in longer_still if c.mask][:1]
        mask = 0
        for choice in differing:
            mask |= choice.mask
        texts = tuple(choice.text for choice in differing)
        return mask, Ambiguous(self._text(mask), "several", suggestions=texts)

    def _is_vetoed(self, option: str) -> bool:
        """Whether an option is one of those that are not to be."""
        names = {mention.name for mention in self.lattice.lexicon.phrase(option).mentions}
        menu = any(edge.mask & self.vetoed for edge in self.lattice.menu.get(option, ()))
        return menu or any(
            edge.mask & self.vetoed and edge.cost < 1 for name in names for edge in self.lattice.names[name]
        )

    def _text(self, mask: int) -> str:
        return self.lattice.written([mask])[0]

    def _doubted(self, doubt: Doubt, suggestions: Sequence[str], sought: Sought) -> OrderError:
        text = self._text(doubt.mask)
        if doubt.kinds:
            kind = min(doubt.kinds)
            nearest = suggestions or self._refusal(sought).beside(doubt.mask)
            return Ambiguous(text, "remark", suggestions=nearest, facts={"doubt": kind})
        return self._not_understood(doubt.mask, sought)

    def unexplained(self, sought: Sought) -> tuple[int, OrderError]:
        """The words of the first clause of which no option explains all, and why."""
        node = sought.furthest
        left = self.left & ~(node.used if node else 0)
        left = left & ~self.lattice.union(END) or left  # `end` fits wherever the rest does
        for clause in self.statement.clauses:
            if clause.mask & left:
                return clause.mask & left, self._not_understood(clause.mask & left, sought)
        return left, self._not_understood(left, sought)

    def _refusal(self, sought: Sought) -> Refusal:
        match, seat, virtual = self._asked
        return Refusal(self.lattice, self.menu, sought, match, seat, virtual)

    def _not_understood(self, mask: int, sought: Sought) -> OrderError:
        """Why no option explains some words."""
        clause = next((clause.mask for clause in self.statement.clauses if clause.mask & mask), mask)
        return self._refusal(sought).of(mask, clause)


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
            return NotPossible(text, "turn_over", facts=facts)
        offered = self.offered(asked.decision if asked else None, verbs)
        if names and asked and self.order(next(iter(offered), ""), names) in facts["asked"]["options"]:
            return NotPossible(text, "together", facts=facts)
        reason = "not_now" if verbs and not offered else "not_this"
        return NotPossible(text, reason, suggestions=suggestions, facts=facts)

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
        every = [(edge, name) for name, edges in self.lattice.names.items() for edge in edges if not edge.mask & ~mask]
        every.sort(key=lambda entry: (-entry[0].mask.bit_count(), entry[0].cost))
        taken, said = 0, []
        for edge, name in every:
            same = {other for beside, other in every if (beside.mask, beside.cost) == (edge.mask, edge.cost)}
            if not edge.mask & taken and same == {name}:
                said.append((edge, name))
            taken |= edge.mask
        return [Named(name, edge.role) for edge, name in sorted(said, key=lambda entry: entry[0].start)]

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
