"""Lines that hold more than one order, menu numbers, chat, and what an error says."""

from __future__ import annotations

import time
from typing import Any

import pytest
from city_words import AREAS, CARDS, COLOURS, WORDS, asked, each
from hypothesis import given
from hypothesis import strategies as st
from pbem.orders.match import is_end, match_line

from pbem.errors import Ambiguous, NotPossible, NotUnderstood, OrderError
from pbem.protocol import Decision

TURN = asked("turn", "play Mr Boggis", "play Groat", "use Dimwell", "use The Shades")
MINION = asked("minion", *each("minion", AREAS), "use Dimwell", "skip", decline="skip")
REMOVE = asked("remove", "remove Red in The Shades", "remove Blue in Dimwell", "skip", decline="skip")
DISCARD = asked("discard", *each("discard", ("Groat", "Modo", "Gaspode")), "done", decline="done")
TARGET = asked("target", "target Red", "target Blue")


def said_or_suggested(line: str, decision: Decision, **more: Any) -> list[str]:
    """The option a line is read as, or else those it is told of."""
    try:
        return [match_line(line, decision, WORDS, **more).option.text]
    except OrderError as error:
        return list(error.suggestions)


@pytest.mark.parametrize(
    ("decision", "line", "text", "rest"),
    [
        (TURN, "use Dimwell minion The Shades", "use Dimwell", "minion The Shades"),
        (TURN, "use Dimwell: minion The Shades", "use Dimwell", "minion The Shades"),
        (TURN, "use Dimwell, then minion The Shades", "use Dimwell", "minion The Shades"),
        (TURN, "play Groat minion Dimwell", "play Groat", "minion Dimwell"),
        (TURN, "play groat, minion dimwell, end", "play Groat", "minion dimwell, end"),
        (TURN, "play Groat minion Dimwell end", "play Groat", "minion Dimwell end"),
        (TURN, "play groat and put a minion in dimwell", "play Groat", "put a minion in dimwell"),
        (TURN, "Play mister boggis then put a guy in hippo pls", "play Mr Boggis", "put a guy in hippo pls"),
        (TURN, "play groat: dimwell", "play Groat", "dimwell"),
        (TARGET, "target blue and then minion dimwell", "target Blue", "minion dimwell"),
        (DISCARD, "discard Groat, Modo", "discard Groat", "discard Modo"),
        (DISCARD, "throw away groat and modo", "discard Groat", "throw away modo"),
        (DISCARD, "discard groat, modo and gaspode", "discard Groat", "discard modo and gaspode"),
    ],
)
def test_an_order_carries_what_follows_on_its_line(decision: Decision, line: str, text: str, rest: str) -> None:
    matched = match_line(line, decision, WORDS)
    assert (matched.option.text, matched.rest) == (text, rest)


def test_an_incomplete_order_is_not_split_off_from_words_that_may_belong_to_it() -> None:
    with pytest.raises(NotPossible):
        match_line("remove red minion in Dimwell", REMOVE, WORDS)


def test_a_line_says_how_it_was_read() -> None:
    assert match_line("play Groat", TURN, WORDS).how == "exact"
    assert match_line("PLAY groat!", TURN, WORDS).how == "exact"
    assert match_line("play gro", TURN, WORDS).how == "synonym"
    assert match_line("play graot", TURN, WORDS).how == "corrected"
    assert match_line("remove blue", REMOVE, WORDS).how == "corrected"


@pytest.mark.parametrize(
    ("line", "text", "rest"),
    [
        ("2", "play Groat", None),
        ("2.", "play Groat", None),
        ("(2)", "play Groat", None),
        ("#2", "play Groat", None),
        ("no. 2", "play Groat", None),
        ("option 2", "play Groat", None),
        ("1, 3", "play Mr Boggis", "3"),
        ("3 and 1", "use Dimwell", "1"),
    ],
)
def test_a_number_answers_the_menu_of_the_newest_ask(line: str, text: str, rest: str | None) -> None:
    matched = match_line(line, TURN, WORDS, menu=[option.text for option in TURN.options])
    assert (matched.option.text, matched.rest) == (text, rest)


@pytest.mark.parametrize(("line", "reason"), [("9", "menu"), ("0", "menu"), ("1", "menu_past")])
def test_a_number_that_is_not_on_the_menu_or_no_longer_legal_is_refused(line: str, reason: str) -> None:
    with pytest.raises(NotPossible) as refused:
        match_line(line, TURN, WORDS, menu=["minion Dimwell", "play Groat"])
    assert refused.value.reason == reason


def test_an_amount_of_money_is_no_menu_number() -> None:
    with pytest.raises(OrderError) as refused:
        match_line("$1", TURN, WORDS, menu=["play Groat"])
    assert not refused.value.reason.startswith("menu")


def test_without_a_menu_a_number_means_nothing() -> None:
    with pytest.raises(NotPossible):
        match_line("1", TURN, WORDS)


