"""What a report gives as an example can be sent as it stands, and a whole turn fits into one mail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from games.ankh_morpork import GAME
from games.ankh_morpork.data.cards import CARDS
from games.ankh_morpork.match import Match
from pbem.orders.outcome import Outcome
from pbem.orders.referee import carry_out
from pbem.protocol import Seat, decision_of
from pbem.reports import contexts

#: A city in which nearly everything can be done: each of the cards is put into Red's hand.
RICH = (
    "3 players | turn 9 | red* $40 is lord-rust holds {card}, groat, the-royal-mint | green $9 is chrysoprase"
    " holds 5 | blue $11 is commander-vimes holds 5 | Nap Hill R [R] | Dolly Sisters R G B ! | Dragon's Landing R B"
    " | Unreal Estate R G T ! | Small Gods R2 | The Scours G B2 ! | The Shades R B2 D ! | Longwall R B"
    " | Dimwell R G2 [G] | discards the-dean, mr-boggis, hex, modo | draw 41"
)
#: The same with next to nothing: no money, few pieces, no trouble.
POOR = (
    "2 players | red* $0 is lord-rust holds {card} | green $3 is chrysoprase holds 1 | Dimwell R | Nap Hill G | draw 30"
)
RED = Seat(0)
PLAYED = [card for card in CARDS if "interrupt" not in card.symbols]
ReportOf = Callable[..., contexts.Report]


def sent(match: Match, lines: Sequence[str]) -> Outcome:
    """The lines in one mail."""
    return carry_out(GAME, match, match.pending[0].seat, lines)


@pytest.mark.parametrize("card", PLAYED, ids=lambda card: card.id)
def test_a_whole_turn_with_every_card_fits_into_one_mail(card: Any) -> None:
    """The player writes what each symbol is to do, as far as it can be foreseen, and `end`."""
    match = Match.from_position(RICH.format(card=card.id))
    ahead, lines = match.fork(), [f"play {card.name}"]
    option = ahead.pending[0].option(lines[0])
    assert option is not None, "with this position every card can be played"
    while option is not None:
        ahead.choose(RED, option)
        decision = decision_of(ahead, RED)
        if decision is None or decision.window or decision.kind in ("turn", "close"):
            break
        option = next((one for one in decision.options if not one.text.startswith(("use ", "skip"))), None)
        if option is not None and option is not decision.auto:
            lines.append(option.text)
    outcome = sent(match, [*lines, "end"])
    assert "refused" not in {line.verdict for line in outcome.lines}, lines
    assert outcome.lines[0].verdict == "done"
