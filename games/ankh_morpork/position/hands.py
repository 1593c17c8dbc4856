"""Every change of money and cards that people are told about. Nothing here asks."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

from games.ankh_morpork.data.cards import CARD, CARDS, PERSONALITIES
from games.ankh_morpork.position.dice import DECK, PICKS
from games.ankh_morpork.position.ledger import Ledger
from games.ankh_morpork.position.options import OWNERS
from pbem.protocol import Event


class Hands(Ledger):
    """Changes of money and cards."""

    __slots__ = ()

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
