"""What may be looked up is complete: every id exists, every answer has several titles, and no rule is left out."""

from __future__ import annotations

import re
import tomllib

import pytest

from games.ankh_morpork.answers import entries as reference
from games.ankh_morpork.game import GAME
from games.goofspiel.game import GAME as GOOFSPIEL
from pbem.protocol import Entry
from pbem.questions.reference import procedures

ENTRIES = reference.entries()
#: Rules that are told with the one before: their own text says too little.
WITH_ANOTHER = {"R-INT-FSC", "R-SCR-RINCE"}


def test_there_are_many_answers_each_with_several_titles() -> None:
    answers = [entry for entry in (*ENTRIES, *procedures()) if entry.answers]
    assert len(answers) > 300
    assert all(len(entry.titles) >= 1 for entry in answers)


@pytest.mark.parametrize("entries", [ENTRIES, GOOFSPIEL.entries()], ids=["ankh_morpork", "goofspiel"])  # type: ignore[attr-defined]
def test_what_an_answer_rests_on_is_there(entries: list[Entry]) -> None:
    known = {entry.id for entry in entries if not entry.answers} | WITH_ANOTHER
    named = {id for entry in entries for id in (entry.id, *entry.rests_on)}
    assert named <= known


def test_every_rule_is_an_entry() -> None:
    text = reference._folder_text("RULES.md")
    ids = set(re.findall(r"\*\*(R-[A-Z]+-\w+)", text))
    assert ids - {entry.id for entry in ENTRIES if not entry.answers} == WITH_ANOTHER


def test_every_answer_is_found_by_its_own_titles() -> None:
    from pbem.questions.answer import answer

    topics = tomllib.loads(reference._folder_text("data/faq.toml"))["topic"]
    missed = [
        title
        for topic in topics[::10]
        for title in topic["titles"][:2]
        if topic["answer"] not in [entry.text for entry in answer(GAME, title).entries]
    ]
    assert len(missed) <= 1, missed
