"""What nobody may tell: what others hold and are after, what lies hidden, and what chance will bring."""

from __future__ import annotations

from games.ankh_morpork.answers.reading import Reading
from pbem.protocol import Untold

#: Words that no concept explains, and a question for a secret may still have.
MOST_UNREAD = 3
#: Concepts that make another question of it.
OPEN = frozenset(
    [
        "how-many",
        "how-much",
        "discards",
        "in-front",
        "loan",
        "stuck",
        "control",
        "AREA",
        "building",
        "minion",
        "money",
        "points",
        "can",
        "why",
        "must",
        "place",
        "if",
        "cause",
        "happens",
        "danger",
        "limit",
        "most",
        "draw-back",
        "assassinate",
        "trouble",
    ]
)
#: Those who are not the asker.
OTHERS = frozenset(("of-whom", "COLOUR", "others", "everybody", "who", "theirs"))
#: What asks for something to be named or shown.
NAMING = frozenset(("what", "which", "who", "know", "whose"))


def asked_for(said: Reading) -> Untold | None:
    """The secret that a question asks for; None when it asks for none."""
    has = frozenset(said.concepts)
    if len(said.unread) > MOST_UNREAD:
        return None
    rolls = "roll" in has and has & {"will", "next"}
    if rolls and (said.concepts[0] == "will" or (has & NAMING and not has & {"if", "happens"})):
        return Untold("dice", ("R-HID-3", "R-HID-1"))
    if _of_the_pile(has):
        return Untold("pile", ("R-HID-1", "R-HID-3"))
    if "me" in has or not has & OTHERS:
        return None
    if (not has & OPEN and _of_cards(said)) or (has & {"policy"} and has & {"COLOUR", "others"}):
        return Untold("hands", ("R-HID-1", "R-HID-2"))
    return Untold("personalities", ("R-HID-1", "R-END-8")) if _of_people(has) else None


def _of_the_pile(has: frozenset[str]) -> bool:
    """`what will I draw next`, `which event comes next`, `what is on top of the pile`, `which card will I get`."""
    if has & OPEN - {"can"} or not has & NAMING:
        return False
    coming = has & {"next", "top", "after"} and has & {"draw", "card", "pile", "event"}
    return bool(coming or ("will" in has and has & {"draw", "card"} and not has & {"play", "discards", "do", "use"}))


def _of_cards(said: Reading) -> bool:
    """`what cards does Green have`, `does Ann have Gaspode in her hand`, `who holds Susan`, `what is in Green's hand`."""
    has = frozenset(said.concepts)
    things = has & {"CARD", "card", "hand", "interrupt"}
    if "have" in has and has & {"CARD", "interrupt"}:
        behind = said.concepts[said.concepts.index("have") :]
        return not {"CARD", "interrupt"}.isdisjoint(behind)
    if "have" in has:
        return bool(things and has & NAMING)
    return "hand" in has and bool(has & (NAMING | {"CARD"}))


def _of_people(has: frozenset[str]) -> bool:
    """`which personality is Green`, `who is Vimes`, `what is everybody after`, `how close is Green to winning`."""
    if "PERSON" in has and "of-whom" in has:
        return not has & OPEN
    if "PERSON" in has:
        return not has & OPEN and has <= {"PERSON", "have", "play", "personality", "will", *OTHERS}
    if (
        has & {"how-far", "win", "need"}
        and has & {"COLOUR", "others"}
        and not has & {"if", "end-of-game", "can", "why"}
    ):
        return has <= {
            "how-far",
            "win",
            "need",
            "what",
            "will",
            "personality",
            "area",
            "how-many",
            "do",
            "COLOUR",
            "others",
        }
    if has <= {"who", "COLOUR", "know"}:
        return {"who", "COLOUR"} <= has
    return (
        "personality" in has
        and bool(has & NAMING)
        and has <= {"personality", "have", "play", "do", "will", *OTHERS, *NAMING}
    )
