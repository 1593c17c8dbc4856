"""What the scrolls say while they are carried out: the facts of their decisions, and whom they name."""

from __future__ import annotations

from typing import Any

from games.ankh_morpork.data.cards import AREA, CARD
from games.ankh_morpork.position.options import BITS, COLOURS
from games.ankh_morpork.position.table import Table
from games.ankh_morpork.text import log

#: By card: the facts of a decision of its scroll, but for what the scroll adds.
_FACTS = tuple(log.asked(card, "scroll") for card in CARD)


def about(match: Table, **more: Any) -> dict[str, Any]:
    """The facts of a decision of the scroll that is being carried out: the keys are those of `log.asked`."""
    return {**_FACTS[match.card], **more}


def named(match: Table, me: int, victim: int) -> str:
    """Log whom a scroll names; the name of its card."""
    match.tell(log.TargetNamed(COLOURS[me], COLOURS[victim], CARD[match.card]))
    return CARD[match.card]


def names(areas: int) -> tuple[str, ...]:
    """The names of these areas."""
    return tuple([AREA[area] for area in BITS[areas]])
