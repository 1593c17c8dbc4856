"""Whole games by mail: players who know nothing but the mails they get."""

from __future__ import annotations

import re
from random import Random
from typing import Any
from urllib.parse import unquote

import pytest

#: The number of an order of a list: at the beginning of its line, behind the verb of several, or behind another one.
NUMBERED = re.compile(r"(?:^ {2,6}|\.\.\. |, )(\d{1,2})  ?(?=\S)", re.MULTILINE)


def answer(mail: Any, chance: Random) -> str:
    """What a player writes who reads only this mail: a number from its list or the words of a link."""
    todo = mail.text[mail.text.index("WHAT YOU MAY DO NOW") :]
    numbers = NUMBERED.findall(todo)
    orders = [unquote(one) for one in mail.options if one not in ("help", "report", "undo")]
    assert numbers, "a mail that asks something lists what can be answered"
    choice = chance.choice(numbers) if chance.random() < 0.3 else chance.choice(orders)
    return choice + "\nend" if chance.random() < 0.7 else choice


def play(world: Any, chance: Random, mails: int) -> int:
    """Mails to and fro until the game is over, or until so many were written; how many were."""
    written = 0
    while world.game.status == "running" and written < mails:
        person = world.whose()
        assert person.newest.token == world.asks[-1].token, "whoever must decide was asked"
        assert person.writes(answer(person.newest, chance)) in ("applied", "refused", "answered")
        written += 1
    return written


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_a_game_comes_to_its_end_by_mail_alone(world: Any, players: int) -> None:
    people = world.start(players, seed=bytes([players]) * 32)
    play(world, Random(players), 2000)
    assert world.game.status == "over"
    for person in people:
        final = person.newest
        assert "the game is over" in final.subject
        assert world.game.seed.hex() in re.sub(r"\s", "", final.text)
        assert world.game.commitment in re.sub(r"\s", "", final.text)
    assert "over" in world.moderator.newest.text


def test_every_mail_has_its_own_message_id(world: Any) -> None:
    world.start(3)
    play(world, Random(1), 20)
    assert len(set(world.sent_ids)) == len(world.sent_ids)


def test_a_stored_game_replays_from_its_seed(world: Any) -> None:
    world.start(3)
    play(world, Random(2), 30)
    table = world.table
    match = table.rules.new(3, table.game.seed, {})
    for version in world.chain():
        for choice in version.added:
            match.choose(choice[0], match.pending[0].option(choice[1]))
        assert match.digest() == version.digest


def test_nobody_is_shown_what_only_another_may_know(world: Any) -> None:
    """Every card of a hand, while it is in that hand, is named in no mail but its owner's."""
    people = world.start(3)
    chance = Random(3)
    for _ in range(15):
        hands = {}
        for seat, player in world.table.players.items():
            view = world.table.match.view(seat)
            hands[player.name] = {card["name"] for card in view["private"]["hand"]}
        for person in people:
            for other, hand in hands.items():
                if other != person.name:
                    seen = private_part(person.newest.text)
                    assert not [card for card in hand if f"   {card}:" in seen]
        play(world, chance, 1)


def private_part(text: str) -> str:
    found = re.search(r"Your hand\n(.*?)\n  Your area cards", text, re.DOTALL)
    return found[1] if found else ""
