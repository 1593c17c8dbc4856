"""What the player typed, and only that: without quotes, signatures, banners and small print.

Small print, signatures and adverts are told by place, shape and words. Below what closes a mail (a rule, a device's
line, the player's own name with more under it) only paragraphs of nothing but orders count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from pbem.mail.reading.data import any_of
from pbem.mail.reading.lines import STRUCK, Line, squeezed
from pbem.mail.reading.orders import LINK, OPENS_QUOTATION, bare, first_word, orders_of, stands_alone
from pbem.mail.reading.quotes import DIVIDER, RULE, People, Quoted, folded, marker, read_quotes, split_markers
from pbem.mail.reading.values import ParseSettings, Typed

#: `-- ` and what autocorrection and PGP make of it.
SIGNATURE = re.compile(r"\s?(?:- )?(?:--|—|–|- -)\s*")
#: `Sent from my ...`, `Get ... for Android`: what devices say of themselves.
OWN_THING = re.compile(
    r"\bmy\b|\b(?:ios|android|iphone)\b|\bmein|\bmon\b|\bmi\b|\bmijn\b|\bmin\b|\bmoje|\bмоего\b|我的", re.IGNORECASE
)
#: At least five words and a full stop: `Use the button below if in doubt.`
SENTENCE = re.compile(r"\s*(?:\S+\s+){4,}\S+\.\s*")
#: Boxes of a list, ticked and not.
TICKED = re.compile(r"[\s*•·-]*(?:[\[(][xX✓✔][\])]|[☑☒✅🗹])")
UNTICKED = re.compile(r"[\s*•·-]*(?:[\[(][ _]?[\])]|[☐▢◻⬜✗✘❌])")
CLOSES_QUOTATION = re.compile("[”“»]")

#: So many different roots of warnings, small print and footers make a notice of a paragraph; with a link or this
#: many characters one fewer does. A single line of such words is no order.
NOTICE_ROOTS = 3
LONG_NOTICE = 60
ROOTS_OF_NO_ORDER = 2
#: A device's line has no more characters, and no more words unless it names a thing of one's own.
LONGEST_DEVICE_LINE = 140
MOST_DEVICE_WORDS = 12
#: Lines that are looked at below what closes a mail, and of a quotation or section that nobody closed.
MOST_BELOW = 200
LONGEST_SECTION = 60
#: Links make bodies of one line; programs break those at 72 to 80 columns.
WRAPPED_AT = 72
MOST_WORDS_LEFT_OVER = 4


@dataclass(frozen=True, slots=True)
class Text:
    """What one reading of a mail's text yields."""

    #: All that was typed, in the order written.
    typed: tuple[Typed, ...] = ()
    #: Whether anything of ours is quoted in it.
    quotes_us: bool = False

    def of_kind(self, kind: str) -> tuple[str, ...]:
        """The typed lines of one kind."""
        return tuple(line.text for line in self.typed if line.kind == kind)


def text_of(lines: list[Line], people: People, settings: ParseSettings) -> Text:
    """Read what was typed in these lines."""
    lines = split_markers(lines, settings)
    if marks := marks_of_all(lines, people, settings):
        lines = [Line(line.text, max(0, line.depth - marks), line.signature) for line in lines]
    quoted = read_quotes(lines, people, settings)
    kept = typed_lines(quoted, people, settings)
    limits = settings.limits
    typed: list[Typed] = []
    room = {"order": limits.max_orders, "chat": limits.max_remarks, "withdrawn": limits.max_remarks}
    for line in classified([(index, lines[index].text) for index in kept], settings):
        if room[line.kind]:
            room[line.kind] -= 1
            typed.append(line)
    return Text(tuple(typed), quoted.has_ours)


# -- what kind of line -----------------------------------------------------------------------------------------


def classified(numbered: list[tuple[int, str]], settings: ParseSettings) -> Iterator[Typed]:
    """What each of these lines is; several orders on one line are several."""
    texts = rejoined(numbered, settings)
    words_of_others = set(inside_quotation_marks(texts))
    some_ticked = any(TICKED.match(text) for text in texts)
    for place, text in enumerate(texts):
        withdrawn = STRUCK.findall(text)
        text = STRUCK.sub(" ", text)
        if some_ticked and UNTICKED.match(text):
            withdrawn, text = [*withdrawn, UNTICKED.sub("", text)], ""
        for struck in withdrawn:
            yield Typed(squeezed(struck)[: settings.limits.max_line], "withdrawn")
        text = text[: settings.limits.max_line]
        orders = orders_of(text, settings)
        if place in words_of_others or (orders and speaks_of_mail(text, settings)):
            orders = []
        for order in orders:
            yield Typed(order, "order")
        if not orders and any(character.isalnum() for character in text):
            yield Typed(squeezed(text), "chat")


