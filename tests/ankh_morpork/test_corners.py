"""Corners of the rules, a row each: a sentence, a position, the dice, what is written, and what then stands there.

`then` holds segments of the position notation: an area completely (its name alone when it is empty), a seat's money,
`draw n`, `over red`, `goes on`, `hand red n`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from games.ankh_morpork.position import notation as position

SEATS = ("red", "green", "blue", "yellow")
#: What stands in an area, behind its name.
PIECES = re.compile(r" (\[.\]|!|gone|[RGBYTD]\d*)( |$)")

# fmt: off
ROWS: list[tuple[str, str, tuple[int, ...], tuple[str, ...], str]] = [
    # the draw pile is emptied
    ("The Clacks take the last card: no money, no further card", "red* $1 holds the-clacks, groat | draw 2", (), ("Red: play The Clacks", "Red: scroll"), "red $1 | draw 0 | over red"),
    ("Gargoyles draw what is left", "red* $1 holds gargoyles, groat | Dimwell [R] | Longwall [R] | Nap Hill [R] | draw 2 ", (), ("Red: play Gargoyles", "Red: scroll"), "hand red 3 | over red"),
    ("the Alchemists' refill ends the game before the building", "red* $9 holds the-alchemists-guild, groat | Dimwell R | draw 2", (), ("Red: play The Alchemists' Guild", "Red: done"), "red $9 | Dimwell R | over red"),
    ("Fog takes the last cards: nobody draws, nothing more is done", "red* $1 holds the-dean, groat | Unreal Estate G | draw 5 | events fog", (), ("Red: play The Dean",), "Unreal Estate G | draw 0 | hand red 1"),
    ("Fog leaves the rest", "red* $1 holds the-dean, groat | Unreal Estate G | draw 6 | events fog", (), ("Red: play The Dean", "Red: remove Green in Unreal Estate"), "Unreal Estate | draw 1 | goes on"),
    ("Unreal Estate takes the last card: nothing is discarded", "red* $1 holds groat, modo | Unreal Estate [R] | draw 1", (), ("Red: use Unreal Estate",), "hand red 3 | over red"),
    ("the refill after Doctor Mossy Lawn may end the game", "red* $1 holds groat, doctor-mossy-lawn | Dimwell R | draw 4", (), ("Red: play Groat", "Red: interrupt Doctor Mossy Lawn"), "hand red 5 | over red"),
    ("History Monks draw nothing from the draw pile", "red* $1 holds history-monks, groat | draw 1 | discards modo, hex, ruby, death, errol", (), ("Red: play History Monks", "Red: scroll"), "draw 1 | hand red 5"),
    # Doctor Mossy Lawn
    ("Doctor Mossy Lawn takes back the last card of a chain, not the first", "red* holds pink-pussycat-club, groat, doctor-mossy-lawn | Dimwell R", (), ("Red: play Pink PussyCat Club", "Red: money", "Red: play Groat", "Red: interrupt Doctor Mossy Lawn", "discards doctor-mossy-lawn, pink-pussycat-club"), "red $3 | hand red 5"),
    ("Doctor Mossy Lawn is not offered before the first card", "red* holds groat, modo, doctor-mossy-lawn | The Hippo [R]", (), ("Red may not: interrupt Doctor Mossy Lawn",), "goes on"),
    ("a loan cannot be taken back", "red* holds mr-bent, groat, doctor-mossy-lawn", (), ("Red: play Mr Bent", "Red: scroll", "Red may not: interrupt Doctor Mossy Lawn"), "red $10"),
    ("a loan that was declined can be taken back", "red* holds mr-bent, groat, doctor-mossy-lawn", (), ("Red: play Mr Bent", "Red: skip", "Red: interrupt Doctor Mossy Lawn"), "red $0 | hand red 5"),
    ("a stuck card cannot be taken back", "red* holds the-fools-guild, groat, doctor-mossy-lawn | Dimwell R", (), ("Red: play The Fools' Guild", "Red: target Green", "Red may not: interrupt Doctor Mossy Lawn"), "goes on"),
    ("a card that was paid off can be taken back", "red* holds the-fools-guild, groat, doctor-mossy-lawn | green $5 | Dimwell R", (), ("Red: play The Fools' Guild", "Red: target Green", "Green: pay", "Red: interrupt Doctor Mossy Lawn"), "red $5"),
    ("Doctor Mossy Lawn ends the second card of Drumknott too", "red* holds drumknott, groat, modo, doctor-mossy-lawn | Dimwell R", (), ("Red: play Drumknott", "Red: play Groat", "Red: interrupt Doctor Mossy Lawn"), "Dimwell R | hand red 5"),
    # hands
    ("The Chair swaps what is left in hand, Doctor Mossy Lawn with it", "red* holds the-chair-of-indefinite-studies, groat, doctor-mossy-lawn | green holds modo | events riots", (), ("Red: play The Chair of Indefinite Studies", "Red: target Green", "Red may not: interrupt Doctor Mossy Lawn", "Red: play Modo"), "hand green 2"),
    ("The Chair leaves stuck cards and loans where they are", "red* holds the-chair-of-indefinite-studies, groat stuck dr-whiteface | green holds modo, hex loans mr-bent | events riots", (), ("Red: play The Chair of Indefinite Studies", "Red: target Green", "Red: skip"), "hand red 4 | hand green 1"),
    ("a card may be sold to somebody without money", "red* holds rosie-palm, groat, modo | green $1 | Dimwell R", (), ("Red: play Rosie Palm", "Red: skip", "Red: target Green", "Red: give Groat"), "red $1 | green $0 | hand green 3"),
    # twelve minions
    ("Fresh Start Club with twelve out places the one that was removed", "3 players | red* holds inigo-skimmer, groat | green holds fresh-start-club | Dimwell G11 ! | Longwall G", (), ("Red: play Inigo Skimmer", "Red: assassinate Green in Dimwell", "Green: interrupt Fresh Start Club", "Green may not: minion Dimwell", "Green may not: minion The Hippo", "Green: minion Longwall"), "Dimwell G10 | Longwall G2 !"),
    ("the last minion may come back anywhere else", "3 players | red* holds inigo-skimmer, groat | green holds igor | Dimwell G !", (), ("Red: play Inigo Skimmer", "Red: assassinate Green in Dimwell", "Green: interrupt Igor", "Green may not: minion Dimwell", "Green: minion The Hippo"), "Dimwell | The Hippo G"),
    ("with twelve out a quiet placement takes one off, and its marker with it", "red* holds deep-dwarves, groat, modo | Dimwell R11 ! | The Hippo R", (), ("Red: play Deep Dwarves", "Red may not: minion Dimwell from Dimwell", "Red: minion The Hippo from Dimwell"), "Dimwell R10 | The Hippo R2"),
    ("with twelve out Willikins takes one from elsewhere", "red* holds willikins, groat | Dimwell R11[R] | The Hippo R", (), ("Red: play Willikins", "Red may not: minion Dimwell from Dimwell", "Red: minion Dimwell from The Hippo"), "Dimwell R12 [R] !"),
    ("with twelve out The Smoking Gnu judges trouble after one is taken off", "red* holds the-smoking-gnu, groat, modo | Dimwell R12 !", (), ("Red: play The Smoking Gnu", "Red may not: minion Dimwell from Dimwell"), "Dimwell R12 !"),
    ("with eleven out Ridcully's second minion must come off the board first", "red* holds archchancellor-ridcully, groat | Dimwell R11 | events riots", (), ("Red: play Archchancellor Ridcully", "Red: minion Unreal Estate", "Red may not: minion Unreal Estate", "Red: minion Small Gods from Unreal Estate"), "Unreal Estate | Small Gods R | Dimwell R11"),
    ("the last minion on the board but one may go anywhere", "red* holds groat, modo | Dimwell R12", (), ("Red: play Groat", "Red may not: minion The Hippo from Dimwell", "Red: minion Longwall from Dimwell"), "Dimwell R11 | Longwall R"),
    # six buildings
    ("with six out half a price builds instead of one", "red* $3 holds wee-mad-arthur, groat | Dimwell R | The Hippo [R] | The Shades [R] | The Scours [R] | Dolly Sisters [R] | Nap Hill [R] | Longwall [R]", (), ("Red: play Wee Mad Arthur", "Red may not: build Dimwell", "Red: build Dimwell instead of The Hippo"), "red $0 | Dimwell R [R] | The Hippo"),
    ("with six out a building is bought instead of one, which goes after the owner's answer", "red* $12 holds reacher-gilt, groat | green holds wallace-sonky | Nap Hill [G] ! | The Hippo [R] | The Shades [R] | The Scours [R] | Dolly Sisters [R] | Dimwell [R] | Longwall [R]", (), ("Red: play Reacher Gilt", "Red: buy Nap Hill instead of The Hippo", "Green: interrupt Wallace Sonky"), "red $12 | Nap Hill [G] ! | The Hippo [R]"),
    ("what was bought instead of one rests for this turn", "red* $12 holds reacher-gilt, groat | Nap Hill [G] ! | The Hippo [R] | The Shades [R] | The Scours [R] | Dolly Sisters [R] | Dimwell [R] | Longwall [R]", (), ("Red: play Reacher Gilt", "Red: buy Nap Hill instead of The Hippo", "Red may not: use Nap Hill", "Red may not: use The Hippo"), "red $0 | green $12 | Nap Hill [R] ! | The Hippo"),
    ("half of the price is enough", "red* $3 holds wee-mad-arthur, groat | Dimwell R | Nap Hill R", (), ("Red: play Wee Mad Arthur", "Red may not: build Nap Hill", "Red: build Dimwell"), "red $0 | Dimwell R [R]"),
    # events
    ("each murder is done before the next roll", "3 players | red* holds doctor-hix, groat | green holds igor | Dimwell R G !| events mysterious-murders", (8, 8, 8), ("Red: play Doctor Hix", "Red: remove Green in Dimwell", "Green: interrupt Igor", "Green: minion Longwall", "no events TroublePlaced"), "Dimwell | Longwall G"),
    ("who moves out of the flood first goes in turn order, and makes no way back in", "3 players | red holds 2 | green* holds doctor-hix, groat | blue holds 2 | Dimwell R B | Longwall G | events flood", (8, 9), ("Green: play Doctor Hix", "Green: move Green from Longwall to Isle of Gods", "Blue may not: move Blue from Dimwell to Longwall", "Blue: move Blue from Dimwell to The Shades", "Red: move Red from Dimwell to The Shades"), "Dimwell | Longwall | The Shades R B !"),
    ("in Subsidence the owner keeps what can be paid for", "red* $2 holds doctor-hix, groat | Dimwell [R] | Nap Hill [R] | Longwall [R] | events subsidence", (), ("Red: play Doctor Hix", "Red may: burn Longwall", "Red: burn Dimwell", "Red: burn Nap Hill"), "red $0 | Longwall [R] | Dimwell | Nap Hill"),
    ("Small Gods saves from the Dragon, but not the marker", "red* $6 holds doctor-hix, groat | Small Gods [R] | Dimwell R G [R] ! | events the-dragon", (8,), ("Red: play Doctor Hix", "Red: protect Red in Dimwell", "Red: protect building in Dimwell"), "red $0 | Dimwell R [R]"),
    ("Small Gods may save itself from an explosion with the last $3", "red* $3 holds doctor-hix, groat | Small Gods [R] | events explosion", (4,), ("Red: play Doctor Hix", "Red: protect building in Small Gods"), "red $0 | Small Gods [R]"),
    ("a demon in Small Gods silences it", "red* $9 holds doctor-hix, groat | Small Gods [R] D | events explosion", (4,), ("Red: play Doctor Hix", "Red may not: protect building in Small Gods"), "red $9 | Small Gods D"),
    ("a demon bound for Small Gods may be refused", "red* $3 holds doctor-hix, groat | Small Gods [R] | events demons-from-the-dungeon-dimensions", (4, 9, 9, 8), ("Red: play Doctor Hix", "Red may not: protect Dimwell", "Red: protect Small Gods"), "red $0 | Small Gods [R] | Longwall D2 ! | Dimwell D !"),
    ("the card is lost though the minion is saved", "red* $3 holds doctor-hix, groat | Small Gods [R] | Dimwell R [R] | events bloody-stupid-johnson", (8,), ("Red: play Doctor Hix", "Red: protect Red in Dimwell"), "red $0 | Dimwell R [R] gone"),
    ("the minion goes though the card is saved", "red* $3 holds doctor-hix, groat | Small Gods [R] | Dimwell R [R] | events bloody-stupid-johnson", (8,), ("Red: play Doctor Hix", "Red: protect card in Dimwell"), "red $0 | Dimwell [R]"),
    ("a saved building carries the fire on", "red* $3 holds doctor-hix, groat | Small Gods [R] | Dimwell [R] | Longwall [G] | events fire", (8, 9, 8), ("Red: play Doctor Hix", "Red: protect building in Dimwell"), "Dimwell [R] | Longwall"),
    ("minions that were saved stay in the flood", "red* $3 holds doctor-hix, groat | Small Gods [R] | Dimwell R2 ! | events flood", (8, 8), ("Red: play Doctor Hix", "Red: protect Red in Dimwell", "Red: move Red from Dimwell to Longwall"), "red $0 | Dimwell R | Longwall R"),
]
# fmt: on

#: Every scroll that Wallace Sonky stops: the board, what Red writes, and that nothing came of it.
SONKY: list[tuple[str, str, tuple[int, ...], tuple[str, ...], str]] = [
    ("nobby-nobbs", "green $9", (), ("target Green",), "red $9 | green $9"),
    ("mr-boggis", "green $9 | blue $9", (), ("scroll",), "red $11 | green $9 | blue $7"),
    ("hubert", "green $9", (), ("Green pays Blue",), "green $9 | blue $0"),
    ("hubert", "blue $9", (), ("Blue pays Green",), "green $0 | blue $9"),
    ("dr-whiteface", "green $9", (), ("target Green",), "green $9"),
    ("the-fire-brigade", "green $9 | Dimwell [G]", (), ("target Green",), "green $9 | Dimwell [G]"),
    ("queen-molly", "green $9", (), ("skip", "target Green"), "hand green 1"),
    (
        "the-ankh-morpork-sunshine-dragon-sanctuary",
        "green $9 | blue $9",
        (),
        ("scroll",),
        "green $9 | blue $9 | hand green 1",
    ),
    ("the-seamstresses-guild", "green $9", (), ("target Green", "give Groat"), "green $9 | hand green 1"),
    ("stanley", "green $9", (), ("target Green",), "hand green 1"),
    ("cable-street-particulars", "green $9", (), ("target Green",), "hand green 1"),
    (
        "the-chair-of-indefinite-studies",
        "green $9 | events riots",
        (),
        ("target Green",),
        "hand red 2 | hand green 1",
    ),
    ("the-duckman", "Dimwell G !", (), ("move Green from Dimwell to Longwall",), "Dimwell G ! | Longwall"),
    (
        "the-bursar",
        "Dimwell G ! | Nap Hill R | events riots",
        (),
        ("swap Green in Dimwell with Red in Nap Hill",),
        "Dimwell G ! | Nap Hill R",
    ),
    ("hobsons-livery-stable", "Dimwell R", (), ("target Green", "move Red from Dimwell to The Hippo"), "red $9 | Dimwell R"),
    ("sybil-vimes", "Dimwell [G]", (), ("skip", "buy Dimwell"), "red $9 | Dimwell [G]"),
    ("burleigh-and-stronginthearm", "Dimwell B !", (), ("target Green",), "red $9 | Dimwell B !"),
    ("cosmo-lavish", "Dimwell B !", (), ("target Green",), "red $9 | Dimwell B !"),
    ("the-dean", "Unreal Estate G | events riots", (), ("remove Green in Unreal Estate",), "Unreal Estate G"),
    ("carcer", "Dimwell G B", (8, 8), ("scroll", "remove Green in Dimwell"), "Dimwell G B"),
    ("the-auditors", "Dimwell G | Longwall B", (), ("scroll",), "Dimwell G | Longwall"),
    ("errol", "Dimwell G !", (9,), ("scroll",), "Dimwell G !"),
    ("herennow", "green $9", (9,), ("scroll", "target Green"), "red $9 | green $9"),
]  # fmt: skip


def dealt(given: str) -> str:
    """The position, in which every seat has something to play."""
    hands = position.read(given).hands
    return " | ".join([given, *(f"{SEATS[seat]} holds 2" for seat, hand in enumerate(hands) if not hand)])


def stands(table: Any, segment: str) -> bool:
    """Whether a segment of `then` is true."""
    word, _, rest = segment.partition(" ")
    if word == "hand":
        colour, count = rest.split()
        return bool(table.seat(colour.capitalize())["hand_size"] == int(count))
    if word == "draw":
        return bool(table.view()["draw_pile"] == int(rest))
    if word == "goes":
        return table.match.result is None
    if word == "over":
        return [SEATS[seat] for seat in table.match.result.winners] == rest.split()
    if word in SEATS:
        return bool(table.seat(word.capitalize())["money"] == int(rest.removeprefix("$")))
    written = table.match.position().split(" | ")
    if PIECES.search(segment):
        return segment in written
    return not any(one.startswith(f"{segment} ") for one in written)


@pytest.mark.parametrize(
    ("sentence", "given", "dice", "orders", "then"), ROWS, ids=[row[0].replace(" ", "_") for row in ROWS]
)
def test_a_corner_of_the_rules(
    table: Callable[..., Any], sentence: str, given: str, dice: tuple[int, ...], orders: tuple[str, ...], then: str
) -> None:
    sat = table(dealt(given), dice)
    sat.write(*orders)
    sat.settle()
    assert [segment for segment in then.split(" | ") if not stands(sat, segment)] == [], sat.match.position()


@pytest.mark.parametrize(
    ("card", "given", "dice", "orders", "then"), SONKY, ids=[f"{row[0]} {row[3][-1]}" for row in SONKY]
)
def test_wallace_sonky_stops_the_scroll_before_anything_changes_hands(
    table: Callable[..., Any], card: str, given: str, dice: tuple[int, ...], orders: tuple[str, ...], then: str
) -> None:
    """R-INT-SON, R-SCR-7, R-SCR-8"""
    sat = table(
        f"3 players | red* $9 holds {card}, groat, modo | green holds hex, wallace-sonky | blue holds 2 | {given}", dice
    )
    first = next(text for text in sat.offered() if text not in ("play Groat", "play Modo"))
    sat.write(f"Red: {first}", *(f"Red: {order}" for order in orders), "Green: interrupt Wallace Sonky")
    sat.settle()
    assert [segment for segment in then.split(" | ") if not stands(sat, segment)] == [], sat.match.position()
