"""The options of every decision, made once and shared: an option is told from another by identity.

Sets of areas are twelve-bit masks; `ByMask` turns a mask into the tuple of options for its areas. What an option's
value is stands beside its table.
"""

from collections.abc import Sequence
from functools import cache

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
        options = self[mask] = tuple(self._options[area] for area in BITS[mask])
        return options


SKIP, DONE, END, MONEY, SCROLL = (Option(text) for text in ("skip", "done", "end", "money", "scroll"))
PASS = Option("pass", -1)
PAY, REFUSE = Option("pay", True), Option("refuse", False)
GIVE_DOLLAR = Option("give $1", -1)

#: By card; value: the card
PLAY, GIVE, DISCARD, KEEP, INTERRUPT = (
    tuple(Option(f"{verb} {card.name}", card.index) for card in CARDS)
    for verb in ("play", "give", "discard", "keep", "interrupt")
)
#: By area; value: the area
USE, CALM, TROUBLE, BURN, NAME_AREA, REFUSE_DEMON, PROTECT_BUILDING, PROTECT_CARD = (
    tuple(Option(f"{words} {area.name}", area.index) for area in AREAS)
    for words in ("use", "calm", "trouble", "burn", "target", "protect", "protect building in", "protect card in")
)
USE_IN, CALM_IN, TROUBLE_IN, BURN_IN, NAME_AREA_IN = map(ByMask, (USE, CALM, TROUBLE, BURN, NAME_AREA))

#: By seat; value: the seat
TARGET = tuple(Option(f"target {colour}", seat) for seat, colour in enumerate(COLOURS))
#: By payer and receiver; value: both
PAYS = tuple(
    tuple(Option(f"{payer} pays {receiver}", (a, b)) for b, receiver in enumerate(COLOURS))
    for a, payer in enumerate(COLOURS)
)

#: Where to put something; value: (area, -1)
MINION_IN, BUILD_IN, BUY_IN = (
    ByMask([Option(f"{verb} {area.name}", (area.index, -1)) for area in AREAS]) for verb in ("minion", "build", "buy")
)
#: By the area from which one's own is taken off first: where to put it; value: (area, that area)
MINION_FROM_IN, BUILD_INSTEAD_IN, BUY_INSTEAD_IN = (
    tuple(
        ByMask([Option(f"{verb} {to.name} {word} {off.name}", (to.index, off.index)) for to in AREAS]) for off in AREAS
    )
    for verb, word in (("minion", "from"), ("build", "instead of"), ("buy", "instead of"))
)

#: By owner and area; value: (owner, area)
PROTECT, ASSASSINATE, REMOVE = (
    tuple(
        tuple(Option(f"{verb} {colour} in {area.name}", (owner, area.index)) for area in AREAS)
        for owner, colour in enumerate(OWNERS)
    )
    for verb in ("protect", "assassinate", "remove")
)
ASSASSINATE_IN, REMOVE_IN = tuple(map(ByMask, ASSASSINATE)), tuple(map(ByMask, REMOVE))
#: By owner and area: mask of destinations -> moves; value: (owner, area, destination)
MOVE_TO = tuple(
    tuple(
        ByMask([Option(f"move {colour} from {a.name} to {b.name}", (owner, a.index, b.index)) for b in AREAS])
        for a in AREAS
    )
    for owner, colour in enumerate(OWNERS)
)


@cache
def swap_option(owner: int, area: int, other: int, other_area: int) -> Option:
    """The option to swap two pieces; value: (owner, area, other owner, other area)."""
    text = f"swap {OWNERS[owner]} in {AREAS[area].name} with {OWNERS[other]} in {AREAS[other_area].name}"
    return Option(text, (owner, area, other, other_area))
