"""`pbem check --position`: orders in a written position."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest

from pbem.cli.main import group, guarded

POSITION = "2 players | red* $8 holds mr-boggis,groat | green $5 holds ruby | The Scours R G"
Check = Callable[..., int]


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch) -> Check:
    """Checks what is typed, with these options; the exit status."""

    def checked(typed: str, *words: str, position: str = POSITION) -> int:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        told = ["check", "--position", position, "--orders", "-", *words]
        return guarded(lambda: group()(told, standalone_mode=False))

    return checked


def test_orders_are_read_from_standard_input(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("play groat\nminion hippo pls\n", "--json") == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["outcome"] == "done"
    assert outcome["choices"][:2] == ["play Groat", "minion The Hippo"]
    assert outcome["lines"][0] == {"line": "play groat", "verdict": "done", "read_as": "play Groat"}
    assert "Groat" in outcome["answer"]


def test_a_seat_that_is_not_asked_moves_nothing(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("play ruby", "--seat", "green", "--names", "red=Ann", "--json") == 0
    assert json.loads(capsys.readouterr().out)["choices"] == []


@pytest.mark.parametrize("words", [("--dice", "six"), ("--names", "Ann"), ("--seat", "pink")])
def test_what_is_written_wrongly_fails(check: Check, words: tuple[str, str]) -> None:
    assert check("end", *words) == 1


def test_no_position_is_a_sentence(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("end", position="nonsense") == 1
    assert "is no position of Discworld" in capsys.readouterr().err
