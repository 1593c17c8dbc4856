"""What each part of the reading of mail is worth: switch it off, read every mail again, see which are lost.

python tests/bench/ablate.py                  each part by itself, and how many mails of each corpus it carries
python tests/bench/ablate.py --mails          with the names of the mails
python tests/bench/ablate.py --lists          each line of the word lists as well
python tests/bench/ablate.py Finder wrote     only parts with this in their name
"""

from __future__ import annotations

import argparse
import operator
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from pbem.mail.handling.check import settings_for
from pbem.mail.reading import charsets, data, headers, html, lines, machine, message, orders, parse, quotes, typed
from pbem.mail.reading.values import MACHINE_KINDS

MAILS = Path(__file__).parents[1] / "mails"
OWN = ("orders@play.example.org",)
DROPPED = ("Cf", "So", "Sk", "Mn")
PLAIN = str.maketrans({**dict.fromkeys("‘’‚‛′´`ʼ", "'"), **dict.fromkeys("“”„‟″", '"'), "−": "-"})
#: The lists that tell what is typed; those about bounces are tested by themselves.
LISTS = (*("absence", "daemons", "dates", "headings", "mail_nouns", "notices", "robots", "sent_from", "wrote"),)


class Mail(NamedTuple):
    """A mail of a corpus and what it must yield."""

    corpus: str
    name: str
    raw: bytes
    kinds: frozenset[str]
    orders: tuple[tuple[str, ...], ...]


class Feature(NamedTuple):
    """A part of the reading, and what stands in its place when it is off."""

    owner: Any
    attribute: str
    off: Any

    @property
    def name(self) -> str:
        return f"{getattr(self.owner, '__name__', self.owner).rpartition('.')[2]}.{self.attribute}"


def never_like(pattern: re.Pattern[Any]) -> re.Pattern[Any]:
    """A pattern that matches nothing, for the same kind of text."""
    return re.compile(pattern.pattern[:0] + (b"(?!)" if isinstance(pattern.pattern, bytes) else "(?!)"))


def always(value: Any) -> Callable[..., Any]:
    return lambda *given, **named: value


#: Patterns that can match nothing instead.
PATTERNS: dict[Any, str] = {
    headers: "ROUTE TAGS_BEHIND",
    html: "NO_QUOTE CITES",
    lines: "ENTITY OTHER_MARK GROUPWISE OVERSTRUCK BEGINS_FILE PERCENT",
    machine: "TAGS",
    message: "BLANK_IN_FIRST_LINE",
    orders: "ENUMERATION LINK NUMBERS",
    quotes: "DIVIDER RULE OPENING",
    typed: "STRUCK SIGNATURE SENTENCE UNTICKED QUOTATION",
}
#: Functions and tables that can give back what they got, or nothing.
PARTS = (
    *((quotes.Quotes, name, always(0)) for name in ("header_block", "attribution")),
    *((quotes.Quotes, name, always(False)) for name in ("is_ours",)),
    *((quotes.Quotes, name, always(None)) for name in ("find_broken_halves", "find_unannounced")),
    (quotes, "both_ways_round", lambda name: (name,)),
    *((typed.Trimmer, name, always(False)) for name in ("is_notice", "goes_on", "is_closed_again", "is_signed")),
    *((typed, name, always(())) for name in ("section_lines", "cited_lines")),
    *((typed, name, always(False)) for name in ("is_device_line", "is_rest")),
    (html.Reader, "end_row", lambda self: self.rows.pop()),
    (parse, "behind_token", always("")),
    (parse, "unreadable", always("")),
    (parse, "instead_of_text", lambda mail, shown: shown),
    (charsets, "WIDER", {}),
    (charsets, "ALIASES", {}),
    (charsets, "utf_16_of", lambda raw, codec: codec),
    (message, "charset_of_html", always("")),
    (message, "TYPES", frozenset(("text", "plain"))),
)


def features() -> Iterator[Feature]:
    """Everything that can be switched off: patterns, parts, rules and rows of tables, whole lists."""
    for owner, names in PATTERNS.items():
        yield from (Feature(owner, name, never_like(getattr(owner, name))) for name in names.split())
    yield from (Feature(*part) for part in PARTS)


def without(table: tuple[Any, ...], row: Any) -> tuple[Any, ...]:
    return tuple(other for other in table if other is not row)


