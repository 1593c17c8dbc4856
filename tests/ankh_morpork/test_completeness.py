"""Every card, event, area, personality and rule is named by something that runs."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from games.ankh_morpork.data.cards import AREAS, CARDS, EVENTS, PERSONALITIES

HERE = Path(__file__).parent
RULES = (files("games.ankh_morpork") / "RULES.md").read_text("utf-8")
RULE_NUMBER = re.compile(r"R-[A-Z]{3}-[A-Z0-9]+")
PYTHON = "\n".join(path.read_text("utf-8") for path in HERE.glob("test_*.py") if path.name != Path(__file__).name)
TABLES = {
    name: tomllib.loads((HERE / f"{name}s.toml").read_text("utf-8"))[kind]
    for name, kind in (("scenario", "scenario"), ("position", "row"))
}
ENTRIES = [entry for entries in TABLES.values() for entry in entries]
ORDERS = "\n".join(order for entry in ENTRIES for order in entry.get("orders", ()))
NAMED = repr(ENTRIES) + PYTHON


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_every_card_is_played(card: object) -> None:
    name = CARDS[card.index].name  # type: ignore[attr-defined]
    assert f": play {name}" in ORDERS or f": interrupt {name}" in ORDERS


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.id)
def test_every_event_happens(event: object) -> None:
    assert EVENTS[event.index].id in NAMED  # type: ignore[attr-defined]


@pytest.mark.parametrize("area", [area for area in AREAS if area.slug != "small-gods"], ids=lambda a: a.slug)
def test_every_power_is_used(area: object) -> None:
    assert f": use {AREAS[area.index].name}" in ORDERS  # type: ignore[attr-defined]


def test_the_power_of_small_gods_is_used() -> None:
    assert ": protect " in ORDERS


@pytest.mark.parametrize("personality", PERSONALITIES, ids=lambda personality: personality.id)
def test_every_personality_wins_or_loses(personality: object) -> None:
    assert f"'{PERSONALITIES[personality.index].id}'" in NAMED  # type: ignore[attr-defined]


@pytest.mark.parametrize("rule", sorted(set(RULE_NUMBER.findall(RULES))))
def test_every_rule_is_named_by_a_test(rule: str) -> None:
    assert re.search(rf"{rule}\b", NAMED)
