"""Mail commands that only ask: help, status, report, rules, card, history. They move nothing and need no token."""

from __future__ import annotations

from collections.abc import Mapping

from rapidfuzz import fuzz, process

from pbem.mail.handling.context import Incoming
from pbem.orders import commands
from pbem.orders.words import plain
from pbem.play.letters import Letters
from pbem.protocol import Game, HasRules, Seat
from pbem.reports import contexts
from pbem.store import Ask

#: Commands of one mail that are answered.
MOST_COMMANDS = 5
#: How much a name must resemble what was asked for to be suggested, of 100.
RESEMBLING = 60

#: What each of them is; all others change something.
ASKING = (commands.Help, commands.Status, commands.Report, commands.Rules, commands.Card, commands.History)


def answer(incoming: Incoming) -> int:
    """Answer what the mail asks about, as far as its address may have more answers; how many were given."""
    asked = [one for one in dict.fromkeys(incoming.lines.commands) if isinstance(one, ASKING)][:MOST_COMMANDS]
    given = 0
    for command in asked:
        if incoming.may_answer:
            give(incoming, command)
            given += 1
    return given


def give(incoming: Incoming, command: commands.Command) -> None:
    """Write one answer, from what the seat may see at this moment."""
    seat = incoming.holder.seat
    letters = Letters.seen_by(incoming.work, incoming.table, seat)
    ask = letters.pending(seat)
    context, kind = answered(letters, seat, ask, command)
    letters.post(seat, context, answering=incoming.answering, kind=kind)


def answered(letters: Letters, seat: Seat, ask: Ask | None, command: commands.Command) -> tuple[contexts.Mail, str]:
    """The context of the answer to a command, and the kind its mail is kept under."""
    table = letters.table
    question = letters.question(ask) if ask else None
    common = letters.addressed(seat, ask)
    topics = topics_of(table.rules)
    match command:
        case commands.Status():
            view = table.match.view(seat)
            return contexts.Status(**common, view=view, question=question), "status"
        case commands.Report():
            board = letters.board(seat, ask=ask) | {"events": letters.last_round(seat)}
            return contexts.Report(**board, occasion="again"), "again"
        case commands.History():
            return contexts.History(**common, events=letters.happenings(seat, 0)), "history"
        case commands.Rules(topic=asked):
            found = topic_named(table.rules, asked)
            return contexts.Rules(**common, topic=found, asked=asked, topics=tuple(topics)), "rules"
        case commands.Card(name=asked):
            card = table.rules.lookup(asked) if isinstance(table.rules, HasRules) else None
            near = () if card else resembling(table.rules, asked)
            return contexts.Card(**common, asked=asked, found=card, suggestions=near), "card"
        case _:
            return contexts.Help(**common, topics=tuple(topics), question=question), "help"


def topics_of(rules: Game) -> Mapping[str, tuple[str, ...]]:
    return rules.topics() if isinstance(rules, HasRules) else {}


def topic_named(rules: Game, asked: str) -> str | None:
    """The rules topic that is meant: by its name or an alias, whole or begun."""
    wanted = plain(asked)
    if not wanted:
        return None
    names = {plain(word): topic for topic, aliases in topics_of(rules).items() for word in (topic, *aliases)}
    if wanted in names:
        return names[wanted]
    begun = {topic for word, topic in names.items() if word.startswith(wanted)}
    return begun.pop() if len(begun) == 1 else None


def resembling(rules: Game, asked: str) -> tuple[str, ...]:
    """Names of the game that look like what was asked for, closest first."""
    names = [name for kind in rules.vocabulary.names.values() for name in kind]
    found = process.extract(asked, names, scorer=fuzz.WRatio, limit=3, score_cutoff=RESEMBLING)
    return tuple(name for name, _, _ in found)
