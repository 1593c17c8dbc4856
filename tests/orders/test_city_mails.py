"""Whole mails to a game of Ankh-Morpork, and what becomes of each line."""

from __future__ import annotations

import random

import pytest

from games.ankh_morpork.game import GAME
from games.ankh_morpork.match import Match
from pbem.orders.commands import order_words
from pbem.orders.outcome import Presets
from pbem.orders.referee import carry_out, preview, take_bot, take_defaults
from pbem.protocol import Seat

TABLE = (
    "3 players | red* $8 | red holds mr-boggis, groat, captain-carrot, the-royal-mint, gaspode | green $5 | green holds 5"
    " | blue $1 | blue holds 5 | The Shades R G B ! | The Scours R G B ! | Dolly Sisters R G B !"
)
POWER = "red* $9 | red holds groat, captain-carrot, death, dr-cruces | green holds 3 | Dimwell R[R] | The Shades R G ! | Longwall [R]"
DISCARDS = "red* $5 | red holds harry-king, groat, modo, gaspode | green $9 | green holds 3 | Dimwell R"
SECRET = "red* $5 | red holds zorgo-the-retro-phrenologist, groat | green $9 | green holds 3 | Dimwell R"

#: Position, lines, and the options taken (those in brackets by themselves); `!` marks the line that is refused.
MAILS: list[tuple[str, list[str], str]] = [
    (TABLE, ["Play mister boggis then put a guy in hippo pls"], "play Mr Boggis, (scroll), minion The Hippo"),
    (TABLE, ["play Mr Boggis", "minion The Hippo"], "play Mr Boggis, (scroll), minion The Hippo"),
    (TABLE, ["play boggis; scroll; minion dim; end"], "play Mr Boggis, scroll, minion Dimwell, end"),
    (TABLE, ["play boggis; skip; minion dim; end"], "play Mr Boggis, skip, minion Dimwell, end"),
    (
        TABLE,
        ["play captain carrot", "minion dim", "calm shades"],
        "play Captain Carrot, minion Dimwell, calm The Shades, (money)",
    ),
    (
        TABLE,
        ["play carrot; put a guy in the shades, remove trouble from the scours"],
        "play Captain Carrot, minion The Shades, calm The Scours, (money)",
    ),
    (
        TABLE,
        ["1) play carrot", "2) minion dimwell", "3) calm dolly", "4) money", "5) end"],
        "play Captain Carrot, minion Dimwell, calm Dolly Sisters, money, end",
    ),
    (TABLE, ["play carrot", "skip minion", "skip calming please"], "play Captain Carrot, skip, skip, (money)"),
    (TABLE, ["play carrot", "no minion", "no calm"], "play Captain Carrot, skip, skip, (money)"),
    (TABLE, ["play carrot", "end turn", "see you all"], "play Captain Carrot, end, (skip), (skip), (money)"),
    (TABLE, ["play carrot", "minion dim"], "play Captain Carrot, minion Dimwell"),
    (TABLE, ["play carrot", "calm dolly"], "play Captain Carrot, !"),
    (TABLE, ["play the royal mint; end"], "play The Royal Mint, end, (money)"),
    (TABLE, ["play mint", "build dimwell"], "play The Royal Mint, !"),
    (TABLE, ["play groat minion shades end"], "play Groat, minion The Shades, end"),
    (TABLE, ["Groat", "Shades"], "play Groat, minion The Shades"),
    (TABLE, ["play graot", "minnion dimwel"], "play Groat, minion Dimwell"),
    (TABLE, ["play groat", "play groat", "minion shades"], "play Groat, play Groat, minion The Shades"),
    (TABLE, ["play Gaspode"], "!"),
    (TABLE, ["play The Watch"], "!"),
    (TABLE, ["minion hippo"], "!"),
    (TABLE, ["end"], "!"),
    (POWER, ["use dimwell minion the hippo", "play groat", "minion dimwell", "end"], "!"),
    (
        POWER,
        ["use dimwell minion the shades", "use longwall", "play groat", "minion dimwell", "end"],
        "use Dimwell, minion The Shades, use Longwall, play Groat, minion Dimwell, end",
    ),
    (
        POWER,
        ["use longwall; play cruces; kill green; end"],
        "use Longwall, play Dr Cruces, assassinate Green in The Shades, end, (money), (end)",
    ),
    (
        POWER,
        ["play carrot", "minion dimwell", "calm shades", "money", "use longwall", "end"],
        "play Captain Carrot, minion Dimwell, calm The Shades, money, use Longwall, end, (end)",
    ),
    (POWER, ["use nap hill"], "!"),
    (
        DISCARDS,
        ["play harry king", "minion dimwell", "discard groat, modo", "end"],
        "play Harry King, minion Dimwell, discard Groat, discard Modo, end, (done)",
    ),
    (DISCARDS, ["play harry king; discard groat"], "play Harry King, !"),
    (DISCARDS, ["play modo, throw away groat, minion dimwell"], "play Modo, discard Groat, minion Dimwell"),
    (SECRET, ["play zorgo", "end"], "play Zorgo the Retro-phrenologist, end, (skip)"),
]


@pytest.mark.parametrize(("position", "lines", "expected"), MAILS, ids=[" / ".join(lines) for _, lines, _ in MAILS])
def test_a_mail_is_carried_out(position: str, lines: list[str], expected: str) -> None:
    outcome = carry_out(GAME, Match.from_position(position), Seat(0), lines)
    told = []
    for line in outcome.lines:
        if line.verdict == "automatic":
            told.append(f"({line.option})")
        elif line.verdict == "refused":
            told.append("!")
            break
        elif line.verdict != "chat":
            told.append(line.option or "end")
    assert ", ".join(told) == expected


