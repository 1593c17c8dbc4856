"""The options of every decision, made once and shared: an option is told from another by identity.

Sets of areas are twelve-bit masks; `ByMask` turns a mask into the tuple of options for its areas. What an option's
value is stands beside its table.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.ankh_morpork.data.cards import AREAS, CARDS
from pbem.protocol import Option

COLOURS = ("Red", "Green", "Blue", "Yellow")
TROLL, DEMON = 4, 5
#: Owners of minion pieces by number: the four seats, then trolls and demons.
OWNERS = (*COLOURS, "troll", "demon")

AREA_COUNT = len(AREAS)
ALL_AREAS = (1 << AREA_COUNT) - 1

#: Mask -> the numbers of its areas, lowest first.
BITS = tuple(tuple(a for a in range(AREA_COUNT) if mask >> a & 1) for mask in range(1 << AREA_COUNT))
COUNT = tuple(len(bits) for bits in BITS)


def mask_of(areas: Sequence[int]) -> int:
    """The mask of these areas."""
    mask = 0
    for area in areas:
        mask |= 1 << area
    return mask


class ByMask(dict[int, tuple[Option, ...]]):
    """Mask of areas -> the options for them, lowest area first."""

    def __init__(self, options: Sequence[Option]) -> None:
        super().__init__()
        self._options = options

    def __missing__(self, mask: int) -> tuple[Option, ...]:
        found = self[mask] = tuple(self._options[area] for area in BITS[mask])
        return found


def _each_area(verb: str) -> tuple[Option, ...]:
    return tuple(Option(f"{verb} {area.name}", area.index) for area in AREAS)


def _each_card(verb: str) -> tuple[Option, ...]:
    return tuple(Option(f"{verb} {card.name}", card.index) for card in CARDS)


SKIP = Option("skip")
PASS = Option("pass")
DONE = Option("done")
END = Option("end")
MONEY = Option("money")
SCROLL = Option("scroll")
PAY = Option("pay", True)
REFUSE = Option("refuse", False)
GIVE_DOLLAR = Option("give $1", -1)

USE = _each_area("use")  # value: the area
CALM = _each_area("calm")
TROUBLE = _each_area("trouble")
BURN = _each_area("burn")
NAME_AREA = _each_area("target")
REFUSE_DEMON = _each_area("protect")

PLAY = _each_card("play")  # value: the card
GIVE = _each_card("give")
DISCARD = _each_card("discard")
KEEP = _each_card("keep")
INTERRUPT = _each_card("interrupt")

#: value: the seat
TARGET = tuple(Option(f"target {colour}", seat) for seat, colour in enumerate(COLOURS))
#: value: (payer, receiver)
PAYS = tuple(
    tuple(Option(f"{payer} pays {receiver}", (a, b)) for b, receiver in enumerate(COLOURS))
    for a, payer in enumerate(COLOURS)
)

#: value: (area, area a minion is taken off first or -1)
MINION = tuple(Option(f"minion {area.name}", (area.index, -1)) for area in AREAS)
MINION_FROM = tuple(
    tuple(Option(f"minion {to.name} from {off.name}", (to.index, off.index)) for to in AREAS) for off in AREAS
)
#: value: (area, area a building is taken off first or -1)
BUILD = tuple(Option(f"build {area.name}", (area.index, -1)) for area in AREAS)
BUILD_INSTEAD = tuple(
    tuple(Option(f"build {to.name} instead of {off.name}", (to.index, off.index)) for to in AREAS)
    for off in AREAS
)
BUY = tuple(Option(f"buy {area.name}", (area.index, -1)) for area in AREAS)
BUY_INSTEAD = tuple(
    tuple(Option(f"buy {to.name} instead of {off.name}", (to.index, off.index)) for to in AREAS)
    for off in AREAS
)


def _each_piece(text: str) -> tuple[tuple[Option, ...], ...]:
    return tuple(
        tuple(Option(text.format(colour=colour, area=area.name), (owner, area.index)) for area in AREAS)
        for owner, colour in enumerate(OWNERS)
    )


#: By owner and area; value: (owner, area)
ASSASSINATE = _each_piece("assassinate {colour} in {area}")
REMOVE = _each_piece("remove {colour} in {area}")
PROTECT = _each_piece("protect {colour} in {area}")
PROTECT_BUILDING = tuple(Option(f"protect building in {area.name}", area.index) for area in AREAS)
PROTECT_CARD = tuple(Option(f"protect card in {area.name}", area.index) for area in AREAS)

#: By owner, area and destination; value: (owner, area, destination)
MOVE = tuple(
    tuple(
        tuple(
            Option(f"move {colour} from {off.name} to {to.name}", (owner, off.index, to.index))
            for to in AREAS
        )
        for off in AREAS
    )
    for owner, colour in enumerate(OWNERS)
)

_SWAPS: dict[tuple[int, int, int, int], Option] = {}


def swap_option(owner: int, area: int, other: int, other_area: int) -> Option:
    """The option to swap two pieces; value: (owner, area, other owner, other area)."""
    key = (owner, area, other, other_area)
    found = _SWAPS.get(key)
    if found is None:
        text = f"swap {OWNERS[owner]} in {AREAS[area].name} with {OWNERS[other]} in {AREAS[other_area].name}"
        found = _SWAPS[key] = Option(text, key)
    return found


# Tables by mask of areas.
USE_IN = ByMask(USE)
CALM_IN = ByMask(CALM)
TROUBLE_IN = ByMask(TROUBLE)
BURN_IN = ByMask(BURN)
NAME_AREA_IN = ByMask(NAME_AREA)
MINION_IN = ByMask(MINION)
MINION_FROM_IN = tuple(ByMask(options) for options in MINION_FROM)
BUILD_IN = ByMask(BUILD)
BUILD_INSTEAD_IN = tuple(ByMask(options) for options in BUILD_INSTEAD)
BUY_IN = ByMask(BUY)
BUY_INSTEAD_IN = tuple(ByMask(options) for options in BUY_INSTEAD)
ASSASSINATE_IN = tuple(ByMask(options) for options in ASSASSINATE)
REMOVE_IN = tuple(ByMask(options) for options in REMOVE)
#: By owner and area: mask of destinations -> moves.
MOVE_TO = tuple(tuple(ByMask(options) for options in by_area) for by_area in MOVE)
