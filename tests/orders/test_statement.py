"""A mail is one statement: what turns an order round is asked about, what has a subject of its own is left alone."""

from __future__ import annotations

import pytest

from games.ankh_morpork.game import GAME
from games.ankh_morpork.match import Match
from games.goofspiel.game import GAME as GOOFSPIEL
from pbem.orders.commands import Card, Preview, Undo, Yes, sort_typed
from pbem.orders.outcome import Outcome
from pbem.orders.referee import carry_out
from pbem.protocol import Decision, Option, Seat

POSITION = (
    "3 players | red* $10 holds groat, captain-carrot, ruby, queen-molly, dwarves | green $10 holds 5 | blue $10 holds 5"
    " | The Shades R G B ! | The Scours R G B ! | Small Gods R | The Hippo R | Dimwell R"
)
ORDERS = ["play captain carrot", "minion dimwell", "calm the shades"]
CHOSEN = ["play Captain Carrot", "minion Dimwell", "calm The Shades"]
NAMES = {"Ann": "Red", "Bob": "Green", "Cat": "Blue"}

DOUBTS = (
    "no wait, I meant the other one",
    "scratch that",
    "ignore the above",
    "hold on, let me reconsider",
    "this is only a draft",
    "please don't execute this",
    "never mind",
    "on second thought, no",
    "only if Green agrees",
    "unless someone objects",
    "I changed my mind",
    "just kidding",
    "let me think about it first",
    "undo that",
    "I'd rather do something else",
    "please wait until I confirm",
    "this is a test",
    "I'm not sure about this",
    "is that legal?",
    "vielleicht",
    "annule tout",
)
REMARKS = (
    "Hope you had a great weekend",
    "My dog ate my homework",
    "It is raining here again",
    "Sorry for the late reply, work was crazy",
    "See you all on Sunday",
    "Bob, you are a menace",
    "That was a nasty move last turn, Bob",
    "My wife says hello",
    "Good luck everyone",
    "Happy birthday Cat!",
    "We are off to Spain next week",
    "Use the force, Red!",
    "Move along, nothing to see here",
    "Keep well and keep playing,",
    "Drop me a line",
    "Cheers, Ann",
    "Bonsoir à tous,",
    "Un abrazo",
    "Viele Grüße",
    "No hurry, take your time",
    "See you in the Shades",
    "Have fun in Small Gods",
)


def written(lines: list[str], position: str = POSITION) -> Outcome:
    return carry_out(GAME, Match.from_position(position), Seat(0), lines, names=NAMES)


def chosen(outcome: Outcome) -> list[str]:
    return [text for seat, text, _ in outcome.added if seat == 0]


@pytest.mark.parametrize("line", DOUBTS)
def test_nothing_is_done_while_a_doubt_stands(line: str) -> None:
    outcome = written([*ORDERS, line])
    assert not outcome.changed
    assert outcome.refused


@pytest.mark.parametrize("line", REMARKS)
@pytest.mark.parametrize("place", [0, 2, 3])
def test_a_remark_among_orders_changes_nothing(line: str, place: int) -> None:
    outcome = written([*ORDERS[:place], line, *ORDERS[place:]])
    assert chosen(outcome)[:3] == CHOSEN


@pytest.mark.parametrize("line", [*DOUBTS, *REMARKS])
def test_no_remark_alone_moves_anything(line: str) -> None:
    assert not written([line]).changed


def test_what_would_be_done_is_proposed() -> None:
    assert written([*ORDERS, "maybe"]).proposal == tuple(CHOSEN)


@pytest.mark.parametrize("line", ["no way Ann", "no thanks Ann", "I'm keeping my 5 bucks", "no Ann"])
def test_a_refusal_may_call_somebody_by_name(line: str) -> None:
    match = Match.from_position("2 players | red* $9 holds the-fools-guild, groat | green $9 holds 5 | The Shades R G")
    for seat, text in ((0, "play The Fools' Guild"), (0, "target Green"), (1, "pass")):
        match.choose(Seat(seat), Option(text))
    outcome = carry_out(GAME, match, Seat(1), [line], names={"Ann": "Red", "Bob": "Green"})
    assert [text for _, text, _ in outcome.added][:1] == ([] if line == "no Ann" else ["refuse"])


def test_how_somebody_is_changes_no_order() -> None:
    assert chosen(written(["play groat", "minion dimwell, they're no use to me anyway"])) == [
        "play Groat",
        "minion Dimwell",
    ]


