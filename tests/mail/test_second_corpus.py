"""The second corpus, tests/mails/second: other mail programs, languages and mixtures, by the rules of the first."""

from __future__ import annotations

import tomllib
import unicodedata
from pathlib import Path

import pytest

from pbem.check import check

FOLDER = Path(__file__).parents[1] / "mails" / "second"
INDEX = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
WORDS = tuple(INDEX["report"]["order_words"])
OWN = INDEX["report"]["own_address"]
#: A robot that is told apart from another robot gains nothing: none is answered, none gives orders.
MACHINES = {"auto-reply", "bounce", "receipt", "bulk", "loop"}
#: Without seats nobody knows that a sender and a token do not fit together.
NEEDS_SEATS = {"rejected": {"rejected", "orders"}}
DROPPED = ("Cf", "So", "Sk", "Mn")
PLAIN = str.maketrans({**dict.fromkeys("‘’‚‛′ʼ", "'"), **dict.fromkeys("“”„‟″", '"'), "−": "-"})


def key(line: str) -> str:
    """The comparison that the README of the first corpus lays down."""
    line = unicodedata.normalize("NFKC", line).translate(PLAIN)
    line = "".join("-" if unicodedata.category(c) == "Pd" else c for c in line)
    line = "".join(c for c in line if c != "\0" and unicodedata.category(c) not in DROPPED)
    return " ".join(line.split()).rstrip(" .,;!").casefold()


@pytest.mark.parametrize("entry", INDEX["message"], ids=lambda entry: entry["file"])
@pytest.mark.parametrize("words", [WORDS, None], ids=["four words", "all words"])
def test_a_mail_of_the_second_corpus_yields_what_its_index_says(
    entry: dict[str, str], words: tuple[str, ...] | None
) -> None:
    names = [name for name in (entry.get("after"), entry["file"]) if name]
    found = list(check([FOLDER / name for name in names], words, (OWN,)))[-1]
    kind = entry["kind"]
    assert found["kind"] in (MACHINES if kind in MACHINES else NEEDS_SEATS.get(kind, {kind}))
    assert found["sender"] == entry["sender"].lower()
    if kind not in NEEDS_SEATS:
        assert [key(line) for line in found["orders"]] == [key(line) for line in entry["orders"]]


def test_the_second_corpus_is_whole() -> None:
    assert len(INDEX["message"]) == INDEX["count"] == len(list(FOLDER.glob("*.eml")))
