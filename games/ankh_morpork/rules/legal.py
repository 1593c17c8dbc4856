"""What is legal: the options of placements, buildings, assassinations, moves and cards in a position."""

from __future__ import annotations

from games.ankh_morpork.data.cards import CARDS, INTERRUPT
from games.ankh_morpork.position.board import AFFORDABLE, BUILDINGS, MINIONS, NEIGHBOURS, OTHERS, REACH, Position
from games.ankh_morpork.position.options import (
    ALL_AREAS,
    ASSASSINATE_IN,
    BITS,
    BUILD_IN,
    BUILD_INSTEAD_IN,
    CALM_IN,
    COUNT,
    DISCARD,
    GIVE,
    KEEP,
    MINION_FROM_IN,
    MINION_IN,
    MOVE_TO,
    PLAY,
    REMOVE_IN,
    TARGET,
    ByMask,
)
from pbem.protocol import Option

Options = tuple[Option, ...]

#: By number of seats and seat: the options to name another player, the next in turn order first (D-NAME).
TARGETS = tuple(tuple(tuple(TARGET[other] for other in others) for others in orders) for orders in OTHERS)


def placements(match: Position, me: int, named: int = 0) -> Options:
    """R-MIN: where a minion may be placed; `named` areas replace the reach."""
    if match.out[me] < MINIONS:
        return MINION_IN[named or match.reach(me)]
    options: Options = ()
    presence = match.presence[me]
    for off in BITS[presence]:
        left = presence if match.pieces[me][off] > 1 else presence & ~(1 << off)
        areas = named or (REACH[left] if left else ALL_AREAS)
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


def assassinations(match: Position, me: int) -> Options:
    """R-SYM-AS: pieces that are not your own, in areas with trouble."""
    trouble = match.trouble
    options: Options = ()
    if trouble:
        presence = match.presence
        for owner in match.victims(me):
            areas = presence[owner] & trouble
            if areas:
                options += ASSASSINATE_IN[owner][areas]
    return options


def calms(match: Position, me: int) -> Options:
    """R-SYM-CA: any marker."""
    return CALM_IN[match.trouble]


def removals(match: Position, decider: int, areas: int, but: int = -1) -> Options:
    """Any piece in these areas, in the order of D-KILL; `but` leaves an owner out."""
    options: Options = ()
    for owner in (*match.victims(decider), decider):
        within = match.presence[owner] & areas
        if within and owner != but:
            options += REMOVE_IN[owner][within]
    return options


def own_removals(match: Position, seat: int) -> Options:
    """Any own minion, the area that holds most of them first (D-OWN)."""
    counts = match.pieces[seat]
    options = REMOVE_IN[seat][match.presence[seat]]
    return tuple(sorted(options, key=lambda option: -counts[option.value[1]]))


def moves_of_others(match: Position, me: int) -> Options:
    """R-SCR-DUCK: any piece that is not yours, to a neighbour of its area."""
    options: Options = ()
    for owner in match.victims(me):
        for area in BITS[match.presence[owner]]:
            options += MOVE_TO[owner][area][NEIGHBOURS[area]]
    return options


def moves_near(match: Position, me: int, areas: int) -> Options:
    """Your minions in these areas, to a neighbour."""
    options: Options = ()
    for area in BITS[match.presence[me] & areas]:
        options += MOVE_TO[me][area][NEIGHBOURS[area]]
    return options


def moves_anywhere(match: Position, me: int) -> Options:
    """Your minions, to any other area."""
    options: Options = ()
    for area in BITS[match.presence[me]]:
        options += MOVE_TO[me][area][ALL_AREAS & ~(1 << area)]
    return options


def targets(match: Position, me: int) -> Options:
    """Every other player."""
    return TARGETS[match.seats][me]


def plays(match: Position, me: int) -> Options:
    """The cards that may be played: no interrupts (R-SYM-IN)."""
    return tuple([PLAY[card] for card in match.hands[me] if not INTERRUPT[card]])


def discards(cards: list[int]) -> Options:
    """Cards to discard."""
    return tuple([DISCARD[card] for card in cards])


_VERBS = {"give": GIVE, "discard": DISCARD, "keep": KEEP}


def first_card(verb: str, cards: list[int]) -> Option:
    """D-CARDS: the first card by id, interrupts last."""
    return _VERBS[verb][min(cards, key=lambda card: (INTERRUPT[card], card))]


def first_play(cards: Options) -> Option:
    """D-TURN: the first card by id without an event, else the first."""
    for option in cards:
        if not CARDS[option.value].event:
            return option
    return cards[0]
