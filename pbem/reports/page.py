"""The replay page: a game that is over as one HTML file, which needs nothing else and no network.

What it says are the game's own templates; its drawing and its script stand in `replay.html.j2`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.protocol import Piece, Reactions
from pbem.reports import filters
from pbem.reports.contexts import Course, Moment, Place, Score
from pbem.reports.render import environment

#: The style of an element of a mail, where a style sheet would be dropped.
STYLE = re.compile(r' style="([^"]*)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What the page knows; its parts are those of a final mail, for a reader without a seat."""

    #: The code and the name of the game, and what is played.
    code: str
    game: str
    title: str
    seats: tuple[Place, ...]
    reason: str
    scores: tuple[Score, ...]
    course: Course
    seed: str
    commitment: str
    reaction_mode: Reactions = "standing"
    set_policies: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    colour: None = None


def file_name(code: str) -> str:
    """What the file of a game's page is called."""
    return f"{code.lower()}-replay.html"


def replay_page(game_type: str, page: Page) -> str:
    """The page as HTML: the same bytes for the same game."""
    page = filters.cleaned(page)
    sprites, standing = pieces(page.course.moments)
    template = environment(game_type, "html").get_template("replay.html.j2")
    return filters.clean_lines(in_classes(template.render(m=page, sprites=sprites, standing=standing)))


def pieces(moments: Sequence[Moment]) -> tuple[tuple[Piece, ...], list[list[tuple[int, int]]]]:
    """Each piece there is but for where it stands; and what stands after each turn, as the numbers of a plot and of a piece
    there."""
    sprites: dict[Piece, int] = {}
    standing = []
    for drawing in (moment.drawing for moment in moments):
        plots = {plot.name: number for number, plot in enumerate(drawing.plots)} if drawing else {}
        standing.append(
            [
                (plots[piece.area], sprites.setdefault(replace(piece, area=""), len(sprites)))
                for piece in (drawing.pieces if drawing else ())
            ]
        )
    return tuple(sprites), standing


def in_classes(html: str) -> str:
    """The same page with one class for all elements of the same style, whose rules take the place of `/* styles */`."""
    names: dict[str, str] = {}

    def named(style: re.Match[str]) -> str:
        return f' class="{names.setdefault(style[1], f"s{len(names)}")}"'

    smaller = STYLE.sub(named, html)
    return smaller.replace("/* styles */", "\n".join(f".{name}{{{style}}}" for style, name in names.items()), 1)
