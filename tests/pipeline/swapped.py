"""Two games that are equal in all that some seats may know, played side by side by the same mails.

What is not theirs is dealt anew in the second game: the hands and personalities of the others (the victims), the draw
pile, the events and the dice to come. All that the readers get must be equal, until something is shown to them by
the rules; in `standing` and `sealed` mode also when every mail to anybody goes out, and to whom.
"""

from __future__ import annotations

import email
import quopri
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from functools import cached_property
from random import Random
from typing import Any, Literal

from games.ankh_morpork import GAME
from games.ankh_morpork.data.cards import CARD, CARDS
from games.ankh_morpork.match import Match
from games.ankh_morpork.position import notation
from games.ankh_morpork.position.options import COLOURS
from games.ankh_morpork.rules.interrupts import SUBJECTS
from pbem.play import advance
from pbem.play.replay import Reached
from pbem.play.table import UnitOfWork
from pbem.protocol import Option, Seat, decision_of
from pbem.store import GameSettings
from tests.pipeline.conftest import NAMES, Person, Received, World

#: What shows something that was hidden, whoever does it.
SHOWING = frozenset(
    (
        *("CardsDrawn", "CardsRecovered", "FogDiscarded", "DiceRolled", "EventDrawn", "GameEnded"),
        *("HandSeen", "CardsSeen", "HandsSwapped", "CardGiven", "PersonalitySwapped", "PersonalitiesSeen"),
    )
)
#: What shows it when its owner does it.
SHOWING_THEIRS = frozenset(("CardPlayed", "InterruptPlayed", "CardDiscarded", "Passed", "CardStuck"))
#: The cards that are played in somebody else's turn.
INTERRUPTS = [card.index for card in CARDS if card.interrupt]
ATTACKING = frozenset(
    (
        *(
            "take_from_each_other",
            "take_from_player",
            "force_payment",
            "swap_two_minions",
            "move_other_minion_adjacent",
        ),
        *("remove_in_area", "pay_then_assassinate", "pay_player_to_remove", "burn_unless_paid", "stick_unless_paid"),
        *("each_other_removes_own", "buy_building", "each_other_gives_card_or_money"),
    )
)
#: Cards with which the others are met.
ATTACKS = [card.index for card in CARDS if "assassinate" in card.symbols or card.effect in ATTACKING]
POLICIES = ("always", "never", "ask", "only in Dimwell, The Shades, The Hippo", "if money >= 6", "by Red")
QUESTIONS = (
    *("help", "status", "history", "report", "rules interrupts", "rules hidden", "card Gaspode", "card Small Gods"),
    *("who controls Dimwell?", "whom can I assassinate?", "how far am I from winning?", "what cards does Green have?"),
    *(
        "how many cards are left in the pile?",
        "what can I do with Groat?",
        "how many points has everybody?",
        "card Vimes",
    ),
    *("Who has Gaspode?", "what can I do?", "When is it my turn?", "Which card comes next?", "", "standing", "resign"),
)
NOISE = ("no wait", "or maybe not", "if nobody minds", "unless Blue objects", "thanks!", "I meant something else")


class Compared(Received):
    """A mail that is taken apart no further than it is compared."""

    @cached_property
    def message(self) -> EmailMessage:
        return email.message_from_bytes(self.raw.partition(b"\r\n\r\n")[0])  # type: ignore[return-value]

    def part(self, kind: Literal["plain", "html"]) -> str:
        text, html = self.raw.split(b"--" + str(self.message.get_boundary()).encode())[1:3]
        return unpacked(text if kind == "plain" else html)


class Office(World):
    """A server whose mails are only compared."""

    mail = Compared


def unpacked(part: bytes) -> str:
    """The words of a part of a mail."""
    head, _, body = part.partition(b"\r\n\r\n")
    return (quopri.decodestring(body) if b"quoted-printable" in head else body).decode()


@dataclass
class Side:
    """One of the two games, and what has been seen of it."""

    world: World
    last_mail: int = 0
    last_event: int = 0
    names: dict[str, str] = field(default_factory=dict)

    def plain(self, mail: Received) -> tuple[str, ...]:
        """What a mail holds, with the same name for the same code in both games."""
        for code in re.findall(r"\[([0-9A-HJKMNP-TV-Z]{8})\]$", mail.subject):
            self.names.setdefault(code, f"CODE{len(self.names):04}")
        whole = "\n".join((*(f"{name}: {value}" for name, value in mail.message.items()), mail.text, mail.html))
        for code, name in self.names.items():
            whole = re.sub(code, name, whole, flags=re.IGNORECASE)
        whole = re.sub(r"<[^<>\s]+@client\.example\.org>", "<theirs>", whole)
        return tuple(re.sub(r"-[0-9a-f]{12}@|=_[0-9a-f]{24}", "-@", whole).splitlines())

    @property
    def asks(self) -> list[tuple[Any, ...]]:
        return [(ask.seat, ask.kind, ask.due_at, ask.remind_at, ask.answered) for ask in self.world.asks]

    def person(self, seat: int) -> Person:
        return self.world.people[f"{NAMES[seat].lower()}@example.org"]


