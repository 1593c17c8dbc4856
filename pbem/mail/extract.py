"""What the player typed, and only that: orders and chat, without quotes, signatures, banners and small print."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pbem.mail import phrases
from pbem.mail.lines import Line, squeezed
from pbem.mail.orders import LINK, bare, orders_of, stands_alone
from pbem.mail.quotes import RULE, People, Quoted, marker, read_quotes, split_markers
from pbem.mail.values import Reading, TypedLine

#: `-- ` and what autocorrection and PGP make of it.
SIGNATURE = re.compile(r"\s?(?:- )?(?:--|—|–|- -)\s*")
ARMOUR = re.compile(r"\s*-{5}(BEGIN|END) PGP ([A-Z ]+)-{5}\s*")
#: `==== BEFEHLE ANFANG ====`: a marker line that was translated.
LIKE_A_MARKER = re.compile(r"\s*(={3,}|-{3,}|\*{3,}|#{3,})\s*[^\W\d_].{2,60}?\s*\1\s*")
#: `EXTERNAL EMAIL`: a gateway's heading.
EXTERNAL_HEADING = re.compile(
    r"\W*(?:external|externe?r?|externo|esterno|outside)[ -]+(?:e-?mail|mail|message|sender|source)\W*",
    re.IGNORECASE,
)
#: `Sent from my ...`: what devices say of themselves.
OWN_THING = re.compile(r"\bmy\b|\bmein|\bmon\b|\bmi\b|\bmijn\b|\bmin\b|\bmoje|\bмоего\b|我的", re.IGNORECASE)
#: At least five words and a full stop: `Use the button below if in doubt.`
SENTENCE = re.compile(r"\s*(?:\S+\s+){4,}\S+\.\s*")
EXTERNAL_TAG = re.compile(
    r"\s*[\[(<*]{1,3}\s*(?:ext|external|extern|externe|externo|esterno|outside)\b[^\])>]{0,200}[\])>*]*",
    re.IGNORECASE,
)


#: Typed lines that are no orders, of one mail.
MOST_REMARKS = 200
#: Paragraphs that are looked at for what they are; nobody types more.
MOST_PARAGRAPHS = 400
#: Lines that are looked at below a rule or a footer.
MOST_BELOW = 200


@dataclass(frozen=True, slots=True)
class Typed:
    """What one reading of a mail's text found."""

    orders: tuple[str, ...]
    chat: tuple[str, ...]
    #: Whether anything of ours is quoted in it.
    quotes_us: bool
    #: All of it in the order written.
    lines: tuple[TypedLine, ...] = ()


def extract(lines: list[Line], people: People, reading: Reading) -> Typed:
    """Read what was typed in these lines."""
    lines = split_markers(without_armour(lines), reading)
    if marks := marks_of_all(lines, people, reading):
        lines = [Line(line.text, max(0, line.depth - marks), line.signature) for line in lines]
    quoted = read_quotes(lines, people, reading)
    kept = typed_lines(quoted, reading)
    orders: list[str] = []
    chat: list[str] = []
    typed: list[TypedLine] = []
    for index in kept:
        text = lines[index].text
        found = orders_of(text[: reading.limits.max_line], reading)
        if found:
            orders += found
            typed += [TypedLine(order, True) for order in found]
        elif any(character.isalnum() for character in text):
            remark = squeezed(text)[: reading.limits.max_line]
            if quoted.levels[index] == 0:
                chat.append(remark)
            if len(typed) - len(orders) < MOST_REMARKS:
                typed.append(TypedLine(remark, False))
        if len(orders) >= reading.limits.max_orders:
            break
    return Typed(
        tuple(orders[: reading.limits.max_orders]),
        tuple(chat[:MOST_REMARKS]),
        quoted.has_ours,
        tuple(typed[: reading.limits.max_orders + MOST_REMARKS]),
    )


def typed_lines(quoted: Quoted, reading: Reading) -> list[int]:
    """The numbers of the lines that count, in document order."""
    lines, levels = quoted.lines, quoted.levels
    kept: set[int] = set(section_lines(quoted, reading))
    index = orders = 0
    while index < len(lines):
        if levels[index]:
            index += 1
            continue
        stop = index
        while stop < len(lines) and levels[stop] == 0:
            stop += 1
        run, orders = _without_footers(lines, index, stop, orders, reading)
        kept.update(run)
        index = stop
    begin, end = marker(reading.begin_marker), marker(reading.end_marker)
    return [i for i in sorted(kept) if not begin.search(lines[i].text) and not end.search(lines[i].text)]


