"""A position that can be played on: every change that people are told about, the dice, and the log.

Nothing here asks anybody: what can be stopped goes through `reactions`, which calls these when nobody did.
"""

from bisect import insort
from collections.abc import Sequence
from typing import Any

from games.ankh_morpork.data.cards import AREA, CARD, CARDS, EVENTS, PERSONALITIES
from games.ankh_morpork.position.board import Position
from games.ankh_morpork.position.dice import PICKS, Dice
from games.ankh_morpork.position.options import OWNERS
from games.ankh_morpork.text import log
from pbem.protocol import Decision, Event

#: An event concerns all seats.
EVERYBODY = -1


class GameOver(Exception):
    """The match ended; `Position.over` says why. It unwinds whatever was being carried out."""


class Table(Position):
    """A position with its changes."""

    __slots__ = ("aimed", "card", "dice", "forced", "foreseeable_end", "log", "outcomes", "tell", "unrevealed")

    def sit_down(self, dice: Dice) -> None:
        """Begin to play with these dice."""
        self.dice = dice
        #: The card whose symbols are being carried out.
        self.card = -1
        #: The seats at which its symbol was aimed, as a mask: those, and the actor, may be asked something.
        self.aimed = 0
        #: `reveals` at the last choice, and whether that ended the turn before it revealed anything.
        self.unrevealed = self.reveals
        self.foreseeable_end = False
        #: What happened since the last choice.
        self.log: list[Event] = []
        #: Log what everybody may know, and what a fact shows to single seats.
        self.tell = self.log.append
        #: The dice and draws that followed the last choice.
        self.outcomes: list[list[object]] = []
        #: What the rules left a seat no choice in since the last choice: taken without asking.
        self.forced: list[Decision] = []

    @property
    def cause(self) -> str:
        """The name of the card whose symbols are being carried out."""
        return CARD[self.card]

    def finish(self, reason: str) -> None:
        """End the match at once."""
        self.over = reason
        raise GameOver

    # Dice and events

    def roll(self, seat: int, count: int, cause: str) -> list[int]:
        """Roll dice for all to see; the areas (numbers from 0) that the dice name."""
        dice = self._roll(count)
        self.tell(log.DiceRolled(OWNERS[seat], dice, [AREA[number - 1] for number in dice], cause))
        return [number - 1 for number in dice]

    def try_luck(self, seat: int, cause: str) -> int:
        """Roll one die for all to see; its number, which names no area."""
        dice = self._roll(1)
        self.tell(log.DiceRolled(OWNERS[seat], dice, [], cause))
        return dice[0]

    def _roll(self, count: int) -> list[int]:
        dice = [self.dice.die() for _ in range(count)]
        self.outcomes.extend(["die", number] for number in dice)
        self.reveals += 1
        return dice

    def turn_up_event(self, seat: int) -> int:
        """Turn up the top event card; -1 when none is left."""
        if not self.events:
            self.tell(log.NoEventLeft(OWNERS[seat]))
            return -1
        event = self.events.pop()
        self.happened.append(event)
        self.outcomes.append(["event", EVENTS[event].id])
        self.reveals += 1
        self.tell(log.EventDrawn(OWNERS[seat], EVENTS[event].name, len(self.events)))
        return event

    # Minions and trouble

    def place(self, seat: int, area: int, taken_from: int = -1, quietly: bool = False) -> None:
        """Place a minion (R-MIN-1), taking one off the board first where all are out (R-MIN-2)."""
        if taken_from >= 0:
            trouble = self.lift(seat, taken_from)
            self.tell(log.MinionTakenOff(OWNERS[seat], AREA[taken_from], trouble))
        if quietly:
            self.put_quietly(seat, area)
        trouble = not quietly and self.put(seat, area)
        self.tell(log.MinionPlaced(OWNERS[seat], AREA[area], trouble))

    def take_away(self, owner: int, area: int, by: str, cause: str) -> None:
        """Remove a piece from the board."""
        self.lift(owner, area)
        self.tell(log.MinionRemoved(by, OWNERS[owner], AREA[area], cause))

    def shift(self, owner: int, area: int, to: int, by: str) -> None:
        """Move a piece: departure first, then arrival (R-TRB-5)."""
        self.lift(owner, area)
        trouble = self.put(owner, to)
        self.tell(log.MinionMoved(by, OWNERS[owner], AREA[area], AREA[to], trouble))

    def relocate(self, seat: int, area: int, left: int, card: int) -> None:
        """A removed minion comes back elsewhere (Fresh Start Club, Igor)."""
        trouble = self.put(seat, area)
        self.tell(log.MinionRelocated(OWNERS[seat], AREA[left], AREA[area], trouble, CARD[card]))

    def exchange(self, owner: int, area: int, other: int, other_area: int) -> None:
        """Swap two pieces: both leave, then both arrive (R-SCR-BURSAR)."""
        self.lift(owner, area)
        self.lift(other, other_area)
        self.put(owner, other_area)
        self.put(other, area)
        self.tell(log.MinionsSwapped(OWNERS[self.actor], OWNERS[owner], AREA[area], OWNERS[other], AREA[other_area]))

    def add_trouble(self, area: int, by: str) -> None:
        """Put a marker into an area."""
        self.trouble |= 1 << area
        self.tell(log.TroublePlaced(AREA[area], by))

    def calm(self, area: int, by: str) -> None:
        """Take the marker out of an area."""
        self.trouble &= ~(1 << area)
        self.tell(log.TroubleRemoved(AREA[area], by))

    # Buildings

    def take_building_off(self, area: int) -> None:
        """Take one's own building off the board to use it elsewhere (R-BLD-3)."""
        self.tell(log.BuildingTakenOff(OWNERS[self.raze(area)], AREA[area]))

    def build(self, seat: int, area: int, instead: int, cost: int) -> None:
        """Pay the bank and put up a building."""
        if instead >= 0:
            self.take_building_off(instead)
        self.money[seat] -= cost
        self.raise_building(seat, area)
        self.tell(log.BuildingBuilt(OWNERS[seat], AREA[area], cost))

    def buy(self, buyer: int, area: int, instead: int, cost: int) -> None:
        """A player's building takes the place of another's, who has been paid (R-SCR-BUY)."""
        if instead >= 0:
            self.take_building_off(instead)
        seller = self.raze(area)
        self.raise_building(buyer, area)
        self.tell(log.BuildingBought(OWNERS[buyer], OWNERS[seller], AREA[area], cost))

    def demolish(self, area: int, cause: str) -> None:
        """Remove a building from the board."""
        self.tell(log.BuildingRemoved(OWNERS[self.raze(area)], AREA[area], cause))

    # Money

    def take_money(self, seat: int, amount: int, cause: str) -> None:
        """Take money from the bank."""
        self.money[seat] += amount
        self.tell(log.MoneyTaken(OWNERS[seat], amount, cause))

    def pay_bank(self, seat: int, amount: int, cause: str) -> None:
        """Pay the bank."""
        self.money[seat] -= amount
        self.tell(log.MoneyPaid(OWNERS[seat], "bank", amount, cause))

    def transfer(self, payer: int, payee: int, amount: int, cause: str) -> None:
        """Move money between players: what there is, if less."""
        amount = min(amount, self.money[payer])
        self.money[payer] -= amount
        self.money[payee] += amount
        self.tell(log.MoneyPaid(OWNERS[payer], OWNERS[payee], amount, cause))

    # Cards

    def draw_cards(self, seat: int, count: int, cause: str) -> None:
        """Draw into the hand; the last card of the pile ends the match (R-TRN-9)."""
        drawn = self._take(self.draw, seat, count, "draw")
        if drawn:
            self.tell(log.CardsDrawn(OWNERS[seat], len(drawn), cause).showing(_names([seat], drawn)))
            if not self.draw:
                self.finish("pile")

    def recover(self, seat: int, count: int) -> None:
        """Take cards at random from the discard pile, which is shuffled (History Monks)."""
        self.dice.shuffle(PICKS, self.discards)
        recovered = sorted(self._take(self.discards, seat, count, "recover"))
        self.tell(log.CardsRecovered(OWNERS[seat], len(recovered)).showing(_names([seat], recovered)))

    def _take(self, pile: list[int], seat: int, count: int, outcome: str) -> list[int]:
        """Take cards from the top of a pile into a hand."""
        hand, outcomes = self.hands[seat], self.outcomes
        taken = []
        for _ in range(min(count, len(pile))):
            card = pile.pop()
            insort(hand, card)
            taken.append(card)
            outcomes.append([outcome, CARDS[card].id])
        self.reveals += bool(taken)
        return taken

    def play(self, seat: int, card: int) -> None:
        """Put a card from the hand into the play area; the one that lay there is discarded (R-TRN-7)."""
        self.tidy()
        self.hands[seat].remove(card)
        self.in_play = card
        self.tell(log.CardPlayed(OWNERS[seat], CARD[card]))

    def tidy(self) -> None:
        """Discard the card in the play area."""
        if self.in_play >= 0:
            self.discards.append(self.in_play)
            self.in_play = -1

    def take_back(self, seat: int) -> None:
        """Return the card in the play area to the hand (Doctor Mossy Lawn)."""
        card, self.in_play = self.in_play, -1
        insort(self.hands[seat], card)
        self.tell(log.CardTakenBack(OWNERS[seat], CARD[card]))

    def play_interrupt(self, seat: int, card: int) -> None:
        """Play an interrupt from the hand; it is discarded."""
        self.hands[seat].remove(card)
        self.discards.append(card)
        self.tell(log.InterruptPlayed(OWNERS[seat], CARD[card]))

    def discard(self, seat: int, card: int, by: int) -> None:
        """Put a card from a hand on the discard pile, for all to see."""
        self.hands[seat].remove(card)
        self.discards.append(card)
        self.reveals += 1
        self.tell(log.CardDiscarded(OWNERS[seat], CARD[card], OWNERS[by]))

    def hand_over(self, giver: int, receiver: int, cards: Sequence[int], cause: str) -> None:
        """Pass cards from hand to hand, unseen by the others."""
        for card in cards:
            self.hands[giver].remove(card)
            insort(self.hands[receiver], card)
        self.reveals += 1
        given = log.CardGiven(OWNERS[giver], OWNERS[receiver], len(cards), cause)
        self.tell(given.showing(_names([giver, receiver], cards)))

    def swap_hands(self, seat: int, other: int) -> None:
        """Exchange two whole hands."""
        self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
        self.reveals += 1
        received = _names([seat], self.hands[seat]) | _names([other], self.hands[other])
        self.tell(log.HandsSwapped(OWNERS[seat], OWNERS[other]).showing(received))

    def look_at_hand(self, seat: int, of: int) -> None:
        """See another player's whole hand."""
        self.reveals += 1
        self.tell(log.HandSeen(OWNERS[seat], OWNERS[of]).showing(_names([seat], self.hands[of])))

    def pick_from_hand(self, seat: int, of: int, count: int) -> list[int]:
        """See cards picked at random from another player's hand; in order of id."""
        picked = self._pick(self.hands[of], count, "pick", CARDS)
        self.tell(log.CardsSeen(OWNERS[seat], OWNERS[of], len(picked)).showing(_names([seat, of], picked)))
        return picked

    def fog(self, count: int) -> None:
        """Cards from the draw pile go to the discard pile, seen by all (R-EVT-FOG)."""
        lost = [self.draw.pop() for _ in range(min(count, len(self.draw)))]
        self.discards += lost
        self.outcomes += [["fog", CARDS[card].id] for card in lost]
        self.reveals += 1
        self.tell(log.FogDiscarded([CARD[card] for card in lost]))
        if not self.draw:
            self.finish("pile")

    # Personalities

    def swap_personality(self, seat: int) -> None:
        """Take a random unused personality for one's own (Zorgo)."""
        old = self.personality[seat]
        new = self.unused.pop(self.dice.below(PICKS, len(self.unused)))
        insort(self.unused, old)
        self.personality[seat] = new
        self.outcomes.append(["personality", PERSONALITIES[new].id])
        self.reveals += 1
        seen = {"old": PERSONALITIES[old].name, "new": PERSONALITIES[new].name}
        self.tell(log.PersonalitySwapped(OWNERS[seat]).showing({seat: seen}))

    def see_personalities(self, seat: int) -> None:
        """See the unused personalities but for one at random (Mrs Cake)."""
        seen = self._pick(self.unused, len(self.unused) - 1, "see", PERSONALITIES)
        self.seen[seat] = tuple(seen)
        names = {"personalities": [PERSONALITIES[number].name for number in seen]}
        self.tell(log.PersonalitiesSeen(OWNERS[seat], len(seen)).showing({seat: names}))

    # Chance

    def _pick(self, numbers: list[int], count: int, outcome: str, entries: Sequence[Any]) -> list[int]:
        """Some of these at random; in order."""
        rest, picked = numbers[:], []
        for _ in range(min(count, len(rest))):
            picked.append(rest.pop(self.dice.below(PICKS, len(rest))))
            self.outcomes.append([outcome, entries[picked[-1]].id])
        self.reveals += 1
        return sorted(picked)


def _names(seats: Sequence[int], cards: Sequence[int]) -> dict[int, dict[str, Any]]:
    """The names of these cards, for these seats alone."""
    names = {"cards": [CARD[card] for card in cards]}
    return dict.fromkeys(seats, names)
