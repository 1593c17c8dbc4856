"""Refusals: which rule a refused order breaks, and what is suggested in its place."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator

import pytest

from games.ankh_morpork import GAME
from games.ankh_morpork.data.cards import AREA, CARD, CARDS
from games.ankh_morpork.match import Match
from games.ankh_morpork.position.options import COLOURS, OWNERS
from games.ankh_morpork.why_not import REASONS, why_not
from pbem.orders.lexicon import lexicon
from pbem.orders.outcome import Problem
from pbem.orders.referee import carry_out
from pbem.protocol import Option, Reason

BOARD = (
    "3 players | red* $11 holds {} | green $5 holds 5 | blue $7 holds 5 | Dimwell R2 G ! | The Hippo R | The Shades R G B !"
    " | The Scours R [R] | Dolly Sisters G [G] | Unreal Estate [B] B | Isle of Gods T"
)
#: Everything that Red has is out.
FULL = (
    "2 players | red* $40 holds {} | green $5 holds 5 | Dimwell R6 [R] | The Hippo R [R] | The Scours R [R] | Longwall R [R]"
    " | Small Gods R [R] | Isle of Gods R [R] | Unreal Estate R | Dragon's Landing G"
)
HAND = "groat,leonard-of-quirm,nobby-nobbs,mr-boggis,susan"

#: What Red holds on `BOARD`, what is written, the reason, and some of its facts.
REFUSED: list[tuple[str, str, str, dict[str, object]]] = [
    # a card
    (HAND, "play zorgo", "not-held", {"card": "Zorgo the Retro-phrenologist", "where": None}),
    (HAND, "zorgo", "not-held", {"card": "Zorgo the Retro-phrenologist"}),
    (HAND, "play susan", "is-interrupt", {"card": "Susan"}),
    (HAND, "interrupt gaspode", "not-held", {"card": "Gaspode"}),
    (HAND, "interrupt susan", "nothing-to-answer", {"card": "Susan"}),
    (HAND, "play groat / play leonard", "no-more-cards", {"card": "Leonard of Quirm", "played": "Groat"}),
    (HAND, "groat / leonard", "no-more-cards", {"card": "Leonard of Quirm"}),
    (HAND, "groat / play groat / minion nap hill", "no-reach", {"area": "Nap Hill"}),
    (HAND, "use the scours / discard zorgo", "not-held", {"card": "Zorgo the Retro-phrenologist"}),
    ("harry-king,groat", "harry king / minion hippo / discard leonard", "not-held", {"card": "Leonard of Quirm"}),
    ("mr-bent,groat", "mr bent / scroll / play leonard", "not-held", {"card": "Leonard of Quirm"}),
    # the turn
    (HAND, "end", "must-play", {}),
    (HAND, "skip", "must-play", {}),
    (HAND, "pass", "must-play", {}),
    (HAND, "11", "menu", {"number": 11}),
    ("rosie-palm,groat", "rosie / minion hippo / give groat to yellow", "not-playing", {"colour": "Yellow"}),
    (HAND, "build the hippo", "no-card-yet", {"verb": "build", "cards": []}),
    (HAND, "minion longwall", "no-card-yet", {"verb": "minion", "cards": ["Groat", "Mr Boggis"]}),
    (HAND, "kill green in dimwell", "no-card-yet", {"verb": "assassinate"}),
    (HAND, "target green", "no-card-yet", {"verb": "target", "cards": ["Nobby Nobbs"]}),
    (HAND, "discard groat", "no-card-yet", {"verb": "discard"}),
    (HAND, "play groat / build hippo", "not-on-card", {"symbol": "building", "card": "Groat"}),
    (HAND, "play groat / minion hippo / calm dimwell", "not-on-card", {"symbol": "calm", "card": "Groat"}),
    ("ruby", "ruby / build hippo", "symbol-later", {"symbol": "building", "before": "minion"}),
    ("captain-carrot,groat", "captain carrot / calm nap hill", "symbol-later", {"symbol": "calm"}),
    ("the-agony-aunts", "agony aunts / minion hippo", "symbol-later", {"symbol": "minion", "before": "assassinate"}),
    # area cards
    (HAND, "use dimwell", "not-your-card", {"area": "Dimwell", "colour": None}),
    (HAND, "use dolly sisters", "not-your-card", {"area": "Dolly Sisters", "colour": "Green"}),
    (HAND, "hippo", "not-your-card", {"area": "The Hippo"}),
    (HAND, "play groat / minion hippo / use the scours / use the scours", "power", {"why": "used"}),
    ("groat", "play groat / minion hippo / use longwall", "not-your-card", {"area": "Longwall"}),
    # minions
    (HAND, "play groat / minion nap hill", "no-reach", {"area": "Nap Hill", "without": None}),
    (HAND, "play groat / minion nap hil", "no-reach", {"area": "Nap Hill"}),
    (HAND, "play groat and put a guy in seven sleepers please", "no-reach", {"area": "Seven Sleepers"}),
    (HAND, "groat nap hill", "no-reach", {"area": "Nap Hill"}),
    (HAND, "play groat / minion hippo from dimwell", "none-leaves", {"left": 7}),
    ("willikins", "willikins / minion hippo", "not-your-building", {"area": "The Hippo", "colour": None}),
    ("willikins", "willikins / minion dolly sisters", "not-your-building", {"colour": "Green"}),
    ("the-smoking-gnu", "smoking gnu / minion hippo", "no-trouble", {"area": "The Hippo"}),
    # buildings
    ("the-mended-drum", "play drum / build the hippo", "price", {"area": "The Hippo", "amount": 12, "money": 11}),
    ("the-mended-drum", "play drum / build dimwell", "trouble-there", {"area": "Dimwell"}),
    ("the-mended-drum", "play drum / build longwall", "no-minion", {"area": "Longwall"}),
    ("the-mended-drum", "play drum / build the scours", "built", {"area": "The Scours", "colour": "Red"}),
    ("the-mended-drum", "play drum / build dolly sisters", "built", {"colour": "Green"}),
    ("the-royal-mint", "play royal mint, put a house in Small Gods", "no-minion", {"area": "Small Gods"}),
    ("wee-mad-arthur", "wee mad arthur / build dimwell", "trouble-there", {"area": "Dimwell"}),
    ("sybil-vimes", "sybil / buy the scours", "own-building", {"area": "The Scours"}),
    ("sybil-vimes", "sybil / buy unreal estate", "price", {"amount": 18, "money": 14}),
    ("sybil-vimes", "sybil / buy hippo", "no-building", {"area": "The Hippo"}),
    # assassinations and trouble
    ("inigo-skimmer", "play inigo / kill green in dolly sisters", "no-trouble", {"area": "Dolly Sisters"}),
    ("inigo-skimmer", "inigo, kill red in dimwell", "own-minion", {}),
    ("inigo-skimmer", "inigo: kill blue in dimwell", "not-there", {"colour": "Blue", "area": "Dimwell"}),
    ("inigo-skimmer", "inigo: kill the troll in isle of gods", "no-trouble", {"area": "Isle of Gods"}),
    ("inigo-skimmer", "inigo: kill a troll", "not-in-trouble", {"colour": "troll"}),
    ("sergeant-colon", "sergeant colon / calm hippo", "no-trouble", {"area": "The Hippo"}),
    ("buggy-swires", "buggy calm longwall", "no-trouble", {"area": "Longwall"}),
    ("the-mob", "the mob / trouble dimwell", "trouble-already", {"area": "Dimwell"}),
    ("the-mob", "the mob / trouble nap hill", "no-trouble-next", {"area": "Nap Hill"}),
    ("mr-slant", "mr slant / target hippo", "no-trouble", {"area": "The Hippo"}),
    # moves
    ("canting-crew", "canting crew / move red from dimwell to longwall", "own-minion", {"card": "Canting Crew"}),
    ("canting-crew", "canting crew / move green from dimwell to hippo", "not-next", {"area": "The Hippo"}),
    ("canting-crew", "canting crew / move blue from dimwell to longwall", "not-there", {"colour": "Blue"}),
    ("dorfl", "dorfl / move green from dimwell to longwall", "only-own", {"card": "Dorfl"}),
    ("dorfl", "dorfl / move red from longwall to dimwell", "not-there", {"colour": "Red", "area": "Longwall"}),
    # players
    (HAND, "play nobby / target red", "yourself", {}),
    (HAND, "play nobby / target yellow", "not-playing", {"colour": "Yellow"}),
    (HAND, "nobby yellow", "not-playing", {"colour": "Yellow"}),
    ("the-fire-brigade", "fire brigade: burn red", "yourself", {}),
    ("the-fire-brigade", "play fire brigade / target yellow", "not-playing", {"colour": "Yellow"}),
    ("hubert", "hubert / red pays green", "yourself", {}),
    ("hubert", "hubert / green pays green", "same-player", {"colour": "Green"}),
    ("queen-molly", "queen molly / minion hippo / target red", "yourself", {}),
]
#: The same where all twelve minions and all six buildings of Red stand.
REFUSED_FULL: list[tuple[str, str, str, dict[str, object]]] = [
    ("groat,hex", "groat / minion dragons landing from nap hill", "not-there", {"colour": "Red", "area": "Nap Hill"}),
    ("groat,hex", "groat / minion nap hill from unreal estate", "no-reach", {"without": "Unreal Estate"}),
    ("groat,hex", "groat / minion dimwell from dimwell", "same-area", {"area": "Dimwell"}),
    ("the-mended-drum", "drum / build dragons landing instead of dimwell", "no-minion", {"area": "Dragon's Landing"}),
    ("hex,groat", "use small gods", "protects", {"area": "Small Gods"}),
    ("hex,groat", "use isle of gods", "power", {"why": "nothing", "kind": "remove_trouble"}),
    ("hex,groat", "use hippo / use the hippo", "power", {"why": "used", "area": "The Hippo"}),
]
TABLE = [(BOARD, *row) for row in REFUSED] + [(FULL, *row) for row in REFUSED_FULL]


def refused(position: str, text: str) -> Problem:
    """Why Red's orders, with `/` between the lines, are refused."""
    match = Match.from_position(position)
    outcome = carry_out(GAME, match, match.pending[0].seat, text.split(" / "))
    assert outcome.refused, outcome.lines
    assert outcome.refused.problem, outcome.lines
    return outcome.refused.problem


