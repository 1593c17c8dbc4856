"""A line and the pending decision's options give the one option meant, or an OrderError that says why not.

Only options and the game's vocabulary are looked at, so this works for any game. It never guesses between two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pbem.errors import Ambiguous, NotPossible, NotUnderstood, OrderError
from pbem.orders.reading import MINE, PLEASANTRIES, Reading, read
from pbem.orders.suggest import closest
from pbem.orders.vocabulary import ROLES, Lexicon, lexicon
from pbem.orders.words import BREAKS, POLITE, SMALL_TALK, Word, clean, key, plain, unmarked, words
from pbem.protocol import Decision, Option, Vocabulary

How: TypeAlias = Literal["exact", "synonym", "corrected"]

#: The option that ends a turn. It declines more than the pending decision, so no other word of refusal means it.
END = "end"

#: The most words that are read as one order.
LONGEST = 24

#: Words that decline whatever is offered.
DECLINING = frozenset(
    (
        "no",
        "none",
        "nothing",
        "nobody",
        "nowhere",
        "nope",
        "nah",
        "pass",
        "skip",
        "decline",
        "no thanks",
        "dont",
    )
)

MENU = re.compile(
    r"[^\w$]*(?:no|nr|number|option|choice)?[\s.#(]*(\d{1,2})(?![\d$])[\s.)!]*(?:(?:[,;&+/]|and)\s*(.*))?",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Matched:
    """The option a line means."""

    option: Option
    #: `exact`: its own words; `synonym`: other words or an abbreviation; `corrected`: a typo or a gap was filled.
    how: How
    #: What stands behind it on the same line, to be matched against the next decision; None when nothing does.
    rest: str | None = None
    #: The part of the line that was read as this option.
    read: str = ""


def match_line(
    line: str, decision: Decision, vocabulary: Vocabulary, *, menu: Sequence[str] = (), me: str = ""
) -> Matched:
    """The option that a line means.

    `menu` holds the texts of the numbered options of the newest ask, `me` the colour of who writes.

    Raises NotUnderstood, Ambiguous or NotPossible.
    """
    text = unmarked(clean(line)).strip()
    for option in decision.options:
        if option.text == text:
            return Matched(option, "exact", None, text)
    numbered = MENU.fullmatch(clean(line))
    if numbered:
        return _from_menu(line, int(numbered[1]), numbered[2], decision, menu)
    return _Matcher(line, text, decision, lexicon(vocabulary), me).match()


def is_end(line: str, vocabulary: Vocabulary) -> bool:
    """Whether a line says that the turn is over, in any of the words for it."""
    verbs = lexicon(vocabulary).verbs
    said = tuple(word for word in key(unmarked(clean(line))) if word not in MINE)
    return END in verbs.get(said, ()) or END in verbs.get(_bare(said), ())


def is_refusal(line: str) -> bool:
    """Whether a line declines whatever is offered, and says nothing else."""
    return " ".join(_bare(key(unmarked(clean(line))))) in DECLINING


def offers(decision: Decision, verb: str, vocabulary: Vocabulary) -> bool:
    """Whether one of a decision's options has this verb."""
    known = lexicon(vocabulary)
    return any(known.parts(option.text).verb == verb for option in decision.options)


def split_orders(line: str) -> list[str]:
    """The orders on one line, as far as `;` tells them apart."""
    return [part for part in map(str.strip, line.split(";")) if part]


def _from_menu(line: str, number: int, rest: str | None, decision: Decision, menu: Sequence[str]) -> Matched:
    texts = [option.text for option in decision.options]
    if not 1 <= number <= len(menu):
        raise NotPossible(line, "menu", suggestions=texts, facts={"number": number, "numbers": len(menu)})
    option = decision.option(menu[number - 1])
    if option is None:
        facts: dict[str, object] = {"number": number, "option": menu[number - 1]}
        raise NotPossible(line, "menu_past", suggestions=texts, facts=facts)
    return Matched(option, "exact", rest or None, str(number))


def _bare(said: tuple[str, ...]) -> tuple[str, ...]:
    """Words without polite words at either end."""
    while len(said) > 1 and said[0] in POLITE:
        said = said[1:]
    while len(said) > 1 and said[-1] in PLEASANTRIES:
        said = said[:-1]
    return said


