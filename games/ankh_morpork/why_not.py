"""Why what a player's words mean is no option: the rule that forbids it, by what the seat itself can see.

Only the view of the seat and the question put to it are looked at, so that no refusal can tell what is hidden.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from games.ankh_morpork.data.cards import AREA, AREA_NUMBER, AREAS, CARD, CARDS, Card
from games.ankh_morpork.position.options import COLOURS, OWNERS
from games.ankh_morpork.text.words import VOCABULARY
from pbem.protocol import Decision, Reason, View

#: Each reason -> its facts; the wording of each is in the template `own_errors`. Names are as on the board, colours
#: those of seats, `troll` or `demon`, and dollars are numbers.
REASONS: Mapping[str, tuple[str, ...]] = {
    # of places
    "no-reach": ("area", "without"),
    "not-near": ("area", "near"),
    "not-next": ("area", "near"),
    "only-areas": ("area", "areas"),
    "same-area": ("area",),
    "under-water": ("area",),
    "not-hit": ("area",),
    # of trouble
    "no-trouble": ("area",),
    "no-trouble-next": ("area",),
    "trouble-there": ("area",),
    "trouble-already": ("area",),
    # of minions
    "nobody-there": ("area",),
    "nobody-else": ("area",),
    "not-there": ("colour", "area"),
    "not-in-trouble": ("colour",),
    "own-minion": ("card",),
    "only-own": ("card",),
    "not-theirs": ("colour", "card"),
    "none-leaves": ("left",),
    "which-leaves": ("area",),
    # of buildings
    "no-minion": ("area",),
    "built": ("area", "colour"),
    "price": ("area", "amount", "money"),
    "no-building": ("area",),
    "not-your-building": ("area", "colour"),
    "own-building": ("area",),
    "not-of": ("area", "colour", "target"),
    "none-goes": ("left",),
    "which-goes": ("area",),
    "chosen": ("name",),
    # of area cards
    "not-your-card": ("area", "colour"),
    "power": ("area", "why", "kind", "amount", "money"),
    "protects": ("area",),
    "power-later": ("area",),
    # of cards
    "not-held": ("card", "where", "colour"),
    "is-interrupt": ("card",),
    "is-no-interrupt": ("card",),
    "no-answer": ("card",),
    "nothing-to-answer": ("card",),
    "no-more-cards": ("card", "played"),
    "not-seen": ("card", "colour"),
    "no-dollar": (),
    # of players
    "not-playing": ("colour",),
    "yourself": (),
    "same-player": ("colour",),
    "has-no-building": ("colour",),
    "has-no-cards": ("colour",),
    # of the turn
    "not-your-turn": ("colour",),
    "no-card-yet": ("verb", "cards"),
    "not-on-card": ("symbol", "card"),
    "symbol-done": ("symbol", "card"),
    "symbol-later": ("symbol", "card", "before"),
    "must-play": (),
}

#: Verb -> the kinds of decisions that ask for it.
ASKED = {
    "minion": ("minion", "relocate"),
    "build": ("building",),
    "assassinate": ("assassinate",),
    "calm": ("calm",),
    "trouble": ("trouble",),
    "burn": ("burn", "subsidence"),
    "buy": ("buy",),
    "move": ("move", "flood"),
    "remove": ("remove", "dibbler"),
    "swap": ("swap",),
    "target": ("target", "area"),
    "pays": ("payment",),
    "give": ("give", "tribute"),
    "discard": ("discard",),
    "keep": ("keep",),
    "pay": ("dibbler",),
    "protect": ("react",),
}
#: Verb -> the symbol that asks for it, and how the names of scrolls begin that ask for it too.
SYMBOL: dict[str, tuple[str, tuple[str, ...]]] = {
    "minion": ("minion", ("place_anywhere", "place_near", "place_at")),
    "build": ("building", ("build_",)),
    "assassinate": ("assassinate", ("pay_then_assassinate",)),
    "calm": ("calm", ()),
    "scroll": ("scroll", ()),
}
#: Verbs that leave out what is asked.
DECLINING = ("end", "skip", "pass", "done")
#: The word before an area that is left or given up: `from Dimwell`, `instead of Dimwell`.
LEAVING = (["from"], ["of"])
_CARDS = {card.name: card for card in CARDS}
_AREAS = {area.name: area for area in AREAS}
_NAMES = re.compile(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted((*AREA, *CARD, *OWNERS), key=len, reverse=True)))})(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Said:
    """An order text, as far as it is said, beside what the seat sees and is asked."""

    view: View
    decision: Decision
    text: str
    colours: Sequence[str]
    cards: Sequence[str]
    #: Those in or to which something goes, and those behind `from` or `instead of`.
    areas: Sequence[str]
    off: Sequence[str]

    @property
    def me(self) -> str:
        return COLOURS[self.decision.seat]

    @property
    def seat(self) -> Mapping[str, Any]:
        return self.of(self.me)

    @property
    def card(self) -> Card | None:
        """The card that asks."""
        return _CARDS.get(self.decision.facts.get("card") or "")

    @property
    def doing(self) -> str:
        """What asks: how a scroll or an area card is named in the data; empty for another symbol or an event."""
        if self.decision.facts.get("symbol") == "scroll" and self.card:
            return self.card.effect
        area = _AREAS.get(self.decision.facts.get("cause") or "")
        return area.power_kind if area else ""

    @property
    def hand(self) -> Mapping[str, Mapping[str, Any]]:
        return {card["name"]: card for card in self.view["private"]["hand"]}

    def of(self, colour: str) -> Mapping[str, Any]:
        """What is seen of a seat."""
        return next(seat for seat in self.view["seats"] if seat["colour"] == colour)

    def at(self, area: str) -> Mapping[str, Any]:
        """What is seen of an area."""
        there: Mapping[str, Any] = self.view["areas"][_AREAS[area].index]
        return there

    def count(self, owner: str, area: str) -> int:
        """How many pieces of an owner stand in an area."""
        there = self.at(area)
        return int(there["minions"].get(owner, 0) if owner in COLOURS else there[f"{owner}s"])

    def crowd(self, area: str, but: str = "") -> int:
        """How many pieces of anybody stand in an area, but for those of one owner."""
        return sum(self.count(owner, area) for owner in OWNERS if owner != but)

    def near(self, area: str, centre: str) -> bool:
        """Whether an area is another or its neighbour."""
        return area == centre or area in self.at(centre)["neighbours"]

    def because(self, word: str, **facts: Any) -> Reason:
        """The reason, with its facts."""
        assert tuple(facts) == REASONS[word], f"{word}: {tuple(facts)}"
        return Reason(word, facts)


Rule: TypeAlias = Callable[[Said], Reason | None]
#: Verb -> why an order with it is no option, where it is asked for; and wherever it is said.
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """Register the rule of the verb that a function is named after."""
    RULES[function.__name__.strip("_")] = function
    return function


def why_not(view: View, decision: Decision, text: str) -> Reason | None:
    """Why an order text, or as much of one as was said, is no option of a decision; None when the verb is not asked
    for, or no rule is known that forbids it."""
    said = _said(view, decision, text)
    words = text.split()
    verb = next((word for word in words if word in VOCABULARY.verbs), "")
    if not verb and (said.cards or (said.areas and decision.kind in ("turn", "close"))):
        verb = "play" if said.cards else "use"
    if verb in ("use", "play", "interrupt") or decision.kind in ASKED.get(verb, ()):
        return RULES[verb](said)
    if decision.kind == "turn":
        return said.because("must-play") if verb in DECLINING else _of_no_card(said, verb) if verb else None
    if verb in SYMBOL and not decision.window:
        return _of_symbol(said, *SYMBOL[verb])
    return None


def _said(view: View, decision: Decision, text: str) -> Said:
    names = [(match.group(), text[: match.start()].split()[-1:] in LEAVING) for match in _NAMES.finditer(text)]
    return Said(
        view,
        decision,
        text,
        colours=[name for name, _ in names if name in OWNERS],
        cards=[name for name, _ in names if name in _CARDS],
        areas=[name for name, leaves in names if name in _AREAS and not leaves],
        off=[name for name, leaves in names if name in _AREAS and leaves],
    )


def _of_symbol(said: Said, symbol: str, effects: tuple[str, ...]) -> Reason | None:
    """A symbol of a card is meant that is not asked about now."""

    if len(said.decision.options) < 2:
        return None
    if said.view["actor"] != said.me:
        return said.because("not-your-turn", colour=said.view["actor"])
    card = said.card
    if card is None:
        return None
    if symbol not in card.symbols and not card.effect.startswith(effects):
        return said.because("not-on-card", symbol=symbol, card=card.name)
    kinds = [kind.partition(":")[0] for kind in card.symbols]
    now = said.decision.facts.get("symbol")
    if symbol not in kinds or now not in kinds:
        return said.because("symbol-done", symbol=symbol, card=card.name) if now is None else None
    if kinds.index(now) < max(place for place, kind in enumerate(kinds) if kind == symbol):
        return said.because("symbol-later", symbol=symbol, card=card.name, before=now)
    return said.because("symbol-done", symbol=symbol, card=card.name)


def _of_no_card(said: Said, verb: str) -> Reason:
    """No card has been played yet; those of the hand that have the symbol, or could do this now."""
    symbol = SYMBOL[verb][0] if verb in SYMBOL else ""

    def helps(card: Mapping[str, Any]) -> bool:
        return symbol in card["symbols"] or any(
            text.startswith(f"{verb} ") for today in card["today"] for text in today["targets"]
        )

    cards = [name for name, card in said.hand.items() if helps(card)]
    return said.because("no-card-yet", verb=verb, cards=cards)


# Minions


@rule
def minion(said: Said) -> Reason | None:
    """R-MIN: where a minion may be placed, and which one leaves when all twelve are out."""
    left = said.seat["minions_left"]
    for off in said.off:
        if not said.count(said.me, off):
            return said.because("not-there", colour=said.me, area=off)
        if left:
            return said.because("none-leaves", left=left)
    for area in said.areas:
        if area in said.off or (said.decision.kind == "relocate" and area == said.decision.facts["from"]):
            return said.because("same-area", area=area)
        reason = _of_place(said, area)
        if reason:
            return reason
        if not left and not said.off:
            return said.because("which-leaves", area=area)
    return None


def _of_place(said: Said, area: str) -> Reason | None:
    """Why no minion can be placed in an area."""
    near = _centre(said)
    if near:
        return None if said.near(area, near) else said.because("not-near", area=area, near=near)
    if said.doing == "place_at_own_building":
        owner = said.at(area)["building"]
        return None if owner == said.me else said.because("not-your-building", area=area, colour=owner)
    if said.doing == "place_at_trouble":
        return None if said.at(area)["trouble"] else said.because("no-trouble", area=area)
    if said.doing.startswith("place_"):
        return None
    off = said.off[0] if said.off else None
    standing = {name: said.count(said.me, name) - (name == off) for name in AREA}
    if any(standing.values()) and not any(standing[name] and said.near(area, name) for name in AREA):
        without = off if off and said.near(area, off) else None
        return said.because("no-reach", area=area, without=without)
    return None


def _centre(said: Said) -> str | None:
    """The area that, or a neighbour of which, it has to be."""
    if said.doing == "place_near" and said.card:
        return AREA[AREA_NUMBER[str(said.card.arguments[0])]]
    return str(said.decision.facts["cause"]) if said.doing in ("place_minion_near", "place_trouble_near") else None


@rule
def assassinate(said: Said) -> Reason | None:
    """R-SYM-AS: a piece that is not your own, where there is trouble."""
    if said.me in said.colours:
        return said.because("own-minion", card=None)
    for area in said.areas:
        if not said.at(area)["trouble"]:
            return said.because("no-trouble", area=area)
        if not said.crowd(area, but=said.me):
            return said.because("nobody-else", area=area)
    troubled = [area for area in AREA if said.at(area)["trouble"]]
    return _not_there(said) or next(
        (
            said.because("not-in-trouble", colour=colour)
            for colour in said.colours
            if not any(said.count(colour, area) for area in troubled)
        ),
        None,
    )


def _not_there(said: Said) -> Reason | None:
    """A colour is named that has nobody in the area beside it; with no colour, an area where nobody is."""
    places = sorted((*said.areas[: max(1, len(said.colours))], *said.off), key=said.text.index)
    for colour, area in zip(said.colours, places, strict=False):
        if not said.count(colour, area):
            return said.because("not-there", colour=colour, area=area)
    for area in places if not said.colours else ():
        if not said.crowd(area):
            return said.because("nobody-there", area=area)
    return None


@rule
def remove(said: Said) -> Reason | None:
    """A piece in certain areas, of certain owners."""
    within = said.decision.facts["areas"]
    own = all(said.me in option.text for option in said.decision.options if option.text.startswith("remove "))
    if own and any(colour != said.me for colour in said.colours):
        return said.because("only-own", card=_cause(said))
    reason = _not_there(said)
    if reason:
        return reason
    for area in said.areas:
        if within and area not in within:
            return said.because("only-areas", area=area, areas=list(dict.fromkeys(within)))
    return next(
        (said.because("not-theirs", colour=colour, card=_cause(said)) for colour in said.colours if said.areas), None
    )


def _cause(said: Said) -> str | None:
    """What asks: a card, or an event or area."""
    cause: str | None = said.decision.facts["card"] or said.decision.facts["cause"]
    return cause


@rule
def move(said: Said) -> Reason | None:
    """Whose minions may move, from where, and where to."""
    flood = said.decision.kind == "flood"
    if said.doing.startswith("move_other") and said.me in said.colours:
        return said.because("own-minion", card=_cause(said))
    others = [colour for colour in said.colours if colour != said.me]
    if others and (flood or "own" in said.doing):
        return said.because("only-own", card=_cause(said))
    reason = _not_there(_leaving(said))
    if reason:
        return reason
    for area in said.off:
        if flood and area != said.decision.facts["from"]:
            return said.because("only-areas", area=area, areas=[said.decision.facts["from"]])
        if said.doing == "move_own_from_trouble_adjacent" and not said.at(area)["trouble"]:
            return said.because("no-trouble", area=area)
        for to in said.areas:
            if to == area:
                return said.because("same-area", area=to)
            if (flood or said.doing.endswith("adjacent")) and not said.near(to, area):
                return said.because("not-next", area=to, near=area)
            if flood:
                return said.because("under-water", area=to)
    return None


def _leaving(said: Said) -> Said:
    """The same, of the areas that pieces leave alone."""
    return Said(said.view, said.decision, said.text, said.colours, said.cards, (), said.off)


@rule
def swap(said: Said) -> Reason | None:
    """R-SCR-BURSAR: two pieces in different areas."""
    reason = _not_there(said)
    if reason is None and len(said.areas) > 1 and len(set(said.areas)) == 1:
        return said.because("same-area", area=said.areas[0])
    return reason


# Trouble


@rule
def calm(said: Said) -> Reason | None:
    """R-SYM-CA: any marker."""
    return next((said.because("no-trouble", area=area) for area in said.areas if not said.at(area)["trouble"]), None)


@rule
def trouble(said: Said) -> Reason | None:
    """An area without a marker; near The Shades with a minion in it, or beside one that has a marker."""
    near = _centre(said)
    for area in said.areas:
        here = said.at(area)
        if here["trouble"]:
            return said.because("trouble-already", area=area)
        if near and not said.near(area, near):
            return said.because("not-near", area=area, near=near)
        if near and not said.crowd(area):
            return said.because("nobody-there", area=area)
        if said.doing == "spread_trouble" and not any(said.at(name)["trouble"] for name in here["neighbours"]):
            return said.because("no-trouble-next", area=area)
    return None


# Buildings


@rule
def build(said: Said) -> Reason | None:
    """R-BLD: where a building may be put up, at which price, and which one goes when all six stand."""
    for area in said.areas:
        here = said.at(area)
        if here["building"]:
            return said.because("built", area=area, colour=here["building"])
        if here["trouble"]:
            return said.because("trouble-there", area=area)
        if not said.count(said.me, area):
            return said.because("no-minion", area=area)
        reason = _of_price(said, area) or _instead(said, area)
        if reason:
            return reason
    return None


def _of_price(said: Said, area: str) -> Reason | None:
    cost = said.decision.facts["costs"].get(area, said.at(area)["cost"])
    money = said.seat["money"]
    return None if cost <= money else said.because("price", area=area, amount=cost, money=money)


def _instead(said: Said, area: str) -> Reason | None:
    """R-BLD-3: with all six buildings out, one of them must go first."""
    left = said.seat["buildings_left"]
    for off in said.off:
        owner = said.at(off)["building"]
        if owner != said.me:
            return said.because("not-your-building", area=off, colour=owner)
        if left:
            return said.because("none-goes", left=left)
    return None if left or said.off else said.because("which-goes", area=area)


@rule
def buy(said: Said) -> Reason | None:
    """R-SCR-BUY: another's building, with or without trouble there as the scroll says, for its price."""
    wanted = bool(said.card and said.card.arguments[:1] == ("trouble",))
    for area in said.areas:
        here = said.at(area)
        if here["building"] is None:
            return said.because("no-building", area=area)
        if here["building"] == said.me:
            return said.because("own-building", area=area)
        if here["trouble"] != wanted:
            return said.because("no-trouble" if wanted else "trouble-there", area=area)
        reason = _of_price(said, area) or _instead(said, area)
        if reason:
            return reason
    return None


