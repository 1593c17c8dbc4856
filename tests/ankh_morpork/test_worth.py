"""The bot has an entry for whatever the data and the rules have, and none besides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.ankh_morpork.bot.sight import Sight
from games.ankh_morpork.bot.worth import NAMING, POWERS, SCROLLS, kept
from games.ankh_morpork.data.cards import AREAS, CARDS
from games.ankh_morpork.position.options import COLOURS
from games.ankh_morpork.rules.asking import EFFECTS

Sit = Callable[..., Any]
#: A position in which every scroll that begins with a choice has something to choose.
BUSY = (
    "blue $40 holds 2 | green $40 holds 2 | red* $40 is lord-rust holds {},groat | Isle of Gods R G ! [G] | Dimwell B [B]"
    " | Unreal Estate R [R] | The Hippo R"
)


def first_choices(table: Sit, card: str) -> list[str]:
    """What could be done first with the scroll of a card."""
    (held,) = [held for held in table(BUSY.format(card)).view("Red")["private"]["hand"] if held["id"] == card]
    return [text for today in held["today"] if today["symbol"] == "scroll" for text in today["targets"]]


def test_every_scroll_that_is_not_chosen_has_an_entry_and_no_entry_is_without_effect() -> None:
    assert {card.effect for card in CARDS if "scroll" in card.symbols} == EFFECTS.keys()
    assert EFFECTS.keys() >= SCROLLS.keys() | NAMING.keys()
    assert SCROLLS.keys() >= {effect for effect in EFFECTS if EFFECTS[effect].opens != "choice"}


def test_every_power_has_an_entry() -> None:
    assert POWERS.keys() == {area.power_kind for area in AREAS if area.slug != "small-gods"}


@pytest.mark.parametrize("card", [card for card in CARDS if card.effect in EFFECTS], ids=lambda card: card.id)
def test_what_a_scroll_names_has_an_entry(table: Sit, card: Any) -> None:
    names = any(text.startswith("target ") for text in first_choices(table, card.id))
    assert names == (card.effect in NAMING and EFFECTS[card.effect].opens == "choice")


@pytest.mark.parametrize(
    "card",
    [card for card in CARDS if card.effect in EFFECTS.keys() - SCROLLS.keys() - NAMING.keys()],
    ids=lambda card: card.id,
)
def test_what_is_worth_its_options_has_some(table: Sit, card: Any) -> None:
    assert first_choices(table, card.id)


def worth(table: Sit, effect: str, position: str, *arguments: object) -> float:
    """What a scroll is worth to Red."""
    return SCROLLS[effect](Sight(table(f"red is lord-rust | {position}").view("Red")), *arguments)


@pytest.mark.parametrize(
    ("effect", "arguments", "few", "many"),
    [
        ("draw_from_discard", (2,), "discards groat", "discards groat, modo"),
        ("draw_per_own_building", (1,), "green", "Dimwell [R]"),
        ("each_other_removes_own", (), "green", "blue"),
        ("loan", (10,), "red $8", "red $7"),
        ("money_per_building", (1,), "green", "Dimwell [G]"),
        ("money_per_minion_in_area", ("isle-of-gods",), "Dimwell G", "Isle of Gods G"),
        ("money_per_trouble", (1,), "green", "Dimwell !"),
        ("play_two", (), "red holds drumknott", "red holds drumknott, groat"),
        ("play_two", (), "red holds drumknott, groat", "red holds drumknott, groat, modo"),
        ("swap_personality", (), "blue | " + " | ".join(f"{area.name} R" for area in AREAS[:5]), "blue"),
        ("discard_for_money", (2,), "red holds mr-bent", "red holds the-peeled-nuts"),
    ],
)
def test_a_scroll_is_worth_more_where_there_is_more_to_have(
    table: Sit, effect: str, arguments: tuple[object, ...], few: str, many: str
) -> None:
    assert worth(table, effect, few, *arguments) < worth(table, effect, many, *arguments)


@pytest.mark.parametrize(
    ("effect", "arguments", "position", "more"),
    [
        ("draw_from_discard", (2,), "discards groat, modo", "discards groat, modo, susan"),
        ("play_two", (), "red holds drumknott, 2", "red holds drumknott, 3"),
        ("discard_for_money", (2,), "red holds the-peeled-nuts", "red holds the-peeled-nuts, gaspode"),
    ],
)
def test_a_scroll_is_worth_no_more_than_it_takes(
    table: Sit, effect: str, arguments: tuple[object, ...], position: str, more: str
) -> None:
    assert worth(table, effect, position, *arguments) == worth(table, effect, more, *arguments)


def test_a_scroll_against_all_others_counts_each_of_them(table: Sit) -> None:
    dollar = Sight(table("red is lord-rust").view("Red")).aims.money
    assert worth(table, "take_from_each_other", "green", 2) == 2 * dollar
    assert worth(table, "take_from_each_other", "yellow", 2) == 6 * dollar


def test_a_card_is_sold_for_what_the_buyer_has(table: Sit) -> None:
    sight = Sight(table("red | green $1 | blue $2 | yellow $3").view("Red"))
    poor, able, rich = (NAMING["sell_card"](sight, colour, 2) for colour in COLOURS[1:])
    assert poor < able == rich


def test_a_goal_that_is_far_away_is_given_up(table: Sit) -> None:
    near, far = (" | ".join(f"{area.name} R" for area in AREAS[:count]) for count in (2, 1))
    assert (
        worth(table, "swap_personality", f"blue | {near} | turn 1")
        <= 0
        < worth(table, "swap_personality", f"blue | {far}")
    )


def test_an_interrupt_is_kept_before_a_card_that_does_nothing(table: Sit) -> None:
    sight = Sight(table("red is lord-rust").view("Red"))
    assert kept(sight, "Gaspode") > kept(sight, "Groat") > kept(sight, "The Peeled Nuts")
