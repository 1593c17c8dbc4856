"""Whole mails compared with the ones in tests/golden, subject and text and HTML.

When a difference is meant, write them anew and read the diff:  GOLDEN_MAILS=write pytest tests/reports
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.reports.contexts import KINDS, Mail
from pbem.reports.render import Renderer

GOLDEN = Path(__file__).parent.parent / "golden"
#: The HTML part has the same words; these samples are compared with their HTML too.
WITH_HTML = ("report", "acknowledgement", "final")


def golden(name: str, found: str) -> str:
    """The stored mail, or `found` after storing it when golden mails are being written."""
    path = GOLDEN / name
    if os.environ.get("GOLDEN_MAILS") == "write":
        path.write_text(found, encoding="utf-8")
    return path.read_text(encoding="utf-8")


def test_a_mail_reads_as_agreed(name: str, sample: Mail, renderer: Renderer) -> None:
    mail = renderer.render(sample)
    found = f"Subject: {mail.subject}\n\n{mail.text}"
    assert found == golden(f"{name}.txt", found)


@pytest.mark.parametrize("name", WITH_HTML)
def test_the_html_part_is_as_agreed(name: str, samples: dict[str, Mail], renderer: Renderer) -> None:
    found = renderer.render(samples[name]).html
    assert found == golden(f"{name}.html", found)


def test_every_kind_of_mail_has_a_sample(samples: dict[str, Mail]) -> None:
    assert {type(sample) for sample in samples.values()} == set(KINDS)
