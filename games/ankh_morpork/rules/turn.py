"""A turn, from the win check to the refilled hand (R-TRN-1), and the turns one after another."""

from collections.abc import Callable

from games.ankh_morpork.data.cards import CARD
from games.ankh_morpork.position.options import COLOURS, END, USE_IN
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.rules import effects
from games.ankh_morpork.rules.areas import usable
from games.ankh_morpork.rules.asking import Asking, Effect
from games.ankh_morpork.rules.legal import first_play, plays
from games.ankh_morpork.rules.symbols import TurnOver, carry_out, side_actions, take_side_action
from games.ankh_morpork.rules.winning import met
from games.ankh_morpork.text import log
from pbem.protocol import Decision, Seat

__all__ = ["effects", "turns"]  # importing the effects registers them

_TURN_FACTS = log.asked()
#: By the card that lies in the play area; the last is for none.
_CLOSE_FACTS = (*map(log.asked, CARD), _TURN_FACTS)


def turns(match: Table, at_start: Callable[[], None]) -> Effect:
    """Turn after turn, until `GameOver`; `at_start` is called where a snapshot may begin."""
    while True:
        at_start()
        me = match.actor
        match.tell(log.TurnBegan(match.turn, COLOURS[me]))
        if met(match, me):
            match.finish("goal")
        try:
            card = yield from first_card(match, me)
            if card >= 0:
                yield from carry_out(match, me, card)
            yield from close(match, me)
        except TurnOver:
            pass
        match.foreseeable_end |= match.reveals == match.unrevealed
        match.tidy()
        match.closed = 0
        match.draw_cards(me, match.hand_limit(me) - len(match.hands[me]), "refill")
        match.reveals += 1
        match.tell(log.TurnEnded(match.turn, COLOURS[me]))
        match.turn += 1
        match.actor = Seat(match.others(me)[0])


def first_card(match: Table, me: Seat) -> Asking:
    """The card the turn begins with (R-TRN-3), or -1 with nothing to play (R-TRN-4)."""
    while True:
        cards = plays(match, me)
        uses = usable(match, me)
        if not cards and not uses:
            break
        if cards:
            auto = cards[0] if len(cards) == 1 and not uses else None  # asked, or it would show what else is held
            options = cards + USE_IN[uses]
            option = yield Decision(match.actor, "turn", options, first_play(cards), auto=auto, facts=_TURN_FACTS)
        else:
            option = yield Decision(match.actor, "turn", (*USE_IN[uses], END), END, decline=END, facts=_TURN_FACTS)
        if option is END:
            break
        if option in cards:
            return option.value
        yield from take_side_action(match, me, option)
    match.tell(log.Passed(COLOURS[me]))
    return -1


def close(match: Table, me: Seat) -> Effect:
    """After the last card: the powers still to be used, or Doctor Mossy Lawn."""
    while True:
        uses = usable(match, me)
        options = side_actions(match, me, uses)
        if not options:
            return
        facts = _CLOSE_FACTS[match.in_play]
        option = yield Decision(
            Seat(me), "close", (*options, END), END, auto=None if uses else END, decline=END, facts=facts
        )
        if option is END:
            return
        yield from take_side_action(match, me, option)