@rule
def burn(said: Said) -> Reason | None:
    """A building of whoever did not pay; in Subsidence one of your own."""
    target = said.decision.facts["target"] or said.me
    for area in said.areas:
        owner = said.at(area)["building"]
        if owner is None:
            return said.because("no-building", area=area)
        if owner != target:
            return said.because("not-of", area=area, colour=owner, target=target)
        if said.decision.option(f"burn {area}") is None:
            return said.because("chosen", name=area)
    return None


# Area cards


@rule
def use(said: Said) -> Reason | None:
    """R-ARE: your own area cards, once a turn, between actions, with what each needs."""
    for area in said.areas:
        owner, power = said.at(area)["building"], _AREAS[area]
        if owner != said.me:
            return said.because("not-your-card", area=area, colour=owner)
        why = next(entry["why"] for entry in said.view["private"]["powers"] if entry["area"] == area)
        if power.power_kind == "ignore_event" and why not in ("gone", "demon"):
            return said.because("protects", area=area)
        if why == "turn":
            return said.because("not-your-turn", colour=said.view["actor"])
        if why is None:
            return said.because("power-later", area=area)
        needed = {"amount": power.power_amount, "money": said.seat["money"]}
        return said.because("power", area=area, why=why, kind=power.power_kind, **needed)
    return None


