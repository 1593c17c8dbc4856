"""Text to lines: what nobody typed into them, quote marks of every sort, links and files in the text."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pbem.mail.reading.lines import lines_of, with_depths


def depths(*texts: str) -> list[int]:
    return [line.depth for line in with_depths(texts)]


def texts(text: str) -> list[str]:
    return [line.text for line in lines_of(text, {})]


@pytest.mark.parametrize(("mark", "fewest"), [("TC> ", 2), ("| ", 8), ("% ", 8)])
def test_names_and_signs_are_quote_marks_when_enough_lines_begin_with_them(mark: str, fewest: int) -> None:
    assert depths(*[f"{mark}play A"] * fewest) == [1] * fewest
    assert depths(*[f"{mark}play A"] * (fewest - 1)) == [0] * (fewest - 1)


def test_a_table_drawn_with_bars_is_not_quoted() -> None:
    assert depths(*["| 1 | play A |"] * 9) == [0] * 9


@pytest.mark.parametrize(
    "link",
    [
        "play%20Mr%20Boggis%3B%20minion%20The%20Hippo",
        "play%20Mr Boggis; minion The%20Hippo",
        "play+Mr+Boggis%3B+minion+The+Hippo",
        "mailto:orders@play.example.org?subject=G042&body=play%20Mr%20Boggis%3B%20minion%20The%20Hippo",
        "mailto:orders@play.example.org?body=play%20Mr%20Boggis%0D%0Aminion%20The%20Hippo&subject=G042",
    ],
)
def test_an_order_link_that_nobody_decoded_is_read(post: SimpleNamespace, link: str) -> None:
    assert post.read(link).orders == ("play Mr Boggis", "minion The Hippo")


def test_an_address_on_the_web_is_no_order_link() -> None:
    assert texts("https://example.org/a%20b") == ["https://example.org/a%20b"]


@pytest.mark.parametrize(
    "file",
    [
        "begin 644 map.gif\nM1TE&.#EA`0`!`(```\n`\nend",
        "begin-base64 644 map.gif\nR0lGODlhAQAB\n====",
        "=ybegin line=128 size=3 name=x\nplay dead\n=yend size=3",
        "BEGIN:VCARD\nFN:Ilse\nEND:VCARD",
    ],
)
def test_a_file_in_the_text_is_not_typed(post: SimpleNamespace, file: str) -> None:
    found = post.read(f"play Mr Boggis\n\n{file}\n\nsee you")
    assert (found.orders, found.chat) == (("play Mr Boggis",), ("see you",))


@pytest.mark.parametrize("struck", ["~~play A~~", "~~play A~~ ", "p\u0336l\u0336a\u0336y\u0336 \u0336A\u0336"])
def test_struck_out_text_is_withdrawn(post: SimpleNamespace, struck: str) -> None:
    found = post.read(f"{struck}\nplay B")
    assert [tuple(line) for line in found.typed] == [("play A", "withdrawn"), ("play B", "order")]


def test_entities_that_were_left_in_the_text_are_read() -> None:
    assert texts("Mr Pin &amp; Mr&nbsp;Tulip &amp") == ["Mr Pin & Mr Tulip &amp"]
