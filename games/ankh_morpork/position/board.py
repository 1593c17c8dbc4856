"""The state of a match, and questions about it. Nothing here asks, logs or decides; changes are bare.

Owners of minion pieces are numbers: seats 0..3, TROLL, DEMON. Areas are numbers from 0, sets of areas are masks. -1 is
nobody, no card, no interrupt.
The piece counts are the truth; `presence`, `crowd` and `out` are kept in step with them for speed.
"""

from collections.abc import Collection

from games.ankh_morpork.data.cards import AREA_NUMBER, AREAS
from games.ankh_morpork.position.dice import DECK, PICKS, Dice
from games.ankh_morpork.position.options import ALL_AREAS, AREA_COUNT, BITS, DEMON, OWNERS, TROLL, mask_of
from pbem.protocol import Seat

MINIONS, BUILDINGS, HAND = 12, 6, 5

COST = tuple(area.cost for area in AREAS)
RIVER = mask_of([area.index for area in AREAS if area.river])
NEIGHBOURS = tuple(mask_of(area.neighbours) for area in AREAS)
#: An area and its neighbours; all areas but that one.
AROUND = tuple(NEIGHBOURS[area] | 1 << area for area in range(AREA_COUNT))
ELSEWHERE = tuple(ALL_AREAS & ~(1 << area) for area in range(AREA_COUNT))
SMALL_GODS = AREA_NUMBER["small-gods"]


def union(mask: int, of: tuple[int, ...]) -> int:
    """What belongs to any of these areas, as a mask."""
    united = 0
    for area in BITS[mask]:
        united |= of[area]
    return united


#: R-MIN-1: where a seat that stands in the areas of a mask may place a minion. Without one on the map it is anywhere.
REACH = (ALL_AREAS, *(union(mask, AROUND) for mask in range(1, ALL_AREAS + 1)))
#: Money -> the areas one can afford to build in, at the full and at half the price; the last entry is for more.
AFFORDABLE = tuple(mask_of([a for a in range(AREA_COUNT) if COST[a] <= money]) for money in range(19))
AFFORDABLE_HALF = tuple(mask_of([a for a in range(AREA_COUNT) if COST[a] <= 2 * money]) for money in range(19))

#: By number of seats and seat: everybody in turn order from that seat, with and without it.
IN_TURN = tuple(
    tuple(tuple(Seat((seat + step) % seats) for step in range(seats)) for seat in range(seats)) for seats in range(5)
)
OTHERS = tuple(tuple(order[1:] for order in orders) for orders in IN_TURN)
#: By number of seats and seat: every other owner, in the order of D-KILL.
VICTIMS = tuple(tuple((DEMON, TROLL, *others) for others in orders) for orders in OTHERS)


