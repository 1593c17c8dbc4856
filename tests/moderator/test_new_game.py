"""`pbem game`: a game that was just begun keeps its promises, and what is installed is listed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.game import app
from pbem.demo.demo import story
from pbem.errors import ConfigError
from pbem.moderator.new_game import write_game
from pbem.protocol import Seat, game_named, installed_games
from pbem.reports.render import Renderer
from pbem.reports.samples import Samples
from pbem.testing import check


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a new game, which is installed."""
    write_game("blue_moon", tmp_path)
    folder = tmp_path / "blue_moon"
    metadata = folder / "blue_moon-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: blue_moon\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[pbem.games]\nblue_moon = blue_moon:GAME\n")
    monkeypatch.syspath_prepend(str(folder))
    for module in [name for name in sys.modules if name.startswith("blue_moon")]:
        monkeypatch.delitem(sys.modules, module)
    return folder


def test_a_new_game_keeps_its_promises(begun: Path) -> None:
    game = game_named("blue_moon")
    assert game.title == "Blue Moon"
    assert check(game).events == 2


def test_a_heading_stands_only_over_what_is_told_and_the_winner_is_named_without_words_of_the_game(begun: Path) -> None:
    game = game_named("blue_moon")
    match, samples = game.new(2, bytes(32), {}), Samples(game, 2)
    mails = {mail.template: mail for mail in samples.every_kind(match, Seat(0), match.opening())}
    assert "SO FAR" not in Renderer("blue_moon", "games@example.org").render(mails["welcome"]).text
    scores = [{"player": "Ann", "winner": False}, {"player": "Bob", "winner": True}]
    assert story("blue_moon", "ended.j2", reason="last", scores=scores).startswith("Bob has won.\n")
    assert story("blue_moon", "ended.j2", reason="last", scores=scores[:1]).startswith("Nobody has won.\n")


def test_nothing_of_a_new_game_has_the_name_of_the_template(begun: Path) -> None:
    texts = [path.read_text() for path in begun.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert not any(name in text for text in texts for name in ("new_game", "New Game", "NewGame"))
    assert not any("new_game" in str(path.relative_to(begun)) for path in begun.rglob("*"))


@pytest.mark.slow
def test_the_tests_of_a_new_game_pass(begun: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(begun / "tests")],
        cwd=begun,
        env={"PYTHONPATH": str(begun)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout
    assert "2 passed" in told.stdout


@pytest.mark.parametrize("name", ["Blue", "blue-moon", "9men", "", "class", "../up"])
def test_a_name_that_no_package_can_have_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be the name"):
        write_game(name, tmp_path)


@pytest.mark.parametrize("name", ["goofspiel", "base", "new_game"])
def test_a_name_that_is_taken_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is taken"):
        write_game(name, tmp_path)


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "blue_moon").mkdir()
    with pytest.raises(ConfigError, match="is there already"):
        write_game("blue_moon", tmp_path)


def test_the_command_says_what_to_do_next(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["new", "red_moon", "--folder", str(tmp_path)])
    assert told.exit_code == 0
    assert "pbem game check red_moon" in told.stdout
    assert (tmp_path / "red_moon/red_moon/templates/events.j2").is_file()


@pytest.mark.slow
def test_the_command_checks_a_game_and_says_how_much_was_looked_at(begun: Path) -> None:
    told = CliRunner().invoke(app, ["check", "blue_moon", "--seed", "3", "--games", "2"])
    assert told.stdout.startswith("blue_moon keeps its promises: 18 matches, ")
    assert told.stdout.endswith("mails\nsecrets: proved\n")


def test_a_game_that_cannot_be_loaded_is_named_with_its_line_and_hinders_no_other(begun: Path) -> None:
    source = begun / "blue_moon/game.py"
    source.write_text("COLOURS = (\n")
    told = CliRunner().invoke(app, ["list"]).stdout
    assert f"blue_moon     cannot be loaded: SyntaxError, {source}:1\n" in told
    assert "Goofspiel" in told
    assert json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout.splitlines()[1])["name"] == "blue_moon"
    assert "blue_moon" not in installed_games()
    assert game_named("goofspiel").title == "Goofspiel"
    with pytest.raises(ConfigError, match=f"blue_moon cannot be loaded: SyntaxError, {source}:1"):
        game_named("blue_moon")


def test_what_seats_see_of_their_own_is_named_where_no_secrets_are_proved(begun: Path) -> None:
    source = begun / "blue_moon/game.py"
    text = (
        source.read_text()
        .replace("def dealt_anew", "def deal")
        .replace('"sticks": self', '"sticks": (seat or 0) + self')
    )
    source.write_text(text)
    told = CliRunner().invoke(app, ["check", "blue_moon"])
    assert told.stdout.endswith("secrets: not proved, for there is no dealt_anew; seats see their own: sticks\n")


def test_an_unknown_game_is_a_sentence() -> None:
    told = CliRunner().invoke(app, ["check", "chess"])
    assert isinstance(told.exception, ConfigError)


def test_the_games_are_listed() -> None:
    (game,) = (
        line
        for line in map(json.loads, CliRunner().invoke(app, ["list", "--json"]).stdout.splitlines())
        if line["name"] == "goofspiel"
    )
    assert game["seats"] == [2, 6]
    assert game["settings"] == {"cards": ["13", "10", "7", "5"]}
    assert game["parts"] == ["bot", "rules"]
