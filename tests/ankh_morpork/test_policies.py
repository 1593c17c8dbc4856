"""Windows answered from policies: which fires, which keeps still, and who is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.ankh_morpork.policies import answer, in_force, read_policy
from games.ankh_morpork.rules.interrupts import answering

Sit = Callable[..., Any]
KILLED = "3 players | red* holds mr-gryle, groat | green $7 {} | Dimwell R G !"
KILL = ("Red: play Mr Gryle", "Red: assassinate Green in Dimwell")
DRAGON = "red* holds doctor-hix, groat | green $7 {} | Small Gods [G] | Dimwell R G [G] ! | events the-dragon"


def policies(*lines: str) -> dict[str, Any]:
    return dict(read_policy(line) for line in lines)


def said(table: Any, *lines: str) -> str | None:
    option = answer(table.match, table.decision, policies(*lines), "standing").option
    return option.text if option else None


@pytest.fixture
def killed(table: Sit) -> Callable[[str], Any]:
    """A table where Red is about to assassinate Green in Dimwell, and Green holds these cards."""
    return lambda cards: table(KILLED.format(f"holds {cards}")).write(*KILL)


def test_unset_gaspode_saves_a_minion_from_another_player(killed: Sit) -> None:
    assert said(killed("gaspode, igor")) == "interrupt Gaspode"


def test_the_first_that_fires_is_played(killed: Sit) -> None:
    assert said(killed("susan, igor, gaspode"), "Gaspode: never") == "interrupt Susan"


def test_a_card_that_is_not_held_is_not_played(killed: Sit) -> None:
    assert said(killed("groat"), "Gaspode: always", "Susan: always") == "pass"


def test_never_keeps_the_card(killed: Sit) -> None:
    table = killed("gaspode")
    assert said(table, "Gaspode: never") == "pass"
    assert answer(table.match, table.decision, policies("Gaspode: never"), "standing").why["kept"][0] == {
        "subject": "Gaspode",
        "why": "never",
    }


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Gaspode: only in Dimwell by Red if money >= 7", "interrupt Gaspode"),
        ("Gaspode: only in Longwall", "pass"),
        ("Gaspode: by Blue", "pass"),
        ("Gaspode: if money >= 8", "pass"),
        ("Gaspode: by events", "pass"),
    ],
)
def test_conditions_are_judged_on_the_threat(killed: Sit, line: str, text: str) -> None:
    assert said(killed("gaspode"), line) == text


def test_who_asks_to_be_asked_is_asked_whatever_it_holds(killed: Sit) -> None:
    assert said(killed("susan"), "Susan: ask") is None
    assert said(killed("groat"), "Susan: ask") is None
    assert said(killed("gaspode"), "Susan: ask") is None


def test_ask_for_a_card_that_does_not_answer_the_threat_asks_nobody(killed: Sit) -> None:
    assert said(killed("gaspode"), "Wallace Sonky: ask") == "interrupt Gaspode"


def test_unset_gaspode_lets_a_minion_be_moved(table: Sit) -> None:
    table = table("3 players | red* holds the-duckman, groat | green holds gaspode | Dimwell G")
    table.write("Red: play The Duckman", "Red: move Green from Dimwell to Longwall")
    assert said(table) == "pass"
    assert said(table, "Gaspode: always") == "interrupt Gaspode"


@pytest.mark.parametrize(("money", "text"), [(2, "pass"), (3, "interrupt Wallace Sonky")])
def test_unset_wallace_sonky_saves_three_dollars_and_more(table: Sit, money: int, text: str) -> None:
    table = table(f"red* holds nobby-nobbs, groat | green ${money} holds wallace-sonky")
    table.write("Red: play Nobby Nobbs", "Red: target Green")
    assert said(table) == text


def test_unset_small_gods_never_pays(table: Sit) -> None:
    table = table(DRAGON.format(""), (8,)).write("Red: play Doctor Hix")
    assert said(table) == "pass"


def test_small_gods_pays_for_the_building_first(table: Sit) -> None:
    table = table(DRAGON.format(""), (8,)).write("Red: play Doctor Hix")
    assert said(table, "Small Gods: always") == "protect building in Dimwell"
    table.write("Green: protect building in Dimwell")
    assert said(table, "Small Gods: always") == "protect Green in Dimwell"
    assert said(table, "Small Gods: if money >= 6") == "pass"


def test_small_gods_pays_only_in_the_areas_named(table: Sit) -> None:
    table = table(DRAGON.format(""), (8,)).write("Red: play Doctor Hix")
    assert said(table, "Small Gods: only in Longwall") == "pass"
    assert said(table, "Small Gods: only in Dimwell by events") == "protect building in Dimwell"


def test_in_its_own_turn_a_seat_is_asked(table: Sit) -> None:
    table = table("red* holds errol, susan, groat | Dimwell R ! | green holds igor", (1,))
    table.write("Red: play Errol", "Red: scroll")
    assert said(table) is None
    assert said(table, "Susan: always") is None
    assert said(table, "Susan: always", "Fresh Start Club: never", "Igor: never") == "interrupt Susan"
    assert said(table, "Susan: default", "Fresh Start Club: never", "Igor: never") is None


@pytest.mark.parametrize("cards", ["gaspode", "groat"])
def test_sealed_asks_whoever_has_no_policy_whatever_it_holds(killed: Sit, cards: str) -> None:
    table = killed(cards)
    for lines in ((), ("Gaspode: never",)):
        asked = answer(table.match, table.decision, policies(*lines), "sealed")
        assert (asked.option, asked.why) == (None, {"ask": "unset"})
    lines = ("Gaspode: never", "Susan: never", "Fresh Start Club: never", "Igor: never")
    assert answer(table.match, table.decision, policies(*lines), "sealed").option is table.decision.default


@pytest.mark.parametrize(("cards", "text"), [("gaspode", "interrupt Gaspode"), ("groat", "pass")])
def test_a_policy_that_acts_fills_in_a_sealed_answer(killed: Sit, cards: str, text: str) -> None:
    table = killed(cards)
    option = answer(table.match, table.decision, policies("Gaspode: always"), "sealed").option
    assert option is not None
    assert option.text == text


def test_asking_asks_only_about_what_the_seat_could_do(killed: Sit) -> None:
    assert answer(killed("gaspode").match, killed("gaspode").decision, {}, "ask").option is None
    table = killed("groat")
    assert answer(table.match, table.decision, {}, "ask").option is table.decision.default
    table = killed("gaspode")
    never = policies("Gaspode: never")
    assert answer(table.match, table.decision, never, "ask").option is table.decision.default


def test_each_seat_of_a_group_is_answered_by_its_own_policies(table: Sit) -> None:
    table = table(
        "3 players | red* holds the-bursar, groat | green holds gaspode | blue holds wallace-sonky"
        " | Dimwell G | Longwall B | events riots"
    )
    table.write("Red: play The Bursar", "Red: swap Green in Dimwell with Blue in Longwall")
    first, second = table.match.pending
    assert answer(table.match, first, policies("Gaspode: always"), "standing").why["fired"] == "Gaspode"
    assert answer(table.match, second, policies("Wallace Sonky: always"), "standing").why["fired"] == "Wallace Sonky"


def test_a_relocation_goes_where_the_policy_says(table: Sit) -> None:
    table = table(KILLED.format("holds igor") + " | Longwall G").write(*KILL, "Green: interrupt Igor")
    assert said(table, "Igor: always") is None
    assert said(table, "Igor: always to Nap Hill, Longwall") == "minion Longwall"


def test_an_ordinary_decision_is_never_answered(table: Sit) -> None:
    assert said(table("red* holds groat, modo"), "Gaspode: always") is None


def test_policies_in_force_are_listed_set_or_not(table: Sit) -> None:
    match = table("red* holds groat, gaspode | Small Gods [R]").match
    listed = {entry["subject"]: entry for entry in in_force(match, match.actor, policies("Igor: never"))}
    assert listed["Gaspode"] == {"subject": "Gaspode", "terms": {"act": "default"}, "held": True, "set": False}
    assert listed["Igor"] == {"subject": "Igor", "terms": {"act": "never"}, "held": False, "set": True}
    assert listed["Small Gods"]["held"]


def test_asking_does_not_depend_on_the_hand(killed: Sit) -> None:
    tables = [killed(cards) for cards in ("gaspode", "susan, igor", "groat")]
    assert {answering(table.decision.facts) for table in tables} == {("Gaspode", "Susan", "Fresh Start Club", "Igor")}
