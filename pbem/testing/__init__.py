"""Whether a game keeps the promises of `pbem.protocol`: for its own tests, `pbem game check` and `pbem doctor`.

from pbem.testing import check

def test_the_game_keeps_its_promises() -> None:
    check(GAME)
"""

from pbem.testing.check import Figures, check, quick
from pbem.testing.promises import RESERVED, Played, PromiseBroken

__all__ = ["RESERVED", "Figures", "Played", "PromiseBroken", "check", "quick"]
