"""Which lines of a mail somebody else wrote, or the player wrote earlier: attributions, header blocks, our report.

A mail program either marks what it quotes (`>`, a blockquote) or puts it, unmarked, below a line or block that
says whose message it was. That line is found by its shape: our address or name or the player's, beside a date,
with a colon or a verb at the end; or several lines with a label and a value each. Words of a language only help.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from pbem.mail.reading import phrases
from pbem.mail.reading.addresses import ADDRESS, without_tag
from pbem.mail.reading.lines import Line, squeezed
from pbem.mail.reading.orders import orders_of
from pbem.mail.reading.values import Reading

DATE = re.compile(
    r"(?<!\d)(?:19|20|25|14|13)\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|[٠-٩۰-۹०-९๐-๙]{4}|\d{1,2}\s*月\s*\d{1,2}\s*日|\d{1,2}월\s*\d{1,2}일"
)
TIME = re.compile(
    r"(?<!\d)[\d٠-٩۰-۹०-९๐-๙]{1,2}\s?[:.h時点시时][\s]?[\d٠-٩۰-۹०-९๐-๙]{2}(?!\d)|\d{1,2} ?(?:AM|PM)\b",
    re.IGNORECASE,
)
#: A label before a value: at most four words and no digits.
LABEL = re.compile(r"[\s*_>]*([^\W\d_][^\d:：<>@=|;,!?]{0,40}?)[\s*_]*[:：][\s*_]*(.*)", re.DOTALL)
BARE_LABEL = re.compile(r"([^\W\d_][^\s:<>@\"]{0,15})\s+(.*)", re.DOTALL)
#: `-----Original Message-----`, `---- On ... wrote ----`, and rules of any kind.
DASHES_ROUND_WORDS = re.compile(r"\s*[-_*–—]{2,}\s*([^\W\d_].{1,200}?)\s*[-_*–—]{2,}\s*")
RULE = re.compile(r"\s*(?:[-_=*~#–—─━═]\s?){5,}\s*|\s*[-_][-_.,~]{6,}\s*")
WORD = re.compile(r"\w+")
#: What our reports begin with, above their first heading.
OPENING = re.compile(r"\bit is your (?:move|turn)\b|^answer by .{4,60}\d\d:\d\d")
DIGIT = re.compile(r"\d")
GAME_CODE = re.compile(r"\bG\d{2,5}\b")
#: A heading of our report in the middle of a line, where a program lost the line ends.
HEADING_INSIDE = re.compile(
    r"(?<![A-Z] )\b(?:"
    + "|".join(sorted(one for one in phrases.HEADINGS if " " in one))
    + r")\b(?! [A-Z]{2})"
)
MAP_ROW = re.compile(r"\s{0,6}\d{1,2}\s+[^\W\d][\w.'’ -]{2,24}?\s{2,}\S")
CARD_ROW = re.compile(r"\s{0,6}(?:\d{1,2}|[a-z]\))\s+[^\W\d][\w.'’& -]{2,40}?\s{2,}\S")
DRAWN = re.compile(r"\s*[+|][-+|=~ ]{8,}|~{12,}")


#: How far below one announcement another is looked for.
NEAR = 200
#: Nobody quotes more; below, only marks tell quoted lines.
MOST_LINES = 3_000


@dataclass(frozen=True, slots=True)
class People:
    """By what the game and the player are known in quoted text."""

    #: Folded addresses and names.
    ours: frozenset[str]
    own_domains: frozenset[str]
    player: frozenset[str]
    #: The tokens the mail carries, folded.
    tokens: frozenset[str] = frozenset()
    #: The subject our report had, folded, `Re:` and the token taken off; empty when too short to mean anything.
    subject: str = ""


@dataclass(slots=True)
class Quoted:
    """What is known about each line of a mail."""

    lines: list[Line]
    #: How deep each line is quoted: 0 was typed now, 1 belongs to the first quoted message, and so on.
    levels: list[int]
    #: Lines that announce a quoted message.
    announces: list[bool]
    #: Whether the first quoted message is the player's own.
    first_is_players: bool = False
    #: Whether anything quoted looks like ours.
    has_ours: bool = field(default=False)


@lru_cache(maxsize=64)
def marker(setting: str) -> re.Pattern[str]:
    """A pattern for a marker line, however its blanks and case came back."""
    words = setting.split()
    return re.compile(r"\s*".join(re.escape(word) for word in words) or r"(?!)", re.IGNORECASE)


def split_markers(lines: list[Line], reading: Reading) -> list[Line]:
    """The lines with each marker on a line of its own."""
    begin, end = marker(reading.begin_marker), marker(reading.end_marker)
    out: list[Line] = []
    for line in lines:
        text = line.text
        if "=" not in text and reading.begin_marker[:1] not in text and reading.end_marker[:1] not in text:
            out.append(line)
            continue
        cuts = [match.span() for pattern in (begin, end) for match in pattern.finditer(text)]
        if not cuts:
            out.append(line)
            continue
        position = 0
        for start, stop in sorted(cuts):
            if text[position:start].strip(" *_"):
                out.append(Line(text[position:start], line.depth, line.signature, line.begins_quote))
            out.append(Line(text[start:stop], line.depth))
            position = stop
        if text[position:].strip(" *_"):
            out.append(Line(text[position:], line.depth))
    return out


def read_quotes(lines: list[Line], people: People, reading: Reading) -> Quoted:
    """Tell quoted lines from typed ones."""
    finder = Finder(lines, people, reading)
    finder.find()
    return finder.result


class Finder:
    """One pass over the lines of a mail, with the questions it asks of them."""

    def __init__(self, lines: list[Line], people: People, reading: Reading) -> None:
        self.lines = lines
        self.people = people
        self.reading = reading
        self.result = Quoted(lines, [0] * len(lines), [False] * len(lines))
        # A Turkish capital İ folds to an i with a dot above it.
        self.folded = [squeezed(line.text[:1_000]).casefold().replace("i\u0307", "i") for line in lines]
        self.sent = _words(squeezed(reading.sent).casefold()) if reading.sent else ""
        self.ours_seen: dict[int, bool] = {}
        #: Announcements that name nobody: "-----Original Message-----" above a header block that carries marks.
        self.bare: set[int] = set()

    def find(self) -> None:
        """Fill in the result."""
        lines, levels = self.lines, self.result.levels
        extra = [0] * 200
        first_level_seen = False
        previous_depth = 0
        begin = marker(self.reading.begin_marker)
        # Below the last section it does not matter any more how deep a quote is.
        last_section = max((i for i, text in enumerate(self.folded) if begin.search(text)), default=-1)
        index = 0
        while index < len(lines):
            depth = min(lines[index].depth, 190)
            if depth < previous_depth and self.folded[index]:
                for deeper in range(depth + 1, previous_depth + 1):
                    extra[deeper] = 0
            nested = depth + sum(extra[: depth + 1])
            known = index > MOST_LINES or (nested and index > last_section)
            length = 0 if known else self.announcement(index, nested)
            if length:
                stop = index + length
                opens = self.opens_level(index, stop, depth, extra)
                if opens == "unmarked":
                    extra[depth] += 1
                level = nested + (opens != "intro")
                for inside in range(index, stop):
                    levels[inside] = level
                    self.result.announces[inside] = True
                if level == 1 and not first_level_seen and index not in self.bare:
                    first_level_seen = True
                    self.result.first_is_players = self.is_players(index, stop)
                previous_depth = depth
                index = stop
                continue
            levels[index] = nested
            if self.folded[index]:
                previous_depth = depth
            index += 1
        self.find_broken_halves()
        self.find_unannounced()
        self.find_sent()
        self.result.has_ours = any(
            level and (self.result.announces[i] or self.like_ours(i)) for i, level in enumerate(levels)
        )

    # -- announcements -------------------------------------------------------------------------------------

    def announcement(self, index: int, nested: int) -> int:
        """How many lines from here on announce a quoted message: an attribution or a header block."""
        text = self.folded[index]
        if not text:
            return 0
        if self.lines[index].begins_quote:
            return max(1, self.header_block(index))
        return self.header_block(index) or self.attribution(index, nested)

    def attribution(self, index: int, nested: int) -> int:
        """`On Monday, 2 March 2026 at 9:14, The Clacks Office <...> wrote:`, on up to four lines."""
        depth = self.lines[index].depth
        joined = ""
        if not self.could_begin_attribution(self.folded[index]) or not self.something_ends(index, nested):
            return 0
        for length in range(1, 5):
            at = index + length - 1
            if at >= len(self.lines) or not self.folded[at] or self.lines[at].depth != depth:
                return 0
            joined = f"{joined} {self.folded[at]}".strip()
            if len(joined) > 600:
                return 0
            if self.is_attribution(joined, at, nested):
                later = " ".join(self.folded[index + 1 : at + 1])
                return 0 if later and self.is_attribution(later, at, nested) else length
        return 0

    def could_begin_attribution(self, text: str) -> bool:
        return len(text) < 300 and (
            len(text) < 30 or DIGIT.search(text) is not None or self.names_someone(text)
        )

    def something_ends(self, index: int, nested: int) -> bool:
        """A cheap look ahead: whether anything in the next four lines could be the end of an attribution."""
        for at in range(index, min(index + 4, len(self.lines))):
            text = self.folded[at]
            if not text:
                return False
            if text[-1] in ":：-–—*_" or "@" in text or self.followed_by_quote(at, nested):
                return True
        return False

    def is_attribution(self, text: str, last: int, nested: int) -> bool:
        """Whether these words say who wrote what follows, and when."""
        dashes = DASHES_ROUND_WORDS.fullmatch(text) if text[0] in "-_*–—" else None
        if dashes:
            text = dashes[1]
        colon = bool(dashes) or text.rstrip(" *_").endswith((":", "："))
        followed = self.followed_by_quote(last, nested)
        known = self.names_someone(text)
        if not (colon or followed or (nested == 0 and known and "@" in text)):
            return False
        someone = known or bool(self.address_in(text))
        time = TIME.search(text) is not None
        if not someone and not time:
            return False
        date = DATE.search(text) is not None
        verb = phrases.WROTE.search(text) is not None
        if not (colon or followed):
            return known and date and time and verb
        if someone and (verb or (colon and followed)):
            return True
        # A greeting and the time of day may head what the player typed; so may a name and a day.
        if someone and time and (date or followed or dashes or self.address_in(text)):
            return True
        if someone and date and (followed or self.address_in(text)):
            return True
        return date and (time or verb) and colon and (verb or followed)

    def header_block(self, index: int) -> int:
        """Several lines with a label and a value each: From, Sent, To, Subject in any language."""
        depth = self.lines[index].depth
        at = index
        separated = False
        text = self.folded[at]
        if ":" not in text and "：" not in text and text[0] not in "-_*=~–—─━":
            return 0
        dashes = DASHES_ROUND_WORDS.fullmatch(text) if text[0] in "-_*–—" else None
        ends = bool(dashes) or text[-1] in ":："
        known = ends and len(text) < 80 and bool(phrases.ORIGINAL_MESSAGE.search(text))
        if dashes or known or RULE.fullmatch(text):
            if dashes and self.has_all_of_a_header(text):
                return 1  # a whole header block on one line
            separated = True
            at += 1
            while at < len(self.lines) and not self.folded[at] and at < index + 4:
                at += 1
            if at >= len(self.lines):
                return 0
            if self.lines[at].depth != depth:
                self.bare.add(index)
                return at - index if known else 0
        elif self.has_all_of_a_header(text):
            return 1
        begin = at
        labels = addresses = dates = subjects = blanks = names_us = 0
        last = begin
        while at < len(self.lines) and at < begin + 16 and self.lines[at].depth == depth:
            text = self.folded[at]
            if not text:
                blanks += 1
                if blanks > 1 or not labels:
                    break
                at += 1
                continue
            value = self.labelled(text, separated)
            if value is None:
                continues = (
                    labels
                    and not blanks
                    and at == last + 1
                    and ("@" in text or self.lines[at].text[:2] == "  ")
                )
                if not continues:
                    break
                value = text
            else:
                labels += 1
            blanks = 0 if value is not None else blanks
            addresses += bool(ADDRESS.search(value)) or self.names_someone(value)
            dates += bool(DATE.search(value)) or bool(TIME.search(value))
            names_us += any(name in value for name in self.people.ours)
            subjects += len(value) > 12 and self.is_subject(value)
            last = at
            at += 1
        # People head what they type with labels as well: name, game, date.
        on_top = not (subjects or separated or any(self.folded[:begin]))
        if on_top and not any("@" in text for text in self.folded[begin : last + 1]):
            return 0
        if labels >= 3 and addresses and (subjects or (dates and (names_us or separated))):
            return last + 1 - index
        if labels >= 2 and addresses and subjects and (dates or separated):
            return last + 1 - index
        if dashes and known and not depth and not self.attribution(begin, 0):
            return begin - index  # "-----Original Message-----", and nothing else says whose it was
        return 0

    def labelled(self, text: str, separated: bool) -> str | None:
        """The value behind a label, or None."""
        match = LABEL.match(text)
        if match and len(match[1].split()) <= 4:
            return match[2]
        if separated:
            match = BARE_LABEL.match(text)
            if match and not orders_of(text, self.reading):
                return match[2]
        return None

    def has_all_of_a_header(self, text: str) -> bool:
        """A header block that a client put on one line."""
        return (
            len(text) < 700
            and text.count(":") >= 4
            and bool(self.address_in(text))
            and bool(DATE.search(text))
            and self.is_subject(text)
        )

    def opens_level(self, index: int, stop: int, depth: int, extra: list[int]) -> str:
        """What an announcement does: it introduces marked lines, or unmarked ones, or the message it stands in."""
        following = stop
        while following < len(self.lines) and not self.folded[following]:
            following += 1
        if depth > 0 and not extra[depth] and self.is_first_at(index, depth):
            return "intro"
        if following >= len(self.lines):
            return "unmarked"
        next_depth = self.lines[following].depth
        if next_depth > depth:
            return "marked"
        if next_depth < depth:
            return "marked"
        if depth == 0 and self.marks_follow(following, up_to_the_next=self.is_sure(index, stop)):
            return "marked"
        return "unmarked"

    def is_first_at(self, index: int, depth: int) -> bool:
        """Whether nothing at this depth stands above, and nothing shallower announced it."""
        for above in range(index - 1, -1, -1):
            if not self.folded[above]:
                continue
            if self.lines[above].depth >= depth:
                return False
            return not self.result.announces[above] or above in self.bare
        return True

    def is_sure(self, index: int, stop: int) -> bool:
        """Whether an announcement can be nothing else: a header block, or the player's own name or address."""
        return self.header_block(index) > 0 or self.is_players(index, stop)

    def marks_follow(self, start: int, *, up_to_the_next: bool) -> bool:
        """Whether what follows an attribution is marked after all, with typed lines put between.

        Marks below another attribution belong to that one: an earlier mail stands unmarked above what it quoted.
        """
        marked = unmarked = 0
        for index in range(start, len(self.lines)):
            near = up_to_the_next and index < start + NEAR and not self.lines[index].depth
            if near and self.announcement(index, 0):
                return False
            if self.like_ours(index):
                marked += self.lines[index].depth > 0
                unmarked += self.lines[index].depth == 0
                if marked + unmarked >= 5:
                    break
        return marked > unmarked

    def followed_by_quote(self, last: int, nested: int) -> bool:
        """Whether marks begin below a line, or unmarked lines that are ours."""
        depth = self.lines[last].depth
        for index in range(last + 1, min(last + 4, len(self.lines))):
            if self.folded[index]:
                return self.lines[index].depth > depth or (nested == 0 and self.like_ours(index))
        return False

    # -- whose is it ---------------------------------------------------------------------------------------

    def address_in(self, text: str) -> str:
        match = ADDRESS.search(text)
        return match[0] if match else ""

    def names_someone(self, text: str) -> bool:
        """Whether our address or name, or the player's, is in the text."""
        return any(name in text for name in self.people.ours) or any(
            name in text for name in self.people.player
        )

    def is_players(self, index: int, stop: int) -> bool:
        """Whether an announcement names the player first, and so means an earlier mail of the player."""
        text = " ".join(self.folded[index:stop])
        ours = [text.find(name) for name in self.people.ours]
        player = [text.find(name) for name in self.people.player]
        first_ours = min((at for at in ours if at >= 0), default=len(text))
        first_player = min((at for at in player if at >= 0), default=len(text))
        return first_player < first_ours

    def is_subject(self, text: str) -> bool:
        return any(token in text for token in self.people.tokens) or bool(
            self.people.subject and self.people.subject in text
        )

    # -- our report ----------------------------------------------------------------------------------------

    def like_ours(self, index: int) -> bool:
        """Whether a line can hardly be anything but a line of our report."""
        seen = self.ours_seen.get(index)
        if seen is None:
            seen = self.ours_seen[index] = self.is_like_ours(index)
        return seen

    def is_like_ours(self, index: int) -> bool:
        line = self.lines[index].text
        text = self.folded[index]
        if not text:
            return False
        stripped = line.strip(" *_#")
        if stripped in phrases.HEADINGS or OPENING.search(text) or self.holds_a_heading(index):
            return True
        if marker(self.reading.begin_marker).search(text) or marker(self.reading.end_marker).search(text):
            return True
        if any(token in text for token in self.people.tokens):
            return len(text) > 20
        if GAME_CODE.search(stripped) and len(text) > 20:
            return True
        if MAP_ROW.match(line) or CARD_ROW.match(line) or DRAWN.match(line):
            return not orders_of(line, self.reading)
        return any(domain in text for domain in self.people.own_domains)

    def only_names_the_game(self, index: int) -> bool:
        """Whether a line is like ours for the game or the token in it alone, which people write as well."""
        line, text = self.lines[index].text, self.folded[index]
        bare = GAME_CODE.search(line) or any(token in text for token in self.people.tokens)
        return bool(bare) and not line.isupper() and line.strip(" *_#") not in phrases.HEADINGS

    def holds_a_heading(self, index: int) -> bool:
        """Whether a line has one of our headings among words that are not in capitals."""
        line = self.lines[index].text
        return not line.isupper() and HEADING_INSIDE.search(line) is not None

    def find_unannounced(self) -> None:
        """Our report without marks, attribution or header: it begins where several of its lines come together."""
        levels = self.result.levels
        ours = [i for i in range(len(self.lines)) if levels[i] == 0 and self.like_ours(i)]
        for position, index in enumerate(ours[:-2]):
            together = ours[position + 2] - index <= 25 and not all(
                self.only_names_the_game(at) for at in ours[position : position + 3]
            )
            if together or self.holds_a_heading(index):
                for below in range(index, len(self.lines)):
                    levels[below] += self.lines[below].depth == 0
                return

    def find_broken_halves(self) -> None:
        """Quoted lines that a program broke anew: the second half of each carries no mark."""
        # A line without blanks cannot be broken and so says nothing about how wide lines may be.
        lengths = [len(line.text) + 2 for line in self.lines if line.depth and " " in line.text.strip()]
        widest = max((length for length in lengths if length < 100), default=0)
        if widest < 38:  # no program breaks lines as short as that
            return
        levels = self.result.levels
        broken: list[int] = []
        for index in range(1, len(self.lines)):
            line, above = self.lines[index], self.lines[index - 1]
            if levels[index] or not self.folded[index] or not self.folded[index - 1]:
                continue
            if not levels[index - 1] or self.result.announces[index - 1]:
                continue
            word = line.text.split(maxsplit=1)[0]
            room = len(above.text) + (2 if above.depth else 0) + 1 + len(word)
            below = self.lines[index + 1] if index + 1 < len(self.lines) else None
            goes_on = below is None or below.depth > 0 or len(line.text) + 12 > widest
            sent = self.was_sent(self.folded[index - 1] + " " + self.folded[index])
            if sent or (room >= widest and goes_on):
                levels[index] = levels[index - 1]
                if not sent:
                    broken.append(index)
        # Orders and nothing else were typed under long lines. One line alone may be an answer typed under the
        # longest; two under the longest lines are not.
        if broken and all(orders_of(self.lines[index].text, self.reading) for index in broken):
            for index in broken:
                levels[index] = 0
            return
        if len(broken) == 1:
            line, above = self.lines[broken[0]], self.lines[broken[0] - 1]
            ended = above.text.rstrip()[-1] in ".!?:"
            if ended or line.text.startswith(" "):
                levels[broken[0]] = 0

    def was_sent(self, text: str) -> bool:
        """Whether these words, of which there are some, stand together in the report as it was sent."""
        words = _words(text)
        return len(words) > 12 and words in self.sent

    def find_sent(self) -> None:
        """Lines of the report as it was sent, wherever they stand unmarked: as they follow one another there.

        Orders are in the words that the report offers, and stand right above it: they count as ours only where
        they go on from a line that is no order.
        """
        if not self.sent:
            return
        levels = self.result.levels
        run: list[int] = []
        so_far = ""
        long_lines = 0
        for index in range(len(self.lines) + 1):
            text = ""
            if index < len(self.lines) and levels[index] == 0:
                text = _words(self.folded[index])
                if not text.strip() and run:
                    continue
            if run and not (text.strip() and so_far.rstrip() + text in self.sent):
                if long_lines >= 2 or (long_lines and len(run) == 1):
                    for at in run:
                        levels[at] = 1
                run, long_lines = [], 0
            if text.strip() and text in self.sent and (run or not self.offers(index)):
                run.append(index)
                so_far = text
                long_lines += len(text.split()) >= 5 and not self.offers(index)

    def offers(self, index: int) -> bool:
        """Whether a line is one or several orders, and not a sentence that begins like one."""
        text = self.lines[index].text
        short = all(len(piece.split()) < 10 for piece in re.split("[;,]", text))
        return short and bool(orders_of(text, self.reading))


