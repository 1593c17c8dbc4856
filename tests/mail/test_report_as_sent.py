"""The report as it was sent helps to know its lines again, and never takes an order that is in its words."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from types import SimpleNamespace

import pytest

from pbem.cli.check import reading_for

OFFER = "assassinate Green in Dolly Sisters"
REPORT = f"""\
Rosie, it is your move. You are Red.
Your cards are a good deal better than those of last week, says Havelock.
minion puts one of your twelve into the city, where you have one or next door.
One order a line. For instance
   play Dr Cruces
   {OFFER}
   end
   1 play Dr Cruces
   2 play Drumknott
Reply above this report, one order a line, in the words of the list."""


@pytest.mark.parametrize("typed", [
    OFFER, f"Hello!\n\n{OFFER}\n\nBye", f"{OFFER}\n{OFFER}", f"play Dr Cruces\n{OFFER}\nend", "2 play Drumknott\nend",
])  # fmt: skip
@pytest.mark.parametrize("below", ["", f"\n\n{REPORT}", "\n\n> " + REPORT.replace("\n", "\n> ")])
def test_an_order_in_the_words_of_the_report_counts(post: SimpleNamespace, typed: str, below: str) -> None:
    reading = replace(reading_for(None, (post.own,)), sent=REPORT)
    expected = [
        line.removeprefix("2 ")
        for line in typed.splitlines()
        if line.startswith(("assass", "play", "2 ", "end"))
    ]
    assert list(post.read(typed + below, reading=reading).orders) == expected


@pytest.mark.parametrize("width", range(30, 100, 6))
def test_a_report_that_lost_its_lines_and_marks_is_known_again(post: SimpleNamespace, width: int) -> None:
    reading = replace(reading_for(None, (post.own,)), sent=REPORT)
    below = textwrap.fill(" ".join(REPORT.split()), width)
    assert post.read(f"{post.typed}\n\n{below}\n", reading=reading).orders == post.orders


EXAMPLE = """\
Hello Rosie, it is your move now, and the game goes on.
For instance
   play Mr Pin & Mr Tulip
   assassinate Green in The Shades
   minion Dolly Sisters
   end
Reply above this report, one order a line, in the words of the list."""


@pytest.mark.parametrize("between", ["; ", ", ", "\n", "\n\n"])
@pytest.mark.parametrize("around", ["", EXAMPLE.splitlines()[0]])
def test_the_example_of_the_report_counts_however_it_is_typed(
    post: SimpleNamespace, between: str, around: str
) -> None:
    reading = replace(reading_for(None, (post.own,)), sent=EXAMPLE)
    orders = [line.strip() for line in EXAMPLE.splitlines() if line.startswith("   ")]
    mail = post.read(f"{around}\n{between.join(orders)}\n{EXAMPLE.splitlines()[-1]}", reading=reading)
    assert "; ".join(mail.orders).replace(", ", "; ").split("; ") == orders
