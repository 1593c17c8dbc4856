"""The player's aid and the lesson in the welcome mail: all that is needed is on one page."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from games.ankh_morpork import GAME
from games.ankh_morpork.data.cards import AREAS, CARDS, EVENTS, PERSONALITIES
from games.goofspiel import GAME as GOOFSPIEL
from pbem.reports import contexts
from pbem.reports.render import Renderer, environment
from pbem.reports.sheet import sheet

#: Lines of a printed page: eleven inches, six an inch.
PAGE = 66
NAMES = [
    *(entry.name for entries in (AREAS, EVENTS, PERSONALITIES) for entry in entries),
    *(card.name for card in CARDS if card.interrupt),
]


@pytest.mark.parametrize("game", [GAME, GOOFSPIEL], ids=lambda game: game.name)
def test_the_aid_is_one_page_of_text(game: Any) -> None:
    lines = sheet(game, "text").splitlines()
    assert len(lines) <= PAGE
    assert max(map(len, lines)) <= 72


def test_the_aid_names_every_area_event_personality_and_interrupt() -> None:
    words = " ".join(sheet(GAME, "text").split())
    assert [name for name in NAMES if name not in words] == []
    prices = {price: names for names, price in re.findall(r"([A-Z][\w' ]+) \$(\d+):", words)}
    assert set(prices) == {str(area.cost) for area in AREAS}


def test_the_aid_knows_what_each_personality_needs() -> None:
    needs = {tuple(person.thresholds.values()) for person in PERSONALITIES}
    assert needs == {(11, 10, 9), (7, 5, 4), (8, 8, 8), (50, 50), ()}
    words = " ".join(sheet(GAME, "text").split())
    for figures in ("11, 10, 9 areas", "7, 5, 4 areas", "8 trouble markers", "$50"):
        assert figures in words


def test_both_forms_of_the_aid_say_the_same() -> None:
    page = re.sub(r"<style>.*?</style>|<title>.*?</title>|<[^>]+>", " ", sheet(GAME, "html"), flags=re.DOTALL)
    plain, shown = (re.findall(r"[\w$]+", unescape(text).casefold()) for text in (sheet(GAME, "text"), page))
    assert plain == shown


def welcome(seats: int, personality: str, mail: dict[str, Any]) -> str:
    """The text of a welcome mail to somebody who is this."""
    board = mail | {"seats": mail["seats"][:seats], "policies": ()}
    who = board["view"]["private"]["personality"] | {"name": personality}
    view = board["view"] | {
        "seats": board["view"]["seats"][:seats],
        "private": board["view"]["private"] | {"personality": who},
    }
    context = contexts.Welcome(**board | {"view": view}, commitment="5f" * 32, turn_hours=72, reaction_hours=24)
    return Renderer("ankh_morpork", "games@example.org").render(context).text


@pytest.mark.parametrize("personality", [person.name for person in PERSONALITIES])
def test_the_welcome_has_three_tips_for_its_reader_on_one_page_of_rules(
    personality: str, board: dict[str, Any]
) -> None:
    text = welcome(3, personality, board)
    lesson = text[text.index("THE GAME ON ONE PAGE") : text.index("HOW TO PLAY BY MAIL")]
    tips = lesson[lesson.index("HOW TO WIN") : lesson.index("FREQUENT ERRORS")]
    assert re.findall(r"^  (\d) ", tips, re.MULTILINE) == ["1", "2", "3"]
    assert lesson.count("\n") <= PAGE
    assert "WITH TWO PLAYERS" not in text


def test_two_players_are_told_what_is_different_for_them(board: dict[str, Any]) -> None:
    text = welcome(2, "Lord Rust", board)
    missing = [card.name for card in CARDS if not card.two_players]
    missing += [person.name for person in PERSONALITIES if person.min_players > 2]
    told = " ".join(text[text.index("WITH TWO PLAYERS") :].split())
    assert [name for name in missing if name not in told] == []
    assert "11 areas" in told


def test_every_personality_has_tips_of_its_own_goal() -> None:
    tips = environment("ankh_morpork", "text").get_template("tips.j2").module.TIPS  # type: ignore[attr-defined]
    assert set(tips) == {person.name for person in PERSONALITIES}
    goals = {person.goal: tips[person.name] for person in PERSONALITIES}
    assert len(set(goals.values())) == len(goals)


def test_the_first_move_can_be_made_before_the_lesson(board: dict[str, Any]) -> None:
    text = welcome(3, "Lord Rust", board)
    assert text.index("WHAT YOU MAY DO NOW") < text.index("THE GAME ON ONE PAGE") < text.index("YOUR HAND")


def test_an_aid_by_mail_holds_what_the_printed_one_does(game: dict[str, Any]) -> None:
    mail = Renderer("ankh_morpork", "games@example.org").render(contexts.Aid(**game))
    assert " ".join(sheet(GAME, "text").removeprefix(GAME.title).split()) in " ".join(mail.text.split())
