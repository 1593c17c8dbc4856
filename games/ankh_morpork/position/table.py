"""All that changes in a match, in one place: the board, money and cards, dice and events.

Nothing here asks anybody: what can be stopped goes through `reactions`, which calls these when nobody did.
"""

from __future__ import annotations

from games.ankh_morpork.position.hands import Hands
from games.ankh_morpork.position.pieces import Pieces


class Table(Pieces, Hands):
    """A position that can be played on."""

    __slots__ = ()
