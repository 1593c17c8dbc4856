"""The HTML part says what the text part says."""

from __future__ import annotations

import html
import re

from pbem.reports.contexts import Mail
from pbem.reports.render import Renderer

#: Words of the text part that tell of the HTML part, and of the legend of the map drawn with letters.
OF_TEXT_ALONE = {"In", "the", "HTML", "part", "a", "tap", "THE", "MAP"}


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.replace("</span>", "")))


def test_every_word_of_the_text_is_in_the_html(name: str, sample: Mail, renderer: Renderer) -> None:
    made = renderer.render(sample)
    text = re.sub(r"(?m)^[+|].*$", "", made.text)  # the map
    # An `s` behind a coloured word, as in `2 demons`, belongs to it.
    part = re.sub(r"(?s)<head>.*?</head>|<[^>]*>(?!s\b)", " ", made.html)
    assert words(text) - words(html.unescape(part)) <= OF_TEXT_ALONE, name


def test_no_name_loses_its_blanks(name: str, sample: Mail, renderer: Renderer) -> None:
    part = re.sub(r"mailto:[^\"]*", "", renderer.render(sample).html)
    for squeezed in ("IsleofGods", "NapHill", "playGroat"):
        assert squeezed not in part, name


def test_headings_are_headings_and_cells_say_what_they_head(name: str, sample: Mail, renderer: Renderer) -> None:
    part = renderer.render(sample).html
    assert part.index("<h1") < part.find("<h2") or "<h2" not in part, name
    for table in re.findall(r"(?s)<table(?! role).*?</table>", part):
        assert table.count('scope="row"') == table.count("<tr") - 1
        assert 'scope="col"' in table
