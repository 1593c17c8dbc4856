"""A mail read against a match: which options it says, up to the first reveal, or why it is not clear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.errors import Ambiguous, OrderError
from pbem.orders.lattice import Lattice
from pbem.orders.lexicon import lexicon
from pbem.orders.readings import END, Explainer, Memory
from pbem.orders.refusal import Refusal
from pbem.orders.search import Again, Node, Search, Sought
from pbem.orders.statement import Clause, Statement, affirmed, state
from pbem.protocol import Decision, Match, Seat, Vocabulary

#: Corrections in one mail.
MOST_CORRECTIONS = 2
#: Words that options have to explain in one mail.
MOST_MEANT = 60


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
            if sought.best and not (veto & used and self._gives_up(sought.best, veto)):
                break
            sought = replace(sought, best=None)
        self.vetoed |= veto & used if sought.best else 0
        self.used = used
        return sought

    def _gives_up(self, node: Node, veto: int) -> bool:
        """Whether `instead of` before words that are not to be may belong to an option that gives something up."""
        roles = {edge.role for edges in self.lattice.names.values() for edge in edges if edge.mask & veto}
        phrases = [self.lattice.lexicon.phrase(choice.text) for choice in node.choices]
        return "instead" in roles and any(m.role == "instead" for phrase in phrases for m in phrase.mentions)

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
        renamed = self._renamed(active[-1], new)
        if renamed and before and before.choices and not before.used & active[-1]:
            # it lies behind a reveal, where nothing can be tried: a name takes the place of its like
            self._drop(active[-1] & ~renamed, said)
            self.meant |= new
            active[-1] = renamed
            return
        for dropped in range(1, len(active) + 1):
            kept = [*active[:-dropped], new]
            node = self._search(match, seat, virtual, sum(kept), self.used | ~sum(kept) & (self.meant | new)).best
            bare = not new & ~self.lattice.bare_no()
            same = node and before and node.texts == before.texts
            if node and before and same and not bare and not (new & ~node.used or active[-dropped] & ~before.used):
                self._drop(new, said)  # it says the same once more: `Green, sorry Bob!`
                return
            if node is None or before is None or bare or not self._same_question(before, node):
                continue
            self._drop(sum(active[-dropped:]), said)
            self.meant |= new
            active[:] = kept
            if dropped > 1:
                self.doubts.append(Doubt(sum(clause.mask for clause in said), said[0].doubts))
            return
        no = sum(clause.mask & self.lattice.bare_no() for clause in said)
        every = sum(active) | new | no
        if all(not clause.meant for clause in said) and no:
            node = self._search(match, seat, virtual, every, self.used | ~every & self.meant).best
            if node and any(choice.refuses and choice.mask & no for choice in node.choices):
                self.meant |= new | no  # it corrects nothing, and declines something
                active.append(new)
                return
        self.doubts.append(Doubt(new | sum(clause.mask for clause in said), said[0].doubts))
        self.meant &= ~new
        self.used |= new

    def _drop(self, mask: int, said: Sequence[Clause]) -> None:
        """Mean some words no more, because of what is said behind them."""
        self.meant &= ~mask
        self.used |= mask | sum(clause.mask & ~clause.meant for clause in said)

    def _renamed(self, old: int, new: int) -> int:
        """The words of an order with its one name replaced by another of the same kind, where that is all that is new."""
        for kind in self.lattice.kinds.values():
            if new & kind == new and old & kind:
                return old & ~kind | new
        return 0

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
