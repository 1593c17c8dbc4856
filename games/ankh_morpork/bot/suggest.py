"""Whole turns that a seat could send, each as the simple computer player would play one of its cards.

They are found by trying them on copies of the match, each up to the first choice that could reveal something: until then
nothing happens that the seat does not know of, and what comes of that last choice is not looked at.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.ankh_morpork.bot.choose import bot
from games.ankh_morpork.match import Match
from games.ankh_morpork.position.options import END, PLAY, SKIP, USE
from pbem.protocol import Decision, Option, Seat, Suggestion, decision_of

#: The bot has its whims; these are always the same.
WHIM = bytes(32)
#: Orders of one turn, and others in the place of one; more are not looked over at a glance.
MOST, MOST_OTHERS = 6, 12
_PLAYS = frozenset(PLAY)
_USES = frozenset(option.text for option in USE)


class Step(NamedTuple):
    """One choice of a turn."""

    text: str
    #: Whether it is made when nobody says anything.
    by_itself: bool = False
    #: What else could be said there with the same verb.
    others: tuple[str, ...] = ()


def suggest(match: Match, seat: Seat) -> list[Suggestion]:
    """Turns that take some orders, at most one turn a card that can be played now."""
    decision = decision_of(match, seat)
    cards = [option for option in decision.options if option in _PLAYS] if decision else []
    turns = (written(list(whole_turn(match, seat, card))) for card in cards)
    return [
        Suggestion(tuple(step.text for step in turn), tuple(step.others for step in turn))
        for turn in turns
        if 1 < len(turn) <= MOST
    ]


def whole_turn(match: Match, seat: Seat, option: Option) -> Iterator[Step]:
    """The choices of a seat's turn that goes on with an option, which is always said."""
    ahead, step = match.fork(), Step(option.text)
    while True:
        yield step
        ahead.choose(seat, option)
        decision = decision_of(ahead, seat)
        if (ahead.reveals, ahead.turn) != (match.reveals, match.turn) or decision is None or decision.window:
            return
        option = decision.auto or bot(ahead.view(seat), decision, WHIM)
        step = Step(option.text, decision.auto is not None, others(decision, option))


def others(decision: Decision, taken: Option) -> tuple[str, ...]:
    """The other options with the verb of the one that is taken; none where they are too many."""
    verb = taken.text.partition(" ")[0]
    texts = tuple(option.text for option in decision.options if option is not taken)
    texts = tuple(text for text in texts if text.partition(" ")[0] == verb)
    return texts if len(texts) <= MOST_OTHERS else ()


def written(steps: Sequence[Step]) -> list[Step]:
    """Choices as a player would write them: without what is done by itself, unless the next order could come before it; and
    with `end` for all that is declined last."""
    last = max(at for at, step in enumerate(steps) if not step.by_itself and step.text not in (END.text, SKIP.text))
    kept: list[Step] = []
    early = False
    for step in reversed(steps[: last + 1]):
        if early or not step.by_itself:
            kept.insert(0, step)
        if not step.by_itself:
            early = step.text == SKIP.text or step.text in _USES
    return kept if all(step.by_itself for step in steps[last + 1 :]) else [*kept, Step(END.text)]
