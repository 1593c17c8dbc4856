"""`pbem init` asks what it must, and writes what can be used."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from pbem.cli.main import group, guarded
from pbem.config import load


class Terminal(io.StringIO):
    """Somebody at a keyboard."""

    def isatty(self) -> bool:
        return True


def test_what_is_answered_is_in_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = ("nonsense", "games@gmx.net", "me@example.org", "", "smtp.example.org", "587")
    monkeypatch.setattr("sys.stdin", Terminal("\n".join(answers) + "\n"))
    group()(["init", str(tmp_path)], standalone_mode=False)
    settings = load(tmp_path / "pbem.toml")
    assert (settings.mail.address, settings.mail.moderator) == ("games@gmx.net", "me@example.org")
    assert (settings.imap.host, settings.smtp.host) == ("imap.gmx.net", "smtp.example.org")
    assert (settings.smtp.port, settings.smtp.tls) == (587, "starttls")
    assert (tmp_path / "pbem.db").exists()


def fails(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that init says when it writes nothing."""
    assert guarded(lambda: group()(["init", *words], standalone_mode=False)) == 1
    return capsys.readouterr().err


def test_without_a_terminal_it_asks_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is nobody to answer; use --yes and edit pbem.toml" in fails(capsys, str(tmp_path))


def test_a_configuration_that_is_there_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pbem.toml").write_text("mine")
    assert "is not valid TOML" in fails(capsys, str(tmp_path), "--yes")
    assert (tmp_path / "pbem.toml").read_text() == "mine"


def test_a_database_that_is_gone_is_made_anew_only_by_init(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    group()(["init", str(tmp_path), "--yes"], standalone_mode=False)
    assert "there is a database" in fails(capsys, str(tmp_path))
    (tmp_path / "pbem.db").unlink()
    for words in (["run", "--once"], ["admin", "games"], ["admin", "backup", str(tmp_path / "x")], ["verify", "G001"]):
        words += ["-c", str(tmp_path / "pbem.toml")]
        assert guarded(lambda: group()(words, standalone_mode=False)) == 1  # noqa: B023
        assert "there is no database" in capsys.readouterr().err
    assert not (tmp_path / "pbem.db").exists()
    group()(["init", str(tmp_path)], standalone_mode=False)
    assert (tmp_path / "pbem.db").exists()