def section_lines(quoted: Quoted, reading: Reading) -> list[int]:
    """Lines between the marker lines of the message itself or of the first message it quotes."""
    lines, levels = quoted.lines, quoted.levels
    found: list[int] = []
    begins = _markers(quoted, marker(reading.begin_marker))
    if not begins:
        return _translated_section(quoted, reading)
    seen: set[int] = set()
    for begin in begins:
        level = levels[begin]
        if level > 1 or level in seen or (level == 1 and quoted.first_is_players):
            continue
        seen.add(level)
        inside: list[int] = []
        for index in range(begin + 1, len(lines)):
            text = lines[index].text
            if marker(reading.end_marker).search(text):
                found += inside
                break
            if levels[index] > max(level, 1) or quoted.announces[index]:
                break
            if inside and not text.strip() and len(inside) > 60:
                break
            inside.append(index)
        else:  # the end marker was deleted: what reads like orders right below the first
            inside = inside[
                : next((n for n, at in enumerate(inside) if _is_chat(lines[at].text, reading)), len(inside))
            ]
            found += inside
    return [index for index in found if lines[index].text.strip()]


def _markers(quoted: Quoted, pattern: re.Pattern[str]) -> list[int]:
    return [i for i, line in enumerate(quoted.lines) if "=" in line.text and pattern.search(line.text)] or [
        i for i, line in enumerate(quoted.lines) if pattern.search(line.text)
    ]


def _translated_section(quoted: Quoted, reading: Reading) -> list[int]:
    """The same where a program translated the marker lines: two of their shape, with only orders between."""
    lines, levels = quoted.lines, quoted.levels
    if quoted.first_is_players:
        return []
    shaped = [i for i, line in enumerate(lines) if levels[i] == 1 and LIKE_A_MARKER.fullmatch(line.text)]
    if len(shaped) != 2 or shaped[1] - shaped[0] > 60:
        return []
    inside = [i for i in range(shaped[0] + 1, shaped[1]) if lines[i].text.strip()]
    return inside if inside and all(orders_of(lines[i].text, reading) for i in inside) else []


def _is_chat(text: str, reading: Reading) -> bool:
    return bool(text.strip()) and not orders_of(text, reading)


def marks_of_all(lines: list[Line], people: People, reading: Reading) -> int:
    """How many marks begin every line when nothing of ours is quoted: then they are list marks."""
    least = 0
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        if not line.text.strip() or line.signature:
            continue
        if line.depth:
            least = min(least or line.depth, line.depth)
        elif SIGNATURE.fullmatch(line.text):
            break
        elif not (RULE.fullmatch(line.text) or is_sent_from(line.text)):
            paragraph = [line.text]  # a gateway and a list write no marks
            while index < len(lines) and lines[index].text.strip() and not lines[index].depth:
                paragraph.append(lines[index].text)
                index += 1
            if not _is_notice(paragraph, reading):
                return 0
    if not least:
        return 0
    lowered = [Line(line.text, max(0, line.depth - least)) for line in lines]
    quoted = read_quotes(lowered, people, reading)
    return 0 if quoted.has_ours or any(quoted.announces) else least


def without_armour(lines: list[Line]) -> list[Line]:
    """Clear-signed text without its PGP lines, keys and signatures."""
    if not any("-----BEGIN PGP" in line.text for line in lines):
        return lines
    out: list[Line] = []
    state = ""
    signed = False
    for line in lines:
        match = ARMOUR.fullmatch(line.text)
        if match:
            begins = match[1] == "BEGIN"
            if begins and match[2] == "SIGNED MESSAGE":
                state, signed = "headers", True
            else:
                state = "armour" if begins else ""
            out.append(Line("", line.depth))
            continue
        if state == "headers":
            if not line.text.strip():
                state = ""
            continue
        if state == "armour":
            continue
        if signed and line.text.startswith("- "):  # RFC 4880: dash-escaped
            line.text = line.text[2:]
        out.append(line)
    return out


def is_sent_from(text: str, *, like_an_order: bool = False) -> bool:
    """`Sent from my iPhone`, in any language or at least about a device or product we know.

    A line that also reads like an order (`Get Outlook for Android`) must name a product.
    """
    text = squeezed(text).strip(" *_-–—.|·•[]()<>").casefold()
    if not text or len(text) > 140:
        return False
    short = len(text.split()) <= 9 and not like_an_order
    return bool(phrases.SENT_FROM.match(text) and (phrases.PRODUCTS.search(text) or short))


def names_a_product(text: str) -> bool:
    """Whether a line that says where it was sent from names a device or program, or a thing of one's own."""
    return bool(phrases.PRODUCTS.search(text) or OWN_THING.search(text))


