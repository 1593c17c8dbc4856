"""What the bot reads in an option, and what it is worth to a decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.ankh_morpork.bot.choose import VERBS, appraise, parsed
from games.ankh_morpork.bot.sight import Sight
from games.ankh_morpork.bot.worth import kept
from games.ankh_morpork.data.cards import CARD
from games.ankh_morpork.text.log import asked
from games.ankh_morpork.text.words import VOCABULARY

Sit = Callable[..., Any]


@pytest.fixture
def sight(table: Sit) -> Sight:
    """What Red sees, who wants no trouble and stands beside Green in Dimwell."""
    return Sight(table("red is lord-rust | Dimwell R G").view("Red"))


def test_every_verb_is_appraised_or_declines() -> None:
    assert VERBS.keys() == VOCABULARY.verbs.keys() - {"play", "skip", "end", "pass", "refuse", "done"}


def test_declining_is_worth_nothing(sight: Sight) -> None:
    assert appraise(sight, {}, "skip") == 0


def test_a_minion_that_comes_quietly_brings_no_trouble(sight: Sight) -> None:
    by_scroll = appraise(sight, {"card": "Deep Dwarves", "symbol": "scroll"}, "minion Dimwell")
    by_symbol = appraise(sight, {"card": "Deep Dwarves", "symbol": "minion"}, "minion Dimwell")
    by_another = appraise(sight, {"card": "Mr Slant", "symbol": "scroll"}, "minion Dimwell")
    assert by_scroll > by_symbol == by_another


def test_a_card_is_discarded_for_the_money_alone(sight: Sight) -> None:
    loss = -kept(sight, "Groat")
    assert appraise(sight, asked(from_="Red"), "discard Groat") == loss
    assert appraise(sight, asked(from_="Red", amount=2), "discard Groat") == loss + 2 * sight.aims.money
    assert appraise(sight, asked(from_="Green"), "discard Groat") == -loss


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("move Red from Dimwell to The Shades", ["Red", "Dimwell", "The Shades"]),
        ("swap troll in Small Gods with Blue in Nap Hill", ["troll", "Small Gods", "Blue", "Nap Hill"]),
        ("build The Hippo instead of Longwall", ["The Hippo", "Longwall"]),
        ("protect building in The Scours", ["building", "The Scours"]),
        ("give $1", []),
        ("Red pays Blue", ["Red", "Blue"]),
    ],
)
def test_the_names_are_read_from_an_order_text(text: str, names: list[str]) -> None:
    assert parsed(text)[1] == names


@pytest.mark.parametrize("name", CARD)
def test_each_card_is_read_from_an_order_text(name: str) -> None:
    assert parsed(f"discard {name}") == ("discard", [name])
