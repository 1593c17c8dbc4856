"""The position with its dice and its log: every change that people are told about is made here.

Nothing here asks anybody: what can be stopped goes through `reactions`, which calls these when nobody did.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

from games.ankh_morpork.board import Position
from games.ankh_morpork.cards import AREA, CARD, CARDS, EVENTS, PERSONALITIES
from games.ankh_morpork.dice import DECK, PICKS, Dice
from games.ankh_morpork.options import DEMON, OWNERS, TROLL
from pbem.protocol import Decision, Event


class GameOver(Exception):
    """The match ended; `Position.over` says why. It unwinds whatever was being carried out."""


class Table(Position):
    """A position that can be played on."""

    __slots__ = ("card", "dice", "forced", "log", "outcomes")

    def __init__(self, seats: int, dice: Dice) -> None:
        super().__init__(seats)
        self.dice = dice
        #: The card whose symbols are being carried out.
        self.card = -1
        #: What happened since the last choice.
        self.log: list[Event] = []
        #: The dice and draws that followed the last choice.
        self.outcomes: list[list[object]] = []
        #: What the rules left a seat no choice in since the last choice: taken without asking.
        self.forced: list[Decision] = []

    def tell(self, kind: str, **data: object) -> None:
        """Log what everybody may know."""
        self.log.append(Event(kind, data))

    def finish(self, reason: str) -> None:
        """End the match at once."""
        self.over = reason
        raise GameOver

    # Minions and trouble

    def place(self, seat: int, area: int, taken_from: int = -1, quietly: bool = False) -> None:
        """Place a minion (R-MIN-1), taking one off the board first where all are out (R-MIN-2)."""
        if taken_from >= 0:
            trouble = self.lift(seat, taken_from)
            self.log.append(
                Event(
                    "MinionTakenOff", {"colour": OWNERS[seat], "area": AREA[taken_from], "trouble": trouble}
                )
            )
        if quietly:
            self.put_quietly(seat, area)
            trouble = False
        else:
            trouble = self.put(seat, area)
        self.log.append(
            Event("MinionPlaced", {"colour": OWNERS[seat], "area": AREA[area], "trouble": trouble})
        )

    def take_away(self, owner: int, area: int, by: str, cause: str) -> None:
        """Remove a piece from the board."""
        self.lift(owner, area)
        self.log.append(
            Event("MinionRemoved", {"by": by, "colour": OWNERS[owner], "area": AREA[area], "cause": cause})
        )

    def shift(self, owner: int, area: int, to: int, by: str) -> None:
        """Move a piece: departure first, then arrival (R-TRB-5)."""
        self.lift(owner, area)
        trouble = self.put(owner, to)
        self.log.append(
            Event(
                "MinionMoved",
                {"by": by, "colour": OWNERS[owner], "from": AREA[area], "to": AREA[to], "trouble": trouble},
            )
        )

    def exchange(self, owner: int, area: int, other: int, other_area: int, by: str) -> None:
        """Swap two pieces: both leave, then both arrive (R-SCR-BURSAR)."""
        self.lift(owner, area)
        self.lift(other, other_area)
        self.put(owner, other_area)
        self.put(other, area)
        self.tell(
            "MinionsSwapped",
            by=by,
            first=OWNERS[owner],
            first_area=AREA[area],
            second=OWNERS[other],
            second_area=AREA[other_area],
        )

    def add_trouble(self, area: int, by: str) -> None:
        """Put a marker into an area."""
        self.trouble |= 1 << area
        self.log.append(Event("TroublePlaced", {"area": AREA[area], "by": by}))

    def calm(self, area: int, by: str) -> None:
        """Take the marker out of an area."""
        self.trouble &= ~(1 << area)
        self.log.append(Event("TroubleRemoved", {"area": AREA[area], "by": by}))

    def add_troll(self, area: int) -> None:
        """A troll arrives (R-EVT-TRO)."""
        self.tell("TrollPlaced", area=AREA[area], trouble=self.put(TROLL, area))

    def add_demon(self, area: int) -> None:
        """A demon arrives, always with trouble (R-TRB-4)."""
        trouble = not self.trouble >> area & 1
        self.put_quietly(DEMON, area)
        self.trouble |= 1 << area
        self.tell("DemonPlaced", area=AREA[area], trouble=trouble)

    # Buildings

    def take_building_off(self, area: int) -> None:
        """Take one's own building off the board to use it elsewhere (R-BLD-3)."""
        seat = self.raze(area)
        self.tell("BuildingTakenOff", colour=OWNERS[seat], area=AREA[area])

    def build(self, seat: int, area: int, instead: int, cost: int) -> None:
        """Pay the bank and put up a building."""
        if instead >= 0:
            self.take_building_off(instead)
        self.money[seat] -= cost
        self.raise_building(seat, area)
        self.log.append(Event("BuildingBuilt", {"colour": OWNERS[seat], "area": AREA[area], "cost": cost}))

    def buy(self, buyer: int, area: int, instead: int, cost: int) -> None:
        """A player's building takes the place of another's, who has been paid (R-SCR-BUY)."""
        if instead >= 0:
            self.take_building_off(instead)
        seller = self.raze(area)
        self.raise_building(buyer, area)
        self.tell("BuildingBought", colour=OWNERS[buyer], owner=OWNERS[seller], area=AREA[area], cost=cost)

    def lose_city_card(self, area: int) -> None:
        """A City Area card leaves the game; the building stays (R-EVT-BSJ)."""
        self.gone |= 1 << area
        self.tell("CityCardGone", colour=OWNERS[self.owner_of[area]], area=AREA[area])

    def relocate(self, seat: int, area: int, left: int, card: int) -> None:
        """A removed minion comes back elsewhere (Fresh Start Club, Igor)."""
        trouble = self.put(seat, area)
        self.log.append(
            Event(
                "MinionRelocated",
                {
                    "colour": OWNERS[seat],
                    "from": AREA[left],
                    "area": AREA[area],
                    "trouble": trouble,
                    "card": CARD[card],
                },
            )
        )

    def demolish(self, area: int, cause: str) -> None:
        """Remove a building from the board."""
        seat = self.raze(area)
        self.tell("BuildingRemoved", colour=OWNERS[seat], area=AREA[area], cause=cause)

    # Money

    def take_money(self, seat: int, amount: int, cause: str) -> None:
        """Take money from the bank."""
        self.money[seat] += amount
        self.log.append(Event("MoneyTaken", {"colour": OWNERS[seat], "amount": amount, "cause": cause}))

    def pay_bank(self, seat: int, amount: int, cause: str) -> None:
        """Pay the bank."""
        self.money[seat] -= amount
        self.tell("MoneyPaid", colour=OWNERS[seat], to="bank", amount=amount, cause=cause)

    def transfer(self, payer: int, payee: int, amount: int, cause: str) -> None:
        """Move money between players: what there is, if less."""
        amount = min(amount, self.money[payer])
        self.money[payer] -= amount
        self.money[payee] += amount
        self.tell("MoneyPaid", colour=OWNERS[payer], to=OWNERS[payee], amount=amount, cause=cause)

    # Cards

    def draw_cards(self, seat: int, count: int, cause: str) -> None:
        """Draw into the hand; the last card of the pile ends the match (R-TRN-9)."""
        pile, hand, outcomes = self.draw, self.hands[seat], self.outcomes
        drawn = []
        for _ in range(min(count, len(pile))):
            card = pile.pop()
            insort(hand, card)
            drawn.append(CARD[card])
            outcomes.append(["draw", CARDS[card].id])
        if not drawn:
            return
        self.reveals += 1
        self.log.append(
            Event(
                "CardsDrawn",
                {"colour": OWNERS[seat], "count": len(drawn), "cause": cause},
                {seat: {"cards": drawn}},
            )
        )
        if not pile:
            self.finish("pile")

    def play(self, seat: int, card: int) -> None:
        """Put a card from the hand into the play spot; the one that lay there is discarded (R-TRN-7)."""
        self.tidy()
        self.hands[seat].remove(card)
        self.spot = card
        self.log.append(Event("CardPlayed", {"colour": OWNERS[seat], "card": CARD[card]}))

    def tidy(self) -> None:
        """Discard the card in the play spot."""
        if self.spot >= 0:
            self.discards.append(self.spot)
            self.spot = -1

    def take_back(self, seat: int) -> None:
        """Return the card in the play spot to the hand (Doctor Mossy Lawn)."""
        card, self.spot = self.spot, -1
        insort(self.hands[seat], card)
        self.tell("CardTakenBack", colour=OWNERS[seat], card=CARD[card])

    def play_interrupt(self, seat: int, card: int) -> None:
        """Play an interrupt from the hand; it is discarded."""
        self.hands[seat].remove(card)
        self.discards.append(card)
        self.tell("InterruptPlayed", colour=OWNERS[seat], card=CARD[card])

    def borrow(self, seat: int, amount: int) -> None:
        """The card in the play spot becomes a loan."""
        card, self.spot = self.spot, -1
        self.loans[seat].append(card)
        self.money[seat] += amount
        self.tell("LoanTaken", colour=OWNERS[seat], card=CARD[card], amount=amount)

    def stick(self, victim: int) -> None:
        """The card in the play spot is put in front of a player for the rest of the match."""
        card, self.spot = self.spot, -1
        self.stuck[victim].append(card)
        self.tell("CardStuck", colour=OWNERS[victim], card=CARD[card])

    def discard(self, seat: int, card: int, by: int) -> None:
        """Put a card from a hand on the discard pile, for all to see."""
        self.hands[seat].remove(card)
        self.discards.append(card)
        self.reveals += 1
        self.log.append(
            Event("CardDiscarded", {"colour": OWNERS[seat], "card": CARD[card], "by": OWNERS[by]})
        )

    def hand_over(self, giver: int, receiver: int, cards: Sequence[int], cause: str) -> None:
        """Pass cards from hand to hand, unseen by the others."""
        for card in cards:
            self.hands[giver].remove(card)
            insort(self.hands[receiver], card)
        self.reveals += 1
        names = {"cards": [CARD[card] for card in cards]}
        self.log.append(
            Event(
                "CardGiven",
                {"colour": OWNERS[giver], "to": OWNERS[receiver], "count": len(cards), "cause": cause},
                {giver: names, receiver: names},
            )
        )

    def swap_hands(self, seat: int, other: int) -> None:
        """Exchange two whole hands."""
        self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
        self.reveals += 1
        private = {s: {"cards": [CARD[card] for card in self.hands[s]]} for s in (seat, other)}
        self.log.append(Event("HandsSwapped", {"colour": OWNERS[seat], "with": OWNERS[other]}, private))

    def look_at_hand(self, seat: int, of: int) -> None:
        """See another player's whole hand."""
        self.reveals += 1
        private = {seat: {"cards": [CARD[card] for card in self.hands[of]]}}
        self.log.append(Event("HandSeen", {"colour": OWNERS[seat], "of": OWNERS[of]}, private))

    def pick_from_hand(self, seat: int, of: int, count: int) -> list[int]:
        """See cards picked at random from another player's hand; in order of id."""
        picked = self._pick(self.hands[of], count)
        names = {"cards": [CARD[card] for card in picked]}
        self.log.append(
            Event(
                "CardsSeen",
                {"colour": OWNERS[seat], "of": OWNERS[of], "count": len(picked)},
                {seat: names, of: names},
            )
        )
        return picked

    def recover(self, seat: int, count: int) -> None:
        """Take cards at random from the discard pile, which is shuffled (History Monks)."""
        self.dice.shuffle(PICKS, self.discards)
        hand, recovered = self.hands[seat], []
        for _ in range(min(count, len(self.discards))):
            card = self.discards.pop()
            insort(hand, card)
            recovered.append(card)
            self.outcomes.append(["recover", CARDS[card].id])
        self.reveals += 1
        self.log.append(
            Event(
                "CardsRecovered",
                {"colour": OWNERS[seat], "count": len(recovered)},
                {seat: {"cards": [CARD[card] for card in sorted(recovered)]}},
            )
        )

    def swap_personality(self, seat: int) -> None:
        """Take a random unused personality for one's own (Zorgo)."""
        old = self.personality[seat]
        place = self.dice.below(PICKS, len(self.unused))
        new = self.unused.pop(place)
        insort(self.unused, old)
        self.personality[seat] = new
        self.outcomes.append(["personality", PERSONALITIES[new].id])
        self.reveals += 1
        private = {seat: {"old": PERSONALITIES[old].name, "new": PERSONALITIES[new].name}}
        self.log.append(Event("PersonalitySwapped", {"colour": OWNERS[seat]}, private))

    def see_personalities(self, seat: int) -> None:
        """See the unused personalities but for one at random (Mrs Cake)."""
        seen = self._pick_personalities(len(self.unused) - 1)
        self.seen[seat] = seen
        names = [PERSONALITIES[number].name for number in seen]
        self.log.append(
            Event(
                "PersonalitiesSeen",
                {"colour": OWNERS[seat], "count": len(names)},
                {seat: {"personalities": names}},
            )
        )

    def _pick(self, cards: list[int], count: int) -> list[int]:
        rest, picked = cards[:], []
        for _ in range(min(count, len(rest))):
            picked.append(rest.pop(self.dice.below(PICKS, len(rest))))
            self.outcomes.append(["pick", CARDS[picked[-1]].id])
        self.reveals += 1
        return sorted(picked)

    def _pick_personalities(self, count: int) -> list[int]:
        rest, picked = self.unused[:], []
        for _ in range(min(count, len(rest))):
            picked.append(rest.pop(self.dice.below(PICKS, len(rest))))
            self.outcomes.append(["see", PERSONALITIES[picked[-1]].id])
        self.reveals += 1
        return sorted(picked)

    # Dice and events

    def roll(self, seat: int, count: int, cause: str) -> list[int]:
        """Roll dice for all to see; the areas (numbers from 0) that the dice name."""
        dice = [self.dice.die() for _ in range(count)]
        self.outcomes.extend(["die", number] for number in dice)
        self.reveals += 1
        self.log.append(
            Event(
                "DiceRolled",
                {
                    "colour": OWNERS[seat],
                    "dice": dice,
                    "areas": [AREA[number - 1] for number in dice],
                    "cause": cause,
                },
            )
        )
        return [number - 1 for number in dice]

    def turn_up_event(self, seat: int) -> int:
        """Turn up the top event card; -1 when none is left."""
        if not self.events:
            self.tell("NoEventLeft", colour=OWNERS[seat])
            return -1
        event = self.events.pop()
        self.happened.append(event)
        self.outcomes.append(["event", EVENTS[event].id])
        self.reveals += 1
        self.tell("EventDrawn", colour=OWNERS[seat], event=EVENTS[event].name, left=len(self.events))
        return event

    def fog(self, count: int) -> None:
        """Cards from the draw pile go to the discard pile, seen by all (R-EVT-FOG)."""
        lost = []
        for _ in range(min(count, len(self.draw))):
            card = self.draw.pop()
            self.discards.append(card)
            lost.append(CARD[card])
            self.outcomes.append(["fog", CARDS[card].id])
        self.reveals += 1
        self.tell("FogDiscarded", cards=lost)
        if not self.draw:
            self.finish("pile")

    def reshuffle_unseen(self, entropy: bytes) -> None:
        """Draw anew what nobody may have seen: the order of the piles, and all dice to come."""
        self.dice.reseed(entropy)
        green = [card for card in self.draw if CARDS[card].deck == "green"]
        brown = [card for card in self.draw if CARDS[card].deck == "brown"]
        for cards in (brown, green):
            cards.sort()
            self.dice.shuffle(DECK, cards)
        self.draw = brown + green
        self.events.sort()
        self.dice.shuffle(DECK, self.events)
        self.reveals += 1
