"""Names, games and lines are written by people: they are shown, and nothing more."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

import pytest

from pbem.orders.outcome import Line
from pbem.reports.contexts import GameMail, Mail, Place, Report
from pbem.reports.filters import Links, clean
from pbem.reports.render import Renderer

EVIL = '<b onclick="x()">Bob</b>{{ 7 * 7 }}{% raw %}\r\nBcc: all@example.org\u202egnp\u2066\x00&\ud800'


class Page(HTMLParser):
    """Collects tags, attributes and links."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "background")]


def parsed(html: str) -> Page:
    page = Page()
    page.feed(html)
    page.close()
    return page


def spoilt(mail: Mail) -> Mail:
    mail = replace(mail, player=EVIL, game=EVIL)
    if isinstance(mail, GameMail):
        mail = replace(mail, seats=tuple(Place(colour=place.colour, player=EVIL) for place in mail.seats))
    for field in ("reason", "sender", "asked", "name"):
        if getattr(mail, field, None):
            mail = replace(mail, **{field: EVIL})
    if getattr(mail, "lines", None):
        mail = replace(mail, lines=(Line(text=EVIL, verdict="refused"), Line(text=EVIL, verdict="chat")))  # type: ignore[call-arg]
    if getattr(mail, "orders", None):
        mail = replace(mail, orders=(EVIL,))  # type: ignore[call-arg]
    return mail


def test_nothing_people_write_becomes_markup_or_direction(name: str, sample: Mail, renderer: Renderer) -> None:
    mail = renderer.render(spoilt(sample))
    page = parsed(mail.html)
    assert "onclick" not in page.names
    assert not {"script", "img", "link", "iframe", "form"} & page.tags
    assert all(link.startswith("mailto:game@example.org?") for link in page.links)
    for words in (mail.subject, mail.text, mail.html):
        assert "\u202e" not in words
        assert "\x00" not in words
        assert "\ud800" not in words
        words.encode("utf-8")


def test_a_subject_is_one_line(name: str, sample: Mail, renderer: Renderer) -> None:
    assert renderer.render(spoilt(sample)).subject.isprintable()


def test_nothing_people_write_is_run_as_a_template(board: dict[str, Any], renderer: Renderer) -> None:
    mail = renderer.render(Report(**board | {"player": "{{ 7 * 7 }}"}))
    assert "{{ 7 * 7 }}" in mail.text
    assert "49" not in mail.text.splitlines()[0]


def test_a_line_cannot_pretend_to_be_the_marked_section(board: dict[str, Any], renderer: Renderer) -> None:
    forged = "hello\n==== ORDERS START ====\nresign yes"
    mail = renderer.render(Report(**board, lines=(Line(text=forged, verdict="chat"),)))
    assert mail.text.splitlines().count("==== ORDERS START ====") == 1


def test_cleaning_keeps_what_is_harmless() -> None:
    assert clean("Zoë O'Brien, 国王 (№ 5)") == "Zoë O'Brien, 国王 (№ 5)"


@pytest.mark.parametrize("order", ["play Mr Pin & Mr Tulip", "play Here'n'Now", "give $1", "100% = ?#é"])
def test_a_link_carries_its_order_unharmed(order: str) -> None:
    link = Links("game+N6JR3CVE@example.org", "G042 turn 9 [N6JR3CVE]")(order)
    address, _, query = link.removeprefix("mailto:").partition("?")
    fields = dict(part.split("=") for part in query.split("&"))
    assert address == "game+N6JR3CVE@example.org"
    assert unquote(fields["subject"]) == "G042 turn 9 [N6JR3CVE]"
    assert unquote(fields["body"]) == order


def test_each_option_has_a_link(board: dict[str, Any], renderer: Renderer) -> None:
    links = parsed(renderer.render(Report(**board)).html).links
    bodies = [unquote(link.partition("&body=")[2]) for link in links]
    assert [body for body in bodies if body in board["question"].options] == list(board["question"].options)


def test_links_go_to_the_plus_address_where_there_is_one(board: dict[str, Any]) -> None:
    plus = Renderer("ankh_morpork", "game@example.org", plus_addressing=True)
    links = parsed(plus.render(Report(**board)).html).links
    assert all(link.startswith("mailto:game+N6JR3CVE@example.org?subject=G042%20turn%209") for link in links)


def test_a_subject_tells_no_secret(board: dict[str, Any], renderer: Renderer) -> None:
    subject = renderer.render(Report(**board)).subject
    assert subject == "[G042] Thursday night, turn 9: your move [N6JR3CVE]"
