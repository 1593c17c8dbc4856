"""What the rules leave no choice in goes by itself; a player who writes it all the same is right, not wrong."""

from __future__ import annotations

import pytest

from games.ankh_morpork.game import GAME
from games.ankh_morpork.match import Match
from pbem.orders.outcome import Outcome, Presets
from pbem.orders.referee import carry_out
from pbem.protocol import Seat

RED, BLUE = Seat(0), Seat(2)
HIRED = (
    "3 players | red* $9 holds burleigh-and-stronginthearm, groat | green holds 3 | blue holds 3"
    " | Longwall R G ! | Dimwell R"
)
POOR = "red* $1 holds the-watch, groat, the-agony-aunts, the-dysk, sergeant-angua | green holds 3 | {}"
CALM = POOR.format("Dimwell R | Longwall G2 !")
QUIET = POOR.format("Dimwell R | Longwall G")
MANY = "3 players | red* holds the-alchemists-guild, groat, modo | green holds 3 | blue holds 3 | draw 30"

ONLY = "red* holds groat, gaspode, susan | green holds 3 | Dimwell R"


def said(outcome: Outcome) -> str:
    told = {"automatic": "({})", "refused": "!", "set_aside": "-"}
    return ", ".join(told.get(line.verdict, "{}").format(line.option or line.text) for line in outcome.lines)


#: Position, lines, and what became of each: (by itself), ! refused, - set aside.
MAILS: list[tuple[str, list[str], str]] = [
    (
        HIRED,
        ["play burleigh", "target blue", "assassinate Green in Longwall", "build Dimwell"],
        "play Burleigh & Stronginthearm, target Blue, assassinate Green in Longwall, build Dimwell",
    ),
    (
        HIRED,
        ["play burleigh", "target blue and kill green in longwall", "build Dimwell"],
        "play Burleigh & Stronginthearm, target Blue, assassinate Green in Longwall, build Dimwell",
    ),
    (
        HIRED,
        ["play burleigh", "target blue", "build Dimwell"],
        "play Burleigh & Stronginthearm, target Blue, build Dimwell",
    ),
    (
        HIRED,
        ["play burleigh", "target blue", "assassinate Green in Dimwell"],
        "play Burleigh & Stronginthearm, target Blue, !",
    ),
    (
        MANY,
        ["play alchemists", "discard groat, modo", "done"],
        "play The Alchemists' Guild, discard Groat, discard Modo, done",
    ),
    (CALM, ["play the watch", "skip", "calm longwall"], "play The Watch, skip, calm Longwall"),
    (CALM, ["play the watch", "skip, calm longwall"], "play The Watch, skip, calm Longwall"),
    (CALM, ["play the watch", "skip building", "calm longwall"], "play The Watch, skip, calm Longwall"),
    (CALM, ["play the watch", "skip", "skip"], "play The Watch, skip, end"),
    (CALM, ["play the watch", "skip"], "play The Watch, skip"),
    (CALM, ["play the watch", "calm longwall"], "play The Watch, calm Longwall"),
    (
        QUIET,
        ["play agony aunts", "skip", "money", "minion dimwell"],
        "play The Agony Aunts, skip, money, minion Dimwell",
    ),
    (QUIET, ["play agony aunts", "skip", "minion dimwell"], "play The Agony Aunts, skip, (money), minion Dimwell"),
    (QUIET, ["play agony aunts", "skip money", "minion dimwell"], "play The Agony Aunts, skip, minion Dimwell"),
    (QUIET, ["play agony aunts", "skip", "skip", "minion dimwell"], "play The Agony Aunts, skip, skip, minion Dimwell"),
    (
        QUIET,
        ["play angua", "skip", "play groat", "minion dimwell"],
        "play Sergeant Angua, skip, play Groat, minion Dimwell",
    ),
    (ONLY, ["minion longwall"], "(play Groat), minion Longwall"),
    (ONLY, ["play groat", "minion longwall"], "play Groat, minion Longwall"),
    (ONLY, ["end"], "end, (play Groat), (skip)"),
    (QUIET, ["play agony aunts", "assassinate green in longwall", "minion dimwell"], "-, !, -"),
]


@pytest.mark.parametrize(("position", "lines", "expected"), MAILS, ids=[" / ".join(lines) for _, lines, _ in MAILS])
def test_a_line_that_says_what_was_forced_is_done(position: str, lines: list[str], expected: str) -> None:
    outcome = carry_out(GAME, Match.from_position(position), RED, lines)
    assert said(outcome) == expected


def test_a_bare_skip_declines_what_is_asked_when_nothing_tells_otherwise() -> None:
    outcome = carry_out(GAME, Match.from_position(CALM), RED, ["play the watch", "skip"])
    assert outcome.turn_over


def test_a_skip_at_the_head_of_a_mail_is_not_about_what_went_by_itself_before_the_question() -> None:
    match = carry_out(GAME, Match.from_position(CALM), RED, ["play the watch"]).match
    outcome = carry_out(GAME, match, RED, ["skip", "calm longwall"])
    assert [line.verdict for line in outcome.lines] == ["refused", "set_aside"]
    assert carry_out(GAME, match, RED, ["skip"]).turn_over


@pytest.mark.parametrize(
    ("position", "lines", "about"),
    [
        (CALM, ["play the watch", "skip", "calm longwall"], ["", "building", ""]),
        (CALM, ["play the watch", "skip"], ["", ""]),
        (QUIET, ["play agony aunts", "skip", "skip", "minion dimwell"], ["", "assassinate", "", ""]),
    ],
)
def test_a_skip_that_was_not_needed_is_said_to_have_been_for_which_symbol(
    position: str, lines: list[str], about: list[str]
) -> None:
    outcome = carry_out(GAME, Match.from_position(position), RED, lines)
    assert [line.about for line in outcome.lines if line.verdict == "done"] == about


def test_a_gain_is_not_lost_to_a_skip_for_the_symbol_before_it() -> None:
    outcome = carry_out(GAME, Match.from_position(QUIET), RED, ["play agony aunts", "skip"])
    assert outcome.match.view(None)["seats"][0]["money"] == 3


def test_what_was_forced_is_done_even_when_somebody_must_be_asked_before_the_turn_goes_on() -> None:
    lines = ["play burleigh", "target blue", "assassinate Green in Longwall", "build Dimwell"]
    asking = Presets(policies={BLUE: {"Wallace Sonky": {"act": "ask"}}})
    position = HIRED.replace("blue holds 3", "blue holds wallace-sonky, 2")
    outcome = carry_out(GAME, Match.from_position(position), RED, lines, asking)
    assert [(line.verdict, line.option) for line in outcome.lines][2:] == [
        ("done", "assassinate Green in Longwall"),
        ("set_aside", None),
    ]
