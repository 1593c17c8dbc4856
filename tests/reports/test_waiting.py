"""What a mail says of whom the game waits for, and until when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pbem.reports.contexts import Acknowledgement, Happening, Report, Situation
from pbem.reports.render import Renderer

Told = Callable[..., str]


@pytest.fixture
def told(board: dict[str, Any], renderer: Renderer) -> Told:
    """The report of a situation, up to the state of the game; `answer` is what was answered before."""

    def report(kind: Any, *group: str, answer: tuple[str, ...] = (), **more: Any) -> str:
        due_at = board["situation"].due_at
        changed = {
            "situation": Situation(kind=kind, due_at=due_at, group=group),
            "question": replace(board["question"], answer=answer),
        }
        return " ".join(renderer.render(Report(**board | changed | more)).text.split())

    return report


def test_nobody_is_on_the_move_when_the_game_is_over(told: Told) -> None:
    assert "It is Red (Rosie)'s move, until Tuesday" in told("waiting")
    assert "The game is over." in told("over")
    assert "'s move" not in told("over")


def test_who_is_asked_with_some_of_the_others_reads_who_they_are(told: Told) -> None:
    sentence = "Red (Rosie) and Blue (bot) are asked at the same time."
    assert sentence in told("answer", "Red", "Blue")
    assert sentence in told("answered", "Red", "Blue")
    assert "at the same time" not in told("move", "Red", "Green", "Blue")
    assert "at the same time" not in told("react")


def test_who_has_answered_reads_that_it_is_secret_and_can_be_replaced(told: Told) -> None:
    text = told("answered", "Red", "Blue", answer=("play Groat", "end"))
    assert "Your answer is kept secret until everybody asked has answered, at the latest on" in text
    assert 'You have answered "play Groat; end". What you write now takes its place.' in text


def test_half_an_answer_goes_on_and_is_not_replaced(told: Told) -> None:
    text = told("answer", "Red", "Blue", answer=("play Groat",))
    assert 'So far you have answered "play Groat"; this comes next.' in text
    assert "takes its place" not in text


def test_no_seat_is_named_while_reactions_are_open(told: Told) -> None:
    assert "The game waits for reactions, until Tuesday" in told("reactions")


def test_where_all_play_at_once_nobody_is_on_the_move(told: Told) -> None:
    assert "The game waits for an answer, until Tuesday" in told("waiting", actor="")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("move", "your move"),
        ("continues", "your move goes on"),
        ("react", "your reaction, please"),
        ("answer", "your answer, please"),
        ("answered", "your answer is in"),
        ("reactions", "waiting for reactions"),
        ("group", "waiting for answers"),
        ("waiting", "Red to move"),
        ("over", "the game is over"),
    ],
)
def test_the_subject_says_what_the_game_waits_for(
    kind: Any, words: str, board: dict[str, Any], renderer: Renderer
) -> None:
    report = Report(**board | {"situation": Situation(kind=kind)})
    assert renderer.render(report).subject == f"[G042] Thursday night, turn 9: {words} [N6JR3CVE]"


@pytest.mark.parametrize(("events", "first"), [(6, "WHAT CAME OF THEM"), (7, "WHAT YOU MAY DO NOW")])
def test_what_is_asked_next_stands_behind_a_short_story_and_before_a_long_one(
    events: int, first: str, board: dict[str, Any], renderer: Renderer
) -> None:
    passed = Happening(turn=9, actor="Red", kind="Passed", data={"colour": "Red"})
    made = Acknowledgement(**board | {"events": (passed,) * events}, complete=False)
    headings = [line for line in renderer.render(made).text.splitlines() if line.startswith("WHAT ")]
    assert (len(headings), headings[0]) == (2, first)


def test_the_subject_names_no_actor_where_there_is_none(board: dict[str, Any], renderer: Renderer) -> None:
    report = Report(**board | {"situation": Situation(kind="waiting"), "actor": ""})
    assert renderer.render(report).subject.endswith(": waiting for an answer [N6JR3CVE]")
