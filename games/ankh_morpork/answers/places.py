"""Where something can be done, whether it can, and why not."""

from __future__ import annotations

from itertools import takewhile

from games.ankh_morpork.answers.city import City, cost
from games.ankh_morpork.answers.forms import form
from games.ankh_morpork.answers.reading import Reading
from games.ankh_morpork.data.cards import AREA, CARD, CARDS
from games.ankh_morpork.position.options import OWNERS
from pbem.protocol import Finding, Reason

#: What a question about what can be done may have besides.
ASIDE = "me can want must minion play turn CARD do take have which if"


def _by_symbol(said: Reading, symbol: str) -> bool:
    """Whether the cards that are named do it by a plain symbol, as against a scroll with rules of its own."""
    if "if" in said.concepts and not said.cards:
        return False  # `if` anything else but a card is played, the view says nothing of it
    return all(symbol in CARDS[CARD.index(card)].symbols for card in said.cards)


def money_first(said: Reading, symbol: str) -> int:
    """What the card that is named brings before its symbol comes up (R-TRN-5)."""
    if len(said.cards) != 1:
        return 0
    before = takewhile(lambda one: one != symbol, CARDS[CARD.index(said.cards[0])].symbols)
    return sum(int(one.partition(":")[2]) for one in before if one.startswith("money:"))


def _verdict(word: str, area: str, reason: Reason | None, *rules: str, **facts: object) -> Finding:
    """Whether something can be done in an area, and if not why."""
    why = {"reason": reason.word, "facts": dict(reason.facts)} if reason else None
    return Finding(word, {"area": area, "why": why, **facts}, rules)


# Minions


@form("where which what", "place", allows=f"{ASIDE} area all-out own out")
def where_to_place(city: City, said: Reading) -> Finding | None:
    """R-MIN-1, R-MIN-2."""
    if not _by_symbol(said, "minion"):
        return None
    if city.own["minions_left"]:
        return None if "all-out" in said.concepts else Finding("where_to_place", {"areas": city.reach()}, ("R-MIN-1",))
    facts = {"from": city.standing(city.me), "areas": [area for area in AREA if _can_move_to(city, area)]}
    return Finding("where_from", facts, ("R-MIN-2", "R-MIN-1"))


def _can_move_to(city: City, area: str) -> bool:
    return any(area in city.reach(off) for off in city.standing(city.me))


@form("place", "AREA", "can why not", allows=f"{ASIDE} why not have own")
def place_in(city: City, said: Reading) -> Finding | None:
    """R-MIN-1."""
    if len(said.areas) != 1 or not _by_symbol(said, "minion") or said.colours:
        return None
    (area,) = said.areas
    barred = city.reason("minion", f"minion {area}")
    if not city.own["minions_left"]:
        barred = None if _can_move_to(city, area) else Reason("no-reach", {"area": area, "without": None})
    near = [name for name in city.at(area)["neighbours"] if city.count(city.me, name)]
    return _verdict("place_in", area, barred, "R-MIN-1", near=near, own=city.count(city.me, area))


# Buildings


@form("why", "build", allows="me not can area anywhere building have")
@form("where which what whom", "build", allows=f"{ASIDE} area cost afford building own money how-much")
def where_to_build(city: City, said: Reading) -> Finding | None:
    """R-BLD-1, R-BLD-2."""
    if not _by_symbol(said, "building") or said.areas:
        return None
    more = money_first(said, "building")
    open_to = city.sites(more)
    sites = [{"area": area, "cost": cost(area)} for area in open_to]
    others = [area for area in city.standing(city.me) if area not in open_to]
    barred = {
        "trouble": [area for area in others if city.at(area)["trouble"] and not city.at(area)["building"]],
        "built": [area for area in others if city.at(area)["building"]],
    }
    barred["price"] = [area for area in others if area not in (*barred["trouble"], *barred["built"])]
    facts = {"sites": sites, "barred": barred, "money": city.own["money"] + more, "left": city.own["buildings_left"]}
    return Finding("where_to_build", facts, ("R-BLD-1", "R-BLD-2"))


@form("building", "AREA", "why", "me", allows="me why not can")
@form("build", "AREA", "can why not", allows=f"{ASIDE} why not have own building afford")
def build_in(city: City, said: Reading) -> Finding | None:
    """R-BLD-1, R-BLD-2."""
    if len(said.areas) != 1 or not _by_symbol(said, "building") or said.colours:
        return None
    (area,) = said.areas
    barred = city.reason("building", f"build {area}")
    if barred and barred.word == "which-goes":
        barred = None
    money = {"cost": cost(area), "money": city.own["money"]}
    return _verdict("build_in", area, barred, "R-BLD-1" if not barred or barred.word != "price" else "R-BLD-2", **money)


@form("cost how-much afford", "AREA", allows="build building me can do what how-much cost have money want not why")
def cost_in(city: City, said: Reading) -> Finding | None:
    """R-BLD-2."""
    if len(said.areas) != 1 or not {"cost", "afford", "build", "building"} & set(said.concepts):
        return None
    (area,) = said.areas
    facts = {"area": area, "cost": cost(area), "money": city.own["money"]}
    return Finding("cost_in", facts, ("R-BLD-2", _slug(area)))


def _slug(area: str) -> str:
    return area.casefold().replace("'", "").replace(" ", "-")


