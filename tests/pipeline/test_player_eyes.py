"""What players read in the mails of games really played: their policies' part, what is asked next, who was who."""

from __future__ import annotations

from typing import Any

import pytest


def play_until(world: Any, seen: str, mails: int = 400) -> list[Any]:
    """Play on until somebody has read these words; the mails with them."""
    for _ in range(mails):
        found = []
        for one in world.people.values():
            found += [mail for mail in one.inbox[one.read :] if seen in " ".join(mail.text.split())]
            one.skip()
        if found or world.game.status != "running":
            return found
        world.whose().writes(world.orders())
    return []


@pytest.mark.slow
def test_a_player_reads_that_a_policy_kept_a_card_in_hand(world: Any) -> None:
    people = world.start(4, seed=b"\x0b" * 32)
    for one in people:
        one.writes("\n".join(f"standing {card}: never" for card in ("Gaspode", "Susan", "Igor", "Sonky")))
    found = play_until(world, "stayed in hand: your policy says never")
    assert found, "with this seed somebody could have played a card against something"
    holders = {mail.to for mail in found}
    assert len(holders) == 1, "nobody else hears of it"


def test_a_player_reads_that_a_policy_answered(world: Any) -> None:
    world.start(4, seed=b"\x0b" * 32)
    found = play_until(world, "Your policy for")
    assert found
    (reader,) = {mail.to for mail in found}
    name = world.people[reader].name
    assert all(
        f"Your policy for {word}" not in mail.text
        for one in world.people.values()
        if one.name != name
        for mail in one.inbox
        for word in ("Gaspode", "Susan", "Igor")
    )


def test_orders_may_answer_the_mail_about_policies(world: Any) -> None:
    world.start(2)
    person = world.whose()
    person.writes("standing Gaspode: never")
    assert "your policies" in person.newest.subject
    assert person.writes(world.orders()) == "applied"


@pytest.mark.parametrize("first", ["standing Gaspode: never", "preview"])
def test_a_question_beside_another_command_is_answered_too(world: Any, first: str) -> None:
    world.start(2)
    person = world.whose()
    person.skip()
    person.writes(f"{first}\nhistory")
    assert any("the story so far" in mail.subject for mail in person.inbox[person.read :])


def test_the_last_mail_tells_who_was_who(world: Any) -> None:
    people = world.start(2, seed=b"\2" * 32)
    while world.game.status == "running":
        world.whose().writes(world.orders())
    table = world.table
    for one in people:
        for seat in table.match.result.details["seats"]:
            assert seat["personality"] in one.newest.text


def test_a_preview_tells_what_would_be_asked_next(world: Any) -> None:
    world.start(2)
    person = world.whose()
    match = world.table.match.fork()
    for option in match.pending[0].options:
        ahead = match.fork()
        ahead.choose(ahead.pending[0].seat, option)
        decision = next(iter(ahead.pending), None)
        if decision.seat == match.actor and not decision.auto and ahead.reveals == match.reveals:
            break
    else:
        raise AssertionError("with this seed some card asks something at once")
    person.writes(f"{option.text}\npreview")
    asked = person.newest.text.partition("WHAT YOU WOULD BE ASKED THEN")[2]
    assert decision.options[0].text.partition(" ")[2] in asked


def test_what_stands_after_an_undo_is_not_told_again(world: Any) -> None:
    (person,) = world.start(1, seed=b"\7" * 32, bots=1)
    person.writes("play Sergeant Angua\ncalm The Scours\nplay Mrs Cake")
    assert "You looked at 3 of the unused personalities" in " ".join(person.newest.text.split())
    person.writes("undo")
    assert "Taken back: money." in person.newest.text
    person.writes("money")
    told = person.newest.text.partition("WHAT CAME OF THEM")[2].partition("\n\n")[0]
    assert "You took $2 from the bank" in told
    assert "Sergeant Angua" not in told


def test_a_preview_understands_the_numbers_of_the_report(world: Any) -> None:
    world.start(2)
    person = world.whose()
    person.writes("preview\n1")
    assert world.table.match.pending[0].options[0].text.removeprefix("play ") in person.newest.text
    assert "please" not in person.newest.subject
    assert "menu" not in person.newest.text.partition("YOUR ORDERS")[2].partition("\n\n")[0]