@rule
def protect(said: Said) -> Reason | None:
    """Small Gods: what an event hits."""
    if said.decision.facts["threat"] not in ("event", "demon"):
        return None
    return next((said.because("not-hit", area=area) for area in said.areas), None)


# Cards


@rule
def play(said: Said) -> Reason | None:
    """One card a turn, more by a symbol, and no interrupt."""
    for name in said.cards:
        if name not in said.hand:
            return _not_held(said, name)
        if _CARDS[name].interrupt:
            return said.because("is-interrupt", card=name)
        if said.view["actor"] != said.me:
            return said.because("not-your-turn", colour=said.view["actor"])
        if said.decision.kind not in ("turn", "play"):
            return _of_more_cards(said, name)
    return None


def _of_more_cards(said: Said, name: str) -> Reason | None:
    """A card is held, but is not asked for now."""
    card, now = said.card, said.decision.facts.get("symbol")
    if card and now and "play" in card.symbols:
        return said.because("symbol-later", symbol="play", card=card.name, before=now)
    played = said.view["in_play"]
    return said.because("no-more-cards", card=name, played=played) if played else None


def _not_held(said: Said, name: str) -> Reason:
    """A card is not in the hand; where it lies, when everybody sees that."""
    where, colour = None, None
    if said.view["in_play"] == name:
        where = "in_play"
    elif name in said.view["discards"]:
        where = "discards"
    for seat in said.view["seats"]:
        if name in (*seat["loans"], *seat["stuck"]):
            where, colour = "in_front", seat["colour"]
    return said.because("not-held", card=name, where=where, colour=colour)


