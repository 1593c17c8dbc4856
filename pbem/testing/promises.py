"""What a broken promise is, and what it says of the match and of the file in which it was seen."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from pbem.errors import PbemError, place_of
from pbem.orders.commands import ALONE, LEADING, Card, Yes

#: Words and phrases that ask the server for something; no option may be read as one. `yes` and `card NAME` may be
#: options: where one is offered, that is what they mean.
RESERVED: frozenset[str] = frozenset(
    phrase for command, phrases in ALONE if not isinstance(command, Yes) for phrase in phrases
) | frozenset(word for word, (command, _) in LEADING.items() if command is not Card)

#: What a look at a game comes upon: each promise that is broken, in a sentence, and what was seen instead.
Broken: TypeAlias = Iterator[tuple[str, object]]


@dataclass(frozen=True, slots=True)
class Played:
    """A match as far as it was played: enough to play it again."""

    seats: int
    settings: Mapping[str, str]
    seed: bytes
    #: Seat and option text, oldest first.
    choices: tuple[tuple[int, str], ...] = ()

    def __str__(self) -> str:
        chosen = "; ".join(f"{seat}: {text}" for seat, text in self.choices) or "none"
        rules = "".join(f", {name} {value}" for name, value in self.settings.items())
        return f"{self.seats} seats{rules}, seed {self.seed.hex()}, choices: {chosen}"


class PromiseBroken(PbemError):
    """A game does not keep a promise of the protocol.

    `promise` is a sentence, `seen` what was seen instead, `played` the match in which it was (None when none was
    needed), `file` the file of the game, with the line where there is one (may be empty).
    """

    def __init__(self, promise: str, seen: object, *, played: Played | None = None, file: str = "") -> None:
        super().__init__(promise)
        self.promise, self.seen, self.played, self.file = promise, str(seen), played, file

    def __str__(self) -> str:
        lines = {"but": self.seen, "file": self.file, "played": self.played}
        return "\n".join([self.promise, *(f"{name}: {said}" for name, said in lines.items() if said)])


def expect(broken: Iterable[tuple[str, object]], *, by: object) -> None:
    """Raise PromiseBroken for the first promise that an object of a game does not keep."""
    for promise, seen in broken:
        module = sys.modules.get(type(by).__module__)
        raise PromiseBroken(promise, seen, file=getattr(module, "__file__", None) or "")


@contextmanager
def no_error(promise: str, where: str = "") -> Iterator[None]:
    """A promise is broken by whatever error is raised inside; the file is that which raised it."""
    try:
        yield
    except PromiseBroken:
        raise
    except Exception as error:
        raise PromiseBroken(promise, f"{type(error).__name__}: {error}{where}", file=place_of(error)) from error
