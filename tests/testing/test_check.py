"""Every planted fault is found, with the promise that it breaks, the choices that lead there and the file."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import broken_games
import pytest
from broken_games import Broken

from pbem.protocol import Game, game_named, templates_folder
from pbem.testing import RESERVED, PromiseBroken, check, quick


@pytest.mark.parametrize("game", [Broken(), broken_games.WithPolicies()])
def test_a_game_without_a_fault_is_passed(game: Broken) -> None:
    assert check(game).matches == 4


#: What takes long to be seen.
ENDLESS = [fault for fault in broken_games.OF_MATCHES if fault[0] == "A match comes to an end."]


@pytest.mark.parametrize(
    ("promise", "faulty"),
    [
        *(fault for fault in broken_games.OF_MATCHES if fault not in ENDLESS),
        *(pytest.param(*fault, marks=pytest.mark.slow) for fault in ENDLESS),
    ],
)
def test_every_fault_is_found_by_the_promise_that_it_breaks(promise: str, faulty: Callable[[], Broken]) -> None:
    with pytest.raises(PromiseBroken) as found:
        check(faulty())
    assert found.value.promise == promise
    assert "broken_games.py" in found.value.file
    assert found.value.played is not None
    assert all(text in str(found.value) for text in (promise, "seed", "choices:", "file:"))


@pytest.mark.parametrize(("promise", "faulty"), broken_games.OF_GAMES)
def test_every_fault_of_the_game_itself_is_found(promise: str, faulty: Callable[[], Broken]) -> None:
    with pytest.raises(PromiseBroken) as found:
        check(faulty())
    assert found.value.promise == promise
    assert "broken_games.py" in found.value.file or faulty is broken_games.Secretive


def test_what_was_not_proved_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = installed("misspelt", tmp_path, monkeypatch) / "events.j2"
    file.write_text(file.read_text().replace('"BidsShown":', '"BidsShow":'))
    figures = check(game_named("misspelt"))
    assert (figures.secrets, figures.private) == (True, ("hand",))
    assert (figures.untold, figures.unseen) == (("BidsShown",), ("BidsShow",))


def test_the_choices_that_are_named_lead_to_the_fault() -> None:
    with pytest.raises(PromiseBroken) as found:
        check(Broken(broken_games.changed("_begin_turn", lambda match, told: told if match.turn == 1 else [])))
    assert found.value.played is not None
    assert len(found.value.played.choices) == 2


def test_an_option_may_be_called_yes_or_card_but_not_like_another_command() -> None:
    assert RESERVED.isdisjoint({"yes", "card"})
    assert {"help", "undo", "rules", "standing", "status", "resign"} <= RESERVED


def installed(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of this name with templates of its own, as if it were installed; the folder of its templates."""
    package = folder / name
    templates = shutil.copytree(templates_folder() / "goofspiel", package / "templates")
    source = f'class Own(Broken):\n    name = "{name}"\n\n\nGAME = Own()\n'
    (package / "__init__.py").write_text(f"from broken_games import Broken\n\n\n{source}")
    metadata = folder / f"{name}-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[pbem.games]\n{name} = {name}:GAME\n")
    monkeypatch.syspath_prepend(str(folder))
    return templates


@pytest.mark.parametrize(
    ("template", "old", "new", "promise"),
    [
        ("events.j2", "d.highest[0]", "d.hihgest[0]", "Every template can word whatever happens in the game."),
        ("events.j2", ": BidsShown", ": BidShown", "TELL in events.j2 maps kinds of events to macros."),
        pytest.param(
            "question.j2",
            "stakes",
            "steaks",
            "Every template can word whatever happens in the game.",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "result.j2",
            "m.scores",
            "m.points",
            "Every template can word whatever happens in the game.",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "rules/ties.j2",
            "Ties",
            "{{ ties }}",
            "Every template can word whatever happens in the game.",
            marks=pytest.mark.slow,
        ),
        ("private.j2", "{% endif %}", "", "Every template can be compiled."),
    ],
)
def test_a_mistake_in_a_template_is_found(
    template: str, old: str, new: str, promise: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"mistake_in_{Path(template).stem}_{old[0].isalpha()}".lower()
    file = installed(name, tmp_path, monkeypatch) / template
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(PromiseBroken) as found:
        check(game_named(name))
    assert found.value.promise == promise
    assert found.value.file.startswith(str(file))


@pytest.mark.parametrize("template", ["question.j2", "events.j2", "rules/points.j2"])
@pytest.mark.parametrize("looking", [check, quick], ids=["check", "quick"])
def test_a_missing_template_is_found(
    template: str,
    looking: Callable[[Game], object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    name = f"without_{Path(template).stem}_{request.node.callspec.id[:5]}"
    file = installed(name, tmp_path, monkeypatch) / template
    file.unlink()
    with pytest.raises(PromiseBroken, match="A game has a template for everything") as found:
        looking(game_named(name))
    assert found.value.file == str(file)


def test_the_cheap_part_finds_what_shows_at_once() -> None:
    with pytest.raises(PromiseBroken, match="Distinct options"):
        quick(Broken(broken_games.asking(lambda decision: broken_games.offer("bid 1", decision))))


def test_the_cheap_part_passes_every_installed_game_that_keeps_its_promises() -> None:
    quick(game_named("goofspiel"))
