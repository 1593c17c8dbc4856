"""Winning: the personalities at the start of a turn, and the final count (R-WIN, R-END)."""

from collections.abc import Callable

from games.ankh_morpork.data.cards import AREA, CARDS, NAMES, PERSONALITIES
from games.ankh_morpork.position.board import COST, HAND, Position
from games.ankh_morpork.position.options import ALL_AREAS, BITS, COLOURS, COUNT, DEMON, mask_of
from pbem.protocol import Goal, Result, Seat

VIMES = NAMES["personality"]["commander vimes"]
LOAN_DUE, LOAN_PENALTY, POINTS_PER_MINION = 12, 15, 5


def live(match: Position) -> int:
    """Areas without a demon."""
    return ALL_AREAS & ~match.presence[DEMON]


def controlled(match: Position, seat: int) -> int:
    """The areas a seat controls (R-CTL)."""
    candidates = (match.presence[seat] | match.buildings[seat]) & live(match)
    return mask_of([area for area in BITS[candidates] if match.controls(seat, area)])


def worth(match: Position, seat: int) -> int:
    """R-WIN-7: cash and buildings in live areas, less the loans."""
    buildings = sum(COST[area] for area in BITS[match.buildings[seat] & live(match)])
    return match.money[seat] + buildings - LOAN_DUE * len(match.loans[seat])


#: The goals that count areas: which those are.
COUNTED: dict[str, Callable[[Position, int], int]] = {
    "areas_with_minion": lambda match, seat: match.presence[seat] & live(match),
    "areas_controlled": controlled,
    "trouble_on_board": lambda match, seat: match.trouble,
}


def figure(match: Position, seat: int, goal: str) -> int:
    """How far a seat is on the way to a goal."""
    if goal in COUNTED:
        return COUNT[COUNTED[goal](match, seat)]
    return worth(match, seat) if goal == "net_worth" else 0


def met(match: Position, seat: int) -> bool:
    """Whether the seat's own personality has what it needs (R-TRN-2)."""
    if match.personality[seat] < 0:
        return False
    personality = PERSONALITIES[match.personality[seat]]
    needed = personality.thresholds.get(match.seats)
    return needed is not None and figure(match, seat, personality.goal) >= needed


def progress(match: Position, seat: int, goal: str) -> list[str]:
    """What the figure is made of: areas, or amounts as text."""
    if goal in COUNTED:
        return [AREA[area] for area in BITS[COUNTED[goal](match, seat)]]
    if goal == "net_worth":
        parts = [f"${match.money[seat]}"]
        parts += [f"{AREA[area]} ${COST[area]}" for area in BITS[match.buildings[seat] & live(match)]]
        return parts + [f"{CARDS[card].name} -${LOAN_DUE}" for card in match.loans[seat]]
    return [str(len(match.draw))]


def goals(match: Position) -> tuple[Goal | None, ...]:
    """How near each seat is to the goal of its personality; Commander Vimes is as near as the draw pile is empty."""
    return tuple(goal(match, seat) for seat in range(match.seats))


def goal(match: Position, seat: int) -> Goal | None:
    """The goal of a seat's personality; none in a written position without one."""
    if match.personality[seat] < 0:
        return None
    personality = PERSONALITIES[match.personality[seat]]
    if personality.goal == "draw_pile_empty":
        pile = sum(card.two_players or match.seats > 2 for card in CARDS) - HAND * match.seats
        return Goal(personality.name, pile - len(match.draw), pile)
    return Goal(personality.name, figure(match, seat, personality.goal), personality.thresholds[match.seats])


def points_of(match: Position, seat: int) -> dict[str, int]:
    """Count a seat's points (R-END-4 to R-END-6): what they are made of, and the total."""
    areas = live(match)
    loans = len(match.loans[seat])
    repaid = min(loans, match.money[seat] // LOAN_DUE)
    points = {
        "minions": POINTS_PER_MINION * sum(match.pieces[seat][area] for area in BITS[areas]),
        "buildings": sum(COST[area] for area in BITS[match.buildings[seat] & areas]),
        "money": match.money[seat] - LOAN_DUE * repaid,
    }
    total = sum(points.values()) - LOAN_PENALTY * (loans - repaid)
    return points | {"loans_repaid": repaid, "loans_unpaid": loans - repaid, "total": total}


def dearest_card(match: Position, seat: int) -> int:
    """The cost of the dearest City Area card a seat holds in a live area (R-END-7)."""
    return max((COST[area] for area in BITS[match.buildings[seat] & live(match) & ~match.gone]), default=0)


def leaders(match: Position, totals: list[int]) -> tuple[int, ...]:
    """Who won on points; among equals the dearest card decides (R-END-7)."""
    best = [seat for seat in range(match.seats) if totals[seat] == max(totals)]
    cards = {seat: dearest_card(match, seat) for seat in best}
    return tuple(seat for seat in best if cards[seat] == max(cards.values()))


def final(match: Position) -> Result:
    """How a match that is over ended."""
    reason = match.over or ""
    counts = [points_of(match, seat) for seat in range(match.seats)]
    scores: tuple[int | None, ...] = tuple(points["total"] for points in counts)
    if reason == "goal":
        winners: tuple[int, ...] = (match.actor,)
    elif reason == "pile" and VIMES in match.personality:
        reason, winners = "vimes", (match.personality.index(VIMES),)
    else:
        winners = leaders(match, [points["total"] for points in counts])
    if reason in ("goal", "vimes"):
        scores = (None,) * match.seats
    details = {
        "seats": [
            {
                "colour": COLOURS[seat],
                "personality": PERSONALITIES[match.personality[seat]].name if match.personality[seat] >= 0 else None,
                **points,
                "dearest_card": dearest_card(match, seat),
                "hand": [CARDS[card].name for card in match.hands[seat]],
            }
            for seat, points in enumerate(counts)
        ]
    }
    return Result(tuple(Seat(seat) for seat in winners), reason, scores, details)
