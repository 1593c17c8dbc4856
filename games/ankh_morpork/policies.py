"""Policies: answers to windows given in advance (`standing Gaspode: only in Dimwell by Red`).

After the card come `always`, `never`, `ask` or `default`, and conditions that must all hold: `only in AREAS`,
`by COLOURS` (or `by events`), `if money >= N`. Conditions alone mean `always`. `to AREAS` says, for Fresh Start Club
and Igor, where the minion goes: the first of them that is legal.

An answer is judged on the window's facts and the seat's own view alone. Whether the seat is asked depends on what
everybody knows (the threat, the seat's policies and whose turn it is), never on its hand; only the option chosen may.
"""

import re
from collections.abc import Mapping
from typing import Any

from rapidfuzz import process

from games.ankh_morpork.data.cards import AREAS, CARDS, NAMES, plain
from games.ankh_morpork.position.options import COLOURS
from games.ankh_morpork.rules.interrupts import RELOCATING, SUBJECTS, answering
from games.ankh_morpork.text.words import STANDING
from pbem.errors import NotUnderstood
from pbem.protocol import Answer, Decision, Match, Option, Reactions, Seat

COST = {area.name: area.cost for area in AREAS}

#: What Wallace Sonky is played against when nothing is said: what costs a minion or a building.
WORTH_SONKY = ("remove", "auditors", "burn", "buy")
SONKY_MONEY = 3

Terms = Mapping[str, Any]
DEFAULT: Terms = {"act": "default"}

_PART = re.compile(rf"\b({'|'.join(sorted(STANDING, key=len, reverse=True))})\b", re.IGNORECASE)
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
    subject = _meant(text, text[: first.start()].strip(" :=-"), _SUBJECT_NAMES, "policy-card")
    terms: dict[str, Any] = {}
    parts = _PART.split(text[first.start() :])
    for word, rest in zip(parts[1::2], parts[2::2], strict=True):
        part = _part(text, STANDING[" ".join(word.casefold().split())], rest.strip(" .:,;"))
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
    return {part: [_meant(text, name, names, reason) for name in said]}


def _meant(text: str, said: str, names: dict[str, str], reason: str) -> str:
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


def answer(match: Match, decision: Decision, policies: Mapping[str, Terms], reactions: Reactions) -> Answer:
    """What the deciding seat's policies say to a decision; no option when the seat is to be asked.

    `why` holds `fired` (a subject, or None) and `kept`: for each other subject that the seat could have answered with,
    why it did not (`never`, `area`, `by`, `money`, `unset`, `another`); or `ask`: `own-turn`, `policy` or `unset`. It is empty
    when the seat could not have answered at all.
    """
    if decision.kind == "relocate":
        return _relocation(decision, policies)
    if not decision.window:
        return Answer(None)
    subjects = answering(decision.facts)
    own_turn = match.actor == decision.seat
    policies = {subject: policies.get(subject, DEFAULT) for subject in SUBJECTS}
    unset = [subject for subject in subjects if policies[subject]["act"] == "default"]
    limited = any("money" in policies[subject] for subject in subjects)
    money = match.view(None)["seats"][decision.seat]["money"] if limited else 0
    verdicts = {subject: _verdict(subject, policies[subject], decision, money) for subject in subjects}
    if own_turn or reactions != "standing":
        verdicts.update(dict.fromkeys(unset, "unset"))
        undecided = any(reactions != "ask" or _could(decision, subject) for subject in unset)
        if undecided and (own_turn or "act" not in verdicts.values()):
            return Answer(None, {"ask": "own-turn" if own_turn else "unset"})
    if "ask" in verdicts.values():
        return Answer(None, {"ask": "policy"})
    fired, chosen = None, decision.default
    kept: list[dict[str, str]] = []
    for subject, verdict in verdicts.items():
        option = _option(decision, subject, policies[subject]) if verdict == "act" else None
        if fired is None and option is not None:
            fired, chosen = subject, option
        elif _could(decision, subject):
            kept.append({"subject": subject, "why": "another" if verdict == "act" else verdict})
    return Answer(chosen, {"fired": fired, "kept": kept} if fired or kept else {})


def in_force(match: Match, seat: Seat, policies: Mapping[str, Terms]) -> list[dict[str, Any]]:
    """Each policy at a seat, set or unset, for its report."""
    view = match.view(seat)
    held = {card["name"] for card in view["private"]["hand"]}
    held |= set(view["seats"][seat]["city_cards"])
    return [
        {
            "subject": subject,
            "terms": dict(policies.get(subject, DEFAULT)),
            "held": subject in held,
            "set": policies.get(subject, DEFAULT)["act"] != "default",
        }
        for subject in SUBJECTS
    ]


def _verdict(subject: str, terms: Terms, decision: Decision, money: int) -> str:
    """`act`, `ask`, or why this policy keeps still."""
    facts = decision.facts
    if terms["act"] == "default":
        return _unset(subject, facts)
    if terms["act"] == "never":
        return "never"
    if "areas" in terms and not set(terms["areas"]) & _areas(facts):
        return "area"
    by = facts["by"] if facts["by"] in COLOURS else "event"
    if "by" in terms and by not in terms["by"]:
        return "by"
    if money < terms.get("money", 0):
        return "money"
    return "ask" if terms["act"] == "ask" else "act"


def _unset(subject: str, facts: Mapping[str, Any]) -> str:
    """Without a word from the player: what saves a minion, a building or $3; money is never spent."""
    threat = facts["threat"]
    if subject == "Small Gods":
        return "unset"
    if subject == "Wallace Sonky":
        dear = threat == "take" and facts["amount"] >= SONKY_MONEY
        return "act" if threat in WORTH_SONKY or dear else "unset"
    return "act" if threat == "remove" else "unset"


def _areas(facts: Mapping[str, Any]) -> set[str]:
    return {facts["area"], *facts["areas"]} - {None}


def _option(decision: Decision, subject: str, terms: Terms) -> Option | None:
    """The option that plays this card, or pays for the dearest piece; None when the seat has no such option."""
    if subject != "Small Gods":
        return decision.option(f"interrupt {subject}")
    wanted = terms.get("areas")
    best, worth = None, 0
    for option in decision.options:
        if option is decision.default:
            continue
        area = option.text.removeprefix("protect ").rpartition(" in ")[2]  # `protect Dimwell`, `protect Red in Dimwell`
        # A building before a minion, the dearest first.
        price = COST[area] + 20 * option.text.startswith("protect building") if not wanted or area in wanted else 0
        if price > worth:
            best, worth = option, price
    return best


def _could(decision: Decision, subject: str) -> bool:
    """Whether the seat could answer with this card, whatever its policy says."""
    if subject == "Small Gods":
        return len(decision.options) > 1
    return decision.option(f"interrupt {subject}") is not None


def _relocation(decision: Decision, policies: Mapping[str, Terms]) -> Answer:
    """Where the minion goes that Fresh Start Club or Igor saved: the first area the policy names that is legal."""
    subject = str(decision.facts["card"])
    for area in policies.get(subject, {}).get("to", ()):
        option = decision.option(f"minion {area}")
        if option is not None:
            return Answer(option, {"fired": subject, "kept": []})
    return Answer(None)
