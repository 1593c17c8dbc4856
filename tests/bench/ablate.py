"""What each part of the reading of mail is worth: switch it off, read every mail again, see which are lost.

python tests/bench/ablate.py              each feature by itself, and how many mails of each corpus it carries
python tests/bench/ablate.py --names      with the names of the mails
python tests/bench/ablate.py --joint      all features together that lose nothing alone
python tests/bench/ablate.py A B          only these features
"""

from __future__ import annotations

import argparse
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from pbem.cli.check import reading_for
from pbem.mail.reading import footers, html, lines, machine, orders, parse, phrases, quotes, typed
from pbem.mail.reading.values import MACHINE_KINDS

MAILS = Path(__file__).parents[1] / "mails"
OWN = ("orders@play.example.org",)
DROPPED = ("Cf", "So", "Sk", "Mn")
PLAIN = str.maketrans({**dict.fromkeys("‘’‚‛′´`ʼ", "'"), **dict.fromkeys("“”„‟″", '"'), "−": "-"})
NEVER = re.compile(r"(?!)")


class Mail(NamedTuple):
    """A mail of a corpus and what it must yield."""

    corpus: str
    name: str
    raw: bytes
    kinds: frozenset[str]
    orders: tuple[tuple[str, ...], ...]


class Feature(NamedTuple):
    """A part of the reading, and what stands in its place when it is off."""

    name: str
    owner: Any
    attribute: str
    off: Any


def always(value: Any) -> Callable[..., Any]:
    return lambda *given, **named: value


def unchanged(value: Any, *given: Any) -> Any:
    return value


def unchanged_second(_: Any, value: Any, *given: Any) -> Any:
    return value


def features() -> Iterator[Feature]:
    """Everything that can be switched off."""
    finder = quotes.Finder
    for name, off in (
        ("find_sent", None), ("find_unannounced", None), ("find_broken_halves", None), ("header_block", 0),
        ("attribution", 0), ("marks_follow", False), ("only_names_the_game", False), ("holds_a_heading", False),
        ("is_first_at", True), ("is_sure", False), ("has_all_of_a_header", False), ("something_ends", True),
        ("could_begin_attribution", True), ("is_players", False), ("is_subject", False), ("like_ours", False),
    ):  # fmt: skip
        yield Feature(name, finder, name, always(off))
    for name in ("MAP_ROW", "CARD_ROW", "DRAWN", "OPENING", "GAME_CODE", "TIME", "DATE", "BARE_LABEL", "DASHES_ROUND_WORDS"):
        yield Feature(name, quotes, name, NEVER)
    yield Feature("_single_spaced", lines, "_single_spaced", unchanged)
    yield Feature("_odd_mark", lines, "_odd_mark", always(""))
    yield Feature("_named_marks", lines, "_named_marks", always(set()))
    yield Feature("ENTITY", lines, "ENTITY", NEVER)
    yield Feature("GROUPWISE", lines, "GROUPWISE", NEVER)
    yield Feature("marks_of_all", typed, "marks_of_all", always(0))
    yield Feature("without_armour", typed, "without_armour", unchanged)
    yield Feature("_translated_section", typed, "_translated_section", always([]))
    yield Feature("is_notice", footers, "is_notice", always(False))
    yield Feature("is_sent_from", footers, "is_sent_from", always(False))
    yield Feature("names_a_product", footers, "names_a_product", always(True))
    yield Feature("_goes_on", footers, "_goes_on", always(False))
    yield Feature("_orders_below_notice", footers, "_orders_below_notice", always([]))
    for name in ("EXTERNAL_TAG", "EXTERNAL_HEADING", "SENTENCE", "SIGNATURE"):
        yield Feature(name, footers, name, NEVER)
    for name in ("WROTE", "SENT_FROM", "PRODUCTS", "WARNING", "SMALL_PRINT", "FOOTER", "PROTECTED", "ORIGINAL_MESSAGE"):
        yield Feature(name, phrases, name, NEVER)
    for name in ("BOUNCE_SUBJECT", "ABSENCE_SUBJECT", "RECEIPT_SUBJECT", "RECEIPT_TEXT", "ABSENCE_TEXT", "DAEMONS", "ROBOTS"):
        yield Feature(name, machine, name, NEVER)
    for name in ("QUOTES", "BEGINS_QUOTE", "SIGNATURES", "HIDDEN", "NO_QUOTE", "BLOCK_STYLE", "KEEPS_LINES"):
        yield Feature(name, html, name, NEVER)
    yield Feature("_with_subject", parse, "_with_subject", unchanged)
    yield Feature("_unreadable", parse, "_unreadable", always(""))
    yield Feature("_is_placeholder", parse, "_is_placeholder", always(False))
    yield Feature("_without_symbols", orders, "_without_symbols", unchanged)


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
                    tuple(key(line) for line in way)
                    for way in (entry["orders"], *entry.get("orders_also_right", ()))
                ),
            )


def lost(every: list[Mail]) -> list[Mail]:
    """The mails that are read wrong now."""
    reading = reading_for(None, OWN)
    wrong = []
    for mail in every:
        footers._hits.cache_clear()
        found = parse.understand(mail.raw, reading)
        if found.kind not in mail.kinds or tuple(key(line) for line in found.orders) not in mail.orders:
            wrong.append(mail)
    return wrong


def row(name: str, wrong: list[Mail], corpora: list[str], *, names: bool) -> str:
    """One line of the table."""
    count = Counter(mail.corpus for mail in wrong)
    cells = "".join(f"{count[corpus] or '.':>10}" for corpus in corpora)
    return f"{name:28}{cells}" + (f"   {' '.join(mail.name for mail in wrong[:6])}" if names else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("features", nargs="*")
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--joint", action="store_true")
    asked = parser.parse_args()
    every = list(mails())
    corpora = sorted({mail.corpus for mail in every})
    before = set(lost(every))
    print(f"{'':28}" + "".join(f"{corpus:>10}" for corpus in corpora))
    print(row("read wrong as it is", sorted(before), corpora, names=asked.names))
    idle = []
    for feature in features():
        if asked.features and feature.name not in asked.features:
            continue
        with patch.object(feature.owner, feature.attribute, feature.off):
            wrong = [mail for mail in lost(every) if mail not in before]
        print(row(feature.name, wrong, corpora, names=asked.names), flush=True)
        if not wrong:
            idle.append(feature)
    if asked.joint:
        with ExitStack() as stack:
            for feature in idle:
                stack.enter_context(patch.object(feature.owner, feature.attribute, feature.off))
            wrong = [mail for mail in lost(every) if mail not in before]
        print(row("all idle together", wrong, corpora, names=asked.names))


if __name__ == "__main__":
    main()