@form("why", "not", "AREA", allows="me can have")
def why_not_there(city: City, said: Reading) -> Finding | None:
    """Nothing is said of what is meant: it is what cannot be done there, if that is one thing of the two."""
    if len(said.areas) != 1:
        return None
    (area,) = said.areas
    built, placed = build_in(city, said), place_in(city, said)
    barred = [finding for finding in (built, placed) if finding and finding.facts["why"]]
    if len(barred) == 2 and not city.count(city.me, area):
        return placed
    return barred[0] if len(barred) == 1 else None


# Assassinations


@form(
    "whom who what which where",
    "assassinate",
    allows="me can minion play CARD area turn want do COLOUR troll demon AREA have",
)
def whom_to_assassinate(city: City, said: Reading) -> Finding | None:
    """R-SYM-AS."""
    if not _by_symbol(said, "assassinate") or len(said.areas) > 1:
        return None
    if said.colours or {"troll", "demon"} & set(said.concepts):
        owners = [*said.colours, *({"troll", "demon"} & set(said.concepts))]
        if len(owners) != 1 or "where" not in said.concepts:
            return None
        victims = [o for o in city.victims() if OWNERS[o.value[0]] == owners[0]]
    else:
        victims = list(city.victims())
    pieces = [{"colour": OWNERS[option.value[0]], "area": AREA[option.value[1]]} for option in victims]
    pieces = [piece for piece in pieces if piece["area"] in (said.areas or AREA)]
    areas = [area for area in city.troubled if area in (said.areas or AREA)]
    return Finding("whom_to_assassinate", {"pieces": pieces, "areas": areas, "within": list(said.areas)}, ("R-SYM-AS",))


@form(
    "assassinate",
    "AREA COLOUR troll demon",
    "can why not",
    allows="me can why not minion play CARD AREA turn want COLOUR troll demon have",
)
def assassinate_there(city: City, said: Reading) -> Finding | None:
    """R-SYM-AS."""
    owners = [*said.colours, *(owner for owner in ("troll", "demon") if owner in said.concepts)]
    if len(owners) > 1 or len(said.areas) > 1 or not _by_symbol(said, "assassinate"):
        return None
    order = "assassinate " + " in ".join([*owners[:1], *said.areas])
    if not owners and said.areas:
        order = f"assassinate in {said.areas[0]}"
    if owners == [city.me]:
        return None
    barred = city.reason("assassinate", order)
    there = [OWNERS[o.value[0]] for o in city.victims() if AREA[o.value[1]] in said.areas]
    if barred is None and said.areas and (owners[0] not in there if owners else not there):
        return None
    return _verdict(
        "assassinate_there",
        said.areas[0] if said.areas else "",
        barred,
        "R-SYM-AS",
        colour=(owners or [""])[0],
        there=there,
    )


# Trouble


@form("where which what", "calm", allows=f"{ASIDE} area trouble")
def where_to_calm(city: City, said: Reading) -> Finding | None:
    """R-SYM-CA."""
    if not _by_symbol(said, "calm") or said.areas:
        return None
    return Finding("where_to_calm", {"areas": city.troubled}, ("R-SYM-CA",))


@form("calm", "AREA", "can why not", allows=f"{ASIDE} why not trouble have")
def calm_in(city: City, said: Reading) -> Finding | None:
    """R-SYM-CA."""
    if len(said.areas) != 1 or not _by_symbol(said, "calm"):
        return None
    return _verdict("calm_in", said.areas[0], city.reason("calm", f"calm {said.areas[0]}"), "R-SYM-CA")


@form("trouble", "AREA", "cause place", allows="cause place me can minion another if will everybody troll demon area")
def trouble_by_placing(city: City, said: Reading) -> Finding | None:
    """R-TRB-1."""
    if len(said.areas) != 1:
        return None
    (area,) = said.areas
    crowd = city.position.crowd[AREA.index(area)]
    return Finding(
        "trouble_by_placing",
        {"area": area, "crowd": crowd, "trouble": city.at(area)["trouble"]},
        ("R-TRB-1", _slug(area)),
    )


@form("danger assassinate", "me", allows="minion AREA can everybody where which have who others whom")
def in_danger(city: City, said: Reading) -> Finding | None:
    """R-SYM-AS: whom an assassin of somebody else could meet."""
    asked = set(said.concepts)
    if "danger" not in asked and not ({"everybody", "others"} & asked and {"can"} <= asked):
        return None
    areas = [area for area in city.standing(city.me) if city.at(area)["trouble"] and area in (said.areas or AREA)]
    return Finding("in_danger", {"areas": areas, "within": list(said.areas)}, ("R-SYM-AS", "R-TRB-7"))


# Area cards


@form("which what where", "use", allows="me can have area own turn")
def which_powers(city: City, said: Reading) -> Finding | None:
    """R-ARE-1 to R-ARE-3."""
    powers = [dict(power) for power in city.private["powers"]]
    return Finding("which_powers", {"powers": powers, "mine": city.view["actor"] == city.me}, ("R-ARE-1", "R-TRN-6"))


@form("use", "AREA", "can why not", allows="me can why not building turn own have")
def use_of(city: City, said: Reading) -> Finding | None:
    """R-ARE."""
    if len(said.areas) != 1:
        return None
    (area,) = said.areas
    power = next((power for power in city.private["powers"] if power["area"] == area), None)
    if power and power["usable"]:
        return _verdict("use_of", area, None, "R-ARE-1", _slug(area), text=power["text"])
    return _verdict("use_of", area, city.reason("turn", f"use {area}"), "R-ARE-1", _slug(area), text="")
