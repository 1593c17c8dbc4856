"""What comes of the phrasings of `tests/orders/phrasings`: moved, asked, part or wrong, by what should come of them.

    PYTHONPATH=. python tests/bench/bench_phrasings.py [-v]

`-v` prints each line that does not come out as it should.
"""

from __future__ import annotations

import argparse
from collections import Counter
from time import perf_counter

from tests.orders.phrasing import among_orders, phrasings


def main(verbose: bool) -> None:
    counts: Counter[tuple[str, str, str]] = Counter()
    times: list[tuple[float, str]] = []
    for phrasing in phrasings():
        began = perf_counter()
        verdict = phrasing.judged()
        times.append((perf_counter() - began, phrasing.text))
        wanted = phrasing.order["outcome"] + (" (must move)" if phrasing.must_move else "")
        counts[phrasing.order["source"], wanted, verdict] += 1
        if verbose and (verdict in ("wrong", "part") or (phrasing.must_move and verdict != "moved")):
            print(f"{verdict}: {phrasing.position['id']}: {phrasing.text!r}, not {phrasing.order['should']}")
    for (source, wanted, verdict), count in sorted(counts.items()):
        print(f"{count:5} {source:7} {wanted:17} {verdict}")
    for kind in ("doubt", "chat"):
        among = Counter(phrasing.judged() for _, phrasing in among_orders(kind))
        print(f"{kind} among orders: {', '.join(f'{count} {verdict}' for verdict, count in sorted(among.items()))}")
    times.sort(reverse=True)
    print(f"slowest {times[0][0] * 1000:.0f} ms: {times[0][1]!r}; median {times[len(times) // 2][0] * 1000:.2f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-v", "--verbose", action="store_true", help="name what was read otherwise")
    main(parser.parse_args().verbose)
