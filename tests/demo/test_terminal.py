"""How the person at `pbem play` writes, line by line or in an editor."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.demo.client import Received
from pbem.demo.terminal import Keyboard, edited, typed_above
from pbem.errors import ConfigError

MAIL = Received(
    subject="[G001] your move", text="Ann, it is your move.\n", message_id="<1@play.test>", reply_to="orders@play.test"
)


@contextmanager
def keyboard(typed: bytes) -> Iterator[Keyboard]:
    """A keyboard at which this has been typed, and then Ctrl-D."""
    reading, writing = os.pipe()
    os.write(writing, typed)
    os.close(writing)
    with os.fdopen(reading) as terminal:
        yield Keyboard(terminal.fileno())


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (b"play Groat\nminion Dimwell\n\nend\n", "play Groat\nminion Dimwell"),
        (b"\n 2 \n\n", "2"),
        (b"play Groat\nQuit\n", "quit"),
        (b"", "quit"),
        (b"play Groat\n", "play Groat"),
        (b"play Groat", "play Groat"),
        (b"\x1b[4~\nplay\x1b[D\x1bOC Groat\n\n", "play Groat"),
    ],
)
async def test_lines_that_come_together_are_one_reply(typed: bytes, answer: str) -> None:
    with keyboard(typed) as read:
        assert await read(MAIL) == answer


async def test_a_line_is_sent_at_once_and_what_follows_an_empty_one_is_the_next_reply() -> None:
    with keyboard(b"play Groat\n\nminion Dimwell\nend\n") as read:
        assert [await read(MAIL) for _ in range(3)] == ["play Groat", "minion Dimwell\nend", "quit"]


async def test_orders_may_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "orders").write_text("skip\n\n")
    with (tmp_path / "orders").open() as terminal:
        assert await Keyboard(terminal.fileno())(MAIL) == "skip"


async def test_the_word_edit_opens_the_editor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "sed -i 1s/^/skip/")
    with keyboard(b"Edit\n") as read:
        assert (await read(MAIL)).startswith("skip\n\n> Ann,")


async def test_an_editor_that_fails_leaves_the_reply_to_be_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VISUAL", "false")
    with keyboard(b"edit\nplay Groat\n") as read:
        assert await read(MAIL) == "play Groat"
    assert "the editor 'false' failed" in capsys.readouterr().out


def test_an_editor_writes_the_reply(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "minion Dimwell\\n" | cat - "$1" > "$1.new" && cat "$1.new" > "$1"\n')
    editor.chmod(0o755)
    assert edited(str(editor), MAIL).startswith("minion Dimwell\n\n\n> Ann, it is your move.")


def test_an_editor_that_changes_nothing_leaves_the_table() -> None:
    assert edited("true", MAIL) == "quit"


def test_an_editor_that_fails_is_named() -> None:
    with pytest.raises(ConfigError, match="the editor 'false' failed"):
        edited("false", MAIL)


def test_a_mail_is_shown_without_the_section_to_fill_in() -> None:
    words = "Ann, no.\n\n  Optional: orders can also be written between these two lines.\n== BEGIN ==\n\n== END ==\n"
    assert typed_above(words, "== BEGIN ==") == "Ann, no."
    assert typed_above("Ann, it is over.\n", "== BEGIN ==") == "Ann, it is over."
