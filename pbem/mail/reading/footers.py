"""What mail programs, gateways, companies and lists put round what was typed, told by place, shape and words."""

from __future__ import annotations

import re
from functools import lru_cache

from pbem.mail.reading import phrases
from pbem.mail.reading.lines import Line, squeezed
from pbem.mail.reading.orders import LINK, bare, orders_of, stands_alone
from pbem.mail.reading.quotes import RULE
from pbem.mail.reading.values import Reading

#: `-- ` and what autocorrection and PGP make of it.
SIGNATURE = re.compile(r"\s?(?:- )?(?:--|—|–|- -)\s*")
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
#: Paragraphs that are looked at for what they are; nobody types more.
MOST_PARAGRAPHS = 400
#: Lines that are looked at below a rule or a footer.
MOST_BELOW = 200


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


def without_footers(
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
                kept = [at for at in kept if not is_notice([lines[at].text], reading)]
            paragraph = []
            index += 1
            continue
        if not paragraph:
            paragraph = _paragraph(lines, index, stop)
            paragraphs += 1
            was_notice = below_notice
            below_notice = False
            if paragraphs < MOST_PARAGRAPHS and is_notice(
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


def is_notice(texts: list[str], reading: Reading, *, goes_on: bool = False) -> bool:
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
