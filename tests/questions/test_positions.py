"""Questions about a position are answered from the asker's view, rightly or not at all."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import games.ankh_morpork.answers
from games.ankh_morpork.game import GAME
from games.goofspiel.game import GAME as GOOFSPIEL
from pbem.protocol import Seat
from pbem.questions.answer import answer
from pbem.reports.render import environment
from tests.questions.rates import FOLDER, answered, questions, said

TABLE = tomllib.loads((FOLDER / "positions.toml").read_text(encoding="utf-8"))
POSITIONS = {row["id"]: row["position"] for row in TABLE["position"]}
ANSWERS = Path(games.ankh_morpork.answers.__file__).parent


@pytest.mark.parametrize("row", TABLE["question"], ids=lambda row: row["text"])
def test_a_question_about_a_position_is_answered_rightly(row: dict[str, str]) -> None:
    assert said(row["text"], POSITIONS[row["position"]], row["seat"]) == row["says"]


@pytest.mark.parametrize(
    "question",
    [
        "Can I build in Dimwell after Green has moved?",
        "What happens if I place a minion in The Shades?",
        "Who controls an area that has a demon?",
        "If I lose the Hippo, how far am I from winning?",
        "How far is Green from winning?",
        "What does Yellow need to win?",
        "Where will Green build?",
        "Can I build with a loan in Longwall?",
    ],
)
def test_a_question_with_a_word_that_no_form_explains_is_not_answered_from_the_position(question: str) -> None:
    view = GAME.position(POSITIONS["four"]).view(Seat(0))
    assert answer(GAME, question, view).finding is None


def test_without_a_position_nothing_is_said_of_one() -> None:
    assert answer(GAME, "Who controls Dimwell?").finding is None


def test_players_are_called_by_their_names() -> None:
    view = GAME.position(POSITIONS["four"]).view(Seat(0))
    finding = answer(GAME, "How many cards does Bob have?", view, {"Bob": "Green"}).finding
    assert finding is not None
    assert finding.facts["hands"] == [{"colour": "Green", "cards": 5}]


def test_everything_found_out_and_untold_has_words() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in ANSWERS.glob("*.py"))
    words = environment(GAME.name, "text").get_template("own_answers.j2").module
    found = set(re.findall(r'(?:Finding|_verdict)\(\s*"(\w+)"', source)) | {"how_many_minions", "how_many_buildings"}
    assert found == set(words.FINDINGS)  # type: ignore[attr-defined]
    assert set(re.findall(r'Untold\("(\w+)"', source)) == set(words.UNTOLD)  # type: ignore[attr-defined]


def test_an_answer_is_the_same_whatever_the_asker_cannot_see() -> None:
    match = GAME.position(POSITIONS["four"])
    views = [one.view(Seat(1)) for one in (match, GAME.dealt_anew(match, Seat(1), bytes(range(32))))]
    for row in TABLE["question"][::3]:
        first, second = (answer(GAME, row["text"], view).finding for view in views)
        assert first == second, row["text"]


def test_goofspiel_answers_from_its_rules() -> None:
    assert answer(GOOFSPIEL, "What happens when two bid the same?").entries[0].id == "rule-6"
    assert answer(GOOFSPIEL, "What did Bob bid?").kind == "unanswerable"


@pytest.mark.parametrize(
    "row", [row for row in questions("second") if row["kind"] == "unanswerable"], ids=lambda row: row["text"]
)
def test_what_nobody_may_tell_is_not_told(row: dict[str, str]) -> None:
    assert answered(row).kind == "unanswerable"
