"""All that may be looked up: answers to frequent questions, the rules by their ids, and everything that has a name."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from games.ankh_morpork.data.cards import ENTRIES
from games.ankh_morpork.text.words import VOCABULARY
from pbem.protocol import Entry

#: A rule in RULES.md: its id and title in bold print, and its text up to the next.
RULE = re.compile(r"\*\*(R-[A-Z]+-\w+)([^*]*)\*\*(.*?)(?=\*\*R-|\n\n|\Z)", re.DOTALL)
#: What RULES.md says to who writes the program: keys of the data, open questions, defaults, its own sections; and marks.
MACHINERY = re.compile(
    r"\(`[^`]*`[^)]*\)|\(Q-\d+\)|`[a-z_0-9]*[_:][^`]*`[.:]? ?|Default:? D-\w+[^.]*\.|[;,]? ?\(?D-[A-Z]+\)?|Decides: [^.]*\."
    r"|\((?:in )?section \d+\) ?|[*`]"
)
#: The shortest text of a rule; a shorter one is told with the next.
SHORTEST_RULE = 20


def _folder_text(name: str) -> str:
    return (files("games.ankh_morpork") / name).read_text(encoding="utf-8")


def rules() -> list[Entry]:
    """The rules, one by one."""
    entries = []
    for id, title, text in RULE.findall(_folder_text("RULES.md")):
        plain = " ".join(MACHINERY.sub("", text).split()).strip(" .:;,-")
        if len(plain) >= SHORTEST_RULE:
            entries.append(
                Entry(id=id, kind="rule", title=title.strip(" .:`") or id, text=f"{plain[0].upper()}{plain[1:]}.")
            )
    return entries


def frequent() -> list[Entry]:
    """The answers to frequent questions."""
    return [Entry.of_topic(topic) for topic in tomllib.loads(_folder_text("data/faq.toml"))["topic"]]


@lru_cache(maxsize=1)
def asked_words() -> dict[str, dict[str, list[str]]]:
    """The words of questions, `data/asked_words.toml`."""
    tables = tomllib.loads(_folder_text("data/asked_words.toml"))
    return {
        table: {word: [phrase.strip() for phrase in phrases.split(",")] for word, phrases in rows.items()}
        for table, rows in tables.items()
    }


def synonyms() -> Mapping[str, Sequence[str]]:
    """What people say for a word of the entries."""
    return asked_words()["synonyms"]


def things() -> list[Entry]:
    """Cards, areas, events and personalities."""
    entries, more = [], asked_words()["names"]
    for kind, listed in ENTRIES.items():
        for one in listed:
            id = getattr(one, "id", "") or one.slug
            text = getattr(one, "text", "") or getattr(one, "power", "") or getattr(one, "scroll", "") or ""
            entries.append(
                Entry(
                    id=id,
                    kind=kind,
                    title=one.name,
                    titles=(*VOCABULARY.names[kind][one.name], *more.get(id, ())),
                    text=text,
                )
            )
    return entries


@lru_cache(maxsize=1)
def entries() -> Sequence[Entry]:
    """Everything."""
    return (*frequent(), *things(), *rules())
