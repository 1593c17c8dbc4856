"""What is legal: the options of placements, buildings, assassinations, moves and cards in a position."""

from collections.abc import Sequence
from itertools import combinations, permutations

from games.ankh_morpork.data.cards import CARDS, INTERRUPT
from games.ankh_morpork.position.board import AFFORDABLE, BUILDINGS, MINIONS, NEIGHBOURS, REACH, Position
from games.ankh_morpork.position.options import (
    ALL_AREAS,
    AREA_COUNT,
    ASSASSINATE_IN,
    BITS,
    BUILD_IN,
    BUILD_INSTEAD_IN,
    BUY_IN,
    BUY_INSTEAD_IN,
    CALM_IN,
    COUNT,
    DISCARD,
    MINION_FROM_IN,
    MINION_IN,
    MOVE_TO,
    PAYS,
    PLAY,
    REMOVE_IN,
    ByMask,
    swap_option,
)
from pbem.protocol import Option

Options = tuple[Option, ...]


def placements(match: Position, me: int, named: int = 0) -> Options:
    """R-MIN: where a minion may be placed; `named` areas replace the reach."""
    if match.out[me] < MINIONS:
        return MINION_IN[named or match.reach(me)]
    options: Options = ()
    presence = match.presence[me]
    for off in BITS[presence]:
        left = presence if match.pieces[me][off] > 1 else presence & ~(1 << off)
        areas = named or REACH[left]
        options += MINION_FROM_IN[off][areas & ~(1 << off)]
    return options


def builds(match: Position, me: int, affordable: tuple[int, ...] = AFFORDABLE) -> Options:
    """R-BLD: where a building may be put up."""
    sites = match.sites(me, affordable)
    if not sites:
        return ()
    return instead(match, me, sites, BUILD_IN, BUILD_INSTEAD_IN)


def instead(match: Position, me: int, sites: int, plain: ByMask, by_building: tuple[ByMask, ...]) -> Options:
    """R-BLD-3: with all six buildings out, one of them must go first."""
    own = match.buildings[me]
    if COUNT[own] < BUILDINGS:
        return plain[sites]
    options: Options = ()
    for off in BITS[own]:
        options += by_building[off][sites & ~(1 << off)]
    return options


def purchases(match: Position, me: int, sites: int) -> Options:
    """R-SCR-BUY: the buildings in these areas, to be replaced by one's own."""
    return instead(match, me, sites, BUY_IN, BUY_INSTEAD_IN) if sites else ()


def assassinations(match: Position, me: int) -> Options:
    """R-SYM-AS: pieces that are not your own, in areas with trouble."""
    return pieces(match, ASSASSINATE_IN, match.victims(me), match.trouble) if match.trouble else ()


def removals(match: Position, decider: int, areas: int, but: int = -1) -> Options:
    """Any piece in these areas, in the order of D-KILL; `but` leaves an owner out."""
    owners = [owner for owner in (*match.victims(decider), decider) if owner != but]
    return pieces(match, REMOVE_IN, owners, areas)


def pieces(match: Position, options_of: Sequence[ByMask], owners: Sequence[int], areas: int) -> Options:
    """The options for the pieces of these owners in these areas."""
    options: Options = ()
    presence = match.presence
    for owner in owners:
        within = presence[owner] & areas
        if within:
            options += options_of[owner][within]
    return options


def calms(match: Position, me: int) -> Options:
    """R-SYM-CA: any marker."""
    return CALM_IN[match.trouble]


def own_removals(match: Position, seat: int) -> Options:
    """Any own minion, the area that holds most of them first (D-OWN)."""
    options = REMOVE_IN[seat][match.presence[seat]]
    return tuple(sorted(options, key=lambda option: -match.pieces[seat][option.value[1]]))


def moves(match: Position, owners: Sequence[int], areas: int = ALL_AREAS, to: Sequence[int] = NEIGHBOURS) -> Options:
    """Any piece of these owners in these areas: to a neighbour, or to what else `to` has for its area."""
    options: Options = ()
    for owner in owners:
        for area in BITS[match.presence[owner] & areas]:
            options += MOVE_TO[owner][area][to[area]]
    return options


def swaps(match: Position) -> Options:
    """R-SCR-BURSAR: any two pieces in different areas."""
    pieces = [(owner, area) for area in range(AREA_COUNT) for owner, counts in enumerate(match.pieces) if counts[area]]
    return tuple([swap_option(*one, *other) for one, other in combinations(pieces, 2) if one[1] != other[1]])


def payments(match: Position, me: int) -> Options:
    """Any other player to pay any third."""
    return tuple([PAYS[payer][payee] for payer, payee in permutations(match.others(me), 2)])


def plays(match: Position, me: int) -> Options:
    """The cards that may be played: no interrupts (R-SYM-IN)."""
    return tuple([PLAY[card] for card in match.hands[me] if not INTERRUPT[card]])


def discards(cards: list[int]) -> Options:
    """Cards to discard."""
    return tuple([DISCARD[card] for card in cards])


def first_card(options: Sequence[Option], cards: list[int]) -> Option:
    """D-CARDS: the option for the first card by id, interrupts last."""
    return options[min(cards, key=lambda card: (INTERRUPT[card], card))]


def first_play(cards: Options) -> Option:
    """D-TURN: the first card by id without an event, else the first."""
    for option in cards:
        if not CARDS[option.value].event:
            return option
    return cards[0]
