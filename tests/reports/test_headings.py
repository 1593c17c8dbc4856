"""Headings of mails that are looked for elsewhere: to tell quoted reports, and to read a report as its player does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.demo import client as correspondent
from pbem.mail.reading.data import headings as known_headings

GOLDEN = Path(__file__).parents[1] / "golden"
#: People may well write these themselves, above what they type.
EVERYDAY = {"ORDERS", "THE ORDERS", "THE POINTS"}


@pytest.mark.parametrize("mail", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_every_heading_tells_a_quoted_report(mail: Path) -> None:
    headings = set(re.findall(r"^[A-Z][A-Z ]+[A-Z]$", mail.read_text(encoding="utf-8"), re.MULTILINE))
    assert headings - EVERYDAY <= known_headings()


def test_a_player_finds_what_may_be_done_under_its_heading() -> None:
    assert f"\n{correspondent.ASKING}" in (GOLDEN / "report.txt").read_text(encoding="utf-8")


def test_the_result_of_a_game_stands_above_its_last_turns_and_the_city() -> None:
    result, _, rest = (GOLDEN / "final.txt").read_text(encoding="utf-8").partition("\nTHE LAST TURNS")
    assert "WHO WAS WHO" in result
    assert "\nTHE CITY" in rest
