"""Mail commands: lines that ask the server for something instead of answering a decision.

Recognising them is all that happens here; `mail.handling` carries them out: `steps` in their order, `orders`, `questions`
and `confirm`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from pbem.orders.lattice import Lattice
from pbem.orders.lexicon import lexicon
from pbem.orders.speech import answers as spoken
from pbem.orders.speech import everyday
from pbem.orders.statement import affirmed, state
from pbem.orders.words import key, shown, tokens
from pbem.protocol import Decision, Vocabulary, installed_games


@dataclass(frozen=True, slots=True)
class Help:
    """How to play by mail."""


@dataclass(frozen=True, slots=True)
class Aid:
    """What a player needs at the table, on a page to print."""


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
    """Leave the game; `confirmed` when `yes` stands with it, which counts in answer to the question alone."""

    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Yes:
    """The typed `yes` that confirms what the server asked about."""


@dataclass(frozen=True, slots=True)
class No:
    """The `no` to what the server asked about."""


Command: TypeAlias = (
    Help | Aid | Status | Report | History | Rules | Card | Standing | Address | Preview | Undo | Resign | Yes | No
)

#: Commands that take nothing: what they are and how people write them.
ALONE: tuple[tuple[Command, tuple[str, ...]], ...] = (
    (Help(), ("help", "commands", "help me", "how do i play")),
    (Aid(), ("aid", "player aid", "players aid")),
    (Status(), ("status", "map", "show map", "state")),
    (Report(), ("report", "resend", "resend report", "send report", "report again")),
    (History(), ("history", "log", "show history")),
    (Preview(), ("preview", "preview only", "dry run", "what if")),
    (Undo(), ("undo", "undo that", "undo it", "take back", "take that back", "take it back")),
    (Resign(), ("resign", "i resign", "concede", "i concede")),
    (Resign(confirmed=True), ("resign yes", "yes resign", "yes i resign")),
    (Yes(), ("yes", "yes please", "y", "i confirm", "confirm")),
)

#: Words before the name of something that is looked up; before anything else they begin no command.
NAMING = ("area", "event", "who")

#: Commands that take what stands behind them: the first word, and whether that is free text.
LEADING: dict[str, tuple[type[Rules | Card | Standing | Address], bool]] = {
    "rules": (Rules, False),
    "rule": (Rules, False),
    "card": (Card, False),
    "standing": (Standing, True),
    "policy": (Standing, True),
    "address": (Address, True),
}


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
    #: All other lines, in the order written, when one of them may be an order: they are one statement.
    orders: tuple[str, ...]
    #: The same lines when none of them is an order.
    chat: tuple[str, ...]


#: Commands that count with polite words round them as well, wherever they stand.
HARMLESS = (Help, Aid, Status, Report, History, Preview, Undo)

_ALONE = {key(phrase): command for command, phrases in ALONE for phrase in phrases}


def recognise(line: str) -> Command | None:
    """The mail command that a line is, or None when it is not one."""
    text = shown(line)
    words = [token for token in tokens([line]) if not token.is_mark]
    if not words:
        return Help() if text.strip() == "?" else None
    command = _ALONE.get(tuple(word.text for word in words))
    if command is None and words[0].text in LEADING:
        kind, _ = LEADING[words[0].text]
        if kind is Address:  # as typed: `ü` is not `u` in it
            return Address(re.sub(r"^.*?address[\s:.,;!?-]*", "", line.strip(), count=1, flags=re.IGNORECASE))
        return kind(text[words[0].end :].strip(" :.,;!?-"))
    return command


def sort_typed(
    typed: Sequence[tuple[str, bool]],
    vocabulary: Vocabulary,
    decision: Decision | None = None,
    names: Mapping[str, str] | None = None,
    *,
    offered: bool = False,
) -> Sorted:
    """Tell commands from what is for the game. Each line comes with whether it begins like an order.

    An option of `decision`, which is the one that the writer is asked, comes before a command of the same words. Where
    something is `offered`, `yes` is about that and not about what is asked.
    """
    reply = yes_or_no([line for line, _ in typed], names or {}) if offered else None
    if reply == No() and decision and any(answers(line, decision) for line, _ in typed):
        reply = None
    if reply:
        return Sorted((reply,), (), ())
    commands: list[Command] = []
    rest: list[str] = []
    chat: list[str] = []
    for line, begins_like_one in typed:
        if line.strip() == "--":
            break  # a signature (RFC 3676, 4.3)
        command = recognise(line)
        if decision and answers(line, decision) and not (offered and isinstance(command, Yes)):
            command = None
        if command is None:
            command = recognise(unadorned(line))
            command = command if isinstance(command, HARMLESS) else None
        elif not begins_like_one and not isinstance(command, HARMLESS):
            command = None
        command = command or looked_up(line, vocabulary)
        if isinstance(command, Address) and "@" not in command.address:
            chat.append(line)  # `Address: 12 Short Street`
        elif isinstance(command, Yes) and commands and commands[-1] == Resign():
            commands[-1] = Resign(confirmed=True)
        elif isinstance(command, Undo) and may_be_orders(rest, vocabulary, decision, names, offered=offered):
            rest.append(line)  # below orders it takes these back, or who knows which
        elif command is not None:
            commands.append(command)
        elif key(line)[:1] == ("preview",):
            commands.append(Preview())
            rest.append(shown(line)[len("preview") :].lstrip(" :"))
        else:
            rest.append(line)
    if may_be_orders(rest, vocabulary, decision, names, offered=offered):
        return Sorted(tuple(commands), tuple(rest), tuple(chat))
    return Sorted(tuple(commands), (), (*rest, *chat))


def looked_up(line: str, vocabulary: Vocabulary) -> Card | None:
    """The thing that a line asks for by its name alone: `area Dimwell`, `who Vetinari`."""
    first, *name = key(line) or ("",)
    if first not in NAMING or not name:
        return None
    spelled = lexicon(vocabulary).at(name, 0)
    return Card(" ".join(name)) if any(end == len(name) and s.sort == "name" for end, s in spelled) else None


def yes_or_no(lines: Sequence[str], names: Mapping[str, str]) -> Yes | No | None:
    """What a mail answers that says yes or no in any usual form, and nothing else that means something."""
    words = tokens(lines)
    texts = [word.text for word in words if not word.is_mark]
    people = {word for name in names for word in key(name)}
    replies: dict[str, Yes | No] = {"yes": Yes(), "no": No()}
    said: set[str] = set()
    place = 0
    while place < len(texts):
        heard = everyday().at(texts, place)
        spelled = [phrase for kind in replies if (phrase := spoken(kind).at(texts, place))]
        answer = max(spelled, key=lambda phrase: phrase.length, default=None)
        if answer and not (heard and heard.length > answer.length):
            said.add(answer.kind)
            place += answer.length
        elif heard and heard.kind == "closing":
            break  # a name, and what people write below it
        elif heard and heard.kind in ("please", "social"):
            place += heard.length
        elif texts[place] in people:
            place += 1
        else:
            return None
    asking = any(word.text == "?" for word in words)
    return replies[said.pop()] if len(said) == 1 and not asking else None


def answers(line: str, decision: Decision) -> bool:
    """Whether a line is the text of an option, or `yes` to a question with two answers."""
    said = key(unadorned(line))
    accepted = len(decision.options) == 2 and isinstance(recognise(line), Yes)
    return accepted or any(key(option.text) == said for option in decision.options)


def may_be_orders(
    lines: Sequence[str],
    vocabulary: Vocabulary,
    decision: Decision | None = None,
    names: Mapping[str, str] | None = None,
    *,
    offered: bool = False,
) -> bool:
    """Whether anything in some lines is lexically an order, answers `decision`, or leaves in doubt whether it does."""
    menu = [option.text for option in decision.options] if decision else ()
    lattice = Lattice(lines, lexicon(vocabulary), menu=menu, names=names)
    statement = state(lattice)
    if statement.meant() or lattice.game & statement.doubtful():
        return True
    if decision is None:
        return False
    accepted = not offered and len(decision.options) == 2 and affirmed(lattice, statement)
    return bool(accepted) or any(answers(line, decision) for line in lines)


def unadorned(line: str) -> str:
    """A line without polite words at either end: `please undo`."""
    words = tokens([line])
    texts = [word.text for word in words]
    while words and (words[-1].is_mark or _is_polite(texts, len(words) - 1)):
        words.pop()
    while words and (words[0].is_mark or _is_polite(texts, 0)):
        words, texts = words[1:], texts[1:]
    return shown(line)[words[0].start : words[-1].end] if words else ""


def _is_polite(texts: Sequence[str], place: int) -> bool:
    spoken = everyday().at(texts, place)
    return spoken is not None and spoken.kind in ("please", "social")


def _is_everyday(phrase: str) -> bool:
    """Whether the first word of a phrase is too common at the beginning of a sentence to make it an order."""
    words = key(phrase)[:1]
    heard = everyday().at(words, 0)
    common = heard and (heard.kind != "topics" if " " in phrase else heard.kind in ("please", "social", "function"))
    return bool(common or spoken("no").at(words, 0) or spoken("yes").at(words, 0))


def order_words(vocabulary: Vocabulary) -> OrderWords:
    """Which words make a typed line an order line in this game."""
    alone = {_lowered(phrase) for _, spellings in ALONE for phrase in spellings}
    leading = set(LEADING)
    for verb, others in vocabulary.verbs.items():
        phrases = {_lowered(phrase) for phrase in (verb, *others)}
        if verb in vocabulary.alone:
            alone |= phrases
        else:
            leading |= {phrase.partition(" ")[0] for phrase in phrases if not _is_everyday(phrase)}
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
    words = [order_words(game.vocabulary) for game in installed_games().values()]
    return OrderWords(*(frozenset().union(*kind) for kind in zip(*words, strict=True)))


def _lowered(phrase: str) -> str:
    return " ".join(phrase.casefold().split())
