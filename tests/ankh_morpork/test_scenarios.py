"""Every scenario of scenarios.toml is played on the engine; the words are explained at the top of that file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from games.ankh_morpork.match import Match
from games.ankh_morpork.position import notation
from pbem.protocol import Seat

SCENARIOS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("scenarios.toml").read_text("utf-8"))[
    "scenario"
]
DATA = files("games.ankh_morpork") / "data"
NAMES = {
    entry["slug" if kind == "area" else "id"]: entry["name"]
    for kind in ("area", "card")
    for entry in tomllib.loads((DATA / f"{kind}s.toml").read_text("utf-8"))[kind]
}
COLOURS = {"P1": "Red", "P2": "Green", "P3": "Blue", "P4": "Yellow"}
PIECES = COLOURS | {"troll": "T", "demon": "D"}
#: Nobody meets these goals by accident.
PERSONALITIES = {"P1": "lord-vetinari", "P2": "lord-selachii", "P3": "lord-rust", "P4": "lord-de-worde"}
EVENT_CARD = "professor-of-recent-runes"


def merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """The one laid over the other, tables inside tables too."""
    both = dict(first)
    for key, value in second.items():
        under = both.get(key)
        both[key] = merged(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return both


def hands(scenario: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, str]:
    """What each player holds, in the position notation: cards by id, then a number of others."""
    holds = {who: list(cards) for who, cards in scenario.get("holds", {}).items()}
    elsewhere = {card for cards in holds.values() for card in cards}
    elsewhere |= {card for cards in before.get("stuck", {}).values() if isinstance(cards, list) for card in cards}
    holds.setdefault("P1", [card for card in scenario.get("cards", ()) if card not in elsewhere])
    if "events" in before and not scenario.get("cards"):
        holds["P1"] = [EVENT_CARD, *(card for card in holds["P1"] if card != EVENT_CARD)]
    elif "events" in before and EVENT_CARD in " ".join(scenario["orders"]).casefold().replace(" ", "-"):
        holds["P1"] = [EVENT_CARD, *holds["P1"]]
    counts = dict.fromkeys(({"P2", "P3", "P4"} - set(holds)), 2) | before.get("hand", {})
    for who in list(COLOURS)[: scenario["players"]]:
        count = counts.get(who)
        if isinstance(count, list):
            holds[who] = count
        elif count is None and who == "P1":
            spare = "the-peeled-nuts" if holds[who] and "the-peeled-nuts" not in holds[who] else "2"
            holds[who] = [*holds[who], spare]
        elif count is not None and count > len(holds.get(who, ())):
            holds[who] = [*holds.get(who, ()), str(count - len(holds.get(who, ())))]
    return {who: ", ".join(cards) for who, cards in holds.items() if cards}


def position(scenario: Mapping[str, Any]) -> str:
    """The position a scenario begins with, in the notation."""
    before = merged(scenario.get("before", {}), scenario.get("given", {}))
    holding = hands(scenario, before)
    segments = [f"{scenario['players']} players"]
    for who, colour in list(COLOURS.items())[: scenario["players"]]:
        words = [colour.lower() + ("*" if who == "P1" else "")]
        words.append(f"${before.get('money', {}).get(who, 0)}")
        words.append(f"is {(PERSONALITIES | before.get('personality', {}))[who]}")
        for word in ("loans", "stuck"):
            cards = before.get(word, {}).get(who, 0)
            if isinstance(cards, int):
                cards = ["the-bank-of-ankh-morpork", "mr-bent"][:cards]
            words += [f"{word} {', '.join(cards)}"] if cards else []
        words += [f"holds {holding[who]}"] if who in holding else []
        segments.append(" ".join(words))
    for slug in NAMES:
        pieces = before.get("minions", {}).get(slug, {})
        words = [f"{PIECES[who][0]}{count}" for who, count in pieces.items()]
        words += [f"[{COLOURS[before['buildings'][slug]][0]}]"] if slug in before.get("buildings", {}) else []
        words += ["!"] if slug in before.get("trouble", ()) else []
        segments += [f"{slug} {' '.join(words)}"] if words else []
    segments.append(f"events {', '.join(before.get('events', ['riots']))}")
    segments += [f"draw {before['draw']}"] if "draw" in before else []
    segments += [f"discards {before['discard']}"] if "discard" in before else []
    return " | ".join(segments)


def compare(table: Any, after: Mapping[str, Any]) -> None:
    """Check everything that `after` and `then` name."""
    for key, expected in after.items():
        COMPARISONS[key](table, expected)


def minions(table: Any, expected: Mapping[str, Mapping[str, int]]) -> None:
    for slug, pieces in expected.items():
        area = table.area(slug)
        found = dict(area["minions"]) | {"T": area["trolls"], "D": area["demons"]}
        assert {piece: count for piece, count in found.items() if count} == {
            PIECES[who]: count for who, count in pieces.items()
        }, slug


def trouble(table: Any, expected: list[str]) -> None:
    assert sorted(area["slug"] for area in table.view()["areas"] if area["trouble"]) == sorted(expected)


def buildings(table: Any, expected: Mapping[str, str]) -> None:
    for slug, owner in expected.items():
        assert table.area(slug)["building"] == COLOURS.get(owner), slug
        holders = [seat["colour"] for seat in table.view()["seats"] if NAMES[slug] in seat["city_cards"]]
        gone = table.area(slug)["card_gone"]
        assert holders == ([] if gone or owner == "none" else [COLOURS[owner]]), slug


def public(field: str) -> Callable[[Any, Mapping[str, int]], None]:
    def check(table: Any, expected: Mapping[str, int]) -> None:
        found = {who: table.seat(COLOURS[who])[field] for who in expected}
        assert found == dict(expected), table.match.position()

    return check


def in_front(field: str) -> Callable[[Any, Mapping[str, Any]], None]:
    def check(table: Any, expected: Mapping[str, Any]) -> None:
        for who, cards in expected.items():
            found = table.seat(COLOURS[who])[field]
            assert (len(found) if isinstance(cards, int) else found) == (
                cards if isinstance(cards, int) else [NAMES[card] for card in cards]
            )

    return check


def holds(table: Any, expected: Mapping[str, Iterable[str]]) -> None:
    for who, cards in expected.items():
        assert set(cards) <= set(table.hand(COLOURS[who]))


def over(table: Any, expected: list[str]) -> None:
    result = table.match.result
    assert (result is None) == (not expected)
    assert result is None or [f"P{seat + 1}" for seat in result.winners] == expected


def score(table: Any, expected: Mapping[str, int]) -> None:
    scores = table.match.result.scores
    assert {who: scores[int(who[1]) - 1] for who in expected} == dict(expected)


def discards(table: Any) -> list[str]:
    found: list[str] = table.view()["discards"]
    return found


def expect(found: Any, expected: Any) -> None:
    assert found == expected


COMPARISONS: dict[str, Callable[[Any, Any], None]] = {
    "minions": minions,
    "trouble": trouble,
    "buildings": buildings,
    "money": public("money"),
    "hand": public("hand_size"),
    "limit": public("hand_limit"),
    "loans": in_front("loans"),
    "stuck": in_front("stuck"),
    "draw": lambda table, count: expect(table.view()["draw_pile"], count),
    "discard": lambda table, count: expect(len(discards(table)), count),
    "gone": lambda table, slugs: expect([a["slug"] for a in table.view()["areas"] if a["card_gone"]], slugs),
    "in_discards": lambda table, cards: expect({NAMES[card] for card in cards} - set(discards(table)), set()),
    "not_in_discards": lambda table, cards: expect({NAMES[c] for c in cards} & set(discards(table)), set()),
    "holds": holds,
    "over": over,
    "score": score,
    "actor": lambda table, who: expect(table.view()["actor"], COLOURS[who]),
    "no_events": lambda table, kinds: expect([kind for kind in kinds if table.happened(kind)], []),
}


def legal(table: Any, scenario: Mapping[str, Any]) -> None:
    """Compare `legal` with the areas that the decision's options (or the map) name."""
    if scenario["offers"] == "control":
        found = [area["slug"] for area in table.view()["areas"] if area["controller"] == "Red"]
    else:
        slugs = {name: slug for slug, name in NAMES.items()}
        verb = scenario["offers"] + " "
        texts = [text for text in table.offered() if text.startswith(verb)]
        found = [slugs[text.removeprefix(verb).partition(" in ")[2] or text.removeprefix(verb)] for text in texts]
    assert sorted(found) == sorted(scenario["legal"])


