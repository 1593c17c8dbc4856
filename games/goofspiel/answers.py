"""What can be asked about Goofspiel in plain words: its rules, and answers to what people ask most."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from pbem.protocol import Asked, Entry, Finding, Untold, View

#: A rule in RULES.md.
RULE = re.compile(r"^(\d+)\. (.*(?:\n   .*)*)", re.MULTILINE)
#: What people say for the words of the rules.
SYNONYMS: Mapping[str, Sequence[str]] = {
    "bid": ("offer", "bet", "play", "put down"),
    "prize": ("stake", "stakes", "diamond", "diamonds"),
    "tie": ("tied", "draw", "level", "same bid", "equal"),
    "win": ("winner", "victory"),
    "point": ("points", "score", "scoring"),
}
#: What asks for a bid that is still secret: these words together.
SECRETS = (
    frozenset(("what", "did", "bid")),
    frozenset(("what", "will", "bid")),
    frozenset(("which", "card", "next")),
    frozenset(("next", "prize")),
)
#: Those who ask for their own.
OWN = frozenset(("i", "my", "me", "should", "can", "if"))


def _text(name: str) -> str:
    return (files("games.goofspiel") / name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def entries() -> Sequence[Entry]:
    """The rules by their numbers, and answers that rest on them."""
    rules = [
        Entry(id=f"rule-{number}", kind="rule", title=f"rule {number}", text=" ".join(text.replace("*", "").split()))
        for number, text in RULE.findall(_text("RULES.md"))
    ]
    topics = tomllib.loads(_text("faq.toml"))["topic"]
    return (*map(Entry.of_topic, topics), *rules)


def synonyms() -> Mapping[str, Sequence[str]]:
    """What people say for a word of the rules."""
    return SYNONYMS


def finding(question: Asked, view: View) -> Finding | None:
    """Nothing is found out: all that a position holds stands in every report."""
    return None


def untold(question: Asked) -> Untold | None:
    """Bids lie face down until all are in, and so does the next prize."""
    words = frozenset(word for word in question if isinstance(word, str))
    secret = any(those <= words for those in SECRETS) and words.isdisjoint(OWN)
    return Untold("bids", ("rule-4", "rule-2")) if secret else None
