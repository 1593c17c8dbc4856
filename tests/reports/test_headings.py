"""Headings of mails that are looked for elsewhere: to tell quoted reports."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.mail.reading.data import headings as known_headings

GOLDEN = Path(__file__).parents[1] / "golden"
#: People may well write these themselves, above what they type.
EVERYDAY = {"ORDERS", "THE ORDERS", "THE POINTS"}


@pytest.mark.parametrize("mail", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_every_heading_tells_a_quoted_report(mail: Path) -> None:
    headings = set(re.findall(r"^[A-Z][A-Z ]+[A-Z]$", mail.read_text(encoding="utf-8"), re.MULTILINE))
    assert headings - EVERYDAY <= known_headings()