def test_what_leaves_out_an_order_before_another_one_is_not_proposed() -> None:
    position = (
        "3 players | red* $8 is commander-vimes holds captain-carrot,groat,queen-molly,dwarves,the-fire-brigade"
        " | green $9 holds 5 | blue $6 holds 5 | The Shades R G B ! [G] | The Scours R G B ! | Small Gods R"
    )
    correction = "no wait, move Bob's guy from the Shades over to Dimwell hmm no"
    lines = ["send the fire brigade to Bob and get 5 dollars", correction, "captain carrot: new guy in dimwell"]
    assert written(lines, position).proposal == ()


@pytest.mark.parametrize(
    ("lines", "first"),
    [
        (["play groat", "no, play ruby"], "play Ruby"),
        (["play groat or rather play ruby"], "play Ruby"),
        (["play ruby instead of groat"], "play Ruby"),
        (["play groat", "Sorry, I meant play ruby"], "play Ruby"),
        (["Scrap my earlier idea, I'd rather play ruby"], "play Ruby"),
    ],
)
def test_a_certain_correction_is_carried_out(lines: list[str], first: str) -> None:
    assert chosen(written(lines)) == [first]


@pytest.mark.parametrize(
    "line",
    [
        "Could you play groat?",
        "would you play groat please?",
        "can you play groat please?",
        "Could you please play groat?",
    ],
)
def test_what_is_asked_of_the_server_is_an_order(line: str) -> None:
    assert chosen(written([line])) == ["play Groat"]


@pytest.mark.parametrize("line", ["can you play groat?", "could you tell me about groat?", "could I play groat?"])
def test_a_question_whether_something_may_be_done_is_no_order(line: str) -> None:
    assert not written([line]).changed


@pytest.mark.parametrize(
    "lines",
    [
        ["play groat", "minion dimwell", "no wait, play ruby instead"],
        ["Bob: play groat"],
        ["Bob said: play groat"],
        ["NOT: play groat"],
        ["CANCEL: play groat"],
        ["DRAFT - do not execute", "play groat"],
        ["play groat - but only if green hasn't moved"],
        ["play groat or ruby"],
        ["play groat?"],
        ["play groat", "minion dimwell", "minion the shades"],
        ["don't play groat", "play ruby", "play groat"],
        ["play groat on the second thursday"],
    ],
)
def test_what_a_careful_reader_would_not_have_done_is_not_done(lines: list[str]) -> None:
    assert not written(lines).changed


def test_a_mail_sent_twice_in_one_is_done_once() -> None:
    lines = ["play groat", "minion dimwell", "again, in case it got lost:", "play groat", "minion dimwell"]
    assert chosen(written(lines)) == ["play Groat", "minion Dimwell"]


def test_lines_before_a_reveal_do_not_answer_what_it_brought_up() -> None:
    match = Match.from_position(
        "red* $9 holds the-senior-wrangler, groat, modo | green $9 holds 4 | events flood"
        " | The Hippo R | The Scours R | Small Gods R | Unreal Estate R | Dimwell R | The Shades R",
        dice=(7, 5),
    )
    outcome = carry_out(GAME, match, Seat(0), ["play the senior wrangler", "skip", "play groat", "skip"])
    assert chosen(outcome) == ["play The Senior Wrangler"]
    assert [line.verdict for line in outcome.lines][1:] == ["set_aside"] * 3


@pytest.mark.parametrize(
    ("line", "bid"), [("bid 7", "bid 7"), ("7", "bid 7"), ("my seven", "bid 7"), ("queen", "bid 12")]
)
def test_any_games_options_are_read_by_its_own_vocabulary(line: str, bid: str) -> None:
    match = GOOFSPIEL.new(2, bytes(32), {})
    outcome = carry_out(GOOFSPIEL, match, Seat(0), [line])
    assert outcome.answer is not None
    assert outcome.answer.texts == (bid,)


def asked(*texts: str) -> Decision:
    options = [Option(text) for text in texts]
    return Decision(Seat(0), "scroll", options, options[-1], decline=options[-1])


def test_an_answer_to_what_is_asked_comes_before_a_command() -> None:
    question = asked("scroll", "skip")
    assert sort_typed([("yes", True)], GAME.vocabulary).commands == (Yes(),)
    assert sort_typed([("yes", True)], GAME.vocabulary, question).orders == ("yes",)
    assert sort_typed([("card 1", True)], GAME.vocabulary).commands == (Card("1"),)
    assert sort_typed([("card 1", True)], GAME.vocabulary, asked("card 1", "skip")).orders == ("card 1",)


def test_commands_are_told_from_the_statement_that_goes_to_the_referee() -> None:
    lines = [(line, False) for line in ("Hello!", "please undo", "preview play ruby", "minion dimwell")]
    told = sort_typed(lines, GAME.vocabulary)
    assert told.commands == (Undo(), Preview())
    assert told.orders == ("Hello!", "play ruby", "minion dimwell")
    assert sort_typed([("What a lovely evening", False)], GAME.vocabulary).chat == ("What a lovely evening",)
