"""Every row of positions.toml is played on the engine; the format is explained at the top of that file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.ankh_morpork.data.cards import AREAS, CARDS, NAMES, plain
from games.ankh_morpork.position import notation as position

ROWS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("positions.toml").read_text("utf-8"))["row"]
SEATS = ("red", "green", "blue", "yellow")
OWNERS = {"r": "Red", "g": "Green", "b": "Blue", "y": "Yellow", "t": "troll", "d": "demon"}
_SEAT_WORD = re.compile(r"\$(?P<money>\d+)|(?P<word>hand|limit|holds) (?P<what>[^$|]+?)(?= hand| limit| holds|$)")


def names(text: str) -> list[str]:
    return [CARDS[NAMES["card"][plain(card)]].name for card in text.split(",")]


def seat_is(table: Any, colour: str, words: str) -> None:
    seat = table.seat(colour)
    for found in _SEAT_WORD.finditer(words):
        if found["money"]:
            assert seat["money"] == int(found["money"])
        elif found["word"] == "holds":
            held = [card["name"] for card in table.view(colour)["private"]["hand"]]
            assert set(names(found["what"])) <= set(held)
        else:
            assert seat[f"hand_{'size' if found['word'] == 'hand' else 'limit'}"] == int(found["what"])


def area_is(table: Any, slug: str, words: str) -> None:
    area = table.area(slug)
    building = next((OWNERS[word[1].lower()] for word in words.split() if word[0] == "["), None)
    pieces = {OWNERS[w[0].lower()]: int(w[1:] or 1) for w in words.split() if w[0] in "RGBYTD" and w[-1] != "]"}
    found = {"troll": area["trolls"], "demon": area["demons"]} | area["minions"]
    assert {owner: count for owner, count in found.items() if count} == pieces
    assert area["building"] == building
    assert area["trouble"] == ("!" in words.split())
    assert area["card_gone"] == ("gone" in words.split())


def number_is(field: str) -> Callable[[Any, str], None]:
    def check(table: Any, rest: str) -> None:
        assert table.view()[field] == int(rest)

    return check


def discards_are(table: Any, rest: str) -> None:
    assert table.view()["discards"][: rest.count(",") + 1] == names(rest)


def actor_is(table: Any, rest: str) -> None:
    assert table.view()["actor"].lower() == rest


def over_for(table: Any, rest: str) -> None:
    assert [SEATS[seat] for seat in table.match.result.winners] == rest.split()


def goes_on(table: Any, rest: str) -> None:
    assert table.match.result is None


WORDS: dict[str, Callable[[Any, str], None]] = {
    "draw": number_is("draw_pile"),
    "trouble": number_is("trouble_count"),
    "discards": discards_are,
    "actor": actor_is,
    "over": over_for,
    "goes": goes_on,
}


def check(table: Any, segment: str) -> None:
    """One segment of `then`."""
    word, _, rest = segment.partition(" ")
    if word in WORDS:
        WORDS[word](table, rest)
    elif word in SEATS:
        seat_is(table, word.capitalize(), rest)
    else:
        area = max((a for a in AREAS if segment.startswith(a.name)), key=lambda a: len(a.name))
        area_is(table, AREAS[NAMES["area"][plain(area.name)]].slug, segment.removeprefix(area.name))


def dealt(given: str) -> str:
    """The position, in which every seat has something to play."""
    hands = position.read(given).hands
    return " | ".join([given, *(f"{SEATS[seat]} holds 2" for seat, hand in enumerate(hands) if not hand)])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['about'][0]} {row['orders'][-1]}")
def test_the_position_becomes_what_the_rules_say(row: dict[str, Any], table: Callable[..., Any]) -> None:
    sat = table(dealt(row["given"]), row.get("dice", ()))
    sat.write(*row["orders"]).settle()
    for segment in row["then"].split(" | "):
        check(sat, segment)