class _Matcher:
    """One line on its way to its option."""

    def __init__(self, line: str, text: str, decision: Decision, lexicon: Lexicon, me: str) -> None:
        self.line = line
        self.text = text
        self.decision = decision
        self.lexicon = lexicon
        self.me = me
        self.words = self._trimmed(words(text))
        self._texts = tuple(word.text for word in self.words)

    def match(self) -> Matched:
        if not any(word.text not in BREAKS for word in self.words):
            raise NotUnderstood(self.line, "empty", suggestions=self._suggestions(Reading()))
        declined = self._declined(self.words)
        if declined is not None:
            return Matched(declined, "synonym", None, self.text)
        whole = self._read(self.words[:LONGEST])
        if whole.options and len(self.words) <= LONGEST:
            return self._settled(whole, self.words, None)
        first: Reading | None = None
        for end, start, verb_follows, broken in self._splits():
            reading = self._read(self.words[:end])
            if not broken and not self._may_follow(reading, start):
                continue
            if len(reading.options) > 1 or (len(reading.options) == 1 and (broken or not reading.missing)):
                rest = self.text[self.words[start].start :].strip()
                if not verb_follows:
                    rest = self._with_verb(rest, self.words[end].text)
                return self._settled(reading, self.words[:end], rest)
            if verb_follows or reading.understood:
                first = reading
        raise self._error(first if first is not None and not whole.understood else whole)

    def _settled(self, reading: Reading, part: Sequence[Word], rest: str | None) -> Matched:
        if len(reading.options) > 1 or reading.doubtful:
            texts = [option.text for option in reading.options]
            raise Ambiguous(self.line, "several", suggestions=texts, facts=self._facts(reading))
        return Matched(reading.options[0], reading.how, rest, self.text[part[0].start : part[-1].end])

    def _read(self, part: Sequence[Word]) -> Reading:
        return read(tuple(word.text for word in part), self.decision, self.lexicon, self.me)

    def _trimmed(self, found: list[Word]) -> list[Word]:
        """The words without a polite beginning, unless it is the beginning of an option."""
        texts = {plain(option.text) for option in self.decision.options}
        while found and " ".join(w.text for w in found if w.text not in BREAKS) not in texts:
            first = found[0]
            numbered = self.text[first.start : first.end].isdigit() and self._begins_order(found[1:])
            polite = first.text in POLITE or first.text in BREAKS
            if not numbered and (not polite or self._begins_order(found)):
                break
            found = found[1:]
        return found

    def _begins_order(self, found: Sequence[Word]) -> bool:
        return bool(self.lexicon.verb_at(tuple(word.text for word in found), 0))

    def _may_follow(self, reading: Reading, start: int) -> bool:
        """Whether an order can follow another with nothing between them: not in `do not minion Dimwell`, `refuse
        to pay` or `Blue pays`."""
        verbs = {verb for _, meant in self.lexicon.verb_at(self._texts, start) for verb in meant}
        if END in verbs:
            return True
        if not reading.verbs or self.decision.decline in reading.options:
            return False
        return bool(reading.names) or self.lexicon.alone.isdisjoint(verbs)

    def _declined(self, part: Sequence[Word]) -> Option | None:
        """The option that declines, when the line says no to this decision by its kind, or to whatever it is.

        Raises NotPossible when it says no to something else.
        """
        decline = self.decision.decline
        said = [word.text for word in part]
        if decline is None or decline.text == END or not BREAKS.isdisjoint(said):
            return None
        offered = {self.lexicon.parts(option.text).verb for option in self.decision.options}
        refusing = (DECLINING - offered) | {decline.text}
        if " ".join(said) in refusing:
            return decline
        verb_end, verbs = next(iter(self.lexicon.verb_at(tuple(said), 0)), (0, ()))
        no_to_it = offered.intersection(verbs) and said[verb_end:] and refusing.issuperset(said[verb_end:])
        if said[0] not in refusing and not no_to_it:
            return None
        left = [word for word in said if word not in refusing and word not in PLEASANTRIES]
        if all(self._is_asked(word, offered) for word in left):
            return decline
        if all(self.lexicon.is_noun(word) for word in left):
            facts: dict[str, object] = {
                "kind": self.decision.kind,
                "verb": decline.text,
                "names": left,
                "unknown": [],
            }
            raise NotPossible(self.line, "not_this", suggestions=self._suggestions(Reading()), facts=facts)
        return None

    def _is_asked(self, word: str, offered: set[str]) -> bool:
        """Whether a word behind a refusal says what is asked now: `skip minion`."""
        if word in (self.decision.kind, "this", "that", "it", "1"):
            return True
        verbs = self.lexicon.verbs.get((word,), ())
        return not offered.isdisjoint(verbs) if verbs else word in self.lexicon.fillers

    def _splits(self) -> Iterator[tuple[int, int, bool, bool]]:
        """Where one order may end and the next begin, the last place first.

        Each is the end of the first, the start of the second, whether a verb begins the second, and whether
        something (a comma, `and`, `then`) stands between them.
        """
        texts = self._texts
        for start in range(min(len(texts), LONGEST) - 1, 0, -1):
            if texts[start] in BREAKS:
                continue
            end = start
            while end > 0 and (texts[end - 1] in BREAKS or (end < start and texts[end - 1] in POLITE)):
                end -= 1
            if end == 0:
                continue
            follows = bool(self.lexicon.verb_at(texts, start)) and not (
                end == start and texts[start] in ROLES
            )
            if follows or end < start:
                yield end, start, follows, end < start

    def _with_verb(self, rest: str, mark: str) -> str:
        """The second of two things picked, with the verb of the first."""
        verbs = self.lexicon.verb_at(self._texts, 0)
        if mark == ":" or not verbs:
            return rest
        return f"{self.text[self.words[0].start : self.words[verbs[0][0] - 1].end]} {rest}"

    def _error(self, reading: Reading) -> OrderError:
        suggestions = self._suggestions(reading)
        facts = self._facts(reading)
        if reading.understood:
            reason = "not_this" if reading.offered else "not_now"
            return NotPossible(self.line, reason, suggestions=suggestions, facts=facts)
        if _is_small_talk(reading):
            return NotUnderstood(self.line, "chat", suggestions=suggestions, facts=facts)
        reason = "unknown_name" if reading.verbs else "unknown"
        return NotUnderstood(self.line, reason, suggestions=suggestions, facts=facts)

    def _suggestions(self, reading: Reading) -> list[str]:
        return closest(self.line, self.decision, reading, self.lexicon)

    def _facts(self, reading: Reading) -> dict[str, object]:
        return {
            "kind": self.decision.kind,
            "verb": reading.verbs[0] if reading.verbs else "",
            "names": list(reading.names),
            "unknown": list(reading.unknown),
        }


def _is_small_talk(reading: Reading) -> bool:
    """Whether a line that was not understood is no order at all: no verb, or a verb before words of every day."""
    if not reading.verbs:
        return True
    talking = len(reading.unknown) > 3 or any(word in SMALL_TALK for word in reading.unknown)
    return talking and not reading.full
