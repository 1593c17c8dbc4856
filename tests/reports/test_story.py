"""What is told of a round: what was done to the reader apart, repeats and passes as one."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from pbem.reports.contexts import Happening
from pbem.reports.story import Told, story


class Said:
    """A game's words."""

    TELL: ClassVar = {
        "Played": lambda d, a, me: f"{d['colour']} played {d['card']}.",
        "Moved": lambda d, a, me: f"{d['by']} moved {d['colour']}.",
        "Passed": lambda d, a, me: f"{', '.join(d['colours'])} passed.",
        "Paid": lambda d, a, me: f"{', '.join(d['colours'])} paid {d['to']} {d['amount']}.",
        "Quiet": lambda d, a, me: "",
    }
    CAUSES = ("Played",)
    FOLDED = ("Passed", "Paid")

    @staticmethod
    def answer(why: Any) -> str:
        return f"Your policy {why}."


def happened(*told: tuple[int, str, str, dict[str, Any]]) -> list[Happening]:
    return [Happening(turn=turn, actor=actor, kind=kind, data=data) for turn, actor, kind, data in told]


def sentences(told: list[Told]) -> list[str]:
    """Each turn on a line."""
    return [
        f"{turn.first}-{turn.last} "
        + " ".join(text if times == 1 else f"{text}x{times}" for text, times in turn.sentences)
        for turn in told
    ]


ROUND = happened(
    (7, "Green", "Played", {"colour": "Green", "card": "A"}),
    (7, "Green", "Moved", {"by": "Green", "colour": "Red", "answers": ["kept"]}),
    (7, "Green", "Played", {"colour": "Green", "card": "B"}),
    (7, "Green", "Moved", {"by": "Green", "colour": "Blue"}),
    (7, "Green", "Moved", {"by": "Green", "colour": "Blue"}),
    (8, "Blue", "Played", {"colour": "Blue", "card": "C"}),
    (8, "Blue", "Moved", {"by": "Blue", "colour": "Red"}),
    (8, "Blue", "Moved", {"by": "Blue", "colour": "Green"}),
    (9, "Red", "Played", {"colour": "Red", "card": "D"}),
    (9, "Red", "Moved", {"by": "Red", "colour": "Red"}),
)


def test_what_was_done_to_the_reader_comes_apart_behind_what_brought_it_about() -> None:
    yours, rest = story(ROUND, Said, "Red", apart=True)
    assert sentences(yours) == [
        "7-7 Green played A. Green moved Red. Your policy kept.",
        "8-8 Blue played C. Blue moved Red.",
    ]
    assert sentences(rest) == [
        "7-7 Green played B. Green moved Blue.x2",
        "8-8 Blue played C. Blue moved Green.",
        "9-9 Red played D. Red moved Red.",
    ]


@pytest.mark.parametrize(("me", "apart"), [("Red", False), (None, True)])
def test_a_story_that_is_not_taken_apart_is_told_in_order(me: str | None, apart: bool) -> None:
    yours, rest = story(ROUND, Said, me, apart=apart)
    assert yours == []
    assert [turn.split()[0] for turn in sentences(rest)] == ["7-7", "8-8", "9-9"]


def test_turns_in_which_all_pass_are_told_as_one() -> None:
    passes = [(turn, colour, "Passed", {"colour": colour}) for turn, colour in ((3, "Ann"), (4, "Bob"), (5, "Cid"))]
    _, rest = story(happened(*passes, (6, "Dot", "Quiet", {"colour": "Dot"})), Said, "Eve", apart=True)
    assert sentences(rest) == ["3-5 Ann, Bob, Cid passed."]


def test_the_same_of_several_is_told_as_one_and_what_differs_is_not() -> None:
    paid = [
        {"colour": colour, "to": "Red", "amount": amount} for colour, amount in (("Ann", 2), ("Bob", 2), ("Cid", 1))
    ]
    _, rest = story(happened(*((3, "Red", "Paid", data) for data in paid)), Said, "Red", apart=True)
    assert sentences(rest) == ["3-3 Ann, Bob paid Red 2. Cid paid Red 1."]