@dataclass
class Pair:
    """The same table twice."""

    sides: tuple[Side, Side]
    chance: Random
    reactions: str
    seats: int
    readers: tuple[int, ...]
    #: Whether what is to be drawn next is the same in both, so that the games can go on behind a reveal.
    deep: bool
    counts: Counter[str]
    written: list[str] = field(default_factory=list)

    @property
    def victims(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.readers]

    def play(self, mails: int) -> None:
        """Write so many mails, as long as the readers know the same in both games."""
        for _ in range(mails):
            if any(side.world.game.status != "running" for side in self.sides) or not self.write():
                return

    def write(self) -> bool:
        """One mail to both games; whether they go on alike."""
        one, other = (side.world for side in self.sides)
        pending = [decision.seat for decision in one.table.match.pending]
        asked = self.chance.choice(pending)
        writer = asked if self.chance.random() < 0.6 else self.chance.choice(self.readers)
        actor = one.table.match.actor
        if self.chance.random() < 0.04:
            hours = self.chance.choice((3, 25, 49))
            self.written.append(f"({hours} hours pass)")
            results: list[Any] = [world.wait(hours) for world in (one, other)]
            return self.compared(results, any(seat in self.victims for seat in pending))
        theirs = writer in self.victims
        text = self.common_orders(writer) if theirs else self.mail(writer)
        if text is None:
            self.counts["nothing in common to play"] += 1
            return False
        back = self.chance.choice((1, 1, 1, 1, 2, 3))
        self.written.append(f"{COLOURS[writer]} (-{back}): {text!r}")
        results = []
        for side in self.sides:
            person = side.person(writer)
            side.world.now += timedelta(minutes=20)
            results.append(person.writes(text, to=person.inbox[-min(back, len(person.inbox))]))
        self.counts["mails"] += 1
        return self.compared(results, theirs and writer == actor)

    def compared(self, results: Sequence[Any], theirs: bool) -> bool:
        """Whether the readers know the same after a mail; if so, all that they got must be the same."""
        known = [self.known(side) for side in self.sides]
        routes = [self.routes(side) for side in self.sides]
        told = [self.told(side) for side in self.sides]
        asks = [side.asks for side in self.sides]
        parted = next((i for i, (a, b) in enumerate(zip(*known, strict=False)) if a != b), None)
        if parted is None and len(known[0]) != len(known[1]):
            parted = min(len(known[0]), len(known[1]))
        if all(any(name.startswith("GameEnded") for name, _ in events) for events in known):
            self.counts["over"] += 1
            return False
        shown = {kinds[parted][0] for kinds in known if parted is not None and parted < len(kinds)}
        if parted is not None or theirs:
            legitimate = {name.partition(" ")[0] for name in shown if self.legitimate(name)}
            if legitimate or theirs:
                assert theirs or results[0] == results[1], self.story("what became of the mail", results)
                if parted is not None or routes[0] != routes[1] or asks[0] != asks[1]:
                    self.counts[f"parted by {', '.join(sorted(legitimate)) or 'a victim'}"] += 1
                    return False
        waits = parted == min(map(len, known))  # one game has asked somebody, and the other went on
        if self.reactions == "ask" and (asks[0] != asks[1] or waits):
            self.counts["parted by who is asked"] += 1
            return False
        assert parted is None, self.story("what happened", [kinds[parted - 1 : parted + 3] for kinds in known])
        assert results[0] == results[1], self.story("what became of the mail", results)
        assert told[0] == told[1], self.story("what the readers got", list(differing(*told)))
        assert asks[0] == asks[1], self.story("who is asked", asks)
        assert routes[0] == routes[1], self.story("who gets what", routes)
        self.counts["compared"] += len(told[0])
        self.counts["interrupts"] += sum(name.startswith("InterruptPlayed") for name, *_ in known[0])
        return True

    def legitimate(self, name: str) -> bool:
        kind, _, colour = name.partition(" ")
        return kind in SHOWING or (kind in SHOWING_THEIRS and colour in [COLOURS[seat] for seat in self.victims])

    def known(self, side: Side) -> list[tuple[str, Any]]:
        """What happened since, as the readers may know it."""
        with side.world.store.reading() as tx:
            events = tx.events(side.world.game_id, after=side.last_event)
        side.last_event = max([side.last_event, *(event.sequence for event in events)])
        return [
            (f"{event.kind} {event.data.get('colour')}", [event.seen_by(seat) for seat in self.readers])
            for event in events
        ]

    def routes(self, side: Side) -> list[tuple[Any, ...]]:
        """What went out since: to whom, and when."""
        with side.world.store.reading() as tx:
            rows = [row for row in tx.sent(limit=80) if row.id > side.last_mail]
        side.last_mail = max([side.last_mail, *(row.id for row in rows)])
        return [(row.recipient, row.kind, row.seat, row.created_at, row.next_at) for row in rows]

    def told(self, side: Side) -> list[Any]:
        """What the readers got since."""
        mails = []
        for seat in self.readers:
            person = side.person(seat)
            mails += [(person.name, *side.plain(mail)) for mail in person.inbox[person.read :]]
            person.skip()
        return mails

    def story(self, what: str, differing: Any) -> str:
        lines = "\n  ".join(self.written)
        positions = "\n".join(side.world.table.match.snapshot()["position"] for side in self.sides)
        return f"{what} differs ({self.reactions}, readers {self.readers}) after\n  {lines}\n{differing}\n{positions}"

    # -- what is written -----------------------------------------------------------------------------------------------

    def common_orders(self, seat: int) -> str | None:
        """Orders of a victim that are possible in both games."""
        matches = [side.world.table.match.fork() for side in self.sides]
        texts: list[str] = []
        while len(texts) < self.chance.choice((1, 2, 4, 8)):
            decisions = [decision_of(match, Seat(seat)) for match in matches]
            if decisions[0] is None or decisions[1] is None:
                break
            if decisions[0].window and self.reactions == "sealed" and self.chance.random() < 0.5:
                return self.chance.choice(("pass", f"interrupt {CARD[self.chance.choice(INTERRUPTS)]}"))
            other = {option.text for option in decisions[1].options}
            common = [option.text for option in decisions[0].options if option.text in other]
            if not common or decisions[0].kind != decisions[1].kind:
                break
            texts.append(self.chance.choice(common))
            for match in matches:
                match.choose(Seat(seat), Option(texts[-1]))
        return "\n".join(texts) if texts else None

    def mail(self, seat: int) -> str:
        """Something that a reader may write."""
        kinds: list[Callable[[int], str]] = [
            *[self.whole] * 5,
            *[self.begun, self.peeking, self.wrong] * 3,
            *[self.previewed] * 4,
            *[self.suggested] * 3,
            *[self.bare, self.question, self.question, self.undone, self.standing, self.yes, self.doubted],
        ]
        return self.chance.choice(kinds)(seat)

    def walk(self, seat: int) -> Iterator[tuple[str, bool]]:
        """Orders of the seat, drawn at random, as they would go in one of the games; with each whether it reveals."""
        match = self.chance.choice(self.sides).world.table.match.fork()
        turn = match.turn
        while (decision := decision_of(match, Seat(seat))) and match.turn == turn:
            refuse = decision.decline and self.chance.random() < 0.9
            options = [o.text for o in decision.options if not (refuse and o.text == decision.decline.text)]
            text = self.chance.choice(options or [decision.default.text])
            reveals = match.reveals
            match.choose(Seat(seat), Option(text))
            while match.pending and not decision_of(match, Seat(seat)) and match.turn == turn:
                match.choose(match.pending[0].seat, match.pending[0].default)
            silent = decision.auto is not None and decision.auto.text == text and self.chance.random() < 0.7
            if not silent:
                yield text, match.reveals != reveals

    def texts(self, seat: int) -> list[str]:
        texts = [text for text, _ in self.walk(seat)]
        if not texts:
            hand = self.sides[0].world.table.match.view(Seat(seat))["private"]["hand"]
            texts = [f"play {card['name']}" for card in hand[:1]] + ["minion Dimwell", "end"]
        return texts

    def joined(self, texts: Sequence[str]) -> str:
        return self.chance.choice(("\n", "\n", "; ", ". ", " then ")).join(texts)

    def whole(self, seat: int) -> str:
        return self.joined([*self.texts(seat), *self.chance.choice(([], ["end"]))])

    def suggested(self, seat: int) -> str:
        """A whole turn that a mail suggests, as a tap writes it."""
        match = self.sides[0].world.table.match
        turns = GAME.suggest(match, Seat(seat)) if decision_of(match, Seat(seat)) else []
        lines = [line for turn in turns for line in (turn.line, *(line for _, line in turn.variants))]
        return self.chance.choice(lines) if lines else self.whole(seat)

    def begun(self, seat: int) -> str:
        texts = self.texts(seat)
        return self.joined(texts[: self.chance.randint(1, len(texts))])

    def bare(self, seat: int) -> str:
        return " ".join(text.partition(" ")[2] or text for text in self.texts(seat)[:3])

    def peeking(self, seat: int) -> str:
        """Orders up to a reveal, and a guess at what comes behind it."""
        texts = []
        for text, reveals in self.walk(seat):
            texts.append(text)
            if reveals and self.chance.random() < 0.7:
                break
        guess = (
            f"play {self.chance.choice(CARD)}",
            f"play {CARD[self.sides[0].world.table.match.draw[-1]]}",
            self.an_order(),
            "target " + self.chance.choice(COLOURS),
            "end",
            self.chance.choice(("xyzzy", "7", "yes", "minion", "interrupt Doctor Mossy Lawn", "end; xyzzy")),
        )
        return self.joined([*texts, *self.chance.sample(guess, self.chance.randint(1, 2))])

    def an_order(self) -> str:
        area, other = self.chance.sample(list(GAME.vocabulary.names["area"]), 2)
        colour = self.chance.choice(COLOURS)
        return self.chance.choice(
            (
                *(f"minion {area}", f"build {area}", f"calm {area}", f"assassinate {colour} in {area}"),
                *(f"remove {colour} in {area}", f"move {colour} from {area} to {other}", f"use {area}", f"burn {area}"),
            )
        )

    def wrong(self, seat: int) -> str:
        """Orders of which one is not as it should be."""
        texts = self.texts(seat)
        place = self.chance.randrange(len(texts))
        text = texts[place]
        cut = self.chance.randrange(1, max(2, len(text)))
        guess = f"play {self.chance.choice(CARD)}"
        texts[place] = self.chance.choice(
            (text[:cut] + text[cut + 1 :], guess, self.an_order(), text[:cut], f"{text} xyzzy")
        )
        return self.joined(texts)

    def previewed(self, seat: int) -> str:
        other = self.chance.choice((self.whole, self.begun, self.peeking, self.wrong, self.doubted))(seat)
        return self.chance.choice((f"preview\n{other}", f"{other}\npreview"))

    def doubted(self, seat: int) -> str:
        texts = self.texts(seat)
        texts.insert(self.chance.randint(0, len(texts)), self.chance.choice((*NOISE, f"Bob said: {texts[-1]}")))
        return "\n".join(texts)

    def question(self, seat: int) -> str:
        return self.chance.choice((*QUESTIONS, f"card {self.chance.choice(CARD)}"))

    def undone(self, seat: int) -> str:
        return self.chance.choice(("undo", f"undo\n{self.whole(seat)}", f"undo\npreview\n{self.whole(seat)}"))

    def standing(self, seat: int) -> str:
        policy = f"standing {self.chance.choice(list(SUBJECTS))}: {self.chance.choice(POLICIES)}"
        return self.chance.choice((policy, f"{policy}\n{self.whole(seat)}", f"standing\n{policy}"))

    def yes(self, seat: int) -> str:
        return self.chance.choice(("yes", "ok", "no", "1", "2", "3; 1"))


