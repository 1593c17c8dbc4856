"""How far the asker is, what the points would be, and what is to be done now."""

from __future__ import annotations

from games.ankh_morpork.answers.city import City
from games.ankh_morpork.answers.forms import form, whose
from games.ankh_morpork.answers.places import _verdict
from games.ankh_morpork.answers.reading import Reading
from games.ankh_morpork.data.cards import CARD, CARDS, PERSONALITIES
from games.ankh_morpork.position.options import COLOURS
from games.ankh_morpork.rules.winning import points_of
from pbem.protocol import Finding

#: Goal -> the rule that says it.
RULES = {
    "areas_with_minion": "R-WIN-4",
    "areas_controlled": "R-WIN-5",
    "trouble_on_board": "R-WIN-6",
    "net_worth": "R-WIN-7",
    "draw_pile_empty": "R-WIN-8",
}


@form("how-far", allows="me win have do area control need personality NUMBER")
@form("control", "win", "how-many", "me", allows="me next need will area do NUMBER have")
@form(
    "win need",
    "how-many how-much what which",
    allows="me win need do area have left trouble money must control building more can personality another if NUMBER everybody",
)
def how_far(city: City, said: Reading) -> Finding | None:
    """The asker's own goal and no other's: those are secret."""
    who = city.private["personality"]
    if who is None or ("me" not in said.concepts and "how-far" not in said.concepts):
        return None
    asked = set(said.concepts)
    if any(number != str(who["need"]) for number in said.numbers):
        return None
    if "how-far" not in asked and not asked & {"win", "need", "personality"}:
        return None
    person = next(person for person in PERSONALITIES if person.name == who["name"])
    about = {
        "area": ("areas_with_minion", "areas_controlled"),
        "control": ("areas_controlled",),
        "trouble": ("trouble_on_board",),
        "money": ("net_worth",),
        "building": (),
    }
    if any(word in asked and person.goal not in goals for word, goals in about.items()):
        return None
    facts = {key: who[key] for key in ("name", "need", "have", "met", "progress")}
    return Finding(
        "how_far", {**facts, "goal": person.goal, "pile": city.view["draw_pile"]}, (RULES[person.goal], person.id)
    )


@form("who what which how win have", "me", allows="win personality have do")
def own_goal(city: City, said: Reading) -> Finding | None:
    """The asker's own personality, and R-WIN-1: `who am I`, `how do I win`, `have I won`."""
    asked = set(said.concepts)
    if asked & {"win", "personality"} or asked <= {"who", "me"}:
        return how_far(city, Reading(("how-far", "me")))
    return None


@form("cost how-much", "EVENT", "me", allows="do have must can")
def cost_of_subsidence(city: City, said: Reading) -> Finding | None:
    """R-EVT-SUB."""
    if said.events != ("Subsidence",):
        return None
    count = len(city.own["buildings"])
    return Finding(
        "cost_of_subsidence",
        {"count": count, "cost": 2 * count, "money": city.own["money"]},
        ("R-EVT-SUB", "subsidence"),
    )


@form(
    "points",
    "how-many how-much what who",
    allows="me COLOUR everybody others have end-of-game do get win can most loan",
)
@form(
    "end-of-game",
    "how-many how-much points who",
    allows="me COLOUR everybody others have do get win points can what loan",
)
def points(city: City, said: Reading) -> Finding | None:
    """R-END-4 to R-END-6: all of it is public."""
    asked = set(said.concepts)
    if not asked & {"points"} and "who" not in asked:
        return None
    alone = said.colours or "me" in asked
    colours = [whose(city, said)] if alone and not asked & {"everybody", "who"} else list(city.colours)
    if any(colour not in city.colours for colour in colours) or len(said.colours) > 1:
        return None
    counts = [{"colour": colour, **points_of(city.position, COLOURS.index(colour))} for colour in colours]
    return Finding("points", {"counts": counts}, ("R-END-4", "R-END-6"))


@form("whose-turn", allows="me do")
def whose_turn(city: City, said: Reading) -> Finding | None:
    """R-SET-7."""
    return Finding("whose_turn", {"colour": city.view["actor"], "turn": city.view["turn"]}, ("R-SET-7", "mail:status"))


@form("after", allows="who me COLOUR turn what")
def who_is_next(city: City, said: Reading) -> Finding | None:
    """R-SET-7."""
    colours = list(city.colours)
    start = colours.index(city.view["actor"])
    order = [*colours[start:], *colours[:start]]
    return Finding("who_is_next", {"actor": order[0], "order": order[1:]}, ("R-SET-7", "mail:status"))


@form("turn-number", allows="do what which")
def turn_number(city: City, said: Reading) -> Finding | None:
    return Finding("whose_turn", {"colour": city.view["actor"], "turn": city.view["turn"]}, ("R-SET-7", "mail:status"))


@form("what which", "do must", allows="me can must want turn have do play card")
def what_to_do(city: City, said: Reading) -> Finding | None:
    """R-TRN-3, R-TRN-4."""
    if not {"me", "do"} & set(said.concepts) or not {"play", "do"} & set(said.concepts):
        return None
    mine = city.view["actor"] == city.me
    playable = [card.name for card in city.hand if not card.interrupt]
    if mine and city.view["in_play"] is not None:
        return None  # the turn is under way; the mail's own list says what is asked
    powers = [{"area": power["area"], "text": power["text"]} for power in city.private["powers"] if power["usable"]]
    drawn = max(0, city.own["hand_limit"] - city.own["hand_size"])
    facts = {
        "mine": mine,
        "actor": city.view["actor"],
        "cards": playable,
        "held": len(city.hand),
        "powers": powers,
        "drawn": drawn,
    }
    return Finding("what_to_do", facts, ("R-TRN-3" if playable or not mine else "R-TRN-4", "R-TRN-8"))


#: What cards are asked for -> the symbol that does it.
BY_SYMBOL = {
    "build": "building",
    "building": "building",
    "assassinate": "assassinate",
    "calm": "calm",
    "place": "minion",
    "minion": "minion",
}


@form(
    "which what",
    "card",
    "me hand",
    "play build building assassinate calm place minion",
    allows="me hand have can play do allows",
)
def cards_for(city: City, said: Reading) -> Finding | None:
    """The asker's cards that have a symbol, or that may be played at all (R-SYM-IN)."""
    symbols = [symbol for concept, symbol in BY_SYMBOL.items() if concept in said.concepts]
    if len(dict.fromkeys(symbols)) > 1:
        return None
    cards = [card.name for card in city.hand if (symbols[0] in card.symbols if symbols else not card.interrupt)]
    return Finding(
        "cards_for",
        {"cards": cards, "symbol": symbols[0] if symbols else ""},
        ("R-TRN-3" if not symbols else "R-TRN-5",),
    )


@form("can why not", "play", "CARD", allows="me can why not turn card have do")
def play_card(city: City, said: Reading) -> Finding | None:
    """R-TRN-3, R-SYM-IN."""
    if len(said.cards) != 1:
        return None
    (name,) = said.cards
    card = CARDS[CARD.index(name)]
    if city.view["actor"] == city.me and city.view["in_play"] is not None and card in city.hand and not card.interrupt:
        return None
    barred = city.reason("turn", f"play {name}")
    return _verdict("play_card", name, barred, "R-SYM-IN" if card.interrupt else "R-TRN-3", card.id)
