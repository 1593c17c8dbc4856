"""Everything that happens is told to every seat, in its own wording, once, in mails that nobody has to ask for."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from pbem.play.letters import happening
from pbem.protocol import Seat
from pbem.reports.render import environment
from tests.pipeline.test_whole_game import answer

#: What happened in some turns: a paragraph that begins with its label.
PARAGRAPH = re.compile(r"^  Turns? (\d+)(?: to \d+)?: (.*(?:\n    .*)*)", re.MULTILINE)
#: How often a sentence comes in a row.
TIMES = re.compile(r" \((twice|\d+ times)\)")


def told(person: Any) -> dict[int, str]:
    """What all mails of somebody say of each turn."""
    turns: dict[int, str] = {}
    for mail in person.inbox:
        for turn, words in PARAGRAPH.findall(mail.text):
            turns[int(turn)] = turns.get(int(turn), "") + " ".join(words.split()) + " "
    return turns


def times(sentence: str, text: str) -> int:
    """How often a text says a sentence."""
    said = re.findall(rf"(?:^|(?<=[.!:] )){re.escape(sentence[:-1])}(?:{TIMES.pattern})?[.!] ", text)
    return sum(2 if run == "twice" else int(run.split()[0]) if run else 1 for run in said)


def expected(world: Any, seat: Seat, words: Any) -> dict[tuple[int, str], int]:
    """How often each sentence was true in each turn, up to what the seat has been told; without those that are folded,
    and what brings others about once, for it is told again with what it brought."""
    table = world.table
    with world.store.reading() as tx:
        log = tx.events(world.game_id)
    counted: Counter[tuple[int, str]] = Counter()
    for event in log:
        if event.turn and event.sequence <= table.seats[seat].last_reported and event.kind in words.TELL:
            known = happening(event, event.turn, event.actor, seat)
            sentence = " ".join(words.TELL[known.kind](known.data, known.actor, table.colour(seat)).split())
            if sentence and known.kind not in words.FOLDED:
                counted[known.turn, sentence] += 1 if known.kind not in words.CAUSES else 0
    return counted


def play(world: Any, chance: Random, mails: int) -> None:
    """Mails of whoever must decide, some with a whole turn, some with one order; some let their deadline pass."""
    for _ in range(mails):
        if chance.random() < 0.15:
            world.wait(80)
            continue
        person = world.whose()
        listed = "WHAT YOU MAY DO NOW" in person.newest.text
        person.writes(answer(person.newest, chance) if listed and chance.random() < 0.4 else world.orders())
        if world.game.status == "over":
            return


@pytest.mark.parametrize(("players", "bots", "reactions"), [(2, 2, "standing"), (3, 0, "sealed"), (3, 0, "ask")])
def test_every_event_is_told_to_every_seat_once(world: Any, players: int, bots: int, reactions: str) -> None:
    people = world.start(players, seed=bytes([players]) * 32, bots=bots, reactions=reactions)
    play(world, Random(len(reactions)), 14)
    words = environment("ankh_morpork", "text").get_template("events.j2").module
    for seat, person in enumerate(people):
        heard = told(person)
        for (turn, sentence), often in expected(world, Seat(seat), words).items():
            said = times(sentence, heard.get(turn, ""))
            assert said == often or (often == 0 and said), (person.name, turn, sentence, said, often)


def test_whoever_is_asked_has_been_told_everything(world: Any) -> None:
    world.start(2, bots=2)
    for _ in range(8):
        table = world.table
        with world.store.reading() as tx:
            assert table.seats[world.asks[-1].seat].last_reported == tx.last_event(world.game_id)
        world.whose().writes(world.orders())


def test_an_acknowledgement_ends_with_the_turn_of_its_orders_and_says_that_more_comes(world: Any) -> None:
    world.start(2, seed=b"\5" * 32, bots=2)
    later = 0
    for _ in range(8):
        person, turn = world.whose(), world.game.turn
        person.writes(world.orders())
        mail = person.newest
        if "your orders are carried out" in mail.subject:
            assert {int(number) for number, _ in PARAGRAPH.findall(mail.text)} == {turn}
            promised = "in the turns since then comes with your next report" in mail.text
            assert promised is (world.game.turn > turn + 1)
            later += promised
    assert later
