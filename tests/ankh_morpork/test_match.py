"""A match as the server sees it: decisions, reveals, snapshots, forks, what goes by itself."""

from __future__ import annotations

import json
import tomllib
from dataclasses import fields as dataclass_fields
from importlib.resources import files
from typing import Any

import pytest

from games.ankh_morpork import GAME
from games.ankh_morpork.match import Match
from games.ankh_morpork.text.log import EVENTS, threatened
from games.ankh_morpork.text.log import asked as facts_of_a_decision
from pbem.errors import ReplayMismatch
from pbem.protocol import Decision, Option, Seat

KINDS = tomllib.loads((files("games.ankh_morpork") / "data" / "asked.toml").read_text("utf-8"))


def at(line: str, *orders: str, dice: tuple[int, ...] = ()) -> Match:
    """The match after these orders, whoever must give them."""
    match = Match.from_position(line, dice=dice)
    for order in orders:
        take(match, order)
    return match


def take(match: Match, order: str) -> list[Any]:
    option = asked(match).option(order)
    assert option is not None, [o.text for o in asked(match).options]
    return match.choose(match.pending[0].seat, option)


def asked(match: Match) -> Decision:
    assert match.pending, match.position()
    return match.pending[0]


def offered(match: Match) -> list[str]:
    return [option.text for option in asked(match).options]


def test_a_turn_begins_with_the_cards_and_the_powers() -> None:
    match = at("red* holds groat, modo, gaspode | The Hippo [R]")
    assert (asked(match).kind, offered(match)) == ("turn", ["play Groat", "play Modo", "use The Hippo"])
    assert asked(match).decline is None


def test_with_nothing_to_play_and_no_power_the_turn_passes_by_itself() -> None:
    match = at("2 players | red* holds gaspode, susan | green holds groat, modo")
    assert (match.actor, match.turn) == (1, 2)
    assert [event.kind for event in match.opening()][:3] == ["TurnBegan", "Passed", "CardsDrawn"]


def test_a_power_may_be_used_before_every_symbol() -> None:
    match = at("red* holds groat, modo | The Hippo [R] | Dimwell R", "play Groat")
    assert offered(match)[-2:] == ["skip", "use The Hippo"]
    take(match, "use The Hippo")
    assert match.money[0] == 2
    assert "use The Hippo" not in offered(match)


def test_a_symbol_that_cannot_be_done_is_skipped_without_asking() -> None:
    match = at("red* holds dr-cruces, modo | Dimwell R", "play Dr Cruces")
    assert asked(match).kind == "money"


def test_a_symbol_that_a_power_could_help_is_offered_with_the_power() -> None:
    match = at("red* $3 holds the-royal-mint, modo | Seven Sleepers [R] | Dimwell R", "play The Royal Mint")
    assert offered(match) == ["skip", "use Seven Sleepers"]
    assert asked(match).auto is None
    take(match, "use Seven Sleepers")
    assert offered(match) == ["build Dimwell", "skip"]


def test_a_symbol_that_no_power_can_help_goes_by_itself() -> None:
    match = at("red* holds dr-cruces, modo | The Hippo [R] | Dimwell R", "play Dr Cruces")
    assert offered(match) == ["skip", "use The Hippo"]
    assert asked(match).auto is asked(match).option("skip")


def test_a_scroll_that_no_power_can_help_goes_by_itself() -> None:
    match = at("red* holds reacher-gilt, modo | The Hippo [R] | Dimwell R [G]", "play Reacher Gilt")
    assert asked(match).auto is None
    match = at("red* holds doctor-hix, the-mob, modo | Unreal Estate [R]", "play The Mob")
    assert offered(match) == ["skip", "use Unreal Estate"]
    assert asked(match).auto is asked(match).option("skip")


def test_nobody_is_told_that_a_hand_is_all_interrupts() -> None:
    match = at("red* holds sergeant-angua, gaspode, susan | Dimwell R !")
    take(match, "play Sergeant Angua")
    skipped = [event.data["possible"] for event in take(match, "skip") if event.kind == "SymbolSkipped"]
    assert skipped == [True, True]


def test_money_goes_by_itself_and_is_the_default() -> None:
    match = at("red* holds the-royal-mint, modo", "play The Royal Mint")
    decision = asked(match)
    assert (decision.kind, decision.facts["amount"]) == ("money", 5)
    assert decision.auto is decision.default is decision.option("money")


def test_a_scroll_that_begins_with_a_choice_offers_it() -> None:
    match = at("3 players | red* holds nobby-nobbs, modo", "play Nobby Nobbs")
    assert offered(match) == ["target Green", "target Blue", "skip"]
    assert asked(match).auto is None


@pytest.mark.parametrize(
    ("card", "name", "auto"),
    [
        ("hex", "Hex", "scroll"),
        ("mr-boggis", "Mr Boggis", "scroll"),
        ("mr-bent", "Mr Bent", None),
        ("zorgo-the-retro-phrenologist", "Zorgo the Retro-phrenologist", None),
        ("errol", "Errol", None),
    ],
)
def test_only_a_gain_goes_by_itself(card: str, name: str, auto: str | None) -> None:
    decision = asked(at(f"red* holds {card}, modo | green $5", f"play {name}"))
    assert decision.kind == "scroll"
    assert decision.auto is (decision.option(auto) if auto else None)