@pytest.mark.parametrize(("board", "hand", "text", "reason", "facts"), TABLE)
def test_a_refusal_names_the_rule_and_suggests_options_of_the_verb_that_was_said(
    board: str, hand: str, text: str, reason: str, facts: dict[str, object]
) -> None:
    problem = refused(board.format(hand), text)
    assert problem.reason == reason
    assert {name: problem.facts[name] for name in facts} == facts
    verbs = {lexicon(GAME.vocabulary).phrase(option).verb for option in problem.suggestions}
    assert len(problem.suggestions) <= 4
    assert len(verbs) <= 1
    assert verbs <= {problem.facts.get("verb", *verbs)}


def test_the_suggestions_are_those_nearest_to_what_is_named() -> None:
    problem = refused(BOARD.format("inigo-skimmer"), "inigo: kill blue in dimwell")
    assert problem.suggestions[:2] == ("assassinate Green in Dimwell", "assassinate Blue in The Shades")


def test_what_is_asked_is_said_in_place_of_another_verb() -> None:
    problem = refused(BOARD.format(HAND), "play groat / pay 5")
    assert (problem.reason, problem.suggestions) == ("not_now", ())
    assert problem.facts["moved"]
    asked = problem.facts["asked"]
    assert isinstance(asked, dict)
    assert asked["kind"] == "minion"


