"""What `standing` understands, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from games.ankh_morpork.policies import read_policy
from pbem.errors import NotUnderstood

UNDERSTOOD: list[tuple[str, str, dict[str, Any]]] = [
    ("Gaspode: always", "Gaspode", {"act": "always"}),
    ("igor never", "Igor", {"act": "never"}),
    ("SUSAN: ask", "Susan", {"act": "ask"}),
    ("susan default", "Susan", {"act": "default"}),
    ("Sonky always", "Wallace Sonky", {"act": "always"}),
    ("Gaspode: only in Dimwell", "Gaspode", {"act": "always", "areas": ["Dimwell"]}),
    (
        "Susan: only in Dimwell, Small Gods by Red",
        "Susan",
        {"act": "always", "areas": ["Dimwell", "Small Gods"], "by": ["Red"]},
    ),
    ("small gods if money >= 6", "Small Gods", {"act": "always", "money": 6}),
    ("Small Gods: if money > 5", "Small Gods", {"act": "always", "money": 6}),
    ("small gods: if I have at least $6", "Small Gods", {"act": "always", "money": 6}),
    ("Gaspode by red or blue", "Gaspode", {"act": "always", "by": ["Red", "Blue"]}),
    ("Igor: only by events", "Igor", {"act": "always", "by": ["event"]}),
    ("gaspod: in the shaeds and nap hil", "Gaspode", {"act": "always", "areas": ["The Shades", "Nap Hill"]}),
    ("Susan: ask in Dimwell", "Susan", {"act": "ask", "areas": ["Dimwell"]}),
    ("Igor: always to Nap Hill, Dimwell", "Igor", {"act": "always", "to": ["Nap Hill", "Dimwell"]}),
]

REFUSED: list[tuple[str, str]] = [
    ("Gaspode", "policy-terms"),
    ("", "policy-terms"),
    ("Groat: always", "policy-card"),
    ("Doctor Mossy Lawn: always", "policy-card"),
    ("always", "policy-card"),
    ("Gaspode: always unless it is Red", "policy-terms"),
    ("Gaspode: always, never", "policy-terms"),
    ("Gaspode: never by Red", "policy-terms"),
    ("Gaspode: only in Quirm", "policy-area"),
    ("Gaspode: only in", "policy-area"),
    ("Gaspode: by purple", "policy-colour"),
    ("Small Gods: if money is tight", "policy-money"),
    ("Gaspode: always to Dimwell", "policy-to"),
]


@pytest.mark.parametrize(("text", "subject", "terms"), UNDERSTOOD)
def test_a_policy_is_read(text: str, subject: str, terms: dict[str, Any]) -> None:
    assert read_policy(text) == (subject, terms)


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_cannot_be_read_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        read_policy(text)
    assert refused.value.reason == reason


def test_an_unknown_name_comes_back_with_those_that_would_do() -> None:
    with pytest.raises(NotUnderstood) as refused:
        read_policy("Gaspode: by purple")
    assert refused.value.suggestions[:4] == ("Red", "Green", "Blue", "Yellow")
