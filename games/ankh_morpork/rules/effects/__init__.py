"""The scrolls: one function each, named as in `cards.toml`, which reads as the scroll reads.

city    what changes on the board: minions, trouble, buildings
hands   what changes hands: money, cards, the Personality cards

They register themselves with `choice` (it begins with one), `commitment` or `gain`. The one rule of a `choice`: its first
question is offered beside `skip`, so nothing is changed before it. What can be stopped goes through `reactions`.
"""

from games.ankh_morpork.rules.effects import city, hands

__all__ = ["city", "hands"]
