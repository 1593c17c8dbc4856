"""The lists of what programs and companies write: a pattern a line, behind its language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.mail.reading import data

LISTS = sorted(file.stem for file in Path(data.__file__).parent.glob("*.txt") if file.stem != "headings")


@pytest.mark.parametrize("name", LISTS)
def test_a_line_of_a_list_is_a_language_and_a_pattern(name: str) -> None:
    for line in data.entries(name):
        assert re.fullmatch(r"[a-z]{2}  \S.*", line), line
        re.compile(line[4:])


@pytest.mark.parametrize("name", LISTS)
def test_no_pattern_stands_twice_in_a_list(name: str) -> None:
    patterns = [line[4:] for line in data.entries(name)]
    assert len(patterns) == len(set(patterns))
