"""The texts of cards, areas, events and personalities: one word for one thing, and what they must not leave out."""

from __future__ import annotations

import re

import pytest

from games.ankh_morpork.data.cards import AREAS, CARDS, EVENTS, PERSONALITIES

TEXTS = {
    **{card.name: card.scroll for card in CARDS if card.scroll},
    **{area.name: area.power for area in AREAS},
    **{entry.name: entry.text for entry in (*EVENTS, *PERSONALITIES)},
}
#: Another word for what is called: take, move, unused, price, minion, remove, area card, a card, scroll.
SECOND_WORDS = r"\b(collect|shift|undealt|printed|minion pieces?|off the board|city area|from your hand|text of)\b"


@pytest.mark.parametrize("name", TEXTS)
def test_there_is_one_word_for_one_thing(name: str) -> None:
    assert not re.findall(SECOND_WORDS, TEXTS[name].casefold())


def test_cards_that_do_the_same_say_the_same() -> None:
    said: dict[tuple[object, ...], set[str | None]] = {}
    for card in CARDS:
        said.setdefault((card.effect, *card.arguments), set()).add(card.scroll)
    assert [effect for effect, texts in said.items() if len(texts) > 1] == []


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("Fresh Start Club", "Igor"), "within reach: where you have a minion, or next to one"),
        (("Sybil Vimes", "Reacher Gilt"), "Buy another player's building"),
        (("Sybil Vimes", "Reacher Gilt"), "You need no minion there."),
        (("Wallace Sonky",), "When the scroll of a card"),
        (("Errol", "Carcer"), "ou must, even if only your own stand there."),
        (("The Alchemists' Guild",), "your hand limit: five, less one for each card that is stuck"),
        (("Trolls",), "to control an area you need more pieces there than trolls"),
        (("The Bursar", "Carcer", "The Dean", "Mysterious Murders"), "troll"),
    ],
)
def test_a_text_does_not_mislead(names: tuple[str, ...], words: str) -> None:
    assert [name for name in names if words not in TEXTS[name]] == []
