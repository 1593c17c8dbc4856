"""Mail commands: lines that ask the server for something instead of answering a decision.

Recognising them is all that happens here; carrying them out is the pipeline's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from pbem.orders.intent import Chat, Doubt, begins_with_idiom, hesitant, judged, only_names, unadorned
from pbem.orders.vocabulary import ROLES
from pbem.orders.words import ARTICLES, POLITE, SMALL_TALK, clean, key, unmarked, words
from pbem.protocol import Vocabulary, installed_games


@dataclass(frozen=True, slots=True)
class Help:
    """How to play by mail."""


@dataclass(frozen=True, slots=True)
class Status:
    """Where the game stands and who must move."""


@dataclass(frozen=True, slots=True)
class Report:
    """The newest report once more."""


@dataclass(frozen=True, slots=True)
class History:
    """What happened in the game so far."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A rules topic; empty for the list of topics."""

    topic: str


@dataclass(frozen=True, slots=True)
class Card:
    """What a card, area, event or personality does."""

    name: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A policy to set, as written after `standing`; empty to list those in force."""

    text: str


@dataclass(frozen=True, slots=True)
class Address:
    """Another mail address for the reports, as written after `address`."""

    address: str


@dataclass(frozen=True, slots=True)
class Preview:
    """Say what the orders in this mail would do, and do nothing."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back what was done since the last reveal."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Leave the game; it needs a typed `yes` as well."""

    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Yes:
    """The typed `yes` that confirms what the server asked about."""


Command: TypeAlias = (
    Help | Status | Report | History | Rules | Card | Standing | Address | Preview | Undo | Resign | Yes
)

#: Commands that take nothing: what they are and how people write them.
ALONE: tuple[tuple[Command, tuple[str, ...]], ...] = (
    (Help(), ("help", "commands", "help me", "how do i play")),
    (Status(), ("status", "map", "show map", "state")),
    (Report(), ("report", "resend", "resend report", "send report", "report again")),
    (History(), ("history", "log", "show history")),
    (Preview(), ("preview", "preview only", "dry run", "what if")),
    (Undo(), ("undo", "undo that", "undo it", "take back", "take that back", "take it back")),
    (Resign(), ("resign", "i resign", "concede", "i concede")),
    (Resign(confirmed=True), ("resign yes", "yes resign", "yes i resign")),
    (Yes(), ("yes", "yes please", "y", "i confirm", "confirm")),
)

#: Commands that take what stands behind them: the first word, and whether that is free text.
LEADING: dict[str, tuple[type[Rules | Card | Standing | Address], bool]] = {
    "rules": (Rules, False),
    "rule": (Rules, False),
    "card": (Card, False),
    "standing": (Standing, True),
    "policy": (Standing, True),
    "address": (Address, True),
}


#: Too common at the beginning of a sentence to make it an order, though a game may know them.
EVERYDAY = ARTICLES | POLITE | SMALL_TALK | ROLES.keys()


class OrderWords(NamedTuple):
    """What makes a typed line an order line, for reading a mail."""

    #: Single words that may begin an order line.
    words: frozenset[str]
    #: Words and phrases that count only when nothing else stands on the line.
    alone: frozenset[str]
    #: Words that are followed by free text, which is not to be split into several orders.
    free: frozenset[str]


class Sorted(NamedTuple):
    """The lines of a mail, told apart."""

    commands: tuple[Command, ...]
    orders: tuple[str, ...]
    #: The remarks, and what stands behind `end`, where nothing counts any more.
    chat: tuple[str, ...]

    def without_doubts(self) -> Sorted:
        """The same with every line in doubt taken for a remark."""
        doubts = tuple(line for line in self.orders if isinstance(line, Doubt))
        orders = tuple(line for line in self.orders if not isinstance(line, Doubt))
        return Sorted(self.commands, orders, (*doubts, *self.chat))


#: Commands that count with polite words round them as well.
HARMLESS = (Help, Status, Report, History, Preview, Undo)

_ALONE = {key(phrase): command for command, phrases in ALONE for phrase in phrases}


def recognise(line: str) -> Command | None:
    """The mail command that a line is, or None when it is not one."""
    text = unmarked(clean(line))
    found = words(text)
    if not found:
        return Help() if text.strip() == "?" else None
    command = _ALONE.get(tuple(word.text for word in found if word.text.isalnum()))
    if command is not None:
        return command
    if found[0].text in LEADING:
        kind, _ = LEADING[found[0].text]
        return kind(text[found[0].end :].strip(" :.,;!?-"))
    return None


def sort_typed(typed: Sequence[tuple[str, bool]], vocabulary: Vocabulary) -> Sorted:
    """Tell commands from orders and remarks, in the order written; behind `end` all is chat. Each line comes with
    whether it begins like an order."""
    enders = _spellings(vocabulary, "end")
    commands: list[Command] = []
    told: list[str] = []
    rest: Sequence[str] = ()
    for number, (line, begins_like_one) in enumerate(typed):
        command = recognise(line if begins_like_one else unadorned(line))
        if not begins_like_one and not isinstance(command, HARMLESS):
            command = None
        if isinstance(command, Address) and "@" not in command.address:
            told.append(Chat(line))  # `Address: 12 Short Street`
        elif isinstance(command, Yes) and commands and commands[-1] == Resign():
            commands[-1] = Resign(confirmed=True)
        elif command is not None:
            commands.append(command)
        else:
            told += [_strictly(line)] if begins_like_one else judged(line, vocabulary)
            last = told[-1]
            if not isinstance(last, Doubt | Chat) and key(unmarked(clean(last.rpartition(";")[2]))) in enders:
                rest = [text for text, _ in typed[number + 1 :]]
                break
    told = _doubted_amid_orders(told, vocabulary)
    orders = tuple(line for line in told if not isinstance(line, Chat))
    return Sorted(tuple(commands), orders, (*(line for line in told if isinstance(line, Chat)), *rest))


def _strictly(line: str) -> str:
    """A line that begins like an order, and may be none all the same."""
    if begins_with_idiom(line):
        return Chat(line)
    return Doubt(line, line) if hesitant(line) else line


def _doubted_amid_orders(told: list[str], vocabulary: Vocabulary) -> list[str]:
    """The lines, with those that say too little for an order judged by where they stand: names alone are chat at
    either end of a mail (`Susan` may have signed it), and in doubt where an order follows."""
    sure = [place for place, line in enumerate(told) if not isinstance(line, Chat | Doubt)]
    first, last = (sure[0], sure[-1]) if sure else (0, 0)
    found: list[str] = []
    for place, line in enumerate(told):
        if isinstance(line, Doubt) and line.weak and place > last:
            found.append(Chat(line))
        elif isinstance(line, Chat) and first < place < last and only_names(line, vocabulary):
            found.append(Doubt(line, line))
        else:
            found.append(line)
    return found


def order_words(vocabulary: Vocabulary) -> OrderWords:
    """Which words make a typed line an order line in this game."""
    alone = {_lowered(phrase) for _, spellings in ALONE for phrase in spellings}
    leading = set(LEADING)
    for verb, others in vocabulary.verbs.items():
        phrases = {_lowered(phrase) for phrase in (verb, *others)}
        if verb in vocabulary.alone:
            alone |= phrases
        else:
            leading |= {phrase.partition(" ")[0] for phrase in phrases} - EVERYDAY
    for kind in vocabulary.infix.values():
        leading |= {_lowered(name).partition(" ")[0] for name in vocabulary.names[kind]}
    leading -= alone  # `end trouble` is calm, but a line that begins with `end` is more often chat
    return OrderWords(
        words=frozenset(leading | {phrase for phrase in alone if " " not in phrase}),
        alone=frozenset(alone),
        free=frozenset(word for word, (_, free) in LEADING.items() if free),
    )


@lru_cache(maxsize=1)
def all_order_words() -> OrderWords:
    """The same for every installed game together: a mail is read before it is known which game it is about."""
    found = [order_words(game.vocabulary) for game in installed_games().values()]
    return OrderWords(*(frozenset().union(*kind) for kind in zip(*found, strict=True)))


def _lowered(phrase: str) -> str:
    return " ".join(phrase.casefold().split())


@lru_cache(maxsize=64)
def _keys(phrases: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    return frozenset(key(phrase) for phrase in phrases)


def _spellings(vocabulary: Vocabulary, verb: str) -> frozenset[tuple[str, ...]]:
    """The keys of a verb and of the other words for it."""
    return _keys((verb, *vocabulary.verbs.get(verb, ())))
