"""Mails in a browser of the size of a phone: what can be tapped stands on the first screen, and nothing sticks out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from servers.browser import Browser

from games.ankh_morpork.match import Match
from pbem.reports import contexts
from pbem.reports.contexts import Mail
from pbem.reports.render import Renderer
from tests.reports.test_real_matches import NINTH_TURN

pytestmark = pytest.mark.slow

#: The screen of a small phone, in pixels of CSS.
WIDTH, HEIGHT = 360, 640
#: Mails that ask something, of each kind.
ASKING = (
    *(
        "report",
        "report-reaction",
        "report-missed",
        "report-next",
        "report-waited",
        "reminder",
        "acknowledgement-asked",
    ),
    *("welcome", "rolled-back", "acknowledgement-open", "refusal", "stale-past", "undone", "nothing-chat"),
)
FIRST = "document.querySelector('#asked a').getBoundingClientRect().bottom"


@pytest.fixture
def show(chromium: Browser, renderer: Renderer, tmp_path: Path) -> Callable[[Mail], Browser]:
    """Opens the HTML part of a mail."""

    def opened(mail: Mail) -> Browser:
        path = tmp_path / "mail.html"
        path.write_text(renderer.render(mail).html, encoding="utf-8")
        chromium.open(path)
        return chromium

    chromium.size(WIDTH, HEIGHT)
    return opened


def test_the_first_order_to_tap_stands_on_the_first_screen(
    show: Callable[[Mail], Browser], samples: dict[str, Mail]
) -> None:
    places = {name: show(samples[name]).value(FIRST) for name in ASKING}
    assert all(0 < bottom <= HEIGHT for bottom in places.values()), places


def test_nothing_sticks_out_and_the_list_of_areas_folds_up(
    show: Callable[[Mail], Browser], report_of: Callable[..., contexts.Report], samples: dict[str, Mail]
) -> None:
    for mail in (report_of(Match.from_position(NINTH_TURN), 0), samples["report"], samples["final"]):
        page = show(mail)
        assert page.value("[innerWidth, document.documentElement.scrollWidth]") == [WIDTH, WIDTH]
        assert page.value("document.querySelector('details').open") is False
        assert page.value("getComputedStyle(document.querySelector('h1')).fontSize") == "18px"
