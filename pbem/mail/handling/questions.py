"""Mail commands that only ask: help, aid, status, report, rules, card, history. They move nothing and need no token."""

from collections.abc import Callable, Mapping
from functools import partial

from rapidfuzz import fuzz, process

from pbem.mail.handling.context import Handled, Incoming
from pbem.orders import commands
from pbem.orders.words import plain
from pbem.protocol import Game, HasRules
from pbem.questions.answer import about, named
from pbem.questions.mails import MOST_QUESTIONS
from pbem.questions.values import Answer
from pbem.reports import contexts

#: Commands of one mail that are answered.
MOST_COMMANDS = 5
#: How much a name must resemble what was asked for to be suggested, of 100.
RESEMBLING = 60

#: What each of them is; all others change something.
ASKING: tuple[type[commands.Command], ...] = (
    *(commands.Help, commands.Aid, commands.Status, commands.Report, commands.Rules, commands.Card, commands.History),
)


def answer_questions(incoming: Incoming) -> int:
    """Answer what the mail asks about, as far as its address may have more answers; how many were given."""
    asked, given = dict.fromkeys(incoming.wanted(*ASKING)), 0
    for command in list(asked)[:MOST_COMMANDS]:
        if incoming.may_answer:
            answer_question(incoming, command)
            given += 1
    incoming.answered_in_part |= given < len(asked)
    return given


def answer_alone(incoming: Incoming) -> Handled:
    """Answer what a mail asks in plain words, when it orders nothing."""
    if not incoming.may_answer:
        return Handled("ignored", "no more answers in this hour")
    letters, questions = incoming.letters(), incoming.asking.questions
    answered = letters.answered(incoming.seat, questions[:MOST_QUESTIONS])
    incoming.answer(contexts.Answers, letters, answered=answered, more=len(questions) > MOST_QUESTIONS)
    return Handled("answered", "question")


def answer_question(incoming: Incoming, command: commands.Command) -> None:
    """Write one answer, from what the seat may see at this moment."""
    letters, seat = incoming.letters(), incoming.seat
    table, ask = letters.table, letters.pending(seat)
    question, topics = letters.question(table.decision(seat) if ask else None), tuple(topics_of(table.rules))
    reply = partial(incoming.answer, letters=letters)
    match command:
        case commands.Status():
            reply(contexts.Status, view=table.match.view(seat), question=question)
        case commands.Aid():
            reply(contexts.Aid)
        case commands.Report():
            reply(contexts.Report, events=letters.last_round(seat), occasion="again", kind="again")
        case commands.History():
            reply(contexts.History, after=0)
        case commands.Rules(topic=asked):
            topic = topic_named(table.rules, asked)
            known = None if topic or not asked else told_by(table.rules, asked)
            if known:
                answered = (contexts.Answered(question=asked, answer=known),)
                reply(contexts.Answers, answered=answered)
            else:
                reply(contexts.Rules, topic=topic, asked=asked, topics=topics)
        case commands.Card(name=asked):
            look_up(incoming, asked, reply)
        case _:
            reply(contexts.Help, topics=topics, question=question)


def look_up(incoming: Incoming, asked: str, reply: Callable[..., None]) -> None:
    """Show what a name stands for; one that may stand for several things is asked back, and what is no name at all is a
    question."""
    rules = incoming.table.rules
    things = named(rules, asked)
    found = rules.lookup(things[0] if things else asked) if isinstance(rules, HasRules) and len(things) < 2 else None
    known = None if found or things else told_by(rules, asked)
    if known:
        reply(contexts.Answers, answered=(contexts.Answered(question=asked, answer=known),))
    else:
        near = () if found else things or resembling(rules, asked)
        reply(contexts.Card, asked=asked, found=found, suggestions=near)


def told_by(rules: Game, asked: str) -> Answer | None:
    """What answers a few words; None when nothing does."""
    known = about(rules, asked)
    return known if known.entries else None


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
    near = process.extract(asked, names, scorer=fuzz.WRatio, limit=3, score_cutoff=RESEMBLING)
    return tuple(name for name, _, _ in near)
