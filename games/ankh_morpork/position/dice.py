"""Dice, shuffles and random picks, all from the seed: one stream a purpose, so that no purpose disturbs another.

Block n of a stream is SHA-256 over seed, purpose and n; it is read as eight 32-bit words. A number below k is
drawn by rejection, so that none is likelier than another.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from struct import unpack
from typing import TypeVar

T = TypeVar("T")

#: The streams, in the order in which a snapshot counts them.
DECK, EVENTS, DICE, PICKS = range(4)
PURPOSES = (b"deck", b"events", b"dice", b"picks")


class Dice:
    """The randomness of one match: a seed, and how many words of each stream are used."""

    __slots__ = ("_words", "scripted", "seed", "used")

    def __init__(self, seed: bytes, used: Sequence[int] = (0, 0, 0, 0), scripted: Sequence[int] = ()) -> None:
        self.seed = seed
        self.used = list(used)
        #: Dice to roll first, for tests and scenarios only.
        self.scripted = list(scripted)
        self._words = [self._stream(stream) for stream in range(len(PURPOSES))]

    def state(self) -> tuple[bytes, list[int], list[int]]:
        """What to make the same randomness from, to be drawn from independently."""
        return self.seed, self.used[:], self.scripted[:]

    def _stream(self, stream: int) -> Iterator[int]:
        """The words of a stream from the first that is not used."""
        number, used = divmod(self.used[stream], 8)
        while True:
            block = sha256(self.seed + PURPOSES[stream] + number.to_bytes(8, "big")).digest()
            yield from unpack(">8I", block)[used:]
            number, used = number + 1, 0

    def below(self, stream: int, limit: int) -> int:
        """A number from 0 to limit - 1."""
        ceiling = 2**32 - 2**32 % limit
        while True:
            word = next(self._words[stream])
            self.used[stream] += 1
            if word < ceiling:
                return word % limit

    def die(self) -> int:
        """The twelve-sided die."""
        if self.scripted:
            return self.scripted.pop(0)
        return self.below(DICE, 12) + 1

    def shuffle(self, stream: int, items: list[T]) -> None:
        """Put a list in random order, in place (Fisher and Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(stream, last + 1)
            items[last], items[other] = items[other], items[last]

    def reseed(self, entropy: bytes) -> None:
        """Go on from fresh randomness mixed into the old."""
        self.seed = sha256(self.seed + b"rollback" + entropy).digest()
        self.used = [0] * len(PURPOSES)
        self._words = [self._stream(stream) for stream in range(len(PURPOSES))]