def rejoined(numbered: list[tuple[int, str]], settings: ParseSettings) -> list[str]:
    """The lines, with one that held several orders and was broken inside one of them whole again."""
    texts: list[str] = []
    above = -1
    for index, text in numbered:
        first, *rest = text.split() or [""]
        if (
            texts
            and above == index - 1
            and ";" in texts[-1]
            and len(texts[-1].rpartition("\n")[2]) + 1 + len(first) > WRAPPED_AT
            and (";" in text or len(rest) < MOST_WORDS_LEFT_OVER)
            and not orders_of(text, settings)
            and (last := orders_of(texts[-1].replace("\n", " "), settings))
            and not stands_alone(last[-1], settings)
        ):
            texts[-1] += "\n" + text
        else:
            texts.append(text)
        above = index
    return [text.replace("\n", " ") for text in texts]


def inside_quotation_marks(texts: list[str]) -> Iterator[int]:
    """Lines of a quotation over several lines that has words before or behind it: they are cited, not given."""
    begin = -1
    for place, text in enumerate(texts):
        if begin < 0 or place - begin > LONGEST_SECTION:
            opened = [match.start() for match in OPENS_QUOTATION.finditer(text)]
            closed = [match.start() for match in CLOSES_QUOTATION.finditer(text)]
            begin = place if opened and not any(at > opened[-1] for at in closed) else -1
        elif (closing := CLOSES_QUOTATION.search(text)) is not None:
            before = OPENS_QUOTATION.split(texts[begin])[0]
            if any(c.isalnum() for c in before + text[closing.end() :]):
                yield from range(begin, place + 1)
            begin = -1


# -- which lines -----------------------------------------------------------------------------------------------


def typed_lines(quoted: Quoted, people: People, settings: ParseSettings) -> list[int]:
    """The numbers of the lines that count, in document order."""
    lines, levels = quoted.lines, quoted.levels
    kept = set(section_lines(quoted, settings))
    trimmer = Trimmer(lines, people, settings)
    start = 0
    while start < len(lines):
        stop = start
        while stop < len(lines) and levels[stop] == 0:
            stop += 1
        kept.update(trimmer.trimmed(start, stop))
        start = stop + 1
    begin, end = marker(settings.begin_marker), marker(settings.end_marker)
    return [i for i in sorted(kept) if not begin.search(lines[i].text) and not end.search(lines[i].text)]


def section_lines(quoted: Quoted, settings: ParseSettings) -> list[int]:
    """Lines between the marker lines of the message itself or of the first message it quotes."""
    lines, levels = quoted.lines, quoted.levels
    begin_marker, end_marker = marker(settings.begin_marker), marker(settings.end_marker)
    kept: list[int] = []
    seen: set[int] = set()
    for begin, line in enumerate(lines):
        level = levels[begin]
        if level > 1 or level in seen or (level and quoted.first_is_players) or not begin_marker.search(line.text):
            continue
        seen.add(level)
        inside: list[int] = []
        for index in range(begin + 1, len(lines)):
            if end_marker.search(lines[index].text):
                kept += inside
                break
            too_long = len(inside) > LONGEST_SECTION and not lines[index].text.strip()
            if levels[index] > max(level, 1) or quoted.announces[index] or too_long:
                break
            inside.append(index)
        else:  # the end marker was deleted: what reads like orders right below the first
            for index in inside:
                if lines[index].text.strip() and not orders_of(lines[index].text, settings):
                    break
                kept.append(index)
    return [index for index in kept if lines[index].text.strip()]


