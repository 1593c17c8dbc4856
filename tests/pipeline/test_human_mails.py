"""Whole mails as people write them: they move, or they come back with a question; nothing is lost on the way."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def asked(world: Any) -> Any:
    """The player who must move, holding cards whose names go well with what people write."""
    world.start(3)
    return world.whose()


def choices(world: Any) -> list[str]:
    """The options taken so far, newest last."""
    return [choice[1] for version in world.chain() for choice in version.added]


def in_words(text: str) -> str:
    """An order as somebody in a hurry writes it."""
    return text.lower().replace("the ", "")


def misspelt(text: str) -> str:
    """The first word with two letters exchanged."""
    return text[0] + text[2] + text[1] + text[3:]


FRAMES = [
    "Hi all, sorry for the delay!\nplease {0}\nand then {1}\nend turn\nCheers, Tom",
    "My move: {0}, then {1}. Thanks!",
    "first {0}, then {1}",
    "Hello,\n\nOK, I'll {0}\nThen I {1}, please\n\nBest wishes\nTom",
    "I'd like to {0}.\nNext: {1}",
    "Well done last turn, Blue!\nThen {0} and {1} please\nThat's it!",
    "- please {0}\n- then {1}\n- and end",
    "Good game so far. My orders:\n1. ok {0}\n2. and {1}",
]


@pytest.mark.parametrize("frame", FRAMES)
def test_a_mail_in_a_persons_words_moves(world: Any, asked: Any, frame: str) -> None:
    first, second = two_orders(world)
    assert asked.writes(frame.format(in_words(first), in_words(second))) == "applied"
    taken = choices(world)
    assert first in taken
    assert second in taken


@pytest.mark.parametrize("frame", FRAMES[1:3])
def test_a_mistyped_verb_is_read_right_and_said_back(world: Any, asked: Any, frame: str) -> None:
    first, second = two_orders(world)
    assert asked.writes(frame.format(misspelt(first), second)) == "applied"
    assert first in choices(world)
    assert f"Read as: {first}" in " ".join(asked.newest.text.split())


def two_orders(world: Any) -> tuple[str, str]:
    """A card with an order behind it that nobody else is asked about."""
    table = world.table
    for option in table.match.pending[0].options:
        ahead = table.match.fork()
        ahead.choose(ahead.pending[0].seat, option)
        decision = next(iter(ahead.pending), None)
        if decision.seat != table.match.actor or not option.text.startswith("play "):
            continue
        second = [one.text for one in decision.options if one.text.startswith(("minion ", "build "))]
        if second and ahead.reveals == table.match.reveals:
            return option.text, second[0]
    raise AssertionError("with this seed some card in hand asks for a minion")


def test_an_end_behind_a_line_in_doubt_loses_nothing(world: Any, asked: Any) -> None:
    first, second = two_orders(world)
    assert asked.writes(f"{first}\nmaybe {second}\nend") == "refused"
    assert choices(world) == []
    text = " ".join(asked.newest.text.split())
    assert "Nothing has been done yet" in text
    assert second in text


def test_an_end_behind_a_mistyped_order_loses_nothing(world: Any, asked: Any) -> None:
    first, _ = two_orders(world)
    assert asked.writes(f"{first}\nminoin atlantis\nend") == "refused"
    assert choices(world) == []


def test_what_was_not_read_as_an_order_is_said_back_in_one_line(world: Any, asked: Any) -> None:
    first, _ = two_orders(world)
    asked.writes(f"Good move, Red\nplease {first}\nend\nSee you at the Hippo!")
    text = " ".join(asked.newest.text.split())
    assert "Not read as orders: Good move, Red / See you at the Hippo!" in text


def test_a_mail_of_remarks_moves_nothing(world: Any, asked: Any) -> None:
    asked.writes("Playing tonight was fun.\nThanks for the game, see you at the hippo!\nGood move, Red\nCheers, Ann")
    assert choices(world) == []
    assert "Playing tonight was fun." in asked.newest.text


def test_a_maybe_of_somebody_who_is_not_asked_is_a_remark(world: Any, asked: Any) -> None:
    (other, *_) = world.others()
    other.skip()
    other.writes("Maybe play Groat")
    assert choices(world) == []
    assert "Maybe play Groat" in other.newest.text


def test_a_polite_undo_undoes(world: Any, asked: Any) -> None:
    before = world.table.match.digest()
    first, _ = two_orders(world)
    asked.writes(f"please {first}")
    assert world.table.match.digest() != before
    asked.writes("please undo that")
    assert world.table.match.digest() == before


def test_a_polite_order_behind_the_token_in_the_subject_moves(world: Any, asked: Any) -> None:
    first, _ = two_orders(world)
    assert asked.writes("", subject=f"Re: {asked.newest.subject} please {first}") == "applied"
    assert first in choices(world)


def test_a_polite_order_in_the_section_of_a_quoted_report_moves(world: Any, asked: Any) -> None:
    first, _ = two_orders(world)
    lines = asked.newest.text.splitlines()
    quoted = []
    for line in lines:
        quoted.append(f"> {line}")
        if line.startswith("==== ORDERS START"):
            quoted.append(f"> please {first}")
    assert asked.writes("On Monday the game wrote:\n" + "\n".join(quoted)) == "applied"
    assert first in choices(world)


def test_a_polite_order_from_a_strange_address_is_offered(world: Any, asked: Any) -> None:
    first, _ = two_orders(world)
    assert asked.writes(f"please {first}\nthanks", sender="someone@elsewhere.example.org") == "parked"
    assert f"please {first}" in asked.newest.text
