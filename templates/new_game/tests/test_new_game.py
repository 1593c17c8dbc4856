"""New Game keeps what pbem.protocol promises, and its own rules."""

from new_game import GAME

from pbem.protocol import Option, Seat
from pbem.testing import check

SEED = bytes(32)


def test_the_game_keeps_its_promises() -> None:
    check(GAME)


def test_whoever_takes_the_last_stick_wins() -> None:
    match = GAME.new(2, SEED, {"sticks": "10"})
    for seat, order in ((0, "take 3"), (1, "take 3"), (0, "take 3"), (1, "take 1")):
        match.choose(Seat(seat), Option(order))
    assert match.result is not None
    assert match.result.winners == (1,)
