"""The legal options closest to a line that could not be carried out, closest first."""

from __future__ import annotations

from rapidfuzz import fuzz

from pbem.orders.reading import Reading
from pbem.orders.vocabulary import Lexicon
from pbem.orders.words import plain
from pbem.protocol import Decision, Option

#: How many are worth reading.
MOST = 12
MOST_WITHOUT_VERB = 6


def closest(line: str, decision: Decision, reading: Reading, lexicon: Lexicon) -> list[str]:
    """Texts of legal options: those with the verb that was written, if it is on offer; else the most alike."""
    said = plain(line)
    names = frozenset(reading.names)

    def likeness(option: Option) -> tuple[int, float]:
        shared = sum(mention.name in names for mention in lexicon.parts(option.text).mentions)
        return -shared, -fuzz.ratio(said, plain(option.text)) if reading.unknown else 0.0

    options = [o for o in decision.options if lexicon.parts(o.text).verb in reading.verbs]
    most = MOST if options else MOST_WITHOUT_VERB
    return [option.text for option in sorted(options or decision.options, key=likeness)[:most]]
