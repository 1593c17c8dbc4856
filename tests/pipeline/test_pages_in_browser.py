"""Our pages in a browser: the replay page by keyboard, by its buttons and its address, on a phone, in the dark; the
player's aid on paper."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import pytest
from servers.browser import Browser

from pbem.play.course import written_page
from pbem.play.table import rules_of
from pbem.reports.sheet import sheet

pytestmark = pytest.mark.slow

SHOWN = (
    "[...document.querySelectorAll('article')].filter((one) => one.offsetParent).map((one) => Number(one.dataset.turn))"
)
TAB = "document.activeElement.id || document.activeElement.tagName"


@pytest.fixture
def file(world: Any, tmp_path: Path) -> Path:
    """The page of a game of two bots."""
    world.seat((), b"\4" * 32, 2, "ankh_morpork")
    page = written_page(world.store, world.game.code)
    path = tmp_path / page.name
    path.write_text(page.html, encoding="utf-8")
    return path


def test_one_turn_is_shown_and_keys_buttons_and_the_address_go_to_another(
    chromium: Browser, file: Path, world: Any
) -> None:
    chromium.size(360, 740)
    chromium.open(file)
    last = world.game.turn
    assert chromium.value(SHOWN) == [0]
    steps = [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("ArrowRight", last), ("Home", 0)]
    for key, turn in steps:
        chromium.press(key)
        assert chromium.value(SHOWN) == [turn], key
    for button, turn in (("next", 1), ("last", last), ("back", last - 1), ("first", 0), ("back", 0)):
        chromium.value(f"document.getElementById('{button}').click()")
        assert chromium.value(SHOWN) == [turn], button
    chromium.open(file, "#turn=5")
    assert chromium.value(SHOWN) == [5]
    chromium.open(file, "#turn=999")
    assert chromium.value(SHOWN) == [0]


def test_the_slider_has_the_focus_by_tab_and_follows_the_arrow_keys(chromium: Browser, file: Path) -> None:
    chromium.open(file)
    for _ in range(5):
        chromium.press("Tab")
    assert chromium.value(TAB) == "slider"
    chromium.press("ArrowRight")
    assert chromium.value(SHOWN) == [1]
    says = "[document.getElementById('slider').getAttribute('aria-valuetext'), document.getElementById('where').textContent]"
    valuetext, where = chromium.value(says)
    assert valuetext.startswith("Turn 1: ")
    assert where.startswith(valuetext)


def test_the_drawing_and_the_list_in_words_say_what_the_page_holds(chromium: Browser, file: Path) -> None:
    chromium.open(file, "#turn=20")
    pieces = "document.querySelectorAll('#pieces > .piece').length"
    data = "JSON.parse(document.getElementById('data').textContent)"
    assert chromium.value(pieces) == chromium.value(f"{data}.standing[20].length") > 0
    marks = chromium.value("[...document.querySelectorAll('#pieces text')].every((one) => one.textContent)")
    assert marks, "nothing is told by its colour alone"
    words = chromium.value("[...document.querySelectorAll('#words li')].map((one) => one.textContent)")
    assert len(words) == 12
    assert any("minion" in line for line in words)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 1000])
def test_it_fits_the_screen_at_every_turn(chromium: Browser, file: Path, world: Any, width: int, dark: bool) -> None:
    chromium.size(width, 740, dark=dark)
    for turn in (0, 12, world.game.turn):
        chromium.open(file, f"#turn={turn}")
        assert chromium.value("document.documentElement.scrollWidth") <= width
    ground = "getComputedStyle(document.body).backgroundColor"
    assert chromium.value(ground) == ("rgb(22, 24, 27)" if dark else "rgb(255, 255, 255)")


def test_it_loads_nothing_else_and_its_buttons_suit_a_thumb(chromium: Browser, file: Path) -> None:
    chromium.open(file, "#turn=3")
    assert chromium.value("performance.getEntriesByType('resource').length") == 0
    small = chromium.value(
        "[...document.querySelectorAll('button')].filter((one) => one.offsetHeight < 40 || one.offsetWidth < 44).length"
    )
    assert small == 0, "each button is large enough for a thumb"


def test_the_aid_is_printed_on_one_sheet_of_paper_of_either_size(chromium: Browser, tmp_path: Path) -> None:
    path = tmp_path / "aid.html"
    for game in (rules_of("ankh_morpork"), rules_of("goofspiel")):
        path.write_text(sheet(game, "html"), encoding="utf-8")
        chromium.open(path)
        for width, height in ((8.27, 11.69), (8.5, 11.0)):
            printed = chromium("Page.printToPDF", paperWidth=width, paperHeight=height)["data"]
            assert len(re.findall(rb"/Type ?/Page\b", base64.b64decode(printed))) == 1
        chromium.size(360, 740)
        assert chromium.value("document.documentElement.scrollWidth") == 360
