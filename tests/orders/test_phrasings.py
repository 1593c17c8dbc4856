"""The table of phrasings, as a whole: what is read right may grow, and what is read wrong may shrink.

`python tests/bench/bench_phrasings.py` prints what comes of each kind, and the lines that do not come out as they should.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.orders.phrasing import Phrasing, among_orders, phrasings

#: Of those that have to move, how many do; and of all, how many do something that was not meant.
MOVED = 922
WRONG = 7
#: Of 240 doubts put among orders, how many stop them; of 240 lines of chat, how many do. A withdrawal in front of the
#: orders takes nothing back, and the heading of a quote that is not there says nothing of them.
DOUBTED = 210
CHAT_ASKED = 15


@pytest.fixture(scope="module")
def judged() -> list[tuple[Phrasing, str]]:
    return [(phrasing, phrasing.judged()) for phrasing in phrasings()]


def test_what_has_to_move_moves(judged: list[tuple[Phrasing, str]]) -> None:
    assert sum(phrasing.must_move and verdict == "moved" for phrasing, verdict in judged) >= MOVED


def test_hardly_anything_is_done_that_was_not_meant(judged: list[tuple[Phrasing, str]]) -> None:
    assert Counter(verdict for _, verdict in judged)["wrong"] <= WRONG


def test_nothing_of_real_play_is_read_wrong(judged: list[tuple[Phrasing, str]]) -> None:
    assert [
        phrasing.text for phrasing, verdict in judged if phrasing.order["source"] == "handed" and verdict == "wrong"
    ] == []


def test_chat_alone_moves_nothing(judged: list[tuple[Phrasing, str]]) -> None:
    assert [p.text for p, verdict in judged if p.order["outcome"] == "nothing" and verdict != "right"] == []


def test_a_doubt_among_orders_stops_them() -> None:
    assert Counter(phrasing.judged() for _, phrasing in among_orders("doubt"))["asked"] >= DOUBTED


def test_chat_among_orders_seldom_does() -> None:
    verdicts = Counter(phrasing.judged() for _, phrasing in among_orders("chat"))
    assert verdicts["asked"] <= CHAT_ASKED
    assert set(verdicts) == {"asked", "moved"}
