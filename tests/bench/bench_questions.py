"""How well and how fast questions are answered: rates by kind for each table of `tests/questions`, and what is missed.

PYTHONPATH=. python tests/bench/bench_questions.py handed --missed
"""

from __future__ import annotations

import argparse
from time import process_time

from games.ankh_morpork.game import GAME
from pbem.questions.answer import answer
from tests.questions.rates import answered, places, questions, rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=["handed"])
    parser.add_argument(
        "--missed", action="store_true", help="print the questions that are not right at the first place"
    )
    options = parser.parse_args()
    started = process_time()
    answer(GAME, "How do I win?")
    print(f"index and first answer: {1000 * (process_time() - started):.0f} ms")
    for name in options.tables:
        started = process_time()
        by_kind = rates(name)
        each = 1000 * (process_time() - started) / len(questions(name))
        print(f"{name}: {each:.1f} ms a question")
        for kind, (total, first, three) in by_kind.items():
            print(f"  {kind:13} {total:4} {first:4} first {three:4} among three")
        if options.missed:
            for row in questions(name):
                if not places(row)[0]:
                    known = answered(row)
                    titles = [entry.title for entry in known.entries]
                    print(f"  {row['kind']}: {row['text']}\n      {known.kind} {titles}")


if __name__ == "__main__":
    main()
