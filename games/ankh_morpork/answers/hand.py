"""What a card in the asker's hand could do now."""

from __future__ import annotations

from typing import Any

from games.ankh_morpork.answers.city import City, cost
from games.ankh_morpork.answers.forms import form
from games.ankh_morpork.answers.reading import Reading
from games.ankh_morpork.data.cards import AREA, AREA_NUMBER, CARD, CARDS, Card
from games.ankh_morpork.position.board import AFFORDABLE_HALF
from games.ankh_morpork.position.options import BITS
from pbem.protocol import Finding

#: What asks for what can be done.
ASKING = frozenset(["where", "who", "whom", "which", "what", "how-many", "how-much", "most", "do"])
#: What makes another question of it.
OTHERWISE = frozenset(
    ["how", "happens", "why", "not", "must", "discards", "COLOUR", "last", "after", "happened", "next"]
)
#: What is asked for -> the symbol that does it.
PLAIN = {"assassinate": "assassinate", "calm": "calm", "build": "building"}
#: Words that no concept explains, and that a question about a held card may have: what is told of the card holds all the same.
MOST_UNREAD = 6


def what_with(city: City, said: Reading) -> Finding | None:
    """What each symbol of the one card of the asker's hand that is named could do now: `who could Mr Gryle get rid of`."""
    has = frozenset(said.concepts)
    held = [card for card in city.private["hand"] if card["name"] in said.cards]
    if len(held) != 1 or len(said.cards) > 1 or has & OTHERWISE or said.numbers or len(said.unread) > MOST_UNREAD:
        return None
    if not ((has & ASKING and has & {"me", "can", "will", "do"}) or {"can", "me"} <= has):
        return None
    (card,) = held
    lacks = [symbol for concept, symbol in PLAIN.items() if concept in has and symbol not in card["symbols"]]
    verbs = {target.split()[0] for step in card["today"] for target in step["targets"]}
    if lacks and not verbs & has:
        return Finding("not_on_card", {"card": card["name"], "symbol": lacks[0]}, (card["id"], "R-TRN-5"))
    if not card["today"]:
        return None
    today = [{"symbol": step["symbol"], "targets": list(step["targets"])} for step in card["today"]]
    facts = {
        "card": card["name"],
        "scroll": card["scroll"],
        "today": today,
        "areas": [dict(area) for area in city.view["areas"]],
        "comes_to": comes_to(city, CARDS[CARD.index(card["name"])]),
    }
    return Finding("what_with_card", facts, (card["id"], "R-TRN-5"))


def comes_to(city: City, card: Card) -> dict[str, Any] | None:
    """What a scroll that asks nothing comes to now, or one that builds at half price; None for any other."""
    there = city.position
    amount = card.arguments[-1] if card.arguments and isinstance(card.arguments[-1], int) else 1
    if card.effect == "draw_per_own_building":
        return {"kind": "draw", "amount": amount * there.buildings[city.number].bit_count()}
    if card.effect == "money_per_trouble":
        return {"kind": "money", "amount": amount * there.trouble.bit_count()}
    if card.effect == "money_per_building":
        return {"kind": "money", "amount": amount * there.built.bit_count()}
    if card.effect == "money_per_minion_in_area":
        return {"kind": "money", "amount": amount * there.crowd[AREA_NUMBER[str(card.arguments[0])]]}
    if card.effect == "money_per_minion_in_trouble":
        most = max((there.crowd[area] for area in BITS[there.trouble]), default=0)
        best = [AREA[area] for area in BITS[there.trouble] if there.crowd[area] == most]
        return {"kind": "most", "amount": amount * most, "areas": best}
    if card.effect == "build_half_price":
        sites, all_sites = city.sites(affordable=AFFORDABLE_HALF), city.sites(more=18)
        areas = [{"area": area, "cost": cost(area) // 2} for area in sites]
        dear = [area for area in all_sites if area not in sites]
        return {"kind": "half", "amount": city.own["money"], "areas": areas, "dear": dear}
    return None


@form("how-much how-many", "CARD", allows="money me do have get can card will draw")
def counted_by_card(city: City, said: Reading) -> Finding | None:
    """R-SCR-MONEY, R-SCR-DRAW: what is counted now, whoever holds the card."""
    if len(said.cards) != 1:
        return None
    card = CARDS[CARD.index(said.cards[0])]
    counted = comes_to(city, card)
    if counted is None or counted["kind"] == "half":
        return None
    return Finding(
        "counted_by_card",
        {"card": card.name, "comes_to": counted},
        ("R-SCR-MONEY" if counted["kind"] != "draw" else "R-SCR-DRAW", card.id),
    )
