"""Discworld: Ankh-Morpork, as a game for pbem. Pure: no mail, no database, no clock."""

from games.ankh_morpork.game import GAME

__all__ = ["GAME"]
