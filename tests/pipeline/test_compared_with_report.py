"""What a reply repeats of the report it answers is known again, and no order is lost for it."""

from __future__ import annotations

import re
import textwrap
from typing import Any, Literal
from urllib.parse import unquote

import pytest

from pbem.mail.handling.comparing import parse_settings
from pbem.mail.reading.parse import parse_mail, without_report
from pbem.mail.reading.typed import without_sent
from pbem.mail.reading.values import Typed


@pytest.fixture
def started(world: Any, begin: Any) -> Any:
    begin(3)
    return world


def as_read(world: Any, person: Any, text: str) -> Any:
    """What is read of an answer to the newest report, compared with it."""
    return without_report(parse_mail(person.letter(text), parse_settings(world.settings.mail)), person.newest.text)


def test_whatever_can_be_tapped_in_a_report_counts(started: Any) -> None:
    asked = started.whose()
    tapped = [unquote(one).replace("\r\n", "\n") for one in asked.newest.options]
    assert len(tapped) > 3
    for body in tapped:
        mail = as_read(started, asked, body)
        assert "; ".join(mail.orders) == " ".join(body.split()), body


def test_orders_of_a_report_typed_on_one_line_count(started: Any) -> None:
    asked = started.whose()
    lines = re.findall(r"^ +\d ((?:play|use)\b.*)$", asked.newest.text, re.M)
    assert len(lines) > 2
    for orders in (lines, lines[-3:], lines * 3):
        for body in ("; ".join(orders), "\n".join(orders), "Hello!\n\n" + "\n".join(orders)):
            mail = as_read(started, asked, body)
            assert "; ".join(mail.orders).split("; ") == [" ".join(one.split()) for one in orders]


ANSWER = """\
Ann, your orders were carried out up to a point.

YOUR ORDERS
  > ok: bob
    target Green
  > then gimlet's; deli; take the money; and drop a guy in dimwell; then
    shades card; trouble in the shades
    Not carried out.

WHAT CAME OF THEM
  Turn 10: You named Green. Green paid $3 to you.
"""
AGAIN = "gimlet's deli, take the money and drop a guy in dimwell. then shades card: trouble in the shades"


@pytest.mark.parametrize("kind", ["order", "chat"])
def test_who_sends_again_what_our_answer_repeated_means_it(kind: Literal["order", "chat"]) -> None:
    typed = (Typed(AGAIN, kind),)
    assert without_sent(typed, ANSWER) == typed


def test_an_answer_that_is_quoted_with_what_it_repeats_is_quoted() -> None:
    whole = " ".join(ANSWER.replace(">", "").split())
    assert without_sent((Typed(whole, "chat"),), ANSWER) == ()


@pytest.mark.parametrize("width", [40, 61, 72, 200])
def test_a_report_below_without_any_marks_is_not_taken_for_orders(started: Any, width: int) -> None:
    asked = started.whose()
    orders = started.orders()
    report = textwrap.fill(" ".join(asked.newest.text.split()), width)
    assert asked.writes(f"{orders}\n\n{report}\n") == "applied"
    assert started.game.turn == 2
    assert "not read as an order" not in asked.newest.text


def test_words_of_the_report_in_what_is_said_take_no_order_with_them(started: Any) -> None:
    asked = started.whose()
    prose = [line for line in asked.newest.text.splitlines() if len(line.split()) > 8]
    assert asked.writes(f"{prose[0]}\n{started.orders()}\n{prose[1]}") == "applied"
    assert started.game.turn == 2
    assert prose[0] not in asked.newest.text, "it is not said back either"
