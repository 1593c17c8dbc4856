"""What the player typed, and only that: without quotes, signatures, banners and small print.

Small print, signatures and adverts are told by place, shape and words. Below what closes a mail (a rule, a device's
line, the player's own name with more under it) only paragraphs of nothing but orders count.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, takewhile
from typing import Literal, NamedTuple

from pbem.mail.reading.data import any_of
from pbem.mail.reading.lines import STRUCK, Line, squeezed
from pbem.mail.reading.orders import LINK, bare, first_word, orders_of, stands_alone
from pbem.mail.reading.quotes import DIVIDER, RULE, People, Quotes, folded, marker
from pbem.mail.reading.values import ParseSettings, Typed

#: Order lines that are taken from one mail, other lines that are, and characters of one line.
MOST_ORDERS = 500
MOST_REMARKS = 200
LONGEST_LINE = 1_000
#: `-- ` and what autocorrection and PGP make of it.
SIGNATURE = re.compile(r"\s?(?:- )?(?:--|—|–|- -)\s*")
#: At least five words and a full stop: `Use the button below if in doubt.`
SENTENCE = re.compile(r"\s*(?:\S+\s+){4,}\S+\.\s*")
#: Boxes of a list, ticked and not.
TICKED = re.compile(r"[\s*•·-]*(?:[\[(][xX✓✔][\])]|[☑☒✅🗹])")
UNTICKED = re.compile(r"[\s*•·-]*(?:[\[(][ _]?[\])]|[☐▢◻⬜✗✘❌])")
#: A quotation over several lines.
QUOTATION = re.compile("[“„«][^“„«”»]*\n[^“„«”»]*[”“»]")

#: So many different roots of warnings, small print and footers make a notice of a paragraph; with a link or this
#: many characters one fewer does. A single line of such words is no order.
NOTICE_ROOTS = 3
LONG_NOTICE = 60
ROOTS_OF_NO_ORDER = 2
#: A device's line has no more characters, and no more words.
LONGEST_DEVICE_LINE = 140
MOST_DEVICE_WORDS = 12
#: Lines that are looked at below what closes a mail.
MOST_BELOW = 200
#: Links make bodies of one line; programs break those at 72 to 80 columns.
WRAPPED_AT = 72
MOST_WORDS_LEFT_OVER = 4


class Text(NamedTuple):
    """What one reading of a mail's text yields."""

    #: All that was typed, in the order written.
    typed: tuple[Typed, ...] = ()
    #: Whether anything of ours is quoted in it.
    quotes_us: bool = False
    #: Whether all of it stands behind marks, which are taken for list marks, but may be those of a quote.
    all_marked: bool = False

    def of_kind(self, kind: str) -> tuple[str, ...]:
        """The typed lines of one kind."""
        return tuple(line.text for line in self.typed if line.kind == kind)


def text_of(lines: list[Line], people: People, settings: ParseSettings) -> Text:
    """Read what was typed in these lines. Marks before all of them, and nothing of ours below, are list marks."""
    quotes = Quotes(lines, people, settings)
    kept = typed_lines(quotes)
    all_marked = False
    least = min((line.depth for line, level in zip(quotes.lines, quotes.levels, strict=True) if level), default=0)
    if least and not (kept or quotes.has_ours):
        lowered = Quotes([Line(line.text, max(0, line.depth - least)) for line in lines], people, settings)
        kept = [] if lowered.has_ours or any(lowered.announces) else typed_lines(lowered)
        all_marked = bool(kept)
    typed: list[Typed] = []
    room = {"order": MOST_ORDERS, "chat": MOST_REMARKS, "withdrawn": MOST_REMARKS}
    for line in classified([(at, quotes.lines[at].text) for at in kept], settings):
        if room[line.kind]:
            room[line.kind] -= 1
            typed.append(line)
    return Text(tuple(typed), quotes.has_ours, all_marked)


