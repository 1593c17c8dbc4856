"""What of a mail asks: a question is never an order, and an order is no question."""

from __future__ import annotations

import pytest

from games.ankh_morpork.game import GAME
from pbem.mail.handling.check import typed_in
from pbem.play.written import in_position
from pbem.questions.answer import about, named
from pbem.questions.mails import asking
from tests.questions.rates import questions
from tests.questions.test_positions import POSITIONS


@pytest.mark.parametrize(
    "text",
    [
        "What does Gaspode do?",
        "can i build in dimwell",
        "hi, is the hippo mine?",
        "Hello all!\nHow do I win?",
        "does small gods help vs assassins",
        "Darf ich hier bauen?",
    ],
)
def test_a_mail_that_only_asks_orders_nothing(text: str) -> None:
    assert asking(GAME, text.splitlines()).only


@pytest.mark.parametrize(
    "text",
    [
        "play groat\nminion dimwell",
        "could you please play groat for me and put the minion into the shades? thanks!",
        "Can I have a minion in the shades with groat please",
        "do angua then do the shades",
        "Groat, then the Shades. Have fun everyone!",
        "thanks, see you on Friday",
    ],
)
def test_what_may_be_an_order_is_read_as_one_first(text: str) -> None:
    assert not asking(GAME, text.splitlines()).only


def test_questions_beside_orders_stand_alone() -> None:
    mail = asking(GAME, ["play groat, minion dimwell.", "By the way, does a troll count against control?"])
    assert mail.beside == ("By the way, does a troll count against control?",)
    assert mail.orders == ("play groat, minion dimwell.",)
    assert not mail.alone


@pytest.mark.parametrize("question", ["Would that make trouble?", "Can I build there?", "How do I win if it fails?"])
def test_a_question_that_orders_may_hang_on_stays_beside_them(question: str) -> None:
    mail = asking(GAME, ["play groat, minion dimwell.", question])
    assert question in mail.orders


def test_what_is_said_before_a_question_belongs_to_it() -> None:
    text = "I have 7 cards now. Do I discard down to five? And who begins?"
    assert asking(GAME, [text]).questions == ("I have 7 cards now. Do I discard down to five?", "And who begins?")


def test_small_talk_asks_nothing() -> None:
    assert asking(GAME, ["How's the weather in Leeds?"]).questions == ()


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("Vimes", ("Sybil Vimes", "Commander Vimes")),
        ("gaspoed", ("Gaspode",)),
        ("Flood", ("Flood",)),
        ("the weather", ()),
    ],
)
def test_a_name_that_may_be_several_things_is_all_of_them(words: str, names: tuple[str, ...]) -> None:
    assert sorted(named(GAME, words)) == sorted(names)


@pytest.mark.parametrize(
    ("words", "id"),
    [("two players", "R-SET-1"), ("hand limit", "R-TRN-8"), ("bridges", "R-MIN-1"), ("r-bld-1", "R-BLD-1")],
)
def test_a_few_words_are_looked_up(words: str, id: str) -> None:
    assert about(GAME, words).entries[0].id == id


@pytest.mark.slow
@pytest.mark.parametrize("name", ["handed", "second"])
def test_no_question_moves_anything(name: str) -> None:
    for row in questions(name):
        position = row.get("position", POSITIONS["four"])
        outcome = in_position(GAME, position, typed_in(row["text"]), colour=row.get("seat", "red"))
        assert outcome["choices"] == [], row["text"]
