"""Who gets a mail, and when, never depends on a hidden hand (in `standing` and `sealed` mode)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from games.ankh_morpork.position import notation as position
from games.ankh_morpork.position.dice import Dice
from pbem.play import advance
from pbem.play.table import UnitOfWork
from pbem.store import Store


def dealt_anew(text: str, me: int, number: int) -> str:
    """The position with what `me` cannot see dealt anew."""
    there = position.read(text)
    there.deal_anew([me], there.seen[me], Dice(bytes([number]) * 32))
    return position.write(there)


def mails(world: Any) -> list[tuple[str, str]]:
    with world.store.reading() as tx:
        return [(one.recipient, one.kind) for one in tx.sent(limit=1000)]


@pytest.mark.parametrize("reactions", ["standing", "sealed"])
@pytest.mark.parametrize("number", range(10))
def test_the_same_orders_cause_the_same_mails_whatever_the_others_hide(
    world: Any, begin: Any, tmp_path: Path, number: int, reactions: str
) -> None:
    begin(3, seed=bytes([number]) * 32, reactions=reactions)
    for _ in range(6 + number):
        world.whose().writes(world.orders())
    text, me = world.table.match.snapshot()["position"], world.table.match.actor
    world.set_to(text)
    twin = copied(world, tmp_path / "twin.db")
    twin.set_to(dealt_anew(text, me, number))
    world.set_to(text)
    orders = world.orders()
    for one in (world, twin):
        one.whose().writes(orders)
    asks = [[(ask.seat, ask.kind, ask.due_at) for ask in one.asks] for one in (world, twin)]
    sent = mails(twin)
    twin.store.close()
    assert mails(world) == sent
    assert asks[0] == asks[1]


def copied(world: Any, path: Path) -> Any:
    """The same server a second time, with its own database."""
    source = Store(world.settings.database)
    source.backup(path)
    source.close()
    settings = world.settings.model_copy(update={"database": f"sqlite:///{path}"})
    twin = type(world)(Store(settings.database), settings)
    twin.now, twin.game_id, twin.uid = world.now, world.game_id, world.uid
    for person in world.people.values():
        twin.person(person.name, person.address)
    return twin


#: What somebody may write to find out what others hide.
PROBES = (
    "play The Fire Brigade\nend",
    "interrupt Gaspode",
    "card Gaspode\nstatus\nhistory\nreport\nhelp\nrules interrupts",
    "standing\nstanding Susan: always\nstanding Small Gods: ask",
    "preview",
    "undo",
    "target Red\nassassinate Green in Dimwell\ngive Gaspode\nprotect Red in Dimwell",
    "Who has Gaspode?",
    "",
)


@pytest.mark.parametrize("number", range(6))
def test_no_mail_that_moves_nothing_tells_what_the_others_hide(
    world: Any, begin: Any, tmp_path: Path, number: int
) -> None:
    begin(3, seed=bytes([40 + number]) * 32)
    for _ in range(4 + 2 * number):
        world.whose().writes(world.orders())
    text, me = world.table.match.snapshot()["position"], world.table.match.actor
    world.set_to(text)
    twin = copied(world, tmp_path / "twin.db")
    twin.set_to(dealt_anew(text, me, number))
    world.set_to(text)
    options = [option.text for option in world.table.match.pending[0].options]
    other_cards = [card for card in CARDS_OF_A_KIND if f"play {card}" not in options]
    probes = [
        *PROBES,
        *(f"preview\n{option}\nscroll\nend" for option in options),
        *(f"play {card}" for card in other_cards),
    ]
    answers = []
    for one in (world, twin):
        person = one.whose()
        asked = person.newest
        known = len(person.inbox)
        for probe in probes:
            assert person.writes(probe, to=asked) != "quarantined"
        answers.append([bare(mail) for mail in person.inbox[known:]])
    twin.store.close()
    assert len(answers[0]) > len(probes) - 3
    assert answers[0] == answers[1]


#: Cards that may be anywhere.
CARDS_OF_A_KIND = ("Groat", "Rincewind", "Mr Boggis", "Hex", "Gaspode", "Carcer", "Modo", "Sacharissa Cripslock")


def bare(mail: Any) -> str:
    """What a mail says, without its code."""
    return re.sub(r"\b[0-9A-HJKMNP-TV-Z]{8}\b", "-", f"{mail.subject}\n{mail.text}")


@pytest.mark.parametrize(
    "text",
    [
        "Hello, when is it my turn?",
        "",
        "status",
        "history",
        "report",
        "preview\nplay Groat",
        "undo",
        "play Groat",
        "standing",
        "help",
        "resign",
    ],
)
def test_nobody_sees_a_half_finished_turn_whatever_they_write(world: Any, begin: Any, text: str) -> None:
    begin(3)
    actor, other = world.whose(), world.others()[0]
    other.skip()
    known, now = other.newest, world.now
    other.writes(text, to=known)
    before = [bare(mail) for mail in other.inbox[other.read :]]
    other.skip()
    assert actor.writes(world.first_order()) == "applied"
    world.now = now
    other.writes(text, to=known)
    assert [bare(mail) for mail in other.inbox[other.read :]] == before


def test_whoever_takes_a_seat_sees_no_half_finished_turn(world: Any, begin: Any) -> None:
    begin(3)
    actor, other = world.whose(), world.others()[0]
    seat = next(one for one, player in world.table.players.items() if player.name == other.name)
    other.writes("report")
    before = other.newest.text.partition("THE CITY")[2]
    actor.writes(world.first_order())
    with world.store.transaction() as tx:
        advance.reask(UnitOfWork(tx, world.settings, world.now), world.game_id, seat)
    world.post()
    assert other.newest.text.partition("THE CITY")[2] == before