class Trimmer:
    """Takes off what programs, gateways, companies and lists put round what was typed."""

    def __init__(self, lines: list[Line], people: People, settings: ParseSettings) -> None:
        self.lines = lines
        self.people = people
        self.settings = settings
        #: How many orders were kept so far, and whether one of them ends a turn.
        self.orders = 0
        self.ended = False

    def trimmed(self, start: int, stop: int) -> list[int]:
        """The lines of a run that nobody quoted which the player typed."""
        kept: list[int] = []
        for paragraph in self.paragraphs(start, stop):
            first, last = self.lines[paragraph[0]].text, paragraph[-1] + 1
            if SIGNATURE.fullmatch(first):
                if self.orders or not self.is_closed_again(last, stop):
                    break
            elif RULE.fullmatch(first):
                if self.orders and not self.goes_on(last, stop):
                    break
                if not self.orders:
                    kept = [at for at in kept if not self.is_notice([self.lines[at].text])]
            elif self.is_notice([self.lines[at].text for at in paragraph]):
                if self.orders and not self.goes_on(last, stop):
                    break
            else:
                inside, closes = self.typed_in(paragraph)
                kept += inside
                if closes and not self.goes_on(last, stop):
                    break
        return kept

    def paragraphs(self, start: int, stop: int) -> Iterator[list[int]]:
        """Lines that stand together; rules and signature marks stand alone, and dividers, blank lines and lines that
        the HTML calls a signature stand between."""
        together: list[int] = []
        for index in range(start, stop):
            text = self.lines[index].text
            divider = DIVIDER.fullmatch(text) and not orders_of(text, self.settings)
            apart = self.lines[index].signature or not text.strip() or divider
            alone = not apart and (SIGNATURE.fullmatch(text) or RULE.fullmatch(text))
            if (apart or alone) and together:
                yield together
                together = []
            if alone:
                yield [index]
            elif not apart:
                together.append(index)
        if together:
            yield together

    def typed_in(self, paragraph: list[int]) -> tuple[list[int], bool]:
        """The typed lines of a paragraph, and whether something in it closes the mail."""
        kept: list[int] = []
        for place, index in enumerate(paragraph):
            text = self.lines[index].text
            orders = orders_of(text[: self.settings.limits.max_line], self.settings)
            if self.closes(paragraph, place, like_an_order=bool(orders)):
                if place + 2 < len(paragraph) and self.goes_on(index + 1, paragraph[-1] + 1):
                    continue
                return kept, True
            kept.append(index)
            orders = [] if speaks_of_mail(text, self.settings) else orders
            self.orders += len(orders)
            self.ended = stands_alone(orders[-1], self.settings) if orders else self.ended
        return kept, self.ended and self.is_signed(self.lines[paragraph[-1]].text)

    def closes(self, paragraph: list[int], place: int, *, like_an_order: bool) -> bool:
        """Whether a line of a paragraph closes the mail: what a device says of itself, or the player's name."""
        text, last = self.lines[paragraph[place]].text, len(paragraph) - 1
        if place in (0, last) and is_device_line(text, like_an_order=like_an_order):
            below = paragraph[last if place else 0] + 1
            return bool(self.orders or OWN_THING.search(text)) or not self.goes_on(below, len(self.lines))
        return bool(self.orders and place < last and self.is_signed(text))

    def is_signed(self, text: str) -> bool:
        """Whether a line is the player's name and nothing else; a title and a company may follow."""
        name = folded(text).strip(" ,.-–—*_")
        return bool(name) and any(name in (known, known.split()[0]) for known in self.people.player)

    def is_notice(self, texts: list[str]) -> bool:
        """Whether a paragraph is a gateway's warning, a company's small print or a list's footer."""
        text = " ".join(line[:600] for line in texts[:40])[:3_000]
        if all(map(roots_in, texts)) and roots_in(text) >= ROOTS_OF_NO_ORDER:
            return True
        orders = [line for line in texts if self.is_order(line)]
        one_sentence = len(orders) == 1 < len(texts) and SENTENCE.fullmatch(orders[0])
        roots = roots_in(text)
        below_the_end = self.ended and roots >= ROOTS_OF_NO_ORDER and len(orders) < len(texts)
        if len(orders) * 2 >= len(texts) and not (one_sentence or below_the_end):
            return False
        return roots >= NOTICE_ROOTS or (
            roots == NOTICE_ROOTS - 1 and (len(text) > LONG_NOTICE or LINK.search(text) is not None)
        )

    def is_order(self, text: str) -> bool:
        """Whether a line begins like an order and does not speak of what notices speak of."""
        return bool(orders_of(text, self.settings)) and not speaks_of_mail(text, self.settings)

    def goes_on(self, start: int, stop: int) -> bool:
        """Whether what stands below what closes a mail is typed as well: nothing but orders, more than an advert's."""
        texts: list[str] = []
        for line in self.lines[start : min(stop, start + MOST_BELOW)]:
            if SIGNATURE.fullmatch(line.text) or RULE.fullmatch(line.text):
                break
            if line.text.strip():
                texts.append(line.text)
        orders = [orders for text in texts if (orders := orders_of(text, self.settings))]
        if len(orders) * 2 <= len(texts) or any(roots_in(text) or LINK.search(text) for text in texts):
            return False
        ends = any(stands_alone(some[-1], self.settings) for some in orders)
        return ends or (len(orders) > 1 and not self.ended)

    def is_closed_again(self, start: int, stop: int) -> bool:
        """Whether another signature mark stands below one with orders between: the first was only a line drawn."""
        texts = [line.text for line in self.lines[start : min(stop, start + MOST_BELOW)]]
        below = next((place for place, text in enumerate(texts) if SIGNATURE.fullmatch(text)), 0)
        return any(self.is_order(text) for text in texts[:below])


@lru_cache(maxsize=256)
def roots_in(text: str) -> int:
    """How many roots of warnings, small print or footers stand in a text."""
    return len(set(map(str.casefold, any_of("notices").findall(text[:3_000]))))


