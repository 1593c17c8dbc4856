"""The city drawn: twelve areas round the river, and the pieces that stand in them."""

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import pairwise
from math import hypot
from typing import Any

from games.ankh_morpork.data.cards import AREAS
from pbem.protocol import Drawing, Piece, Plot, Point, Stroke

#: How long and how wide a bridge is.
BRIDGE = 26.0, 9.0

DATA = tomllib.loads(files("games.ankh_morpork.data").joinpath("drawing.toml").read_text(encoding="utf-8"))
POINTS: Mapping[str, Point] = {name: (x, y) for name, (x, y) in DATA["points"].items()}
NAMES = {area.slug: area.name for area in AREAS}


def borders(outline: list[str]) -> set[frozenset[str]]:
    """The edges round an area, as pairs of points."""
    return {frozenset(edge) for edge in pairwise([*outline, outline[0]])}


#: The edges of each area, by its name.
BORDERS = {NAMES[plot["area"]]: borders(plot["outline"]) for plot in DATA["plot"]}
#: The edges that the river runs along.
RIVER = [edge for water in DATA["water"] for edge in pairwise(water["along"]) if len(set(edge)) > 1]


def bridge(start: str, end: str) -> Stroke:
    """A bridge over the middle of an edge, square to it."""
    (x1, y1), (x2, y2) = POINTS[start], POINTS[end]
    x, y, length, width = (x1 + x2) / 2, (y1 + y2) / 2, *BRIDGE
    half = length / 2 / hypot(x2 - x1, y2 - y1)
    across = round((y2 - y1) * half, 1), round((x1 - x2) * half, 1)
    return Stroke("bridge", ((x - across[0], y - across[1]), (x + across[0], y + across[1])), width)


PLOTS = tuple(
    Plot(NAMES[plot["area"]], tuple(POINTS[name] for name in plot["outline"]), tuple(plot["label"]))
    for plot in DATA["plot"]
)
STROKES = (
    *(Stroke("water", tuple(POINTS[name] for name in water["along"]), water["width"]) for water in DATA["water"]),
    *(bridge(*edge) for edge in RIVER),
)


def drawing(view: Mapping[str, Any]) -> Drawing:
    """The city with what stands in it in a view."""
    pieces = tuple(piece for area in view["areas"] for piece in standing(area))
    return Drawing(DATA["width"], DATA["height"], PLOTS, STROKES, pieces)


def standing(area: Mapping[str, Any]) -> Iterator[Piece]:
    """The pieces in an area of a view: trouble, the building, minions in the order of the seats, the others."""
    name, owner = area["name"], area["building"]
    if area["trouble"]:
        yield Piece(name, "trouble", "trouble", "triangle", "!")
    if owner:
        yield Piece(name, "building", owner, "house", owner[0])
    for colour, count in area["minions"].items():
        yield Piece(name, "minion", colour, "disc", colour[0], count)
    if area["trolls"]:
        yield Piece(name, "troll", "troll", "square", "t", area["trolls"])
    if area["demons"]:
        yield Piece(name, "demon", "demon", "diamond", "d", area["demons"])