def a_new_game(table: Any, scenario: Mapping[str, Any]) -> None:
    """Set up a real game and count everything."""


def the_turn_begins(table: Any, scenario: Mapping[str, Any]) -> None:
    """Nothing is written: the win check alone decides."""
    assert table.match.actor == 0


def two_personalities_seen_by_red_alone(table: Any, scenario: Mapping[str, Any]) -> None:
    (event,) = table.happened("PersonalitiesSeen")
    assert len(event.seen_by(0)["personalities"]) == 2
    assert event.seen_by(1)["personalities"] is None
    assert len(table.view("Red")["private"]["seen_personalities"]) == 2
    assert table.view("Green")["private"]["seen_personalities"] is None


def a_blind_personality_swap(table: Any, scenario: Mapping[str, Any]) -> None:
    (event,) = table.happened("PersonalitySwapped")
    assert event.seen_by(0)["old"] == "Lord Rust"
    assert event.seen_by(1) == event.seen_by(None) == {"colour": "Red", "old": None, "new": None}
    new = table.view("Red")["private"]["personality"]["name"]
    assert new == event.seen_by(0)["new"]
    assert new in ("Lord Vetinari", "Dragon King of Arms", "Commander Vimes", "Chrysoprase")


def the_hand_seen_by_red_alone(table: Any, scenario: Mapping[str, Any]) -> None:
    (event,) = table.happened("HandSeen")
    assert len(event.seen_by(0)["cards"]) == 3
    assert event.seen_by(2)["cards"] is None