def speaks_of_mail(text: str, settings: ParseSettings) -> bool:
    """Whether a line is about links and attachments, recipients and printing: no order, unless it says so to others."""
    return roots_in(text) >= ROOTS_OF_NO_ORDER and first_word(bare(text)) not in settings.free


def is_device_line(text: str, *, like_an_order: bool) -> bool:
    """`Sent from my iPhone`, in any language; one that also reads like an order must speak of a thing of one's own."""
    text = squeezed(text).strip(" *_-–—.|·•[]()<>").casefold()
    if not text or len(text) > LONGEST_DEVICE_LINE or not any_of("sent_from").match(text):
        return False
    return bool(OWN_THING.search(text)) or (len(text.split()) <= MOST_DEVICE_WORDS and not like_an_order)


# -- marks that are no quotes -------------------------------------------------------------------------


def marks_of_all(lines: list[Line], people: People, settings: ParseSettings) -> int:
    """How many marks begin every line when nothing of ours is quoted: then they are list marks."""
    trimmer = Trimmer(lines, people, settings)
    least = 0
    unmarked: list[str] = []
    for line in [*lines, Line("")]:
        if line.text.strip() and not line.depth and SIGNATURE.fullmatch(line.text):
            break
        if line.text.strip() and not line.depth:
            if not (line.signature or RULE.fullmatch(line.text) or is_device_line(line.text, like_an_order=False)):
                unmarked.append(line.text)
        elif unmarked and not trimmer.is_notice(unmarked):  # a gateway and a list write no marks
            return 0
        else:
            unmarked = []
            least = min(least or line.depth, line.depth) if line.text.strip() else least
    if not least:
        return 0
    lowered = [Line(line.text, max(0, line.depth - least)) for line in lines]
    quoted = read_quotes(lowered, people, settings)
    return 0 if quoted.has_ours or any(quoted.announces) else least


# -- what we sent ----------------------------------------------------------------------------------------------

WORD = re.compile(r"[^\W\d]+|\d{3,}")
#: Words of prose that run on in both make prose ours, and the orders below: a player copies names and orders, not sentences.
WORDS_OF_OURS = 5
#: What begins like an order and has more words is a sentence.
LONGEST_ORDER = 9
#: Places that are tried for a run: words that stand together more often than that are in every mail.
MOST_PLACES = 20


def without_sent(typed: Iterable[Typed], sent: str) -> tuple[Typed, ...]:
    """The typed lines without those of the report that was sent, wherever and however broken they stand.

    What runs on as it does in the report was quoted. Orders are in the words that the report offers, and stand right
    above it: they are ours only where they go on from a line that is no order. Linear in both.
    """
    typed = tuple(typed)
    words = [(word, place) for place, line in enumerate(typed) for word in words_in(line.text)]
    report = words_in(sent)
    places: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(report) - WORDS_OF_OURS + 1):
        places.setdefault(tuple(report[at : at + WORDS_OF_OURS]), []).append(at)
    ours: set[int] = set()
    at = 0
    while at < len(words):
        run = longest_run([word for word, _ in words[at : at + WORDS_OF_OURS]], words, at, report, places)
        ours.update(lines_of_run(typed, words, at, at + run))
        at += max(run, 1)
    drawn = {place for place, line in enumerate(typed) if line.kind == "chat" and not words_in(line.text)}
    ours |= {place for place in drawn if ours & {place - 1, place + 1}}  # what is left of a table says too little
    return tuple(line for place, line in enumerate(typed) if place not in ours)


def longest_run(
    head: list[str], words: list[tuple[str, int]], at: int, report: list[str], places: dict[tuple[str, ...], list[int]]
) -> int:
    """How many words from here on stand together in the report."""
    longest = 0
    for place in places.get(tuple(head), ())[:MOST_PLACES]:
        length = len(head)
        while (
            at + length < len(words)
            and place + length < len(report)
            and words[at + length][0] == report[place + length]
        ):
            length += 1
        longest = max(longest, length)
    return longest


def lines_of_run(typed: tuple[Typed, ...], words: list[tuple[str, int]], begin: int, end: int) -> Iterator[int]:
    """The lines that lie wholly in a run of words and are ours."""
    whole: list[tuple[int, bool, int]] = []
    prose = 0
    at = begin
    while at < end:
        place = words[at][1]
        stop = at
        while stop < len(words) and words[stop][1] == place:
            stop += 1
        is_prose = typed[place].kind == "chat" or stop - at > LONGEST_ORDER
        prose += (min(stop, end) - at) * is_prose
        if (at == 0 or words[at - 1][1] != place) and stop <= end:
            whole.append((place, is_prose, prose))
        at = stop
    yield from (place for place, is_prose, above in whole if (prose if is_prose else above) >= WORDS_OF_OURS)


def words_in(text: str) -> list[str]:
    """The words to compare by: folded, without list numbers, which are taken off orders."""
    return WORD.findall(squeezed(text).casefold())