def classified(numbered: list[tuple[int, str]], settings: ParseSettings) -> Iterator[Typed]:
    """What each of these lines is; several orders on one line are several."""
    texts = rejoined(numbered, settings)
    cited = cited_lines(texts)
    some_ticked = any(TICKED.match(text) for text in texts)
    for place, text in enumerate(texts):
        withdrawn = STRUCK.findall(text)
        text = STRUCK.sub(" ", text)
        if some_ticked and UNTICKED.match(text):
            withdrawn, text = [*withdrawn, UNTICKED.sub("", text)], ""
        for struck in withdrawn:
            yield Typed(squeezed(struck)[:LONGEST_LINE], "withdrawn")
        text = text[:LONGEST_LINE]
        orders = [] if place in cited else orders_in(text, settings)
        for order in orders:
            yield Typed(order, "order")
        if not orders and any(character.isalnum() for character in text):
            yield Typed(squeezed(text), "chat")


def orders_in(text: str, settings: ParseSettings) -> list[str]:
    """The orders in a typed line; none when it is about links and attachments, recipients and printing."""
    orders = orders_of(text[:LONGEST_LINE], settings)
    about_mail = orders and roots_in(text) >= ROOTS_OF_NO_ORDER and first_word(bare(text)) not in settings.free
    return [] if about_mail else orders


def rejoined(numbered: list[tuple[int, str]], settings: ParseSettings) -> list[str]:
    """The lines, with one that held several orders and was broken inside one of them whole again."""
    texts: list[list[str]] = []
    above = -1
    for index, text in numbered:
        if texts and above == index - 1 and is_rest(text, texts[-1], settings):
            texts[-1].append(text)
        else:
            texts.append([text])
        above = index
    return [" ".join(pieces) for pieces in texts]


def is_rest(text: str, pieces: list[str], settings: ParseSettings) -> bool:
    """Whether a text is the rest of an order that a program broke at the width of its lines."""
    words = text.split() or [""]
    if len(pieces[-1]) + 1 + len(words[0]) <= WRAPPED_AT or (";" not in text and len(words) > MOST_WORDS_LEFT_OVER):
        return False
    whole = " ".join(pieces)
    last = orders_of(whole, settings)[-1:] if ";" in whole and not orders_of(text, settings) else []
    return bool(last) and not stands_alone(last[0], settings)


def cited_lines(texts: list[str]) -> set[int]:
    """Lines of a quotation that has words before or behind it: they are cited, not given."""
    whole = "\n".join(texts)
    cited: set[int] = set()
    for quotation in QUOTATION.finditer(whole):
        around = whole[: quotation.start()].rpartition("\n")[2] + whole[quotation.end() :].partition("\n")[0]
        if any(character.isalnum() for character in around):
            first = whole.count("\n", 0, quotation.start())
            cited.update(range(first, first + quotation[0].count("\n") + 1))
    return cited


def typed_lines(quotes: Quotes) -> list[int]:
    """The numbers of the lines that count, in document order."""
    trimmer = Trimmer(quotes)
    kept = set(section_lines(quotes))
    start = 0
    for stop, level in enumerate([*quotes.levels, 1]):
        if level:
            kept.update(trimmer.trimmed(start, stop))
            start = stop + 1
    return [at for at in sorted(kept) if not quotes.marked[at]]


def section_lines(quotes: Quotes) -> Iterator[int]:
    """Lines between the marker lines of the message itself or of the first message it quotes."""
    seen: set[int] = set()
    deepest = 0 if quotes.whose in quotes.people.player else 1  # the player's own mail has been read before
    begin_marker = marker(quotes.settings.begin_marker)
    for begin, level in enumerate(quotes.levels):
        if level <= deepest and level not in seen and begin_marker.search(quotes.lines[begin].text):
            seen.add(level)
            yield from section_below(quotes, begin)


def section_below(quotes: Quotes, begin: int) -> list[int]:
    """The lines from a marker line to the next. Without another, what reads like orders right below the first."""
    inside: list[int] = []
    for at in range(begin + 1, len(quotes.lines)):
        text = quotes.lines[at].text
        if marker(quotes.settings.end_marker).search(text):
            return inside
        if quotes.levels[at] > max(quotes.levels[begin], 1) or quotes.announces[at]:
            return []
        if text.strip():
            inside.append(at)
    return list(takewhile(lambda at: orders_of(quotes.lines[at].text, quotes.settings), inside))


