"""Whole mails compared with the ones in tests/golden, subject and text and HTML.

When a difference is meant, write them anew and read the diff:  GOLDEN_MAILS=write pytest tests/reports
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.reports import contexts
from pbem.reports.contexts import Mail
from pbem.reports.render import Renderer

Golden = Callable[[str, str], str]
#: The HTML part has the same words; these samples are compared with their HTML too.
WITH_HTML = ("report", "acknowledgement", "final")


def test_a_mail_reads_as_agreed(name: str, sample: Mail, renderer: Renderer, golden: Golden) -> None:
    mail = renderer.render(sample)
    found = f"Subject: {mail.subject}\n\n{mail.text}"
    assert found == golden(f"{name}.txt", found)


@pytest.mark.parametrize("name", WITH_HTML)
def test_the_html_part_is_as_agreed(name: str, samples: dict[str, Mail], renderer: Renderer, golden: Golden) -> None:
    found = renderer.render(samples[name]).html
    assert found == golden(f"{name}.html", found)


def test_every_kind_of_mail_has_a_sample(samples: dict[str, Mail]) -> None:
    kinds = {kind for kind in vars(contexts).values() if getattr(kind, "template", "")}
    assert {type(sample) for sample in samples.values()} == kinds