@pytest.mark.parametrize(
    "line",
    [
        "play nice everyone",
        "play it again tomorrow",
        "minion of the year goes to whoever wrote this",
        "that was fun",
        "Cheers, Ann",
        "Red is winning",
        "see you",
        "give them hell boys and girls",
    ],
)
def test_what_people_say_to_one_another_is_chat(line: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        match_line(line, TURN, WORDS)
    assert refused.value.reason == "chat"


def test_a_verb_with_an_unknown_name_is_an_order_that_is_wrong() -> None:
    with pytest.raises(NotUnderstood) as refused:
        match_line("play Vimes", TURN, WORDS)
    assert refused.value.reason == "unknown_name"
    assert refused.value.facts["unknown"] == ["vimes"]
    assert refused.value.suggestions == ("play Mr Boggis", "play Groat")


def test_a_known_order_that_is_not_legal_says_so_and_offers_what_is() -> None:
    with pytest.raises(NotPossible) as refused:
        match_line("play gaspode", TURN, WORDS)
    assert refused.value.reason == "not_this"
    assert refused.value.facts["names"] == ["Gaspode"]
    with pytest.raises(NotPossible) as refused:
        match_line("build Dimwell", TURN, WORDS)
    assert refused.value.reason == "not_now"


def test_an_ambiguous_order_names_the_candidates_only() -> None:
    with pytest.raises(Ambiguous) as refused:
        match_line("minion gods", MINION, WORDS)
    assert refused.value.suggestions == ("minion Small Gods", "minion Isle of Gods")


@pytest.mark.parametrize("line", ["play " + "moniker " * 120, "minion dimwell, " * 60, "and " * 250, "x1 " * 300])
def test_a_line_without_end_costs_little(line: str) -> None:
    started = time.process_time()
    said_or_suggested(line, MINION, me="Red")
    assert time.process_time() - started < 1


@pytest.mark.parametrize("line", ["end", "END.", "end turn", "end my turn please", "I am done", "ok, end"])
def test_the_end_of_a_turn_is_said_in_many_ways(line: str) -> None:
    assert is_end(line, WORDS)


@pytest.mark.parametrize("line", ["end of story", "skip", "the end is near", "play Groat", "never ending"])
def test_what_only_sounds_like_the_end_is_not(line: str) -> None:
    assert not is_end(line, WORDS)


AREA, COLOUR, CARD = st.sampled_from(AREAS), st.sampled_from(COLOURS), st.sampled_from(tuple(CARDS))
TEXT = st.one_of(
    st.builds("{} {}".format, st.sampled_from(["minion", "build", "use", "calm", "trouble"]), AREA),
    st.builds("minion {} from {}".format, AREA, AREA),
    st.builds("build {} instead of {}".format, AREA, AREA),
    st.builds("{} {}".format, st.sampled_from(["play", "give", "discard", "keep", "interrupt"]), CARD),
    st.builds("{} {} in {}".format, st.sampled_from(["assassinate", "remove", "protect"]), COLOUR, AREA),
    st.builds("protect building in {}".format, AREA),
    st.builds("move {} from {} to {}".format, COLOUR, AREA, AREA),
    st.builds("swap {} in {} with {} in {}".format, COLOUR, AREA, COLOUR, AREA),
    st.builds("{} pays {}".format, COLOUR, COLOUR),
    st.builds("target {}".format, COLOUR),
    st.sampled_from(["skip", "end", "scroll", "money", "pay", "refuse", "pass", "done", "give $1"]),
)


@given(st.lists(TEXT, min_size=1, max_size=30, unique=True))
def test_every_options_own_text_matches_that_option_and_no_other(texts: list[str]) -> None:
    decision = asked("any", *texts)
    matches = [match_line(text, decision, WORDS) for text in texts]
    assert [(found.option.text, found.how, found.rest) for found in matches] == [
        (text, "exact", None) for text in texts
    ]


@given(st.lists(TEXT, min_size=1, max_size=30, unique=True))
def test_case_and_punctuation_never_matter(texts: list[str]) -> None:
    decision = asked("any", *texts)
    shouted = [match_line(f"- {text.upper()} !", decision, WORDS).option.text for text in texts]
    assert shouted == texts


@given(st.lists(TEXT, min_size=1, max_size=8, unique=True), st.text(max_size=40))
def test_any_line_is_matched_or_refused(texts: list[str], line: str) -> None:
    decision = asked("any", *texts)
    named = said_or_suggested(line, decision, menu=texts, me="Red")
    assert set(named) <= set(texts)


@given(st.lists(TEXT, min_size=2, max_size=12, unique=True), st.data())
def test_another_options_text_is_never_read_as_a_legal_one(texts: list[str], data: st.DataObject) -> None:
    other = data.draw(st.sampled_from(texts))
    decision = asked("any", *(text for text in texts if text != other))
    try:
        matched = match_line(other, decision, WORDS)
    except OrderError:
        return
    assert set(matched.option.text.split()) >= set(other.split()) or matched.rest or " with " in other
