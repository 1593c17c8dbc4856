"""What a tap on a link in a mail does: the order, or the whole turn, that the link writes."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.pipeline.conftest import Received

#: Red can play either card; The Royal Mint is built and ends the turn.
CITY = (
    "3 players | red* $12 is lord-rust holds groat, the-royal-mint, the-mended-drum | green $3 is chrysoprase holds 2"
    " | blue $3 is commander-vimes holds 2 | Dimwell R | Nap Hill G B | draw 30"
)
TURN = "play The Royal Mint; build Dimwell"


def links(mail: Received) -> dict[str, str]:
    """What the links of a mail write, and the subject of the mail that each opens."""
    queries = [parse_qs(urlsplit(unescape(link)).query) for link in re.findall(r'href="(mailto:[^"]+)"', mail.html)]
    return {query["body"][0]: query["subject"][0] for query in queries}


def tap(person: Any, mail: Received, order: str) -> Any:
    """Open a link of a mail, and send what it wrote."""
    return person.writes(order, subject=links(mail)[order])


@pytest.fixture
def ann(begin: Any, world: Any) -> Any:
    begin(3)
    world.set_to(CITY)
    return world.whose()


def test_one_tap_plays_a_whole_turn(ann: Any, world: Any) -> None:
    assert tap(ann, ann.newest, TURN) == "applied"
    assert "your turn is over" in ann.newest.text
    assert world.table.match.turn == 2


def test_a_table_that_wants_none_is_suggested_nothing(begin: Any, world: Any) -> None:
    begin(3, suggestions=False)
    world.set_to(CITY)
    assert not any(";" in order for order in links(world.whose().newest))
    assert "a whole turn" not in world.whose().newest.text
