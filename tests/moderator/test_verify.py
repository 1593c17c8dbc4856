"""`pbem verify FILE`: a player checks a finished game with nothing but what was exported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.errors import ConfigError
from pbem.moderator import actions, inspect
from pbem.play.verify import verify_file


@pytest.fixture
def exported(club, game, tmp_path: Path) -> Path:
    """A game that went through a rollback past a reveal."""
    for colour in ("Red", "Green"):
        club.moves(colour)
    actions.roll_back(club.moderator, "G001", turn=2)
    club.moves("Green")
    file = tmp_path / "G001.json"
    file.write_text(json.dumps(inspect.export(club.moderator, "G001", reveal="a test")))
    return file


def test_an_exported_game_agrees_and_shows_its_seal(exported: Path, game) -> None:
    comparison = verify_file(exported)
    assert comparison.agrees
    assert comparison.sentence.endswith(f"its seal is {game.commitment}, which must be the one in your first mail")


def test_a_choice_that_was_changed_differs(exported: Path) -> None:
    data = json.loads(exported.read_text())
    data["versions"][-1]["digest"] = "0" * 64
    exported.write_text(json.dumps(data))
    assert "differs at version" in verify_file(exported).sentence


def test_another_seed_differs(exported: Path) -> None:
    data = json.loads(exported.read_text())
    data["seed"] = "00" * 32
    exported.write_text(json.dumps(data))
    assert "its seed is not the one that was committed to" in verify_file(exported).sentence


def test_a_game_exported_without_its_secrets_cannot_be_checked(club, game, tmp_path: Path) -> None:
    file = tmp_path / "G001.json"
    file.write_text(json.dumps(inspect.export(club.moderator, "G001")))
    with pytest.raises(ConfigError, match="holds no seed: it was exported before the game was over"):
        verify_file(file)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"seed": 1}', "42", '{"seed": "x", "versions": [1]}'])
def test_any_other_file_is_one_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(ConfigError, match="exported"):
        verify_file(file)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"x\.json cannot be read: No such file"):
        verify_file(tmp_path / "x.json")
