"""Marks of decisions: what a tapped link carries, so that it answers the decision beside which it stood and no other."""

from collections.abc import Iterable
from hashlib import sha256

#: Characters of a mark. The token beside it names the ask; the mark only tells apart what was asked under it.
LENGTH = 4


def mark(options: Iterable[str], answer: Iterable[str]) -> str:
    """The mark of a decision with these options, behind what its seat has answered so far to an open group; what is
    answered completely may be answered anew, from the first question on, as if nothing were."""
    return sha256("\n".join([*options, "", *answer]).encode()).hexdigest()[:LENGTH].upper()
