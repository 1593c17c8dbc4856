"""Which lines of a mail somebody else wrote, or the player wrote earlier.

A mail program either marks what it quotes (`>`, a blockquote) or puts it, unmarked, below a line or block that says
whose words follow, whoever that is: such an *announcement* is an attribution, a header block or a divider. One with
nothing typed above it and nothing of ours below is only a heading of what was typed.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile

from pbem.mail.reading.data import any_of, headings
from pbem.mail.reading.headers import ADDRESS, folded_own, is_own, mailboxes, sender_of
from pbem.mail.reading.lines import Line, squeezed
from pbem.mail.reading.message import Part
from pbem.mail.reading.orders import orders_of
from pbem.mail.reading.values import ParseSettings

#: A label before a value: at most four words and no digits.
LABEL = re.compile(r"[\s*_>]*([^\W\d_][^\d:：<>@=|;,!?]{0,40}?)[\s*_]*[:：][\s*_]*(.*)", re.DOTALL)
MOST_LABEL_WORDS = 4
#: `-----Original Message-----`, `---- On ... wrote ----`, perhaps with more behind it.
DIVIDER = re.compile(r"\s*[-_=–—]{2,}\s*([^\W\d_].{1,200}?)\s*[-_=–—]{2,}(.*)")
RULE = re.compile(r"\s*(?:[-_=*~#–—─━═]\s?){5,}\s*|\s*[-_][-_.,~]{6,}\s*")
#: What our reports begin with, above their first heading.
OPENING = re.compile(r"\bit is your (?:move|turn)\b|^answer by .{4,60}\d\d:\d\d")

#: Colons: full-width, and what Armenian has for one.
COLONS = (":", "：", "՝")
#: Clues that say together whose words follow, where a colon or dashes end them. `someone` is a name or an address that
#: the mail knows (`known`), or any address; `verb` is "wrote", and `others` if it is not the player who says "I"; `ours`
#: if marked lines of our report stand right below.
SAYS_WHOSE = (
    *(
        {"ours", "verb"},
        {"others", "verb"},
        {"someone", "verb"},
        {"date", "verb"},
        {"someone", "date"},
        {"address", "known"},
    ),
    {"others", "address", "angle"},
)
FIRST_PERSON = re.compile(r"\b(?:i|i['’]ve|ich|je|j['’]ai|yo|eu|io|ik|jag|jeg)\b")
#: `Bob wrote:`, `Bob schrieb am 2. März:`; with more words it may well be a sentence of the player's.
MOST_WORDS_ON_OTHERS = 5
MOST_ATTRIBUTION_LINES = 4
LONGEST_ATTRIBUTION = 600
#: A header block has From, a date or a subject, and To; with our own subject in it two lines are enough.
FEWEST_LABELS = 3
FEWEST_LABELS_WITH_SUBJECT = 2
MOST_BLOCK_LINES = 16

#: Our report without marks or announcement begins where so many of its lines stand so close together.
FEWEST_OF_OURS = 3
NEAR = 25
#: No program breaks lines as short as that, and none leaves longer ones.
NARROWEST, WIDEST = 38, 100
#: Nobody quotes more; below, only marks tell quoted lines. Deeper levels are all the same.
MOST_LINES = 3_000
DEEPEST = 190


@dataclass(frozen=True, slots=True)
class People:
    """By what the game and the player are known in quoted text: folded addresses and names."""

    ours: frozenset[str]
    player: frozenset[str]
    #: The tokens the mail carries, and the subject our report had without `Re:` and the token.
    subjects: frozenset[str]


def names_any(text: str, names: Iterable[str]) -> bool:
    """Whether one of these names is in the text."""
    return any(name in text for name in names)


class Quotes:
    """Which lines of a mail are quoted, and the questions that are asked of them to tell."""

    def __init__(self, lines: list[Line], people: People, settings: ParseSettings) -> None:
        markers = marker(settings.begin_marker, settings.end_marker)
        #: With each marker on a line of its own.
        self.lines = lines = [Line(piece, line.depth) for line in lines for piece in markers.split(line.text)]
        self.people = people
        self.settings = settings
        #: How deep each line is quoted: 0 was typed now, 1 belongs to the first quoted message, and so on.
        self.levels = [0] * len(lines)
        #: Lines that announce a quoted message.
        self.announces = [False] * len(lines)
        #: Whom what says whose the first quoted message is names first: a name of ours or of the player's.
        self.whose = ""
        self.known = (*people.ours, *people.player)
        # A Turkish capital İ folds to an i with a dot above it.
        self.folded = [squeezed(line.text[:1_000]).casefold().replace("i\u0307", "i") for line in lines]
        self.marked = [markers.search(line.text) is not None for line in lines]
        self.ours = [self.is_ours(index) for index in range(len(lines))]
        self.last_of_ours = max((i for i, ours in enumerate(self.ours) if ours and not lines[i].depth), default=-1)
        #: Whether something was typed above the line that is looked at.
        self.typed_above = False
        self.find_announced()
        self.find_broken_halves()
        self.find_unannounced()

    @property
    def has_ours(self) -> bool:
        """Whether anything quoted looks like ours."""
        return any(level and (self.announces[at] or self.ours[at]) for at, level in enumerate(self.levels))

    def find_announced(self) -> None:
        """Lines with marks, and those below an announcement."""
        lines = self.lines
        #: How many announcements of unmarked text stand at each depth.
        extra = [0]
        index = 0
        # Below the last section it does not matter any more how deep a quote is.
        last_section = max((at for at, is_marker in enumerate(self.marked) if is_marker), default=-1)
        while index < len(lines):
            depth = min(lines[index].depth, DEEPEST)
            if self.folded[index]:
                extra = [*extra, *([0] * depth)][: depth + 1]
            nested = depth + sum(extra[: depth + 1])
            is_over = index > MOST_LINES or (nested and index > last_section)
            stop = index
            if self.folded[index] and not is_over:
                stop += self.header_block(index) or self.attribution(index)
            opens = self.opened(index, stop, quoted_by_mark=depth > 0 and not extra[depth]) if stop > index else ""
            stop = stop if opens else index + 1
            level = nested + (opens in ("marked", "unmarked"))
            if opens == "unmarked":
                extra[depth] += 1
            if opens and level == 1 and not self.whose:
                text = " ".join(self.folded[index:stop])
                self.whose = min((name for name in self.known if name in text), key=text.index, default="")
            self.levels[index:stop] = [level] * (stop - index)
            self.announces[index:stop] = [bool(opens)] * (stop - index)
            self.typed_above = self.typed_above or (level == 0 and bool(self.folded[index]))
            index = stop

    def opened(self, index: int, stop: int, *, quoted_by_mark: bool) -> str:
        """What an announcement introduces: the message it stands in, or marked or unmarked lines; empty for a heading.

        A heading has nothing typed above it and nothing of ours below, and names no address.
        """
        if quoted_by_mark:
            return "intro"
        following = next((at for at in range(stop, len(self.lines)) if self.folded[at]), None)
        if following is not None and self.lines[following].depth != self.lines[index].depth:
            return "marked"
        named = any("@" in text for text in self.folded[index:stop])
        return "unmarked" if self.typed_above or named or self.last_of_ours >= stop else ""

    def attribution(self, index: int) -> int:
        """`On Monday, 2 March 2026 at 9:14, The Clacks Office <...> wrote:`, on up to four lines."""
        depth = self.lines[index].depth
        joined = ""
        for at in range(index, min(index + MOST_ATTRIBUTION_LINES, len(self.lines))):
            joined = f"{joined} {self.folded[at]}".strip()
            stands_apart = not self.folded[at] or self.ours[at] or self.lines[at].depth != depth
            if stands_apart or len(joined) > LONGEST_ATTRIBUTION:
                return 0
            ours = self.above_ours(at)
            if self.says_whose(joined, ours):
                # A line above one that says it all was typed, unless it is the date.
                later = " ".join(self.folded[index + 1 : at + 1])
                typed = self.says_whose(later, ours) and not any_of("dates").search(self.folded[index])
                return 0 if typed else at + 1 - index
        return 0

    def above_ours(self, at: int) -> bool:
        """Whether lines with one mark more stand below a line, our report among them."""
        below = next((i for i in range(at + 1, len(self.lines)) if self.folded[i]), len(self.lines))
        marked = takewhile(lambda i: self.lines[i].depth > self.lines[at].depth, range(below, len(self.lines)))
        return any(self.ours[i] for i in marked)

    def says_whose(self, text: str, ours: bool) -> bool:
        """Whether these words say who wrote what follows, and when; `ours` is whether that is our report, with marks."""
        if not (DIVIDER.fullmatch(text) or text.rstrip(" *_-").endswith(COLONS)):
            return False
        known = names_any(text, self.known)
        address = ADDRESS.search(text) is not None
        clues = {
            "known": known,
            "address": address,
            "angle": text.rstrip(" *_:：").endswith(">"),
            "someone": known or address,
            "date": any_of("dates").search(text) is not None,
            "verb": any_of("wrote").search(text) is not None,
            "ours": ours and FIRST_PERSON.search(text) is None,
            "others": 1 < len(text.split()) <= MOST_WORDS_ON_OTHERS and FIRST_PERSON.search(text) is None,
        }
        seen = {name for name, is_there in clues.items() if is_there}
        return any(needed <= seen for needed in SAYS_WHOSE)

    def header_block(self, index: int) -> int:
        """Several lines with a label and a value each (From, Sent, To, Subject in any language), or a divider."""
        text = self.folded[index]
        divider = DIVIDER.fullmatch(text)
        begin = index
        if divider:
            begin = next((at for at in range(index + 1, min(index + 5, len(self.lines))) if self.folded[at]), index)
        if stop := self.end_of_block(begin):
            return stop - index
        named = divider and any_of("mail_nouns").search(divider[1])
        return max(1, begin - index) if named and self.typed_above and not self.attribution(begin) else 0

    def end_of_block(self, begin: int) -> int:
        """Where the lines with labels from here on end; 0 when they are no header block."""
        values: list[str] = []
        stop = begin
        for at in range(begin, min(begin + MOST_BLOCK_LINES, len(self.lines))):
            text = self.folded[at]
            match = LABEL.match(text)
            if self.lines[at].depth != self.lines[begin].depth or at > stop + 1:
                break
            if match and len(match[1].split()) <= MOST_LABEL_WORDS:
                values.append(match[2])
            elif text:
                break
            stop = at + 1 if text else stop
        people = sum(bool(ADDRESS.search(value)) or names_any(value, self.people.ours) for value in values)
        dated = any(any_of("dates").search(value) for value in values)
        about_ours = any(names_any(value, self.people.subjects) for value in values)
        is_block = len(values) >= FEWEST_LABELS and (people > 1 or dated or about_ours)
        return stop if people and (is_block or (len(values) >= FEWEST_LABELS_WITH_SUBJECT and about_ours)) else 0

    def is_ours(self, index: int) -> bool:
        """Whether a line can hardly be anything but a line of our report."""
        text, line = self.folded[index], self.lines[index].text
        if not text:
            return False
        heading = line.strip(" *_#") in headings() or (not line.isupper() and heading_inside().search(line))
        return bool(heading or self.marked[index] or OPENING.search(text))

    def find_unannounced(self) -> None:
        """Our report without marks, attribution or header: it begins where several of its lines come together."""
        ours = [i for i, is_ours in enumerate(self.ours) if is_ours and self.levels[i] == 0]
        for first, last in zip(ours, ours[FEWEST_OF_OURS - 1 :], strict=False):
            if last - first <= NEAR:
                for below in range(first, len(self.lines)):
                    self.levels[below] += self.lines[below].depth == 0
                return

    def find_broken_halves(self) -> None:
        """Quoted lines that a program broke anew: the second half of each carries no mark.

        A line that reads like an order is one, unless the whole report was broken so.
        """
        # A line without blanks cannot be broken and so says nothing about how wide lines may be.
        lengths = [len(line.text) + 2 for line in self.lines if line.depth and " " in line.text.strip()]
        widest = max((length for length in lengths if length < WIDEST), default=0)
        if widest < NARROWEST:
            return
        halves: list[int] = []
        for index in range(1, len(self.lines)):
            if self.levels[index] or not (self.levels[index - 1] and self.folded[index] and self.folded[index - 1]):
                continue
            line, above, below = self.lines[index], self.lines[index - 1], self.lines[index + 1 : index + 2]
            goes_on = not below or below[0].depth > 0 or len(line.text) + 12 > widest
            room = len(above.text) + 2 * (above.depth > 0) + 1 + len(line.text.split(maxsplit=1)[0])
            if goes_on and room >= widest and not self.announces[index - 1]:
                self.levels[index] = self.levels[index - 1]
                halves.append(index)
        if len(halves) == 1 or all(orders_of(self.lines[at].text, self.settings) for at in halves):
            for at in halves:
                self.levels[at] = 0


@cache
def heading_inside() -> re.Pattern[str]:
    """A heading of ours in the middle of a line, where a program lost the line ends."""
    words = "|".join(sorted(heading for heading in headings() if " " in heading))
    return re.compile(rf"(?<![A-Z] )\b(?:{words})\b(?! [A-Z]{{2}})")


@lru_cache(maxsize=64)
def marker(*settings: str) -> re.Pattern[str]:
    """A pattern for any of these marker lines, however its blanks and case came back."""
    patterns = (r"\s*".join(map(re.escape, setting.split())) or r"(?!)" for setting in settings)
    return re.compile(f"({'|'.join(patterns)})", re.IGNORECASE)


#: `Re:`, `AW[2]:` and the like.
BEFORE_SUBJECT = re.compile(r"^(?:\s*[^\W\d_]{1,5}\s*(?:\[\d+\])?\s*[:：])+")
#: Shorter names and subjects occur in any text.
SHORTEST_NAME = 3
SHORTEST_SUBJECT = 9


def people_of(mail: Part, settings: ParseSettings, tokens: tuple[str, ...]) -> People:
    """What the mail's headers say about who is who."""
    sender = sender_of(mail)
    ours = folded_own(settings)
    # In text our address comes with the token in the middle: orders+TOKEN@play.example.org.
    tagged = {address.partition("@")[0] + "+" for address in ours}
    names = {folded(box.name) for box in mailboxes(mail, "to", "cc") if is_own(box.address, settings)}
    player = [sender, *(box.name for box in mailboxes(mail, "from", "sender") if box.address == sender)]
    forms = {form for name in player if len(name) >= SHORTEST_NAME for form in both_ways_round(folded(name))}
    subject = folded(BEFORE_SUBJECT.sub("", re.sub(r"\[[^\]]*\]", " ", mail.header("subject"))))
    return People(
        ours=frozenset(name for name in ours | tagged | names if len(name) >= SHORTEST_NAME),
        player=frozenset(forms),
        subjects=frozenset((*map(str.casefold, tokens), *([subject] if len(subject) >= SHORTEST_SUBJECT else ()))),
    )


def folded(text: str) -> str:
    return squeezed(text).casefold()


def both_ways_round(name: str) -> tuple[str, ...]:
    """`Priya Raman` and `Raman, Priya`: address books have either."""
    last, comma, first = name.partition(", ")
    if comma:
        return name, f"{first} {last}"
    first, blank, last = name.rpartition(" ")
    return (name, f"{last}, {first}") if blank and "@" not in name else (name,)
