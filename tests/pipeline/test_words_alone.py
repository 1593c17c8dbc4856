"""Words of several words that mean something only when nothing else stands on the line."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.mail.handling.check import settings_for
from pbem.mail.handling.comparing import parse_settings
from pbem.mail.reading.parse import parse_mail


@pytest.fixture
def started(world: Any, begin: Any) -> Any:
    begin(3)
    return world


def test_check_and_the_pipeline_know_the_same_words(world: Any) -> None:
    ours = parse_settings(world.settings.mail)
    checks = settings_for(None, [world.settings.mail.address])
    assert (ours.words, ours.alone, ours.free) == (checks.words, checks.alone, checks.free)


@pytest.mark.parametrize(
    "line",
    [
        "end turn",
        "End my turn.",
        "That's all!",
        "that’s all",
        "I'm done",
        "resign yes",
        "take it back",
        "1. end turn",
        "*end  turn*",
    ],
)
def test_such_a_line_counts(world: Any, line: str) -> None:
    mail = parse_mail(
        f"From: ann@example.org\nSubject: Re: [N6JR3CVE]\n\n{line}\n".encode(), parse_settings(world.settings.mail)
    )
    assert mail.kind == "orders"
    assert len(mail.orders) == 1


@pytest.mark.parametrize("line", ["End of the week suits me", "That's all I can do before Sunday", "I'm done for"])
def test_with_more_on_the_line_it_is_chat(world: Any, line: str) -> None:
    mail = parse_mail(
        f"From: ann@example.org\nSubject: Re: [N6JR3CVE]\n\n{line}\n".encode(), parse_settings(world.settings.mail)
    )
    assert (mail.orders, mail.chat) == ((), (line,))


@pytest.mark.parametrize("ending", ["end turn", "That's all!", "End my turn."])
def test_end_in_other_words_ends_the_turn(started: Any, ending: str) -> None:
    asked = started.whose()
    assert asked.writes(f"{started.first_order()}\n{ending}\nSee you on Sunday") == "applied"
    assert started.game.turn == 2


def test_end_in_other_words_behind_a_semicolon(started: Any) -> None:
    asked = started.whose()
    assert asked.writes(f"{started.first_order()}; end turn") == "applied"
    assert started.game.turn == 2


def test_resign_yes_on_one_line_counts_in_answer_to_the_question_alone(started: Any) -> None:
    asked = started.whose()
    assert asked.writes("resign yes") == "answered"
    assert not any(one.bot for one in started.table.seats)
    assert asked.writes("resign yes", to=asked.newest) == "applied"
    assert [one.bot for one in started.table.seats].count(True) == 1


def test_take_it_back_undoes(started: Any) -> None:
    asked = started.whose()
    before = started.table.match.digest()
    asked.writes(started.first_order())
    asked.writes("take it back")
    assert started.table.match.digest() == before
