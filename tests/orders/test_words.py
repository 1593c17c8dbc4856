"""Two ways to write the same thing become the same words."""

from __future__ import annotations

import pytest

from pbem.orders.words import clean, plain, unmarked, words


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("The Hippo", "hippo"),
        ("Dragon's Landing", "dragons landing"),
        ("Dragon\u2019s Landing", "Dragons  Landing"),
        ("Isle of Gods", "isle gods"),
        ("Mr Boggis", "mister boggis"),
        ("Mr. Boggis", "MR BOGGIS"),
        ("Mr Pin & Mr Tulip", "mr pin and mr tulip"),
        ("Seven Sleepers", "7 sleepers"),
        ("give $1", "give one dollar"),
        ("Zorgo the Retro-phrenologist", "zorgo retro phrenologist"),
        ("Doctor Hix", "dr hix"),
        ("ＧＲＯＡＴ", "groat"),
        ("Café", "cafe"),
        ("Gro\u00adat", "groat"),
    ],
)
def test_the_same_thing_written_differently_is_the_same(written: str, same: str) -> None:
    assert plain(written) == plain(same)


@pytest.mark.parametrize(
    "line",
    [
        "- end",
        "* end",
        "1. end",
        "2) end",
        "(3) end",
        "a) end",
        "\u2022 end",
        "[ ] end",
        "> end",
        ">> end",
        "-> end",
        "\u2013 end",
    ],
)
def test_a_list_mark_is_no_part_of_the_order(line: str) -> None:
    assert unmarked(clean(line)) == "end"


def test_each_word_knows_where_it_stands() -> None:
    text = "play the Fool's Guild, end"
    assert [text[word.start : word.end] for word in words(text)] == ["play", "Fool's", "Guild", ",", "end"]
