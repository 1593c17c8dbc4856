"""Who stands where, who controls what, and how many there are."""

from __future__ import annotations

from typing import Any

from games.ankh_morpork.answers.city import City, named
from games.ankh_morpork.answers.forms import form, whose
from games.ankh_morpork.answers.places import _slug
from games.ankh_morpork.answers.reading import Reading
from games.ankh_morpork.data.cards import AREA, PERSONALITIES
from games.ankh_morpork.position.options import COLOURS, DEMON, OWNERS, TROLL
from games.ankh_morpork.rules.winning import controlled
from pbem.protocol import Finding

#: Those whose goal is to control areas.
LORDS = frozenset(person.name for person in PERSONALITIES if person.goal == "areas_controlled")


def _there(city: City, area: str) -> dict[str, Any]:
    """All that stands in an area."""
    here = city.at(area)
    pieces = [{"colour": owner, "count": city.count(owner, area)} for owner in OWNERS if city.count(owner, area)]
    return {
        "area": area,
        "pieces": pieces,
        **{key: here[key] for key in ("building", "trouble", "controller", "demons", "trolls")},
    }


# Control


@form("control own", "AREA", allows="who whose me COLOUR do have area not why which what can everybody minion building")
def who_controls(city: City, said: Reading) -> Finding | None:
    """R-CTL."""
    if len(said.areas) != 1 or "can" in said.concepts:
        return None
    if "control" not in said.concepts:
        return who_owns(city, said)
    return _control_of(city, said.areas[0])


def _control_of(city: City, area: str) -> Finding:
    """Who controls an area; and how many the asker controls, where that is the asker's goal."""
    who = city.private["personality"]
    goal = {"have": None, "need": None}
    if who and who["name"] in LORDS:
        goal = {"have": who["have"], "need": who["need"]}
    return Finding(
        "who_controls", _there(city, area) | goal, ("R-CTL-2" if city.at(area)["demons"] else "R-CTL-1", _slug(area))
    )


@form("AREA", "me whose COLOUR", allows="area have")
def is_it_mine(city: City, said: Reading) -> Finding | None:
    """R-CTL: `is the Hippo mine?`"""
    if len(said.areas) != 1 or set(said.concepts) - {"AREA", "me", "whose", "COLOUR", "area"}:
        return None
    return _control_of(city, said.areas[0])


@form("control", "where which how-many what who", allows="me COLOUR area do everybody have most others")
def what_is_controlled(city: City, said: Reading) -> Finding | None:
    """R-CTL."""
    if len(said.colours) > 1 or "others" in said.concepts:
        return None
    alone = "me" in said.concepts or said.colours
    colours = [whose(city, said)] if alone else list(city.colours)
    if any(colour not in city.colours for colour in colours):
        return None
    held = [{"colour": colour, "areas": named(controlled(city.position, COLOURS.index(colour)))} for colour in colours]
    return Finding("what_is_controlled", {"held": held}, ("R-CTL-1",))


@form(
    "control",
    "AREA",
    "me",
    "place build another need how-many",
    allows="place build another need must minion if can will how-many building have do",
)
def would_control(city: City, said: Reading) -> Finding | None:
    """R-CTL: with one more minion or a building, or how many more it takes."""
    if len(said.areas) != 1:
        return None
    (area,) = said.areas
    place, me = AREA.index(area), city.number
    there = city.position
    others = max(
        [there.pieces[other][place] + (there.owner_of[place] == other) for other in there.others(me)]
        + [there.pieces[TROLL][place]]
    )
    own = there.pieces[me][place] + (there.owner_of[place] == me)
    asked = set(said.concepts)
    facts = {
        "area": area,
        "own": own,
        "others": others,
        "demons": there.pieces[DEMON][place],
        "lacks": max(0, others + 1 - own),
    }
    if "how-many" in asked or "need" in asked:
        return Finding("control_needs", facts, ("R-CTL-1", _slug(area)))
    if not {"place", "another", "build"} & asked or ("if" not in asked and "another" not in asked):
        return None
    return Finding("would_control", facts, ("R-CTL-1", _slug(area)))


# Places


@form(
    "building own", "AREA", "who whose which what have me COLOUR building", allows="stand do me have who whose COLOUR"
)
def who_owns(city: City, said: Reading) -> Finding | None:
    """R-ARE-1."""
    if len(said.areas) != 1:
        return None
    return Finding("who_owns", _there(city, said.areas[0]), ("R-ARE-1", _slug(said.areas[0])))


@form(
    "AREA",
    "who what whom which how-many trouble demon troll minion everybody stand",
    allows="stand have minion trouble demon troll building piece do me COLOUR not everybody own area most",
)
def what_is_there(city: City, said: Reading) -> Finding | None:
    """What stands in an area."""
    asked = set(said.concepts)
    if len(said.areas) != 1 or not asked & {
        "stand",
        "have",
        "minion",
        "trouble",
        "demon",
        "troll",
        "who",
        "building",
        "everybody",
    }:
        return None
    if asked <= {"AREA", "what", "have", "which"} and "what" in asked and "stand" not in asked:
        return None
    if asked & {"how-many"} and not asked & {"minion", "demon", "troll"}:
        return None
    if "most" in asked or ("not" in asked and "trouble" not in asked):
        return None
    rule = "R-TRB-1" if "trouble" in asked else "R-HID-1"
    return Finding("what_is_there", _there(city, said.areas[0]), (rule, _slug(said.areas[0])))


