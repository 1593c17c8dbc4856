"""Carrying out what players write, by the rules of play by mail: pure, and it never touches the match it is given.

A mail is one statement. Nothing of it happens while a doubt stands and nothing has been revealed; after a reveal what
came before stands. Windows are answered from the policies of their seats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pbem.errors import NotPossible, OrderError
from pbem.orders.outcome import NO_PRESETS, Line, Outcome, Play, Presets, Problem, Verdict
from pbem.orders.reader import Reader
from pbem.orders.readings import DONE, END
from pbem.orders.search import Choice
from pbem.protocol import Decision, Game, Match, Option, Seat

#: What an option's decisions name in their facts when they are its own: a card that is played, an area that is used.
CAUSES = ("card", "cause")


class Orders:
    """The words of one mail, answering one decision after another."""

    def __init__(self, play: Play, reader: Reader) -> None:
        self.play = play
        self.reader = reader
        self.plan: list[Choice] = []
        #: Once `end` is said, whatever may be declined is declined.
        self.ending = False
        #: The decision before this one was of the kind that is asked again until `done`.
        self.picking = ""
        #: What the mail itself began, or found begun: its decisions are not foreign.
        self.own = self._causes(play.decision) if play.decision else set()
        #: What the rules left no choice in since the last choice, as far as no words said it.
        self.unsaid: list[Decision] = []
        #: What became of which words; those of no words came by themselves.
        self.results: list[tuple[int, Line]] = []
        self.problem: OrderError | None = None
        self.proposal: tuple[str, ...] = ()

    def carry_out(self) -> Outcome:
        """Go on until the words run out, are in doubt, or somebody must be asked."""
        begun = bool(self.reader.meant or self.reader.doubts)
        if begun and self.play.decision:
            self.reader.correct(self.play.match, self.play.decision.seat, self.play.forced)
            begun = self._read()
        while begun and self.play.match.pending and self._go_on():
            pass
        self._put_aside()
        self.play.lines += self._lines()
        if self.problem and not self.play.revealed:
            return self.play.nothing(self.proposal)
        return self.play.outcome()

    def _go_on(self) -> bool:
        decision = self.play.decision
        if decision is None:
            return self.play.preset_others()
        if not self.play.just_begun and (decision.window or (self.play.revealed and self._foreign(decision))):
            option = self.play.preset(decision)
            return option is not None and self.play.take(option)
        if self.plan:
            return self._next()
        if (self.reader.left or self.reader.again) and not self.ending:
            return self._read()
        option = decision.auto
        if option is None and self.ending:
            option = decision.decline
        if option is None and self.picking == decision.kind and decision.decline and decision.decline.text == DONE:
            return False
        return option is not None and self._take(Choice(option.text, automatic=True))

    def _causes(self, decision: Decision) -> set[object]:
        return {decision.facts[fact] for fact in CAUSES if decision.facts.get(fact)}

    def _foreign(self, decision: Decision) -> bool:
        """Whether a decision comes from something that nobody could know of before a reveal."""
        return not self._causes(decision) <= self.own

    def _read(self) -> bool:
        """Find the options that the words that are left say."""
        decision = self.play.decision
        assert decision is not None, "the seat is asked"
        sought = self.reader.read(self.play.match, decision.seat, self.play.forced, self.picking)
        problem = self.reader.problem(sought)
        if problem and self._counts_as_pass(decision, problem[1]):
            return False
        if problem is None and sought.best is not None:
            if not sought.best.choices and self.reader.left:
                return False
            self.plan = list(sought.best.choices)
            while self.plan and self.plan[0].forced:
                self._next()
            return True
        assert problem is not None, "what is not read is a problem"
        words, self.problem = problem
        mask = self.reader.clauses(words)
        node = sought.best or sought.furthest
        sure = [choice for choice in node.choices if not choice.rivals] if node else []
        if node and len(sure) == len(node.choices):
            # What leaves out an order before another one is not what the player wrote.
            before = (1 << (node.used & self.reader.meant).bit_length()) - 1
            self.proposal = () if self.reader.meant & before & ~(node.used | mask) else node.texts
        if node:
            self.results += [
                (choice.mask, Line("", "set_aside", choice.text))
                for choice in sure
                if choice.mask and not choice.mask & mask
            ]
            self.reader.used |= node.used
        self.reader.used |= mask
        self.results.append((mask, Line("", "refused", problem=Problem.of(self.problem))))
        return False

    def _counts_as_pass(self, decision: Decision, error: OrderError) -> bool:
        """Whether a sealed answer is one that the seat cannot play: then it declines, and is acknowledged alike."""
        names = error.facts.get("names")
        if (
            self.play.presets.reactions != "sealed"
            or not (decision.window and decision.decline)
            or not (isinstance(error, NotPossible) and isinstance(names, list) and names)
        ):
            return False
        said = f"{error.facts.get('verb', decision.decline.text)} {' '.join(names)}"
        verdict: Verdict = "done" if self.play.take(decision.decline) else "set_aside"
        self.results.append((self.reader.left, Line("", verdict, said)))
        self.reader.used |= self.reader.left
        return True

    def _next(self) -> bool:
        """Carry out the next choice of the plan."""
        choice = self.plan.pop(0)
        if choice.text == END:
            self.ending = True
            self.reader.used |= choice.mask
            self.results.append((choice.mask, Line("", "done", END)))
            return True
        about = self._given_up(choice.text) if choice.forced else ""
        going = choice.forced or self._take(choice)
        verdict: Verdict = "corrected" if choice.corrected else "done"
        self.reader.used |= choice.mask
        if choice.mask:
            self.results.append((choice.mask, Line("", verdict if going else "set_aside", choice.text, about=about)))
        while going and self.plan and self.plan[0].forced:
            going = self._next()
        return going

    def _given_up(self, text: str) -> str:
        """The kind of the next decision that the rules left no choice in but to decline it, by these words."""
        while self.unsaid:
            decision = self.unsaid.pop(0)
            if decision.decline and decision.decline.text == text:
                return decision.kind
        return ""

    def _take(self, choice: Choice) -> bool:
        decision = self.play.decision
        phrase = self.reader.lattice.lexicon.phrase(choice.text)
        self.own |= {mention.name for mention in phrase.mentions}
        self.reader.memory = self.reader.memory.after(phrase) if choice.mask else self.reader.memory
        self.reader.again = choice.again
        self.play.forced.clear()
        if not self.play.take(Option(choice.text)):
            self.plan.clear()
            return False
        self.unsaid = list(self.play.forced)
        self.picking = decision.kind if decision else ""
        if choice.automatic:
            self.results.append((0, Line("", "automatic", choice.text)))
        return True

    def _put_aside(self) -> None:
        """What becomes of the words that were not reached."""
        lattice = self.reader.lattice
        over = lattice.union("end") | lattice.union("no") | lattice.union("yes") if self.play.turn_over else 0
        for choice in self.plan:
            if choice.mask:
                self.results.append(
                    (choice.mask, Line("", "set_aside" if choice.mask & ~over else "done", choice.text))
                )
                self.reader.used |= choice.mask
        for clause in self.reader.statement.clauses:
            left = clause.mask & self.reader.left
            if left:
                self.results.append((left, Line("", "set_aside" if left & ~over else "done")))
        remarks: dict[int, int] = {}
        for mask in self.reader.chat:
            line = lattice.tokens[(mask & -mask).bit_length() - 1].line
            remarks[line] = remarks.get(line, 0) | mask
        self.results += [(mask, Line("", "chat")) for mask in remarks.values()]

    def _lines(self) -> list[Line]:
        """What became of each part of the mail, in the order written."""
        texts = iter(self.reader.lattice.written([mask for mask, _ in self.results if mask]))
        placed, last = [], 0
        for mask, result in self.results:
            last = (mask & -mask).bit_length() if mask else last
            text = next(texts) if mask else ""
            placed.append((last, replace(result, text=text)))
        return [result for _, result in sorted(placed, key=lambda entry: entry[0])]


def carry_out(
    game: Game,
    match: Match,
    seat: Seat,
    lines: Sequence[str],
    presets: Presets = NO_PRESETS,
    *,
    menu: Sequence[str] = (),
    names: Mapping[str, str] | None = None,
) -> Outcome:
    """Carry out what a mail says for a seat: all its typed lines, but for mail commands.

    `menu` holds the numbered options of its newest ask, `names` the colour of each player by name.
    """
    play = Play(game, match, seat, presets)
    return Orders(play, _reader(play, lines, menu, names)).carry_out()


def preview(
    game: Game,
    match: Match,
    seat: Seat,
    lines: Sequence[str],
    presets: Presets = NO_PRESETS,
    *,
    menu: Sequence[str] = (),
    names: Mapping[str, str] | None = None,
) -> Outcome:
    """What the lines would do, up to the first order that could reveal something or ends the turn.

    The outcome's match is the one given, unchanged; `ahead` is how it would be.
    """
    play = Play(game, match, seat, presets, cautious=True)
    if play.decision is None:
        return play.nothing()
    return Orders(play, _reader(play, lines, menu, names)).carry_out()


def _reader(play: Play, lines: Sequence[str], menu: Sequence[str], names: Mapping[str, str] | None) -> Reader:
    assert play.seat is not None, "a seat writes"
    me = play.game.colours[play.seat]
    return Reader(play.game.vocabulary, lines, menu=menu, me=me, names=names)


def answer_presets(game: Game, match: Match, presets: Presets) -> Outcome:
    """Take what bots, policies and earlier answers say, until somebody must be asked."""
    play = Play(game, match, None, presets)
    while play.preset_others():
        pass
    return play.outcome()


def take_defaults(game: Game, match: Match, seat: Seat, presets: Presets = NO_PRESETS) -> Outcome:
    """Give each of the seat's decisions its own default, until its turn or the question put to it is over."""
    return choose_for(Play(game, match, seat, presets), lambda play, decision: decision.default)


def take_bot(game: Game, match: Match, seat: Seat, presets: Presets) -> Outcome:
    """Let a bot make the seat's choices, until its turn or the question put to it is over."""
    return choose_for(
        Play(game, match, seat, presets), lambda play, decision: presets.bot(game, play.match, decision, play.taken)
    )


def choose_for(play: Play, choice: Callable[[Play, Decision], Option]) -> Outcome:
    """Choose for a silent seat; other seats answer without a mail or are waited for."""
    acting = play.match.actor in (None, play.seat)
    while play.match.pending:
        decision = play.decision
        if decision is None:
            if not play.preset_others():
                break
            continue
        option = play.preset(decision) if decision.window else None
        if option is None and decision.window and not (acting or play.just_begun or play.answer()):
            break  # a new question, which its player is to be asked; the rest of an answer to a group is none
        play.take(option or choice(play, decision))
    return play.outcome()
