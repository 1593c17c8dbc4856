"""What programs, gateways and companies write into mails: files of patterns, one a line behind its language.

Lists are the weakest of the signals that tell typed text from the rest; they only add to what shape and place say.
`tests/bench/ablate.py --lists` says which mails each line carries.
"""

import re
from functools import cache
from importlib.resources import files


def entries(name: str) -> tuple[str, ...]:
    """The lines of a list, without its comments."""
    text = files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def any_of(name: str) -> re.Pattern[str]:
    """A pattern for any of those in a list."""
    return re.compile("|".join(line.split(maxsplit=1)[1] for line in entries(name)), re.IGNORECASE)


@cache
def headings() -> frozenset[str]:
    """The headings of our reports."""
    return frozenset(entries("headings"))
