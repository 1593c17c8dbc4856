"""HTML to lines: what a person sees of it, and what was struck out."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pbem.mail.reading.html import lines_of_html


@pytest.mark.parametrize(
    "struck",
    [
        "<s>{}</s>",
        "<strike>{}</strike>",
        "<del>{}</del>",
        '<span style="text-decoration:line-through">{}</span>',
        '<span style="color:red; text-decoration-line: underline line-through">{}</span>',
    ],
)
def test_struck_out_text_is_withdrawn(post: SimpleNamespace, struck: str) -> None:
    html = f"<div>{struck.format('play A')}</div><div>play {struck.format('B')} <ins>C</ins></div>"
    found = post.read(None, html=html)
    assert [tuple(line) for line in found.typed] == [("play A", "withdrawn"), ("B", "withdrawn"), ("play C", "order")]


def test_what_is_struck_out_in_the_html_is_withdrawn_from_the_text_as_well(post: SimpleNamespace) -> None:
    found = post.read("play A\nplay B\n", html="<p><s>play A</s></p><p>play B</p>")
    assert found.orders == ("play B",)


def test_a_text_part_that_lost_its_lines_loses_against_the_html(post: SimpleNamespace) -> None:
    html = "<p>play A</p><p>minion B</p>"
    assert post.read("play A minion B\n", html=html).orders == ("play A", "minion B")
    assert post.read("play A minion C\n", html=html).orders == ("play A minion C",)


def test_boxes_that_were_not_ticked_are_withdrawn(post: SimpleNamespace) -> None:
    html = "<ul><li><input type=checkbox checked>play A</li><li><input type=checkbox>play B</li></ul>"
    assert [tuple(line) for line in post.read(None, html=html).typed] == [("play A", "order"), ("play B", "withdrawn")]


def test_rows_of_a_table_are_lines() -> None:
    lines = lines_of_html("<table><tr><td>1<td>play A<tr><td>2<td>end</table>")
    assert [line.text for line in lines] == ["1  play A", "2  end"]
