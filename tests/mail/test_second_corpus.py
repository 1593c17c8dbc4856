"""The second corpus, tests/mails/second: other mail programs, languages and mixtures, by the rules of the first."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "mails" / "second"
INDEX = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
WORDS = tuple(INDEX["report"]["order_words"])


@pytest.mark.parametrize("entry", INDEX["message"], ids=lambda entry: entry["file"])
@pytest.mark.parametrize("words", [WORDS, None], ids=["four words", "all words"])
def test_a_mail_of_the_second_corpus_yields_what_its_index_says(
    entry: dict[str, object], words: tuple[str, ...] | None, yields: Callable[..., None]
) -> None:
    yields(FOLDER, entry, words)


def test_the_second_corpus_is_whole() -> None:
    assert len(INDEX["message"]) == INDEX["count"] == len(list(FOLDER.glob("*.eml")))
