"""What the player typed, and only that: orders and chat, without quotes, signatures, banners and small print."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.mail.reading.footers import SIGNATURE, is_notice, is_sent_from, without_footers
from pbem.mail.reading.lines import Line, squeezed
from pbem.mail.reading.orders import orders_of
from pbem.mail.reading.quotes import RULE, People, Quoted, marker, read_quotes, split_markers
from pbem.mail.reading.values import Reading, TypedLine

ARMOUR = re.compile(r"\s*-{5}(BEGIN|END) PGP ([A-Z ]+)-{5}\s*")
#: `==== BEFEHLE ANFANG ====`: a marker line that was translated.
LIKE_A_MARKER = re.compile(r"\s*(={3,}|-{3,}|\*{3,}|#{3,})\s*[^\W\d_].{2,60}?\s*\1\s*")
#: Typed lines that are no orders, of one mail.
MOST_REMARKS = 200


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
        run, orders = without_footers(lines, index, stop, orders, reading)
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
            if not is_notice(paragraph, reading):
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