class Trimmer:
    """Takes off what programs, gateways, companies and lists put round what was typed."""

    def __init__(self, quotes: Quotes) -> None:
        self.lines = quotes.lines
        self.people = quotes.people
        self.settings = quotes.settings
        #: How many orders were kept so far, and whether one of them ends a turn.
        self.orders = 0
        self.ended = False

    def trimmed(self, start: int, stop: int) -> list[int]:
        """The lines of a run that nobody quoted which the player typed."""
        kept: list[int] = []
        for kind, group in groupby(range(start, stop), key=self.kind):
            paragraph = list(group)
            texts, below = [self.lines[at].text for at in paragraph], paragraph[-1] + 1
            if kind == "signature":
                closes = bool(self.orders) or not self.is_closed_again(below, stop)
            elif kind == "rule" or (kind == "text" and self.is_notice(texts)):
                closes = bool(self.orders) and not self.goes_on(below, stop)
            elif kind == "text":
                inside, closes = self.typed_in(paragraph)
                kept += inside
                closes = closes and not self.goes_on(below, stop)
            else:
                continue
            if closes:
                break
        return kept

    def kind(self, at: int) -> Literal["signature", "rule", "text", "between"]:
        """Lines of text that stand together are a paragraph; dividers and blank lines stand between."""
        text = self.lines[at].text
        if SIGNATURE.fullmatch(text):
            return "signature"
        if RULE.fullmatch(text):
            return "rule"
        is_divider = DIVIDER.fullmatch(text) and not orders_of(text, self.settings)
        return "between" if is_divider or not text.strip() else "text"

    def typed_in(self, paragraph: list[int]) -> tuple[list[int], bool]:
        """The typed lines of a paragraph, and whether something in it closes the mail."""
        kept: list[int] = []
        last = len(paragraph) - 1
        for place, index in enumerate(paragraph):
            text = self.lines[index].text
            says_device = place in (0, last) and is_device_line(text, self.settings)
            if says_device or (self.orders and place < last and self.is_signed(text)):
                if place + 1 < last and self.goes_on(index + 1, paragraph[-1] + 1):
                    continue
                return kept, True
            kept.append(index)
            orders = orders_in(text, self.settings)
            self.orders += len(orders)
            self.ended = stands_alone(orders[-1], self.settings) if orders else self.ended
        return kept, self.ended and self.is_signed(self.lines[paragraph[-1]].text)

    def is_signed(self, text: str) -> bool:
        """Whether a line is the player's name and nothing else; a title and a company may follow."""
        name = folded(text).strip(" ,.-–—*_")
        return bool(name) and any(name in (known, known.split()[0]) for known in self.people.player)

    def is_notice(self, texts: list[str]) -> bool:
        """Whether a paragraph is a gateway's warning, a company's small print or a list's footer."""
        text = " ".join(line[:600] for line in texts[:40])[:3_000]
        roots = roots_in(text)
        if roots >= ROOTS_OF_NO_ORDER and all(map(roots_in, texts)):
            return True
        orders = [line for line in texts if orders_in(line, self.settings)]
        one_sentence = len(orders) == 1 < len(texts) and SENTENCE.fullmatch(orders[0])
        below_the_end = self.ended and roots >= ROOTS_OF_NO_ORDER and len(orders) < len(texts)
        if len(orders) * 2 >= len(texts) and not (one_sentence or below_the_end):
            return False
        return roots + (len(text) > LONG_NOTICE or LINK.search(text) is not None) >= NOTICE_ROOTS

    def goes_on(self, start: int, stop: int) -> bool:
        """Whether what stands below what closes a mail is typed as well: nothing but orders, more than an advert's."""
        below = range(start, min(stop, start + MOST_BELOW))
        open_lines = takewhile(lambda at: self.kind(at) not in ("signature", "rule"), below)
        texts = [text for at in open_lines if (text := self.lines[at].text).strip()]
        orders = [orders for text in texts if (orders := orders_of(text, self.settings))]
        if len(orders) * 2 <= len(texts) or any(roots_in(text) or LINK.search(text) for text in texts):
            return False
        return any(stands_alone(some[-1], self.settings) for some in orders) or (len(orders) > 1 and not self.ended)

    def is_closed_again(self, start: int, stop: int) -> bool:
        """Whether another signature mark stands below one with orders between: the first was only a line drawn."""
        texts = [line.text for line in self.lines[start : min(stop, start + MOST_BELOW)]]
        below = next((place for place, text in enumerate(texts) if SIGNATURE.fullmatch(text)), 0)
        return any(orders_in(text, self.settings) for text in texts[:below])


