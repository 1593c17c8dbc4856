"""How the person at `pbem play` writes, line by line or in an editor."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.demo.client import Received
from pbem.demo.terminal import edited, write_answer
from pbem.errors import ConfigError

MAIL = Received(
    subject="[G001] your move", text="Ann, it is your move.\n", message_id="<1@play.test>", reply_to="orders@play.test"
)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (b"play Groat\nminion Dimwell\n\nend\n", "play Groat\nminion Dimwell"),
        (b"\n 2 \n\n", "2"),
        (b"play Groat\nQuit\n", "quit"),
        (b"", "quit"),
        (b"play Groat\n", "play Groat"),
        (b"\x1b[4~\nplay\x1b[D\x1bOC Groat\n\n", "play Groat"),
    ],
)
async def test_orders_are_typed_line_by_line(typed: bytes, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.write(writing, typed)
    os.close(writing)
    with os.fdopen(reading) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        assert await write_answer(MAIL) == answer


async def test_orders_may_come_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "orders").write_text("skip\n\n")
    with (tmp_path / "orders").open() as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        assert await write_answer(MAIL) == "skip"


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
