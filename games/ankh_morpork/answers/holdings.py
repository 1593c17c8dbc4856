"""Money, cards and piles, as far as the asker may see them."""

from __future__ import annotations

from games.ankh_morpork.answers.city import City
from games.ankh_morpork.answers.forms import form, whose
from games.ankh_morpork.answers.reading import Reading
from pbem.protocol import Finding


@form("how-much who", "money", allows="me COLOUR everybody others have left do most player")
def how_much_money(city: City, said: Reading) -> Finding | None:
    """R-HID-1."""
    if "who" in said.concepts and not {"have", "most"} <= set(said.concepts):
        return None
    colours = list(said.colours) or (
        [city.me] if "me" in said.concepts and "everybody" not in said.concepts else list(city.colours)
    )
    if "me" in said.concepts and "others" in said.concepts:
        colours = list(city.colours)
    if any(colour not in city.colours for colour in colours):
        return None
    money = [{"colour": colour, "money": city.seat(colour)["money"]} for colour in colours]
    return Finding("how_much_money", {"money": money}, ("R-HID-1",))


@form("who", "most", allows="have money")
def richest(city: City, said: Reading) -> Finding | None:
    """R-HID-1."""
    money = [{"colour": colour, "money": city.seat(colour)["money"]} for colour in city.colours]
    return Finding("how_much_money", {"money": money}, ("R-HID-1",))


@form("how-many", "draw", allows="card me end-of-turn do have get can")
def how_many_drawn(city: City, said: Reading) -> Finding | None:
    """R-TRN-8: what is held now, before any card of this turn is played."""
    return Finding("how_many_drawn", _hand_facts(city), ("R-TRN-8", "R-SCR-STICK"))


def _hand_facts(city: City) -> dict[str, object]:
    own = city.own
    playable = any(not card.interrupt for card in city.hand)
    return {
        "held": own["hand_size"],
        "limit": own["hand_limit"],
        "stuck": list(own["stuck"]),
        "draw": max(0, own["hand_limit"] - own["hand_size"]),
        "after_playing": max(0, own["hand_limit"] - own["hand_size"] + 1),
        "playing": playable and city.view["actor"] == city.me and city.view["in_play"] is None,
        "pile": city.view["draw_pile"],
    }


@form("limit", allows="what me hand card how-many have is which")
def hand_limit(city: City, said: Reading) -> Finding | None:
    """R-TRN-8."""
    if "me" not in said.concepts:
        return None
    return Finding("hand_limit", _hand_facts(city), ("R-TRN-8", "R-SCR-STICK"))


@form("how-many", "card pile", allows="pile left have hand me COLOUR everybody others do card until end-of-game")
def how_many_cards(city: City, said: Reading) -> Finding | None:
    """R-HID-1."""
    asked = set(said.concepts)
    if "pile" in asked or (
        asked & {"left", "end-of-game"} and not asked & {"me", "COLOUR", "everybody", "others", "hand"}
    ):
        if asked & {"me", "COLOUR", "everybody", "others", "hand"}:
            return None
        return Finding(
            "cards_in_pile",
            {"pile": city.view["draw_pile"], "events": city.view["events_left"]},
            ("R-END-2", "R-HID-1"),
        )
    if not asked & {"me", "COLOUR", "everybody", "others"} or "end-of-game" in asked:
        return None
    alone = said.colours or (["me"] if "me" in asked else [])
    colours = ([whose(city, said)] if len(said.colours) <= 1 else list(said.colours)) if alone else list(city.colours)
    if any(colour not in city.colours for colour in colours):
        return None
    return Finding(
        "hand_sizes", {"hands": [{"colour": c, "cards": city.seat(c)["hand_size"]} for c in colours]}, ("R-HID-1",)
    )


@form("discards", "what which how-many stand", allows="card have left do")
def in_the_discards(city: City, said: Reading) -> Finding | None:
    """R-HID-1: discards are seen by everybody."""
    return Finding("in_the_discards", {"cards": list(city.view["discards"])}, ("R-HID-1",))


@form("last", "card play", allows="what which who card play do have")
def last_played(city: City, said: Reading) -> Finding | None:
    """R-HID-1: what lies in the play spot, or on top of the discard pile."""
    if "play" not in said.concepts or "who" in said.concepts:
        return None
    return Finding(
        "last_played",
        {"card": city.view["in_play"], "discard": next(iter(city.view["discards"]), None)},
        ("R-HID-1", "R-TRN-7"),
    )


@form("CARD", "discards", allows="have card do already")
def where_is_card(city: City, said: Reading) -> Finding | None:
    """R-HID-1: what lies open."""
    if len(said.cards) != 1:
        return None
    (card,) = said.cards
    front = next((seat["colour"] for seat in city.view["seats"] if card in (*seat["loans"], *seat["stuck"])), None)
    where = (
        "discards"
        if card in city.view["discards"]
        else "in_play"
        if card == city.view["in_play"]
        else "front"
        if front
        else None
    )
    return Finding("where_is_card", {"card": card, "where": where, "colour": front}, ("R-HID-1",))


@form("hand", "what which", allows="have card me")
@form("what which", "card", "me", allows="have hand")
def my_hand(city: City, said: Reading) -> Finding | None:
    """The asker's own cards."""
    return Finding("my_hand", {"cards": [card.name for card in city.hand]}, ("R-HID-1",))


@form("loan", "who how-many have which", allows="me COLOUR everybody do have card in-front what")
def loans(city: City, said: Reading) -> Finding | None:
    """R-SCR-LOAN."""
    colours = [whose(city, said)] if said.colours or "me" in said.concepts else list(city.colours)
    if any(colour not in city.colours for colour in colours) or len(said.colours) > 1:
        return None
    return Finding(
        "loans",
        {"loans": [{"colour": c, "cards": list(city.seat(c)["loans"])} for c in colours]},
        ("R-SCR-LOAN", "R-END-6"),
    )


@form("event", "which what how-many", allows="happened left have do card pile already")
def events(city: City, said: Reading) -> Finding | None:
    """R-SYM-EV."""
    if not {"happened", "left"} & set(said.concepts):
        return None
    return Finding(
        "events",
        {"happened": list(city.view["events_used"]), "left": city.view["events_left"]},
        ("R-SYM-EV", "R-HID-1"),
    )
