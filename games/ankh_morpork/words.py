"""The words of the game's order texts, and the other ways in which people write them."""

from __future__ import annotations

from collections import Counter

from games.ankh_morpork.cards import AREAS, CARDS, EVENTS, PERSONALITIES, Card, plain
from games.ankh_morpork.options import OWNERS
from pbem.protocol import Vocabulary

VERBS: dict[str, tuple[str, ...]] = {
    "play": ("play card", "use card", "play the card", "lay", "i play", "then play", "cast"),
    "use": (
        "use the power of",
        "use power",
        "use card of",
        "use area",
        "activate",
        "trigger",
        "power",
        "collect from",
    ),
    "minion": (
        "place",
        "put",
        "place minion",
        "place minion in",
        "put minion",
        "put minion in",
        "place guy in",
        "put a guy in",
        "put guy in",
        "guy",
        "man",
        "add",
        "add minion",
        "deploy",
        "drop minion in",
        "recruit",
        "relocate",
        "relocate to",
        "new minion",
        "spawn",
    ),
    "build": (
        "building",
        "construct",
        "erect",
        "house",
        "build in",
        "build at",
        "build a building in",
        "build house in",
        "place building",
        "place building in",
        "put building in",
        "put house in",
        "put up",
    ),
    "assassinate": (
        "kill",
        "murder",
        "slay",
        "stab",
        "assassin",
        "hit",
        "whack",
        "inhume",
        "eliminate",
        "kill off",
    ),
    "calm": (
        "remove trouble",
        "remove trouble in",
        "remove trouble from",
        "remove marker",
        "remove trouble marker",
        "remove trouble marker from",
        "quiet",
        "soothe",
        "pacify",
        "clear",
        "clear trouble",
        "clear trouble in",
        "end trouble",
        "end trouble in",
        "take trouble from",
        "untrouble",
    ),
    "scroll": (
        "read",
        "draw cards",
        "draw",
        "roll",
        "roll the die",
        "borrow",
        "take loan",
        "read scroll",
        "do scroll",
        "use scroll",
        "do text",
        "scroll text",
        "do card text",
        "carry out scroll",
    ),
    "money": (
        "take money",
        *(f"{word}{amount}" for word in ("take $", "collect $", "$") for amount in range(1, 6)),
        "cash",
        "dollars",
        "collect money",
        "take cash",
        "gold",
        "coins",
        "get money",
        "collect",
    ),
    "skip": ("decline", "no thanks", "nothing", "leave out", "none", "forgo", "omit", "do not", "dont"),
    "end": (
        "end turn",
        "end my turn",
        "finish",
        "finish turn",
        "stop",
        "end go",
        "turn over",
        "that is all",
        "thats all",
        "thats it",
        "i am done",
        "im done",
        "end of turn",
    ),
    "target": ("choose", "name", "pick", "select", "against", "aim at"),
    "move": ("shift", "send", "move minion", "relocate minion", "bring", "transfer", "shove"),
    "remove": (
        "take off",
        "kill",
        "take away",
        "lose",
        "remove minion",
        "sacrifice",
        "take out",
        "murder",
        "get rid of",
    ),
    "swap": ("exchange", "switch", "trade", "swap minion", "swap minions"),
    "trouble": (
        "make trouble",
        "make trouble in",
        "put trouble",
        "put trouble in",
        "place trouble",
        "place trouble in",
        "put marker in",
        "place marker in",
        "place trouble marker in",
        "add trouble",
        "add trouble in",
        "stir up trouble in",
        "spread trouble to",
    ),
    "burn": (
        "burn down",
        "burn building in",
        "remove building",
        "remove building in",
        "destroy",
        "torch",
        "raze",
        "lose building",
        "lose building in",
        "demolish",
    ),
    "buy": ("purchase", "take over", "acquire", "buy building in", "buy building", "buy the building in"),
    "give": ("hand over", "hand", "pass card", "give card", "sell", "donate"),
    "discard": (
        "throw away",
        "drop",
        "bin",
        "discard card",
        "ditch",
        "dump",
        "toss",
        "get rid of",
        "throw out",
    ),
    "keep": ("hold", "retain", "keep card", "take"),
    "pay": ("pay up", "pay money", "i pay", "yes pay", "cough up"),
    "refuse": (
        "decline",
        "do not pay",
        "dont pay",
        "no pay",
        "will not pay",
        "wont pay",
        "pay nothing",
        "not pay",
    ),
    "interrupt": (
        "react",
        "react with",
        "interrupt with",
        "play",
        "use",
        "respond with",
        "answer with",
        "reaction",
    ),
    "protect": ("save", "shield", "pay for", "guard", "rescue", "spare", "refuse demon in", "refuse demon"),
    "pass": (
        "no reaction",
        "let it happen",
        "no",
        "nothing",
        "do nothing",
        "decline",
        "allow",
        "skip",
        "no interrupt",
    ),
    "done": ("no more", "enough", "finished", "that will do", "stop", "thats all"),
    "pays": ("pay", "gives", "gives money to", "has to pay", "pays to", "give"),
}

ALONE = frozenset(("scroll", "money", "skip", "end", "pay", "refuse", "pass", "done"))

FILLERS = frozenset(
    (
        "minion",
        "minions",
        "guy",
        "guys",
        "man",
        "men",
        "piece",
        "pieces",
        "card",
        "cards",
        "building",
        "buildings",
        "house",
        "marker",
        "markers",
        "trouble",
        "dude",
        "chap",
        "fellow",
        "figure",
        "area",
        "my",
        "a",
        "an",
        "the",
        "his",
        "her",
        "their",
        "its",
        "player",
    )
)

