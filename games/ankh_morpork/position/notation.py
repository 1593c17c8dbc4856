"""The one-line notation of a position: read and write.

    red* $8 | Dimwell R2 ! | The Hippo B[B] | blue holds gaspode

Segments are separated by ` | `, in any order; what is not said is empty or the default. Case does not matter.
Cards, events, personalities: id, name or alias, lists separated by commas. Areas: name or slug.

    3 players              number of seats; else the highest colour named decides (red green blue yellow), at least 2
    turn 9                 number of the turn; default 1
    red* $8                a seat: `*` marks the actor (default: red), then in any order
        $8                     money (default 0)
        is lord-rust           personality (default none: then nothing is checked at the start of the turn)
        holds a, b             hand; a number stands for that many other cards, no interrupts: `holds groat, 4`
        loans a, b             loan cards in front
        stuck a, b             stuck cards in front
        sees a, b              unused personalities seen with Mrs Cake
                               a seat may have several segments: `blue $3 | blue holds gaspode, susan`
    Dimwell R2 T D [B] ! gone
                           an area: pieces R G B Y, T troll, D demon, each with an optional count; `[B]` a building;
                           `!` a trouble marker; `gone`: its City Area card has left the game. `B[B]` may be glued
    draw a, b, 5           draw pile, top first; a number stands for that many cards not named anywhere (green first,
                           by id); default: all cards not named anywhere, green first, by id
    discards a, b, 3       discard pile, newest first; numbers as above, but brown cards first, by id
    unused a, b            unused personalities (default: all that no seat has)
    events a, b            event deck, next first (default: all twelve in the order of the data file)
    happened a, b          events that have happened, oldest first (default: none, or those missing from `events`)

A position is the state at the start of a turn, before the win check. These parts are written only in the middle of
one, in the digest and in errors:

    spot groat             the card in the play spot
    closed The Hippo       areas whose power was used, or whose card was gained, this turn
    over pile              the match is over, and why
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from games.ankh_morpork.data.cards import AREA, AREAS, CARDS, EVENTS, NAMES, PERSONALITIES, plain
from games.ankh_morpork.position.board import Position
from games.ankh_morpork.position.options import BITS, COLOURS, mask_of
from pbem.protocol import Seat

_LETTERS = "RGBYTD"
_PIECES = re.compile(r"\[([RGBY])\]|([RGBYTD])(?!one)(\d*)|(!)|\b(gone)\b|\s+", re.IGNORECASE)
_SEAT_PARTS = re.compile(r"(?:^|\s)(is|holds|loans|stuck|sees)\s", re.IGNORECASE)
_LISTS = ("draw", "discards", "unused", "events", "happened", "spot", "closed", "over")


def write(position: Position) -> str:
    """The position in one line, complete: reading it gives the same position."""
    segments = [f"{position.seats} players"]
    if position.turn != 1:
        segments.append(f"turn {position.turn}")
    segments += [_write_seat(position, seat) for seat in range(position.seats)]
    segments += [_write_area(position, area) for area in range(len(AREAS))]
    segments.append(_write_list("draw", CARDS, position.draw[::-1]))
    if position.discards:
        segments.append(_write_list("discards", CARDS, position.discards[::-1]))
    if position.unused != _without_a_seat(position):
        segments.append(_write_list("unused", PERSONALITIES, position.unused))
    segments.append(_write_list("events", EVENTS, position.events[::-1]))
    segments.append(_write_list("happened", EVENTS, position.happened))
    if position.in_play >= 0:
        segments.append(f"spot {CARDS[position.in_play].id}")
    if position.closed:
        segments.append("closed " + ",".join(AREA[area] for area in BITS[position.closed]))
    if position.over:
        segments.append(f"over {position.over}")
    return " | ".join(segment for segment in segments if segment)


def _write_list(word: str, entries: Sequence[Any], numbers: Sequence[int]) -> str:
    return f"{word} {','.join(entries[number].id for number in numbers)}".rstrip()


def _write_seat(position: Position, seat: int) -> str:
    parts = [COLOURS[seat].lower() + "*" * (position.actor == seat)]
    if position.money[seat]:
        parts.append(f"${position.money[seat]}")
    if position.personality[seat] >= 0:
        parts.append(f"is {PERSONALITIES[position.personality[seat]].id}")
    for word, lists in (("holds", position.hands), ("loans", position.loans), ("stuck", position.penalties)):
        if lists[seat]:
            parts.append(_write_list(word, CARDS, lists[seat]))
    if position.seen[seat]:
        parts.append(_write_list("sees", PERSONALITIES, position.seen[seat]))
    return " ".join(parts)


def _write_area(position: Position, area: int) -> str:
    parts = []
    for owner, letter in enumerate(_LETTERS):
        count = position.pieces[owner][area]
        if count:
            parts.append(letter + (str(count) if count > 1 else ""))
    if position.owner_of[area] >= 0:
        parts.append(f"[{_LETTERS[position.owner_of[area]]}]")
    if position.trouble >> area & 1:
        parts.append("!")
    if position.gone >> area & 1:
        parts.append("gone")
    return f"{AREA[area]} {' '.join(parts)}" if parts else ""


def read(text: str) -> Position:
    """The position that a line describes.

    Raises ValueError for what is not in the notation.
    """
    segments = [segment.strip() for segment in text.split("|") if segment.strip()]
    position = Position(_count_seats(segments))
    rest: dict[str, str] = {}
    for segment in segments:
        first, _, more = segment.partition(" ")
        word = first.casefold()
        if word.rstrip("*") in (colour.casefold() for colour in COLOURS):
            _read_seat(position, word, more, rest)
        elif word in _LISTS:
            rest[word] = more
        elif word == "turn":
            position.turn = int(more)
        elif not re.fullmatch(r"\d players", segment):
            _read_area(position, segment)
    _fill(position, rest)
    return position


def _count_seats(segments: Sequence[str]) -> int:
    named = 1
    for segment in segments:
        if re.fullmatch(r"\d players", segment):
            return int(segment[0])
        first = segment.split()[0].rstrip("*").capitalize()
        if first in COLOURS:
            named = max(named, COLOURS.index(first))
        elif first.casefold() not in (*_LISTS, "turn"):
            owners = [_LETTERS.index(letter.upper()) for letter in _owners_in(segment)]
            named = max([named, *(owner for owner in owners if owner < len(COLOURS))])
    return named + 1


def _area_of(segment: str) -> tuple[int, str]:
    """The area a segment begins with, and what follows its name."""
    words = segment.split()
    named = next((place for place, word in enumerate(words) if not word[0].isalpha()), len(words))
    for length in range(min(3, named), 0, -1):
        area = NAMES["area"].get(plain(" ".join(words[:length])))
        if area is not None:
            return area, " ".join(words[length:])
    raise ValueError(f"no area, seat or list: {segment!r}")


def _owners_in(segment: str) -> list[str]:
    return [match[1] or match[2] for match in _PIECES.finditer(_area_of(segment)[1]) if match[1] or match[2]]


def _read_area(position: Position, segment: str) -> None:
    area, rest = _area_of(segment)
    place = 0
    for match in _PIECES.finditer(rest):
        if match.start() != place:
            break
        place = match.end()
        building, piece, count, marker, gone = match.groups()
        if building:
            position.raise_building(_LETTERS.index(building.upper()), area)
        elif piece:
            for _ in range(int(count or 1)):
                position.put_quietly(_LETTERS.index(piece.upper()), area)
        elif marker:
            position.trouble |= 1 << area
        elif gone:
            position.gone |= 1 << area
    if place != len(rest):
        raise ValueError(f"not a piece, building, ! or gone: {rest[place:]!r} in {segment!r}")


def _read_seat(position: Position, word: str, more: str, rest: dict[str, str]) -> None:
    seat = COLOURS.index(word.rstrip("*").capitalize())
    if word.endswith("*"):
        position.actor = Seat(seat)
    money, *parts = _SEAT_PARTS.split(more)
    if money.strip():
        position.money[seat] = int(money.strip().removeprefix("$"))
    for keyword, names in zip(parts[::2], parts[1::2], strict=True):
        kind = keyword.casefold()
        names, dollar, amount = names.partition("$")
        if dollar:
            position.money[seat] = int(amount)
        if kind == "is":
            (position.personality[seat],), _ = _numbers(names, "personality")
        elif kind == "sees":
            position.seen[seat] = tuple(_numbers(names, "personality")[0])
        elif kind == "holds":
            rest[f"holds {seat}"] = ",".join(filter(None, (rest.get(f"holds {seat}"), names)))
        else:
            cards = position.loans if kind == "loans" else position.penalties
            cards[seat] += tuple(_numbers(names, "card")[0])


def _numbers(names: str, kind: str) -> tuple[list[int], int]:
    """The numbers of the cards or whatever a list names, and how many more a number in it stands for."""
    known = NAMES[kind]
    numbers: list[int] = []
    more = 0
    for name in names.split(","):
        if not name.strip():
            continue
        if name.strip().isdigit():
            more += int(name)
        elif plain(name) in known:
            numbers.append(known[plain(name)])
        else:
            for word in name.split():
                if plain(word) not in known:
                    raise ValueError(f"unknown name {name.strip()!r}")
                numbers.append(known[plain(word)])
    return numbers, more


def _fill(position: Position, rest: Mapping[str, str]) -> None:
    """Read the piles and hands, and give the cards that are not named their default places."""
    draw, more_draw = _numbers(rest.get("draw", ""), "card")
    discards, more_discards = _numbers(rest.get("discards", ""), "card")
    more_in_hand = []
    for seat in range(position.seats):
        hand, more = _numbers(rest.get(f"holds {seat}", ""), "card")
        position.hands[seat] = hand
        more_in_hand.append(more)
    if rest.get("spot"):
        (position.in_play,), _ = _numbers(rest["spot"], "card")
    placed = {*draw, *discards, position.in_play}
    for cards in (*position.hands, *position.loans, *position.penalties):
        placed.update(cards)
    free = [
        card.index
        for deck in ("green", "brown")
        for card in CARDS
        if card.deck == deck and card.index not in placed and (card.two_players or position.seats > 2)
    ]
    for seat, more in enumerate(more_in_hand):
        plain_cards = [card for card in reversed(free) if not CARDS[card].interrupt][:more]
        position.hands[seat] = sorted(position.hands[seat] + plain_cards)
        free = [card for card in free if card not in plain_cards]
    old = free[len(free) - more_discards :]
    free = free[: len(free) - more_discards]
    position.discards = (discards + old)[::-1]
    position.draw = (draw + (free[:more_draw] if "draw" in rest else free))[::-1]
    _fill_people_and_events(position, rest)
    position.closed = mask_of([_area_of(name)[0] for name in rest.get("closed", "").split(",") if name.strip()])
    position.over = rest.get("over")


def _without_a_seat(position: Position) -> list[int]:
    """The personalities in the game that no seat has."""
    return [
        person.index
        for person in PERSONALITIES
        if person.min_players <= position.seats and person.index not in position.personality
    ]


def _fill_people_and_events(position: Position, rest: Mapping[str, str]) -> None:
    people = _without_a_seat(position)
    position.unused = sorted(_numbers(rest["unused"], "personality")[0] if "unused" in rest else people)
    everything = [event.index for event in EVENTS]
    happened = _numbers(rest.get("happened", ""), "event")[0]
    if "events" in rest:
        left = _numbers(rest["events"], "event")[0]
        if "happened" not in rest:
            happened = [event for event in everything if event not in left]
    else:
        left = [event for event in everything if event not in happened]
    position.events = left[::-1]
    position.happened = happened