def test_a_draw_that_would_end_the_match_needs_an_order() -> None:
    match = at("red* holds hex, modo | draw groat, death, igor", "play Hex")
    assert asked(match).auto is None


def test_nothing_is_revealed_while_everything_is_open() -> None:
    match = at("red* holds captain-carrot, modo | Dimwell R", "play Captain Carrot", "minion Dimwell")
    assert match.reveals == 0
    take(match, "calm Dimwell")
    assert match.reveals == 0


def test_a_window_reveals_when_it_closes_whatever_was_answered() -> None:
    match = at("red* holds mr-gryle, modo | Dimwell R G !", "play Mr Gryle", "assassinate Green in Dimwell")
    decision = asked(match)
    assert (decision.window, decision.seats, offered(match)) == (True, (1,), ["pass"])
    take(match, "pass")
    assert match.reveals == 1


def test_draws_dice_and_the_end_of_a_turn_reveal() -> None:
    assert at("red* $20 holds hex, modo | Dimwell R", "play Hex", "scroll").reveals == 1
    assert at("red* holds errol, modo", "play Errol", "scroll", dice=(5,)).reveals == 1
    passed = at("2 players | red* holds groat, 5 | green holds 5", "play Groat", "skip")
    assert (passed.actor, passed.reveals) == (1, 1)


def test_a_discard_reveals() -> None:
    """R-HID-1: discards are seen by all."""
    match = at("red* holds modo, groat, hex", "play Modo")
    before = match.reveals
    take(match, "discard Hex")
    assert match.reveals == before + 1


def test_mossy_lawn_changes_no_timing() -> None:
    line = "red* holds groat, modo, doctor-mossy-lawn | Dimwell R"
    match = at(line, "play Groat", "minion Dimwell")
    assert (asked(match).kind, offered(match)) == ("close", ["interrupt Doctor Mossy Lawn", "end"])
    assert asked(match).auto is asked(match).option("end")
    take(match, "interrupt Doctor Mossy Lawn")
    assert "groat" in match.position().split("red")[1].split("|")[0]


def test_a_snapshot_holds_the_choices_since_the_turn_began() -> None:
    match = at("red* $20 holds hex, modo | Dimwell R", "play Hex", "scroll")
    data = json.loads(json.dumps(match.snapshot()))
    assert [choice[:2] for choice in data["choices"]] == [[0, "play Hex"], [0, "scroll"]]
    assert len(data["choices"][1][2]) == 3
    again = GAME.restore(data)
    assert (again.digest(), again.choices()) == (match.digest(), [])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("digest", "00"),
        ("choices", [[0, "play Hex", []], [0, "scroll", [["draw", "groat"]]]]),
        ("choices", [[0, "play Hex", []], [1, "scroll", []]]),
        ("choices", [[0, "play Death", []]]),
        ("schema", 99),
        ("position", "red* | Atlantis R"),
    ],
)
def test_a_snapshot_that_no_longer_replays_is_refused(key: str, value: object) -> None:
    data = at("red* $20 holds hex, modo | Dimwell R", "play Hex", "scroll").snapshot() | {key: value}
    with pytest.raises(ReplayMismatch):
        GAME.restore(data)


def test_a_fork_keeps_scripted_dice() -> None:
    match = at("red* holds errol, cmot-dibbler | Dimwell R", "play Errol", dice=(5, 7))
    twin = match.fork()
    take(match, "scroll")
    take(twin, "scroll")
    assert twin.digest() == match.digest()


def test_new_entropy_replays_with_the_choices() -> None:
    match = at("red* $20 holds hex, modo | Dimwell R", "play Hex")
    match.rollback_entropy(b"x" * 32)
    take(match, "scroll")
    assert GAME.restore(match.snapshot()).digest() == match.digest()
    assert match.fork().digest() == match.digest()
    assert match.choices()[1][:2] == [-1, (b"x" * 32).hex()]


def test_new_entropy_keeps_the_green_cards_on_top() -> None:
    match = Match.new(3, bytes(32))
    before = list(match.draw)
    match.rollback_entropy(b"y" * 32)
    assert sorted(match.draw) == sorted(before) != before
    assert match.draw != before
    assert "green" not in match.position().split("draw ")[1].split(",")[-1]


def test_an_option_of_an_equal_text_is_accepted() -> None:
    match = at("red* holds groat, modo")
    match.choose(Seat(0), Option("play Groat"))
    assert asked(match).kind == "minion"


def test_a_match_that_is_over_takes_no_choice() -> None:
    match = at("2 players | red* is lord-rust | " + " | ".join(f"{name} R" for name in SEVEN))
    assert match.result is not None
    assert (match.result.winners, match.result.reason, match.result.scores) == ((0,), "goal", (None, None))
    with pytest.raises(ValueError, match="over"):
        match.choose(Seat(0), Option("end"))
    assert GAME.restore(match.snapshot()).result == match.result