def a_random_game(seed: int, choices: int) -> tuple[Match, random.Random]:
    """A game some random choices old."""
    chance = random.Random(seed)
    match = Match.new(2 + seed % 3, bytes([seed]) * 32)
    for _ in range(choices):
        if match.pending:
            decision = match.pending[0]
            match.choose(decision.seat, chance.choice(decision.options))
    return match, chance


@pytest.mark.parametrize("seed", range(6))
def test_in_a_whole_game_every_options_text_matches_it_however_it_is_shouted(seed: int) -> None:
    match, chance = a_random_game(seed, 0)
    while match.pending:
        decision = match.pending[0]
        option = chance.choice(decision.options)
        for line in (option.text, f"- {option.text.upper()}.", f"please {option.text.replace('The ', '')}, thanks"):
            said = preview(GAME, match, decision.seat, [line]).lines
            assert [part.option for part in said if part.verdict not in ("automatic", "chat")] == [option.text]
        match.choose(decision.seat, option)


@pytest.mark.parametrize("seed", range(4))
def test_a_game_played_by_mail_is_the_game_played_by_choices(seed: int) -> None:
    match, chance = a_random_game(seed, 0)
    mailed = match.fork()
    for _ in range(60):
        decision = match.pending[0]
        option = chance.choice(decision.options)
        match.choose(decision.seat, option)
        if not decision.window and decision.seat == mailed.actor:
            outcome = preview(GAME, mailed, decision.seat, [option.text])
            assert outcome.lines[0].option == option.text
        mailed.choose(decision.seat, option)
        assert mailed.digest() == match.digest()


@pytest.mark.parametrize("seed", range(4))
def test_a_table_of_silent_players_comes_to_an_end(seed: int) -> None:
    match, _ = a_random_game(seed, 30)
    for _ in range(2000):
        if not match.pending:
            break
        match = take_defaults(GAME, match, match.pending[0].seat).match
    assert match.result is not None


def test_bots_alone_play_to_the_end_in_one_go() -> None:
    match, _ = a_random_game(3, 0)
    bots = Presets(frozenset(map(Seat, range(2))), b"bots")
    outcome = take_bot(GAME, match, match.pending[0].seat, bots)
    assert outcome.match.result is not None
    assert outcome.waiting == ()


PROBES = [
    ["play Groat", "minion Atlantis"],
    ["play Groat", "assassinate Green in The Shades"],
    ["play Captain Carrot", "minion The Shades", "calm Nap Hill"],
    ["play Gaspode"],
    ["play Susan"],
    ["interrupt Susan"],
    ["play Dr Cruces", "assassinate Yellow in The Shades"],
    ["end"],
]
HIDDEN = ["holds susan, wallace-sonky, gaspode", "holds 3", "holds igor, the-watch, ruby"]


@pytest.mark.parametrize("lines", PROBES, ids=" / ".join)
def test_an_order_that_is_taken_back_tells_nothing_of_what_others_hold(lines: list[str]) -> None:
    told = set()
    for hand in HIDDEN:
        position = f"red* $9 | red holds groat, captain-carrot, dr-cruces | green {hand} | The Shades R G ! | Dimwell R"
        match = Match.from_position(position)
        outcome = carry_out(GAME, match, Seat(0), lines)
        assert not outcome.changed
        told.add(
            repr([(line.verdict, line.option, line.problem and line.problem.suggestions) for line in outcome.lines])
        )
    assert len(told) == 1


@pytest.mark.parametrize(
    "lines",
    [["play Dr Cruces", "assassinate Green in The Shades", "end"], ["play Groat", "minion Dimwell"]],
    ids=" / ".join,
)
def test_a_preview_tells_nothing_of_what_others_hold(lines: list[str]) -> None:
    told = set()
    for hand in HIDDEN:
        position = f"red* $9 | red holds groat, captain-carrot, dr-cruces | green {hand} is lord-rust | The Shades R G ! | Dimwell R"
        match = Match.from_position(position)
        before = match.digest()
        outcome = preview(GAME, match, Seat(0), lines)
        assert match.digest() == before
        assert outcome.ahead is not None
        assert outcome.ahead.reveals == match.reveals
        told.add(repr([(line.verdict, line.option) for line in outcome.lines] + [outcome.stopped, *outcome.events]))
    assert len(told) == 1


def test_a_seat_alone_is_told_why_its_card_stayed_in_hand() -> None:
    match = Match.from_position("red* $9 holds dr-cruces | green holds gaspode | The Shades R G ! | Dimwell R")
    lines = ["play Dr Cruces", "assassinate Green in The Shades"]
    never = Presets(policies={Seat(1): {"Gaspode": {"act": "never"}}})
    outcome = carry_out(GAME, match, Seat(0), lines, never)
    told = [event.seen_by(1)["answers"] for event in outcome.events if "answers" in event.seen_by(1)]
    assert told == [[{"fired": None, "kept": [{"subject": "Gaspode", "why": "never"}]}]]
    assert not any("answers" in event.seen_by(seat) for event in outcome.events for seat in (0, None))
    unheld = Match.from_position("red* $9 holds dr-cruces | green holds groat | The Shades R G ! | Dimwell R")
    outcome = carry_out(GAME, unheld, Seat(0), lines, never)
    assert not any("answers" in event.seen_by(1) for event in outcome.events)


def test_words_that_are_often_misspelt_begin_an_order_all_the_same() -> None:
    assert {"assasinate", "interupt"} <= order_words(GAME.vocabulary).words
