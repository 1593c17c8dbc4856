"""Windows in the three reaction modes: at once from policies, sealed all together, or by asking who could act."""

from __future__ import annotations

from typing import Any

import pytest

#: Red may swap two minions; the owners of both may stop it, and only Green could.
SWAP = (
    "3 players | red* $10 is lord-vetinari holds the-bursar | green $10 is lord-rust holds gaspode"
    " | blue $10 is lord-selachii holds groat | Dimwell R G | The Hippo B"
)
ORDERS = "play The Bursar\nswap Green in Dimwell with Blue in The Hippo\nend"


def moved(world: Any, *people: Any) -> Any:
    """Red has written; nobody has read anything new yet."""
    world.set_to(SWAP)
    for person in people:
        person.skip()
    assert people[0].writes(ORDERS) == "applied"
    people[0].skip()
    return world


@pytest.fixture
def sealed(world: Any) -> Any:
    return moved(world, *world.start(3, reactions="sealed"))


@pytest.fixture
def asking(world: Any) -> Any:
    return moved(world, *world.start(3, reactions="ask"))


def player(world: Any, name: str) -> Any:
    return world.people[f"{name}@example.org"]


def holds_gaspode(world: Any) -> bool:
    return any(card["name"] == "Gaspode" for card in world.table.match.view(1)["private"]["hand"])


def test_standing_answers_at_once_and_asks_nobody(world: Any) -> None:
    moved(world, *world.start(3))
    assert all(ask.kind == "turn" for ask in world.asks)


def test_sealed_asks_everybody_whom_the_threat_concerns_whatever_they_hold(sealed: Any) -> None:
    assert [(ask.seat, ask.kind) for ask in sealed.asks if ask.due_at] == [(1, "window"), (2, "window")]
    assert len({ask.due_at for ask in sealed.asks if ask.due_at}) == 1
    player(sealed, "bob").receives("your reaction, please", "interrupt Gaspode")
    player(sealed, "cid").receives("your reaction, please")


def test_sealed_tells_nobody_who_has_answered(sealed: Any) -> None:
    ann, bob, cid = (player(sealed, name) for name in ("ann", "bob", "cid"))
    cid.skip()
    assert bob.writes("interrupt gaspode") == "applied"
    bob.newest.subject.endswith("your answer is in")
    ann.receives_nothing()
    cid.receives_nothing()
    ann.writes("status")
    assert "waiting for reactions" in ann.newest.subject
    assert "Green" not in ann.newest.text.split("\n\n")[0]


def test_a_sealed_answer_takes_effect_when_all_are_in(sealed: Any) -> None:
    bob, cid = player(sealed, "bob"), player(sealed, "cid")
    bob.writes("interrupt gaspode")
    assert holds_gaspode(sealed)
    assert cid.writes("pass") == "applied"
    assert not holds_gaspode(sealed)
    assert sealed.table.match.view(None)["areas"][7]["minions"] == {"Red": 1, "Green": 1}


def test_a_sealed_answer_can_be_changed_until_then(sealed: Any) -> None:
    bob, cid = player(sealed, "bob"), player(sealed, "cid")
    bob.writes("interrupt gaspode")
    assert bob.writes("pass") == "applied"
    cid.writes("pass")
    assert holds_gaspode(sealed)
    assert sealed.table.match.view(None)["areas"][7]["minions"] == {"Red": 1, "Blue": 1}


def test_an_interrupt_that_is_not_held_counts_as_pass_and_is_acknowledged_alike(sealed: Any) -> None:
    bob, cid = player(sealed, "bob"), player(sealed, "cid")
    assert cid.writes("interrupt gaspode") == "applied"
    answered = cid.newest
    assert "your answer is in" in answered.subject
    assert bob.writes("interrupt gaspode") == "applied"
    assert not holds_gaspode(sealed)


def test_the_deadline_closes_a_sealed_window(sealed: Any) -> None:
    player(sealed, "bob").writes("interrupt gaspode")
    assert sealed.wait(25)
    assert not holds_gaspode(sealed)
    assert [ask.kind for ask in sealed.asks if ask.due_at] == ["turn"]


def test_a_policy_fills_in_a_sealed_answer(world: Any) -> None:
    ann, bob, cid = world.start(3, reactions="sealed")
    bob.writes("standing Gaspode: always")
    moved(world, ann, bob, cid)
    bob.receives("your reaction, please")
    assert cid.writes("pass") == "applied"
    assert not holds_gaspode(world)


def test_a_bot_answers_a_sealed_window_at_once(world: Any) -> None:
    ann, bob = world.start(2, bots=1, reactions="sealed")
    moved(world, ann, bob)
    assert [ask.seat for ask in world.asks if ask.due_at] == [1]


def test_asking_asks_only_who_could_act(asking: Any) -> None:
    assert [(ask.seat, ask.kind) for ask in asking.asks if ask.due_at] == [(1, "window")]
    player(asking, "cid").receives_nothing()
    assert player(asking, "bob").writes("interrupt gaspode") == "applied"
    assert not holds_gaspode(asking)


def test_asking_asks_nobody_who_has_a_policy(world: Any) -> None:
    ann, bob, cid = world.start(3, reactions="ask")
    bob.writes("standing Gaspode: never")
    moved(world, ann, bob, cid)
    assert all(ask.kind == "turn" for ask in world.asks)
    assert holds_gaspode(world)
