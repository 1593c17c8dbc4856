"""What can happen in a match: every kind of event and decision, with the data each carries.

Data is ready to print: colours (`Red`, or `troll`, `demon`), names of areas, cards, events and personalities.
Fields marked `private` are in `Event.private` only, for the seats named. `cause` is the name of the card,
event or area that did it. Templates and tests go by these two tables and nothing else.
"""

from __future__ import annotations

#: Event kind -> its data fields.
EVENTS: dict[str, str] = {
    # set-up and turns
    "GameBegan": "seats (colours in order of play), first (colour)",
    "PersonalityDealt": "colour; private to that seat: personality",
    "TurnBegan": "colour, turn",
    "TurnEnded": "colour, turn",
    "GameEnded": "reason (goal | vimes | pile | riots), winners (colours)",
    # playing
    "CardPlayed": "colour, card",
    "CardTakenBack": "colour, card (Doctor Mossy Lawn returned it to the hand)",
    "Passed": "colour (no card could be played)",
    "SymbolSkipped": "colour, card, symbol, possible (False: it could not be done, as far as everybody can see)",
    "ScrollRead": "colour, card (a scroll that begins without a choice was begun)",
    "PowerUsed": "colour, area",
    "TargetNamed": "colour, target (colour), card",
    # minions, trouble
    "MinionPlaced": "colour, area, trouble (True: a marker was put there)",
    "MinionTakenOff": "colour, area, trouble (True: a marker left); the owner's own, to be placed anew",
    "MinionMoved": "by (colour or event name), colour, from, to, trouble (True: a marker was put at `to`)",
    "MinionRemoved": "by (colour or event name), colour (may be troll, demon), area, cause",
    "MinionRelocated": "colour, from, area, trouble, card (Fresh Start Club or Igor)",
    "MinionsSwapped": "by, first (colour), first_area (it left), second (colour), second_area (it left)",
    "TroublePlaced": "area, by (colour or event name)",
    "TroubleRemoved": "area, by (colour or event name)",
    "TrollPlaced": "area, trouble",
    "DemonPlaced": "area, trouble",
    "DemonRefused": "colour, area",
    # buildings
    "BuildingBuilt": "colour, area, cost",
    "BuildingTakenOff": "colour, area; the owner's own, to be built anew",
    "BuildingRemoved": "colour (owner), area, cause",
    "BuildingBought": "colour (buyer), owner (seller), area, cost",
    "CityCardGone": "colour (owner), area (the card has left the game)",
    # money
    "MoneyTaken": "colour, amount, cause (from the bank)",
    "MoneyPaid": "colour, to (colour or `bank`), amount, cause",
    "PaymentRefused": "colour, to, amount, possible (False: too poor), cause",
    "LoanTaken": "colour, card, amount",
    # cards
    "CardsDrawn": "colour, count, cause; private to that seat: cards",
    "CardsRecovered": "colour, count (History Monks: from the discard pile); private to that seat: cards",
    "CardGiven": "colour, to, count, cause; private to both seats: cards",
    "CardDiscarded": "colour (whose hand), card, by (colour)",
    "HandsSwapped": "colour, with; private to each of the two: cards (received)",
    "HandSeen": "colour, of; private to colour: cards",
    "CardsSeen": "colour, of, count; private to both seats: cards",
    "CardStuck": "colour (in front of whom), card",
    "FogDiscarded": "cards",
    "PersonalitySwapped": "colour; private to that seat: old, new",
    "PersonalitiesSeen": "colour, count; private to that seat: personalities",
    # dice and random events
    "DiceRolled": "colour, dice (numbers), areas (names), cause",
    "EventDrawn": "colour, event, left (event cards left)",
    "NoEventLeft": "colour",
    "NothingHappened": "cause",
    "AreaFlooded": "area",
    "FireSpread": "area (the next building that burns)",
    # reactions
    "InterruptPlayed": "colour, card",
    "PieceProtected": "colour (owner), piece (colour, `building` or `card`), area, card (or `Small Gods`)",
    "ScrollBlocked": "colour (by whom), card (whose scroll), ended (True: the scroll ended there)",
}

#: Decision kind -> its options. `facts` always holds `card` and `symbol` while a card is being carried out
#: (`cause` instead, the name of the area or event, during a power or an event), and what is listed here.
#: Between actions `use AREA...` and `interrupt Doctor Mossy Lawn` stand beside what a symbol offers.
DECISIONS: dict[str, str] = {
    "turn": "play CARD..., use AREA...; with nothing to play: use AREA..., end",
    "close": "after the last symbol: use AREA..., interrupt Doctor Mossy Lawn, end",
    "minion": "minion AREA [from AREA]..., skip; compulsory for a power",
    "building": "build AREA [instead of AREA]..., skip; facts: costs {area: price}",
    "assassinate": "assassinate COLOUR in AREA..., skip",
    "calm": "calm AREA..., skip; compulsory for a power",
    "money": "money, skip; facts: amount",
    "play": "play CARD..., skip",
    "scroll": "scroll, skip: a scroll that begins without a choice",
    "target": "target COLOUR...: name a player",
    "payment": "COLOUR pays COLOUR... (Hubert)",
    "area": "target AREA...: name an area (Mr Slant); facts: amounts {area: money}",
    "move": "move COLOUR from AREA to AREA...",
    "remove": "remove COLOUR in AREA...; facts: areas (those it must come from), left (how many)",
    "swap": "swap COLOUR in AREA with COLOUR in AREA...",
    "trouble": "trouble AREA...",
    "burn": "burn AREA..., skip (The Fire Brigade); facts: target",
    "subsidence": "burn AREA...: which building to lose; facts: left (how many)",
    "buy": "buy AREA [instead of AREA]...; facts: costs {area: price}",
    "give": "give CARD...; facts: to, left (how many)",
    "tribute": "give $1, give CARD... (the Sanctuary); facts: to",
    "discard": "discard CARD..., and done where any number may go; facts: from (colour), amount, left",
    "keep": "keep CARD... (Stanley); facts: target",
    "pay": "pay, refuse; facts: to, amount, instead (`stick` or `burn`)",
    "dibbler": "pay, remove COLOUR in AREA... (CMOT Dibbler's 1); facts: amount",
    "relocate": "minion AREA [from AREA]... (Fresh Start Club, Igor); facts: from",
    "flood": "move COLOUR from AREA to AREA...; facts: from, left (how many minions)",
    "react": "a window: interrupt CARD..., protect COLOUR in AREA, protect building in AREA, protect card in AREA, "
    "protect AREA (refuse a demon), pass; facts: threat, card (or event), area, piece, by, amount, areas",
}

#: `facts["threat"]` of a window -> what is about to happen to the seat asked.
THREATS: dict[str, str] = {
    "remove": "a minion of yours (piece, area) is removed",
    "move": "a minion of yours is moved from area to `to`",
    "swap": "a minion of yours in area is swapped away",
    "take": "you lose up to amount dollars",
    "tribute": "you give $1 or a card",
    "cards": "you give amount cards",
    "steal": "amount of your cards are looked at and one is taken",
    "look": "your hand is looked at and a card discarded",
    "hands": "your hand is swapped",
    "stick": "the card sticks to you unless you pay amount",
    "burn": "a building of yours goes unless you pay amount",
    "buy": "your building in area is bought from you for amount",
    "paid": "you are paid amount",
    "sold": "you are sold a card for amount",
    "auditors": "you must remove a minion of yours",
    "event": "a random event hits your pieces; Small Gods may protect them for $3 each",
    "demon": "a demon is bound for area; Small Gods may refuse it for $3",
}
