"""Carrying out what players write, by the rules of play by mail: pure, and it never touches the match it is given.

Lines answer decisions in sequence. Nothing of a mail happens when a line is wrong and nothing has been revealed;
after a reveal what came before stands. Windows are answered from the policies of their seats.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from pbem.errors import Ambiguous, NotPossible, NotUnderstood, OrderError
from pbem.orders.intent import Doubt, Typo
from pbem.orders.match import END, Matched, is_end, is_refusal, match_line, offers, split_orders
from pbem.orders.outcome import NO_PRESETS, LineResult, Outcome, Play, Presets, Verdict
from pbem.orders.suggest import MOST
from pbem.orders.words import plain
from pbem.protocol import Decision, Game, Match, Option, Seat, decision_of

#: The verb whose card the decisions that follow name in their facts.
PLAY = "play"
#: The option that ends a sequence in which several things are picked.
DONE = "done"


class Orders:
    """The lines of one mail, answering one decision after another."""

    def __init__(self, play: Play, lines: Sequence[str], menu: Sequence[str]) -> None:
        self.play = play
        self.queue = deque(
            order
            for line in lines
            for order in ([line] if isinstance(line, Doubt | Typo) else split_orders(line))
        )
        self.menu = menu
        self.vocabulary = play.game.vocabulary
        self.me = play.game.colours[play.seat] if play.seat is not None else ""
        #: Once `end` is said, whatever may be declined is declined.
        self.ending = False
        #: The decision before this one was of the kind that is asked again until `done`.
        self.picking = ""

    def carry_out(self) -> Outcome:
        """Go on until the lines run out, one is wrong, or somebody must be asked."""
        while self.play.match.pending:
            decision = self.play.decision
            if decision is None:
                going = self.play.preset_others()
            elif decision.window and not self.play.just_begun:
                going = self._window(decision)
            elif self.queue and not self.ending:
                going = self._line(decision)
            else:
                going = self._without_line(decision)
            if not going:
                break
        if any(line.verdict == "refused" for line in self.play.lines) and not self.play.revealed:
            self._put_aside()
            return self.play.nothing()
        self._put_aside()
        return self.play.outcome()

    def _window(self, decision: Decision) -> bool:
        """The seat's own chance to react, amid its own orders: the next line, else its policies, else it is asked."""
        if self.queue and not self.ending and not isinstance(self.queue[0], Doubt):
            try:
                matched = match_line(self.queue[0], decision, self.vocabulary, menu=self.menu, me=self.me)
            except OrderError:
                pass
            else:
                return self._take(matched)
        option = self.play.preset(decision)
        return option is not None and self.play.take(option)

    def _line(self, decision: Decision) -> bool:
        line = self.queue[0]
        if isinstance(line, Doubt):
            return self._doubted(line)
        if plain(line) == END:
            return self._end(line, decision)
        try:
            matched = match_line(line, decision, self.vocabulary, menu=self.menu, me=self.me)
        except OrderError as error:
            return (
                self._counts_as_pass(line, decision, error)
                or self._said_what_was_forced(line, error)
                or self._unmatched(line, decision, error)
            )
        if matched.option.text == END:
            return self._end(line, decision)
        if self._skips_what_was_skipped(matched, decision):
            return self._said_what_was_forced(line)
        return self._take(matched)

    def _counts_as_pass(self, line: str, decision: Decision, error: OrderError) -> bool:
        """Whether a sealed answer is one that the seat cannot play: then it declines, and is acknowledged alike, so that
        nobody learns from the answer what others could have played."""
        names = error.facts.get("names")
        if (
            self.play.presets.reactions != "sealed"
            or not (decision.window and decision.decline)
            or not (isinstance(error, NotPossible) and isinstance(names, list) and names)
        ):
            return False
        self.queue.popleft()
        verdict: Verdict = "done" if self.play.take(decision.decline) else "set_aside"
        said = f"{error.facts['verb']} {' '.join(names)}"
        self.play.lines.append(LineResult(line, verdict, said))
        return verdict == "done"

    def _take(self, matched: Matched) -> bool:
        decision = self.play.decision
        kind = decision.kind if decision is not None else ""
        line = self.queue[0] if matched.rest is None else matched.read
        verdict: Verdict = "corrected" if matched.how == "corrected" else "done"
        self.queue.popleft()
        if matched.rest is not None:
            self.queue.appendleft(matched.rest)
        self.play.forced.clear()
        if not self.play.take(matched.option):
            verdict = "set_aside"
        self.play.lines.append(LineResult(line, verdict, matched.option.text))
        self.picking = kind
        return verdict != "set_aside"

    def _said_what_was_forced(self, line: str, error: OrderError | None = None) -> bool:
        """Whether the line says what the rules left no choice in, so that it was taken without asking."""
        if isinstance(error, Ambiguous):
            return False
        for place, forced in enumerate(self.play.forced):
            matched = self._matched(line, forced)
            if matched is None:
                continue
            self.queue.popleft()
            if matched.rest is not None:
                self.queue.appendleft(matched.rest)
            del self.play.forced[: place + 1]
            verdict: Verdict = "corrected" if matched.how == "corrected" else "done"
            said = line if matched.rest is None else matched.read
            self.play.lines.append(LineResult(said, verdict, matched.option.text))
            return True
        return False

    def _skips_what_was_skipped(self, matched: Matched, decision: Decision) -> bool:
        """Whether a refusal is about something that went by itself before, and not about this decision: only where
        that can be told for sure, because what follows answers this decision, or this one is a gain."""
        said = matched.read if matched.rest is not None else self.queue[0]
        if matched.option is not decision.decline or not is_refusal(said):
            return False
        if not any(matched.option.text == forced.options[0].text for forced in self.play.forced):
            return False
        if decision.auto not in (None, decision.decline):
            return True
        following = matched.rest if matched.rest is not None else next(iter(list(self.queue)[1:2]), None)
        return following is not None and self._answers_this_alone(following, decision)

    def _answers_this_alone(self, line: str, decision: Decision) -> bool:
        """Whether a line takes what this decision offers, and would not answer what is asked when it is declined."""
        matched = self._matched(line, decision)
        if matched is None or matched.option is decision.decline:
            return False
        after = decision_of(self.play.after(decision.decline or decision.default), self.play.seat)
        return after is None or self._matched(line, after) is None

    def _matched(self, line: str, decision: Decision) -> Matched | None:
        try:
            return match_line(line, decision, self.vocabulary, me=self.me)
        except OrderError:
            return None

    def _end(self, line: str, decision: Decision) -> bool:
        """Decline whatever is left; what stands behind `end` is no order."""
        if decision.auto is None and decision.decline is None and self.play.just_begun:
            suggestions = [option.text for option in decision.options[:MOST]]
            return self._refuse(
                NotPossible(line, "compulsory", suggestions=suggestions, facts={"kind": decision.kind})
            )
        self.ending = True
        self.queue.popleft()
        self.play.lines.append(LineResult(line, "done", END))
        self.play.lines += [LineResult(rest, "chat") for rest in self.queue]
        self.queue.clear()
        return True

    def _unmatched(self, line: str, decision: Decision, error: OrderError) -> bool:
        """The line does not answer this decision: it may answer the next, when this one goes by itself."""
        if (
            isinstance(error, NotUnderstood)
            and error.reason in ("chat", "empty")
            and not isinstance(line, Typo)
        ):
            self.queue.popleft()
            self.play.lines.append(LineResult(line, "chat"))
            return True
        if isinstance(error, Ambiguous):
            return self._refuse(error)
        if is_end(line, self.vocabulary):
            return self._end(line, decision)
        if error.facts.get("verb") == PLAY and error.facts.get("names") == [decision.facts.get("card")]:
            self.queue.popleft()  # it is being played: said again, or played by itself for want of another
            self.play.lines.append(LineResult(line, "done", f"{PLAY} {decision.facts['card']}"))
            return True
        if decision.decline is not None and decision.decline.text == END and is_refusal(line):
            self.queue.popleft()  # what it declines was not offered
            self.play.lines.append(LineResult(line, "done"))
            return True
        option = decision.auto
        if option is None and self.picking == decision.kind and decision.decline is not None:
            option = decision.decline if decision.decline.text == DONE else None
        if option is None or self.play.ends_turn(option):
            return self._refuse(error)
        if isinstance(error, NotUnderstood) and self.play.may_reveal(option):
            return self._refuse(error)
        return self._automatically(option)

    def _doubted(self, line: Doubt) -> bool:
        """A line that may be an order is asked about if it could be one now, or when what goes by itself is done."""
        ahead = self.play.match.fork()
        decision = self.play.decision
        while decision is not None and ahead.turn == self.play.match.turn:
            meant = self._could_mean(line.sense, decision)
            if meant:
                return self._refuse(Ambiguous(line, "remark", suggestions=meant))
            if decision.auto is None or ahead.reveals != self.play.match.reveals:
                break
            ahead.choose(decision.seat, Option(decision.auto.text))
            decision = decision_of(ahead, decision.seat)
        self.queue.popleft()
        self.play.lines.append(LineResult(line, "chat"))
        return True

    def _could_mean(self, sense: str, decision: Decision) -> Sequence[str]:
        """The options that a doubtful line may mean."""
        try:
            return [match_line(sense, decision, self.vocabulary, menu=self.menu, me=self.me).option.text]
        except OrderError as error:
            may = isinstance(error, Ambiguous) or (
                error.reason == "unknown_name" and offers(decision, str(error.facts["verb"]), self.vocabulary)
            )
            return error.suggestions if may else ()

    def _without_line(self, decision: Decision) -> bool:
        option = decision.auto
        if option is None and self.ending:
            option = decision.decline
        return option is not None and self._automatically(option)

    def _automatically(self, option: Option) -> bool:
        if not self.play.take(option):
            return False
        self.play.lines.append(LineResult("", "automatic", option.text))
        self.picking = ""
        return True

    def _refuse(self, error: OrderError) -> bool:
        self.play.lines.append(LineResult(self.queue.popleft(), "refused", error=error))
        return False

    def _put_aside(self) -> None:
        """What becomes of the lines that were not reached."""
        while self.queue and self._said_what_was_forced(self.queue[0]):
            pass
        ended = False
        for line in self.queue:
            if ended or isinstance(line, Doubt):
                verdict: Verdict = "chat"
            elif self.play.turn_over and (is_refusal(line) or is_end(line, self.vocabulary)):
                verdict = "done"
            else:
                verdict = "set_aside"
            self.play.lines.append(LineResult(line, verdict))
            ended = ended or is_end(line, self.vocabulary)
        self.queue.clear()


def carry_out(
    game: Game,
    match: Match,
    seat: Seat,
    lines: Sequence[str],
    presets: Presets = NO_PRESETS,
    *,
    menu: Sequence[str] = (),
) -> Outcome:
    """Carry out a mail's order lines for a seat; `menu` holds the numbered options of its newest ask."""
    return Orders(Play(game, match, seat, presets), lines, menu).carry_out()


def preview(
    game: Game,
    match: Match,
    seat: Seat,
    lines: Sequence[str],
    presets: Presets = NO_PRESETS,
    *,
    menu: Sequence[str] = (),
) -> Outcome:
    """What the lines would do, up to the first order that could reveal something or ends the turn.

    The outcome's match is the one given, unchanged; `ahead` is how it would be.
    """
    play = Play(game, match, seat, presets, cautious=True)
    if play.decision is None:
        return play.nothing()
    return Orders(play, lines, menu).carry_out()


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
        Play(game, match, seat, presets),
        lambda play, decision: presets.bot(game, play.match, decision, play.taken),
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
