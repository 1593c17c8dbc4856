"""Reports of matches that were really played: whole mails, and nothing in them that is somebody else's secret."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from games.ankh_morpork import GAME
from games.ankh_morpork.data.cards import CARDS
from games.ankh_morpork.match import Match
from games.ankh_morpork.text.words import TOPICS
from pbem.orders.outcome import Line
from pbem.protocol import Event, templates_folder
from pbem.reports import contexts, layout
from pbem.reports.render import Renderer
from pbem.reports.samples import Samples

DECISIONS = tomllib.loads((files("games.ankh_morpork") / "data" / "asked.toml").read_text("utf-8"))["decisions"]
#: Named in every report, in the reader's policies.
POLICY_CARDS = {"Gaspode", "Susan", "Wallace Sonky", "Fresh Start Club", "Igor"}
#: The ninth turn of a game of three, Red to move.
NINTH_TURN = (
    "3 players | turn 9 | red* $14 is lord-rust holds groat, the-royal-mint, mr-slant, gaspode, foul-ole-ron"
    " | green $9 is lord-selachii loans mr-bent holds 5 | blue $11 is chrysoprase stuck dr-whiteface holds 4"
    " | Nap Hill R [R] | Dolly Sisters R G B ! | Dragon's Landing B [B] | Unreal Estate R G T !"
    " | Small Gods R2 [R] | The Scours G B2 ! | The Shades B2 D ! | Longwall R B | Dimwell G2 [G]"
    " | discards the-dean, mr-boggis | draw 41 | happened flood, fog, trolls"
)
Golden = Callable[[str, str], str]
ReportOf = Callable[..., contexts.Report]


def positions(seed: int, seats: int) -> Iterator[tuple[str, Match, Sequence[Event]]]:
    """A game of random choices: the first time each kind of decision comes, and the end."""
    match = GAME.new(seats, seed.to_bytes(32, "big"), {})
    events = match.opening()
    chance, seen = random.Random(seed), set()
    while match.pending:
        decision = chance.choice(match.pending)
        if decision.kind not in seen:
            seen.add(decision.kind)
            yield decision.kind, match.fork(), events[-40:]
        events += match.choose(decision.seat, chance.choice(decision.options))
    yield "over", match, events[-40:]


@lru_cache(maxsize=1)
def played() -> tuple[tuple[str, Match, Sequence[Event]], ...]:
    return tuple(one for seed in range(6) for one in positions(seed, 2 + seed % 3))


def shown(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", " ".join(text.split())) is not None


def without_names(text: str, names: set[str]) -> str:
    """The text without names that may stand in it; some hold others (`Deep Dwarves`)."""
    text = " ".join(text.split())
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return text


def test_the_games_played_here_ask_nearly_everything() -> None:
    assert len({kind for kind, _, _ in played()} & set(DECISIONS)) >= len(DECISIONS) - 6


@pytest.mark.parametrize("seat", range(4))
def test_every_position_can_be_reported(seat: int, report_of: ReportOf, renderer: Renderer) -> None:
    for _, match, events in played():
        if seat < match.seats:
            made = renderer.render(report_of(match, seat, events))
            assert max(map(layout.columns, made.text.splitlines())) <= layout.WIDTH
            assert len(made.html) < 100_000


def test_an_acknowledgement_has_at_most_21_lines_beside_what_came_of_the_orders(
    board: dict[str, Any], renderer: Renderer
) -> None:
    for _, match, _ in played():
        for decision in match.pending:
            known = Samples(GAME, match.seats).on_the_state(match, decision.seat, ())
            due_at, kind = board["situation"].due_at, "react" if decision.window else "continues"
            known["situation"] = contexts.Situation(kind=kind, due_at=due_at)  # type: ignore[arg-type]
            lines = (Line("play nobby nobs", "corrected", "play Nobby Nobbs"), Line("target Green", "done"))
            text = renderer.render(contexts.Acknowledgement(**known, lines=lines, complete=False)).text
            assert len(text.splitlines()) <= 21, text


@pytest.mark.parametrize("seat", range(4))
def test_a_report_names_no_card_that_only_another_seat_knows(
    seat: int, report_of: ReportOf, renderer: Renderer
) -> None:
    for kind, match, _ in played():
        if seat >= match.seats or kind in ("keep", "discard", "over"):
            continue
        made = renderer.render(report_of(match, seat))
        secret = {CARDS[card].name for at in range(match.seats) if at != seat for card in match.hands[at]}
        text = without_names(made.text, {card.name for card in CARDS} - secret)
        for name in secret - POLICY_CARDS:
            assert not shown(text, name), (kind, name, made.text)
            assert name not in made.html.replace("&#39;", "'").replace("&amp;", "&") or name in SHORT


#: Names that are words of the HTML or of other names.
SHORT = {"Death", "Hex", "Ruby", "Dwarves", "Groat", "Errol", "Carcer", "Modo", "Stanley", "Hubert", "Dorfl"}


def test_a_turn_reads_as_agreed(report_of: ReportOf, renderer: Renderer, golden: Golden) -> None:
    found = renderer.render(report_of(Match.from_position(NINTH_TURN), 0)).text
    assert found == golden("turn.txt", found)


@pytest.mark.parametrize(("card", "shown"), [("nobby-nobbs", False), ("foul-ole-ron", False), ("mr-slant", True)])
def test_a_hand_says_what_a_scroll_can_be_used_on_where_that_is_news_and_short(
    card: str, shown: bool, report_of: ReportOf, renderer: Renderer
) -> None:
    """Not that it is any of the others, nor forty ways to move a piece."""
    match = Match.from_position(re.sub(r"groat.*foul-ole-ron", card, NINTH_TURN))
    assert ("possible now:" in renderer.render(report_of(match, 0)).text) is shown


def test_a_turn_looks_as_agreed(report_of: ReportOf, renderer: Renderer, golden: Golden) -> None:
    found = renderer.render(report_of(Match.from_position(NINTH_TURN), 0)).html
    assert found == golden("turn.html", found)


def test_somebody_elses_turn_reads_as_agreed(report_of: ReportOf, renderer: Renderer, golden: Golden) -> None:
    found = renderer.render(report_of(Match.from_position(NINTH_TURN), 1)).text
    assert found == golden("waiting.txt", found)


@pytest.mark.parametrize("topic", TOPICS)
def test_every_rules_topic_has_its_text(topic: str, game: dict[str, Any], renderer: Renderer) -> None:
    made = renderer.render(contexts.Rules(**game, topic=topic, topics=tuple(TOPICS)))
    assert len(made.text) > 200
    assert max(map(len, made.text.splitlines())) <= layout.WIDTH


def test_no_rules_text_is_without_a_topic() -> None:
    texts = (templates_folder() / "ankh_morpork/rules").glob("*.j2")
    assert {Path(text).stem for text in texts} == set(TOPICS)


@pytest.mark.parametrize(
    "name", ["Groat", "Mr Boggis", "Gaspode", "The Peeled Nuts", "Small Gods", "Flood", "Lord Rust", "Chrysoprase"]
)
def test_what_a_card_does_reads_as_agreed(name: str, game: dict[str, Any], renderer: Renderer, golden: Golden) -> None:
    found = renderer.render(contexts.Card(**game, asked=name, found=GAME.lookup(name))).text
    assert found.startswith(f"{name}\n")
    assert found == golden(f"card-{name.lower().replace(' ', '-')}.txt", found)
