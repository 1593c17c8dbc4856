"""What commands print is for people, whatever it is."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.cli.output import cell


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (True, "yes"),
        (False, "-"),
        (3, "3"),
        (None, "-"),
        ({"held": True}, "held=yes"),
        ([True, 2], "yes, 2"),
        ([], "-"),
    ],
)
def test_a_value_in_a_column_is_a_word(value: Any, said: str) -> None:
    assert cell(value, "UTC") == said