@form("where which", "trouble", allows="stand have area do how-many what")
def where_is_trouble(city: City, said: Reading) -> Finding | None:
    """R-TRB."""
    return Finding("where_is_trouble", {"areas": city.troubled}, ("R-TRB-1", "R-HID-1"))


@form("how-many", "trouble", allows="stand have area left out do need")
def how_much_trouble(city: City, said: Reading) -> Finding | None:
    """R-WIN-6."""
    if {"left", "need"} & set(said.concepts):
        return None
    return Finding("where_is_trouble", {"areas": city.troubled}, ("R-TRB-2", "R-HID-1"))


@form("demon troll", allows="where which who how-many stand have area do out left")
def where_are_strangers(city: City, said: Reading) -> Finding | None:
    """R-EVT-DEM, R-EVT-TRO."""
    kinds = [kind for kind in ("demon", "troll") if kind in said.concepts]
    if len(kinds) != 1 or "left" in said.concepts:
        return None
    (kind,) = kinds
    areas = [{"area": area, "count": city.count(kind, area)} for area in city.standing(kind)]
    return Finding(
        "where_are", {"colour": kind, "areas": areas}, ("R-EVT-DEM" if kind == "demon" else "R-EVT-TRO", "R-HID-1")
    )


@form("where which", "minion me COLOUR", allows="stand have area do me COLOUR minion out already")
def where_are_minions(city: City, said: Reading) -> Finding | None:
    """Where a seat's minions stand."""
    if not {"minion", "stand", "have"} & set(said.concepts) or len(said.colours) > 1:
        return None
    colour = whose(city, said)
    if colour not in city.colours or not ({"me", "COLOUR"} & set(said.concepts)):
        return None
    areas = [{"area": area, "count": city.count(colour, area)} for area in city.standing(colour)]
    return Finding("where_are", {"colour": colour, "areas": areas}, ("R-HID-1", "R-MIN-1"))


@form("how-many", "area", "minion", allows="me COLOUR have stand do")
def how_many_areas(city: City, said: Reading) -> Finding | None:
    """R-WIN-4."""
    if len(said.colours) > 1 or not {"me", "COLOUR"} & set(said.concepts):
        return None
    colour = whose(city, said)
    if colour not in city.colours:
        return None
    areas = [{"area": area, "count": city.count(colour, area)} for area in city.standing(colour)]
    return Finding("where_are", {"colour": colour, "areas": areas}, ("R-WIN-4", "R-HID-1"))


@form("how-many have", "minion", allows="me COLOUR everybody left out have do stand place can NUMBER")
def how_many_minions(city: City, said: Reading) -> Finding | None:
    """R-CMP-1."""
    if not {"how-many", "left"} & set(said.concepts) or said.numbers not in ((), ("12",)):
        return None
    if len(said.colours) > 1 or ("can" in said.concepts and "left" not in said.concepts):
        return None
    if not {"me", "COLOUR", "everybody"} & set(said.concepts):
        return None
    return _counted(city, said, "minions", "R-CMP-1")


@form(
    "how-many where which who whose have own",
    "building",
    allows="me COLOUR everybody left out have do stand build own minion area most can NUMBER",
)
def how_many_buildings(city: City, said: Reading) -> Finding | None:
    """R-CMP-1."""
    if len(said.colours) > 1 or "minion" in said.concepts or said.numbers not in ((), ("6",)):
        return None
    return _counted(city, said, "buildings", "R-CMP-1")


def _counted(city: City, said: Reading, what: str, rule: str) -> Finding | None:
    alone = "me" in said.concepts or said.colours
    colours = [whose(city, said)] if alone else list(city.colours)
    if any(colour not in city.colours for colour in colours):
        return None
    seats = [city.seat(colour) for colour in colours]
    counts = [
        {
            "colour": seat["colour"],
            "out": seat["minions"] if what == "minions" else len(seat["buildings"]),
            "left": seat[f"{what}_left"],
            "areas": seat["buildings"] if what == "buildings" else city.standing(seat["colour"]),
        }
        for seat in seats
    ]
    return Finding(f"how_many_{what}", {"counts": counts}, (rule, "R-HID-1"))


@form("next-to", "AREA", allows="what which where area how-many do have me can")
def neighbours(city: City, said: Reading) -> Finding | None:
    """The map."""
    if len(said.areas) == 2:
        first, other = said.areas
        facts = {"area": first, "other": other, "near": other in city.at(first)["neighbours"]}
        return Finding("next_to", facts, (_slug(first), _slug(other)))
    if len(said.areas) != 1 or "me" in said.concepts:
        return None
    return Finding(
        "neighbours",
        {"area": said.areas[0], "areas": list(city.at(said.areas[0])["neighbours"])},
        (_slug(said.areas[0]),),
    )
