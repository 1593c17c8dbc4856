"""Goofspiel, as a game for pbem. Pure: no mail, no database, no clock."""

from games.goofspiel.game import GAME

__all__ = ["GAME"]