def test_what_the_mail_asks_anyway_is_not_said_with_the_reason() -> None:
    match = Match.from_position(BOARD.format("queen-molly,dorfl"))
    for text in ("play Queen Molly", "minion The Hippo", "target Green"):
        match.choose(match.pending[0].seat, Option(text))
    match.choose(match.pending[0].seat, Option("pass"))
    line = carry_out(GAME, match, match.pending[0].seat, ["pay"]).refused
    assert line
    assert line.problem
    assert (line.problem.reason, line.problem.facts["moved"]) == ("not_now", False)


def test_what_is_alone_well_is_not_called_illegal() -> None:
    problem = refused(BOARD.format("groat"), "groat, minion in the hippo, minion in dimwell")
    assert problem.reason == "together"


# -- in random positions -------------------------------------------------------------------------------------------------


def texts(chance: random.Random) -> Iterator[str]:
    """Well-formed order texts, some only as far as people say them."""
    for _ in range(3):
        area, other = chance.sample(AREA, 2)
        owner, second = chance.choices(OWNERS, k=2)
        colour, payee = chance.choices(COLOURS, k=2)
        yield from (
            f"minion {area}",
            f"minion {area} from {other}",
            f"build {area}",
            f"build {area} instead of {other}",
        )
        yield from (f"assassinate {owner} in {area}", f"assassinate {owner}", f"assassinate in {area}", f"calm {area}")
        yield from (f"use {area}", area, f"target {colour}", f"target {area}", f"{colour} pays {payee}")
        yield from (f"move {owner} from {area} to {other}", f"move {owner}", f"remove {owner} in {area}", "pay", "skip")
        yield from (
            f"swap {owner} in {area} with {second} in {other}",
            f"trouble {area}",
            f"burn {area}",
            f"buy {area}",
        )
        yield from (
            f"protect {owner} in {area}",
            f"protect building in {area}",
            f"buy {area} instead of {other}",
            "give $1",
        )
        for verb in ("play", "give", "discard", "keep", "interrupt"):
            yield f"{verb} {chance.choice(CARD)}"
    yield from ("end", "done", "pass", "scroll", "money", "refuse")


def positions(seats: int, name: str, choices: int) -> Iterator[Match]:
    """A match at every choice of a random game."""
    match = GAME.new(seats, hashlib.sha256(name.encode()).digest(), {})
    for step in range(choices):
        if not match.pending:
            return
        yield match
        drawn = hashlib.sha256(f"{name} {step}".encode()).digest()
        decision = match.pending[0]
        match.choose(decision.seat, decision.options[drawn[0] % len(decision.options)])