def _without_footers(
    lines: list[Line], start: int, stop: int, orders: int, reading: Reading
) -> tuple[list[int], int]:
    """The typed lines of a run that nobody quoted: no signature, banner, small print, advert or list footer.

    `orders` is how many orders were found above; returned with those of the run.
    """
    kept: list[int] = []
    paragraphs = 0
    paragraph: list[int] = []
    ended = below_notice = False
    index = start
    while index < stop:
        line = lines[index]
        text = line.text
        if not text.strip():
            paragraph = []
            index += 1
            continue
        if line.signature:
            index += 1
            continue
        found = orders_of(text[: reading.limits.max_line], reading)
        if SIGNATURE.fullmatch(text):
            break
        if (
            is_sent_from(text, like_an_order=bool(found))
            and _is_alone(lines, index, start, stop)
            and (orders or names_a_product(text) or not _goes_on(lines, index + 1, stop, reading))
        ):
            break
        if RULE.fullmatch(text):
            if orders and not _goes_on(lines, index + 1, stop, reading, after_the_end=ended):
                break
            if not orders:
                kept = [at for at in kept if not _is_notice([lines[at].text], reading)]
            paragraph = []
            index += 1
            continue
        if not paragraph:
            paragraph = _paragraph(lines, index, stop)
            paragraphs += 1
            was_notice = below_notice
            below_notice = False
            if paragraphs < MOST_PARAGRAPHS and _is_notice(
                [lines[at].text for at in paragraph], reading, goes_on=was_notice
            ):
                below_notice = True
                after_orders = orders > 0
                inside = (
                    []
                    if after_orders
                    else _orders_below_notice([lines[at].text for at in paragraph], reading)
                )
                kept += [paragraph[at] for at in inside]
                orders += len(inside)
                index = paragraph[-1] + 1
                small_print = _hits(" ".join(lines[at].text for at in paragraph)) > 2
                if after_orders and small_print and (ended or not _goes_on(lines, index, stop, reading)):
                    break
                paragraph = []
                continue
        if EXTERNAL_TAG.match(text) and not found:
            index += 1
            continue
        kept.append(index)
        orders += len(found)
        ended = stands_alone(found[-1], reading) if found else ended
        index += 1
    return kept, orders


def _paragraph(lines: list[Line], index: int, stop: int) -> list[int]:
    """The lines from here to the next blank one or rule."""
    end = index
    while (
        end < stop
        and lines[end].text.strip()
        and not lines[end].signature
        and not RULE.fullmatch(lines[end].text)
    ):
        end += 1
    return list(range(index, max(end, index + 1)))


@lru_cache(maxsize=256)
def _hits(text: str) -> int:
    """How many roots of warnings, small print or footers stand in a text."""
    text = text[:3_000]
    return sum(
        len(set(map(str.casefold, pattern.findall(text))))
        for pattern in (phrases.WARNING, phrases.SMALL_PRINT, phrases.FOOTER)
    )


def _is_notice(texts: list[str], reading: Reading, *, goes_on: bool = False) -> bool:
    """Whether a paragraph is a gateway's warning, a company's small print or a list's footer.

    Right below such a paragraph (`goes_on`), one that reads like an order but speaks of the same goes on with it.
    """
    text = " ".join(one[:600] for one in texts[:40])[:3_000]
    if goes_on and all(orders_of(one, reading) and _hits(one) for one in texts):
        return True
    if len(texts) == 1 and EXTERNAL_HEADING.fullmatch(text):
        return True
    if len(text) < 24 and not EXTERNAL_TAG.match(text):
        return False
    headed = len(texts) > 1 and EXTERNAL_HEADING.fullmatch(texts[0]) is not None
    found = [
        one for one in texts if orders_of(one, reading) and not (_hits(one) and (headed or len(one) >= 24))
    ]
    if len(found) * 2 >= len(texts) > 0 and not (
        len(found) == 1 < len(texts) and SENTENCE.fullmatch(found[0])
    ):
        return False
    hits = _hits(text)
    return (
        hits >= 3
        or headed
        or (hits >= 2 and (len(text) > 60 or bool(LINK.search(text))))
        or bool(EXTERNAL_TAG.match(text))
    )


def _orders_below_notice(texts: list[str], reading: Reading) -> list[int]:
    """Which lines of a notice's paragraph are orders typed right below it, and not its last sentence."""
    found = [at for at, text in enumerate(texts) if orders_of(text, reading) and not _hits(text)]
    return [] if len(found) == 1 and SENTENCE.fullmatch(texts[found[0]]) else found


def _is_alone(lines: list[Line], index: int, start: int, stop: int) -> bool:
    """Whether a line is a paragraph of its own, or the last of the run."""
    above = index == start or not lines[index - 1].text.strip() or lines[index - 1].signature
    below = index + 1 >= stop or not lines[index + 1].text.strip() or lines[index + 1].signature
    return above or below


def _goes_on(
    lines: list[Line], index: int, stop: int, reading: Reading, *, after_the_end: bool = False
) -> bool:
    """Whether what stands below a rule is typed as well: nothing but orders, and more than one advert's worth."""
    texts = []
    for line in lines[index : min(stop, index + MOST_BELOW)]:
        if SIGNATURE.fullmatch(line.text) or RULE.fullmatch(line.text):
            break
        if line.text.strip():
            texts.append(line.text)
    found = [orders_of(text, reading) for text in texts]
    count = sum(map(bool, found))
    if not count or count * 2 <= len(texts):
        return False
    if any(_hits(text) or LINK.search(text) for text in texts):
        return False
    alone = [stands_alone(bare(text), reading) for text in texts]
    if any(text.rstrip().endswith("!") and not ends for text, ends in zip(texts, alone, strict=True)):
        return False
    return any(alone) or (count > 1 and not after_the_end)
