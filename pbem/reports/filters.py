"""Filters and functions for templates: cleaning what people wrote, dates, menus, reply links. No words here."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pbem.orders.outcome import Line
from pbem.reports.contexts import Happening, Question

#: Control characters, and characters that turn the direction of text or hide in it.
UNSAFE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e007f]+"
)
#: The same, but for the line breaks of a finished text; and what of it can stand in ASCII.
UNSAFE_IN_TEXT = re.compile(UNSAFE.pattern.replace(r"\x00-\x1f", r"\x00-\x09\x0b-\x1f"))
UNSAFE_IN_ASCII = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]+")

#: Where the last name of an order text begins, when many options differ in nothing else.
JOINTS = (" with ", " to ", " in ", " from ", " instead of ")

#: More options than this are shown in groups.
LONG_MENU = 14

Value = TypeVar("Value")


def remarks(lines: Sequence[Line], answering: bool) -> list[Line]:
    """Of what was set aside, what is no order after all: what stands before an order that was done, and anything beside
    an answer in somebody else's turn (`answering`), where nothing else could be ordered."""
    done = [number for number, line in enumerate(lines) if line.verdict in ("done", "corrected")]
    before = len(lines) if answering else max(done, default=0)
    return [line for line in lines[:before] if line.verdict == "set_aside" and not (line.option or line.problem)]


def clean(text: str) -> str:
    """What a person wrote, as one harmless line."""
    if text.isascii() and text.isprintable():
        return text
    return UNSAFE.sub(" ", text).strip()


def clean_lines(text: str) -> str:
    """A finished text, harmless whatever may have slipped into it."""
    if text.replace("\n", "").isprintable():  # nothing unsafe is; it is ten times as fast to find out
        return text
    return (UNSAFE_IN_ASCII if text.isascii() else UNSAFE_IN_TEXT).sub("", text)


def cleaned(value: Value) -> Value:
    """A context with everything people may have written made harmless. What the game itself says is kept."""
    if isinstance(value, str):
        return clean(value)  # type: ignore[return-value]
    if isinstance(value, tuple):
        if value and isinstance(value[0], Happening):
            return value
        return tuple(cleaned(item) for item in value)  # type: ignore[return-value]
    if isinstance(value, Mapping):
        return {key: cleaned(item) for key, item in value.items()}  # type: ignore[return-value]
    if is_dataclass(value) and not isinstance(value, type | Question):
        changed = {}
        for spot in fields(value):
            if spot.name in ("view", "policies"):
                continue
            before = getattr(value, spot.name)
            after = cleaned(before)
            if after is not before and after != before:
                changed[spot.name] = after
        return replace(value, **changed) if changed else value
    return value


@lru_cache(maxsize=64)
def zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def local(moment: datetime, timezone: str) -> datetime:
    """The moment in the reader's time zone."""
    return moment.astimezone(zone(timezone))


def span(until: datetime, now: datetime) -> tuple[int, int, int]:
    """Days, hours and minutes from now until then; nothing below zero."""
    minutes = max(int((until - now + timedelta(seconds=30)).total_seconds()) // 60, 0)
    return minutes // 1440, minutes // 60 % 24, minutes % 60


@dataclass(frozen=True, slots=True)
class Choice:
    """One option in a menu."""

    #: The number that may be answered instead of the text.
    number: int
    #: The whole order text.
    text: str
    #: What is left of it behind the group's lead.
    tail: str


def lead(text: str) -> str:
    """What an order text has in common with its like: all up to its last name, or its verb."""
    for joint in JOINTS:
        before, joined, _ = text.rpartition(joint)
        if joined:
            return before + joint.rstrip()
    return text.partition(" ")[0]


def menu(options: Sequence[str]) -> list[tuple[str, list[Choice]]]:
    """Options in groups of a common beginning; one group without a lead when they are few.

    Numbers count the options in their given order.
    """
    if len(options) <= LONG_MENU:
        return [("", [Choice(number, text, text) for number, text in enumerate(options, 1)])]
    groups: dict[str, list[Choice]] = {}
    for number, text in enumerate(options, 1):
        start = lead(text)
        groups.setdefault(start, []).append(Choice(number, text, text[len(start) :].strip() or text))
    return [
        ("" if len(group) == 1 and group[0].tail == group[0].text else start, group) for start, group in groups.items()
    ]


def by_verb(options: Sequence[str]) -> list[tuple[str, list[Choice]]]:
    """Options in groups of a common verb, numbered in their given order."""
    groups: dict[str, list[Choice]] = {}
    for number, text in enumerate(options, 1):
        verb, _, tail = text.partition(" ")
        groups.setdefault(verb, []).append(Choice(number, text, tail))
    return list(groups.items())


def by_lead(texts: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Order texts in groups of a common beginning: the beginning, and how each goes on."""
    groups: dict[str, list[str]] = {}
    for text in texts:
        start = lead(text)
        groups.setdefault(start, []).append(text[len(start) :].strip())
    return list(groups.items())


def objects(texts: Iterable[str]) -> list[str]:
    """What order texts are about, each once: their first names, without the verb and `from` and `instead of`."""
    names = (text.partition(" ")[2].partition(" from ")[0].partition(" instead of ")[0] for text in texts)
    return list(dict.fromkeys(names))


class Links:
    """`mailto:` links that open a reply with an order written in it, on one line."""

    __slots__ = ("prefix",)

    def __init__(self, address: str, subject: str) -> None:
        self.prefix = f"mailto:{quote(address, safe='@+')}?subject={quote(subject, safe='')}&body="

    def __call__(self, order: str) -> str:
        return self.prefix + quote(order, safe="")


def listed(names: Iterable[Any], last: str) -> Any:
    """`a, b and c`, with `last` being the word before the last."""
    items = [name if isinstance(name, str) else str(name) for name in names]
    if len(items) < 2:
        return items[0] if items else ""
    comma = ", "
    head = items[0]
    for item in items[1:-1]:
        head = head + comma + item
    return head + f" {last} " + items[-1]
