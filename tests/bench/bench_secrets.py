"""Pairs of games that some seats cannot tell apart, played by the same mails, and what they could be told apart by.

    PYTHONPATH=. python tests/bench/bench_secrets.py [--pairs N] [--first N] [standing|sealed|ask ...]

Each pair comes from its number. It prints, per reaction mode, how many mails were compared, how many interrupts fired in
both games, what pairs parted by (the rules show it), and each pair that could be told apart, with all that was written.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter

from pbem.config import Settings
from pbem.store import Store
from tests.pipeline.swapped import Office, begin_pair

#: Mails written in a pair, as long as its games go on alike.
MAILS = 8


def office(path: Path) -> Office:
    """A server with a database of its own."""
    url = f"sqlite:///{path}"
    settings = {
        "database": url,
        "mail": {"address": "orders@play.example.org", "moderator": "mod@example.org"},
        "imap": {"host": "localhost"},
        "smtp": {"host": "localhost"},
    }
    return Office(Store(url).create(), Settings.model_validate(settings))


def main(reactions: str, numbers: range) -> None:
    counts: Counter[str] = Counter()
    began = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        offices = None
        for number in numbers:
            if offices is None:
                offices = tuple(office(Path(folder) / f"{number}-{side}.db") for side in ("one", "other"))
            try:
                begin_pair(offices, reactions, number, counts).play(MAILS)
                counts["pairs"] += 1
            except AssertionError as difference:
                counts["told apart"] += 1
                print(f"{reactions} {number}: {difference}")
                offices = None  # they are not alike any more
    figures = ", ".join(f"{count} {what}" for what, count in counts.most_common())
    print(f"{reactions}: {figures}; {perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "reactions", nargs="*", default=["standing", "sealed", "ask"], help="reaction modes (all three)"
    )
    parser.add_argument("--pairs", type=int, default=100, help="pairs in each (100)")
    parser.add_argument("--first", type=int, default=0, help="number of the first (0)")
    chosen = parser.parse_args()
    for mode in chosen.reactions:
        main(mode, range(chosen.first, chosen.first + chosen.pairs))
