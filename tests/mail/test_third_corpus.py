"""The third corpus, tests/mails/third: mixtures and traps, by the rules of the first, written before their code."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "mails" / "third"
INDEX = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
WORDS = tuple(INDEX["report"]["order_words"])


@pytest.mark.parametrize("entry", INDEX["message"], ids=lambda entry: entry["file"])
@pytest.mark.parametrize("words", [WORDS, None], ids=["four words", "all words"])
def test_a_mail_of_the_third_corpus_yields_what_its_index_says(
    entry: dict[str, object], words: tuple[str, ...] | None, yields: Callable[..., None]
) -> None:
    yields(FOLDER, entry, words)


def test_the_third_corpus_is_whole() -> None:
    assert len(INDEX["message"]) == INDEX["count"] == len(list(FOLDER.glob("*.eml")))
