"""Dice and shuffles: one stream a purpose."""

from __future__ import annotations

from collections import Counter

from games.ankh_morpork.position.dice import DECK, DICE, PICKS, Dice


def test_streams_do_not_disturb_one_another() -> None:
    undisturbed = Dice(bytes(32))
    numbers = [undisturbed.die() for _ in range(20)]
    disturbed = Dice(bytes(32))
    disturbed.shuffle(DECK, list(range(50)))
    assert [disturbed.die() for _ in range(20)] == numbers


def test_dice_go_on_where_they_were() -> None:
    dice = Dice(bytes(32))
    for _ in range(13):
        dice.die()
    twin = Dice(dice.seed, dice.used)
    assert [dice.below(DICE, 7) for _ in range(9)] == [twin.below(DICE, 7) for _ in range(9)]


def test_dice_are_fair() -> None:
    dice = Dice(bytes(range(32)))
    rolls = Counter(dice.die() for _ in range(6000))
    assert sorted(rolls) == list(range(1, 13))
    assert all(400 < count < 600 for count in rolls.values())


def test_a_shuffle_keeps_every_card() -> None:
    cards = list(range(53))
    Dice(bytes(32)).shuffle(PICKS, cards)
    assert sorted(cards) == list(range(53)) != cards


def test_scripted_dice_are_rolled_first() -> None:
    dice = Dice(bytes(32), scripted=[8, 3])
    assert [dice.die(), dice.die()] == [8, 3]
    assert 1 <= dice.die() <= 12
