"""Questions as people write them: how many are answered rightly at the first place, and among three."""

from __future__ import annotations

import pytest

from tests.questions.rates import answered, questions, rates

#: A table -> the least that is right in it at the first place, and among three, of all.
LEAST = {"handed": (0.96, 0.98), "second": (0.9, 0.95)}


@pytest.mark.parametrize("name", LEAST)
def test_questions_are_answered_rightly(name: str) -> None:
    total, first, three = (sum(column) for column in zip(*rates(name).values(), strict=True))
    assert first / total >= LEAST[name][0], rates(name)
    assert three / total >= LEAST[name][1], rates(name)


@pytest.mark.parametrize(
    "row", [row for row in questions("handed") if row["kind"] == "chat"], ids=lambda row: row["text"]
)
def test_nothing_is_looked_up_for_small_talk(row: dict[str, str]) -> None:
    assert answered(row).entries == ()