def switches() -> Iterator[tuple[str, AbstractContextManager[Any]]]:
    """(name, what switches it off while it is entered)."""
    for feature in features():
        yield feature.name, patch.object(feature.owner, feature.attribute, feature.off)
    for rule in machine.RULES:
        yield f"RULES {rule[2]}", patch.object(machine, "RULES", without(machine.RULES, rule))
    for trait in html.TRAITS:
        rest = {name: marks for name, marks in html.TRAITS.items() if name != trait}
        yield f"TRAITS {trait}", patch.object(html, "TRAITS", rest)
    for clues in quotes.SAYS_WHOSE:
        fewer = without(quotes.SAYS_WHOSE, clues)
        yield f"SAYS_WHOSE {' '.join(sorted(clues))}", patch.object(quotes, "SAYS_WHOSE", fewer)
    for name in LISTS:
        yield f"{name}.txt", shortened(name, lambda line: False)


@contextmanager
def shortened(list_name: str, stays: Callable[[str], bool]) -> Iterator[None]:
    """A list of words without some of its lines."""
    whole = data.entries

    def entries(name: str) -> tuple[str, ...]:
        lines = whole(name)
        return (tuple(filter(stays, lines)) or ("en (?!)",)) if name == list_name else lines

    with patch.object(data, "entries", entries):
        forget()
        yield
    forget()


def forget() -> None:
    """Drop what was computed from lists and patterns."""
    for cached in (data.any_of, data.headings, quotes.heading_inside, typed.roots_in, charsets.codec_named):
        cached.cache_clear()


def key(line: str) -> str:
    """The comparison that the corpus's README lays down."""
    line = unicodedata.normalize("NFKC", line).translate(PLAIN)
    line = "".join("-" if unicodedata.category(c) == "Pd" else c for c in line)
    line = "".join(c for c in line if c != "\0" and unicodedata.category(c) not in DROPPED)
    return " ".join(line.split()).rstrip(" .,;!").casefold()


def mails() -> Iterator[Mail]:
    """Every mail of every corpus."""
    for index in sorted(MAILS.glob("*/expected.toml")):
        for entry in tomllib.loads(index.read_text("utf-8"))["message"]:
            kind = entry["kind"]
            if kind in ("rejected", "duplicate"):  # these need seats or a history
                continue
            yield Mail(
                index.parent.name,
                entry["file"],
                (index.parent / entry["file"]).read_bytes(),
                MACHINE_KINDS if kind in MACHINE_KINDS else frozenset((kind,)),
                tuple(
                    tuple(key(line) for line in way) for way in (entry["orders"], *entry.get("orders_also_right", ()))
                ),
            )


def lost(every: list[Mail]) -> list[Mail]:
    """The mails that are read wrong now."""
    settings = settings_for(None, OWN)
    forget()
    wrong = []
    for mail in every:
        found = parse.parse_mail(mail.raw, settings)
        if found.kind not in mail.kinds or tuple(key(line) for line in found.orders) not in mail.orders:
            wrong.append(mail)
    return wrong


def row(name: str, wrong: list[Mail], corpora: list[str], *, names: bool) -> str:
    """One line of the table."""
    count = Counter(mail.corpus for mail in wrong)
    cells = "".join(f"{count[corpus] or '.':>10}" for corpus in corpora)
    return f"{name:52}{cells}" + (f"   {' '.join(mail.name for mail in wrong[:6])}" if names else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="only what has one of these in its name")
    parser.add_argument("--mails", action="store_true", help="name the mails")
    parser.add_argument("--lists", action="store_true", help="each line of the word lists")
    asked = parser.parse_args()
    every = list(mails())
    corpora = sorted({mail.corpus for mail in every})
    before = set(lost(every))
    print(f"{'':52}" + "".join(f"{corpus:>10}" for corpus in corpora))
    print(row("read wrong as it is", sorted(before), corpora, names=asked.mails))
    right = [mail for mail in every if mail not in before]
    for name, switch in switches():
        if asked.names and not any(part in name for part in asked.names):
            continue
        with switch:
            wrong = lost(right)
        print(row(name, wrong, corpora, names=asked.mails), flush=True)
        if asked.lists and name.endswith(".txt"):
            list_name = name.removesuffix(".txt")
            for line in data.entries(list_name):
                with shortened(list_name, partial(operator.ne, line)):
                    print(row(f"  {line}", lost(wrong), corpora, names=asked.mails), flush=True)


if __name__ == "__main__":
    main()
