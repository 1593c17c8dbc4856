"""Looking into games: what is secret is shown for a reason only, and that is told."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pbem.errors import ConfigError
from pbem.moderator import inspect
from pbem.moderator.players import SeatSpec


def private_words(club, game) -> list[str]:
    """The cards in Ann's hand."""
    shown = inspect.show(club.moderator, "G001", colour="Red", reveal="test")
    hand = shown.position.split("holds ")[1].split(" |")[0]
    return hand.split(",")


def test_a_look_shows_what_everybody_may_see(club, game) -> None:
    shown = inspect.show(club.moderator, "G001")
    assert "THE CITY" in shown.text
    assert "YOUR HAND" not in shown.text
    assert shown.position == ""
    assert [line.what for line in club.log] == ["new", "start"]


def test_a_seats_view_needs_a_reason(club, game) -> None:
    with pytest.raises(ConfigError, match="add --reveal REASON"):
        inspect.show(club.moderator, "G001", colour="Red")
    with pytest.raises(ConfigError, match="add --reveal REASON"):
        inspect.show(club.moderator, "G001", colour="Red", reveal="  ")


def test_a_look_at_secrets_is_recorded_and_told(club, game) -> None:
    shown = inspect.show(club.moderator, "G001", colour="Red", reveal="Ann says a card is gone")
    assert "YOUR HAND" in shown.text
    assert shown.position
    line = club.log[-1]
    assert (line.what, line.why, line.facts["seat"]) == ("show", "Ann says a card is gone", "Red")
    told = [mail for mail in club.mails() if mail.kind == "notice"]
    assert [mail.recipient for mail in told] == ["ann@example.org", "bob@example.org"]
    assert "Ann says a card is gone" in told[1].text


def test_an_older_version_can_be_looked_at(club, game) -> None:
    club.moves("Red")
    shown = inspect.show(club.moderator, "G001", version=1)
    assert shown.version is not None
    assert (shown.version.number, shown.version.turn) == (1, 1)


def test_a_game_that_has_not_begun_shows_its_seats(club) -> None:
    club.adds("Friday", [SeatSpec("Cyd", "cyd@example.org"), SeatSpec("")])
    shown = inspect.show(club.moderator, "Friday")
    assert (shown.version, shown.text) == (None, "")
    assert [seat.name for seat in shown.summary.seats] == ["Cyd", "Bot 2"]


def test_an_export_holds_no_address_and_no_secret(club, game) -> None:
    club.moves("Red")
    hand = private_words(club, game)
    text = json.dumps(inspect.export(club.moderator, "G001"))
    assert "@" not in text
    assert game.seed.hex() not in text
    assert not [card for card in hand if card in text]
    assert "snapshot" not in text
    assert "digest" not in text, "with few cards left a guess can be tried on it"


def test_an_export_with_a_reason_holds_everything_but_addresses(club, game) -> None:
    club.moves("Red")
    data = inspect.export(club.moderator, "G001", reveal="a bug report")
    assert data["seed"] == game.seed.hex()
    assert data["versions"][1]["added"]
    assert data["versions"][1]["snapshot"]
    assert "@" not in json.dumps(data)
    assert club.log[-1].why == "a bug report"


def test_the_secrets_of_a_game_that_is_over_are_nobodys(club, game) -> None:
    with club.store.transaction() as tx:
        tx.change_game(game.id, status="over", ended_at=club.now)
    assert inspect.show(club.moderator, "G001", colour="Red").position
    assert inspect.export(club.moderator, "G001")["seed"] == game.seed.hex()
    assert club.told("notice") == []


def test_a_half_finished_turn_is_shown_for_a_reason_alone(club, game) -> None:
    before = inspect.show(club.moderator, "G001").text
    club.acts("Red", first_order(club))
    assert inspect.games(club.moderator)[0].game.version == 2
    assert inspect.show(club.moderator, "G001").text == before
    whole = inspect.export(club.moderator, "G001")
    assert [version["number"] for version in whole["versions"]] == []
    assert {event["turn"] for event in whole["events"]} <= {0}
    assert inspect.show(club.moderator, "G001", reveal="a look").text != before
    assert len(inspect.export(club.moderator, "G001", reveal="a look")["versions"]) == 2


def test_whose_reaction_is_waited_for_is_not_told(club, game) -> None:
    (stands,) = inspect.games(club.moderator)
    (ask,) = stands.asks
    assert stands.waiting == ("Red",)
    assert replace(stands, asks=(replace(ask, kind="window"),)).waiting == ("reactions",)


def first_order(club) -> str:
    """A card whose playing reveals nothing: the turn stays half-finished."""
    with club.store.reading() as tx:
        (ask,) = [ask for ask in tx.open_asks(tx.find_game("G001").id) if ask.due_at]
    return ask.menu[0]
