"""The player's aid: what one needs at the table, on one page, as text or as HTML to print."""

from typing import Literal

from pbem.protocol import Game
from pbem.reports import layout
from pbem.reports.contexts import Place
from pbem.reports.page import in_classes
from pbem.reports.render import environment


def sheet(game: Game, kind: Literal["text", "html"]) -> str:
    """The player's aid of a game, for as many as can play."""
    seats = tuple(Place(colour=colour, player="") for colour in game.colours[: game.seats[1]])
    template = environment(game.name, kind).get_template("sheet.txt.j2" if kind == "text" else "sheet.html.j2")
    written = template.render(m={"title": game.title, "seats": seats, "view": {"private": None}})
    return layout.finish(written) if kind == "text" else in_classes(written)