@rule
def interrupt(said: Said) -> Reason | None:
    """An interrupt from the hand, against what it answers."""
    for name in said.cards:
        if name not in said.hand:
            return _not_held(said, name)
        if not _CARDS[name].interrupt:
            return said.because("is-no-interrupt", card=name)
        return said.because("no-answer" if said.decision.window else "nothing-to-answer", card=name)
    return None


@rule
def give(said: Said) -> Reason | None:
    """A card of the hand, or a dollar."""
    if "$" in said.text and not said.seat["money"]:
        return said.because("no-dollar")
    for name in said.cards:
        if name not in said.hand:
            return _not_held(said, name)
        if said.decision.option(f"give {name}") is None:
            return said.because("chosen", name=name)
    return None


@rule
def discard(said: Said) -> Reason | None:
    """A card of the hand that is looked at."""
    owner = said.decision.facts["from"]
    for name in said.cards:
        return _not_held(said, name) if owner == said.me else said.because("not-seen", card=name, colour=owner)
    return None


@rule
def keep(said: Said) -> Reason | None:
    """One of the cards that were drawn from another's hand."""
    return next(
        (said.because("not-seen", card=name, colour=said.decision.facts["target"]) for name in said.cards), None
    )


# Players and money


@rule
def target(said: Said) -> Reason | None:
    """Another player, with what the scroll takes; or an area with trouble."""
    if said.decision.kind == "area":
        return calm(said)
    reason = _not_playing(said)
    if reason:
        return reason
    for colour in said.colours:
        if said.doing == "burn_unless_paid" and not said.of(colour)["buildings"]:
            return said.because("has-no-building", colour=colour)
        if said.doing == "look_and_discard" and not said.of(colour)["hand_size"]:
            return said.because("has-no-cards", colour=colour)
    return None


def _not_playing(said: Said) -> Reason | None:
    playing = [seat["colour"] for seat in said.view["seats"]]
    for colour in said.colours:
        if colour not in playing:
            return said.because("not-playing", colour=colour)
        if colour == said.me:
            return said.because("yourself")
    return None


@rule
def pays(said: Said) -> Reason | None:
    """R-SCR-HUBERT: two other players."""
    reason = _not_playing(said)
    if reason is None and len(said.colours) > 1 and len(set(said.colours)) == 1:
        return said.because("same-player", colour=said.colours[0])
    return reason


@rule
def pay(said: Said) -> Reason | None:
    """The bank is paid what there is, and that is too little."""
    amount = said.decision.facts["amount"]
    return said.because("price", area=None, amount=amount, money=said.seat["money"])
