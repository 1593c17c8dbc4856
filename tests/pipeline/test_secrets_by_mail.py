"""Who gets a mail, and when, never depends on a hidden hand (in `standing` mode)."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from games.ankh_morpork import position
from games.ankh_morpork.match import Match
from pbem import conduct
from pbem.office import Office
from pbem.store import Store


def dealt_anew(text: str, me: int, chance: random.Random) -> str:
    """The position with the other hands and personalities dealt anew."""
    there = position.read(text)
    others = [seat for seat in range(there.seats) if seat != me]
    half = len(there.draw) // 2
    pool = [card for seat in others for card in there.hands[seat]] + there.draw[:half]
    chance.shuffle(pool)
    for seat in others:
        count = len(there.hands[seat])
        there.hands[seat], pool = sorted(pool[:count]), pool[count:]
    there.draw[:half] = pool
    hidden = [there.personality[seat] for seat in others] + there.unused
    chance.shuffle(hidden)
    for seat in others:
        there.personality[seat] = hidden.pop()
    there.unused = sorted(hidden)
    return position.write(there)


def set_to(world: Any, text: str) -> None:
    """Put the game into a position, as the moderator would."""
    match = Match.from_position(text)
    with world.store.transaction() as tx:
        game = tx.game(world.game_id)
        tx.save_version(
            game.id,
            parent=game.version,
            cause="rollback",
            turn=match.turn,
            snapshot=match.snapshot(),
            added=[],
            digest=match.digest(),
            now=world.now,
        )
        conduct.rolled_back(Office(tx, world.settings, world.now), game.id, from_turn=game.turn)
    world.post()


def mails(world: Any) -> list[tuple[str, str]]:
    with world.store.reading() as tx:
        return [(one.recipient, one.kind) for one in tx.sent(limit=1000)]


@pytest.mark.parametrize("number", range(10))
def test_the_same_orders_cause_the_same_mails_whatever_the_others_hide(
    world: Any, begin: Any, tmp_path: Path, number: int
) -> None:
    begin(3, seed=bytes([number]) * 32)
    for _ in range(6 + number):
        world.whose().writes(world.orders())
    text, me = world.table.match.snapshot()["position"], world.table.match.actor
    set_to(world, text)
    twin = copied(world, tmp_path / "twin.db")
    set_to(twin, dealt_anew(text, me, random.Random(number)))
    set_to(world, text)
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
