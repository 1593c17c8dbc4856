"""No mail tells a seat what others hide: their hands, what they are told, what is drawn next, a half-finished turn."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from pbem.play import advance
from pbem.play.table import UnitOfWork
from tests.pipeline.swapped import Office, begin_pair

#: Pairs in one test; `tests/bench/bench_secrets.py` plays thousands.
PAIRS = 6


@pytest.fixture
def offices(settings: Any, tmp_path: Any, fresh_database: Any) -> Any:
    """Two servers, for the two games of a pair."""
    return tuple(Office(fresh_database(tmp_path / f"{name}.db"), settings) for name in ("one", "other"))


@pytest.mark.parametrize("reactions", ["standing", "sealed", pytest.param("ask", marks=pytest.mark.slow)])
@pytest.mark.parametrize("first", [0, pytest.param(PAIRS, marks=pytest.mark.slow)])
def test_two_games_that_a_seat_cannot_tell_apart_write_the_same_mails_at_the_same_times_to_the_same_people(
    offices: Any, first: int, reactions: str
) -> None:
    counts: Counter[str] = Counter()
    for number in range(first, first + PAIRS):
        begin_pair(offices, reactions, number, counts).play(8)
    assert counts["compared"] > 2 * PAIRS


def test_orders_kept_for_behind_an_answer_are_no_free_look_behind_a_reveal(offices: Any) -> None:
    """They guess which card is drawn; in one of the games the guess is right."""
    counts: Counter[str] = Counter()
    begin_pair(offices, "standing", 10631, counts).play(8)
    assert counts["parted by CardsDrawn"] == 1


#: Where a mail may name a report: in its own thread, before it or behind it, or in what it quotes.
NAMED = ("{theirs} {own}", "{own} {theirs}", "{own}")


@pytest.mark.parametrize("references", NAMED)
def test_whoever_names_a_report_of_another_seat_learns_no_line_of_it(world: Any, begin: Any, references: str) -> None:
    begin(3, seed=b"\5" * 32)
    asked, spy = world.whose(), world.others()[0]
    own, report = spy.newest, asked.newest
    secret = [line.strip() for line in report.text.splitlines() if "scroll:" in line or "could go to" in line]
    answers = []
    for code in (report.token, "7ZZZ7ZZZ"):
        theirs = report.message["Message-ID"].replace(report.token.lower(), code.lower())
        headers = {"In-Reply-To": theirs, "References": references.format(own=own.message["Message-ID"], theirs=theirs)}
        quoted = f"On Monday the game wrote [{code}]:\n> Your move [{code}]\n> {secret[0]}"
        spy.skip()
        spy.writes("\n".join((*secret, "", quoted, "", *secret)), subject="Re: our game", headers=headers)
        answers.append([bare(mail) for mail in spy.inbox[spy.read :]])
    assert secret[0].removeprefix("scroll: ").split(".")[0] in " ".join(answers[0][0].split())
    assert answers[0] == answers[1]


def test_whoever_has_only_the_code_of_who_is_asked_hears_nothing(world: Any, begin: Any) -> None:
    begin(3, seed=b"\5" * 32)
    asked, spy = world.whose(), world.others()[0]
    spy.skip()
    spy.writes(f"{asked.newest.text}\nplay Groat\nreport", to=asked.newest)
    spy.receives_nothing()


def bare(mail: Any) -> str:
    """What a mail says, without its code."""
    return re.sub(r"\b[0-9A-HJKMNP-TV-Z]{8}\b", "-", f"{mail.subject}\n{mail.text}")


@pytest.mark.parametrize(
    "text",
    [
        "Hello, when is it my turn?",
        "",
        "status",
        "history",
        "report",
        "preview\nplay Groat",
        "undo",
        "play Groat",
        "standing",
        "help",
        "resign",
    ],
)
def test_nobody_sees_a_half_finished_turn_whatever_they_write(world: Any, begin: Any, text: str) -> None:
    begin(3)
    actor, other = world.whose(), world.others()[0]
    other.skip()
    known, now = other.newest, world.now
    other.writes(text, to=known)
    before = [bare(mail) for mail in other.inbox[other.read :]]
    other.skip()
    assert actor.writes(world.first_order()) == "applied"
    world.now = now
    other.writes(text, to=known)
    assert [bare(mail) for mail in other.inbox[other.read :]] == before


def test_whoever_takes_a_seat_sees_no_half_finished_turn(world: Any, begin: Any) -> None:
    begin(3)
    actor, other = world.whose(), world.others()[0]
    seat = next(one for one, player in world.table.players.items() if player.name == other.name)
    other.writes("report")
    before = other.newest.text.partition("THE CITY")[2]
    actor.writes(world.first_order())
    with world.store.transaction() as tx:
        advance.reask(UnitOfWork(tx, world.settings, world.now), world.game_id, seat)
    world.post()
    assert other.newest.text.partition("THE CITY")[2] == before
