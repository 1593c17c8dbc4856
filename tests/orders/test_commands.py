"""Lines that ask the server for something, and the words that make a line an order."""

from __future__ import annotations

import pytest
from city_words import WORDS

from pbem.orders.commands import (
    Address,
    Aid,
    Card,
    Command,
    Help,
    History,
    Preview,
    Report,
    Resign,
    Rules,
    Sorted,
    Standing,
    Status,
    Undo,
    Yes,
    order_words,
    recognise,
    sort_typed,
)
from pbem.protocol import Vocabulary


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("help", Help()),
        ("HELP!", Help()),
        ("?", Help()),
        ("aid", Aid()),
        ("Player aid.", Aid()),
        ("status", Status()),
        ("- status", Status()),
        ("report", Report()),
        ("history", History()),
        ("rules", Rules("")),
        ("rules trouble markers", Rules("trouble markers")),
        ("Rules: Trouble.", Rules("Trouble")),
        ("card Mr Boggis", Card("Mr Boggis")),
        ("card: Groat?", Card("Groat")),
        ("standing Gaspode: only in Dimwell, The Hippo", Standing("Gaspode: only in Dimwell, The Hippo")),
        ("standing", Standing("")),
        ("address: ann@example.org", Address("ann@example.org")),
        ("preview", Preview()),
        ("undo", Undo()),
        ("resign", Resign()),
        ("resign yes", Resign(confirmed=True)),
        ("resign: yes", Resign(confirmed=True)),
        ("yes", Yes()),
        ("Yes.", Yes()),
    ],
)
def test_a_command_is_recognised(line: str, command: Command) -> None:
    assert recognise(line) == command


@pytest.mark.parametrize(
    "line", ["play Groat", "undo is not what I want", "yes we can", "helpful", "report from the front", "", "end"]
)
def test_other_lines_are_no_commands(line: str) -> None:
    assert recognise(line) is None


def sorted_lines(lines: list[str], vocabulary: Vocabulary) -> Sorted:
    """Lines that begin like orders, told apart."""
    return sort_typed([(line, True) for line in lines], vocabulary)


def test_commands_are_told_from_orders_wherever_they_stand() -> None:
    sorted_ = sorted_lines(["preview", "play Groat", "card Hex", "end", "undo", "bye"], WORDS)
    assert sorted_.commands == (Preview(), Card("Hex"))
    assert sorted_.orders == ("play Groat", "end", "undo", "bye")  # below orders, `undo` takes these back
    assert sorted_.chat == ()


def test_an_address_that_is_none_is_no_command() -> None:
    assert sorted_lines(["Address: 12 Short Street", "play Groat"], WORDS) == (
        (),
        ("play Groat",),
        ("Address: 12 Short Street",),
    )


def test_a_command_counts_behind_the_end_of_a_turn_too() -> None:
    assert sorted_lines(["play Groat; minion Dimwell; end turn", "status"], WORDS).commands == (Status(),)


def test_undo_above_orders_takes_back_what_was_done_before() -> None:
    assert sorted_lines(["Hi!", "undo", "play Groat"], WORDS) == ((Undo(),), ("Hi!", "play Groat"), ())


def test_resigning_takes_a_yes_on_the_next_line_as_well() -> None:
    assert sorted_lines(["resign", "yes"], WORDS).commands == (Resign(confirmed=True),)


def test_every_verb_and_its_other_words_make_a_line_an_order() -> None:
    words = order_words(WORDS)
    assert {"play", "minion", "put", "kill", "throw", "card", "standing", "end", "undo", "red"} <= words.words
    assert {"end", "skip", "undo", "end turn", "yes"} <= words.alone
    assert words.free == {"standing", "policy", "address"}
    assert "i" not in words.words
    assert not words.alone & {"play", "put", "red"}