@lru_cache(maxsize=256)
def roots_in(text: str) -> int:
    """How many roots of warnings, small print or footers stand in a text."""
    return len(set(map(str.casefold, any_of("notices").findall(text[:3_000]))))


def is_device_line(text: str, settings: ParseSettings) -> bool:
    """`Sent from my iPhone`, in any language; what reads like an order is one."""
    plain = squeezed(text).strip(" *_-–—.|·•[]()<>").casefold()
    is_short = len(plain) <= LONGEST_DEVICE_LINE and len(plain.split()) <= MOST_DEVICE_WORDS
    return is_short and any_of("sent_from").match(plain) is not None and not orders_of(text, settings)


WORD = re.compile(r"[^\W\d]+|\d{3,}")
#: Words of prose that run on in both make prose ours, and the orders below: a player copies names and orders, not sentences.
WORDS_OF_OURS = 5
#: What begins like an order and has more words is a sentence.
LONGEST_ORDER = 9
#: Where our answers repeat what the player wrote, and what was made of it.
ECHO = re.compile(r"(?:^ *> .*(?:\n {4,}\S.*)*\n?)+", re.MULTILINE)


def without_sent(typed: tuple[Typed, ...], sent: str) -> tuple[Typed, ...]:
    """The typed lines without those of the report that was sent, wherever and however broken they stand.

    What runs on as it does in the report was quoted. Orders are in the words that the report offers, and stand right
    above it: they are ours only where they go on from a line that is no order. So are the player's own earlier words,
    which an answer repeats: who sends them again means them. Linear in both.
    """
    words = [(word, place) for place, line in enumerate(typed) for word in words_in(line.text)]
    report = words_in(sent)
    echoes = [f" {' '.join(words_in(echo))} " for echo in ECHO.findall(sent)]
    runs = {tuple(report[at : at + WORDS_OF_OURS]) for at in range(len(report) - WORDS_OF_OURS + 1)}
    stands_there = [tuple(word for word, _ in words[at : at + WORDS_OF_OURS]) in runs for at in range(len(words))]
    sizes = Counter(place for _, place in words)
    ours: set[int] = set()
    for is_quoted, group in groupby(range(len(words)), key=stands_there.__getitem__):
        if is_quoted:
            begins = list(group)
            run = words[begins[0] : begins[-1] + WORDS_OF_OURS]
            said = f" {' '.join(word for word, _ in run)} "
            if any(said in echo for echo in echoes):
                continue
            ours.update(lines_of_run(typed, sizes, Counter(place for _, place in run)))
    drawn = {place for place, line in enumerate(typed) if line.kind == "chat" and not words_in(line.text)}
    ours |= {place for place in drawn if ours & {place - 1, place + 1}}  # what is left of a table says too little
    return tuple(line for place, line in enumerate(typed) if place not in ours)


def lines_of_run(typed: tuple[Typed, ...], sizes: Counter[int], run: Counter[int]) -> Iterator[int]:
    """The lines that lie wholly in a run of words and are ours, by how many words of each line are in the run."""
    whole: list[tuple[int, bool, int]] = []
    prose = 0
    for place, count in run.items():
        is_prose = typed[place].kind == "chat" or sizes[place] > LONGEST_ORDER
        prose += count * is_prose
        if count == sizes[place]:
            whole.append((place, is_prose, prose))
    yield from (place for place, is_prose, above in whole if (prose if is_prose else above) >= WORDS_OF_OURS)


def words_in(text: str) -> list[str]:
    """The words to compare by: folded, without list numbers, which are taken off orders."""
    return WORD.findall(squeezed(text).casefold())