def two_cards_seen_by_red_alone(table: Any, scenario: Mapping[str, Any]) -> None:
    (event,) = table.happened("CardsSeen")
    assert len(event.seen_by(0)["cards"]) == 2
    assert event.seen_by(2)["cards"] is None


def the_same_question_whatever_the_hand(table: Any, scenario: Mapping[str, Any]) -> None:
    (window,) = [decision for decision in table.asked if decision.window]
    assert window.seat == 1
    assert [option.text for option in window.options] == ["pass"]


CHECKS = {
    check.__name__: check
    for check in (
        a_new_game,
        the_turn_begins,
        two_personalities_seen_by_red_alone,
        a_blind_personality_swap,
        the_hand_seen_by_red_alone,
        two_cards_seen_by_red_alone,
        the_same_question_whatever_the_hand,
    )
}


def id_of(scenario: Mapping[str, Any]) -> str:
    return f"{scenario['id']} {scenario['rules'][0]}"


@pytest.mark.parametrize("scenario", [s for s in SCENARIOS if s.get("check") != "a_new_game"], ids=id_of)
def test_the_scenario_goes_as_the_rules_say(scenario: dict[str, Any], table: Callable[..., Any]) -> None:
    sat = table(position(scenario), scenario.get("roll", ()))
    before, found, after = _split(scenario.get("orders", []))
    sat.write(*before)
    if found:
        legal(sat, scenario)
        sat.write(*after)
    elif "legal" in scenario:
        legal(sat, scenario)
    sat.settle()
    if "check" in scenario:
        CHECKS[scenario["check"]](sat, scenario)
    compare(sat, merged(scenario.get("after", {}), scenario.get("then", {})))


def _split(orders: list[str]) -> tuple[list[str], bool, list[str]]:
    if "legal" not in orders:
        return orders, False, []
    at = orders.index("legal")
    return orders[:at], True, orders[at + 1 :]


@pytest.mark.parametrize("scenario", [s for s in SCENARIOS if s.get("check") == "a_new_game"], ids=id_of)
def test_a_new_game_is_set_up_as_the_rules_say(scenario: dict[str, Any]) -> None:
    match = Match.new(scenario["players"], bytes(32))
    view = match.view(None)
    written = match.position()
    assert [seat["hand_size"] for seat in view["seats"]] == [5] * scenario["players"]
    assert [seat["money"] for seat in view["seats"]] == [10] * scenario["players"]
    assert view["draw_pile"] + 5 * scenario["players"] == scenario["then"]["cards"]
    assert len(notation.read(written).unused) == scenario["then"]["unused"]
    named = " ".join(
        card["id"] for seat in range(scenario["players"]) for card in match.view(Seat(seat))["private"]["hand"]
    )
    assert (scenario["players"] == 2) == ("cosmo-lavish" not in written + named)