SEVEN = ("Dimwell", "Longwall", "Nap Hill", "The Hippo", "The Shades", "The Scours", "Small Gods")


def test_everything_that_happens_is_in_the_tables_with_all_its_fields() -> None:
    """A template need not ask whether a field is there."""
    kinds, asked_kinds, threats = set(), set(), set()
    for number in range(30):
        match = Match.new(2 + number % 3, number.to_bytes(32, "big"))
        step = 0
        while match.pending:
            decision = match.pending[0]
            asked_kinds.add(decision.kind)
            threats |= {decision.facts["threat"]} if decision.window else set()
            fields = threatened("", "") if decision.window else facts_of_a_decision()
            assert sorted(decision.facts) == sorted(fields)
            step += 7
            for event in match.choose(decision.seat, decision.options[step % len(decision.options)]):
                kinds.add(event.kind)
                assert list(event.data) == [field.name for field in dataclass_fields(EVENTS[event.kind])]
                assert all(set(private) <= set(event.data) for private in (event.private or {}).values())
    assert kinds <= EVENTS.keys()
    assert asked_kinds <= KINDS["decisions"].keys()
    assert threats <= KINDS["threats"].keys()
    assert len(kinds) > 40


def test_events_tell_secrets_only_to_those_they_concern() -> None:
    match = at("red* $20 holds hex, modo | Dimwell R", "play Hex")
    drawn = next(event for event in take(match, "scroll") if event.kind == "CardsDrawn")
    assert drawn.seen_by(None)["cards"] is None
    assert drawn.seen_by(1)["cards"] is None
    assert len(drawn.seen_by(0)["cards"]) == 3


@pytest.mark.parametrize("actor", ["red*", "green*"])
def test_a_hand_shows_its_owner_what_its_scrolls_could_do_in_a_turn_of_their_own(actor: str) -> None:
    red, green = ("red*", "green") if actor == "red*" else ("red", "green*")
    match = Match.from_position(
        f"3 players | {red} holds nobby-nobbs | {green} holds the-fools-guild | blue holds groat"
    )
    offered = [match.view(Seat(s))["private"]["hand"][0]["today"][0]["targets"] for s in (0, 1)]
    assert offered == [["target Green", "target Blue"], ["target Blue", "target Red"]]
    assert match.actor == (0 if actor == "red*" else 1)


def test_a_card_is_out_of_the_hand_when_its_own_symbols_are_judged() -> None:
    """Rosie Palm has no card left to sell; Drumknott and Modo do not name themselves."""
    match = Match.from_position("red* $9 holds rosie-palm | green holds 2")
    scroll = next(t for t in match.view(Seat(0))["private"]["hand"][0]["today"] if t["symbol"] == "scroll")
    assert scroll["targets"] == []
    match = Match.from_position("red* $9 holds modo, groat | green holds 2")
    today = {card["id"]: card["today"] for card in match.view(Seat(0))["private"]["hand"]}
    assert today["modo"][0]["targets"] == ["discard Groat"]


def test_the_outlook_of_a_card_is_its_symbols_and_what_they_could_do() -> None:
    match = at("red* holds mr-gryle, nobby-nobbs | Dimwell R G !")
    outlook = match.outlook(Seat(0), Option("play Mr Gryle"))
    assert outlook["symbols"] == [
        {"symbol": "assassinate", "targets": ["assassinate Green in Dimwell"]},
        {"symbol": "money:1", "targets": []},
    ]


@pytest.mark.parametrize(
    ("said", "kind", "name"),
    [
        ("fools guild", "card", "The Fools' Guild"),
        ("the hippo", "area", "The Hippo"),
        ("cheery", "card", "Sergeant Cheery Littlebottom"),
        ("flood", "event", "Flood"),
        ("Lord Vetinari", "personality", "Lord Vetinari"),
    ],
)
def test_things_are_looked_up_by_what_people_call_them(said: str, kind: str, name: str) -> None:
    found = GAME.lookup(said)
    assert found is not None
    assert (found["kind"], found["name"]) == (kind, name)


def test_what_does_not_exist_is_not_found() -> None:
    assert GAME.lookup("the luggage handler") is None


def test_no_alias_belongs_to_two_names() -> None:
    said = [alias for names in GAME.vocabulary.names.values() for own in names.values() for alias in own]
    assert len(said) == len(set(said))


def test_a_view_is_plain_json() -> None:
    match = Match.new(4, bytes(32))
    assert json.loads(json.dumps(match.view(Seat(2))))["private"]["hand"]
    assert json.loads(json.dumps(match.view(None)))["private"] is None


def test_the_start_of_a_turn_is_found_without_its_choices() -> None:
    match = Match.from_position("red* holds errol, groat | green holds 2 | Dimwell R", dice=(7,))
    start = match.snapshot()
    match.choose(match.pending[0].seat, match.pending[0].option("play Errol"))
    match.choose(match.pending[0].seat, match.pending[0].option("scroll"))
    broken = match.snapshot() | {"digest": "", "choices": [[0, "play Death", []]]}
    assert Match.turn_start(broken).snapshot() == start