_TITLES = frozenset(
    (
        "mr",
        "mrs",
        "dr",
        "doctor",
        "sergeant",
        "captain",
        "lord",
        "sir",
        "the",
        "of",
        "and",
        "in",
        "a",
        "guild",
        "inc",
        "archchancellor",
        "professor",
        "queen",
    )
)
#: What people call cards; the data has the printed variants.
_NICKNAMES: dict[str, tuple[str, ...]] = {
    "cmot-dibbler": ("Cut-Me-Own-Throat Dibbler", "CMOT", "Throat"),
    "the-ankh-morpork-sunshine-dragon-sanctuary": ("Dragon Sanctuary", "Sunshine Sanctuary"),
    "the-bank-of-ankh-morpork": ("Royal Bank", "Bank"),
    "dr-cruces": ("Doctor Cruces",),
    "dr-whiteface": ("Doctor Whiteface", "White face"),
    "doctor-hix": ("Dr Hix",),
    "doctor-mossy-lawn": ("Dr Lawn", "Doctor Lawn", "Mossy", "Dr Mossy Lawn"),
    "hargas-house-of-ribs": ("Harga", "Hargas", "House of Ribs"),
    "gimlets-dwarf-delicatessen": ("Gimlet", "Gimlets", "Dwarf Delicatessen", "Deli"),
    "hobsons-livery-stable": ("Hobson", "Hobsons", "Livery Stable"),
    "mr-pin-and-mr-tulip": ("Pin and Tulip", "Pin & Tulip", "New Firm"),
    "burleigh-and-stronginthearm": ("Burleigh", "Stronginthearm"),
    "herennow": ("Here n Now", "Here and Now", "Herenow"),
    "leonard-of-quirm": ("Leonard", "Leonard da Quirm"),
    "pink-pussycat-club": ("Pussycat", "Pink Pussy Cat Club"),
    "the-chair-of-indefinite-studies": ("Chair", "Indefinite Studies"),
    "professor-of-recent-runes": ("Recent Runes", "Runes"),
    "the-senior-wrangler": ("Wrangler",),
    "the-post-office": ("Post",),
    "death": ("Hello",),
    "edward-death": ("Edward", "d'Eath", "Edward Death"),
    "fresh-start-club": ("Fresh Start", "FSC"),
    "zorgo-the-retro-phrenologist": ("Zorgo", "Phrenologist"),
    "the-seamstresses-guild": ("Seamstresses", "Seamstress Guild"),
    "the-fools-guild": ("Fools", "Fool's Guild"),
    "the-thieves-guild": ("Thieves", "Thief Guild"),
    "the-beggars-guild": ("Beggars", "Beggar's Guild"),
    "the-alchemists-guild": ("Alchemists", "Alchemist"),
    "patricians-palace": ("Palace", "Patrician"),
    "cable-street-particulars": ("Cable Street", "Particulars"),
}
_AREA_NICKNAMES: dict[str, tuple[str, ...]] = {
    "dolly-sisters": ("Dolly",),
    "unreal-estate": ("Unreal", "University", "Unseen University"),
    "dragons-landing": ("Dragons", "Dragon Landing"),
    "small-gods": ("Gods Small",),
    "the-scours": ("Scours",),
    "the-hippo": ("Hippo", "Hippodrome"),
    "the-shades": ("Shades",),
    "dimwell": ("Dim Well",),
    "longwall": ("Long Wall",),
    "isle-of-gods": ("Isle", "Isle of the Gods"),
    "seven-sleepers": ("Sleepers", "7 Sleepers"),
    "nap-hill": ("Nap", "Naphill"),
}
_COLOUR_NICKNAMES: dict[str, tuple[str, ...]] = {
    "Red": ("the red one",),
    "troll": ("trolls",),
    "demon": ("demons",),
}


def _short(card: Card) -> tuple[str, ...]:
    """The words of a card's name that matter: without titles, and each by itself."""
    words = [word for word in plain(card.name).split() if word not in _TITLES]
    return tuple(dict.fromkeys((" ".join(words), *(word for word in words if len(word) > 3))))


def _card_names() -> dict[str, tuple[str, ...]]:
    """Each card's aliases; a short form that fits two cards, or is another's name, fits none."""
    taken = Counter(plain(name).removeprefix("the ") for card in CARDS for name in (card.name, *card.aliases))
    taken.update(plain(area.name).removeprefix("the ") for area in AREAS)
    short = {card.id: [*_NICKNAMES.get(card.id, ()), *_short(card)] for card in CARDS}
    said = Counter(form for forms in short.values() for form in {plain(form) for form in forms})
    names = {}
    for card in CARDS:
        own = {plain(card.name).removeprefix("the "), *(plain(alias) for alias in card.aliases)}
        fitting = [
            form
            for form in short[card.id]
            if said[plain(form)] == 1 and not taken[plain(form)] and plain(form) not in own
        ]
        names[card.name] = tuple(dict.fromkeys((*card.aliases, *fitting)))
    return names


VOCABULARY = Vocabulary(
    verbs=VERBS,
    names={
        "card": _card_names(),
        "area": {area.name: (str(area.slug), *_AREA_NICKNAMES[area.slug]) for area in AREAS},
        "colour": {owner: _COLOUR_NICKNAMES.get(owner, ()) for owner in OWNERS},
        "event": {event.name: () for event in EVENTS},
        "personality": {person.name: () for person in PERSONALITIES},
    },
    alone=ALONE,
    fillers=FILLERS,
    things=frozenset(("building", "buildings", "house", "card", "cards")),
    infix={"pays": "colour"},
)
