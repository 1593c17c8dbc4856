"""The scrolls: one function each, named as in `cards.toml`, which reads as the scroll reads.

They register themselves with `choice` (it begins with one), `commitment` or `gain`. What can be stopped goes through
`reactions`.
"""

from games.ankh_morpork.rules.effects import city, hands

__all__ = ["city", "hands"]
