"""`pbem replay` and `pbem aid`: pages that are written to files."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.main import group, guarded
from pbem.moderator import actions
from pbem.moderator.players import SeatSpec
from pbem.play.course import written_page

BOTS = [SeatSpec(""), SeatSpec("")]


@pytest.fixture
def run(club, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> object:
    """Types a command in a folder; gives its exit status, and what it prints and says."""
    monkeypatch.setenv("PBEM_CONFIG", str(club.config))
    monkeypatch.chdir(tmp_path)

    def typed(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = guarded(lambda: group()(list(words), standalone_mode=False))
        return status, *capsys.readouterr()

    return typed


def test_replay_writes_the_page_of_a_game_that_is_over(club, run, tmp_path: Path) -> None:
    actions.new_game(club.moderator, "Bots", BOTS, game_type="goofspiel", rules={"cards": "5"})
    actions.start(club.moderator, "G001")
    assert run("replay", "G001") == (0, "wrote g001-replay.html\n", "")
    assert (tmp_path / "g001-replay.html").read_text() == written_page(club.store, "G001").html + "\n"
    assert run("replay", "bots", "-o", "other.html")[:2] == (0, "wrote other.html\n")


def test_replay_refuses_a_game_that_is_not_over_in_a_sentence(run, game, tmp_path: Path) -> None:
    status, printed, said = run("replay", "G001")
    assert (status, printed) == (1, "")
    assert said == "pbem: G001 is not over; until it is, its page would show what is secret\n"
    assert not [*tmp_path.glob("*.html")]


def test_a_file_that_cannot_be_written_is_a_sentence(run, tmp_path: Path) -> None:
    status, _, said = run("aid", "-o", str(tmp_path / "no" / "aid.txt"))
    assert status == 1
    assert said.startswith("pbem: ")
    assert said.endswith("cannot be written: No such file or directory\n")


def test_aid_is_text_for_the_terminal_or_a_page_for_a_printer(run, tmp_path: Path) -> None:
    status, printed, _ = run("aid")
    assert status == 0
    assert printed.startswith("Discworld: Ankh-Morpork\n")
    assert run("aid", "--game", "goofspiel", "--html", "--output", "aid.html")[:2] == (0, "wrote aid.html\n")
    assert "<title>Goofspiel</title>" in (tmp_path / "aid.html").read_text()
