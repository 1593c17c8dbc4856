"""How many of a table's questions are answered as they should be."""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

from games.ankh_morpork.game import GAME
from games.ankh_morpork.position.options import COLOURS
from pbem.play.written import asked
from pbem.protocol import Seat
from pbem.questions.answer import answer
from pbem.questions.values import Answer

FOLDER = Path(__file__).parent
#: Kinds of questions that are answered in one way or not at all.
WHOLE = ("chat", "unanswerable", "position")


@lru_cache(maxsize=8)
def questions(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["question"]
    return rows


def answered(row: dict[str, Any]) -> Answer:
    """What is answered to a row of a table."""
    view = None
    if "position" in row:
        view = GAME.position(row["position"]).view(Seat(COLOURS.index(row["seat"].capitalize())))
    return answer(GAME, row["text"], view)


def said(text: str, position: str = "", seat: str | None = None) -> str:
    """The words of the answer to a question."""
    answers = asked(GAME, text, position, seat)["answers"]
    return str(answers[0]["text"]) if answers else ""


def places(row: dict[str, Any]) -> tuple[bool, bool]:
    """Whether a question is answered rightly at the first place, and among the first three."""
    known = answered(row)
    if row["kind"] in WHOLE:
        return (known.kind == row["kind"],) * 2
    wanted = set(row["rests_on"][:2])
    shown = [not wanted.isdisjoint((entry.id, *entry.rests_on)) for entry in known.entries]
    right = [] if known.kind in WHOLE else shown
    return bool(right and right[0]), any(right)


def rates(name: str) -> dict[str, tuple[int, int, int]]:
    """By kind: how many questions there are, how many are right at the first place, and among three."""
    counts: Counter[tuple[str, int]] = Counter()
    for row in questions(name):
        first, three = places(row)
        counts[row["kind"], 0] += 1
        counts[row["kind"], 1] += first
        counts[row["kind"], 2] += three
    kinds = dict.fromkeys(row["kind"] for row in questions(name))
    return {kind: (counts[kind, 0], counts[kind, 1], counts[kind, 2]) for kind in sorted(kinds)}
