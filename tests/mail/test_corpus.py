"""The corpus of whole mails in tests/mails/corpus: each yields what its index says."""

from __future__ import annotations

import tomllib
import unicodedata
from pathlib import Path

import pytest

from pbem.cli.check import check, reading_for
from pbem.mail.reading.parse import understand

FOLDER = Path(__file__).parents[1] / "mails" / "corpus"
INDEX = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
WORDS = tuple(INDEX["report"]["order_words"])
OWN = INDEX["report"]["own_address"]
DROPPED = ("Cf", "So", "Sk", "Mn")
PLAIN = str.maketrans({**dict.fromkeys("‘’‚‛′´`ʼ", "'"), **dict.fromkeys("“”„‟″", '"'), "−": "-"})


def key(line: str) -> str:
    """The comparison that the corpus's README lays down."""
    line = unicodedata.normalize("NFKC", line).translate(PLAIN)
    line = "".join("-" if unicodedata.category(c) == "Pd" else c for c in line)
    line = "".join(c for c in line if c != "\0" and unicodedata.category(c) not in DROPPED)
    return " ".join(line.split()).rstrip(" .,;!").casefold()


@pytest.mark.parametrize("entry", INDEX["message"], ids=lambda entry: entry["file"])
def test_a_mail_of_the_corpus_yields_what_its_index_says(entry: dict[str, object]) -> None:
    names = [name for name in (entry.get("after"), entry["file"]) if name]
    found = list(check([FOLDER / str(name) for name in names], WORDS, (OWN,)))[-1]
    assert found["kind"] == entry["kind"]
    assert found["sender"] == str(entry["sender"]).lower()
    assert [key(line) for line in found["orders"]] == [key(line) for line in entry["orders"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize("entry", INDEX["message"], ids=lambda entry: entry["file"])
def test_the_whole_list_of_order_words_finds_the_same_orders(entry: dict[str, object]) -> None:
    if entry["kind"] in ("rejected", "duplicate"):
        pytest.skip("needs seats or a history")
    found = understand((FOLDER / str(entry["file"])).read_bytes(), reading_for(None, (OWN,)))
    assert [key(line) for line in found.orders] == [key(line) for line in entry["orders"]]  # type: ignore[attr-defined]


def test_the_corpus_is_whole() -> None:
    assert len(INDEX["message"]) == INDEX["count"] == len(list(FOLDER.glob("*.eml")))
