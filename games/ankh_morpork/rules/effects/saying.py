"""What the scrolls say while they are carried out: the facts of their decisions, and whom they name."""

from __future__ import annotations

from games.ankh_morpork.data.cards import CARD
from games.ankh_morpork.position.options import COLOURS
from games.ankh_morpork.position.table import Table


def about(match: Table, **more: object) -> dict[str, object]:
    """The facts of a decision of the scroll that is being carried out."""
    return {"card": CARD[match.card], "symbol": "scroll", **more}


def named(match: Table, me: int, victim: int) -> str:
    """Log whom a scroll names; the name of its card."""
    match.tell("TargetNamed", colour=COLOURS[me], target=COLOURS[victim], card=CARD[match.card])
    return CARD[match.card]