def differing(told: Sequence[Sequence[str]], also: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """The lines in which mails differ."""
    if len(told) != len(also):
        yield str([mail[:6] for mail in told]), str([mail[:6] for mail in also])
    for mail, twin in zip(told, also, strict=False):
        mine, theirs = set(mail), set(twin)
        for line in mail:
            if line not in theirs:
                yield "only in the first: ", line
        for line in twin:
            if line not in mine:
                yield "only in the second: ", line


def begin_pair(worlds: tuple[World, World], reactions: str, number: int, counts: Counter[str]) -> Pair:
    """A pair of games amid play, from a number."""
    chance = Random(f"{reactions} {number}")
    seats = chance.choice((2, 3, 3, 4))
    start = played_on(seats, chance)
    readers = tuple(sorted({start.actor, *chance.sample(range(seats), chance.randint(1, seats - 1))}))
    if len(readers) == seats:
        readers = (start.actor,)
    sides = tuple(Side(world) for world in worlds)
    pair = Pair(sides, chance, reactions, seats, readers, chance.random() < 0.5, counts)  # type: ignore[arg-type]
    start_hands(start, pair, chance)
    twin = notation.read(notation.write(start))
    deal_anew(twin, pair, chance)
    policies = {
        seat: [f"{subject}: {chance.choice(POLICIES)}" for subject in SUBJECTS if chance.random() < 0.3]
        for seat in range(seats)
    }
    seeds = [b"\1" * 32, b"\1" * 32 if pair.deep else b"\2" * 32]
    for side, position, seed in zip(pair.sides, (start, twin), seeds, strict=True):
        match = Match.from_position(notation.write(position), seed=seed)
        pair.routes(side)  # of the game before
        begin_game(side.world, match, reactions, seats, policies)
    pair.compared([None, None], theirs=False)
    return pair


def played_on(seats: int, chance: Random) -> Any:
    """A position in which somebody is to move, after some random play."""
    while True:
        match = GAME.new(seats, chance.randbytes(32), {})
        turns = chance.randint(4, 10 * seats)
        while match.pending and match.turn < turns:
            match.choose(match.pending[0].seat, chance.choice(match.pending[0].options))
        start = notation.read(match.snapshot()["position"])
        start.trouble |= chance.getrandbits(12) & chance.getrandbits(12)
        start.seen = [() for _ in start.seen]
        if match.pending and len(start.draw) > 12 and Match.from_position(notation.write(start)).pending:
            return start


def start_hands(start: Any, pair: Pair, chance: Random) -> None:
    """Put interrupts into the victims' hands, and what they answer into the readers', from the draw pile."""
    for seat in range(pair.seats):
        wanted = ATTACKS if seat in pair.readers else INTERRUPTS
        for place in range(len(start.hands[seat])):
            there = [i for i, card in enumerate(start.draw) if card in wanted]
            if there and chance.random() < 0.5:
                at = chance.choice(there)
                start.draw[at], start.hands[seat][place] = start.hands[seat][place], start.draw[at]
        start.hands[seat].sort()


def deal_anew(twin: Any, pair: Pair, chance: Random) -> None:
    """Deal what the readers cannot see anew; half the time interrupts stay where they are, so that they fire alike."""
    keep = chance.random() < 0.6
    lower = len(twin.draw) // 2 if pair.deep else len(twin.draw)
    places = [(twin.hands[seat], i) for seat in pair.victims for i in range(len(twin.hands[seat]))]
    places += [(twin.draw, i) for i in range(lower)]
    places = [(pile, i) for pile, i in places if not (keep and pile is not twin.draw and pile[i] in INTERRUPTS)]
    cards = [pile[i] for pile, i in places]
    chance.shuffle(cards)
    for (pile, i), card in zip(places, cards, strict=True):
        pile[i] = card
    for seat in pair.victims:
        twin.hands[seat].sort()
    hidden = [twin.personality[seat] for seat in pair.victims] + twin.unused
    chance.shuffle(hidden)
    for seat in pair.victims:
        twin.personality[seat] = hidden.pop()
    twin.unused = sorted(hidden)
    if not pair.deep:
        chance.shuffle(twin.events)


def begin_game(world: World, match: Match, reactions: str, seats: int, policies: dict[int, list[str]]) -> None:
    """Leave the game that was played before, and begin another in a position, with policies."""
    world.now += timedelta(hours=2)
    for person in world.people.values():
        person.inbox.clear()
        person.read = 0
    with world.store.transaction() as tx:
        if world.game_id:  # or its deadlines would run on
            tx.change_game(world.game_id, status="over")
            tx.close_asks("over", world.now, game_id=world.game_id)
        game = tx.add_game(
            "Thursday night", GAME.name, GameSettings(reactions=reactions, nmr="default"), bytes(32), world.now
        )
        world.game_id = game.id
        for seat, name in enumerate(NAMES[:seats]):
            address = f"{name.lower()}@example.org"
            if address not in world.people:
                world.person(name, address)
            (player,) = tx.players_at(address) or (tx.add_player(name, address, world.now),)
            tx.add_seat(game.id, Seat(seat), COLOURS[seat], player.id)
            for line in policies[seat]:
                tx.set_policy(game.id, Seat(seat), *GAME.policy(line), world.now)
        tx.change_game(game.id, status="running", started_at=world.now)
        work = UnitOfWork(tx, world.settings, world.now)
        advance.save(work, game.id, Reached(match, 0), "start")
        for seat in range(seats):
            advance.reask(work, game.id, Seat(seat))
    world.post()