def has(match: Match, colour: str, area: str) -> int:
    return match.pieces[OWNERS.index(colour)][AREA_NUMBER_OF[area]]


AREA_NUMBER_OF = {name: number for number, name in enumerate(AREA)}
CARD_NUMBER_OF = {card.name: card.index for card in CARDS}


def trouble(match: Match, area: str) -> bool:
    return bool(match.trouble >> AREA_NUMBER_OF[area] & 1)


def owner(match: Match, area: str) -> str | None:
    seat = match.owner_of[AREA_NUMBER_OF[area]]
    return None if seat < 0 else COLOURS[seat]


#: Reason -> whether it is true of a match for a seat, worked out from the position and not from the view.
TRUE: dict[str, Callable[[Match, int, Reason], bool]] = {
    "no-trouble": lambda m, me, r: not trouble(m, r.facts["area"]),
    "trouble-there": lambda m, me, r: trouble(m, r.facts["area"]),
    "trouble-already": lambda m, me, r: trouble(m, r.facts["area"]),
    "not-there": lambda m, me, r: not has(m, r.facts["colour"], r.facts["area"]),
    "no-minion": lambda m, me, r: not m.pieces[me][AREA_NUMBER_OF[r.facts["area"]]],
    "no-reach": lambda m, me, r: bool(r.facts["without"]) or not m.reach(me) >> AREA_NUMBER_OF[r.facts["area"]] & 1,
    "nobody-there": lambda m, me, r: not m.crowd[AREA_NUMBER_OF[r.facts["area"]]],
    "built": lambda m, me, r: owner(m, r.facts["area"]) == r.facts["colour"] is not None,
    "no-building": lambda m, me, r: owner(m, r.facts["area"]) is None,
    "own-building": lambda m, me, r: owner(m, r.facts["area"]) == COLOURS[me],
    "not-your-building": lambda m, me, r: owner(m, r.facts["area"]) == r.facts["colour"] != COLOURS[me],
    "not-your-card": lambda m, me, r: owner(m, r.facts["area"]) == r.facts["colour"] != COLOURS[me],
    "price": lambda m, me, r: m.money[me] == r.facts["money"] < r.facts["amount"],
    "not-held": lambda m, me, r: CARD_NUMBER_OF[r.facts["card"]] not in m.hands[me],
    "is-interrupt": lambda m, me, r: CARDS[CARD_NUMBER_OF[r.facts["card"]]].interrupt,
    "is-no-interrupt": lambda m, me, r: not CARDS[CARD_NUMBER_OF[r.facts["card"]]].interrupt,
    "no-more-cards": lambda m, me, r: CARD[m.in_play] == r.facts["played"],
    "not-your-turn": lambda m, me, r: COLOURS[m.actor] == r.facts["colour"] != COLOURS[me],
    "not-playing": lambda m, me, r: OWNERS.index(r.facts["colour"]) >= m.seats,
    "has-no-building": lambda m, me, r: not m.buildings[COLOURS.index(r.facts["colour"])],
    "has-no-cards": lambda m, me, r: not m.hands[COLOURS.index(r.facts["colour"])],
    "none-leaves": lambda m, me, r: 12 - m.out[me] == r.facts["left"] > 0,
    "which-leaves": lambda m, me, r: m.out[me] == 12,
    "not-in-trouble": lambda m, me, r: not m.presence[OWNERS.index(r.facts["colour"])] & m.trouble,
}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_reason_has_its_facts_and_is_true(seats: int) -> None:
    chance, given = random.Random(seats), set()
    for match in positions(seats, f"refused {seats}", 250):
        decision = match.pending[0]
        view = match.view(decision.seat)
        for text in texts(chance):
            reason = None if decision.option(text) else why_not(view, decision, text)
            if reason:
                given.add(reason.word)
                assert tuple(reason.facts) == REASONS[reason.word]
                assert reason.word not in TRUE or TRUE[reason.word](match, decision.seat, reason), (
                    text,
                    match.position(),
                )
    assert len(given) > 20


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_refusal_depends_on_what_the_seat_cannot_see(seats: int) -> None:
    chance = random.Random(seats)
    for number, match in enumerate(positions(seats, f"hidden {seats}", 60)):
        decision = match.pending[0]
        twin = GAME.dealt_anew(match, decision.seat, bytes([number]) * 32)
        written = [text for text in texts(chance) if not decision.option(text)]
        assert [match.why_not(decision, text) for text in written[::4]] == [
            twin.why_not(twin.pending[0], text) for text in written[::4]
        ]
        for text in chance.sample(written, 1 if number % 4 == 0 else 0):
            lines = [carry_out(GAME, one, decision.seat, [text]).lines for one in (match, twin)]
            assert lines[0] == lines[1]