class Position:
    """Everything that is true at one moment."""

    __slots__ = (
        *("seats", "turn", "actor", "over", "reveals"),
        *("pieces", "presence", "out", "crowd", "trouble"),
        *("owner_of", "buildings", "built", "gone", "closed"),
        *("money", "hands", "loans", "penalties", "seen", "personality", "unused"),
        *("draw", "discards", "events", "happened", "in_play"),
    )

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.turn = 1
        self.actor = Seat(0)
        #: Why the match is over, or None.
        self.over: str | None = None
        self.reveals = 0
        #: Minion pieces, by owner and area.
        self.pieces = [[0] * AREA_COUNT for _ in OWNERS]
        #: Where an owner has pieces (masks), and how many in all.
        self.presence = [0] * len(OWNERS)
        self.out = [0] * len(OWNERS)
        #: Minion pieces of all owners, by area.
        self.crowd = [0] * AREA_COUNT
        #: Areas with a trouble marker.
        self.trouble = 0
        #: The owner of the building in each area, or -1; and masks by seat and of all.
        self.owner_of = [-1] * AREA_COUNT
        self.buildings = [0] * seats
        self.built = 0
        #: Areas whose City Area card has left the game.
        self.gone = 0
        #: Areas whose power was used, or whose card was gained, this turn.
        self.closed = 0
        self.money = [0] * seats
        #: Hand cards, sorted; loan and penalty cards in front of a seat.
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.loans: list[tuple[int, ...]] = [()] * seats
        self.penalties: list[tuple[int, ...]] = [()] * seats
        #: Unused personalities seen with Mrs Cake.
        self.seen: list[tuple[int, ...]] = [()] * seats
        #: Personality by seat, -1 for none (positions written for tests only).
        self.personality = [-1] * seats
        self.unused: list[int] = []
        #: Draw pile and event deck: the next card is the last of the list. Discards: the newest is the last.
        self.draw: list[int] = []
        self.discards: list[int] = []
        self.events: list[int] = []
        self.happened: list[int] = []
        #: The card in the play area, or -1.
        self.in_play = -1

    def take_over(self, other: "Position") -> None:
        """Become a copy of another position."""
        self.seats = other.seats
        self.turn = other.turn
        self.actor = other.actor
        self.over = other.over
        self.reveals = other.reveals
        self.pieces = [*map(list.copy, other.pieces)]
        self.presence = other.presence[:]
        self.out = other.out[:]
        self.crowd = other.crowd[:]
        self.trouble = other.trouble
        self.owner_of = other.owner_of[:]
        self.buildings = other.buildings[:]
        self.built = other.built
        self.gone = other.gone
        self.closed = other.closed
        self.money = other.money[:]
        self.hands = [*map(list.copy, other.hands)]
        self.loans = other.loans[:]
        self.penalties = other.penalties[:]
        self.seen = other.seen[:]
        self.personality = other.personality[:]
        self.unused = other.unused[:]
        self.draw = other.draw[:]
        self.discards = other.discards[:]
        self.events = other.events[:]
        self.happened = other.happened[:]
        self.in_play = other.in_play

    def deal_anew(self, known: Collection[int | None], seen: Collection[int], dice: Dice) -> None:
        """Deal anew what nobody of the `known` seats can see: the hands and personalities of the others, but for `seen`
        ones, the personalities that are left and the lower half of the draw pile."""
        others = [seat for seat in range(self.seats) if seat not in known]
        half = len(self.draw) // 2
        cards = self.draw[:half] + [card for seat in others for card in self.hands[seat]]
        dice.shuffle(DECK, cards)
        for seat in others:
            self.hands[seat] = sorted([cards.pop() for _ in self.hands[seat]])
        self.draw[:half] = cards
        unknown = [seat for seat in others if self.personality[seat] not in seen]
        people = [self.personality[seat] for seat in unknown] + [one for one in self.unused if one not in seen]
        dice.shuffle(PICKS, people)
        for seat in unknown:
            self.personality[seat] = people.pop()
        self.unused = sorted([*people, *(one for one in self.unused if one in seen)])

    # Bare changes: they keep the masks and counts in step and follow R-TRB, nothing more.

    def put(self, owner: int, area: int) -> bool:
        """Put a piece into an area; True when that brings a trouble marker (R-TRB-1)."""
        trouble = self.crowd[area] > 0 and not self.trouble >> area & 1
        if trouble:
            self.trouble |= 1 << area
        self.put_quietly(owner, area)
        return trouble

    def put_quietly(self, owner: int, area: int) -> None:
        """Put a piece into an area without a look at trouble."""
        self.pieces[owner][area] += 1
        self.presence[owner] |= 1 << area
        self.crowd[area] += 1
        self.out[owner] += 1

    def lift(self, owner: int, area: int) -> bool:
        """Take a piece out of an area, and its trouble marker with it (R-TRB-3); True when there was one."""
        counts = self.pieces[owner]
        counts[area] -= 1
        assert counts[area] >= 0, f"no {OWNERS[owner]} in {AREAS[area].name}"
        if not counts[area]:
            self.presence[owner] &= ~(1 << area)
        self.crowd[area] -= 1
        self.out[owner] -= 1
        if self.trouble >> area & 1:
            self.trouble &= ~(1 << area)
            return True
        return False

    def raise_building(self, seat: int, area: int) -> None:
        """Put a seat's building into an area; its power rests for this turn (R-ARE-2)."""
        bit = 1 << area
        self.owner_of[area] = seat
        self.buildings[seat] |= bit
        self.built |= bit
        self.closed |= bit

    def raze(self, area: int) -> int:
        """Take the building of an area off the board; whose it was."""
        bit = 1 << area
        seat = self.owner_of[area]
        self.owner_of[area] = -1
        self.buildings[seat] &= ~bit
        self.built &= ~bit
        return seat

    # Questions.

    def others(self, seat: int) -> tuple[Seat, ...]:
        """Every other player, from the one on the left."""
        return OTHERS[self.seats][seat]

    def in_turn(self, seat: int) -> tuple[Seat, ...]:
        """Everybody in turn order from `seat`."""
        return IN_TURN[self.seats][seat]

    def victims(self, seat: int) -> tuple[int, ...]:
        """Every owner but this seat, in the order of D-KILL: demon, troll, others in turn order."""
        return VICTIMS[self.seats][seat]

    def hand_limit(self, seat: int) -> int:
        """R-TRN-8: five, less the penalty cards."""
        return HAND - len(self.penalties[seat])

    def reach(self, seat: int) -> int:
        """R-MIN-1: where a seat may place a minion."""
        return REACH[self.presence[seat]]

    def populated(self) -> int:
        """Areas with at least one minion piece."""
        mask = 0
        for presence in self.presence:
            mask |= presence
        return mask

    def sites(self, seat: int, affordable: tuple[int, ...]) -> int:
        """R-BLD-1 and R-BLD-2: where a seat may build with the money it has."""
        money = self.money[seat]
        within = affordable[money] if money < 18 else ALL_AREAS
        return self.presence[seat] & within & ~self.built & ~self.trouble

    def holds_card_of(self, area: int) -> int:
        """Who holds the City Area card of an area, or -1."""
        return -1 if self.gone >> area & 1 else self.owner_of[area]

    def controls(self, seat: int, area: int) -> bool:
        """R-CTL: more pieces than anybody else, a building counting as one, and than trolls; and no demon."""
        owner = self.owner_of[area]
        strength = self.pieces[seat][area] + (owner == seat)
        for other in OTHERS[self.seats][seat]:
            if self.pieces[other][area] + (owner == other) >= strength:
                return False
        return strength > self.pieces[TROLL][area] and not self.pieces[DEMON][area]

    def controller(self, area: int) -> int:
        """Who controls an area, or -1."""
        return next((seat for seat in range(self.seats) if self.controls(seat, area)), -1)
