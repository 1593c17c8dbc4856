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
    "3 players | red* $12 is lord-rust holds groat, dwarves, the-royal-mint, the-mended-drum | green $3 is chrysoprase holds 2"
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


def test_a_tap_answers_the_decision_that_was_shown_and_no_other(ann: Any, world: Any) -> None:
    first = ann.newest
    assert tap(ann, first, "play The Mended Drum") == "applied"
    again = ann.newest
    assert tap(ann, again, "build Dimwell") == "applied"
    version = world.game.version
    for mail, order in ((again, "build Dimwell"), (again, "skip"), (first, "play Groat"), (first, TURN)):
        assert tap(ann, mail, order) == "answered"
        assert "what you answered is past" in ann.newest.text
        assert "Nothing of your mail was carried out" in ann.newest.text
    assert world.game.version == version


def test_the_same_question_about_another_card_is_another_decision(ann: Any) -> None:
    tap(ann, ann.newest, "play Groat")
    asked = ann.newest
    ann.writes("undo")
    tap(ann, ann.newest, "play Dwarves")
    assert set(links(ann.newest)) == set(links(asked))
    assert tap(ann, asked, "minion Longwall") == "answered"
    assert tap(ann, ann.newest, "minion Longwall") == "applied"


def test_a_typed_order_answers_what_is_pending(ann: Any, world: Any) -> None:
    first = ann.newest
    tap(ann, first, "play Groat")
    assert ann.writes("minion Longwall", to=first) == "applied"
    assert (
        "Red placed a minion in Longwall" in world.others()[0].newest.text or "You placed a minion" in ann.newest.text
    )


def test_a_tapped_undo_takes_back_what_its_mail_told_of_and_nothing_else(ann: Any, world: Any) -> None:
    tap(ann, ann.newest, "play Dwarves")
    played = ann.newest
    tap(ann, played, "minion Longwall")
    placed = ann.newest
    assert tap(ann, played, "undo") == "answered"
    assert "what you answered is past" in ann.newest.text
    assert tap(ann, placed, "undo") == "applied"
    assert "Taken back: minion Longwall." in ann.newest.text


def test_behind_an_undo_a_tap_counts_again(ann: Any) -> None:
    first = ann.newest
    tap(ann, first, "play Groat")
    ann.writes("undo")
    assert tap(ann, first, TURN) == "applied"


def test_a_tap_is_not_kept_for_the_time_when_others_have_answered(begin: Any, world: Any) -> None:
    begin(3, reactions="sealed")
    world.set_to(CITY.replace("groat, ", "groat, inigo-skimmer, ").replace("Dimwell R", "Dimwell R G !"))
    ann = world.whose()
    first = ann.newest
    ann.writes("play Inigo Skimmer\nassassinate Green in Dimwell")
    assert "reactions" in ann.newest.text
    assert tap(ann, first, "play Groat") == "answered"
    assert "what you answered is past" in ann.newest.text


def test_a_tapped_answer_can_be_replaced_by_a_tap_until_all_have_answered(begin: Any, world: Any) -> None:
    begin(3, game="goofspiel", rules={"cards": "5"})
    ann, bob, cid = (world.people[f"{name}@example.org"] for name in ("ann", "bob", "cid"))
    first = ann.newest
    assert tap(ann, first, "bid 3") == tap(ann, first, "bid 1") == "applied"
    ann.writes("report")
    assert tap(ann, ann.newest, "bid 2") == "applied"
    bob.writes("bid 5")
    cid.writes("bid 4")
    assert next(choice[:2] for choice in world.chain()[-1].added) == [0, "bid 2"]
    assert tap(ann, first, "bid 4") == "answered"
