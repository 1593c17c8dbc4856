"""The vocabulary: the verbs and names of the order texts, and what people call them (`data/words.toml`)."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files

from games.ankh_morpork.data.cards import AREAS, CARDS, EVENTS, PERSONALITIES, Card, plain
from games.ankh_morpork.position.options import OWNERS
from pbem.protocol import Vocabulary

_WORDS = tomllib.loads((files("games.ankh_morpork") / "data" / "words.toml").read_text(encoding="utf-8"))


def _list(text: str) -> tuple[str, ...]:
    return tuple(text.split(", ")) if text else ()


TOPICS = {topic: _list(ways) for topic, ways in _WORDS["topics"].items()}
#: What begins a part of a policy -> that part.
STANDING = {way: part for part, ways in _WORDS["standing"].items() for way in _list(ways)}
_TITLES = _list(_WORDS["titles"])


def _nicknames(kind: str, key: str) -> tuple[str, ...]:
    return _list(_WORDS[kind].get(key, ""))


def _short(card: Card) -> tuple[str, ...]:
    """The words of a card's name that matter: without titles, and each by itself."""
    words = [word for word in plain(card.name).split() if word not in _TITLES]
    return tuple(dict.fromkeys((" ".join(words), *(word for word in words if len(word) > 3))))


def _card_names() -> dict[str, tuple[str, ...]]:
    """Each card's aliases; a short form that fits two cards, or is another's name, fits none."""
    taken = Counter(plain(name).removeprefix("the ") for card in CARDS for name in (card.name, *card.aliases))
    taken.update(plain(area.name).removeprefix("the ") for area in AREAS)
    short = {card.id: [*_nicknames("cards", card.id), *_short(card)] for card in CARDS}
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


def _deeds(kind: str, effect: str) -> tuple[str, ...]:
    """The words for what an effect does, by how its name begins."""
    return tuple(word for name, words in _WORDS[kind].items() if effect.startswith(name) for word in _list(words))


def _shared(verb: str) -> Iterator[str]:
    """The nouns that a verb shares with others."""
    for kind in _WORDS["shared"].values():
        if verb in _list(kind["verbs"]):
            yield from _list(kind["nouns"])


VOCABULARY = Vocabulary(
    verbs={verb: _list(ways) for verb, ways in _WORDS["verbs"].items()},
    names={
        "card": _card_names(),
        "area": {
            area.name: (
                area.slug,
                *_nicknames("areas", area.slug),
                *(f"{word}{area.number}" for word in ("", "area ", "district ", "region ", "number ", "no ")),
            )
            for area in AREAS
        },
        "colour": {owner: _nicknames("colours", owner) for owner in OWNERS},
        "event": {event.name: () for event in EVENTS},
        "personality": {person.name: () for person in PERSONALITIES},
    },
    alone=frozenset(_list(_WORDS["alone"])),
    fillers=frozenset(_list(_WORDS["fillers"])),
    things=frozenset(_list(_WORDS["things"])),
    infix={"pays": "colour"},
    nouns={verb: (*_list(words), *_shared(verb)) for verb, words in _WORDS["nouns"].items()},
    deeds={card.name: _deeds("deeds", card.effect) for card in CARDS},
    powers={f"use {area.name}": _deeds("powers", area.power_kind) for area in AREAS},
    refusals={verb: _list(words) for verb, words in _WORDS["refusals"].items()},
)
