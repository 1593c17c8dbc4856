"""The names in the game's order texts and what people call them; with the verbs, its vocabulary."""

from __future__ import annotations

from collections import Counter

from games.ankh_morpork.data.cards import AREAS, CARDS, EVENTS, PERSONALITIES, Card, plain
from games.ankh_morpork.position.options import OWNERS
from games.ankh_morpork.text.verbs import ALONE, DEEDS, FILLERS, NOUNS, VERBS
from pbem.protocol import Vocabulary

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
    "foul-ole-ron": ("Old Ron", "Foul Old Ron"),
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
        "area": {
            area.name: (
                area.slug,
                *_AREA_NICKNAMES[area.slug],
                *(f"{word}{area.number}" for word in ("", "area ", "district ", "region ", "number ", "no ")),
            )
            for area in AREAS
        },
        "colour": {owner: _COLOUR_NICKNAMES.get(owner, ()) for owner in OWNERS},
        "event": {event.name: () for event in EVENTS},
        "personality": {person.name: () for person in PERSONALITIES},
    },
    alone=ALONE,
    fillers=FILLERS,
    things=frozenset(("building", "buildings", "house", "card", "cards")),
    infix={"pays": "colour"},
    nouns=NOUNS,
    deeds={
        card.name: tuple(
            word for effect, words in DEEDS.items() if card.effect.startswith(effect) for word in words
        )
        for card in CARDS
    },
)