def _words(text: str) -> str:
    """Only the words, each between single blanks."""
    return f" {' '.join(WORD.findall(text))} "


def _both_ways_round(name: str) -> tuple[str, ...]:
    """`Priya Raman` and `Raman, Priya`: address books have either."""
    last, comma, first = name.partition(", ")
    if comma:
        return name, f"{first} {last}"
    first, blank, last = name.rpartition(" ")
    return (name, f"{last}, {first}") if blank and "@" not in name else (name,)


def people_of(
    own_addresses: tuple[str, ...], own_names: list[str], player: list[str], tokens: list[str], subject: str
) -> People:
    """Fold what the mail's headers say about who is who."""
    ours = {without_tag(address).casefold() for address in own_addresses}
    # In text our address comes with the token in the middle: orders+TOKEN@play.example.org.
    tagged = {address.partition("@")[0] + "+" for address in ours}
    names = {squeezed(name).casefold() for name in own_names}
    plain = re.sub(r"\[[^\]]*\]", " ", subject)
    plain = squeezed(re.sub(r"^(?:\s*[^\W\d_]{1,5}\s*(?:\[\d+\])?\s*[:：])+", "", plain)).casefold()
    return People(
        ours=frozenset(name for name in ours | tagged | names if len(name) > 2),
        own_domains=frozenset(address.rpartition("@")[2] for address in ours),
        player=frozenset(
            form for name in player if len(name) > 2 for form in _both_ways_round(squeezed(name).casefold())
        ),
        tokens=frozenset(token.casefold() for token in tokens),
        subject=plain if len(plain) > 8 else "",
    )
