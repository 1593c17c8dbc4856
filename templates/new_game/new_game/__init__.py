"""New Game, as a game for pbem. Pure: no mail, no database, no clock, no chance but from the seed."""

from new_game.game import GAME

__all__ = ["GAME"]
