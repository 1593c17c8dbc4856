"""`pbem check`: what the server would understand of mails in files."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from pbem.errors import ConfigError
from pbem.mail.handling.check import check

PROSE = "minion puts one of your twelve into the city, where you have one"


@pytest.fixture
def mail(tmp_path: Path, post: SimpleNamespace) -> Path:
    file = tmp_path / "mail.eml"
    file.write_bytes(post.mail(f"play Mr Boggis\n{PROSE}\nhello"))
    return file


def test_the_report_that_was_sent_is_taken_out(tmp_path: Path, mail: Path, post: SimpleNamespace) -> None:
    sent = tmp_path / "sent.txt"
    sent.write_text(f"How to play\n{PROSE} or next door.\n", encoding="utf-8")
    before, after = (next(check([mail], None, (post.own,), sent=file)) for file in (None, sent))
    assert before["orders"] == ["play Mr Boggis", PROSE]
    assert (after["orders"], after["chat"]) == (["play Mr Boggis"], ["hello"])


def test_only_the_words_given_begin_orders(mail: Path, post: SimpleNamespace) -> None:
    assert next(check([mail], ("play",), (post.own,)))["orders"] == ["play Mr Boggis"]


@pytest.mark.parametrize("missing", ["mail", "sent"])
def test_a_file_that_cannot_be_read_is_said(tmp_path: Path, mail: Path, missing: str) -> None:
    nowhere = tmp_path / "nowhere"
    with pytest.raises(ConfigError, match="nowhere"):
        list(check([nowhere if missing == "mail" else mail], sent=nowhere if missing == "sent" else None))
