"""Nothing that can happen is without words: events, decisions, threats, refusals, fields of contexts."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from importlib.resources import files
from typing import Any, get_args, get_type_hints

import pytest

from games.ankh_morpork.text.log import EVENTS, asked, threatened
from games.ankh_morpork.why_not import REASONS
from pbem.orders import speech
from pbem.orders.outcome import Line, Problem
from pbem.protocol import templates_folder
from pbem.reports import contexts
from pbem.reports.render import Renderer, environment

ROOT = templates_folder().parent
DECISIONS, THREATS = tomllib.loads((files("games.ankh_morpork") / "data" / "asked.toml").read_text("utf-8")).values()
#: Told by the heading of a turn's story, or by what follows them.
SILENT = {"TurnBegan", "TurnEnded", "ScrollRead"}
#: Data with every field that any event has; colours where colours stand.
ANYTHING: dict[str, Any] = {
    "amount": 3,
    "area": "Dimwell",
    "areas": ["Dimwell", "Longwall"],
    "by": "Green",
    "card": "Groat",
    "cards": ["Ruby", "Errol"],
    "cause": "Fire",
    "colour": "Blue",
    "cost": 12,
    "count": 2,
    "dice": [3, 7],
    "ended": True,
    "event": "Fire",
    "first": "Red",
    "first_area": "The Shades",
    "left": "Nap Hill",
    "new": "Lord Rust",
    "other": "Red",
    "old": "Chrysoprase",
    "owner": "Green",
    "personalities": ["Lord Rust"],
    "personality": "Lord Rust",
    "piece": "building",
    "possible": True,
    "reason": "pile",
    "seats": ["Red", "Green", "Blue"],
    "second": "troll",
    "second_area": "The Hippo",
    "symbol": "minion",
    "target": "Red",
    "to": "Red",
    "trouble": True,
    "turn": 7,
    "winners": ["Red"],
    "whose": "Red",
}
#: The same for the facts of refusals.
RULES: dict[str, Any] = {
    "amount": 12,
    "area": "The Hippo",
    "areas": ["Dimwell", "Longwall"],
    "before": "minion",
    "card": "Groat",
    "cards": ["Ruby", "Errol"],
    "colour": "Green",
    "kind": "remove_trouble",
    "left": 2,
    "money": 11,
    "name": "Groat",
    "near": "Unreal Estate",
    "played": "Ruby",
    "symbol": "building",
    "target": "Red",
    "verb": "build",
    "where": "discards",
    "why": "nothing",
    "without": "Dimwell",
}

#: What contexts are made of.
KINDS = [kind for kind in vars(contexts).values() if getattr(kind, "template", "")]
PARTS = (Line, contexts.Place, contexts.Question, contexts.Score, contexts.Situation, contexts.Course)


def macros(template: str) -> Any:
    return environment("ankh_morpork", "text").get_template(template).make_module({"m": None})


@pytest.mark.parametrize("kind", sorted(set(EVENTS) - SILENT))
@pytest.mark.parametrize("actor", ["Blue", "Red"])
@pytest.mark.parametrize("reader", ["Blue", "Red", None])
def test_every_event_has_words(kind: str, actor: str, reader: str | None) -> None:
    words = " ".join(macros("events.j2").TELL[kind](ANYTHING, actor, reader).split())
    assert words[0].isupper() or words[0].isdigit()
    assert words[-1] in ".!"


def test_no_words_are_left_over_for_events_that_cannot_happen() -> None:
    assert set(macros("events.j2").TELL) == set(EVENTS) - SILENT
    assert set(macros("decisions.j2").ASK) == set(DECISIONS)
    assert set(macros("decisions.j2").THREAT) == set(THREATS)


BY_CARD = asked("Ruby", "scroll", amount=2, left=2, to="Red", target="Red", from_="Blue", instead="stick")
BY_EVENT = asked(cause="Flood", amount=2, left=2, to="Red", target="Red", from_="Dimwell", instead="burn")


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        (kind, facts)
        for kind in sorted(set(DECISIONS) - {"react"})
        for facts in (BY_CARD, BY_EVENT)
        if facts["card"] or kind != "scroll"
    ],
)
def test_every_decision_has_words(kind: str, facts: dict[str, Any], board: dict[str, Any], renderer: Renderer) -> None:
    question = contexts.Question(kind=kind, options=("pay", "refuse"), facts=facts, default="refuse")
    text = renderer.render(contexts.Report(**board | {"question": question})).text
    assert "\n   1 pay\n   2 refuse\n" in text
    assert text.split("WHAT YOU MAY DO NOW\n")[1].split("\n")[0].strip()


@pytest.mark.parametrize("threat", THREATS)
def test_every_threat_has_words(threat: str, board: dict[str, Any], renderer: Renderer) -> None:
    facts = threatened(threat, "Inigo Skimmer", "Green", area="Small Gods", to="Dimwell", amount=3)
    question = contexts.Question(kind="react", options=("pass",), facts=facts, default="pass")
    situation = contexts.Situation(kind="react")
    changed = {"question": question, "actor": "Green", "situation": situation}
    mail = renderer.render(contexts.Report(**board | changed))
    assert "Green (Inigo Skimmer):" in mail.text
    assert mail.subject == "[G042] Thursday night, turn 9: your reaction, please [N6JR3CVE]"


def reasons() -> set[str]:
    """Every reason that is given anywhere in the program for refusing a line."""
    found: set[str] = set()
    for path in (*(ROOT / "pbem").rglob("*.py"), *(ROOT / "games").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        found |= set(
            re.findall(r'(?:NotUnderstood|Ambiguous|NotPossible)\(\s*[\w.]+(?:\([^()]*\))?,\s*"([\w-]+)"', source)
        )
        found |= {one for line in re.findall(r"^\s*reason = .*$", source, re.M) for one in WORD.findall(line)}
        found |= set(re.findall(r'"(policy-\w+)"', source))
    return found | set(REASONS)


WORD = re.compile(r'"([a-z][\w-]+)"')


def test_every_reason_for_a_refusal_has_words() -> None:
    assert reasons() == set(macros("errors.j2").WHY) | set(macros("own_errors.j2").WHY)


@pytest.mark.parametrize("kind", ["not_understood", "ambiguous", "not_possible"])
@pytest.mark.parametrize("reason", [*sorted(reasons()), "never heard of"])
def test_every_refusal_can_be_said_with_or_without_facts(
    kind: Any, reason: str, board: dict[str, Any], renderer: Renderer
) -> None:
    own = {fact: RULES[fact] for fact in REASONS.get(reason, ())}
    facts = own | {"verb": "build", "names": ["Dimwell"], "unknown": ["foo"], "said": "foo", "number": 9, "numbers": 3}
    lines = tuple(
        Line(
            text="build foo",
            verdict="refused",
            problem=Problem(kind=kind, reason=reason, suggestions=suggested, facts=given),
        )
        for suggested, given in (((), own), (("build Longwall",), facts), (("a", "b", "c"), own | {"option": "end"}))
    )
    text = renderer.render(contexts.Refusal(**board, lines=lines)).text
    assert text.count("> build foo\n    ") == 3


def test_every_kind_of_doubt_has_words() -> None:
    said = {head[0] for head, _ in speech.lines("doubt")}
    assert set(macros("errors.j2").DOUBT) == said | {"question", "asking", "attributed"}


def test_a_doubt_is_answered_with_what_would_be_done_without_it(board: dict[str, Any], renderer: Renderer) -> None:
    problem = Problem(
        kind="ambiguous", reason="remark", suggestions=("play Groat", "end"), facts={"doubt": "condition"}
    )
    line = Line(text="if I can", verdict="refused", problem=problem)
    text = " ".join(renderer.render(contexts.Refusal(**board, lines=(line,))).text.split())
    assert "This holds only if something is so" in text
    assert 'Without it we would do "play Groat" and "end".' in text


def test_no_base_template_names_a_kind_of_decision() -> None:
    words = "".join(path.read_text(encoding="utf-8") for path in (templates_folder() / "base").rglob("*.j2"))
    assert set(re.findall(r"(\w+)\.kind", words)) == {
        "answer",
        "other",
        "piece",
        "problem",
        "s",
        "situation",
        "stroke",
        "told",
    }
    situations = set(get_args(get_type_hints(contexts.Situation)["kind"]))
    assert set(re.findall(r'"(\w+)"', words)) & {*DECISIONS, "bid"} <= situations


def test_every_field_of_a_context_is_used_by_a_template() -> None:
    words = "".join(path.read_text(encoding="utf-8") for path in templates_folder().rglob("*.j2"))
    code = (ROOT / "pbem/reports/render.py").read_text(encoding="utf-8")
    unused = {
        f"{kind.__name__}.{field.name}"
        for kind in (*KINDS, *PARTS)
        for field in fields(kind)
        if not re.search(rf"\.{field.name}\b|\"{field.name}\"", words + code)
    }
    assert unused == set()


@pytest.mark.parametrize("what", ["bot", "default"])
def test_what_happens_at_the_deadline_is_said(what: Any, board: dict[str, Any], renderer: Renderer) -> None:
    question = contexts.Question(kind="turn", options=("play Groat",), facts=asked(), default="play Groat", nmr=what)
    text = renderer.render(contexts.Report(**board | {"question": question})).text
    assert ("a simple bot moves" in text) == (what == "bot")
    assert ('the rules choose for you: "play Groat"' in " ".join(text.split())) == (what == "default")
