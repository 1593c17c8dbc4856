"""Read what follows `standing`: `Gaspode: only in Dimwell, Small Gods by Red if money >= 6`.

After the card come `always`, `never`, `ask` or `default`, and conditions that must all hold: `only in AREAS`,
`by COLOURS` (or `by events`), `if money >= N`. Conditions alone mean `always`. `to AREAS` says, for Fresh Start Club
and Igor, where the minion goes: the first of them that is legal.
"""

import re
from typing import Any

from rapidfuzz import process

from games.ankh_morpork.data.cards import AREAS, CARDS, NAMES, plain
from games.ankh_morpork.position.options import COLOURS
from games.ankh_morpork.rules.interrupts import RELOCATING, SUBJECTS
from pbem.errors import NotUnderstood

#: What begins a part of the terms, longest first, and what the part is called.
_PARTS = {
    "only when": "money",
    "only if": "money",
    "only in": "areas",
    "only by": "by",
    "always": "always",
    "never": "never",
    "against": "by",
    "default": "default",
    "when": "money",
    "ask": "ask",
    "by": "by",
    "if": "money",
    "in": "areas",
    "to": "to",
}
_PART = re.compile(rf"\b({'|'.join(_PARTS)})\b", re.IGNORECASE)
#: What a policy can say; `default` is what holds when nothing is said.
ACTS = ("always", "never", "ask", "default")
_LIST = re.compile(r",|;|\band\b|\bor\b|&", re.IGNORECASE)
_ARTICLE = re.compile(r"^(me|the|a|an|players?)\s+", re.IGNORECASE)
_AMOUNT = re.compile(r"(?P<more>>|more than|over)?\s*\$?\s*(?P<amount>\d+)", re.IGNORECASE)
#: How alike a misspelt name must be, of 100.
_LIKENESS = 80

_SUBJECT_NAMES = {plain(subject): subject for subject in SUBJECTS} | {
    said: CARDS[number].name for said, number in NAMES["card"].items() if CARDS[number].name in SUBJECTS
}
_SUBJECT_NAMES |= {"sonky": "Wallace Sonky", "fresh start": "Fresh Start Club", "fsc": "Fresh Start Club"}
_AREA_NAMES = {said: AREAS[number].name for said, number in NAMES["area"].items()}
_COLOUR_NAMES = {colour.casefold(): colour for colour in COLOURS} | {"event": "event", "events": "event"}


def read_policy(text: str) -> tuple[str, dict[str, Any]]:
    """The subject of a policy and its JSON-able terms.

    Raises NotUnderstood when the subject or a part of the terms cannot be read.
    """
    first = _PART.search(text)
    if first is None:
        raise NotUnderstood(text, "policy-terms")
    subject = _named(text, text[: first.start()].strip(" :=-"), _SUBJECT_NAMES, "policy-card")
    terms: dict[str, Any] = {}
    parts = _PART.split(text[first.start() :])
    for word, rest in zip(parts[1::2], parts[2::2], strict=True):
        part = _part(text, _PARTS[" ".join(word.casefold().split())], rest.strip(" .:,;"))
        if part.keys() & terms.keys():
            raise NotUnderstood(text, "policy-terms")
        terms |= part
    terms.setdefault("act", "always")
    if terms["act"] in ("never", "default") and len(terms) > 1:
        raise NotUnderstood(text, "policy-terms")
    if "to" in terms and subject not in RELOCATING:
        raise NotUnderstood(text, "policy-to", suggestions=RELOCATING)
    return subject, terms


def _part(text: str, part: str, rest: str) -> dict[str, Any]:
    if part in ACTS:
        if rest.casefold() not in ("", "and", "but"):
            raise NotUnderstood(text, "policy-terms", facts={"said": rest})
        return {"act": part}
    if part == "money":
        found = _AMOUNT.search(rest)
        if found is None:
            raise NotUnderstood(text, "policy-money")
        return {"money": int(found["amount"]) + bool(found["more"])}
    names, reason = (_COLOUR_NAMES, "policy-colour") if part == "by" else (_AREA_NAMES, "policy-area")
    said = [name for name in (_ARTICLE.sub("", piece.strip()) for piece in _LIST.split(rest)) if name]
    if not said:
        raise NotUnderstood(text, reason, suggestions=tuple(dict.fromkeys(names.values())))
    return {part: [_named(text, name, names, reason) for name in said]}


def _named(text: str, said: str, names: dict[str, str], reason: str) -> str:
    """The name that is meant: exactly, by its beginning, or with a slip of the pen; never one of two."""
    wanted = plain(said)
    if wanted in names:
        return names[wanted]
    begun = {name for way, name in names.items() if wanted and way.startswith(wanted)}
    alike = {names[way] for way, _, _ in process.extract(wanted, list(names), score_cutoff=_LIKENESS, limit=4)}
    for meant in (begun, alike):
        if len(meant) == 1:
            return meant.pop()
    suggestions = tuple(sorted(begun | alike)) or tuple(dict.fromkeys(names.values()))
    raise NotUnderstood(text, reason, suggestions=suggestions, facts={"said": said})
