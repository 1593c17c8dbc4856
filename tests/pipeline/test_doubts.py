"""A doubt keeps a mail from being carried out; a `yes` does what it says without the doubt."""

from __future__ import annotations

from typing import Any

import pytest

POSITION = "2 players | red* $8 holds mr-boggis,groat | green $5 holds ruby | The Scours R G"
DOUBTED = "play groat, but only if green has moved"


@pytest.fixture
def asked(world: Any) -> Any:
    """Red has written something in doubt, and was asked about it."""
    world.start(2)
    world.set_to(POSITION)
    ann = world.people["ann@example.org"]
    ann.skip()
    assert ann.writes(DOUBTED) == "refused"
    return world


def test_nothing_is_done_and_what_would_be_is_offered(asked: Any) -> None:
    ann = asked.people["ann@example.org"]
    mail = ann.receives(text="Nothing has been done yet")
    assert "play Groat" in mail.text
    assert any(option == "yes" for option in mail.options)
    assert asked.table.match.view(None)["in_play"] is None


def test_yes_does_it(asked: Any) -> None:
    ann = asked.people["ann@example.org"]
    assert ann.writes("yes please") == "applied"
    assert asked.table.match.view(None)["in_play"] == "Groat"


def test_orders_take_the_place_of_the_offer(asked: Any) -> None:
    ann = asked.people["ann@example.org"]
    assert ann.writes("play mr boggis") == "applied"
    assert asked.table.match.view(None)["in_play"] == "Mr Boggis"


def test_yes_to_an_older_mail_confirms_nothing(asked: Any) -> None:
    ann = asked.people["ann@example.org"]
    assert ann.writes("yes", to=ann.inbox[-2]) != "applied"
    assert asked.table.match.view(None)["in_play"] is None


def test_an_offer_is_void_once_something_has_moved(asked: Any) -> None:
    ann = asked.people["ann@example.org"]
    offer = ann.newest
    ann.writes("play mr boggis")
    version = asked.game.version
    assert ann.writes("yes", to=offer) != "applied"
    assert asked.game.version == version
