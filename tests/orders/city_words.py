"""The words of a city game, as a vocabulary, and decisions made of nothing but option texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.protocol import Decision, Option, Seat, Vocabulary

AREAS = (
    "Dolly Sisters",
    "Unreal Estate",
    "Dragon's Landing",
    "Small Gods",
    "The Scours",
    "The Hippo",
    "The Shades",
    "Dimwell",
    "Longwall",
    "Isle of Gods",
    "Seven Sleepers",
    "Nap Hill",
)
CARDS: dict[str, tuple[str, ...]] = {
    "Mr Boggis": (),
    "Mr Bent": ("Dent",),
    "The Beggars' Guild": (),
    "The Bank of Ankh-Morpork": (),
    "Sergeant Angua": (),
    "Sergeant Cheery Littlebottom": (),
    "The Duckman": (),
    "CMOT Dibbler": ("Cut-Me-Own-Throat",),
    "Dr Cruces": (),
    "Dr Whiteface": (),
    "Doctor Mossy Lawn": (),
    "Doctor Hix": (),
    "Hex": (),
    "Groat": (),
    "Gaspode": (),
    "Susan": (),
    "Modo": (),
    "Mr Pin & Mr Tulip": (),
    "Burleigh & Stronginthearm": (),
    "Here'n'Now": (),
    "Death": ("HELLO",),
    "The Watch": (),
    "Dwarves": (),
    "Deep Dwarves": (),
    "Gimlet's Dwarf Delicatessen": (),
    "The Fools' Guild": (),
    "The Thieves' Guild": (),
    "The Seamstresses' Guild": (),
    "The Fire Brigade": (),
    "The Royal Mint": (),
    "Zorgo the Retro-phrenologist": (),
    "Edward d'Eath": (),
    "Leonard of Quirm": (),
}
COLOURS = ("Red", "Green", "Blue", "Yellow", "troll", "demon")

WORDS = Vocabulary(
    verbs={
        "play": ("use card", "play card"),
        "use": ("activate", "power"),
        "minion": ("place", "put", "put in", "add", "deploy", "place minion", "put minion in"),
        "build": ("building", "construct", "erect", "build house in"),
        "assassinate": ("kill", "murder", "stab"),
        "calm": ("remove trouble", "quiet", "soothe"),
        "scroll": ("read", "do scroll"),
        "money": ("take money", "cash"),
        "skip": (),
        "end": ("end turn", "finish", "stop", "end go", "i am done"),
        "target": ("choose", "name", "pick"),
        "move": ("shift", "send"),
        "remove": ("take off", "kill"),
        "swap": ("exchange", "switch"),
        "trouble": ("make trouble", "put trouble"),
        "buy": (),
        "give": ("hand over",),
        "discard": ("throw away", "drop", "bin"),
        "keep": (),
        "pay": (),
        "refuse": (),
        "interrupt": ("react",),
        "protect": ("save",),
        "pass": (),
        "done": (),
        "pays": ("pay", "gives"),
    },
    names={
        "area": dict.fromkeys(AREAS, ()),
        "card": CARDS,
        "colour": dict.fromkeys(COLOURS, ()),
        "event": {"The Dragon": (), "Fire": (), "Flood": ()},
    },
    alone=frozenset(("scroll", "money", "skip", "end", "pay", "refuse", "pass", "done")),
    fillers=frozenset(
        [
            "minion",
            "minions",
            "guy",
            "guys",
            "man",
            "piece",
            "pieces",
            "card",
            "cards",
            "building",
            "house",
            "marker",
            "trouble",
        ]
    ),
    things=frozenset(("building", "house", "card")),
    infix={"pays": "colour"},
)


def asked(
    kind: str, *texts: str, decline: str = "", auto: str = "", facts: Mapping[str, object] | None = None
) -> Decision:
    """A decision with these options."""
    options = [Option(text) for text in texts]
    known = {option.text: option for option in options}
    return Decision(Seat(0), kind, options, options[-1], decline=known.get(decline), auto=known.get(auto), facts=facts)


def each(verb: str, names: Sequence[str]) -> list[str]:
    return [f"{verb} {name}" for name in names]
